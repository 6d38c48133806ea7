// The time on the pad: a turn's bar and seconds, or the minute of a rematch.
import { Bar, Countdown, formatTime } from "../clock.js";
import { el, setText } from "../dom.js";

/** @typedef {import("../wire.js").GameView} GameView */

/** Shows the time left of a turn, or of the minute in which a rematch can be asked for. */
export class Time {
  #holder;
  #minute;
  #bar = new Bar();
  #words = el("p");
  #countdown;
  /** @type {"turn" | "minute" | null} */
  #kind = null;
  /** @type {GameView | null} */
  #view = null;
  /** The time at which the view was shown, by a clock that stops while the phone sleeps, and by the wall clock. */
  #shown = { awake: 0, wall: 0 };

  /**
   * @param {HTMLElement} holder
   * @param {(text: string) => void} minute called with the time left of the minute, or "" if there is none
   */
  constructor(holder, minute) {
    this.#holder = holder;
    this.#minute = minute;
    this.#countdown = new Countdown((seconds) => this.#tick(seconds));
    holder.append(this.#bar.el, this.#words);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#wake();
    });
  }

  /**
   * @param {GameView | null} view
   * @param {"turn" | "minute" | null} kind
   */
  show(view, kind) {
    this.#view = view;
    this.#kind = kind;
    this.#shown = { awake: performance.now(), wall: Date.now() };
    this.#run(0);
  }

  /** @param {number} late milliseconds since the view was shown */
  #run(late) {
    const turn = this.#kind === "turn" ? (this.#view?.turn ?? null) : null;
    const left = turn?.left ?? (this.#kind === "minute" ? this.#view?.left : null) ?? null;
    this.#holder.hidden = left === null;
    this.#minute("");
    this.#holder.dataset.side = turn ? String(turn.side) : "";
    this.#bar.run(turn && { ...turn, left: Math.max(0, turn.left - late) });
    if (left === null) this.#countdown.stop();
    else this.#countdown.run(left - late);
  }

  /** Corrects the time after a sleep, in which animations and timers have stopped. */
  #wake() {
    const late = Date.now() - this.#shown.wall;
    if (this.#kind && late - (performance.now() - this.#shown.awake) > 500) this.#run(late);
  }

  /** @param {number} seconds */
  #tick(seconds) {
    const minute = this.#kind === "minute";
    if (minute) this.#minute(formatTime(seconds));
    setText(this.#words, minute ? formatTime(seconds) : seconds === 1 ? "1 second" : `${seconds} seconds`);
    this.#holder.toggleAttribute("data-soon", seconds <= 5);
  }
}
