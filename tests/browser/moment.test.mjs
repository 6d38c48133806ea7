// Tests that the TV shows news only when people can see them on the board: counts with the last seed or stone, a winner after all motion.
import assert from "node:assert/strict";
import { CHAMPION_WINS, record, recorded } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";

/** The properties that the compositor animates without layout or paint. */
const CHEAP = new Set(["transform", "opacity"]);
/** A little more than the milliseconds of a frame. */
const FRAME_MS = 20;

/**
 * Records changes in `watched` from now on: each change of the board's pieces with the texts at that time, and each change of the texts
 * with the milliseconds for which the board still moves.
 * @param {import("./harness.mjs").Tv} tv
 * @param {string} selector the elements with the texts
 */
async function watch(tv, selector) {
  await tv.page.evaluate((where) => {
    const board = /** @type {Element} */ (document.querySelector("#board"));
    const nodes = [...document.querySelectorAll(where)];
    const told = () => nodes.map((node) => node.textContent).join();
    /** Returns the milliseconds until an animation no longer changes. @param {Animation} animation */
    const rest = ({ effect, currentTime }) => {
      if (!(effect instanceof KeyframeEffect) || effect.getTiming().iterations === Infinity) return 0;
      // The rings of the winning stones are not counted, because they are a part of the news.
      if (effect.target?.closest(".rings")) return 0;
      const frames = effect.getKeyframes();
      const last = frames[frames.length - 1];
      const still = frames.findIndex((_, i) =>
        frames.slice(i).every(({ transform, opacity }) => transform === last?.transform && opacity === last?.opacity),
      );
      return (frames[still]?.computedOffset ?? 0) * Number(effect.getTiming().duration) - Number(currentTime ?? 0);
    };
    window.watched = [{ told: told() }];
    new MutationObserver(() => window.watched.push({ drawn: told() })).observe(board, {
      subtree: true,
      attributeFilter: ["data-side", "data-count"],
    });
    const observer = new MutationObserver(() => {
      const moving = board.getAnimations({ subtree: true }).map(rest);
      window.watched.push({ told: told(), ...(moving.length && { left: Math.max(...moving) }) });
    });
    for (const node of nodes) observer.observe(node, { childList: true, characterData: true, subtree: true });
  }, selector);
}

/** Asserts that no text has changed too early. @param {import("./harness.mjs").Tv} tv */
async function checkWatched(tv) {
  const watched = await tv.page.evaluate(() => window.watched);
  const left = watched.flatMap((event) => event.left ?? []);
  assert(left.length, "the board was looked at while its animations were there");
  assert.deepEqual(
    left.filter((ms) => ms > FRAME_MS),
    [],
    "the board still moved, milliseconds",
  );
  let told = watched[0]?.told;
  for (const event of watched) {
    if (event.drawn !== undefined) assert.equal(event.drawn, told, "a piece has moved under what is told of it");
    told = event.told ?? told;
  }
  return watched.filter((event) => event.told !== undefined).length - 1;
}

for (const [slug, plies] of /** @type {const} */ ([
  ["mancala", 8],
  ["reversi", 4],
  ["dots", 50],
])) {
  evening(`${slug}: a count changes with the last piece, not before`, async (venue) => {
    const tv = await venue.tv({ path: `/tv/${slug}` });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await tv.on("play");
    await tv.still();
    await watch(tv, ".seat .count");
    await playOut([wren, heron], recorded(slug).slice(0, plies), async (_, mover) => {
      await tv.follows(mover);
      await tv.still();
    });
    assert((await checkWatched(tv)) > 2, "counts have changed");
  });
}

evening(
  "a winner is celebrated when the last stone lies, by transform and opacity alone, and the board stays as it was",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv/four" });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await playOut([wren, heron], CHAMPION_WINS.slice(0, -1), (_, mover) => tv.follows(mover));
    await tv.still();
    await tv.note();
    await watch(tv, "#banner");
    await wren.play(CHAMPION_WINS.at(-1) ?? 0);
    await tv.page.waitForSelector("#moment .crown", { state: "attached" });
    assert.equal(await tv.text("#moment .name"), "Wren");
    assert.equal(await tv.page.locator("#moment .crown").count(), 1);
    assert.equal(await tv.page.locator("#moment .coin").count(), 0, "gold falls for a fifth win alone");
    await tv.says("#banner", /Wren wins/);
    assert.equal(await checkWatched(tv), 1);
    await tv.page.waitForSelector("#moment", { state: "detached" });
    const started = await tv.page.evaluate(() => window.started);
    assert(
      started.some(({ board }) => !board),
      "the celebration was noted",
    );
    assert.deepEqual(
      started.flatMap(({ properties }) => properties.filter((property) => !CHEAP.has(property))),
      [],
    );
    assert.equal(await tv.cells(), await wren.cells(), "the board stays as it was played");
    // A page that is opened now has not shown the end of the game.
    await tv.page.reload();
    await tv.says("#banner", /Wren wins/);
    assert.equal(await tv.page.locator("#moment").count(), 0);
  },
  { result: 30 },
);

evening(
  "a moment ends with the result that it belongs to",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv/four" });
    const [wren, heron, robin] = [await venue.phone("Wren"), await venue.phone("Heron"), await venue.phone("Robin")];
    await playOut([wren, heron], CHAMPION_WINS);
    await tv.page.waitForSelector("#moment", { state: "attached" });
    await heron.leave();
    await tv.on("play");
    await tv.seats("Wren", "Robin");
    assert.equal(await tv.page.locator("#moment").count(), 0);
    await robin.on("yours");
  },
  { result: 30 },
);

evening(
  "a winner is celebrated although what celebrates was lost twice",
  async (venue) => {
    venue.linksBreak = true;
    const tv = await venue.tv({ path: "/tv/four" });
    let lost = 0;
    await tv.page.route("**/moment.js*", (route) => (lost < 2 ? ((lost += 1), route.abort()) : route.continue()));
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await playOut([wren, heron], CHAMPION_WINS);
    await tv.page.waitForSelector("#moment .crown", { state: "attached" });
    assert.equal(lost, 2);
  },
  { result: 30 },
);

evening("a page that is too slow to begin an animation still tells what the board shows", async (venue) => {
  const tv = await venue.tv({ path: "/tv/mancala" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await tv.on("play");
  await tv.still();
  // Each animation is cancelled before its first frame, like one that has not started when it should be over.
  await tv.page.evaluate(() => {
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...args) {
      const animation = animate.apply(this, args);
      if (this.closest("#board")) queueMicrotask(() => animation.cancel());
      return animation;
    };
  });
  const moves = recorded("mancala").slice(0, 4);
  await playOut([wren, heron], moves, async (ply) => {
    const [champion, challenger] = record("mancala").stores[ply - 1];
    await tv.says('.seat[data-seat="0"] .count', new RegExp(`^${champion}$`));
    await tv.says('.seat[data-seat="1"] .count', new RegExp(`^${challenger}$`));
  });
});
