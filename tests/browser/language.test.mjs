// Tests every screen of pad and TV in every language: no text is cut off, overlaps or is still English. Tests the switch as well.
import assert from "node:assert/strict";
import axe from "axe-core";
import { CHALLENGER_WINS } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";
import { boxes, collisions, outside, textBoxes } from "./layout.mjs";

/** @typedef {import("./harness.mjs").Phone} Phone */
/** @typedef {import("./harness.mjs").Tv} Tv */

const WIDE = "WWWWWWWWWWWW";
const WIDER = "MMMMMMMMMMMM";
/** Part of each edge that a TV may cut off. */
const SAFE = 0.05;
/** @type {[number, number][]} the smallest and the largest of each */
const PHONES = [
  [320, 568],
  [430, 932],
];
/** @type {[number, number][]} */
const TVS = [
  [960, 540],
  [3840, 2160],
];
/** Texts that may be the same in English and German: names, codes, and words that both languages have. */
const SAME =
  /^(\W*|[WM]{10,12}( \d)?[?:]?|[WM ]+|[B-Z]{4}|Doozer|Games|Code|Champion|Reversi|Mancala|http:.*|[\d.:]+|\d+)$/;

/** Sets the language of a page. @param {Phone | Tv} shown @param {string} code */
async function speak({ page }, code) {
  await page.evaluate(async (wanted) => {
    const mechanism = "/js/language.js";
    /** @type {typeof import("../../www/js/language.js")} */
    const { setLanguage } = await import(mechanism);
    await setLanguage(wanted);
  }, code);
}

/** Returns the languages that a page has. @param {Phone | Tv} shown @returns {Promise<string[]>} */
const codesOf = ({ page }) => page.evaluate(() => (document.documentElement.dataset.languages ?? "").split(" "));

/** Returns the lines of the TV's card with the code that reach its edge. */
function atCardsEdge() {
  const card = document.querySelector("#card")?.getBoundingClientRect();
  const gap = 0.25 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  return [...document.querySelectorAll("#card .fit > span")]
    .filter((line) => {
      const { left, right, width } = line.getBoundingClientRect();
      return card && width && (left < card.left + gap || right > card.right - gap);
    })
    .map((line) => line.textContent);
}

/**
 * Checks a page in every language at its smallest and its largest size, and compares German with English.
 * @param {Phone | Tv} shown
 * @param {string} name
 * @param {[number, number][]} sizes
 * @param {number} margin part of each edge that must be empty
 * @param {RegExp} [over] the elements that are on top of all others
 */
async function look(shown, name, sizes, margin, over = /^/) {
  const { page } = shown;
  /** @type {Map<string, string[]>} */
  const said = new Map();
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const code of await codesOf(shown)) {
      await speak(shown, code);
      await shown.still();
      /** @type {import("./layout.mjs").Box[]} */
      const all = (await textBoxes(page, { clipped: margin === 0 })).filter(({ what }) => over.test(what));
      const text = all.map((box) => ({
        ...box,
        top: box.top + 0.1 * box.size,
        bottom: box.bottom - 0.1 * box.size,
      }));
      const what = `${name} in ${code} at ${width}`;
      said.set(
        code,
        text.map((box) => box.text),
      );
      assert.equal(await page.evaluate(() => document.documentElement.lang), code);
      assert.deepEqual(collisions(text), [], `${what}: texts on one another`);
      const frame = { left: width * margin, top: margin ? height * margin : -Infinity, right: width * (1 - margin) };
      const bottom = margin ? height * (1 - margin) : Infinity;
      const solid = margin ? await boxes(page, "#board .plate, .seat, #card") : [];
      assert.deepEqual(outside([...text, ...solid], { ...frame, bottom }), [], `${what}: leaves its place`);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll("button, select, #headline, #hint, h2, .label")]
          .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
          .filter((node) => getComputedStyle(node).display !== "inline" && !node.classList.contains("fit"))
          .map((node) => `${node.id || node.className}: ${node.textContent}`),
      );
      assert.deepEqual(await page.evaluate(atCardsEdge), [], `${what}: at the edge of the card`);
      // The TV shortens its lines itself, and a tile's glow is larger than the tile, so the TV's texts are not checked here.
      if (margin === 0) assert.deepEqual(cut, [], `${what}: cut off`);
      if (["de", "pl", "pt"].includes(code)) await shown.shot(`lang-${name}-${code}-${width}`);
    }
  }
  const english = new Set(said.get("en"));
  const left = (said.get("de") ?? []).filter((text) => english.has(text) && !SAME.test(text));
  assert.deepEqual(left, [], `${name}: English in German`);
  await speak(shown, "en");
}

