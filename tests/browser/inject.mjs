// What the tests put into each page.

/** Gives a page a way to tell what lies on its board, and what moves. It may run more than once in a page. */
export function lookIn() {
  // Not in browsers of before 2022, nor in WebKit of before 2024; the pages do without.
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
  window.moving = () =>
    document
      .getAnimations()
      .filter(
        (animation) =>
          animation.playState === "running" && Number(animation.effect?.getComputedTiming().endTime) < SOON_MS,
      );
}
