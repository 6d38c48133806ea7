// Tests the phone's screens and the TV page in another browser: nothing is below the screen or cut off, and the QR code is complete.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { recorded, SLUGS } from "../games.mjs";
import { evening, playOut } from "../harness.mjs";
import { boxes, collisions, outside, textBoxes } from "../layout.mjs";
import { readQr } from "../qr.mjs";
import { ENGINE, name, openPage } from "./engines.mjs";

/** @typedef {import("../harness.mjs").Phone} Phone */

const SIZES = [
  [390, 844],
  [320, 568],
  [844, 390],
];
const SCREENS = [
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
];

/** Pixels by which a browser may round. */
const DRIFT_MAX = 1.5;

/** Waits until the board has the size of its place, which it gets one frame later. @param {Phone} phone */
function settled(phone) {
  return phone.page.waitForFunction(() => {
    const place = document.querySelector("#board")?.getBoundingClientRect();
    const plate = document.querySelector("#board .plate")?.getBoundingClientRect();
    return !place || !plate || (plate.width <= place.width + 1 && plate.height <= place.height + 1);
  });
}

/** Describes the buttons whose middle is covered by something else. @param {Phone} phone @returns {Promise<string[]>} */
function covered(phone) {
  return phone.page.evaluate(() =>
    [...document.querySelectorAll("button, input")].flatMap((node) => {
      const { left, top, width, height } = node.getBoundingClientRect();
      const over = width && height ? document.elementFromPoint(left + width / 2, top + height / 2) : node;
      return node.contains(over) ? [] : [`${node.outerHTML.slice(0, 80)} lies below ${over?.outerHTML.slice(0, 80)}`];
    }),
  );
}

/**
 * Takes a picture at every size, and checks that all texts, controls and the board are inside the screen and do not overlap.
 * @param {Phone} phone
 * @param {string} what
 */
async function look(phone, what) {
  for (const [width = 0, height = 0] of SIZES) {
    await phone.page.setViewportSize({ width, height });
    await settled(phone);
    const at = `${what} at ${width} × ${height}`;
    await phone.shot(`${ENGINE}-${what}-${width}x${height}`);
    const texts = await textBoxes(phone.page, { clipped: true });
    const shown = await boxes(phone.page, "button, input, #board .plate, #clock");
    const frame = { left: 0, top: 0, right: width, bottom: height };
    assert.deepEqual(outside([...shown, ...texts], frame), [], at);
    assert.deepEqual(collisions(texts), [], `${at}: texts on one another`);
    assert.deepEqual(await covered(phone), [], `${at}: covered`);
    const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert(wide <= 0, `${at} scrolls sideways`);
    const [room] = await boxes(phone.page, "#room");
    assert(!room || Math.abs(room.bottom - height) <= 1, `${at} fills the screen: ${room?.bottom}`);
    const [plate] = await boxes(phone.page, "#board .plate");
    const [place] = await boxes(phone.page, "#board");
    const [box] = await boxes(phone.page, "#board .board");
    if (!plate || !place || !box) continue;
    assert.deepEqual(outside([plate], place), [], `${at}: the board leaves its place`);
    const least = Math.min(box.right - box.left, box.bottom - box.top) - 2;
    const most = Math.max(plate.right - plate.left, plate.bottom - plate.top);
    assert(most >= least, `${at}: the board fills its box`);
  }
}

/** Returns the middle of each node on the plate, in fractions of the plate's width, and that width in pixels. @param {Phone} phone */
function spots(phone) {
  return phone.page.evaluate(() => {
    const plate = document.querySelector("#board .plate");
    const { left, top, width } = plate?.getBoundingClientRect() ?? new DOMRect();
    const things = [...(plate?.children ?? [])].map((node) => node.getBoundingClientRect());
    return {
      width,
      at: things.flatMap((box) => [box.x + box.width / 2 - left, box.y + box.height / 2 - top].map((n) => n / width)),
    };
  });
}

/** Checks that everything on the board is at the same place as in the current Chromium. @param {Phone} phone @param {Phone} other in Chromium */
async function alike(phone, other) {
  const [here, there] = await Promise.all([spots(phone), spots(other)]);
  assert.equal(here.at.length, there.at.length);
  const off = here.at.map((n, i) => Math.abs(n - (there.at[i] ?? 0)) * here.width);
  assert(Math.max(...off) <= DRIFT_MAX, `something lies ${Math.max(...off)} px from its place`);
}

