// Draws Four in a Row. The stones are behind a wooden frame with holes.
import { RADIUS, disc, el, replaceChildren, setAttribute, stone, svg } from "../dom.js";
import { counted, fill, inLanguage, list, padWords } from "../language.js";
import { cell, LASTING_MS, nearest, plate, pointer, stones, until, wood } from "./grid.js";
import { moveButtons, neighbour, prefersReducedMotion } from "./buttons.js";
import { words } from "./lang/four.js";

/** @typedef {{cells: string}} State row by row from the top left: `.`, `0` or `1` */
/** @typedef {import("../wire.js").GameView<State>} GameView */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("./grid.js").Step} Step */

const COLUMNS = 7;
const ROWS = 6;
const CELLS = COLUMNS * ROWS;

// In units of the plate, which is the wooden frame. Above it there is space for the hovering stone.
const PITCH = 60;
const FIRST = 43; // from the frame's edge to the middle of the first hole
const WIDTH = 2 * FIRST + (COLUMNS - 1) * PITCH;
const HEIGHT = 2 * FIRST + (ROWS - 1) * PITCH;
const HOLE = 24.4;
const BOX = 50; // the size of a stone
const ROOM = 50;
const HOVER = -26; // the middle of the hovering stone

/** @param {number} i */
const middle = (i) => ({ x: FIRST + (i % COLUMNS) * PITCH, y: FIRST + Math.floor(i / COLUMNS) * PITCH });

/**
 * Draws the wooden frame. The stones are visible through its holes.
 * @returns {SVGSVGElement}
 */
