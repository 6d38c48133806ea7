// Makes a board's buttons on a phone, for thumb, arrow keys and screen reader. Each button makes one move.
import { el, setAttribute } from "../dom.js";

/** Milliseconds after which a finger that is lifted without a click (a long press) releases its button. */
const LET_GO_MS = 150;

/** @typedef {{name: string, more?: string}} Name a button's name, and what a screen reader adds to it */
/** @typedef {{el: HTMLElement, nodes: HTMLButtonElement[], draw: (moves: number[] | null, names: (v: number) => Name) => void, undo: () => void}} MoveButtons */

/** @returns {boolean} whether the phone is set to less motion. Boards then fade instead of moving */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Makes buttons for moves 0..count. A press calls `tap`. Further presses are ignored until `draw` or `undo`.
 * @param {string} name the board's name
 * @param {number} count
 * @param {(from: number, direction: import("./index.js").Direction) => number | null} arrow returns the button that an arrow
 *   key leads to, or the same one or null at the edge
 * @param {(v: number) => void} tap
 * @returns {MoveButtons}
 */
export function moveButtons(name, count, arrow, tap) {
  const nodes = Array.from({ length: count }, (_, v) =>
    el("button", { type: "button", class: "key", "data-move": v, tabindex: -1, "aria-disabled": "true" }),
  );
  const group = el("div", { class: "keys", role: "group", "aria-label": name }, ...nodes);
  /** @type {Set<number>} */
  let playable = new Set();
  /** @type {number | null} */
  let sent = null;

  const release = () => nodes.forEach((node) => setAttribute(node, "data-pressed", null));
  /** @param {Event} event */
  const pressed = (event) => nodes.findIndex((node) => event.target instanceof Node && node.contains(event.target));
  /** @param {number} v */
  const stop = (v) => nodes.forEach((node, i) => setAttribute(node, "tabindex", i === v ? "0" : "-1"));

  // The button changes its look at once, but the move is sent only on the click. Keyboards and screen readers send a click too,
  // and there is none if the finger slides off or scrolls.
  group.addEventListener("pointerdown", (event) => {
    const v = pressed(event);
    if (sent !== null || !event.isPrimary || event.button !== 0) return;
    release();
    if (playable.has(v)) setAttribute(nodes[v], "data-pressed", "");
  });
  const letGo = () => sent === null && release();
  group.addEventListener("pointercancel", letGo);
  group.addEventListener("pointerup", () => setTimeout(letGo, LET_GO_MS));

  group.addEventListener("click", (event) => {
    const v = pressed(event);
    if (v < 0 || sent !== null) return;
    if (playable.has(v)) {
      setAttribute(nodes[v], "data-pressed", "");
      sent = v;
      tap(v);
    } else refuse(nodes[v]);
  });

  group.addEventListener("focusin", (event) => pressed(event) >= 0 && stop(pressed(event)));
  group.addEventListener("keydown", (event) => {
    const direction = ARROWS.get(event.key);
    const from = pressed(event);
    const to = direction ? arrow(from, direction) : null;
    if (to === null || to === from) return;
    event.preventDefault();
    nodes[to].focus();
  });

  return {
    el: group,
    nodes,
    draw(moves, names) {
      playable = new Set(moves ?? []);
      sent = null;
      release();
      nodes.forEach((node, v) => {
        setAttribute(node, "data-can", playable.has(v) ? "" : null);
        setAttribute(node, "aria-disabled", playable.has(v) ? null : "true");
        const called = names(v);
        setAttribute(node, "aria-label", called.name);
        setAttribute(node, "aria-description", called.more || null);
      });
      const held = nodes.findIndex((node) => node.tabIndex === 0);
      const entered = group.contains(document.activeElement);
      if (held < 0 || (!entered && moves?.length && !playable.has(held))) stop(moves?.[moves.length >> 1] ?? 0);
    },
    undo() {
      if (sent === null) return;
      const node = nodes[sent];
      sent = null;
      release();
      refuse(node);
    },
  };
}

/** @type {ReadonlyMap<string, import("./index.js").Direction>} */
const ARROWS = new Map([
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
]);

/**
 * Returns the place to which an arrow key leads on a board of rows, or null at the edge. Places are counted row by row.
 * @param {number} from
 * @param {import("./index.js").Direction} direction
 * @param {number} across
 * @param {number} count
 * @returns {number | null}
 */
export function neighbour(from, direction, across, count) {
  const column = from % across;
  if (direction === "left") return column > 0 ? from - 1 : null;
  if (direction === "right") return column < across - 1 ? from + 1 : null;
  if (direction === "up") return from >= across ? from - across : null;
  if (direction === "down") return from + across < count ? from + across : null;
  return null;
}

/** @param {HTMLButtonElement} node */
function refuse(node) {
  node.animate([{ opacity: 0 }, { opacity: 0.45, offset: 0.2 }, { opacity: 0 }], {
    duration: 350,
    pseudoElement: "::after",
  });
  if (prefersReducedMotion()) return;
  node.animate(
    [0, -4, 4, -3, 2, 0].map((x) => ({ transform: `translateX(${x}px)` })),
    { duration: 300, easing: "ease-in-out" },
  );
}
