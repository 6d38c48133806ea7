// Draws Dots and Boxes: edges grow from dot to dot, and then the boxes that they close appear.
//
// Places are numbered as on the wire: the 30 horizontal edges, the 30 vertical ones, then the 25 boxes.
import { el, setAttribute, svg } from "../dom.js";
import { counted, fill, inLanguage, list } from "../language.js";
import { LASTING_MS, nearest, plate, pointer, STILL, until, wood } from "./grid.js";
import { moveButtons, prefersReducedMotion } from "./buttons.js";
import { words } from "./lang/dots.js";

/** @typedef {{edges: string, boxes: string, count: [number, number]}} State the owner of each edge and of each box, `.`, `0` or `1`, and the number of boxes by side */
/** @typedef {import("../wire.js").GameView<State>} GameView */

const SPAN = 5; // boxes along a side of the board
const HORIZONTAL = SPAN * (SPAN + 1); // edges of one direction
const EDGES = 2 * HORIZONTAL;
const PLACES = EDGES + SPAN * SPAN;

// In units of the plate.
const STEP = 30; // half of the way from dot to dot
const FIRST = 33; // from the plate's edge to the first dot, so that the buttons of the outermost edges are on the plate
const SIZE = 2 * (FIRST + SPAN * STEP);
const THICK = 11;
const FILL = 46; // of a box
const CURSOR = 72;

/**
 * Returns the position of a place: its row and column among its kind, and its middle in steps from the first dot, 0 to 10.
 * @param {number} i
 */
function spot(i) {
  const upright = i >= HORIZONTAL && i < EDGES;
  const across = upright ? SPAN + 1 : SPAN;
  const n = i < EDGES ? i % HORIZONTAL : i - EDGES;
  const [row, column] = [Math.floor(n / across), n % across];
  return { row, column, upright, x: 2 * column + Number(!upright), y: 2 * row + Number(i >= HORIZONTAL) };
}

/** Returns the edge with this middle. @param {number} x in steps @param {number} y in steps */
const edgeAt = (x, y) => (y % 2 ? HORIZONTAL + ((y - 1) / 2) * (SPAN + 1) + x / 2 : (y / 2) * SPAN + (x - 1) / 2);

/** Converts steps to the plate's units. @param {number} steps */
const units = (steps) => FIRST + steps * STEP;

/** Returns a path along edges. @param {number[]} edges */
function along(edges) {
  const lines = edges
    .map(spot)
    .map(
      ({ x, y, upright }) =>
        `M${units(upright ? x : x - 1)} ${units(upright ? y - 1 : y)}${upright ? "v" : "h"}${2 * STEP}`,
    );
  return lines.join("");
}

/** Makes a drawing as large as the plate. @param {...Node} inside */
const drawing = (...inside) =>
  svg("svg", { class: "dots felt", viewBox: `0 0 ${SIZE} ${SIZE}`, "aria-hidden": "true" }, ...inside);

/** Draws the slate in its frame, with a faint line for each edge. */
const slate = () => [
  ...wood(SIZE, SIZE, 18),
  svg("rect", { class: "slate", x: 12, y: 12, width: SIZE - 24, height: SIZE - 24, rx: 10 }),
  svg("path", { class: "track", d: along([...Array(EDGES).keys()]) }),
];

/** Draws the dots, as lines of length zero with round ends. */
function dotted() {
  const marks = Array.from(
    { length: (SPAN + 1) ** 2 },
    (_, n) => `M${units(2 * (n % (SPAN + 1)))} ${units(2 * Math.floor(n / (SPAN + 1)))}h0`,
  );
  return svg("path", { class: "dot", d: marks.join("") });
}

const DRAW_MS = 200;
const CLOSE_MS = 280;
const LAG_MS = 120; // from the start of one box to the next

/**
 * Animates an edge and the boxes that it closes.
 * @param {HTMLElement[]} nodes the edge, then its boxes
 * @param {boolean} upright
 * @returns {import("./index.js").Motion}
 */
function play(nodes, upright) {
  const hidden = { transform: upright ? "scaleY(0)" : "scaleX(0)" };
  let end = 0;
  /** @type {import("./index.js").Cue[]} */
  const cues = [];
  const animations = nodes.map((node, n) => {
    const from = n ? { transform: "scale(.4)", opacity: 0 } : hidden;
    const to = n ? { transform: "scale(1)", opacity: 1 } : { transform: "scale(1)" };
    const start = n ? DRAW_MS + (n - 1) * LAG_MS : 0;
    end = start + (n ? CLOSE_MS : DRAW_MS);
    // A box sounds when it first has its full size.
    cues.push(n ? { sound: "knock", ms: start + CLOSE_MS / 2 } : { sound: "stroke", ms: start, length: DRAW_MS });
    const easing = n ? "cubic-bezier(.3, 1.6, .6, 1)" : "ease-out";
    return node.animate(
      [from, { ...from, offset: start / LASTING_MS, easing }, { ...to, offset: end / LASTING_MS }, to],
      LASTING_MS,
    );
  });
  return { animations, ms: end, cues };
}

