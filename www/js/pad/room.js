// The screens of the room, the same for every game. Draws the results of `screens`, and reports presses.
import { byId, el, setText } from "../dom.js";
import { findGame } from "../games/index.js";
import { padWords as words, parts } from "../language.js";
import { refusal } from "./join.js";
import { Menu, Seat, Time } from "./parts.js";
import * as screens from "./screens.js";

/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").FromPage} FromPage */
/** @typedef {import("../games/index.js").GameModule} GameModule */
/** @typedef {import("./screens.js").Screen} Screen */
/** @typedef {import("./screens.js").Offer} Offer */

/** Milliseconds for which a refusal is shown. */
const TOAST_MS = 2_600;

/** Length from which a headline above a board is written smaller, to stay on one line. */
const LONG = 16;

/** The message of each button. @type {Partial<Record<Offer, FromPage>>} */
const COMMANDS = {
  rematch: { t: "rematch" },
  notnow: { t: "line", on: false },
  stepout: { t: "line", on: false },
  getin: { t: "line", on: true },
  home: { t: "home" },
  house: { t: "house", on: true },
  houseoff: { t: "house", on: false },
};

/** All screens except the join form. */
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
  /** The element of the room that had the focus last. @type {Element | null} */
  #focused = null;
  /** The id of the turn for which a move has been sent. */
  #sent = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #toast;

  /**
   * @param {(message: FromPage) => boolean} send returns false if it was not sent, which has been shown then
   * @param {(offer: "takeback" | "again") => void} back
   */
  constructor(send, back) {
    this.#send = send;
    this.#menu = new Menu(byId("picks"), byId("people"), (game) => this.#press({ t: "pick", game }));
    this.#time = new Time(byId("clock"), (text) => setText(byId("rematch-time"), text));
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

  /** Shows the room that this phone has joined. @param {string} nick @param {string} room */
  enter(nick, room) {
    setText(byId("me"), nick);
    setText(byId("code"), room);
    if (document.activeElement === document.body) byId("headline").focus({ preventScroll: true });
  }

  /** @param {View} view */
  draw(view) {
    this.#settle();
    this.#drawView(view);
    // If the focused button is gone (it is disabled first, which removes the focus), the focus moves to the board or the headline.
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
      this.clearBoard();
      this.#show(screens.menu(view));
      this.#menu.draw(view);
      return;
    }
    this.#view = view;
    const game = /** @type {GameModule} */ (findGame(view.game));
    const screen = screens.screen(view, game);
    // In a rematch the seats have changed and the counted board is not shown.
    const count = view.state && view.phase !== "rematch" ? game.count(view) : null;
    for (const seat of this.#seats) seat.draw(view, count);
    this.#board(view, game, screen);
    setText(byId("played"), this.#played(view));
    this.#show(screen);
  }

  /** Announces the opponent's move to a screen reader: "Ann: column 6". A button's label ends with its content. @param {GameView} view */
  #played({ last, side, seats }) {
    if (!last || side === null || last.side === side) return "";
    const label = this.#holder.querySelector(`[data-move="${last.v}"]`)?.getAttribute("aria-label") ?? "";
    const place = label.split(", ").slice(0, -1).join(", ");
    return place && `${screens.isolate(seats[last.side]?.nick ?? "")}: ${place}`;
  }

  /** Shows that the game of a view cannot be loaded. @param {GameView} view */
  showMissing(view) {
    this.clearBoard();
    for (const seat of this.#seats) seat.draw(view, null);
    this.#show(screens.missing());
  }

  /** Shows why this phone is not in the room any more. @param {"taken" | "left" | "out" | "closed"} why */
  gone(why) {
    this.leave();
    this.#show(screens.gone(why));
    byId("headline").focus({ preventScroll: true });
  }

  /** Forgets the room, of which nothing is shown again. */
  leave() {
    this.#view = null;
    this.clearBoard();
    this.#ask(false);
    this.#time.show(null, null);
  }

  /** Undoes a refused move visibly. @param {import("../wire.js").No} no */
  refused(no) {
    this.lost();
    if (no.re === "move") this.#game?.board.undo();
    this.toast(refusal(no));
  }

  /** Enables all buttons again. */
  #settle() {
    for (const button of this.#offers) button.disabled = false;
  }

  /** Forgets a sent message that was refused or is lost with the link. */
  lost() {
    this.#sent = 0;
    this.#settle();
  }

  /** Shows a message for a moment. @param {string} text */
  toast(text) {
    const toast = byId("toast");
    setText(toast, text);
    clearTimeout(this.#toast);
    this.#toast = setTimeout(() => setText(toast, ""), TOAST_MS);
  }

  /** @param {FromPage} message @returns {boolean} whether it was sent. Then the buttons are disabled until the answer */
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
        heading.replaceChildren(...parts(screen.headline.replace(screen.big, "{}"), { "": el("b", {}, screen.big) }));
    } else setText(heading, screen.headline);
    heading.dataset.side = String(screen.tone ?? "");
    heading.toggleAttribute("data-big", screen.big !== undefined);
    heading.toggleAttribute("data-long", screen.headline.length > LONG);
    setText(byId("hint"), screen.hint);
    for (const button of this.#offers) button.hidden = !screen.offers.includes(/** @type {Offer} */ (button.id));
    setText(byId("stepout"), screen.stepout ?? words.stepout);
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
    if (!shown) return this.clearBoard();
    document.body.dataset.board = shown;
    this.#holder.inert = shown !== "play";
    if (this.#game?.slug !== view.game) {
      const board = game.padBoard((v) => this.#tap(v));
      this.#holder.replaceChildren(board.el);
      this.#game = { slug: view.game, board };
    }
    this.#game.board.draw(view);
  }

  /** Removes the board. The next view makes it again, in the language of the page. */
  clearBoard() {
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
