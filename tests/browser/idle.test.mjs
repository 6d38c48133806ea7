// Tests the idle menu: its tiles take turns in playing their last moves, in transform and opacity, and stop when somebody presses a key.
import assert from "node:assert/strict";
import { SLUGS } from "./games.mjs";
import { evening } from "./harness.mjs";

evening("the tiles of an idle menu take turns, and stand still when somebody presses a key", async (venue) => {
  const tv = await venue.tv();
  await tv.page.waitForFunction(
    (count) => document.querySelectorAll(".tile .art:not(:empty)").length === count,
    SLUGS.length,
  );
  await tv.page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/js/tv/idle.js")),
  );
  const tiles = tv.page.locator("#tiles");
  const moving = () =>
    tiles.evaluate(
      (all) =>
        [...all.querySelectorAll("[data-piece]")].filter((piece) => piece.getAnimations({ subtree: true }).length)
          .length,
    );
  assert.equal(await moving(), 0, "a minute is not over yet");

  // The same, without the minute.
  const seen = await tv.page.evaluate(async (count) => {
    const idle = "/js/tv/idle.js";
    /** @type {typeof import("../../www/js/tv/idle.js")} */
    const { takeTurns } = await import(idle);
    const tiles = /** @type {HTMLElement} */ (document.querySelector("#tiles"));
    takeTurns(tiles, 50, 400);
    /** @type {string[]} the tiles in the order of their first turns */
    const order = [];
    /** @type {Set<string>} */
    const animated = new Set();
    while (order.length < count) {
      await new Promise(requestAnimationFrame);
      for (const { effect } of document.getAnimations()) {
        if (!(effect instanceof KeyframeEffect)) continue;
        const slug = /** @type {HTMLElement | null} */ (effect.target?.closest(".tile"))?.dataset.slug;
        if (!slug) continue;
        if (!order.includes(slug)) order.push(slug);
        for (const frame of effect.getKeyframes()) for (const name of Object.keys(frame)) animated.add(name);
      }
    }
    return { order, animated: [...animated].sort() };
  }, SLUGS.length);
  assert.deepEqual(
    seen.order,
    await tv.page.$$eval(".tile", (all) => all.map((tile) => /** @type {HTMLElement} */ (tile).dataset.slug)),
  );
  assert.deepEqual(
    seen.animated.filter((name) => !["composite", "computedOffset", "easing", "offset"].includes(name)),
    ["opacity", "transform"],
  );
  const still = await tiles.evaluate((all) => {
    const moving = () =>
      all.getAnimations({ subtree: true }).filter(({ effect }) => {
        const target = effect instanceof KeyframeEffect ? effect.target : null;
        return target?.matches("[data-piece]");
      }).length;
    const before = moving();
    dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
    return [before > 0, moving()];
  });
  assert.deepEqual(still, [true, 0]);
});
