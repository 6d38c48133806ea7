// Draws Mancala: a carved board, and 48 seeds that move from pit to pit.
//
// Places are numbered as on the wire: side 0's pits, side 1's pits, then the two stores. They are drawn with side 1's row
// at the bottom, as on the TV. A phone turns the board so that its own row is at the bottom.
import { el, setAttribute, setText, svg } from "../dom.js";
import { counted, fill, inLanguage } from "../language.js";
import { frame, LASTING_MS, moveToward, nearest, plate, pointer, STILL, until, wood } from "./grid.js";
import { moveButtons, neighbour, prefersReducedMotion } from "./buttons.js";
import { words } from "./lang/mancala.js";

/** @typedef {{pits: number[], stores: [number, number]}} State seeds in side 0's pits, then in side 1's, and in the stores */
/** @typedef {import("../wire.js").GameView<State>} GameView */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {[number, number, number, number]} Box x, y, width and height in the plate's units */
/** @typedef {{x: number, y: number}} Spot the middle of a seed */
/** @typedef {{path: number[], carried: [number, number][]}} Sown the places in which the pit's seeds fell, and then the captured seeds as [from, store] */

const PITS = 6;
const ALL_PITS = 2 * PITS;
const SEEDS = 48;

/** The order in which seeds are sown, by side: own pits, own store, the other side's pits. */
const ROUNDS = [
  [0, 1, 2, 3, 4, 5, 12, 6, 7, 8, 9, 10, 11],
  [6, 7, 8, 9, 10, 11, 13, 0, 1, 2, 3, 4, 5],
];

/** Returns the side that owns a place. @param {number} p */
const sideOf = (p) => (p < ALL_PITS ? Math.floor(p / PITS) : p - ALL_PITS);

// In units of the plate. The stores are between the rows, which leaves the width of a thumb for each pit.
const WIDTH = 440;
const HEIGHT = 424;
const PITCH = 70;
const PIT = 64; // the width of a pit
const SEED = 22;

/** Returns a box for each pit, in rows of that height. Side 0's run from right to left. @type {(height: number, ...tops: number[]) => Box[]} */
const rows = (height, ...tops) =>
  Array.from({ length: ALL_PITS }, (_, p) => [
    13 + PITCH * (p < PITS ? PITS - 1 - p : p - PITS),
    tops[sideOf(p)],
    PIT,
    height,
  ]);

/** @type {Box[]} */
const PLACES = [...rows(98, 48, 278), [13, 158, 204, 108], [223, 158, 204, 108]];
const COUNTS = rows(34, 9, 381);

/** The plate's font size, in its units. Seeds are moved by `em`, because WebKit takes percentages of a size in whole pixels. */
const EM = 32;

/** Returns the radius of a place's corners. @type {(box: Box) => number} */
const roundness = ([, , w, h]) => Math.min(w, h, 84) / 2;

/**
 * Returns the positions of seeds in a place: in a pit in a spiral from the middle outwards, in a store from the bottom up. Further seeds
 * lie on the others, opposite to them and nearer to the middle, so that none lies on the rim.
 * @type {(box: Box, p: number) => Spot[]}
 */
function bed(box, p) {
  const [left, top, w, h] = box;
  const round = roundness(box);
  const store = p >= ALL_PITS;
  const all = Array.from({ length: 600 }, (_, i) => {
    if (store) {
      const row = Math.floor(i / 25);
      const x = ((i % 25) - 12 + (row % 2) / 2) * 0.9 * SEED;
      return { x, y: h / 2 - 0.62 * SEED * (row + 1), high: row + 9 * (x / w) ** 2 };
    }
    const far = 0.55 * SEED * Math.sqrt(i + 0.5);
    return { x: far * Math.cos(2.4 * i + p), y: far * Math.sin(2.4 * i + p), high: i };
  });
  const inside = all.filter(
    ({ x, y }) =>
      Math.hypot(Math.max(0, Math.abs(x) - w / 2 + round), Math.max(0, Math.abs(y) - h / 2 + round)) <=
      round - 0.6 * SEED,
  );
  const spots = inside.sort((a, b) => a.high - b.high).map(({ x, y }) => ({ x: left + w / 2 + x, y: top + h / 2 + y }));
  const across = (/** @type {number} */ at, /** @type {number} */ middle) => middle - 0.85 * (at - middle);
  for (const { x, y } of spots) {
    if (spots.length >= SEEDS) break;
    spots.push({ x: across(x, left + w / 2), y: across(y, top + h / 2) });
  }
  return spots;
}

