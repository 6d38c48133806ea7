// Reversi as the pages show it. What a move traps turns over in a ripple out from it.
import { el, svg } from "../dom.js";
import { COLOURS, disc } from "../stone.js";
import { cell, mark, move, plate, shake, stones, tally } from "./grid.js";
import { calm, keys } from "./buttons.js";

/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("./grid.js").Step} Step */

const SIDE = 8;
const CELLS = SIDE * SIDE;

// In units of the plate.
const PITCH = 52;
const SQUARE = 50;
const EDGE = 14; // from the plate's edge to the first square
const SIZE = 2 * EDGE + (SIDE - 1) * PITCH + SQUARE;

/** @param {number} i @returns {{x: number, y: number}} a square's corner */
const corner = (i) => ({ x: EDGE + (i % SIDE) * PITCH, y: EDGE + Math.floor(i / SIDE) * PITCH });
/** @param {number} a @param {number} b @returns {number} steps of a king between two squares */
const steps = (a, b) => Math.max(Math.abs((a % SIDE) - (b % SIDE)), Math.abs(Math.floor(a / SIDE) - Math.floor(b / SIDE)));

/** @returns {SVGSVGElement} frame and empty squares */
function felt() {
  const round = 5;
  const square = (/** @type {number} */ i) => {
    const { x, y } = corner(i);
    const run = SQUARE - 2 * round;
    return `M${x + round} ${y}h${run}q${round} 0 ${round} ${round}v${run}q0 ${round} ${-round} ${round}h${-run}q${-round} 0 ${-round} ${-round}v${-run}q0 ${-round} ${round} ${-round}z`;
  };
  return svg(
    "svg",
    { class: "felt", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" },
    svg("rect", { class: "wood", width: SIZE, height: SIZE, rx: 13 }),
    svg("rect", { class: "gaps", x: 7.5, y: 7.5, width: SIZE - 15, height: SIZE - 15, rx: 7 }),
    svg("path", { class: "squares", d: Array.from({ length: CELLS }, (_, i) => square(i)).join("") }),
  );
}

const POP_MS = 240;
const RIPPLE_MS = 75; // from one stone to the next one out
const FLIP_MS = 380;

/** @param {Step} made @returns {number} milliseconds until the last stone lies */
function rippleMs(made) {
  const far = made.turned.map((i) => steps(i, made.at));
  return far.length ? POP_MS / 4 + RIPPLE_MS * Math.max(...far) + FLIP_MS : POP_MS;
}

/**
 * All animations of a move last equally long, the early ones holding their end, so that they end in one frame.
 * @param {HTMLElement[]} cells
 * @param {Step} to
 * @returns {Animation[]}
 */
function ripple(cells, to) {
  const duration = rippleMs(to);
  const pop = cells[to.at].animate(
    [
      { transform: "scale(.3)", opacity: 0, easing: "cubic-bezier(.2,.7,.4,1)" },
      { transform: "scale(1.08)", opacity: 1, offset: (0.6 * POP_MS) / duration, easing: "ease-in-out" },
      { transform: "scale(1)", opacity: 1, offset: POP_MS / duration },
      { transform: "scale(1)", opacity: 1 },
    ],
    { duration },
  );
  return [pop, ...to.turned.flatMap((i) => turn(cells[i], (POP_MS / 4 + RIPPLE_MS * steps(i, to.at)) / duration, FLIP_MS / duration, duration))];
}

/**
 * A stone turns over: the face that it had closes to its edge, then the one that it has now opens. At rest the old one
 * is not seen and the new one is whole, so the cell is right before, after, and if the animation is dropped.
 * @param {HTMLElement} node
 * @param {number} start part of the duration
 * @param {number} length part of the duration
 * @param {number} duration milliseconds
 * @returns {Animation[]}
 */
function turn(node, start, length, duration) {
  const [gold, blue] = node.children;
  const [now, old] = node.dataset.side === "0" ? [gold, blue] : [blue, gold];
  const edge = start + length / 2;
  const thin = "scale(0, 1.1)";
  const shut = "cubic-bezier(.5,0,.9,.5)";
  const open = "cubic-bezier(.1,.5,.5,1)";
  return [
    old.animate(
      [
        { transform: "scale(1, 1)", opacity: 1 },
        { transform: "scale(1, 1)", opacity: 1, offset: start, easing: shut },
        { transform: thin, opacity: 1, offset: edge },
        { transform: thin, opacity: 0, offset: edge },
        { transform: thin, opacity: 0 },
      ],
      { duration },
    ),
    now.animate(
      [
        { transform: thin },
        { transform: thin, offset: edge, easing: open },
        { transform: "scale(1, 1)", offset: start + length },
        { transform: "scale(1, 1)" },
      ],
      { duration },
    ),
  ];
}

/**
 * @param {(made: Step) => Animation[]} [also] animations that go with a move's
 * @returns the parts that TV and phone share
 */
function board(also = () => []) {
  const base = plate("reversi", SIZE, SIZE);
  const cells = Array.from({ length: CELLS }, (_, i) => cell(i));
  cells.forEach((node, i) => {
    node.append(svg("svg", { class: "last", viewBox: "-25 -25 50 50", "aria-hidden": "true" }, svg("circle", { class: "ring", r: 22.6 })));
    base.place(node, corner(i).x, corner(i).y, SQUARE, SQUARE);
  });
  base.plate.append(felt(), ...cells);
  const draw = stones(cells, (to, view) => (to.at === view.last?.v ? [...ripple(cells, to), ...also(to)] : []));
  return {
    ...base,
    /**
     * @param {GameView} view
     * @param {boolean} moving
     */
    draw(view, moving) {
      draw(view, moving);
      const last = view.state ? view.last?.v : undefined;
      cells.forEach((node, i) => mark(node, "data-last", i === last ? "" : null));
    },
  };
}

/** @returns {import("./index.js").TvBoard} */
function tvBoard() {
  const dots = Array.from({ length: CELLS }, (_, i) => svg("circle", { class: "dot", cx: corner(i).x + SQUARE / 2, cy: corner(i).y + SQUARE / 2, r: 6 }));
  const layer = svg("svg", { class: "dots", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" }, ...dots);
  // Where one can go next is seen when the stones have turned over.
  const base = board((made) => [layer.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], { duration: rippleMs(made) })]);
  const frame = { x: -SQUARE / 2, y: -SQUARE / 2, width: SQUARE, height: SQUARE, rx: 6 };
  const drawing = svg("svg", { viewBox: "-30 -30 60 60", "aria-hidden": "true" }, svg("rect", { class: "under", ...frame }), svg("rect", { class: "line", ...frame }));
  const cursor = el("div", { class: "cursor", hidden: true }, drawing);
  const box = SQUARE + 10; // the drawing's 60
  base.place(cursor, EDGE - 5, EDGE - 5, box, box);
  base.plate.append(layer, cursor);
  return {
    el: base.el,
    draw(view, before) {
      base.draw(view, before !== null);
      const can = new Set(view.moves);
      dots.forEach((dot, i) => mark(dot, "data-can", can.has(i) ? "" : null));
    },
    point(at, side) {
      const slide = !cursor.hidden;
      cursor.hidden = at === null;
      if (at === null) return;
      mark(cursor, "data-of", side === null ? null : String(side));
      const pitch = (PITCH * 100) / box;
      move(cursor, `translate(${(at % SIDE) * pitch}%, ${Math.floor(at / SIDE) * pitch}%)`, slide);
    },
    shake: () => shake(cursor),
  };
}

/** @param {(v: number) => void} tap @returns {import("./index.js").PadBoard} */
function padBoard(tap) {
  const base = board();
  const squares = keys(reversi.name, CELLS, SIDE, tap);
  const gap = PITCH - SQUARE; // no tap falls between two squares
  squares.nodes.forEach((node, i) => base.place(node, corner(i).x - gap / 2, corner(i).y - gap / 2, PITCH, PITCH));
  base.plate.append(squares.el);
  base.el.classList.add("pad");
  let moving = false;
  return {
    el: base.el,
    draw(view) {
      base.draw(view, moving && !calm());
      moving = true;
      const can = new Set(view.moves);
      squares.draw(view.moves, (i) => {
        const holds = COLOURS[Number(view.state?.cells[i] ?? NaN)] ?? (can.has(i) ? "empty, can be played" : "empty");
        return { name: `row ${Math.floor(i / SIDE) + 1}, column ${(i % SIDE) + 1}, ${holds}` };
      });
    },
    undo: squares.undo,
  };
}

/** @type {import("./index.js").GameModule} */
export const reversi = {
  slug: "reversi",
  name: "Reversi",
  line: "Trap a row, turn it over",
  look: [
    ".reversi .wood { fill: var(--wood-dark); }",
    ".reversi .gaps { fill: var(--felt-dark); }",
    ".reversi .squares { fill: var(--felt); }",
    ".reversi .cell > .last { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; }",
    ".reversi .cell[data-last] > .last { opacity: 1; }",
    ".reversi .dot { fill: var(--felt-dot); opacity: 0; }",
    ".reversi .dot[data-can] { opacity: 1; }",
    ".reversi .key { border-radius: 14%; }",
    ".reversi .key::before, .reversi .key::after { inset: 2%; }",
    ".reversi .key::before { border: 2px solid var(--felt-edge); background: var(--felt-lit); }",
    ".reversi .key[data-can]::before { opacity: 1; }",
    ".reversi .key[data-pressed]::before { background: var(--felt-edge); }",
  ],
  tile,
  yourTurn: "Tap a lit square",
  outOfTime: "Out of time: a stone was placed",
  won: tally,
  count: (view) => view.state?.count ?? null,
  tvBoard,
  padBoard,
  cursorStart(view, was) {
    const from = was === null ? { x: 3.5, y: 3.5 } : { x: was % SIDE, y: Math.floor(was / SIDE) };
    const away = (/** @type {number} */ i) => ((i % SIDE) - from.x) ** 2 + (Math.floor(i / SIDE) - from.y) ** 2;
    const open = view.moves ?? [];
    return open.reduce((best, i) => (away(i) < away(best) ? i : best), open[0] ?? was ?? 27);
  },
  cursorMove(cursor, direction) {
    const column = cursor % SIDE;
    if (direction === "left") return column > 0 ? cursor - 1 : cursor;
    if (direction === "right") return column < SIDE - 1 ? cursor + 1 : cursor;
    if (direction === "up") return cursor >= SIDE ? cursor - SIDE : cursor;
    return cursor + SIDE < CELLS ? cursor + SIDE : cursor;
  },
};

/** @returns {SVGElement} a board in the middle of a game, for the menu */
function tile() {
  const text = "........|..1.....|..111.0.|..10000.|..1110..|...01...|..0.....|........".replaceAll("|", "");
  const discs = [...text].flatMap((side, i) => (side === "." ? [] : [disc(side === "0" ? 0 : 1, corner(i).x + SQUARE / 2, corner(i).y + SQUARE / 2)]));
  return svg("svg", { class: "reversi", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" }, felt(), ...discs);
}
