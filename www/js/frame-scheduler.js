// From a view that came to the screen: one draw a frame, always of the newest view.

/** @typedef {import("./wire.js").View} View */

/** Draws at most once a frame. Views that came in between are skipped: each is a whole picture. */
export class FrameScheduler {
  /** @type {(view: View, before: View | null) => void} */
  #draw;
  /** @type {View | null} */
  #drawn = null;
  /** @type {View | null} */
  #next = null;
  #frame = 0;

  /** @param {(view: View, before: View | null) => void} draw `before`: the view drawn last; null at first, and after a draw that failed */
  constructor(draw) {
    this.#draw = draw;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#now();
    });
  }

  /**
   * Draws this view in the next frame; at once where there are none, on a hidden page (its title still tells whose turn it is).
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
