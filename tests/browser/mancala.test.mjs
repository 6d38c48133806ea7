// Tests Mancala by thumb: a complete game with extra turns and captures.
import assert from "node:assert/strict";
import { record } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";

/** @typedef {import("./harness.mjs").Phone} Phone */
/** @typedef {import("./harness.mjs").Tv} Tv */

/** Returns the counts of seeds that a page shows, in the order of the wire. A store's count is beside the name of its side. @param {Tv | Phone} shown @returns {Promise<number[]>} */
function written(shown) {
  return shown.page.evaluate(() => {
    const pits = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#board .count[data-count]")]);
    const stores = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".seat .count")]);
    pits.sort((a, b) => Number(a.dataset.cell) - Number(b.dataset.cell));
    return [...pits, ...stores].map((node) => Number(node.innerText));
  });
}

/** Returns the number of visible seeds in each store, and whether they are at its bottom. @param {Tv | Phone} shown */
function heaps(shown) {
  return shown.page.evaluate(() =>
    ["12", "13"].map((cell) => {
      const store = document.querySelector(`#board [data-cell="${cell}"]`)?.getBoundingClientRect();
      const seeds = [...document.querySelectorAll("#board .seed")].map((seed) => seed.getBoundingClientRect());
      if (!store) return { seeds: NaN, high: NaN, low: NaN };
      const inside = seeds
        .map(({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 }))
        .filter(({ x, y }) => x > store.left && x < store.right && y > store.top && y < store.bottom);
      const parts = inside.map(({ y }) => (store.bottom - y) / store.height);
      return { seeds: inside.length, high: Math.max(...parts), low: Math.min(...parts) };
    }),
  );
}

/** Returns the number of seeds that lie over the rim of their place. @param {Tv | Phone} shown */
function overRims(shown) {
  return shown.page.evaluate(() => {
    const slack = 4; // A turned seed's box is larger than the seed.
    const rims = [...document.querySelectorAll("#board .rim")].map((rim) => rim.getBoundingClientRect());
    const seeds = [...document.querySelectorAll("#board .seed")].map((seed) => seed.getBoundingClientRect());
    const lies = (/** @type {DOMRect} */ seed, /** @type {DOMRect} */ rim) =>
      seed.left > rim.left - slack &&
      seed.right < rim.right + slack &&
      seed.top > rim.top - slack &&
      seed.bottom < rim.bottom + slack;
    return seeds.filter((seed) => !rims.some((rim) => lies(seed, rim))).length;
  });
}

evening(
  "a whole game on two phones, counted on every screen at each move, with extra turns and captures",
  async (venue) => {
    const { moves, again, captures, stores } = record("mancala");
    assert(again.length && captures.length, "the recorded game has both");
    const tv = await venue.tv({ path: "/tv/mancala" });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await tv.seats("Wren", "Heron");

    await playOut([wren, heron], moves, async (ply, mover) => {
      const [champion, challenger] = stores[ply - 1];
      await tv.says('.seat[data-seat="0"] .count', new RegExp(`^${champion}$`));
      await tv.says('.seat[data-seat="1"] .count', new RegExp(`^${challenger}$`));
      const other = mover === wren ? heron : wren;
      for (const screen of [tv, other]) await screen.follows(mover);
      await other.says('.seat[data-seat="1"] .count', new RegExp(`^${challenger}$`));
      await tv.still();
      const seeds = await written(tv);
      assert.equal(
        seeds.reduce((sum, n) => sum + n, 0),
        48,
      );
      assert.deepEqual(seeds.slice(12), [champion, challenger]);
      assert.deepEqual([await written(wren), await written(heron)], [seeds, seeds], "all screens count the same");
      for (const [side, heap] of (await heaps(tv)).entries()) {
        assert.equal(heap.seeds, seeds[12 + side], "what is counted is seen");
        assert(!heap.seeds || heap.low < 0.2, "a store is filled from the bottom");
        assert(heap.seeds > 6 || !(heap.high > 0.4), `${heap.seeds} seeds lie as high as ${heap.high}`);
      }
      assert.equal(await overRims(tv), 0, "seeds over a rim");
      if (!again.includes(ply)) return;
      await tv.says("#banner", new RegExp(`^${mover.nick} goes again$`));
      await mover.says("#headline", /^You go again$/);
      await other.says("#headline", new RegExp(`^${mover.nick} goes again$`));
    });

    await tv.on("result");
    await tv.says("#banner", /^Heron wins, 30 to 18 ?Who takes on Heron\?$/);
    await heron.says("#headline", /You won, 30 to 18/);
    await wren.says("#hint", /Heron wins, 30 to 18/);
  },
  { result: 10 },
);

evening("one's own pits lie below, in a thumb's reach, and only those with seeds can be sown", async (venue) => {
  const tv = await venue.tv({ path: "/tv/mancala" });
  const wren = await venue.phone("Wren", { width: 320, height: 568 });
  const heron = await venue.phone("Heron", { width: 320, height: 568 });
  await heron.play(1);
  await wren.on("yours");
  assert.deepEqual(await wren.lit(), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(await heron.lit(), []);
  await wren.play(2);
  assert.deepEqual(await wren.lit(), [0, 1, 3, 4, 5], "an extra turn, and one pit is empty");
  await heron.follows(wren);
  for (const phone of [wren, heron]) {
    const keys = await phone.page.locator(".key").all();
    for (const [v, key] of keys.entries()) {
      const box = await key.boundingBox();
      assert(box && box.width >= 44 && box.height >= 44, `pit ${v} is ${box?.width} × ${box?.height}`);
      const label = await key.getAttribute("aria-label");
      const pit = (await written(phone))[(phone === wren ? 0 : 6) + v];
      assert.equal(label, `pit ${v + 1}, ${pit} ${pit === 1 ? "seed" : "seeds"}`);
    }
    // The count of the own first pit lies inside the button of that pit.
    const own = await phone.page.locator(`[data-cell="${phone === wren ? 0 : 6}"]`).boundingBox();
    const key = await keys[0]?.boundingBox();
    assert(
      own &&
        key &&
        own.x >= key.x - 1 &&
        own.x + own.width <= key.x + key.width + 1 &&
        own.y + own.height <= key.y + key.height + 1,
    );
  }
  await tv.says("#banner", /Wren goes again/);
});
