// Measures the TV's page during animations, on a CPU six times slower: work on the main thread, and frames drawn. Also
// measures the growth of its memory over an evening. Prints the tables:
//   cargo build --release && node tests/bench/frames.mjs
// PARTS=1 prints the parts of the frames over the limit, SCENE=fall picks one scene, GAMES=0 skips the memory.
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright-core";
import { release } from "./release.mjs";
import { percentile, spread } from "./spread.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").WebSocketRoute} WebSocketRoute */
/** @typedef {{name: string, ph: string, ts: number, dur?: number, tdur?: number, pid: number, tid: number, args: any}} TraceEvent */
/** @typedef {import("../../www/js/wire.js").GameView} GameView */
/** @typedef {{work: number, parts: Record<string, number>}} Frame milliseconds of work, in all and by kind */
/** @typedef {{frames: Frame[], rate: number}} Traced the frames, and the number of frames a second that the compositor drew */

const RATE = Number(process.env.RATE ?? 6);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const GAMES = Number(process.env.GAMES ?? 500);
const FRAME_MS = 1000 / 60;
const LIMIT_MS = 4;

const box = await release().start();
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--enable-precise-memory-info",
];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
const page = await context.newPage();
const build = /name="build" content="([^"]*)"/.exec(await (await fetch(`${box.origin}/tv`)).text())?.[1];
/** @type {WebSocketRoute | undefined} */
let socket;
await page.routeWebSocket(/\/ws$/, (route) => {
  socket = route;
  route.onMessage(() => {
    send({
      t: "room",
      room: "BCDF",
      key: "k",
      build,
      join: { url: `${box.origin}/BCDF`, host: "", addr: "10.0.0.7" },
      qr: null,
    });
  });
});
await page.goto(`${box.origin}/tv`);
await page.waitForFunction(() => document.body.dataset.link === "up");
/** @param {object} message */
function send(message) {
  socket?.send(JSON.stringify(message));
}

let turn = 0;
/**
 * Returns a view in the middle of a game.
 * @param {string} game
 * @param {string} cells
 * @param {{v: number, side: 0 | 1} | null} last
 * @param {Partial<GameView>} [more]
 * @returns {GameView}
 */
function view(game, cells, last, more = {}) {
  turn += 1;
  const count = /** @type {const} */ (["0", "1"]).map((side) => cells.split(side).length - 1);
  return {
    t: "ws",
    game,
    phase: "play",
    role: null,
    place: null,
    asker: null,
    side: null,
    tv: true,
    note: null,
    left: null,
    result: null,
    attract: false,
    seats: [
      { nick: "Wren", away: false, streak: 2 },
      { nick: "Heron", away: false },
    ],
    line: [{ nick: "Robin", away: false }],
    turn: { side: last?.side === 1 ? 0 : 1, id: turn, left: 20_000, of: 20_000 },
    state: game === "reversi" ? { cells, count } : { cells },
    moves: game === "reversi" ? [1, 9, 62] : [0, 1, 2],
    last: last && { ...last, auto: false, id: turn - 1 },
    ...more,
  };
}

/** Returns cells with some of them changed. @param {string} cells @param {number[]} at @param {string} to */
const put = (cells, at, to) => [...cells].map((cell, i) => (at.includes(i) ? to : cell)).join("");

// Eighteen stones in six lines out of one square.
const AT = 27;
const LINES = [
  [28, 29, 30],
  [26, 25],
  [35, 43, 51],
  [19, 11],
  [36, 45, 54],
  [34, 41],
  [20, 13, 6],
];
const EIGHTEEN = LINES.flat();
const FLAT = ".".repeat(64);
const BEFORE = put(put(FLAT, EIGHTEEN, "0"), [31, 24, 59, 3, 63, 48], "1");
const AFTER = put(put(BEFORE, EIGHTEEN, "1"), [AT], "1");
const COLUMNS = "..........................................";
const WON = put(put(COLUMNS, [35, 36, 37, 38], "0"), [28, 29, 30], "1");

const WIN = view(
  "four",
  WON,
  { v: 3, side: 0 },
  {
    phase: "result",
    turn: null,
    moves: null,
    left: 6000,
    result: { winner: 0, how: "play", line: [35, 36, 37, 38], score: null, names: ["Wren", "Heron"], won: null },
  },
);

// Ten seeds from a side's last pit, past its store and round to its own pits.
const SOWN = view(
  "mancala",
  "",
  { v: 5, side: 0 },
  { state: { pits: [5, 5, 5, 4, 4, 0, 1, 5, 5, 5, 5, 3], stores: [1, 0] } },
);
const TO_SOW = view("mancala", "", null, { state: { pits: [4, 4, 4, 4, 4, 10, 0, 4, 4, 4, 4, 2], stores: [0, 0] } });

