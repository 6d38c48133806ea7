// Fits text into its box: first by smaller letters, down to a size that can be read from four metres, then by narrower ones.
import { el } from "../dom.js";

/** The smallest text on the TV in rem, 1/27 of the screen's height. 60 rem are its width. */
const SMALLEST_REM = 1.25;

/** The layout and text for which each box was fitted. All lengths are in rem, so only a new text or layout needs a new fit. @type {WeakMap<Element, string>} */
const fitted = new WeakMap();
/** Boxes to measure after a whole view is written. Measuring in between would cause a layout each time. @type {Map<Element, string>} */
const waiting = new Map();

/**
 * Writes a line of text that fits its box: `<p class="fit"><span>…</span></p>`. The style sheet sets the box's width and its largest letters.
 * @param {Element} box
 * @param {...(Node | string)} text the new text. Without it, only fits the present one
 */
export function fit(box, ...text) {
  const line = /** @type {HTMLElement} */ (box.firstElementChild);
  const words = text.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
  if (text.length && line.textContent !== words) line.replaceChildren(...text);

  const { layout } = /** @type {HTMLElement} */ (box.closest("[data-layout]")).dataset;
  const wanted = `${layout} ${line.textContent}`;
  if (fitted.get(box) === wanted) return;
  if (!waiting.size) queueMicrotask(fitAll);
  waiting.set(box, wanted);
  if (line.style.fontSize) line.style.fontSize = line.style.transform = "";
}

/**
 * Writes lines of text that fit, one below the other.
 * @param {Element} box
 * @param {string[]} texts one text per line
 */
export function fitLines(box, texts) {
  while (box.children.length > texts.length) box.lastElementChild?.remove();
  texts.forEach((text, i) => fit(box.children[i] ?? box.appendChild(textLine("")), text));
}

/** Makes an empty line for `fit`. @param {string} name its class */
export function textLine(name) {
  return el("p", { class: `${name} fit` }, el("span", { dir: "auto" }));
}

/** Fits every line again, after a font file has arrived and changed the widths. */
export function refit() {
  for (const box of document.querySelectorAll(".fit")) {
    fitted.delete(box);
    fit(box);
  }
}

/** Measures all boxes first, then writes. */
function fitAll() {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const seen = [...waiting].map(([box, wanted]) => {
    const line = /** @type {HTMLElement} */ (box.firstElementChild);
    const room = box.getBoundingClientRect().width;
    // A hidden box has no width to fit into, and its text has its largest letters again.
    if (room) fitted.set(box, wanted);
    else fitted.delete(box);
    const scale = room && (room / line.getBoundingClientRect().width) * 0.99;
    return { line, scale, largest: scale && scale < 0.99 ? parseFloat(getComputedStyle(box).fontSize) : 0 };
  });
  waiting.clear();
  for (const { line, scale, largest } of seen) {
    if (!largest) continue;
    const smaller = Math.min(1, Math.max(scale, (SMALLEST_REM * rem) / largest));
    line.style.fontSize = `${smaller}em`;
    if (scale < smaller) line.style.transform = `scaleX(${scale / smaller})`;
  }
}

/** Milliseconds between two steps. A step is about a pixel, and costs one composite. */
const STEP_MS = 15_000;
/** Largest offset in each direction, in rem, inside the margin that the style sheet reserves for it. */
const FAR_REM = { x: 0.25, y: 0.1875 };
/** Minutes of a swing in each direction. They have no common factor, so the path is long. */
const SWING_MIN = { x: 11, y: 7 };

/**
 * Moves the layout by a few pixels over minutes, so that no bright part burns itself into a panel that shows it all day.
 * @param {HTMLElement} stage
 */
export function drift(stage) {
  setInterval(() => {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const at = (/** @type {"x" | "y"} */ axis) => {
      const swing = Math.sin((performance.now() / 60_000 / SWING_MIN[axis]) * 2 * Math.PI);
      // Whole pixels of the screen, or text and QR code would blur. In rem, so that a smaller layout drifts less at once.
      return Math.round(swing * FAR_REM[axis] * rem * devicePixelRatio) / devicePixelRatio / rem;
    };
    stage.style.transform = `translate(${at("x")}rem, ${at("y")}rem)`;
  }, STEP_MS);
}