/** Asserts that a page in German violates none of axe-core's rules. @param {Phone | Tv} shown */
async function judge(shown) {
  await speak(shown, "de");
  await shown.page.evaluate(axe.source);
  const violations = await shown.page.evaluate(async () => {
    /** @type {typeof import("axe-core")} */
    const judgement = /** @type {any} */ (window).axe;
    return (await judgement.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  assert.deepEqual(violations, []);
  await speak(shown, "en");
}

evening(
  "every screen in every language: nothing is cut off, and no English is left in German",
  async (venue) => {
    const tv = await venue.tv();
    const wide = await venue.phone(WIDE, { join: false });
    await look(wide, "pad-join", PHONES, 0);
    await wide.join();
    await wide.on("menu");
    const wider = await venue.phone(WIDER);
    await look(tv, "tv-menu", TVS, SAFE);
    await look(wide, "pad-menu", PHONES, 0);
    await judge(tv);
    // A phone outside of a room has no switch. It keeps its language.
    await speak(wider, "de");
    await wider.leave();
    await wider.says("#headline", "Du bist raus");
    await speak(wider, "en");
    await wide.page.tap('.pick[data-slug="four"]');
    await wide.on("wait");
    await look(wide, "pad-wait", PHONES, 0);
    await look(tv, "tv-open", TVS, SAFE);
    await wider.page.tap("#again");
    await wider.join();
    await wider.on("yours");
    const third = await venue.phone(WIDE);
    await third.on("line");
    await look(wider, "pad-yours", PHONES, 0);
    await look(wide, "pad-theirs", PHONES, 0);
    await look(third, "pad-line", PHONES, 0);
    await look(tv, "tv-play", TVS, SAFE);
    await judge(third);
    await third.page.tap("#leave");
    await look(third, "pad-leave", PHONES, 0, /^#(ask|leave-)/);
    await third.page.tap("#leave-yes");
    await playOut([wide, wider], CHALLENGER_WINS);
    await wider.on("result");
    await look(tv, "tv-result", TVS, SAFE);
    await look(wider, "pad-result", PHONES, 0);
  },
  { turn: 600, result: 600 },
);

evening(
  "the time in line in every language",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv/four" });
    const wide = await venue.phone(WIDE);
    const wider = await venue.phone(WIDER);
    await venue.phone("WWWWWWWWWWW");
    const last = await venue.phone(WIDE);
    await last.on("line");
    assert.doesNotMatch((await last.page.textContent("#hint")) ?? "", /minute/, "before a game is over");
    await playOut([wide, wider], CHALLENGER_WINS);
    await tv.on("result");
    await last.says("#hint", "About 1 minute.");
    await tv.on("play");
    await last.says("#hint", "About 1 minute.");
    // The loser is behind.
    await wide.says("#hint", /is next\. About \d/);
    await look(wide, "pad-wait-minutes", PHONES, 0);
    await judge(last);
    await judge(tv);
  },
  { turn: 600, result: 1 },
);

evening(
  "a rematch in every language",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv/four" });
    const wide = await venue.phone(WIDE);
    const wider = await venue.phone(WIDER);
    await playOut([wide, wider], CHALLENGER_WINS);
    await wide.on("rematch");
    await look(wide, "pad-rematch", PHONES, 0);
    await look(wider, "pad-wait-rematch", PHONES, 0);
    await look(tv, "tv-rematch", TVS, SAFE);
  },
  { turn: 600, rematch: 600 },
);

evening("a phone speaks its guest's language, and remembers another choice", async (venue) => {
  await venue.tv({ path: "/tv/four" });
  const page = await venue.page({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: "pt-BR" }, "Rui");
  await page.goto(`${venue.box.origin}/${venue.code}`);
  await page.waitForFunction(() => document.querySelector("#play")?.textContent === "Jogar");
  assert.equal(await page.evaluate(() => document.documentElement.lang), "pt");
  await page.fill("#nick-input", "Rui");
  await page.tap("#play");
  await page.waitForSelector('body[data-screen="wait"]');
  await page.tap("#leave");
  await page.selectOption("#ask select", "de");
  await page.waitForFunction(() => document.querySelector("#headline")?.textContent === "Wer fordert dich heraus?");
  await page.reload();
  await page.waitForSelector('body[data-screen="wait"]');
  assert.equal(await page.textContent("#headline"), "Wer fordert dich heraus?");
  assert.equal(await page.inputValue("#ask select"), "de");
});

evening(
  "the TV speaks the language of the settings, and its menu calls in each of several",
  async (venue) => {
    const tv = await venue.tv();
    await tv.says("#card .call", "Scanne mit dem Handy");
    await tv.says("#card .call", "Scan with your phone");
    assert.equal(await tv.page.evaluate(() => document.documentElement.lang), "de");
    await tv.says("#pitch", "Wer gewinnt, bleibt");
    await tv.page.reload();
    await tv.code();
    assert.equal(await tv.page.evaluate(() => document.documentElement.lang), "de", "from its first word on");
  },
  { flags: ["--language", "de,en"] },
);
