// The phone's screens and the TV page in another browser: nothing below the screen, nothing cut, and the code whole.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SLUGS } from "../games.mjs";
import { evening } from "../harness.mjs";
import { boxes, outside } from "../layout.mjs";
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

/** Takes a picture at every size, and finds every control, and the board, inside the screen. @param {Phone} phone @param {string} what */
async function look(phone, what) {
  for (const [width = 0, height = 0] of SIZES) {
    await phone.page.setViewportSize({ width, height });
    // The board follows in the frame after.
    await phone.page.waitForFunction(() => {
      const box = document.querySelector("#board .board")?.getBoundingClientRect();
      const plate = document.querySelector("#board .plate")?.getBoundingClientRect();
      return !box || !plate || (plate.width <= box.width + 1 && plate.height <= box.height + 1);
    });
    await phone.shot(`${ENGINE}-${what}-${width}x${height}`);
    const shown = await boxes(phone.page, "button, input, #board .plate, #clock");
    const [room] = await boxes(phone.page, "#room");
    assert(
      !room || Math.abs(room.bottom - height) <= 1,
      `${what} at ${width} × ${height} fills the screen: ${room?.bottom}`,
    );
    const frame = { left: 0, top: 0, right: width, bottom: height };
    assert.deepEqual(outside(shown, frame), [], `${what} at ${width} × ${height}`);
    const [plate] = await boxes(phone.page, "#board .plate");
    const [box] = await boxes(phone.page, "#board .board");
    if (!plate || !box) continue;
    const least = Math.min(box.right - box.left, box.bottom - box.top) - 2;
    assert(
      Math.max(plate.right - plate.left, plate.bottom - plate.top) >= least,
      `${what} at ${width} × ${height}: the board fills its box`,
    );
    const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert(wide <= 0, `${what} at ${width} × ${height} scrolls sideways`);
  }
}

for (const slug of SLUGS) {
  evening(
    `${name}: everything is on the screen of a phone: ${slug}`,
    async (venue) => {
      await venue.tv({ path: `/tv/${slug}` });
      const wren = await venue.phone("Wren");
      const zoe = await venue.phone("Zoe", { open: openPage, join: false });
      if (slug === SLUGS[0]) await look(zoe, "join");
      await zoe.join();
      await zoe.on("yours", "theirs");
      await look(zoe, slug);
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
    assert.match(readQr(png), new RegExp(`/${venue.code}`), `the code at ${width}`);
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
  assert.match(readQr(png), new RegExp(`/${venue.code}`), "the code in the corner of a game");
});

const old = mkdtempSync(join(tmpdir(), "doozer-www-"));
process.on("exit", () => rmSync(old, { recursive: true, force: true }));
cpSync(fileURLToPath(new URL("../../../www", import.meta.url)), old, { recursive: true });
// As a browser sees a word of the language that it does not know.
writeFileSync(join(old, "js/pad/main.js"), "this is not known;");

evening(
  `${name}: a browser that is too old is told so, and shown no form`,
  async (venue) => {
    /** @type {import("./page.mjs").EnginePage | undefined} */
    let page;
    const open = async (/** @type {import("./page.mjs").Size} */ size) => (page = await openPage(size));
    const zoe = await venue.phone("Zoe", { open, join: false, path: "/BCDF" });
    await zoe.says("body", /too old to play/);
    assert.deepEqual(await boxes(zoe.page, "form, button, input"), []);
    await zoe.shot(`${ENGINE}-too-old`);
    // The browser's error about the word is expected.
    page?.complaints();
  },
  { flags: ["--www", old] },
);
