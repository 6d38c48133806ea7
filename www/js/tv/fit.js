// Text that never leaves its box: made smaller first, then narrower, down to the smallest letters that can be read from four metres.
import { say } from "../dom.js";

/** The smallest text on the TV, in rem (60 rem are the width of the picture): 1/27 of its height. */
const SMALLEST_REM = 1.25;

/**
 * A line of text that fits: `<p class="fit"><span>…</span></p>`. The box's width and its largest letters come from the style sheet.
 * @param {HTMLElement} box
 * @param {...(Node | string)} text none: only fits what is there
 */
export function fit(box, ...text) {
  const line = /** @type {HTMLElement} */ (box.firstElementChild);
  if (text.length === 1 && typeof text[0] === "string") say(line, text[0]);
  else if (text.length) line.replaceChildren(...text);

  line.style.fontSize = line.style.transform = "";
  const { width } = box.getBoundingClientRect();
  const wanted = line.getBoundingClientRect().width;
  if (wanted <= width) return;
  const largest = parseFloat(getComputedStyle(box).fontSize);
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const scale = (width / wanted) * 0.99;
  const smaller = Math.min(1, Math.max(scale, (SMALLEST_REM * rem) / largest));
  line.style.fontSize = `${smaller}em`;
  if (scale < smaller) line.style.transform = `scaleX(${scale / smaller})`;
}
