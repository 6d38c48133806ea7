// Draws the newest view, by passing it to the parts of the page.
import { byId, replaceChildren, setText } from "../dom.js";
import { findGame, textOf } from "../games/index.js";
import { announce, Banner } from "./banner.js";
import { drawLine, SeatCard } from "./cards.js";
import { CodeCard } from "./code-card.js";
import { fitLines } from "./fit.js";
import { Menu } from "./menu.js";
import { Notice } from "./notice.js";
import { Remote } from "./remote.js";

/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").MenuView} MenuView */
/** @typedef {import("../wire.js").FromPage} FromPage */
/** @typedef {import("../games/index.js").Motion} Motion */
/** @typedef {{game: import("../games/index.js").GameModule, board: import("../games/index.js").TvBoard, drawn: GameView | null}} Shown the board on the screen, and the view that it shows */

/** Up to this many games the code card takes half of the menu. */
const SPLIT_MENU_GAMES_MAX = 2;

/** Milliseconds by which each pause between two tries to load a module is longer than the one before. */
const RETRY_MS = 700;

/**
 * Loads a module that is needed only later, again and again until it is there. As games/index.js does for a game, each further try has an
 * address of its own, since a browser remembers that a module has failed.
 * @template Module
 * @param {string} name
 * @param {() => Promise<Module>} first the first try
 * @param {number} [failures] number of failed tries before
 * @returns {Promise<Module>}
 */
const loadLater = (name, first, failures = 0) =>
  (failures ? import(`./${name}.js?again=${failures}`) : first()).catch(async () => {
    await new Promise((done) => {
      setTimeout(done, (failures + 1) * RETRY_MS);
    });
    return loadLater(name, first, failures + 1);
  });

/** @type {Promise<typeof import("./moment.js")> | null} */
let moment = null;
/** Loads the celebration of a winner. */
const loadMoment = () => (moment ??= loadLater("moment", () => import("./moment.js")));
/** @type {Promise<typeof import("./sound.js")> | null} */
let sound = null;
/** @type {Promise<void> | null} */
let idle = null;

