// The parts that boards share: a plate on which nodes are placed in the board's own units, wood, and the remote's cursor. Boards
// of squares also share cells with stones, and the search for the one move between two boards.
//
// Stones are HTML boxes over a drawn board, because the compositor moves only those. A transform inside an SVG is repainted in
// every frame. Each cell always contains both faces, so that a stone that appears, vanishes or turns over
// needs no layout, and a cell at rest always shows its final state, whatever happens to its animation.
import { el, faces, setAttribute, svg } from "../dom.js";

/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../wire.js").GameView<{cells: string}>} GameView a view of a board of squares */
/** @typedef {{at: number, turned: number[]}} Step one move: the cell of its stone, and the cells of the stones that it turned over */
/** @typedef {import("./index.js").Motion} Motion */
/** @typedef {(node: HTMLElement | SVGElement, x: number, y: number, width: number, height: number) => void} PlaceNode places a node on the plate, in the plate's units */

/**
 * Makes an element that fills its box, with the plate in its middle, as large as its proportions allow.
 * @param {string} name the class of the game's styles: its slug
 * @param {number} width in units
 * @param {number} height in units
 * @returns {{el: HTMLElement, plate: HTMLElement, place: PlaceNode}}
 */
export function plate(name, width, height) {
  const inner = el("div", { class: "plate" });
  const outer = el("div", { class: `board ${name}` }, inner);
  // Called in the frame of the change, before it is painted.
  new ResizeObserver(([entry]) => {
    const box = entry?.contentRect;
    outer.style.setProperty("--across", `${box?.width ?? 0}px`);
    outer.style.setProperty("--down", `${box?.height ?? 0}px`);
  }).observe(outer);
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
 * Makes an empty cell.
 * @param {number} index its index in the board's text
 * @returns {HTMLElement}
 */
export function cell(index) {
  return el("div", { class: "cell", "data-cell": index, "data-side": "" }, faces());
}

/**
 * Returns the move of `side` that leads from one board to another, or null if they are not exactly one move apart.
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

/** Duration of a one-time animation in milliseconds, far longer than it moves. See {@link until}. */
export const LASTING_MS = 5000;
/** A motion without any movement. @type {Motion} */
export const STILL = { animations: [], ms: 0, cues: [] };
/** Milliseconds by which a slow box may start an animation late. */
const LATE_MS = 100;

/**
 * Cancels animations of LASTING_MS when they no longer move, all in one frame. To let them end costs more, because a browser's main
 * thread works for several frames before an animation ends.
 * @param {Animation[]} animations
 * @param {number} ms milliseconds for which they move
 * @returns {() => void} cancels them at once
 */
export function until(animations, ms) {
  const drop = () => {
    clearTimeout(timer);
    for (const animation of animations) animation.cancel();
  };
  const timer = setTimeout(drop, ms + LATE_MS);
  return drop;
}

/**
 * Returns a function that draws a view's cells. With `moving` it animates the one move that led to the view, and returns the motion. For
 * any other change it cancels running animations, and returns `STILL`. For a view with the same board it lets them continue, and
 * returns null.
 * @param {HTMLElement[]} cells
 * @param {(move: Step, view: GameView) => Motion | null} play
 * @returns {(view: GameView, moving: boolean) => Motion | null}
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
    cells.forEach((node, i) => setAttribute(node, "data-side", text[i] === "." ? "" : text[i]));
    shown = text;
    const motion = (made && play(made, view)) || STILL;
    drop = until(motion.animations, motion.ms);
    return motion;
  };
}

/**
 * Returns the nearest legal move, or `other` if no move is legal.
 * @param {{moves: number[] | null}} view
 * @param {(v: number) => number} away returns the distance of a move
 * @param {number} other
 */
export function nearest({ moves }, away, other) {
  return (moves ?? []).reduce((best, v) => (away(v) < away(best) ? v : best), moves?.[0] ?? other);
}

/**
 * Returns the move to which an arrow leads on a board of any shape: the nearest spot within 45° of its direction, or `cursor` if there
 * is none.
 * @param {{x: number, y: number}[]} spots the position of each move on the board
 * @param {number} cursor
 * @param {import("./index.js").Direction} direction
 * @returns {number}
 */
export function moveToward(spots, cursor, direction) {
  const sign = direction === "left" || direction === "up" ? -1 : 1;
  const upright = direction === "up" || direction === "down";
  const from = spots[cursor];
  let [best, least] = [cursor, Infinity];
  spots.forEach(({ x, y }, v) => {
    const along = sign * (upright ? y - from.y : x - from.x);
    const aside = Math.abs(upright ? x - from.x : y - from.y);
    const distance = Math.hypot(along, aside);
    if (along > 0 && aside <= along && distance < least) [best, least] = [v, distance];
  });
  return best;
}

let pieces = 0;

/**
 * Draws a wooden board with grain and round corners, and with holes along the path `cut`.
 * @param {number} width
 * @param {number} height
 * @param {number} round
 * @param {string} [cut]
 * @returns {SVGElement[]}
 */
export function wood(width, height, round, cut = "") {
  const id = `wood-${++pieces}`; // unique, because the definitions of one board vanish with it, and a page may have several boards
  const [w, h, r] = [width, height, round];
  const outline = `M${r} 0H${w - r}A${r} ${r} 0 0 1 ${w} ${r}V${h - r}A${r} ${r} 0 0 1 ${w - r} ${h}H${r}A${r} ${r} 0 0 1 0 ${h - r}V${r}A${r} ${r} 0 0 1 ${r} 0z`;
  const grain = [9, 68, 96, 168, 232, 252, 318, 330, 377].map((part, i) => {
    const y = (part * h) / 386;
    const bend = (i % 2 ? -1 : 1) * (5 + ((i * 7) % 9));
    return `M0 ${y}C${(0.27 + i * 0.02) * w} ${y - bend} ${(0.47 + i * 0.025) * w} ${y + 1.4 * bend} ${w} ${y - 0.4 * bend}`;
  });
  return [
    svg(
      "linearGradient",
      { id: `${id}-grown`, x2: 0, y2: 1 },
      svg("stop", { class: "light" }),
      svg("stop", { class: "dark", offset: 1 }),
    ),
    svg("clipPath", { id: `${id}-cut` }, svg("path", { "clip-rule": "evenodd", d: outline + cut })),
    svg(
      "g",
      { "clip-path": `url(#${id}-cut)` },
      svg("rect", { width, height, fill: `url(#${id}-grown)` }),
      svg("path", { class: "grain", d: grain.join("") }),
    ),
  ];
}

/**
 * Draws a frame for the remote's cursor, 5 units wider on each side.
 * @param {number} width
 * @param {number} height
 * @param {number} rx
 */
export function frame(width, height, rx) {
  const rect = { x: 5, y: 5, width, height, rx };
  return el(
    "div",
    { class: "cursor" },
    svg(
      "svg",
      { viewBox: `0 0 ${width + 10} ${height + 10}`, "aria-hidden": "true" },
      svg("rect", { class: "under", ...rect }),
      svg("rect", { class: "line", ...rect }),
    ),
  );
}

/**
 * Makes the remote's cursor out of a node that slides over the plate.
 * @param {ReturnType<typeof plate>} base
 * @param {HTMLElement} node
 * @param {number} width
 * @param {number} height
 */
export function pointer(base, node, width, height) {
  base.place(node, 0, 0, width, height);
  base.plate.append(node);
  node.hidden = true;
  return {
    /** @param {{x: number, y: number} | null} to its corner, or null to hide it @param {Side | null} side */
    point(to, side) {
      const from = node.hidden ? "" : node.style.transform;
      setAttribute(node, "hidden", to ? null : "");
      if (!to) return;
      setAttribute(node, "data-of", side === null ? null : String(side));
      const there = `translate(${(to.x / width) * 100}%, ${(to.y / height) * 100}%)`;
      node.style.transform = there;
      if (from && from !== there)
        node.animate([{ transform: from }, { transform: there }], { duration: 90, easing: "ease-out" });
    },
    /** Shakes the cursor briefly, as a refusal. */
    shake() {
      const rest = node.style.transform;
      const at = [0, -9, 8, -6, 4, 0].map((x) => ({ transform: `${rest} translateX(${x}%)` }));
      node.animate(at, { duration: 320, easing: "ease-in-out" });
    },
  };
}
