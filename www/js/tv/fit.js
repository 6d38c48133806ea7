// Text that never leaves its box: made smaller first, then narrower, down to the smallest letters that can be read from four metres.
import { el } from "../dom.js";

/** The smallest text on the TV, in rem (60 rem are the width of the picture): 1/27 of its height. */
const SMALLEST_REM = 1.25;

/** What each box was fitted for. All lengths are in rem, so only new text or another layout makes it anew. @type {WeakMap<Element, string>} */
const fitted = new WeakMap();
/** Boxes to be looked at when all of a picture is written: looking in between would lay the page out again and again. @type {Map<Element, string>} */
const waiting = new Map();

/**
 * A line of text that fits: `<p class="fit"><span>…</span></p>`. The box's width and its largest letters come from the style sheet.
 * @param {Element} box
 * @param {...(Node | string)} text none: only fits what is there
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
 * Writes lines of text that fit, one below another.
 * @param {Element} box
 * @param {string[]} texts one a line
 */
export function fitLines(box, texts) {
  while (box.children.length > texts.length) box.lastElementChild?.remove();
  texts.forEach((text, i) => fit(box.children[i] ?? box.appendChild(textLine("")), text));
}

/** Returns an empty line for `fit`. @param {string} name its class */
export function textLine(name) {
  return el("p", { class: `${name} fit` }, el("span", { dir: "auto" }));
}

/** Fits every line anew: a typeface file that came later has changed how wide its letters are. */
export function refit() {
  for (const box of document.querySelectorAll(".fit")) {
    fitted.delete(box);
    fit(box);
  }
}

/** First looks at all boxes, then writes. */
function fitAll() {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const seen = [...waiting].map(([box, wanted]) => {
    const line = /** @type {HTMLElement} */ (box.firstElementChild);
    const room = box.getBoundingClientRect().width;
    // Not on the screen: there is nothing to fit it into yet.
    if (room) fitted.set(box, wanted);
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
