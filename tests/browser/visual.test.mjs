// Tests the TV's layout: everything inside the safe area, large enough for four metres, without overlaps, and the QR code readable.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PNG } from "pngjs";
import { CHALLENGER_PASSES, CHALLENGER_WINS, recorded, SLUGS } from "./games.mjs";
import { evening, playOut, Tv } from "./harness.mjs";
import { boxes, collisions, outside, overlaps, textBoxes } from "./layout.mjs";
import { assertQuiet, readQr } from "./qr.mjs";

const SIZES = [
  [960, 540],
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
];
/** Part of each edge that a TV may cut off. */
const SAFE = 0.05;
/** The smallest letters that are readable from four metres, as a part of the screen's height. */
const SMALLEST = 1 / 27;
/** The widest possible name: twelve of the widest letter. */
const WIDE = "WWWWWWWWWWWW";
const WIDER = "MMMMMMMMMMMM";

evening("every rule of the games' looks is one that a browser knows", async (venue) => {
  const tv = await venue.tv();
  const lost = await tv.page.evaluate(async () => {
    const list = "/js/games/index.js";
    /** @type {typeof import("../../www/js/games/index.js")} */
    const { SLUGS: slugs, withGame } = await import(list);
    /** @type {import("../../www/js/games/index.js").GameModule[]} */
    const games = await Promise.all(
      slugs.map(
        (slug) =>
          new Promise((resolve) => {
            withGame(slug, (game) => game && resolve(game));
          }),
      ),
    );
    const sheet = [...document.styleSheets].find(({ href }) => href?.endsWith("/boards.css"));
    const rules = games.flatMap(({ styles }) => styles);
    const probe = new CSSStyleSheet();
    for (const rule of rules) probe.insertRule(rule);
    const there = [...(sheet?.cssRules ?? [])].map(({ cssText }) => cssText);
    return [...probe.cssRules].map(({ cssText }) => cssText).filter((text) => !there.includes(text));
  });
  assert.deepEqual(lost, []);
});

/**
 * Checks the TV at all four sizes.
 * @param {Tv} tv
 * @param {string} name
 * @param {boolean} [clipped] whether to ignore text that is cut off, on screens with more text than fits
 */
async function checkPicture(tv, name, clipped = false) {
  for (const [width = 0, height = 0] of SIZES) {
    await tv.page.setViewportSize({ width, height });
    await tv.still();
    const modules = await tv.page.evaluate(
      () => /** @type {SVGSVGElement} */ (document.querySelector("#qr")).viewBox.baseVal.width - 8,
    );
    // The position of the code without its white margin, which is checked in the picture. If the layout has drifted meanwhile,
    // another picture is taken.
    let code;
    let png;
    do {
      code = await boxes(tv.page, "#qr path");
      png = await tv.shot(`wide-${name}-${width}x${height}`);
    } while (JSON.stringify(code) !== JSON.stringify(await boxes(tv.page, "#qr path")));
    const safe = { left: width * SAFE, top: height * SAFE, right: width * (1 - SAFE), bottom: height * (1 - SAFE) };
    // A line's box is a little higher than its highest and lowest letters.
    /** @type {import("./layout.mjs").Box[]} */
    const text = (await textBoxes(tv.page, { clipped })).map((box) => ({
      ...box,
      top: box.top + 0.1 * box.size,
      bottom: box.bottom - 0.1 * box.size,
    }));
    const solid = await boxes(tv.page, "#board .plate, .seat, #card");
    assert(text.length > 2, "there is text");
    assert.deepEqual(outside([...text, ...solid], safe), [], `${name} at ${width}: leaves the safe area`);
    const board = await boxes(tv.page, "#board .plate, #board > *");
    assert.deepEqual(collisions(text), [], `${name} at ${width}: texts on one another`);
    assert.deepEqual(overlaps(text, code), [], `${name} at ${width}: on the code`);
    assert.deepEqual(
      overlaps(
        text.filter(({ what }) => !what.includes("board")),
        board.slice(-1),
      ),
      [],
      `${name} at ${width}: on the board`,
    );
    assert.deepEqual(overlaps(code, board), [], `${name} at ${width}: the code on the board`);
    const small = text.filter(({ size }) => size < height * SMALLEST - 0.5);
    assert.deepEqual(
      small.map(({ what, text: words, size }) => `${what} "${words}" ${size} px`),
      [],
      `${name} at ${width}: too small`,
    );
    const picture = PNG.sync.read(png);
    const [card] = await boxes(tv.page, "#card");
    // The card cuts off what is outside of it.
    assert.match(readQr(picture, card), new RegExp(`/${tv.venue.code}#[\\w-]{4}$`), `${name} at ${width}: the code`);
    if (code[0]) assertQuiet(picture, code[0], modules);
  }
  await tv.page.setViewportSize({ width: 960, height: 540 });
}

