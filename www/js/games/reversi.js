// Draws Reversi. Trapped stones turn over in a ripple that starts at the new stone.
import { disc, setAttribute, svg } from "../dom.js";
import { fill, inLanguage, padWords } from "../language.js";
import { cell, frame, LASTING_MS, nearest, plate, pointer, stones } from "./grid.js";
import { moveButtons, neighbour, prefersReducedMotion } from "./buttons.js";
import { words } from "./lang/reversi.js";

/** @typedef {{cells: string, count: [number, number]}} State row by row from the top left: `.`, `0` or `1`, and the number of stones by side */
/** @typedef {import("../wire.js").GameView<State>} GameView */
/** @typedef {import("../wire.js").Side} Side */
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
const steps = (a, b) =>
  Math.max(Math.abs((a % SIDE) - (b % SIDE)), Math.abs(Math.floor(a / SIDE) - Math.floor(b / SIDE)));

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
const RIPPLE_MS = 75; // from one ring of stones to the next
const FLIP_MS = 380;
const KNOCK_MS = 110; // the duration of the sound of the new stone

/** @param {Step} made @returns {number} milliseconds until the last stone is at rest */
function rippleMs(made) {
  const far = made.turned.map((i) => steps(i, made.at));
  return far.length ? POP_MS / 4 + RIPPLE_MS * Math.max(...far) + FLIP_MS : POP_MS;
}

/** @param {Step} made @returns {import("./index.js").Cue[]} the sound of the stone, then that of the stones that turn over */
function cues(made) {
  const ms = 0.6 * POP_MS;
  const turned = ms + KNOCK_MS;
  return [
    { sound: "knock", ms },
    ...(made.turned.length
      ? [{ sound: /** @type {const} */ ("rustle"), ms: turned, length: rippleMs(made) - turned }]
      : []),
  ];
}

/** @param {number} i @returns {string} the CSS transform from the first square to this one */
const spot = (i) =>
  `translate(${((i % SIDE) * PITCH * 100) / SQUARE}%, ${(Math.floor(i / SIDE) * PITCH * 100) / SQUARE}%)`;

/** @param {HTMLElement} node a cell @returns {Element} its two stones */
const faces = (node) => /** @type {Element} */ (node.firstElementChild);
/** @param {Side} side @param {number | string} size @returns {string} the CSS transform that shows this one of a cell's two stones, around its middle (css/boards.css) */
const face = (side, size) => `scale(${size}) translateY(${-50 * side}%)`;

/**
 * Animates a new node that grows slightly beyond its size and back.
 * @param {Element} node
 * @param {(size: number) => string} sized its CSS transform at a size
 * @returns {Animation}
 */
function pop(node, sized) {
  const key = (/** @type {number} */ size, /** @type {number} */ opacity, /** @type {number} */ ms) => ({
    transform: sized(size),
    opacity,
    offset: ms / LASTING_MS,
  });
  return node.animate(
    [
      { ...key(0.3, 0, 0), easing: "cubic-bezier(.2,.7,.4,1)" },
      { ...key(1.08, 1, 0.6 * POP_MS), easing: "ease-in-out" },
      key(1, 1, POP_MS),
      key(1, 1, LASTING_MS),
    ],
    LASTING_MS,
  );
}

/**
 * Animates a new stone, and the trapped stones that turn over in a ripple around it.
 * @param {HTMLElement[]} cells
 * @param {Step} to
 * @returns {Animation[]}
 */
function ripple(cells, to) {
  const side = cells[to.at].dataset.side === "0" ? 0 : 1;
  const stone = pop(faces(cells[to.at]), (size) => face(side, size));
  return [stone, ...to.turned.map((i) => turn(faces(cells[i]), side, POP_MS / 4 + RIPPLE_MS * steps(i, to.at)))];
}

/** Parsed keyframes by side and start, because parsing them takes most of the time to start an animation. @type {Map<string, KeyframeEffect>} */
const turns = new Map();

/**
 * Animates a stone that turns over: the old face narrows to its edge, then the new one widens. The cell itself shows the new face, so it
 * is right after the animation, even if that is cancelled.
 * @param {Element} node
 * @param {Side} side the new face
 * @param {number} start milliseconds
 * @returns {Animation}
 */
function turn(node, side, start) {
  const key = `${side} ${start}`;
  let read = turns.get(key);
  if (!read) turns.set(key, (read = new KeyframeEffect(null, turning(side, start), LASTING_MS)));
  const effect = new KeyframeEffect(read);
  effect.target = node;
  const animation = new Animation(effect);
  animation.play();
  return animation;
}

/**
 * @param {Side} side
 * @param {number} start milliseconds
 * @returns {Keyframe[]}
 */
function turning(side, start) {
  const old = side === 0 ? 1 : 0;
  const thin = "0, 1.1";
  const edge = (start + FLIP_MS / 2) / LASTING_MS;
  return [
    { transform: face(old, 1) },
    { transform: face(old, 1), offset: start / LASTING_MS, easing: "cubic-bezier(.5,0,.9,.5)" },
    { transform: face(old, thin), offset: edge },
    { transform: face(side, thin), offset: edge, easing: "cubic-bezier(.1,.5,.5,1)" },
    { transform: face(side, 1), offset: (start + FLIP_MS) / LASTING_MS },
    { transform: face(side, 1) },
  ];
}

/**
 * @param {(made: Step) => Animation[]} [also] further animations of a move
 * @returns the parts that TV and phone share
 */