// The edge between two boxes closes both.
const LINED = put(".".repeat(60), [0, 1, 5, 6, 30, 32], "0");
const BARE = ".".repeat(25);
const OPEN = view("dots", "", { v: 32, side: 0 }, { state: { edges: LINED, boxes: BARE, count: [0, 0] } });
const CLOSED = { edges: put(LINED, [31], "1"), boxes: put(BARE, [0, 1], "1"), count: [0, 2] };

/** @type {[string, GameView, GameView, number][]} name, what is there before, what is played, milliseconds to look at */
const SCENES = [
  ["18 stones turn over", view("reversi", BEFORE, { v: 3, side: 0 }), view("reversi", AFTER, { v: AT, side: 1 }), 1000],
  [
    "a stone falls to the bottom",
    view("four", COLUMNS, null),
    view("four", put(COLUMNS, [38], "1"), { v: 3, side: 1 }),
    900,
  ],
  ["four stones beat", view("four", put(WON, [38], "."), { v: 2, side: 1 }), WIN, 3000],
  ["ten seeds are sown", TO_SOW, SOWN, 2000],
  ["an edge is drawn, and fills two boxes", OPEN, view("dots", "", { v: 31, side: 1 }, { state: CLOSED }), 900],
];

/** Waits for the next frame. */
const drawn = () =>
  page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(done);
      }),
  );
/** Waits until two more frames have been drawn. @param {Page} which */
const settled = (which) =>
  which.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
      }),
  );
const still = async () => {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((a) => a.playState !== "running" || Number(a.effect?.getComputedTiming().endTime) > 8000),
  );
  await settled(page);
};

/**
 * Traces a page on the slow CPU.
 * @param {Page} which
 * @param {() => unknown} act starts the animation
 * @param {number} ms
 */
async function trace(which, act, ms) {
  const session = await context.newCDPSession(which);
  await session.send("Emulation.setCPUThrottlingRate", { rate: RATE });
  await settled(which);
  await browser.startTracing(which, {
    categories: [
      "-*",
      "benchmark",
      "rail",
      "devtools.timeline",
      "disabled-by-default-devtools.timeline",
      "disabled-by-default-devtools.timeline.frame",
    ],
  });
  await act();
  await setTimeout(ms);
  const buffer = await browser.stopTracing();
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await session.detach();
  if (process.env.TRACE) writeFileSync(process.env.TRACE, buffer);
  return measure(JSON.parse(buffer.toString()).traceEvents);
}

/** @param {GameView} before @param {GameView} played @param {number} ms */
async function scene(before, played, ms) {
  send({ t: "menu", games: [], people: [], tv: true });
  await settled(page);
  send(before);
  await still();
  return trace(page, () => send(played), ms);
}

/** Measures the lower limit: the browser's own work for moving boxes on an empty page. @param {number} count */
async function limit(count) {
  const empty = await context.newPage();
  await empty.setContent(
    `<style>i { position: absolute; width: 9px; height: 9px; background: red; will-change: transform }</style>${"<i></i>".repeat(count)}`,
  );
  const start = () =>
    empty.evaluate(() => {
      requestAnimationFrame(() => {
        for (const box of document.querySelectorAll("i"))
          box.animate([{ transform: "scale(1)" }, { transform: "scale(0)" }, { transform: "scale(1)" }], 5000);
      });
    });
  const traced = await trace(empty, start, 1000);
  await empty.close();
  return traced;
}

/**
 * Returns the work on the page's main thread in each sixtieth of a second after the first message, and its parts.
 * Only the thread's own time counts, so other load on the machine does not matter.
 * @param {TraceEvent[]} events
 * @returns {Traced}
 */
function measure(events) {
  const message = events.find(({ name }) => name === "FireAnimationFrame");
  if (!message) throw new Error("nothing was traced");
  const own = events.filter(
    ({ pid, tid, ph, dur }) => pid === message.pid && tid === message.tid && ph === "X" && dur !== undefined,
  );
  own.sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  /** @type {Frame[]} */
  const frames = [];
  /** @type {{frame: Frame, end: number, name: string}[]} */
  const within = [];
  for (const { name, ts, dur = 0, tdur = dur } of own) {
    while (within.length && (within.at(-1)?.end ?? 0) <= ts) within.pop();
    const outer = within.at(-1);
    if (!outer && ts + dur < message.ts) continue;
    const frame =
      outer?.frame ?? (frames[Math.floor(Math.max(0, ts - message.ts) / 1000 / FRAME_MS)] ??= { work: 0, parts: {} });
    if (!outer) frame.work += tdur / 1000;
    else frame.parts[outer.name] -= tdur / 1000;
    frame.parts[name] = (frame.parts[name] ?? 0) + tdur / 1000;
    within.push({ frame, end: ts + dur, name });
  }
  const drawn = events
    .filter(({ name, pid, ts }) => name === "DrawFrame" && pid === message.pid && ts > message.ts)
    .map(({ ts }) => ts);
  const seconds = (Math.max(...drawn) - Math.min(...drawn)) / 1e6;
  return { frames: Array.from(frames, (frame) => frame ?? { work: 0, parts: {} }), rate: (drawn.length - 1) / seconds };
}