function frame() {
  const holes = Array.from({ length: CELLS }, (_, i) => middle(i));
  const cut = holes
    .map(({ x, y }) => `M${x - HOLE} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0z`)
    .join("");
  return svg(
    "svg",
    { class: "frame", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    ...wood(WIDTH, HEIGHT, 19, cut),
    ...holes.map(({ x, y }) => svg("circle", { class: "rim", cx: x, cy: y, r: HOLE + 1.3 })),
  );
}

/** Returns the milliseconds of a fall to a row, proportional to the square root of the distance. @param {number} row */
const fallMs = (row) => 170 * Math.sqrt(row + 1.15);
const BOUNCE_MS = 260;
/** @param {Step} made @returns {number} milliseconds until its stone is at rest */
const dropMs = (made) => fallMs(Math.floor(made.at / COLUMNS)) + BOUNCE_MS;

/**
 * Animates a stone that falls behind the frame and bounces.
 * @param {HTMLElement} node
 * @param {number} at
 * @returns {Animation}
 */
function drop(node, at) {
  const { y } = middle(at);
  const row = Math.floor(at / COLUMNS);
  const landed = fallMs(row);
  const hop = 5 + row * 1.6; // in hundredths of the stone, higher after a longer fall
  /** @type {(y: number, ms: number, easing?: string) => Keyframe} */
  const key = (to, ms, easing = "linear") => ({ transform: `translateY(${to}%)`, offset: ms / LASTING_MS, easing });
  const up = "cubic-bezier(.2,.6,.5,1)";
  const down = "cubic-bezier(.5,0,.8,.4)";
  return node.animate(
    [
      key((-(y - HOVER) / BOX) * 100, 0, "cubic-bezier(.45,.05,.85,.6)"),
      key(0, landed, up),
      key(-hop, landed + BOUNCE_MS * 0.3, down),
      key(0, landed + BOUNCE_MS * 0.6, up),
      key(-hop * 0.3, landed + BOUNCE_MS * 0.8, down),
      key(0, landed + BOUNCE_MS),
      key(0, LASTING_MS),
    ],
    LASTING_MS,
  );
}

/**
 * Makes the frame with the stones behind it and the rings in front of it.
 * @returns the parts that TV and phone share
 */
function board() {
  const base = plate("four", WIDTH, HEIGHT);
  const cells = Array.from({ length: CELLS }, (_, i) => cell(i));
  cells.forEach((node, i) => base.place(node, middle(i).x - BOX / 2, middle(i).y - BOX / 2, BOX, BOX));
  const rings = el("div", { class: "rings" });
  base.plate.append(el("div", { class: "back" }), ...cells, frame(), rings);
  const draw = stones(cells, (to, view) =>
    to.turned.length || to.at % COLUMNS !== view.last?.v
      ? null
      : {
          animations: [drop(cells[to.at], to.at)],
          ms: dropMs(to),
          cues: [{ sound: "knock", ms: fallMs(Math.floor(to.at / COLUMNS)) }],
        },
  );
  const ring = createRings(rings, base.place);
  return {
    ...base,
    /**
     * @param {GameView} view
     * @param {boolean} moving
     * @param {boolean} tv whether to ring only the winning stones, and let them beat
     */
    draw(view, moving, tv) {
      const motion = draw(view, moving);
      const last = lastCell(view);
      const won = winning(view);
      cells.forEach((node, i) => {
        setAttribute(node, "data-last", i === last ? "" : null);
        setAttribute(node, "data-win", won.includes(i) ? "" : null);
      });
      ring(won.length || tv || last < 0 ? won : [last], view, motion?.ms ?? 0, tv);
      return motion;
    },
  };
}

/**
 * Returns a function that draws rings around stones in front of the frame, as soon as the stone of the move has landed.
 * @param {HTMLElement} layer
 * @param {import("./grid.js").PlaceNode} place
 * @returns {(at: number[], view: GameView, ms: number, beating: boolean) => void} `ms` is the time until it has landed, 0 if it has
 */
function createRings(layer, place) {
  let shown = "";
  let stop = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return (at, view, ms, beating) => {
    const sides = at.map((i) => (view.state?.cells[i] === "0" ? 0 : 1));
    const key = at.map((i, n) => `${i}:${sides[n]}`).join();
    if (key === shown) return;
    shown = key;
    clearTimeout(timer);
    stop();
    // Endless animations are cancelled, because they would keep their stones in memory.
    replaceChildren(layer);
    const show = () => {
      const nodes = at.map((i, n) => {
        const node = svg(
          "svg",
          { class: "ringed", viewBox: "-30 -30 60 60" },
          disc(sides[n], 0, 0, (RADIUS * BOX) / 48),
          svg("circle", { class: "ring", r: 26.4 }),
        );
        place(node, middle(i).x - PITCH / 2, middle(i).y - PITCH / 2, PITCH, PITCH);
        return node;
      });
      layer.append(...nodes);
      if (ms)
        stop = until(
          [layer.animate([{ opacity: 0 }, { opacity: 1, offset: RING_MS / LASTING_MS }, { opacity: 1 }], LASTING_MS)],
          RING_MS,
        );
      if (beating) nodes.forEach(beat);
    };
    if (ms) timer = setTimeout(show, ms);
    else show();
  };
}

const RING_MS = 60;
const BEAT_MS = 1300;
const BEAT_LAG_MS = 90; // from the beat of one stone of the line to that of the next

/**
 * Animates a stone that beats without end. Each stone beats a little after the one before. The animation starts at the still end of a
 * beat instead of after a delay, because a browser's main thread works for several frames before a delay ends.
 * @param {SVGElement} node
 * @param {number} nth
 */
function beat(node, nth) {
  const rest = { transform: "scale(1)" };
  const high = { transform: "scale(1.13)", offset: 0.2, easing: "ease-in-out" };
  const lag = Math.min((nth * BEAT_LAG_MS) / BEAT_MS, 0.5);
  node.animate([{ ...rest, easing: "ease-out" }, high, { ...rest, offset: 0.5 }, rest], {
    duration: BEAT_MS,
    iterationStart: 1 - lag,
    iterations: Infinity,
  });
}

/** @param {GameView} view @returns {number[]} the winning cells, while the result is shown */
const winning = (view) => (view.phase === "result" || view.phase === "rematch" ? (view.result?.line ?? []) : []);

/** @param {GameView} view @returns {number} the cell of the stone dropped last, or -1 if there is none */
function lastCell(view) {
  if (!view.last || !view.state) return -1;
  for (let i = view.last.v; i < CELLS; i += COLUMNS) if (view.state.cells[i] !== ".") return i;
  return -1;
}

/** @returns {import("./index.js").TvBoard<State>} */
function tvBoard() {
  const base = board();
  const hover = pointer(base, el("div", { class: "hover" }, stone(0), stone(1)), BOX, BOX);
  // Space for the hovering stone. It is there even without one, so that the board does not move.
  base.el.style.setProperty("--room", String(ROOM));
  return {
    el: base.el,
    draw(view, before) {
      return base.draw(view, before !== null, true);
    },
    point: (at, side) =>
      hover.point(at === null ? null : { x: FIRST + at * PITCH - BOX / 2, y: HOVER - BOX / 2 }, side),
    shake: hover.shake,
  };
}

/** @param {(v: number) => void} tap @returns {import("./index.js").PadBoard<State>} */
function padBoard(tap) {
  const base = board();
  const columns = moveButtons(inLanguage(words).name, COLUMNS, (v, to) => neighbour(v, to, COLUMNS, COLUMNS), tap);
  columns.nodes.forEach((node, v) => base.place(node, FIRST + (v - 0.5) * PITCH, 0, PITCH, HEIGHT));
  base.plate.append(columns.el);
  base.el.classList.add("pad");
  let moving = false;
  return {
    el: base.el,
    draw(view) {
      base.draw(view, moving && !prefersReducedMotion(), false);
      moving = true;
      const text = String(view.state?.cells ?? "");
      const say = inLanguage(words);
      columns.draw(view.moves, (v) => {
        const held = [...text].filter((side, i) => side !== "." && i % COLUMNS === v);
        const full = held.length === ROWS ? `, ${say.full}` : "";
        const stack = held.reverse().map((side) => padWords.colours[Number(side)]);
        return {
          name: `${fill(say.column, { n: v + 1 })}, ${counted(say.stones, held.length)}${full}`,
          more: stack.length ? fill(say.stack, { list: list(stack) }) : "",
        };
      });
    },
    undo: columns.undo,
  };
}

/** The directions of a line, in steps of columns and rows. */
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
];

