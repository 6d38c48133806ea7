// Shows time that runs down, as seconds and as a bar.
import { el } from "./dom.js";

/** Milliseconds by which a bar may be wrong before it is corrected. Less is not visible, and a correction costs an animation. */
const BAR_OFF_MS = 200;

/**
 * Returns the milliseconds until a count of whole seconds changes.
 * @param {number} left milliseconds left
 */
const toNextSecond = (left) => left % 1000 || 1000;

/** Draws the seconds left once a second, exactly when they change. Sets no timer while nothing runs down. */
export class Countdown {
  #draw;
  #end = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {(seconds: number) => void} draw whole seconds left, 0 at the end */
  constructor(draw) {
    this.#draw = draw;
  }

  /** @param {number} ms from now */
  run(ms) {
    this.#end = performance.now() + ms;
    this.#tick();
  }

  stop() {
    clearTimeout(this.#timer);
  }

  #tick() {
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#end - performance.now());
    this.#draw(Math.ceil(left / 1000));
    if (left > 0) this.#timer = setTimeout(() => this.#tick(), toNextSecond(left));
  }
}

/**
 * Returns seconds as `0:42`.
 * @param {number} seconds
 */
export function formatTime(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Shows the time left of a turn as a bar, by one animation a turn that runs only on the compositor. */
export class Bar {
  #rest = el("i");
  el = el("div", { class: "bar" }, this.#rest);
  /** @type {Animation | null} */
  #running = null;
  #id = 0;
  #end = 0;

  /** @param {import("./wire.js").Turn | null} turn */
  run(turn) {
    const end = performance.now() + (turn?.left ?? 0);
    if (turn && this.#running && turn.id === this.#id && Math.abs(end - this.#end) < BAR_OFF_MS) return;
    this.#running?.cancel();
    this.#running = null;
    this.el.classList.toggle("runs", turn !== null);
    if (!turn) return;
    this.#id = turn.id;
    this.#end = end;
    // After the end, the style sheet's scaleX(0) applies.
    this.#running = this.#rest.animate({ transform: [`scaleX(${turn.left / turn.of})`, "scaleX(0)"] }, turn.left);
  }
}