/**
 * Returns the places that one move has filled, its edge first, or null if the two boards are not one move apart.
 * @param {string} from places as on the wire
 * @param {string} to
 * @param {GameView["last"]} last
 */
export function filled(from, to, last) {
  const came = [...to].flatMap((mark, i) => (mark === from[i] ? [] : [i]));
  const one =
    last &&
    came[0] === last.v &&
    came.every((i, n) => from[i] === "." && to[i] === String(last.side) && n > 0 === i >= EDGES);
  return one ? came : null;
}

/** Makes the parts that TV and phone share. */
function board() {
  const base = plate("dots", SIZE, SIZE);
  const nodes = Array.from({ length: PLACES }, (_, i) => {
    const { x, y, upright } = spot(i);
    const [width, height] = i >= EDGES ? [FILL, FILL] : upright ? [THICK, 2 * STEP] : [2 * STEP, THICK];
    const node = el("div", { class: i < EDGES ? "edge" : "box", "data-cell": i });
    base.place(node, units(x) - width / 2, units(y) - height / 2, width, height);
    return node;
  });
  base.plate.append(drawing(...slate()), ...nodes, drawing(dotted()));

  let shown = "";
  let stop = () => {};
  return {
    ...base,
    /** @param {GameView} view @param {boolean} moving */
    draw({ state, last }, moving) {
      const text = state ? `${state.edges}${state.boxes}` : ".".repeat(PLACES);
      nodes.forEach((node, i) => {
        setAttribute(node, "data-side", text[i] === "." ? "" : text[i]);
        setAttribute(node, "data-last", state && i === last?.v ? "" : null);
      });
      if (moving && text === shown) return null;
      stop();
      const came = moving && filled(shown, text, last);
      shown = text;
      if (!came) return STILL;
      const motion = play(
        came.map((i) => nodes[i]),
        spot(came[0]).upright,
      );
      stop = until(motion.animations, motion.ms);
      return motion;
    },
  };
}

/** @returns {import("./index.js").TvBoard<State>} */
function tvBoard() {
  const base = board();
  const bar = { x: -36, y: -11, width: 72, height: 22, rx: 11 };
  const node = el(
    "div",
    { class: "cursor" },
    svg(
      "svg",
      { viewBox: "-40 -40 80 80", "aria-hidden": "true" },
      svg("g", {}, svg("rect", { class: "under", ...bar }), svg("rect", { class: "line", ...bar })),
    ),
  );
  const remote = pointer(base, node, CURSOR, CURSOR);
  return {
    el: base.el,
    draw: (view, before) => base.draw(view, before !== null),
    point(v, side) {
      const { x, y, upright } = spot(v ?? 0);
      setAttribute(node, "data-upright", upright ? "" : null);
      remote.point(v === null ? null : { x: units(x) - CURSOR / 2, y: units(y) - CURSOR / 2 }, side);
    },
    shake: remote.shake,
  };
}

/** Returns the number of drawn sides of each box beside an edge. @param {string} edges @param {number} v */
function sidesBeside(edges, v) {
  const { x, y, upright } = spot(v);
  const boxes = [-1, 1].map((by) => (upright ? [x + by, y] : [x, y + by]));
  const inside = boxes.filter((box) => box.every((steps) => steps > 0 && steps < 2 * SPAN));
  return inside.map(
    ([bx, by]) =>
      [edgeAt(bx - 1, by), edgeAt(bx + 1, by), edgeAt(bx, by - 1), edgeAt(bx, by + 1)].filter(
        (edge) => edges[edge] !== ".",
      ).length,
  );
}

/** @param {(v: number) => void} tap @returns {import("./index.js").PadBoard<State>} */
function padBoard(tap) {
  const base = board();
  const lines = moveButtons(inLanguage(words).name, EDGES, cursorMove, tap);
  // Each button is clipped to the diamond around its edge, so that the edge nearest to the thumb is pressed.
  lines.nodes.forEach((node, v) => base.place(node, units(spot(v).x - 1), units(spot(v).y - 1), 2 * STEP, 2 * STEP));
  base.plate.append(lines.el);
  base.el.classList.add("pad");
  let moving = false;
  return {
    el: base.el,
    draw(view) {
      base.draw(view, moving && !prefersReducedMotion());
      moving = true;
      const edges = String(view.state?.edges ?? "");
      const say = inLanguage(words);
      lines.draw(view.moves, (v) => {
        const { row, column, upright } = spot(v);
        const line = fill(say.lines[Number(upright)], { row: row + 1, column: column + 1 });
        const boxes = sidesBeside(edges, v).map((sides) => counted(say.boxes, sides));
        return {
          name: `${line}, ${say.drawn[Number(edges[v] ?? NaN)] ?? say.open}`,
          more: fill(say.beside, { list: list(boxes) }),
        };
      });
    },
    undo: lines.undo,
  };
}

