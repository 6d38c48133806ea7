// Tests animations: started by their event, drawn only by the GPU, and removed at their end.
import assert from "node:assert/strict";
import { CHAMPION_WINS, recorded, SLUGS, WHOLE_GAME } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";

/** @typedef {import("./harness.mjs").Tv} Tv */

/** The properties that the GPU animates without layout or paint. */
const CHEAP = new Set(["transform", "opacity"]);

/** Waits until the board has no animation and no new class. @param {Tv} tv @param {string} classes */
async function clean(tv, classes) {
  await tv.still();
  const left = await tv.page.evaluate(() => {
    const board = /** @type {Element} */ (document.querySelector("#board"));
    return board
      .getAnimations({ subtree: true })
      .map((animation) => `${animation.playState} ${JSON.stringify(animation.effect?.getComputedTiming())}`);
  });
  assert.deepEqual(left, [], "animations are left on the board");
  assert.equal(await tv.boardClasses(), classes, "classes have changed on the board");
}

for (const slug of SLUGS) {
  const moves = recorded(slug).slice(0, 12);
  evening(`${slug}: what moves is transform and opacity alone, and nothing is left of it`, async (venue) => {
    const tv = await venue.tv({ path: `/tv/${slug}` });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await tv.on("play");
    await tv.still();
    const classes = await tv.boardClasses();
    await tv.note();
    await wren.note();
    await playOut([wren, heron], moves, async (_, mover) => {
      await tv.follows(mover);
      await clean(tv, classes);
    });
    for (const page of [tv.page, wren.page]) {
      const started = await page.evaluate(() => window.started);
      assert(
        page !== tv.page || started.filter(({ board }) => board).length >= moves.length,
        "each move is animated on the TV",
      );
      const dear = started.flatMap(({ properties }) => properties.filter((property) => !CHEAP.has(property)));
      assert.deepEqual(dear, [], "these would be laid out or painted in every frame");
    }
  });

  evening(`${slug}: a view that skips moves, and a reload, draw without animating`, async (venue) => {
    const tv = await venue.tv({ path: `/tv/${slug}`, proxy: true });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await playOut([wren, heron], moves.slice(0, 1), (_, mover) => tv.follows(mover));
    await tv.still();
    const before = await tv.cells();
    const [proxy] = venue.proxies;
    proxy?.cut({ shut: true });
    await tv.link("down");
    let played = "";
    await playOut([wren, heron], moves.slice(1, 4), async (_, mover) => void (played = await mover.cells()));
    assert.equal(await tv.cells(), before, "the board stays while the daemon is not to be reached");
    await tv.note();
    proxy?.mend();
    await tv.link("up");
    await tv.shows(played);
    assert.deepEqual(await tv.page.evaluate(() => window.started.filter(({ board }) => board)), []);
    await tv.page.reload();
    await tv.shows(played);
    assert.deepEqual(
      await tv.page.evaluate(() => document.querySelector("#board")?.getAnimations({ subtree: true }).length),
      0,
    );
  });
}

evening("moves that come while stones still move leave the right picture", async (venue) => {
  const tv = await venue.tv({ path: "/tv/reversi" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await playOut([wren, heron], WHOLE_GAME.moves.slice(0, 31));
  await tv.stones(35);
  await tv.still();
  const cells = await tv.cells();
  assert.deepEqual(await tv.painted(), cells, "each stone shows the colour that it has");
  await wren.follows(tv);
  await wren.still();
  assert.equal(await wren.painted(), cells);
});

evening("the winning stones pulse by transform alone, as long as the result stands", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await tv.on("play");
  await tv.note();
  await playOut([wren, heron], CHAMPION_WINS);
  await tv.on("result");
  await tv.page.waitForFunction(() =>
    document
      .querySelector("#board")
      ?.getAnimations({ subtree: true })
      .some((animation) => animation.effect?.getComputedTiming().iterations === Infinity),
  );
  const started = await tv.page.evaluate(() => window.started);
  assert.deepEqual(
    started.flatMap(({ properties }) => properties.filter((property) => !CHEAP.has(property))),
    [],
  );
  const pulses = await tv.page.evaluateHandle(
    () => document.querySelector("#board")?.getAnimations({ subtree: true }) ?? [],
  );
  await heron.page.tap("#rematch");
  await tv.on("play");
  assert.deepEqual(
    await pulses.evaluate((all) => all.map(({ playState }) => playState).filter((state) => state === "running")),
    [],
    "what is gone must not go on pulsing unseen",
  );
});
