// Tests the pad on small phones, in landscape, and with hostile names.
import assert from "node:assert/strict";
import { CHALLENGER_WINS, SLUGS } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";
import { boxes, collisions, outside, textBoxes } from "./layout.mjs";

/** @typedef {import("./harness.mjs").Venue} Venue */
/** @typedef {import("./harness.mjs").Phone} Phone */

const SIZES = [
  [320, 568],
  [360, 640],
  [390, 844],
  [844, 390],
];

/** Asserts that every control of the current screen can be reached at every size. @param {Phone} phone @param {string} name */
async function reach(phone, name) {
  for (const [width = 0, height = 0] of SIZES) {
    await phone.page.setViewportSize({ width, height });
    await phone.shot(`pad-${name}-${width}x${height}`);
    const controls = await boxes(phone.page, "button, input, a[href], #board [data-move]");
    assert(controls.length > 0, `${name}: there are controls`);
    assert.deepEqual(
      outside(controls, { left: 0, top: 0, right: width, bottom: height }),
      [],
      `${name} at ${width} × ${height}`,
    );
    const wide = await phone.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    // The dialog about leaving covers the rest.
    const asks = (await boxes(phone.page, "#ask")).length > 0;
    assert.deepEqual(
      asks ? [] : collisions(await textBoxes(phone.page, { clipped: true })),
      [],
      `${name} at ${width} × ${height}: texts on one another`,
    );
    assert.equal(wide, 0, `${name} at ${width} × ${height} scrolls sideways`);
  }
  await phone.page.setViewportSize({ width: 390, height: 844 });
}

for (const slug of SLUGS) {
  evening(
    `every control is in reach on every screen: ${slug}`,
    async (venue) => {
      const tv = await venue.tv();
      const wren = await venue.phone("WWWWWWWWWWWW", { join: false });
      await wren.on("join");
      // These two screens are the same for every game.
      const first = slug === SLUGS[0];
      if (first) await reach(wren, "join");
      // The visible part of a small phone while its keyboard is open.
      await wren.page.setViewportSize({ width: 320, height: 300 });
      await wren.page.tap("#nick-input");
      const [play] = await boxes(wren.page, "#play");
      assert(play && play.bottom <= 300, "the button stays in sight with the keyboard open");
      await wren.page.setViewportSize({ width: 390, height: 844 });
      await wren.join();
      await wren.on("menu");
      if (first) await reach(wren, "menu");
      await wren.page.tap(`.pick[data-slug="${slug}"]`);
      await wren.on("wait");
      await reach(wren, `${slug}-wait`);
      const heron = await venue.phone("MMMMMMMMMMMM");
      const robin = await venue.phone("Robin");
      await heron.on("yours");
      await reach(heron, `${slug}-yours`);
      await heron.page.tap("#leave");
      await reach(heron, `${slug}-leave`);
      await heron.page.tap("#leave-no");
      await wren.on("theirs");
      await reach(wren, `${slug}-theirs`);
      await robin.on("line");
      await reach(robin, `${slug}-line`);
      await robin.page.tap("#stepout");
      await robin.on("out");
      await reach(robin, `${slug}-out`);
      if (slug === "four") await playOut([wren, heron], CHALLENGER_WINS);
      else await heron.leave();
      await wren.on("result");
      await reach(wren, `${slug}-result`);
      if (slug === "four") {
        await wren.on("rematch");
        await reach(wren, `${slug}-rematch`);
        await heron.on("wait");
        await reach(heron, `${slug}-wait-rematch`);
      }
      await tv.on("open", "rematch");
    },
    { result: 10 },
  );
}

/** Hostile names. The first two are the players, so that every place with a name shows them. One could become an element, one an attribute. */
const HOSTILE = [
  "&quot;><b>x",
  'a" onfocus=x',
  "' onclick=x",
  "${7*7}",
  "{{7*7}}",
  "javascript:x",
  "</script>",
  "`tick`",
];

/**
 * Shows the screens of an evening with these people.
 * @param {Venue} venue
 * @param {string[]} nicks
 * @returns {Promise<number[]>} how many elements and attributes there are on each screen of TV and phones
 */