/**
 * Returns the edge to which an arrow leads: the next edge of the same kind to the left or right, and one of the other kind up or down.
 * @param {number} from
 * @param {import("./index.js").Direction} direction
 */
function cursorMove(from, direction) {
  const { x, y, upright } = spot(from);
  const by = direction === "left" || direction === "up" ? -1 : 1;
  const aside = direction === "left" || direction === "right";
  const to = aside ? x + 2 * by : y + by;
  if (to < 0 || to > 2 * SPAN) return from;
  return aside ? edgeAt(to, y) : edgeAt(upright ? Math.min(x + 1, 2 * SPAN - 1) : x - 1, to);
}

/** @type {import("./index.js").GameModule<State>} */
export const dots = {
  slug: "dots",
  words,
  styles: [
    '.dots [data-side="0"], .dots .o0 { --side: var(--gold); --deep: var(--gold-deep); --shine: var(--gold-shine); --mark: transparent 33%, var(--shine) 35% 58%, transparent 60%; }',
    '.dots [data-side="1"], .dots .o1 { --side: var(--blue); --deep: var(--blue-deep); --shine: var(--blue-shine); --mark: var(--shine) 33%, transparent 35%; }',
    ".dots .slate { fill: var(--hole); }",
    ".dots .track { stroke: var(--edge); stroke-width: 4; }",
    ".dots .dot { stroke: var(--text); stroke-width: 14; stroke-linecap: round; }",
    ".dots .edge { border-radius: 99px; background: var(--side, none); transform-origin: 0 0; }",
    ".dots .edge[data-last] { outline: 0.2rem solid var(--ring); }",
    ".dots .box[data-side] { border-radius: 12%; background: radial-gradient(closest-side, var(--mark)) var(--deep); }",
    ".dots .cursor[data-upright] g { transform: rotate(90deg); }",
    ".dots .key { clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); }",
    ".dots .key::before, .dots .key::after { inset: 41% 8%; border-radius: 99px; }",
    ".dots .key:nth-child(n + 31)::before, .dots .key:nth-child(n + 31)::after { inset: 8% 41%; }",
    ".dots .key[data-can]::before { opacity: 0.22; }",
    ".dots .key[data-pressed]::before { opacity: 0.8; }",
    ".dots .key:focus-visible { outline: 0; }",
    ".dots .key:focus-visible::before { outline: 3px solid var(--ring); opacity: 1; background: none; }",
    ".dots .o0, .dots .o1 { fill: var(--deep); }",
    ".dots circle { stroke: var(--shine); stroke-width: 5; }",
    ".dots circle.o1 { fill: var(--shine); }",
    ".dots path.o0, .dots path.o1 { stroke: var(--side); stroke-width: 11; }",
  ],
  tile,
  count: (view) => view.state?.count ?? null,
  tvBoard,
  padBoard,
  initialCursor(view, previous) {
    const from = previous === null ? { x: SPAN, y: SPAN } : spot(previous);
    return nearest(view, (v) => (spot(v).x - from.x) ** 2 + (spot(v).y - from.y) ** 2, previous ?? 0);
  },
  cursorMove,
};

/** @returns {SVGElement} a board in the middle of a game, for the menu */
function tile() {
  const text = "1.0.0.11.110100.1111.00..00...0..110.000...00110.111.0...1......1.00...0011.01.......";
  const places = (/** @type {string} */ side) => [...text].flatMap((mark, i) => (mark === side ? [i] : []));
  const sides = ["0", "1"].flatMap((side) => {
    const all = places(side);
    const boxes = all.filter((i) => i >= EDGES).map(spot);
    return [
      ...boxes.map(({ x, y }) =>
        svg(
          "g",
          { "data-piece": "" },
          svg("rect", {
            class: `o${side}`,
            x: units(x) - FILL / 2,
            y: units(y) - FILL / 2,
            width: FILL,
            height: FILL,
            rx: 6,
          }),
          svg("circle", { class: `o${side}`, cx: units(x), cy: units(y), r: 9 }),
        ),
      ),
      svg("path", { class: `o${side}`, d: along(all.filter((i) => i < EDGES)) }),
    ];
  });
  return drawing(...slate(), ...sides, dotted());
}
