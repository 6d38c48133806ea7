// Seconds that run down in words.

/**
 * Milliseconds until a count of whole seconds changes.
 * @param {number} left milliseconds left
 */
const toNextSecond = (left) => left % 1000 || 1000;

/** Draws the seconds left, once a second and at the second; nothing ticks when nothing counts. */
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
 * `0:42`
 * @param {number} seconds
 */
export function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
