// Executes the remote's presses on the menu and in a game. It contains no rules, because legal moves come with the view.
import { tvWords as words } from "../language.js";

/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").FromPage} FromPage */
/** @typedef {{game: import("../games/index.js").GameModule, board: import("../games/index.js").TvBoard}} Shown */
/** @typedef {import("./input.js").Press} Press */

/** Milliseconds in which a second Back leaves a match. */
const LEAVE_MS = 3_000;

/** The remote's options in each role that is not on turn, one line each. The daemon removes a remote that misses turns. @type {Record<string, () => string[]>} */
const HINTS = {
  line: () => [words.backLine, words.missed],
  out: () => [words.okJoin, words.backLeave],
  rematch: () => [words.okRematch],
};

/**
 * The parts of the page that the remote uses.
 * @typedef {object} RemoteContext
 * @property {(message: FromPage) => boolean} send
 * @property {(text: string, ms: number) => void} flash shows a text in the banner
 * @property {(lines: string[]) => void} hint shows what the remote can do now
 * @property {import("./menu.js").Menu} menu
 * @property {HTMLElement} place the board's element, which gets the cursor as `data-cursor`
 */

export class Remote {
  #context;
  /** @type {View | null} */
  #view = null;
  /** @type {Shown | null} */
  #shown = null;
  /** @type {number | null} the cursor's move, or its last one, near which the next turn starts */
  #cursor = null;
  /** The turn for which the cursor was set, and the turn that has been answered. */
  #turn = 0;
  #answered = 0;
  #leaving = 0;
  /** Whether a seat or a rematch was asked for. The next view is the answer. */
  #asked = false;
  /** Whether the remote has been used. Before that no hints are shown, since the bar may have none. */
  #seen = false;

  /** @param {RemoteContext} context */
  constructor(context) {
    this.#context = context;
  }

  /**
   * @param {View} view
   * @param {Shown | null} shown the board that shows it, or null on the menu
   */
  draw(view, shown) {
    if (shown?.board !== this.#shown?.board) this.#cursor = null;
    this.#view = view;
    this.#shown = shown;
    this.#asked = false;
    if (view.t !== "ws" || view.phase !== "play") this.#leaving = 0;
    const turn = this.#turnOf(view);
    if (view.t === "ws" && turn && turn.id !== this.#turn) {
      this.#turn = turn.id;
      this.#cursor = shown?.game.initialCursor(view, this.#cursor) ?? null;
    }
    this.#point();
    this.#hint();
  }

  /** Forgets an unanswered request after the link was lost. */
  lost() {
    this.#asked = false;
    this.#answered = 0;
  }

  /**
   * Forgets a refused request.
   * @param {import("../wire.js").No} no
   */
  refused({ re }) {
    this.lost();
    if (re !== "move") return;
    this.#point();
    if (this.#cursor !== null) this.#shown?.board.shake(this.#cursor);
  }

  /**
   * @param {Press} press
   * @param {boolean} repeat the key is held down, which only moves the cursor
   */
  press(press, repeat) {
    this.#seen = true;
    const view = this.#view;
    const arrow = press === "ok" || press === "back" ? null : press;
    if (!view || (repeat && !arrow)) return;
    if (view.t === "menu") {
      if (arrow) this.#context.menu.move(arrow);
      else if (press === "ok") this.#context.menu.open();
    } else if (press === "back") this.#back(view);
    else if (this.#turnOf(view)) this.#play(view, arrow);
    else if (!repeat && (view.role === null || view.role === "out")) this.#ask({ t: "line", on: true });
    else if (press === "ok" && view.house) this.#ask({ t: "house", on: true });
    else if (press === "ok" && view.role === "rematch") this.#ask({ t: "rematch" });
    this.#hint();
  }

  /**
   * @param {GameView} view
   * @param {import("../games/index.js").Direction | null} arrow null for OK
   */
  #play(view, arrow) {
    const game = this.#shown?.game;
    if (this.#cursor === null || !view.turn || !game || this.#answered === this.#turn) return;
    if (arrow) this.#cursor = game.cursorMove(this.#cursor, arrow, view);
    else if (!view.moves?.includes(this.#cursor)) this.#shown?.board.shake(this.#cursor);
    else if (this.#context.send({ t: "move", v: this.#cursor, n: view.turn.id })) this.#answered = this.#turn;
    this.#point();
  }

  /** @param {FromPage} message */
  #ask(message) {
    if (!this.#asked) this.#asked = this.#context.send(message);
  }

  /** @param {GameView} view */
  #back(view) {
    const now = performance.now();
    // A match does not depend on a waiting or watching person, so the remote leaves without ending the game.
    if (view.role === "line" || view.role === "out") this.#ask({ t: "leave" });
    else if (view.phase === "play" && now > this.#leaving) {
      this.#leaving = now + LEAVE_MS;
      this.#context.flash(words.backAgain, LEAVE_MS);
    } else {
      this.#leaving = 0;
      this.#context.send({ t: "home" });
    }
  }

  #point() {
    const view = this.#view;
    const turn = view && this.#turnOf(view);
    const shown = turn && this.#answered !== turn.id;
    const cursor = shown ? this.#cursor : null;
    this.#shown?.board.point(cursor, shown ? turn.side : null);
    this.#context.place.toggleAttribute("data-cursor", cursor !== null);
    if (cursor !== null) this.#context.place.dataset.cursor = String(cursor);
  }

  /**
   * Returns the turn if it is the remote's.
   * @param {View} view
   */
  #turnOf(view) {
    return view.t === "ws" && view.phase === "play" && view.turn && view.turn.side === view.side ? view.turn : null;
  }

  #hint() {
    const view = this.#view;
    const known = this.#seen || (view?.t === "ws" && view.role !== null);
    this.#context.hint(view && known ? this.#hintOf(view) : []);
  }

  /** @param {View} view @returns {string[]} */
  #hintOf(view) {
    if (view.t === "menu") return [words.arrowsOpen];
    if (this.#turnOf(view)) return [words.arrowsOk];
    if (view.role === null) return [words.okJoin];
    if (view.house) return [words.okHouse];
    return HINTS[view.role]?.() ?? [];
  }
}