for (const slug of SLUGS) {
  evening(
    `${name}: everything is on the screen of a phone: ${slug}`,
    async (venue) => {
      await venue.tv({ path: `/tv/${slug}` });
      const zoe = await venue.phone("Zoe", { open: openPage, join: false });
      if (slug === SLUGS[0]) await look(zoe, "join");
      await zoe.join();
      await zoe.on("wait");
      if (slug === SLUGS[0]) await look(zoe, "wait");
      const wren = await venue.phone("Wren");
      await zoe.on("yours", "theirs");
      await look(zoe, slug);
      await wren.on("yours", "theirs");
      await zoe.page.setViewportSize({ width: 320, height: 568 });
      await settled(zoe);
      await alike(zoe, wren);
      await wren.leave();
      await zoe.on("result");
      await look(zoe, `${slug}-result`);
    },
    { result: 60 },
  );
}

evening(`${name}: the TV shows its games and a whole code at every size`, async (venue) => {
  const tv = await venue.tv({ open: openPage, width: 1280, height: 720 });
  for (const [width = 0, height = 0] of SCREENS) {
    await tv.page.setViewportSize({ width, height });
    const png = await tv.shot(`${ENGINE}-tv-menu-${width}x${height}`);
    const [card] = await boxes(tv.page, "#card");
    assert(card);
    // Only the visible part of the code counts. The card cuts off the rest.
    assert.match(readQr(png, card), new RegExp(`/${venue.code}`), `the code at ${width}`);
    const arts = await boxes(tv.page, ".tile .art > *");
    assert.equal(arts.length, SLUGS.length);
    for (const { left, right, bottom, top } of arts)
      assert(right - left > width / 30 && bottom - top > width / 30, `a picture on the menu at ${width}`);
  }
  await venue.phone("Wren");
  await tv.press("Enter");
  await tv.on("open");
  await venue.phone("Heron");
  await tv.on("play");
  const png = await tv.shot(`${ENGINE}-tv-play`);
  const [card] = await boxes(tv.page, "#card");
  assert(card);
  assert.match(readQr(png, card), new RegExp(`/${venue.code}`), "the code in the corner of a game");
});

/**
 * Makes a copy of the pages, changed to simulate a browser that lacks a feature.
 * @param {(directory: string) => void} change
 * @returns {string} its directory
 */
function pagesFor(change) {
  const copy = mkdtempSync(join(tmpdir(), "doozer-www-"));
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
  cpSync(fileURLToPath(new URL("../../../www", import.meta.url)), copy, { recursive: true });
  change(copy);
  return copy;
}

// An unknown word has the same effect as a word that the browser does not know.
const old = pagesFor((directory) => writeFileSync(join(directory, "js/pad/main.js"), "this is not known;"));

// Safari 15.3 does not know `contain`, and that engine is not available for tests.
const uncontained = pagesFor((directory) => {
  for (const file of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    if (!/\.(css|js)$/.test(file)) continue;
    const text = readFileSync(join(directory, file), "utf8");
    writeFileSync(join(directory, file), text.replace(/\bcontain: \w+;/g, ""));
  }
});

if (ENGINE === "old") {
  for (const slug of ["four", "reversi"]) {
    evening(
      `${name}: no stone shows outside its cell where \`contain\` is not known: ${slug}`,
      async (venue) => {
        await venue.tv({ path: `/tv/${slug}` });
        const wren = await venue.phone("Wren");
        const zoe = await venue.phone("Zoe", { open: openPage });
        await playOut([wren, zoe], recorded(slug).slice(0, 4));
        await zoe.follows(wren);
        await zoe.still();
        assert.equal(await zoe.painted(), await zoe.cells());
      },
      { flags: ["--www", uncontained] },
    );
  }
}

evening(
  `${name}: a browser that is too old is told so, and shown no form`,
  async (venue) => {
    /** @type {import("./page.mjs").EnginePage | undefined} */
    let page;
    const open = async (/** @type {import("./page.mjs").Size} */ size) => (page = await openPage(size));
    const zoe = await venue.phone("Zoe", { open, join: false, path: "/BCDF" });
    await zoe.says("body", /too old to play/);
    assert.deepEqual(await boxes(zoe.page, "form, button, input"), []);
    await look(zoe, "too-old");
    // The browser's error about the unknown word is expected.
    page?.complaints();
  },
  { flags: ["--www", old] },
);
