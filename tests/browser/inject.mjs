// The code that the tests inject into each page.

/** Adds functions to a page that return its board's cells and its running animations. May run more than once in a page. */
export function addTestHelpers() {
  // Missing in browsers before 2022 and in WebKit before 2024. The pages do not use it.
  Element.prototype.checkVisibility ??= function () {
    return this.getClientRects().length > 0 && getComputedStyle(this).visibility === "visible";
  };
  window.boardCells = () => {
    /** @type {string[]} */
    const cells = [];
    for (const node of document.querySelectorAll("#board [data-cell]")) {
      const { cell, side, count } = /** @type {HTMLElement | SVGElement} */ (node).dataset;
      cells[Number(cell)] = side || count || cells[Number(cell)] || ".";
    }
    return cells.join("");
  };
  const SOON_MS = 8000;
  window.shortAnimations = () =>
    document
      .getAnimations()
      .filter(
        (animation) =>
          animation.playState === "running" && Number(animation.effect?.getComputedTiming().endTime) < SOON_MS,
      );
}
