// What boards share: a plate on which things lie in the board's own units, and for those of squares cells that hold stones
// and the one move between two boards.
//
// Stones are HTML boxes over a drawn board, since only those are moved by the compositor: a transform inside an SVG is
// painted anew for every frame. Both faces lie in each cell for good, so that a stone that comes, goes or turns over
// changes nothing that needs a layout, and a cell at rest is always the final picture, whatever became of its animation.
import { el } from "../dom.js";
import { faces } from "../stone.js";

/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {{at: number, turned: number[]}} Step one move: the cell that its stone came to lie in, the cells of the stones that it turned over */
/** @typedef {{animations: Animation[], ms: number}} Motion what moves after a move, and milliseconds until all of it lies still */
/** @typedef {(node: HTMLElement | SVGElement, x: number, y: number, width: number, height: number) => void} Place lays a node on the plate, in the plate's units */

/**
 * An element that fills the box it is given, and in its middle the plate, as large as its proportions allow.
 * @param {string} name the class of the game's look: its slug
 * @param {number} width in units
 * @param {number} height in units
 * @returns {{el: HTMLElement, plate: HTMLElement, place: Place}}
 */
export function plate(name, width, height) {
  const inner = el("div", { class: "plate" });
  const outer = el("div", { class: `board ${name}` }, inner);
  outer.style.setProperty("--w", String(width));
  outer.style.setProperty("--h", String(height));
  return {
    el: outer,
    plate: inner,
    place(node, x, y, w, h) {
      node.style.left = `${(x / width) * 100}%`;
      node.style.top = `${(y / height) * 100}%`;
      node.style.width = `${(w / width) * 100}%`;
      node.style.height = `${(h / height) * 100}%`;
    },
  };
}

/**
 * An empty cell.
 * @param {number} index its place in the board's text
 * @returns {HTMLElement}
 */
export function cell(index) {
  return el("div", { class: "cell", "data-cell": index, "data-side": "" }, faces());
}

/**
 * The one move of `side` that leads from a board to another, or null when they are not exactly one move apart.
 * @param {string} from cells as on the wire
 * @param {string} to
 * @param {Side} side
 * @returns {Step | null}
 */
export function step(from, to, side) {
  if (from.length !== to.length) return null;
  const turned = [];
  let at = -1;
  for (let i = 0; i < to.length; i++) {
    if (from[i] === to[i]) continue;
    if (to[i] !== String(side)) return null;
    if (from[i] !== ".") turned.push(i);
    else if (at < 0) at = i;
    else return null;
  }
  return at < 0 ? null : { at, turned };
}

/** Milliseconds that an animation of something that comes or moves once lasts, far longer than it moves. */
export const LASTING_MS = 5000;

/**
 * Drops animations of LASTING_MS when they lie still: all in one frame, while the browser prepares for an animation's own
 * end with several frames of main thread.
 * @param {Animation[]} animations
 * @param {number} ms until then
 * @returns {() => void} drops them at once
 */
export function until(animations, ms) {
  const drop = () => {
    clearTimeout(timer);
    for (const animation of animations) animation.cancel();
  };
  const timer = setTimeout(drop, ms);
  return drop;
}

/**
 * Keeps cells as a view has them. The function returned draws a view and, if asked to move, starts the animations of
 * the one move that led to it; it returns that move, or null when nothing was started. Any other change drops what still
 * moves; a view of the board that is shown already lets it run on.
 * @param {HTMLElement[]} cells
 * @param {(move: Step, view: GameView) => Motion | null} play
 * @returns {(view: GameView, moving: boolean) => Step | null}
 */
export function stones(cells, play) {
  const none = ".".repeat(cells.length);
  let shown = none;
  let drop = () => {};
  return (view, moving) => {
    const text = String(view.state?.cells ?? none);
    if (moving && text === shown) return null;
    const made = moving && view.last ? step(shown, text, view.last.side) : null;
    drop();
    cells.forEach((node, i) => mark(node, "data-side", text[i] === "." ? "" : text[i]));
    shown = text;
    const motion = made && play(made, view);
    if (!motion) return null;
    drop = until(motion.animations, motion.ms);
    return made;
  };
}

/**
 * Sets an attribute, or takes it off (null), only when that is a change.
 * @param {Element} node
 * @param {string} name
 * @param {string | null} value
 */
export function mark(node, name, value) {
  if (node.getAttribute(name) === value) return;
  if (value === null) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

/**
 * What a win is where the game counts: ", 42 to 22", the winner's first.
 * @param {import("../wire.js").Result} result
 * @returns {string}
 */
export function tally({ score, winner }) {
  if (!score) return "";
  return `, ${score[winner ?? 0]} to ${score[winner === 1 ? 0 : 1]}`;
}

/**
 * Moves something that stands on the plate to a place counted in its own size, sliding there from where it is seen.
 * @param {HTMLElement} node
 * @param {string} to a CSS transform
 * @param {boolean} slide
 */
export function move(node, to, slide) {
  const from = node.style.transform;
  node.style.transform = to;
  if (slide && from && from !== to) node.animate([{ transform: from }, { transform: to }], { duration: 90, easing: "ease-out" });
}

/**
 * Says no: a short shake about where the element stands.
 * @param {HTMLElement} node
 */
export function shake(node) {
  const rest = node.style.transform;
  const at = [0, -9, 8, -6, 4, 0].map((x) => ({ transform: `${rest} translateX(${x}%)` }));
  node.animate(at, { duration: 320, easing: "ease-in-out" });
}
