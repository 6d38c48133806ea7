// Draws the two stones: gold with a ring (side 0), blue with a dot (side 1). The colours are in css/boards.css.
import { svg } from "./dom.js";

/** @typedef {import("./wire.js").Side} Side */

/** The names of the colours for a screen reader, by side. */
export const COLOURS = /** @type {const} */ (["gold", "blue"]);

/** Radius of a disc in its own units, in which a stone's box is 48 wide. */
export const RADIUS = 22;

/**
 * Draws a stone that fills its box, beside a name or on a board.
 * @param {Side} side
 * @returns {SVGSVGElement}
 */
export function stone(side) {
  return svg("svg", { class: `stone ${COLOURS[side]}`, viewBox: "-24 -24 48 48", "aria-hidden": "true" }, disc(side));
}

/**
 * Draws both stones, gold above blue, for a cell that shows one of them. Moving the drawing shows the other without painting.
 * @returns {SVGSVGElement}
 */
export function faces() {
  return svg("svg", { class: "faces", viewBox: "-24 -24 48 96", "aria-hidden": "true" }, disc(0), disc(1, 0, 48));
}

/**
 * Draws a stone within a larger drawing, with its centre at (x, y).
 * @param {Side} side
 * @param {number} [x]
 * @param {number} [y]
 * @param {number} [radius]
 * @returns {SVGGElement}
 */
export function disc(side, x = 0, y = 0, radius = RADIUS) {
  const mark =
    side === 0 ? svg("circle", { class: "mark", cy: -1, r: 10.5 }) : svg("circle", { class: "mark", cy: -1, r: 5.6 });
  return svg(
    "g",
    { class: `disc ${COLOURS[side]}`, transform: `translate(${x} ${y}) scale(${radius / RADIUS})` },
    svg("circle", { class: "rim", r: RADIUS }),
    svg("circle", { class: "face", cy: -0.8, r: 20.6 }),
    svg("path", { class: "shine", d: "M-15.6-7.4A17 17 0 0 1-1.2-18" }),
    mark,
  );
}