export class Screen {
  #title = byId("title");
  #home = [...this.#title.childNodes];
  /** The venue's name, shown on the menu instead of the product's. @type {string | null | undefined} */
  venue;
  #banner = new Banner(byId("banner"));
  #seats = [...document.querySelectorAll(".seat")].map(
    (seat, side) => new SeatCard(/** @type {HTMLElement} */ (seat), side === 0 ? 0 : 1),
  );
  #next = byId("next");
  #pitch = byId("pitch");
  #place = byId("board");
  /** @type {Shown | null} */
  #board = null;
  #menu;
  /** The animations of the board, if any are running. @type {Motion | null} */
  #moving = null;
  /** Whether the end of a game is being shown, and its winner is not celebrated yet. */
  #ended = false;
  #stopMoment = () => {};
  #volume = 0;
  /** @type {import("./sound.js").Sound | null} */
  #sound = null;
  code = new CodeCard(byId("card"), byId("owner"));
  notice = new Notice(byId("notice"));
  remote;

  /** @param {(message: FromPage) => boolean} send */
  constructor(send) {
    this.#menu = new Menu(byId("tiles"), byId("people"), (game) => send({ t: "pick", game }));
    this.remote = new Remote({
      send,
      menu: this.#menu,
      place: this.#place,
      flash: (text, ms) => this.#banner.flash(text, ms),
      hint: (lines) => fitLines(byId("hint"), lines),
    });
  }

  /**
   * Shows the reason for a refused press in the banner.
   * @param {string} text
   */
  flash(text) {
    this.#banner.flash(text, 3_000);
  }

  /** @param {View} view */
  draw(view) {
    // The layout comes first, because text cannot be fitted into hidden boxes.
    this.#lay(view.t === "menu" ? "menu" : view.phase, layoutOf(view));
    document.body.dataset.turn = String((view.t === "ws" && view.turn?.id) || "");
    this.#pitch.classList.toggle(
      "shown",
      view.t === "menu" ? view.people.length === 0 : view.phase === "open" && !view.seats[0],
    );
    this.code.draw(view);
    if (view.t === "menu") this.#drawMenu(view);
    else this.#drawGame(view);
    this.remote.draw(view, this.#board);
  }

  /**
   * Removes the room from the screen, for a notice.
   * @param {"wait" | "refused" | "taken"} why
   */
  clear(why) {
    this.#lay(why, "");
    document.body.dataset.turn = "";
  }

  /**
   * @param {string} screen
   * @param {string} layout
   */
  #lay(screen, layout) {
    document.body.dataset.screen = screen;
    byId("stage").dataset.layout = layout;
  }

  /** @param {MenuView} view */
  #drawMenu(view) {
    this.#title.replaceChildren(...(this.venue ? [this.venue] : this.#home));
    this.#banner.draw({ lines: [] });
    this.#put(null);
    this.#stopMoment();
    this.#menu.draw(view);
    idle ??= loadLater("idle", () => import("./idle.js")).then(({ takeTurns }) => takeTurns(byId("tiles")));
  }

  /** @param {GameView} view */
  #drawGame(view) {
    const game = findGame(view.game);
    if (!game) return; // The daemon has a newer list of games. Its build differs, so the page will reload.
    setText(this.#title, textOf(game).name);
    drawLine(this.#next, view.line);

    const shown = this.#board?.game === game ? this.#board : this.#put({ game, board: game.tvBoard(), drawn: null });
    const before = shown.drawn;
    const motion = shown.board.draw(view, before);
    shown.drawn = view;
    for (const seat of this.#seats) seat.draw(view);
    if (motion !== null) this.#follow(motion);
    if (view.phase !== "result") {
      this.#banner.draw(announce(view, game));
      this.#ended = false;
      this.#stopMoment();
    } else if (before?.phase === "play") this.#ended = true;
    if (view.phase === "play") loadMoment();
    this.#sound?.follow(view, before, motion);
    if (!this.#moving) this.#settle();
  }

  /**
   * Delays counts and the result until the board is still. The time starts with the animations, which a slow box may delay.
   * @param {Motion} motion
   */
  #follow(motion) {
    const [first] = motion.animations;
    this.#moving = first && motion.ms ? motion : null;
    const rest = () => {
      if (this.#moving !== motion) return;
      // A slow box may not have shown the last frame yet. An animation that was canceled has no time.
      if (Number(first.currentTime ?? Infinity) < motion.ms) return void requestAnimationFrame(rest);
      this.#moving = null;
      this.#settle();
    };
    // It is canceled before it begins by another view, or on a page too slow to begin in time: then the last frame is shown already.
    first?.ready.then(() => setTimeout(rest, motion.ms), rest);
  }

  /** Draws what waits until the board is still. */
  #settle() {
    const { game, drawn: view } = this.#board ?? {};
    if (!game || !view) return;
    for (const seat of this.#seats) seat.settle(view, game);
    if (view.phase === "result") this.#banner.draw(announce(view, game));
    if (!this.#ended) return;
    this.#ended = false;
    this.#stopMoment();
    let stopped = false;
    let stop = () => {
      stopped = true;
    };
    this.#stopMoment = () => stop();
    loadMoment().then(({ celebrate }) => {
      const end = stopped ? null : celebrate(byId("stage"), view);
      if (!end) return;
      stop = end;
      this.#sound?.win();
    });
  }

  /**
   * Sets the volume of this page, now. A silent page never loads what makes sound.
   * @param {number} percent 0: silent
   */
  async setVolume(percent) {
    this.#volume = percent;
    this.#sound?.setVolume(percent);
    if (!percent || this.#sound) return;
    const { Sound } = await (sound ??= loadLater("sound", () => import("./sound.js")));
    this.#sound ??= new Sound();
    this.#sound?.setVolume(this.#volume);
  }

  /**
   * @template {Shown | null} T
   * @param {T} board the board to show, or null for none
   * @returns {T}
   */
  #put(board) {
    this.#moving = null;
    replaceChildren(this.#place, ...(board ? [board.board.el] : []));
    this.#board = board;
    return board;
  }
}

/**
 * Returns the layout of a view, named for the code card's shape in it.
 * @param {View} view
 */
function layoutOf(view) {
  if (view.t === "menu") return view.games.length > SPLIT_MENU_GAMES_MAX ? "wide" : "big";
  return view.phase === "open" || view.phase === "rematch" ? "tall" : "chip";
}