/**
 * Prints the frames that were over the limit in most rounds, and their parts.
 * @param {Frame[][]} rounds
 */
function detail(rounds) {
  for (let at = 0; at < Math.max(...rounds.map(({ length }) => length)); at++) {
    const frames = rounds.map((round) => round[at] ?? { work: 0, parts: {} });
    const work = percentile(
      frames.map((frame) => frame.work),
      0.5,
    );
    if (work <= LIMIT_MS) continue;
    const names = [...new Set(frames.flatMap(({ parts }) => Object.keys(parts)))];
    // Means, because the slowdown affects one part or another, a millisecond at a time.
    const parts = names.map((name) => ({
      name,
      ms: frames.reduce((sum, frame) => sum + (frame.parts[name] ?? 0), 0) / frames.length,
    }));
    parts.sort((a, b) => b.ms - a.ms);
    console.log(
      `    frame ${at}: ${work.toFixed(1)} ms: ${parts
        .filter(({ ms }) => ms > 0.3)
        .map(({ name, ms }) => `${name} ${ms.toFixed(1)}`)
        .join(", ")}`,
    );
  }
}

console.log(
  `| TV at 1920 × 1080, CPU ${RATE}× slower | main thread a frame: median ms | 95 of 100 | the busiest | frames over ${LIMIT_MS} ms | drawn a second |\n| --- | --: | --: | --: | --: | --: |`,
);
/** @type {Map<string, () => Promise<Traced>>} */
const rows = new Map();
for (const count of [1, 18]) rows.set(`the limit, an empty page: ${count} begin to move`, () => limit(count));
for (const [name, ...played] of SCENES) rows.set(name, () => scene(...played));
for (const [name, run] of rows) {
  if (!name.includes(process.env.SCENE ?? "")) continue;
  await run(); // warms up
  const traced = [];
  for (let round = 0; round < ROUNDS; round++) traced.push(await run());
  const rounds = traced.map((one) => one.frames);
  const frames = rounds.flat().map(({ work }) => work);
  const busiest = rounds.map((round) => Math.max(...round.map(({ work }) => work)));
  const over = frames.filter((work) => work > LIMIT_MS).length / ROUNDS;
  console.log(
    `| ${name} | ${percentile(frames, 0.5).toFixed(1)} | ${percentile(frames, 0.95).toFixed(1)} | ${spread(busiest, 1)} | ${over.toFixed(1)} | ${percentile(
      traced.map(({ rate }) => rate),
      0.5,
    ).toFixed(1)} |`,
  );
  if (process.env.PARTS) detail(rounds);
}

if (GAMES > 0) await evening();
await browser.close();
await box.stop();

/** Plays games as fast as the page draws, and prints the memory after each hundred. */
async function evening() {
  console.log(
    `\n| after games | heap KB | nodes | listeners | the page's process, resident MB |\n| --- | --: | --: | --: | --: |`,
  );
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  for (let game = 0; game <= GAMES; game++) {
    if (game % 100 === 0) {
      await cdp.send("HeapProfiler.collectGarbage");
      const { metrics } = await cdp.send("Performance.getMetrics");
      const of = (/** @type {string} */ wanted) => metrics.find(({ name }) => name === wanted)?.value ?? NaN;
      console.log(
        `| ${game} | ${(of("JSHeapUsedSize") / 1000).toFixed(0)} | ${of("Nodes")} | ${of("JSEventListeners")} | ${await residentMb()} |`,
      );
    }
    const reversi = game % 2 === 0;
    let cells = reversi ? BEFORE : COLUMNS;
    for (let move = 0; move < 20; move++) {
      const side = move % 2 === 0 ? 1 : 0;
      const at = reversi ? cells.indexOf(".") : 35 + (move % 7) - 7 * Math.floor(move / 7);
      cells = put(cells, [at], String(side));
      if (reversi && move === 0) cells = AFTER;
      send(view(reversi ? "reversi" : "four", cells, { v: reversi ? (move === 0 ? AT : at) : move % 7, side }));
      await drawn();
    }
    if (!reversi) send(WIN);
    await drawn();
    if (game % 10 === 9) send({ t: "menu", games: [], people: ["Wren"], tv: true });
  }
}

/** Returns the resident memory of the page's process in MB, the largest one, since a browser keeps a spare process. */
async function residentMb() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === "renderer");
  const kb = pages.map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]));
  return Math.round(Math.max(...kb) / 1000);
}
