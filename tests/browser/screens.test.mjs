// Records the positions of the TV's parts during an evening, frame by frame. Nothing may jump, flash or overlap between two screens.
import assert from "node:assert/strict";
import { CHAMPION_WINS } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";
import { overlaps } from "./layout.mjs";

const GAMES = 5;
/** Pixels by which a box may differ, because edges are rounded to the screen's pixels. */
const SLACK = 1;
/** Least milliseconds for which a part must stay hidden. Less looks like a flash. */
const FLASH_MS = 250;
/** The parts of the TV's screen, by their selectors. */
const PARTS = [
  "#title",
  "#banner",
  '.seat[data-seat="0"]',
  '.seat[data-seat="1"]',
  "#board .plate",
  "#next",
  "#card",
  "#tiles",
  "#people",
];
/** The parts that must not move from one screen of a game to the next. */
const FIXED = ["#title", "#banner", '.seat[data-seat="0"]', "#board .plate"];
/** The parts that grow with their text, and the corner from which they grow. */
const GROWS = { "#next": ["left", "bottom"], "#people": ["right", "bottom"], "#title": ["left", "top"] };

/** @typedef {Window["recorded"][number]} Recorded */
/** @typedef {[number, number, number, number]} Edges left, top, right, bottom, relative to the stage, which drifts */

/** Records the positions of all parts after each frame in which one has changed. @param {import("./harness.mjs").Tv} tv */
async function record(tv) {
  await tv.page.evaluate((parts) => {
    window.recorded = [];
    let last = "";
    const look = () => {
      const stage = /** @type {HTMLElement} */ (document.querySelector("#stage")).getBoundingClientRect();
      /** @type {Recorded["boxes"]} */
      const boxes = {};
      for (const part of parts) {
        const node = document.querySelector(part);
        if (!node?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const { left, top, right, bottom } = node.getBoundingClientRect();
        if (right > left && bottom > top)
          boxes[part] = [left - stage.left, top - stage.top, right - stage.left, bottom - stage.top];
      }
      const screen = document.body.dataset.screen ?? "";
      const now = JSON.stringify([screen, boxes]);
      if (now !== last) window.recorded.push({ at: performance.now(), screen, boxes });
      last = now;
      requestAnimationFrame(look);
    };
    look();
  }, PARTS);
}

const EDGES = ["left", "top", "right", "bottom"];

/** Returns the edges of a part that have moved. @param {string} part @param {Edges} from @param {Edges} to */
function moved(part, from, to) {
  const edges = GROWS[/** @type {keyof typeof GROWS} */ (part)] ?? EDGES;
  return edges.filter((edge) => Math.abs((from[EDGES.indexOf(edge)] ?? 0) - (to[EDGES.indexOf(edge)] ?? 0)) > SLACK);
}

/** Describes the parts that have jumped or flashed. @param {Recorded[]} all */
function faults(all) {
  const found = [];
  /** @type {Map<string, {screen: string, box: Edges, at: number}>} where each part was seen last */
  const seen = new Map();
  for (const [i, { at, screen, boxes }] of all.entries()) {
    for (const [part, box] of Object.entries(boxes)) {
      const before = seen.get(part);
      const there = i > 0 && all[i - 1]?.boxes[part];
      if (before && (before.screen === screen || FIXED.includes(part)) && moved(part, before.box, box).length)
        found.push(
          `${part} jumps from ${before.box.map(Math.round)} (${before.screen}) to ${box.map(Math.round)} (${screen})`,
        );
      if (before && !there && at - before.at < FLASH_MS) found.push(`${part} flashes in ${screen}`);
    }
    // The parts of the previous record were visible until now.
    for (const [part, box] of Object.entries(boxes)) seen.set(part, { screen, box, at: all[i + 1]?.at ?? at });
  }
  return found;
}

/** Describes the parts that overlap. @param {Recorded} recorded */
function piled({ screen, boxes }) {
  // The banner's box is wider than its text, which visual.test.mjs measures.
  const solid = Object.entries(boxes).filter(([what]) => what !== "#banner");
  const all = solid.map(([what, [left, top, right, bottom]]) => ({
    ...{ what, text: screen, left, top, right, bottom, size: 0, node: 0 },
  }));
  return all.flatMap((box, i) => overlaps([box], all.slice(i + 1)));
}

evening(
  "an evening of five games: nothing jumps, flashes or lies on anything else between screens",
  async (venue) => {
    const tv = await venue.tv();
    await record(tv);
    const wren = await venue.phone("Wren");
    await tv.says("#people", "Wren");
    await wren.page.tap('.pick[data-slug="four"]');
    await tv.on("open");
    const heron = await venue.phone("Heron");
    await tv.on("play");
    const robin = await venue.phone("Robin");
    await tv.says("#next", "Robin");
    for (let game = 0; game < GAMES; game++) {
      const challenger = game % 2 ? robin : heron;
      await challenger.on("yours");
      if (game === GAMES - 1) await robin.leave();
      await playOut([wren, challenger], CHAMPION_WINS);
      await tv.on("result");
      const coins = await tv.page
        .waitForFunction(
          (n) =>
            document.querySelectorAll("#moment .crown").length === n && {
              coins: document.querySelectorAll("#moment .coin").length,
            },
          game + 1,
        )
        .then((handle) => handle.evaluate((found) => (found ? found.coins : 0)));
      assert.equal(coins > 0, game === GAMES - 1, "a fifth win in a row is celebrated again");
      if (game < GAMES - 1) await tv.on("play");
    }
    await tv.on("rematch");
    await heron.leave();
    await tv.on("open");
    const all = await tv.page.evaluate(() => window.recorded);
    const screens = new Set(all.map(({ screen }) => screen));
    assert.deepEqual([...screens].sort(), ["menu", "open", "play", "rematch", "result"]);
    assert(all.length > 2 * GAMES, "each change was recorded");
    assert.deepEqual(faults(all), []);
    assert.deepEqual(all.flatMap(piled), []);
  },
  { result: 4, attract: 60 },
);
