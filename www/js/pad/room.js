// The screens of the room: one for every game. It draws what `screens` says, and tells what was pressed.
import { byId, el, setText } from "../dom.js";
import { findGame } from "../games/index.js";
import { Menu } from "./menu.js";
import { Seat } from "./seats.js";
import * as screens from "./screens.js";
import { Time } from "./time.js";

/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").FromPage} FromPage */
/** @typedef {import("../games/index.js").GameModule} GameModule */
/** @typedef {import("./screens.js").Screen} Screen */
/** @typedef {import("./screens.js").Offer} Offer */

/** Milliseconds for which a refusal stands on the screen. */
const TOAST_MS = 2_600;

/** Letters from which on what is said is written smaller above a board: it should stay one line. */
const LONG = 16;

/** What each button says to the box. @type {Partial<Record<Offer, FromPage>>} */
const COMMANDS = {
  rematch: { t: "rematch" },
  notnow: { t: "line", on: false },
  stepout: { t: "line", on: false },
  getin: { t: "line", on: true },
  home: { t: "home" },
  house: { t: "house", on: true },
  houseoff: { t: "house", on: false },
};

/** All but the way in. */
export class Room {
  #send;
  #seats = /** @type {const} */ ([0, 1]).map(
    (side) => new Seat(/** @type {HTMLElement} */ (document.querySelector(`.seat[data-seat="${side}"]`)), side),
  );
  #menu;
  #time;
  #offers = /** @type {HTMLButtonElement[]} */ ([...byId("offers").children]);
  #holder = byId("board");
  /** @type {{slug: string, board: import("../games/index.js").PadBoard} | null} */
  #game = null;
  /** @type {GameView | null} */
  #view = null;
  /** What had the focus last, of what is in the room. @type {Element | null} */
  #focused = null;
  /** The turn for which a move is on its way. */
  #sent = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #toast;

  /**
   * @param {(message: FromPage) => boolean} send false: not sent, and that has been said
   * @param {(offer: "takeback" | "again") => void} back
   */
  constructor(send, back) {
    this.#send = send;
    this.#menu = new Menu(byId("picks"), byId("people"), (game) => this.#press({ t: "pick", game }));
    const rematch = el("span");
    byId("rematch").append(" ", rematch);
    this.#time = new Time(byId("clock"), (text) => setText(rematch, text));
    for (const button of this.#offers) {
      const offer = /** @type {Offer} */ (button.id);
      const message = COMMANDS[offer];
      button.addEventListener("click", () =>
        message ? this.#press(message) : back(/** @type {"takeback" | "again"} */ (offer)),
      );
    }
    byId("room").addEventListener("focusin", ({ target }) => (this.#focused = /** @type {Element} */ (target)));
    byId("leave").addEventListener("click", () => this.#ask(byId("ask").hidden === true));
    byId("leave-no").addEventListener("click", () => this.#ask(false));
    byId("leave-yes").addEventListener("click", () => this.#press({ t: "leave" }) && this.#ask(false));
    byId("ask").addEventListener("click", (event) => event.target === event.currentTarget && this.#ask(false));
    byId("ask").addEventListener("keydown", (event) => event.key === "Escape" && this.#ask(false));
  }

  /** This phone is in a room now. @param {string} nick @param {string} room */
  enter(nick, room) {
    setText(byId("me"), nick);
    setText(byId("code"), room);
    if (document.activeElement === document.body) byId("headline").focus({ preventScroll: true });
  }

  /** @param {View} view */
  draw(view) {
    this.#settle();
    this.#drawView(view);
    // A button that had the focus may be gone (it is disabled first, which takes the focus): to the board, or to what is said now.
    if (!this.#focused || this.#focused.getClientRects().length) return;
    this.#focused = null;
    const board = this.#holder.inert ? null : this.#holder.querySelector('[tabindex="0"]');
    /** @type {HTMLElement} */ (board ?? byId("headline")).focus({ preventScroll: true });
  }

  /** @param {View} view */
  #drawView(view) {
    setText(byId("played"), "");
    if (view.t === "menu") {
      this.#view = null;
      this.#clearBoard();
      this.#show(screens.menu(view));
      this.#menu.draw(view);
      return;
    }
    this.#view = view;
    const game = /** @type {GameModule} */ (findGame(view.game));
    const screen = screens.screen(view, game);
    // In a rematch the seats have changed, and the board that was counted is not there.
    const count = view.state && view.phase !== "rematch" ? game.count(view) : null;
    for (const seat of this.#seats) seat.draw(view, count);
    this.#board(view, game, screen);
    setText(byId("played"), this.#played(view));
    this.#show(screen);
  }

  /** Says the other's move to a screen reader: "Ann: column 6". A button's label ends with what lies there now. @param {GameView} view */
  #played({ last, side, seats }) {
    if (!last || side === null || last.side === side) return "";
    const label = this.#holder.querySelector(`[data-move="${last.v}"]`)?.getAttribute("aria-label") ?? "";
    const place = label.split(", ").slice(0, -1).join(", ");
    return place && `${screens.isolate(seats[last.side]?.nick ?? "")}: ${place}`;
  }

  /** Says that the game of a view cannot be loaded. @param {GameView} view */
  showMissing(view) {
    this.#clearBoard();
    for (const seat of this.#seats) seat.draw(view, null);
    this.#show(screens.missing());
  }

  /** Why there is no room any more. @param {"taken" | "left" | "out" | "closed"} why */
  gone(why) {
    this.leave();
    this.#show(screens.gone(why));
    byId("headline").focus({ preventScroll: true });
  }

  /** Out of the room: nothing of it is shown again. */
  leave() {
    this.#view = null;
    this.#clearBoard();
    this.#ask(false);
    this.#time.show(null, null);
  }

  /** A move was refused: it is taken back where everybody can see it. @param {import("../wire.js").No} no */
  refused(no) {
    this.lost();
    if (no.re === "move") this.#game?.board.undo();
    this.toast(no.say);
  }

  /** Everything can be pressed again. */
  #settle() {
    for (const button of this.#offers) button.disabled = false;
  }

  /** What was on its way was refused, or is lost with the link. */
  lost() {
    this.#sent = 0;
    this.#settle();
  }

  /** Says something for a moment. @param {string} words */
  toast(words) {
    const toast = byId("toast");
    setText(toast, words);
    clearTimeout(this.#toast);
    this.#toast = setTimeout(() => setText(toast, ""), TOAST_MS);
  }

  /** @param {FromPage} message @returns {boolean} was it sent? Then nothing else can be pressed until it is answered */
  #press(message) {
    const sent = this.#send(message);
    if (sent) for (const button of this.#offers) button.disabled = true;
    return sent;
  }

  /** @param {boolean} open */
  #ask(open) {
    const ask = byId("ask");
    if (ask.hidden === !open) return;
    ask.hidden = !open;
    byId("leave").setAttribute("aria-expanded", String(open));
    byId(open ? "leave-no" : "leave").focus({ preventScroll: true });
  }

  /** @param {Screen} screen */
  #show(screen) {
    document.body.dataset.screen = screen.name;
    const heading = byId("headline");
    if (screen.big) {
      if (heading.textContent !== screen.headline)
        heading.replaceChildren(el("b", {}, screen.big), screen.headline.slice(screen.big.length));
    } else setText(heading, screen.headline);
    heading.dataset.side = String(screen.tone ?? "");
    heading.toggleAttribute("data-big", screen.big !== undefined);
    heading.toggleAttribute("data-long", screen.headline.length > LONG);
    setText(byId("hint"), screen.hint);
    for (const button of this.#offers) button.hidden = !screen.offers.includes(/** @type {Offer} */ (button.id));
    setText(byId("stepout"), screen.stepout ?? "Step out");
    setText(byId("ask-why"), screen.leave);
    this.#time.show(this.#view, screen.clock ?? null);
  }

  /**
   * @param {GameView} view
   * @param {GameModule} game
   * @param {Screen} screen
   */
  #board(view, game, screen) {
    const shown = screen.board && view.state ? screen.board : "";
    if (!shown) return this.#clearBoard();
    document.body.dataset.board = shown;
    this.#holder.inert = shown !== "play";
    if (this.#game?.slug !== view.game) {
      const board = game.padBoard((v) => this.#tap(v));
      this.#holder.replaceChildren(board.el);
      this.#game = { slug: view.game, board };
    }
    this.#game.board.draw(view);
  }

  #clearBoard() {
    this.#game = null;
    this.#holder.replaceChildren();
    document.body.dataset.board = "";
  }

  /** @param {number} v */
  #tap(v) {
    const turn = this.#view?.turn;
    if (!turn || turn.side !== this.#view?.side || this.#sent === turn.id) return;
    if (this.#send({ t: "move", v, n: turn.id })) this.#sent = turn.id;
    else this.#game?.board.undo();
  }
}