async function walk(venue, nicks) {
  /** @type {number[]} */
  const counts = [];
  const tv = await venue.tv();
  /** @param {{page: import("playwright-core").Page}[]} shown */
  const count = async (...shown) => {
    for (const { page } of shown) {
      counts.push(
        await page.evaluate(() => {
          const nodes = [...document.querySelectorAll("*")];
          // The narrowing of the cards depends on the letters. It is a style property and not one of our attributes.
          return (
            nodes.length +
            nodes.reduce((sum, node) => sum + [...node.attributes].filter(({ name }) => name !== "style").length, 0)
          );
        }),
      );
    }
  };
  /** @type {Phone[]} */
  const people = [];
  for (const nick of nicks) people.push(await venue.phone(nick));
  const [first, second] = people;
  assert(first && second);
  for (const nick of nicks) for (const screen of [tv, first]) await screen.says("#people", nick);
  await count(tv, first);
  await first.page.tap('.pick[data-slug="four"]');
  await tv.seats(nicks[0] ?? "", nicks[1] ?? "");
  for (const nick of nicks.slice(2)) await tv.says("#next", nick);
  await second.on("yours");
  await first.on("theirs");
  for (const phone of people.slice(2)) await phone.on("line");
  for (const phone of [first, second])
    for (const seat of [0, 1]) await phone.says(`.seat[data-seat="${seat}"] .nick`, nicks[seat] ?? "");
  // The banner names both players for the first three seconds.
  await tv.page.waitForFunction(() => document.querySelectorAll("#banner bdi").length < 2);
  await count(tv, ...people);
  await playOut([first, second], CHALLENGER_WINS);
  await tv.on("result");
  await tv.says("#banner", nicks[1] ?? "");
  await Promise.all([first.on("result"), second.on("result")]);
  // The winning stones get their rings when the last stone has landed.
  for (const { page } of [tv, first, second])
    await page.waitForFunction(() => document.querySelectorAll("#board .ringed").length === 4);
  await count(tv, first, second);
  return counts;
}

evening(
  "names that are meant to do harm are shown letter for letter, and add nothing to any page",
  async (venue) => {
    const harmful = await walk(venue, HOSTILE);
    const plain = await walk(
      venue,
      HOSTILE.map((nick, i) => String.fromCharCode(65 + i).repeat(nick.length)),
    );
    assert.deepEqual(harmful, plain);
  },
  { result: 8 },
);

evening("a guest's phone is no secure context, and the pages do without", async (venue) => {
  const tv = await venue.tv();
  const wren = await venue.phone("Wren");
  const expected = new URL(venue.box.origin).hostname === "127.0.0.1";
  for (const { page } of [tv, wren]) assert.equal(await page.evaluate(() => isSecureContext), expected);
});

evening("a keyboard alone plays, and a screen reader hears what there is", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron", { join: false });
  await heron.page.focus("#nick-input");
  await heron.page.keyboard.press("ControlOrMeta+A");
  await heron.page.keyboard.type("Heron");
  await heron.page.keyboard.press("Enter");
  await heron.on("yours");
  const move = () => heron.page.evaluate(() => document.activeElement?.getAttribute("data-move") ?? null);
  for (let i = 0; i < 12 && (await move()) === null; i += 1) await heron.page.keyboard.press("Tab");
  const from = Number(await move());
  await heron.page.keyboard.press(from < 6 ? "ArrowRight" : "ArrowLeft");
  const to = Number(await move());
  assert.equal(Math.abs(to - from), 1, "an arrow leads to the next column");
  await heron.page.keyboard.press("Enter");
  for (const screen of [tv, wren, heron]) await screen.stones(1);
  assert.equal(await heron.page.getAttribute(`[data-move="${to}"]`, "aria-label"), `column ${to + 1}, 1 stone`);
  assert.equal(await wren.page.getAttribute(`[data-move="${to}"]`, "aria-label"), `column ${to + 1}, 1 stone`);
  const mute = await wren.page.evaluate(() => {
    const seen = [...document.querySelectorAll("button, input")].filter((node) => node.checkVisibility());
    return seen
      .filter((node) => !node.textContent?.trim() && !node.getAttribute("aria-label") && !node.id.endsWith("-input"))
      .map((node) => node.outerHTML);
  });
  assert.deepEqual(mute, [], "controls without a name");
});

evening("a phone that asks for less motion gets none", async (venue) => {
  const tv = await venue.tv({ path: "/tv/reversi" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await wren.page.emulateMedia({ reducedMotion: "reduce" });
  await wren.on("theirs");
  await wren.note();
  await heron.play(19);
  await wren.on("yours");
  await wren.stones(5);
  await wren.still();
  assert.deepEqual(await wren.page.evaluate(() => window.started.filter(({ board }) => board)), []);
  await tv.stones(5);
});
