// A whole evening as boxes, frame by frame: from screen to screen nothing jumps, flashes or lies on anything else.
import assert from "node:assert/strict";
import { CHAMPION_WINS } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";
import { overlaps } from "./layout.mjs";

const GAMES = 5;
/** Pixels by which a box may be off: edges are rounded to the screen's. */
const SLACK = 1;
/** Milliseconds for which what is gone must stay away: shorter is seen as a flash. */
const FLASH_MS = 250;
/** What stands on the TV, by its selector. */
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
/** What stays where it is from one screen of a game to the next. */
const FIXED = ["#title", "#banner", '.seat[data-seat="0"]', "#board .plate"];
/** These grow with what is written in them: away from this corner. */
const GROWS = { "#next": ["left", "bottom"], "#people": ["right", "bottom"], "#title": ["left", "top"] };

/** @typedef {Window["recorded"][number]} Recorded */
/** @typedef {[number, number, number, number]} Edges left, top, right, bottom, from the stage's corner: the drift moves that */

/** Records where everything stands, whenever that has changed since the last frame. @param {import("./harness.mjs").Tv} tv */
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

/** Returns in words what has jumped or flashed. @param {Recorded[]} all */
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
    // What stood there until now was seen until now.
    for (const [part, box] of Object.entries(boxes)) seen.set(part, { screen, box, at: all[i + 1]?.at ?? at });
  }
  return found;
}

/** Returns in words what lies on anything else. @param {Recorded} recorded */
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
