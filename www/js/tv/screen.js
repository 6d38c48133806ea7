// The picture: the newest view, shared out to the parts of the page that draw it.
import { byId, replaceChildren, setText } from "../dom.js";
import { findGame } from "../games/index.js";
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
/** @typedef {{game: import("../games/index.js").GameModule, board: import("../games/index.js").TvBoard, drawn: GameView | null}} Shown a board on the screen, and the view that it shows */

/** As many games leave half of the menu to the code card. */
const SPLIT_MENU_GAMES_MAX = 2;

export class Screen {
  #title = byId("title");
  #home = [...this.#title.childNodes];
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
   * Says what a refused press came to.
   * @param {string} text
   */
  flash(text) {
    this.#banner.flash(text, 3_000);
  }

  /** @param {View} view */
  draw(view) {
    // First what is there to be seen: what is hidden has no size to fit text into.
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
   * Takes the room's picture away, for a notice.
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
    this.#title.replaceChildren(...this.#home);
    this.#banner.draw({ lines: [] });
    this.#put(null);
    this.#menu.draw(view);
  }

  /** @param {GameView} view */
  #drawGame(view) {
    const game = findGame(view.game);
    if (!game) return; // A daemon with a newer list: its build differs, so the page is about to reload.
    setText(this.#title, game.name);
    this.#banner.draw(announce(view, game));
    for (const seat of this.#seats) seat.draw(view, game);
    drawLine(this.#next, view.line);

    const shown = this.#board?.game === game ? this.#board : this.#put({ game, board: game.tvBoard(), drawn: null });
    shown.board.draw(view, shown.drawn);
    shown.drawn = view;
  }

  /**
   * @template {Shown | null} T
   * @param {T} board the one to stand on the screen; null: none
   * @returns {T}
   */
  #put(board) {
    replaceChildren(this.#place, ...(board ? [board.board.el] : []));
    this.#board = board;
    return board;
  }
}

/**
 * The layout of a view, named for the code card's shape in it.
 * @param {View} view
 */
function layoutOf(view) {
  if (view.t === "menu") return view.games.length > SPLIT_MENU_GAMES_MAX ? "wide" : "big";
  return view.phase === "open" || view.phase === "rematch" ? "tall" : "chip";
}
