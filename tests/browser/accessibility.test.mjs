// Tests accessibility: axe-core's rules on every screen, the focus, and announced moves.
import assert from "node:assert/strict";
import axe from "axe-core";
import { CHALLENGER_WINS, CHALLENGER_WIPES_OUT, recorded, SLUGS } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";
import { joinByKeys, playByKeys, pressOn } from "./keyboard.mjs";

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

/** The shortest known games. For other games a recorded one is played. @type {Record<string, number[]>} */
const SHORT = { four: CHALLENGER_WINS, reversi: CHALLENGER_WIPES_OUT };

for (const slug of SLUGS) {
  evening(
    `${slug} by keyboard alone, and no screen on the way breaks a rule of accessibility`,
    async (venue) => {
      const tv = await venue.tv();
      const wren = await venue.phone("Wren", { join: false });
      // Screens without a board are the same for every game.
      const first = slug === SLUGS[0];
      if (first) await judge(tv, "TV menu");
      if (first) await judge(wren, "join");
      await joinByKeys(wren);
      await wren.on("menu");
      if (first) await judge(wren, "menu");
      await pressOn(wren, `.pick[data-slug="${slug}"]`);
      await wren.on("wait");
      await judge(wren, "wait");
      await judge(tv, "TV open");
      const heron = await venue.phone("Heron", { join: false });
      await joinByKeys(heron);
      await heron.on("yours");
      const robin = await venue.phone("Robin");
      await robin.on("line");
      await judge(tv, "TV play");
      await judge(heron, "yours");
      await judge(wren, "theirs");
      await judge(robin, "line");
      await pressOn(robin, "#stepout");
      await robin.on("out");
      await judge(robin, "out");
      await pressOn(heron, "#leave");
      await judge(heron, "leave");
      await pressOn(heron, "#leave-no");
      assert.equal(await heron.page.evaluate(() => document.activeElement?.id), "leave", "the focus is back");

      await playOut([wren, heron], recorded(slug), undefined, playByKeys);
      await Promise.all([tv, wren, heron].map((screen) => screen.on("result")));
      await judge(tv, "TV result");
      await judge(wren, "result");
      await judge(heron, "the other's result");
      await pressOn(heron, "#leave");
      await pressOn(heron, "#leave-yes");
      await heron.on("gone");
      if (first) await judge(heron, "gone");
    },
    { turn: 600, result: 600 },
  );
}

evening(
  "no screen of a rematch breaks a rule of accessibility",
  async (venue) => {
    const tv = await venue.tv();
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    for (const slug of SLUGS) {
      await Promise.all([wren, heron].map((phone) => phone.on("menu")));
      await pressOn(wren, `.pick[data-slug="${slug}"]`);
      await playOut([wren, heron], SHORT[slug] ?? recorded(slug));
      await tv.on("rematch");
      await judge(tv, "TV rematch");
      const asked = await Promise.any([wren, heron].map((phone) => phone.on("rematch").then(() => phone)));
      await judge(asked, "rematch");
      const champion = asked === wren ? heron : wren;
      await champion.on("wait");
      await judge(champion, "the minute");
      await pressOn(asked, "#rematch");
      await tv.on("play");
      await asked.leave();
      await champion.on("wait");
      await pressOn(champion, "#home");
      await pressOn(asked, "#again");
      await asked.join();
    }
  },
  { turn: 600, rematch: 600 },
);

evening(
  "nor do the screens of a game against the House, of the older tab, and of a phone that is too old",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv/four" });
    const wren = await venue.phone("Wren");
    await wren.on("wait");
    await pressOn(wren, "#house");
    await wren.on("yours");
    await judge(wren, "the House");
    await judge(tv, "TV with the House");
    const page = await wren.page.context().newPage();
    venue.watch(page, "Wren's second tab");
    await page.goto(`${venue.box.origin}/${venue.code}`);
    await wren.on("gone");
    await wren.page.bringToFront();
    await judge(wren, "the older tab");

    const old = await venue.phone("Robin", { join: false, path: "/" });
    await old.page.route("**/js/pad/main.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
    await old.page.reload();
    await old.says("h1[aria-live]", /too old to play/);
    await judge(old, "too old");
  },
);

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
