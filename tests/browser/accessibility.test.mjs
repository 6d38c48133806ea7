// Tests accessibility: axe-core's rules on every screen, the focus, and announced moves.
import assert from "node:assert/strict";
import axe from "axe-core";
import { CHALLENGER_WINS, SLUGS } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";

/** @typedef {import("./harness.mjs").Phone} Phone */
/** @typedef {import("./harness.mjs").Tv} Tv */

/** Asserts that a page violates none of axe-core's rules. @param {Phone | Tv} shown @param {string} what */
async function judge({ page }, what) {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    /** @type {typeof import("axe-core")} */
    const judgement = /** @type {any} */ (window).axe;
    const { violations } = await judgement.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 100)).join(" ")}`);
  });
  assert.deepEqual(violations, [], what);
}

for (const slug of SLUGS) {
  evening(
    `no screen breaks a rule of accessibility: ${slug}`,
    async (venue) => {
      const tv = await venue.tv();
      const wren = await venue.phone("Wren", { join: false });
      await judge(tv, "TV menu");
      await judge(wren, "join");
      await wren.join();
      await wren.on("menu");
      await judge(wren, "menu");
      await wren.page.tap(`.pick[data-slug="${slug}"]`);
      await wren.on("wait");
      await judge(wren, "wait");
      await judge(tv, "TV open");
      const heron = await venue.phone("Heron");
      const robin = await venue.phone("Robin");
      await heron.on("yours");
      await robin.on("line");
      await judge(tv, "TV play");
      await judge(heron, "yours");
      await judge(wren, "theirs");
      await judge(robin, "line");
      await robin.page.tap("#stepout");
      await robin.on("out");
      await judge(robin, "out");
      await heron.page.tap("#leave");
      await judge(heron, "leave");
      await heron.page.tap("#leave-yes");
      await wren.on("result");
      await judge(wren, "result");
      await judge(heron, "gone");
      await judge(tv, "TV result");
    },
    { result: 60 },
  );
}

evening(
  "focus goes to the board or the headline when its button is gone, and the other's move is spoken",
  async (venue) => {
    await venue.tv({ path: "/tv/four" });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await playOut([wren, heron], CHALLENGER_WINS);
    await wren.on("rematch");
    await wren.page.focus("#rematch");
    await wren.page.keyboard.press("Enter");
    await wren.on("yours");
    assert.notEqual(await wren.page.evaluate(() => document.activeElement?.getAttribute("data-move") ?? null), null);
    await wren.play(5);
    await heron.on("yours");
    assert.equal(await heron.text("#words #played"), "Wren: column 6");
    assert.equal(await wren.text("#words #played"), "");
    await wren.leave();
    await wren.on("gone");
    assert.equal(await wren.page.evaluate(() => document.activeElement?.id), "headline");
  },
);

evening("a name that is written from right to left leaves the order of a sentence alone", async (venue) => {
  await venue.tv();
  const ann = await venue.phone("Ann");
  for (const nick of ["\u05d3\u05e0\u05d9\u05d0\u05dc", "\u0645\u062d\u0645\u062f", "007"]) await venue.phone(nick);
  await ann.says("#people", /007/);
  const left = await ann.page.evaluate(() => {
    const text = document.querySelector("#people")?.firstChild;
    return ["Ann", "\u05d3", "\u0645\u062d", "007"].map((part) => {
      const at = text?.textContent?.indexOf(part) ?? -1;
      const range = document.createRange();
      range.setStart(/** @type {Node} */ (text), at);
      range.setEnd(/** @type {Node} */ (text), at + 1);
      return range.getBoundingClientRect().left;
    });
  });
  assert.deepEqual(
    left,
    [...left].sort((a, b) => a - b),
    "from left to right as they came",
  );
});