for (const slug of SLUGS) {
  evening(
    `names of twelve wide letters on every screen: ${slug}`,
    async (venue) => {
      const tv = await venue.tv();
      const wide = await venue.phone(WIDE);
      const wider = await venue.phone(WIDER);
      const third = await venue.phone(WIDE);
      await tv.says("#people", /2/);
      await tv.says("#card .address", /^or open http:\/\/[\d.]+/);
      await checkPicture(tv, `${slug}-menu`);
      await wide.page.tap(`.pick[data-slug="${slug}"]`);
      await tv.on("play");
      await checkPicture(tv, `${slug}-play`);
      await third.page.tap("#stepout");
      if (slug === "four") {
        await playOut([wide, wider], CHALLENGER_WINS);
        await tv.on("result");
        await checkPicture(tv, `${slug}-result`);
      } else {
        await playOut([wide, wider], slug === "reversi" ? CHALLENGER_PASSES : recorded(slug).slice(0, 12));
        if (slug === "reversi") await tv.says("#banner", "no move");
        await checkPicture(tv, `${slug}-later`);
        await wider.leave();
        await tv.on("result");
        await checkPicture(tv, `${slug}-forfeit`);
        await tv.on("open");
        await tv.says("#card .address", /^http:\/\/[\d.]+/);
        await checkPicture(tv, `${slug}-open`);
      }
      if (slug === "four") {
        await tv.on("rematch");
        await checkPicture(tv, `${slug}-rematch`);
      }
    },
    { result: 20 },
  );
}

evening("eight people wait, and the line stays in its place", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  for (const letter of "ABCDEFGH") await venue.phone(`${letter}${WIDE.slice(1)}`);
  await tv.says("#next", /HW/);
  await checkPicture(tv, "eight");
});

/**
 * Shows a menu with this number of games: the real ones, and then copies of the smallest board of docs/add-a-game.md.
 * @param {import("playwright-core").Page} page
 * @param {number} count
 */
async function addGames(page, count) {
  const recipe = readFileSync(new URL("../../docs/add-a-game.md", import.meta.url), "utf8");
  const [smallest = "", words = ""] = [...recipe.matchAll(/```js\n(.*?)```/gs)].map(([, code = ""]) => code);
  const extra = [..."abcdefgh"].map((letter) => ({ slug: `three${letter}`, name: `Three in a Row ${letter}` }));
  await page.route(/\/js\/games\/three\w\.js/, (route) => {
    const slug = /three\w/.exec(route.request().url())?.[0] ?? "";
    return route.fulfill({ contentType: "text/javascript", body: smallest.replaceAll(/\bthree\b/g, slug) });
  });
  await page.route(/\/js\/games\/lang\/three\w\.js/, (route) => {
    const slug = /three\w/.exec(route.request().url())?.[0] ?? "";
    const body = words.replace("Three in a Row", `Three in a Row ${slug.slice(-1)}`);
    return route.fulfill({ contentType: "text/javascript", body });
  });
  await page.routeWebSocket("**/ws", (socket) => {
    socket.connectToServer().onMessage((text) => {
      const message = JSON.parse(String(text));
      const menu = message.t === "welcome" ? message.view : message;
      if (menu.t === "menu") menu.games.push(...extra.slice(0, count - menu.games.length));
      socket.send(JSON.stringify(message));
    });
  });
}

