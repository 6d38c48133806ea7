// Measures the positions and sizes of a page's elements.
/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{what: string, text: string, left: number, top: number, right: number, bottom: number, size: number, node: number}} Box lengths in pixels; `size` is that of the letters, `node` the number of the text */

/**
 * Returns the boxes of all visible text, one per line.
 * @param {Page} page
 * @param {{clipped?: boolean}} [options] `clipped` ignores text that is cut off; otherwise text counts as if nothing were cut off
 * @returns {Promise<Box[]>}
 */
export function textBoxes(page, { clipped = false } = {}) {
  return page.evaluate((clip) => {
    /** @type {Box[]} */
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let count = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      count += 1;
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? "";
      if (!parent || !text || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const holder = parent.closest("[id], [class]") ?? parent;
      const what = `${parent.closest("#board") ? "#board " : ""}${holder.id ? `#${holder.id}` : `.${holder.classList}`}`;
      const size = parseFloat(getComputedStyle(parent).fontSize);
      // Clipped to nothing, for screen readers only.
      if (parent.getBoundingClientRect().width <= 1) continue;
      for (const { left, top, right, bottom } of range.getClientRects()) {
        const box = { what, text, left, top, right, bottom, size, node: count };
        for (let around = clip ? parent : null; around; around = around.parentElement) {
          const { overflowY, clipPath } = getComputedStyle(around);
          if (overflowY === "visible" && clipPath === "none") continue;
          const edge = around.getBoundingClientRect();
          box.left = Math.max(box.left, edge.left);
          box.top = Math.max(box.top, edge.top);
          box.right = Math.min(box.right, edge.right);
          box.bottom = Math.min(box.bottom, edge.bottom);
        }
        if (box.right > box.left && box.bottom > box.top) found.push(box);
      }
    }
    return found;
  }, clipped);
}

/**
 * Returns the boxes of all visible elements.
 * @param {Page} page
 * @param {string} selector
 * @returns {Promise<Box[]>}
 */
export function boxes(page, selector) {
  return page.evaluate((where) => {
    const seen = [...document.querySelectorAll(where)].filter((node) =>
      node.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    );
    return seen.map((node) => {
      const { left, top, right, bottom } = node.getBoundingClientRect();
      const { id, className } = node;
      return {
        what: id ? `#${id}` : `.${className}`,
        text: node.textContent?.trim().slice(0, 20) ?? "",
        left,
        top,
        right,
        bottom,
        size: 0,
        node: 0,
      };
    });
  }, selector);
}

/**
 * Describes the boxes that are not inside a rectangle.
 * @param {Box[]} all
 * @param {{left: number, top: number, right: number, bottom: number}} frame
 * @param {number} [slack] pixels
 * @returns {string[]}
 */
export function outside(all, frame, slack = 1) {
  const out = all.filter(
    (box) =>
      box.left < frame.left - slack ||
      box.top < frame.top - slack ||
      box.right > frame.right + slack ||
      box.bottom > frame.bottom + slack,
  );
  return out.map((box) => `${say(box)} leaves ${place(frame)}`);
}

/**
 * Describes the boxes that overlap.
 * @param {Box[]} some
 * @param {Box[]} others
 * @param {number} [slack] pixels
 * @returns {string[]}
 */
export function overlaps(some, others, slack = 1) {
  return some.flatMap((a) =>
    others
      .filter(
        (b) =>
          Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack,
      )
      .map((b) => `${say(a)} lies on ${say(b)}`),
  );
}

/**
 * Describes the texts that overlap.
 * @param {Box[]} all
 * @returns {string[]}
 */
export function collisions(all) {
  // A line's box is higher than its letters, and the boxes of one text's lines may overlap.
  const letters = all.map((box) => ({
    ...box,
    top: box.top + 0.2 * (box.bottom - box.top),
    bottom: box.bottom - 0.2 * (box.bottom - box.top),
  }));
  return letters.flatMap((box, i) =>
    overlaps(
      [box],
      letters.slice(i + 1).filter(({ node }) => node !== box.node),
    ),
  );
}

/** @param {Box} box */
const say = (box) => `${box.what} "${box.text}" ${place(box)}`;

/** @param {{left: number, top: number, right: number, bottom: number}} box */
const place = ({ left, top, right, bottom }) => `[${[left, top, right, bottom].map(Math.round).join(" ")}]`;