/**
 * Returns how the seeds moved from one board to another, or null if the boards are not one move apart. The seeds
 * that a pit has too many after the sowing, and a store too few, were captured or swept. The capture comes first.
 * @param {number[]} from seeds by place
 * @param {number[]} to
 * @param {number} start the pit that was sown
 * @returns {Sown | null}
 */
export function sowing(from, to, start) {
  const side = sideOf(start);
  const path = Array.from({ length: from[start] ?? 0 }, (_, i) => ROUNDS[side][((start % PITS) + 1 + i) % 13]);
  const now = [...from];
  now[start] = 0;
  for (const p of path) now[p]++;
  const end = path[path.length - 1];
  /** @type {Sown["carried"]} */
  const carried = [];
  for (const pit of [end, ALL_PITS - 1 - end, ...now.keys()]) {
    for (const store of [ALL_PITS + side, ALL_PITS + 1 - side]) {
      for (; now[pit] > to[pit] && now[store] < to[store]; now[pit]--, now[store]++) carried.push([pit, store]);
    }
  }
  return path.length && String(now) === String(to) ? { path, carried } : null;
}

/** Draws the carved wood, with a rim around each place. @param {...Node} inside */
function carving(...inside) {
  /** @type {(name: string, box: Box, by: number, down: number) => SVGElement} */
  const hollow = (name, box, by, down) =>
    svg("rect", {
      class: name,
      x: box[0] + by,
      y: box[1] + by + down,
      width: box[2] - 2 * by,
      height: box[3] - 2 * by - down,
      rx: roundness(box) - by,
    });
  const hollows = PLACES.flatMap((box, p) => [
    hollow("lip", box, -1, 3),
    hollow("deep", box, 0, 0),
    hollow("floor", box, 3, 4),
    hollow(`rim o${sideOf(p)}`, box, 0, 0),
  ]);
  return svg(
    "svg",
    { class: "mancala felt", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    ...wood(WIDTH, HEIGHT, 22),
    ...hollows,
    ...inside,
  );
}

const LIFT_MS = 140;
const SEED_MS = 150; // from one pit to the next
const SOWN_MS_MAX = 1_300;
const LOOK_MS = 350; // from the last sown seed until captured seeds move, so that people see the capture
const CARRY_MS = 420;

/**
 * Computes the keyframes of all seeds for a move.
 * @param {Sown} sown
 * @param {number} start the pit that is sown
 * @param {number[][]} lie the seeds in each place, updated to the final state
 * @param {(seed: number, p: number, n: number, up?: boolean) => {transform: string}} pose the transform of the n-th seed in a place; `up` if it is being carried
 * @returns {{ways: Keyframe[][], still: Map<number, number>, ms: number, falls: number[]}} the keyframes of each seed; the time from which each changed place is final; the total duration; the times at which seeds fall
 */
function travel({ path, carried }, start, lie, pose) {
  const step = Math.min(SEED_MS, SOWN_MS_MAX / path.length);
  const over = LIFT_MS + path.length * step;
  const end = over + (carried.length && LOOK_MS + CARRY_MS);
  /** @type {Keyframe[][]} */
  const ways = Array.from({ length: SEEDS }, () => []);
  const still = new Map([[start, LIFT_MS]]);
  /** @type {(seed: number, p: number, n: number, ms: number, up?: boolean) => void} */
  const go = (seed, p, n, ms, up) =>
    void ways[seed].push({ ...pose(seed, p, n, up), offset: ms / LASTING_MS, easing: "ease-in-out" });
  /** @type {(seed: number, p: number, ms: number) => void} */
  const drop = (seed, p, ms) => {
    go(seed, p, lie[p].push(seed) - 1, ms);
    still.set(p, ms);
  };
  const falls = path.map((_, i) => LIFT_MS + (i + 1) * step);
  lie[start].splice(0).forEach((seed, i) => {
    go(seed, start, i, 0);
    [start, ...path.slice(0, i)].forEach((p, n) => go(seed, p, i, LIFT_MS + n * step, true));
    drop(seed, path[i], falls[i]);
  });
  for (const [pit, store] of carried) {
    const n = lie[pit].length - 1;
    const seed = lie[pit].splice(n)[0];
    if (!ways[seed].length) go(seed, pit, n, 0);
    go(seed, pit, n, over);
    go(seed, pit, n, over + LOOK_MS, true);
    drop(seed, store, end);
    still.set(pit, over + LOOK_MS);
  }
  if (carried.length) falls.push(end);
  return { ways, still, ms: end, falls };
}

/** Makes the parts that TV and phone share. */
function board() {
  const base = plate("mancala", WIDTH, HEIGHT);
  const beds = PLACES.map(bed);
  const seeds = Array.from({ length: SEEDS }, () => el("i", { class: "seed" }));
  // The count of a store is shown beside the name of its side.
  const counts = COUNTS.map((_, p) => el("p", { class: `count o${sideOf(p)}` }, el("b")));
  const carved = carving();
  const rims = [...carved.querySelectorAll(".rim")];
  for (const seed of seeds) base.place(seed, 0, 0, SEED, SEED);
  counts.forEach((count, p) => base.place(count, ...COUNTS[p]));
  base.plate.append(carved, ...counts, ...seeds);

  /** @type {number[]} number of seeds by place, as drawn */
  let shown = [];
  /** @type {number[][]} the seeds in each place */
  let lie = [];
  let stop = () => {};
  /** @type {Parameters<typeof travel>[3]} */
  const pose = (seed, p, n, up) => {
    const { x, y } = beds[p][n];
    return {
      transform: `translate(${(x - SEED / 2) / EM}em, ${(y - SEED / 2) / EM}em) rotate(${seed * 67}deg) scale(${up ? "1.25, 1.1" : "1, .86"})`,
    };
  };

  return {
    ...base,
    /** @param {GameView} view @param {boolean} moving @param {boolean} [turned] whether side 0's row is at the bottom */
    draw({ state, last, turn, moves }, moving, turned = false) {
      const places = [...(state?.pits ?? []), ...(state?.stores ?? [])];
      const across = (/** @type {number} */ p) => (!turned ? p : p < ALL_PITS ? (p + PITS) % ALL_PITS : 25 - p);
      const to = places.map((_, p) => places[across(p)]);
      const start = last ? across(ROUNDS[last.side][last.v]) : -1;
      const can = turn && moves ? moves.map((v) => across(ROUNDS[turn.side][v])) : [];
      setAttribute(base.el, "data-turned", turned ? "" : null);
      rims.forEach((rim, p) => {
        setAttribute(rim, "data-can", can.includes(p) ? "" : null);
        setAttribute(rim, "data-last", p === start ? "" : null);
        setAttribute(counts[p] ?? rim, "data-cell", String(across(p)));
        setAttribute(counts[p] ?? rim, "data-count", String(to[p]));
      });
      if (moving && String(to) === String(shown)) return null;
      const sown = moving && sowing(shown, to, start);
      stop();
      const way = sown ? travel(sown, start, lie, pose) : null;
      let dealt = 0;
      if (!way) lie = to.map((n) => Array.from({ length: n }, () => dealt++));
      shown = to;
      lie.forEach((here, p) => here.forEach((seed, n) => Object.assign(seeds[seed].style, pose(seed, p, n))));
      counts.forEach((count, p) => setText(count.children[0], String(to[p])));
      if (!way) return STILL;
      const motion = play(way, seeds, counts);
      stop = until(motion.animations, motion.ms);
      return motion;
    },
  };
}

/**
 * Starts the animations of a move. A count is hidden until its place is final.
 * @type {(way: ReturnType<typeof travel>, seeds: HTMLElement[], counts: HTMLElement[]) => import("./index.js").Motion}
 */
function play({ ways, still, ms, falls }, seeds, counts) {
  const moves = ways.flatMap((way, seed) => (way.length ? [seeds[seed].animate(way, LASTING_MS)] : []));
  const fade = (/** @type {number} */ offset) => [
    { opacity: 0 },
    { opacity: 0, offset },
    { opacity: 1, offset },
    { opacity: 1 },
  ];
  const told = [...still].flatMap(([p, at]) =>
    counts[p] ? counts[p].children[0].animate(fade(at / LASTING_MS), LASTING_MS) : [],
  );
  return { animations: [...moves, ...told], ms, cues: falls.map((at) => ({ sound: "seed", ms: at })) };
}

/** @returns {import("./index.js").TvBoard<State>} */
function tvBoard() {
  const base = board();
  const [, , w, h] = PLACES[0];
  const remote = pointer(base, frame(w, h, w / 2), w + 10, h + 10);
  return {
    el: base.el,
    draw: (view, before) => base.draw(view, before !== null),
    point(v, side) {
      const [x, y] = PLACES[ROUNDS[side ?? 1][v ?? 0]];
      remote.point(v === null ? null : { x: x - 5, y: y - 5 }, side);
    },
    shake: remote.shake,
  };
}

/** @param {(v: number) => void} tap @returns {import("./index.js").PadBoard<State>} */
function padBoard(tap) {
  const base = board();
  const own = moveButtons(inLanguage(words).name, PITS, (v, to) => neighbour(v, to, PITS, PITS), tap);
  own.nodes.forEach((node, v) => {
    const [x, y] = PLACES[PITS + v];
    base.place(node, x - 3, y - 6, PITCH, HEIGHT - y);
  });
  base.plate.append(own.el);
  base.el.classList.add("pad");
  let moving = false;
  return {
    el: base.el,
    draw(view) {
      base.draw(view, moving && !prefersReducedMotion(), view.side === 0);
      moving = true;
      const say = inLanguage(words);
      const held = (/** @type {number} */ p) => counted(say.seeds, view.state?.pits[p] ?? 0);
      own.draw(view.moves, (v) => {
        const p = ROUNDS[view.side ?? 1][v];
        return {
          name: `${fill(say.pit, { n: v + 1 })}, ${held(p)}`,
          more: fill(say.opposite, { seeds: held(ALL_PITS - 1 - p) }),
        };
      });
    },
    undo: own.undo,
  };
}

/** @type {import("./index.js").GameModule<State>} */
export const mancala = {
  slug: "mancala",
  words,
  styles: [
    ".mancala { --deep: #37210f; --floor: #4b2e17; --seed: #ead9b8; }",
    ".mancala .o0, .mancala[data-turned] .o1 { --side: var(--gold); }",
    ".mancala .o1, .mancala[data-turned] .o0 { --side: var(--blue); }",
    ".mancala .lip { fill: var(--wood-light); }",
    ".mancala .deep { fill: var(--deep); }",
    ".mancala .floor { fill: var(--floor); }",
    ".mancala .rim { fill: none; stroke: var(--side); stroke-width: 2; opacity: 0.55; }",
    ".mancala .rim[data-can] { stroke-width: 3.5; opacity: 1; }",
    ".mancala .rim[data-last] { stroke-dasharray: 5; opacity: 1; }",
    ".mancala .seed { will-change: transform; border-radius: 50%; background: radial-gradient(circle at 35% 30%, var(--ring), var(--seed) 45%, var(--floor) 130%); }",
    ".mancala circle { fill: var(--seed); }",
    ".mancala :nth-child(3n) { --seed: #d9b98a; }",
    ".mancala :nth-child(4n) { --seed: #cfd3c0; }",
    ".mancala .count { display: grid; margin: 0; place-items: center; border-radius: 99px; background: var(--deep); color: var(--side); font-size: 1em; font-weight: 700; line-height: 1; }",
    `.mancala .plate { font-size: calc(var(--fit) * ${EM}); }`,
    '.mancala .count[data-count="0"] { color: var(--wood-light); }',
    ".mancala .key { border-radius: 99px; }",
    ".mancala .key[data-pressed]::before { opacity: 0.3; }",
  ],
  tile,
  count: (view) => view.state?.stores ?? null,
  tvBoard,
  padBoard,
  initialCursor(view, previous) {
    const from = previous ?? (PITS - 1) / 2;
    return nearest(view, (v) => Math.abs(v - from), previous ?? 0);
  },
  cursorMove(cursor, direction, { turn }) {
    const own = ROUNDS[turn?.side ?? 1].slice(0, PITS).map((p) => ({ x: PLACES[p][0], y: PLACES[p][1] }));
    return moveToward(own, cursor, direction);
  },
};

/** @returns {SVGElement} a board in the middle of a game, for the menu */
function tile() {
  const seeds = [4, 0, 5, 6, 1, 3, 5, 2, 0, 6, 1, 4, 8, 5].flatMap((n, p) => bed(PLACES[p], p).slice(0, n));
  return carving(...seeds.map(({ x, y }) => svg("circle", { "data-piece": "", cx: x, cy: y, r: 10 })));
}