/** Pixels beside a selected tile at which its glow is still visible. */
const GLOW = 6;

for (const count of [4, 5, 8, 9]) {
  evening(`a menu of ${count} games: all in reach of the remote and of a thumb`, async (venue) => {
    venue.linksBreak = true; // Playwright relays the connection, and a busy machine may be too slow for it.
    const tv = new Tv(venue, await venue.page({ viewport: { width: 960, height: 540 } }, "TV"));
    await addGames(tv.page, count);
    await tv.page.goto(`${venue.box.origin}/tv`);
    venue.code = await tv.code();
    /** @param {Tv | import("./harness.mjs").Phone} shown */
    const drawn = ({ page }) =>
      page.waitForFunction((many) => document.querySelectorAll(".art > svg").length === many, count);
    await drawn(tv);
    await checkPicture(tv, `menu-${count}`, count > 8);
    // The selected tile is on the screen, down to the last row and along it.
    await tv.press("ArrowDown", "ArrowDown", "ArrowRight");
    await tv.still();
    const png = PNG.sync.read(await tv.shot(`wide-menu-${count}-last`));
    const [selected] = await boxes(tv.page, '.tile[aria-selected="true"]');
    const [menu] = await boxes(tv.page, "#menu");
    assert(selected && menu);
    assert.deepEqual(outside([selected], menu), [], "the selected tile is cut off");
    // The glow is as wide on the left as on the right.
    const middle = Math.round((selected.top + selected.bottom) / 2);
    const [left = [], right = []] = [selected.left - GLOW, selected.right + GLOW - 1].map((x) => {
      const at = 4 * (middle * png.width + Math.round(x));
      return [...png.data.subarray(at, at + 3)];
    });
    assert(
      left.every((light, i) => Math.abs(light - (right[i] ?? 0)) < 30),
      `the glow is cut: ${left} and ${right}`,
    );

    const phone = await venue.phone("Wren", { join: false });
    await addGames(phone.page, count);
    await phone.page.reload();
    await phone.join();
    await drawn(phone);
    for (const [width, height] of /** @type {const} */ ([
      [320, 568],
      [390, 844],
      [844, 390],
    ])) {
      await phone.page.setViewportSize({ width, height });
      const last = phone.page.locator(".pick").last();
      await phone.shot(`pad-menu-${count}-${width}`);
      await last.scrollIntoViewIfNeeded();
      const [box] = (await boxes(phone.page, ".pick")).slice(-1);
      assert(box && box.top >= 0 && box.bottom <= height + 1, `the last game at ${width} × ${height}`);
      assert.deepEqual(collisions(await textBoxes(phone.page, { clipped: true })), []);
      await phone.shot(`pad-menu-${count}-${width}-last`);
    }
  });
}

/** Names with stacked marks, very large characters and emoji of people, and real names in many scripts. */
const STRANGE = [
  "\ufdfd\ufdfd\ufdfd\ufdfd",
  `Z${"\u0301\u0323".repeat(30)}`,
  "\u{12031}\u{12031}\u{12031}",
  "\u0f56\u0f66\u0f92\u0fb2\u0f74\u0f56\u0f66",
  "\u0e01\u0e35\u0e49\u0e01\u0e35\u0e49",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "Nguy\u1ec5n Th\u1ecb",
  "\u092e\u0928\u0940\u0937",
];

evening("names of any script stay in their place", async (venue) => {
  const tv = await venue.tv();
  /** @type {import("./harness.mjs").Phone[]} */
  const people = [];
  for (const nick of STRANGE) people.push(await venue.phone(nick));
  await tv.page.waitForFunction((many) => document.querySelectorAll("#people li").length === many, STRANGE.length);
  await checkPicture(tv, "strange-menu");
  await people[0]?.page.tap('.pick[data-slug="reversi"]');
  await tv.on("play");
  await people[0]?.shot("pad-strange");
  await checkPicture(tv, "strange-play");
});