/**
 * Returns the lengths of the lines in a set of cells.
 * @param {number[]} cells
 * @returns {number[]}
 */
export function lines(cells) {
  const set = new Set(cells);
  /** @type {(i: number, dx: number, dy: number) => boolean} */
  const holds = (i, dx, dy) =>
    (i % COLUMNS) + dx >= 0 && (i % COLUMNS) + dx < COLUMNS && set.has(i + dx + dy * COLUMNS);
  return DIRECTIONS.flatMap(([dx, dy]) => {
    const starts = cells.filter((i) => !holds(i, -dx, -dy));
    const lengths = starts.map((start) => {
      let length = 1;
      for (let i = start; holds(i, dx, dy); i += dx + dy * COLUMNS) length++;
      return length;
    });
    return lengths.filter((length) => length >= 4);
  });
}

/** @type {import("./index.js").GameModule<State>} */
export const four = {
  slug: "four",
  words,
  styles: [
    ".four .back { inset: 1%; border-radius: 4%; background: var(--hole); fill: var(--hole); }",
    ".four .frame .rim { fill: none; stroke: var(--wood-shade); stroke-width: 3; }",
    ".four .cell { will-change: transform; }", // the cell falls together with its stones
    ".four .faces { will-change: auto; }",
    ".four .rings { will-change: opacity; }",
    ".four .ringed { position: absolute; overflow: visible; }",
    ".four.pad .plate { overflow: hidden; border-radius: 4.3% / 5%; }", // a stone appears from behind the board's upper edge, not over the text above
    ".four .key { top: 0; bottom: 0; border-radius: 20px / 20px; }",
    ".four .key[data-pressed]::before { opacity: 0.3; }",
    "@media (hover: hover) { .four .key[data-can]:hover:not([data-pressed])::before { opacity: 0.1; } }",
  ],
  tile,
  winText(result) {
    const found = lines(result.line);
    const { row, rows } = inLanguage(words);
    if (found.length > 1) return rows[found.length - 2] ?? rows[1];
    return found[0] ? fill(row, { n: found[0] }) : "";
  },
  count: () => null,
  tvBoard,
  padBoard,
  initialCursor(view, previous) {
    const from = previous ?? (COLUMNS - 1) / 2;
    return nearest(view, (v) => Math.abs(v - from), from);
  },
  cursorMove: (cursor, direction) => neighbour(cursor, direction, COLUMNS, COLUMNS) ?? cursor,
};

/** @returns {SVGElement} a board in the middle of a game, for the menu */
function tile() {
  const text = ".......|...0...|..01...|.010...|0110..1|0110101".replaceAll("|", "");
  const discs = [...text].flatMap((side, i) =>
    side === "." ? [] : [svg("g", { "data-piece": "" }, disc(side === "0" ? 0 : 1, middle(i).x, middle(i).y, 23))],
  );
  return svg(
    "svg",
    { class: "four", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    svg("rect", { class: "back", x: 2, y: 2, width: WIDTH - 4, height: HEIGHT - 4, rx: 18 }),
    ...discs.reverse(), // the lowest row was played first
    frame(),
  );
}
