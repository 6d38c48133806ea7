// Schedules drawing: at most once a frame, and always the newest view.

/** @typedef {import("./wire.js").View} View */

/** Draws at most once a frame. Views in between are skipped, since each view is complete. */
export class FrameScheduler {
  /** @type {(view: View, before: View | null) => void} */
  #draw;
  /** @type {View | null} */
  #drawn = null;
  /** @type {View | null} */
  #next = null;
  #frame = 0;

  /** @param {(view: View, before: View | null) => void} draw `before` is the view drawn last, or null at first and after a failed draw */
  constructor(draw) {
    this.#draw = draw;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#now();
    });
  }

  /**
   * Draws this view in the next frame. A hidden page has no frames and draws at once, because its title shows whose turn it is.
   * @param {View} view
   */
  show(view) {
    this.#next = view;
    if (document.hidden) this.#now();
    else if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#now());
  }

  #now() {
    if (this.#frame) cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const view = this.#next;
    if (!view) return;
    const before = this.#drawn;
    this.#next = null;
    this.#drawn = null;
    this.#draw(view, before);
    this.#drawn = view;
  }
}