function board(also = () => []) {
  const base = plate("reversi", SIZE, SIZE);
  const cells = Array.from({ length: CELLS }, (_, i) => cell(i));
  cells.forEach((node, i) => base.place(node, corner(i).x, corner(i).y, SQUARE, SQUARE));
  const last = svg(
    "svg",
    { class: "last", viewBox: "-25 -25 50 50", "aria-hidden": "true" },
    svg("circle", { class: "ring", r: 22.6 }),
  );
  base.place(last, EDGE, EDGE, SQUARE, SQUARE);
  base.plate.append(felt(), ...cells, last);
  const draw = stones(cells, (to, view) =>
    to.at === view.last?.v
      ? {
          animations: [pop(last, (size) => `${spot(to.at)} scale(${size})`), ...ripple(cells, to), ...also(to)],
          ms: rippleMs(to),
          cues: cues(to),
        }
      : null,
  );
  return {
    ...base,
    /**
     * @param {GameView} view
     * @param {boolean} moving
     */
    draw(view, moving) {
      const newest = view.state ? view.last?.v : undefined;
      last.style.opacity = newest === undefined ? "0" : "1";
      if (newest !== undefined) last.style.transform = spot(newest);
      return draw(view, moving);
    },
  };
}

/** @returns {import("./index.js").TvBoard<State>} */
function tvBoard() {
  const dots = Array.from({ length: CELLS }, (_, i) =>
    svg("circle", { class: "dot", cx: corner(i).x + SQUARE / 2, cy: corner(i).y + SQUARE / 2, r: 6 }),
  );
  const layer = svg("svg", { class: "hints", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" }, ...dots);
  // The next legal moves are shown when the stones have turned over.
  const base = board((made) => [
    layer.animate(
      [
        { opacity: 0 },
        { opacity: 0, offset: (0.8 * rippleMs(made)) / LASTING_MS },
        { opacity: 1, offset: rippleMs(made) / LASTING_MS },
        { opacity: 1 },
      ],
      LASTING_MS,
    ),
  ]);
  base.plate.append(layer);
  const remote = pointer(base, frame(SQUARE, SQUARE, 6), SQUARE + 10, SQUARE + 10);
  return {
    el: base.el,
    draw(view, before) {
      const can = new Set(view.moves);
      dots.forEach((dot, i) => setAttribute(dot, "data-can", can.has(i) ? "" : null));
      return base.draw(view, before !== null);
    },
    point: (i, side) => remote.point(i === null ? null : { x: corner(i).x - 5, y: corner(i).y - 5 }, side),
    shake: remote.shake,
  };
}

/** @param {(v: number) => void} tap @returns {import("./index.js").PadBoard<State>} */
function padBoard(tap) {
  const base = board();
  const squares = moveButtons(inLanguage(words).name, CELLS, (i, to) => neighbour(i, to, SIDE, CELLS), tap);
  const gap = PITCH - SQUARE; // the buttons include it, so that no tap misses both of two squares
  squares.nodes.forEach((node, i) => base.place(node, corner(i).x - gap / 2, corner(i).y - gap / 2, PITCH, PITCH));
  base.plate.append(squares.el);
  base.el.classList.add("pad");
  let moving = false;
  return {
    el: base.el,
    draw(view) {
      base.draw(view, moving && !prefersReducedMotion());
      moving = true;
      const can = new Set(view.moves);
      const say = inLanguage(words);
      squares.draw(view.moves, (i) => {
        const holds = padWords.colours[Number(view.state?.cells[i] ?? NaN)] ?? (can.has(i) ? say.playable : say.empty);
        const place = { row: Math.floor(i / SIDE) + 1, column: (i % SIDE) + 1 };
        return { name: `${fill(say.square, place)}, ${holds}` };
      });
    },
    undo: squares.undo,
  };
}

/** @type {import("./index.js").GameModule<State>} */
export const reversi = {
  slug: "reversi",
  words,
  styles: [
    ".reversi .wood { fill: var(--wood-dark); }",
    ".reversi .gaps { fill: var(--felt-dark); }",
    ".reversi .squares { fill: var(--felt); }",
    ".reversi .last { will-change: transform, opacity; }",
    ".reversi .hints { will-change: opacity; }",
    ".reversi .dot { fill: var(--felt-dot); opacity: 0; }",
    ".reversi .dot[data-can] { opacity: 1; }",
    ".reversi .key { border-radius: 14%; }",
    ".reversi .key::before, .reversi .key::after { inset: 2%; }",
    ".reversi .key::before { border: 2px solid var(--felt-edge); background: var(--felt-lit); }",
    ".reversi .key[data-can]::before { opacity: 1; }",
    ".reversi .key[data-pressed]::before { background: var(--felt-edge); }",
  ],
  tile,
  count: (view) => view.state?.count ?? null,
  tvBoard,
  padBoard,
  initialCursor(view, previous) {
    const from = previous === null ? { x: 3.5, y: 3.5 } : { x: previous % SIDE, y: Math.floor(previous / SIDE) };
    return nearest(view, (i) => ((i % SIDE) - from.x) ** 2 + (Math.floor(i / SIDE) - from.y) ** 2, previous ?? 27);
  },
  cursorMove: (cursor, direction) => neighbour(cursor, direction, SIDE, CELLS) ?? cursor,
};

/** @returns {SVGElement} a board in the middle of a game, for the menu */
function tile() {
  const text = "........|..1.....|..111.0.|..10000.|..1110..|...01...|..0.....|........".replaceAll("|", "");
  const discs = [...text].flatMap((side, i) =>
    side === "."
      ? []
      : [
          svg(
            "g",
            { "data-piece": "" },
            disc(side === "0" ? 0 : 1, corner(i).x + SQUARE / 2, corner(i).y + SQUARE / 2),
          ),
        ],
  );
  return svg("svg", { class: "reversi", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" }, felt(), ...discs);
}
