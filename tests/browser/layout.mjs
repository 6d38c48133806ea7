// Looks at where things stand on a page, and how large they are.
/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{what: string, text: string, left: number, top: number, right: number, bottom: number, size: number}} Box lengths in pixels; `size`: of the letters */

/**
 * The boxes of all text that is seen, a line each.
 * @param {Page} page
 * @returns {Promise<Box[]>}
 */
export function textBoxes(page) {
  return page.evaluate(() => {
    /** @type {Box[]} */
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? "";
      if (!parent || !text || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const holder = parent.closest("[id], [class]") ?? parent;
      const what = holder.id ? `#${holder.id}` : `.${holder.classList}`;
      const size = parseFloat(getComputedStyle(parent).fontSize);
      for (const { left, top, right, bottom, width } of range.getClientRects()) {
        if (width > 0) found.push({ what, text, left, top, right, bottom, size });
      }
    }
    return found;
  });
}

/**
 * The boxes of elements that are seen.
 * @param {Page} page
 * @param {string} selector
 * @returns {Promise<Box[]>}
 */
export function boxes(page, selector) {
  return page.evaluate((where) => {
    const seen = [...document.querySelectorAll(where)].filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    return seen.map((node) => {
      const { left, top, right, bottom } = node.getBoundingClientRect();
      const { id, className } = node;
      return { what: id ? `#${id}` : `.${className}`, text: node.textContent?.trim().slice(0, 20) ?? "", left, top, right, bottom, size: 0 };
    });
  }, selector);
}

/**
 * What does not lie inside a rectangle, in words.
 * @param {Box[]} all
 * @param {{left: number, top: number, right: number, bottom: number}} frame
 * @param {number} [slack] pixels
 * @returns {string[]}
 */
export function outside(all, frame, slack = 1) {
  const out = all.filter((box) => box.left < frame.left - slack || box.top < frame.top - slack || box.right > frame.right + slack || box.bottom > frame.bottom + slack);
  return out.map((box) => `${say(box)} leaves ${place(frame)}`);
}

/**
 * What lies on one another, in words.
 * @param {Box[]} some
 * @param {Box[]} others
 * @param {number} [slack] pixels
 * @returns {string[]}
 */
export function overlaps(some, others, slack = 1) {
  return some.flatMap((a) =>
    others
      .filter((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack)
      .map((b) => `${say(a)} lies on ${say(b)}`),
  );
}

/** @param {Box} box */
const say = (box) => `${box.what} "${box.text}" ${place(box)}`;

/** @param {{left: number, top: number, right: number, bottom: number}} box */
const place = ({ left, top, right, bottom }) => `[${[left, top, right, bottom].map(Math.round).join(" ")}]`;
