// The staff's menu on the kiosk by its remote, and the owner's page on a phone: every item of both.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { lanAddress } from "./daemon.mjs";
import { evening, until } from "./harness.mjs";
import { readQr } from "./qr.mjs";

/** @typedef {import("./harness.mjs").Tv} Tv */
/** @typedef {import("./harness.mjs").Venue} Venue */
/** @typedef {import("playwright-core").Page} Page */

const folder = mkdtempSync(path.join(tmpdir(), "doozer-owner-"));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Options of a daemon whose owner's settings are kept. */
function options() {
  files += 1;
  return { flags: ["--owner", path.join(folder, `owner-${files}.toml`), "--address", lanAddress()] };
}

/** @param {number} file */
const kept = (file) => readFileSync(path.join(folder, `owner-${file}.toml`), "utf8");

/** Opens the staff's menu as one does. @param {Tv} tv */
async function open(tv) {
  await tv.page.keyboard.down("Enter");
  await tv.page.waitForSelector("#staff:not([hidden]) li");
  await tv.page.keyboard.up("Enter");
}

/** Waits for that sheet. @param {Tv} tv @param {string} title */
async function sheet(tv, title) {
  await tv.page.waitForFunction((title) => document.querySelector("#staff h2")?.textContent === title, title);
}

/** Goes to the row with that text, and presses OK. @param {Tv} tv @param {string} text */
async function choose(tv, text) {
  await tv.page.waitForSelector(`#staff [role="option"] >> text="${text}"`);
  const at = () =>
    tv.page.evaluate(() => document.querySelector('#staff [aria-selected="true"] span')?.textContent ?? "");
  for (let tries = 0; (await at()) !== text; tries += 1) {
    assert.ok(tries < 9, `no way to ${text}`);
    await tv.press("ArrowDown");
  }
  await tv.press("Enter");
}

/** Pairs a phone by the code on the TV, and returns its page. @param {Venue} venue @param {Tv} tv */
async function pair(venue, tv) {
  await open(tv);
  await choose(tv, "Owner's phone");
  await choose(tv, "Pair a phone");
  const code = await tv.page.waitForSelector("#staff svg");
  const url = readQr(await code.screenshot());
  assert.match(url, /^http:\/\/[\d.]+:\d+\/owner#[0-9a-f]{32}$/);
  const page = await venue.page(
    { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
    "owner",
  );
  await page.goto(url);
  await page.waitForSelector("#guests");
  await sheet(tv, "Paired");
  return page;
}

/** Sets a field, as a thumb does. @param {Page} page @param {string} name @param {string} value */
async function set(page, name, value) {
  // What was said of an earlier field does not count.
  await page.evaluate(() => document.querySelector("#told")?.replaceChildren());
  await page.fill(`#set-${name}`, value);
  await page.press(`#set-${name}`, "Enter");
  await told(page, "^Saved$|after the next start");
}

/** @param {Page} page @param {string} pattern */
const told = (page, pattern) =>
  page.waitForFunction(
    (pattern) => new RegExp(pattern).test(document.querySelector("#told")?.textContent ?? ""),
    pattern,
  );

evening(
  "the remote opens Box, and every item of it does what it says",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv?kiosk", inside: true });
    await venue.phone("Wren");
    await venue.phone("Heron");
    await tv.page.keyboard.press("Enter");
    await tv.on("open", "play");
    assert.equal(await tv.page.locator("#staff").isVisible(), false, "a short press is the game's");
    await tv.page.keyboard.press("ContextMenu");
    await sheet(tv, "Box");
    await tv.shot("tv-box-960x540");
    await choose(tv, "Guests");
    await sheet(tv, "Guests");
    await tv.shot("tv-box-guests-960x540");
    await choose(tv, "Heron");
    await choose(tv, "Take out, and not back tonight");
    await sheet(tv, "Guests");
    await tv.page.waitForFunction(() => document.querySelectorAll("#staff li").length === 1);
    await tv.press("Escape");
    await choose(tv, "About");
    await sheet(tv, "About");
    await tv.page.waitForSelector(`#staff li >> text=${lanAddress()}`);
    await tv.shot("tv-box-about-960x540");
    await tv.press("Escape", "Escape");
    await tv.page.waitForSelector("#staff", { state: "hidden" });
    await tv.page.keyboard.press("ContextMenu");
    await choose(tv, "Screen off");
    const dark = () => tv.page.evaluate(() => document.body.classList.contains("dark"));
    assert.equal(await dark(), true);
    await tv.press("ArrowUp");
    assert.equal(await dark(), false, "any key brings the picture back, and does nothing else");
    assert.equal(await tv.page.locator("#staff").isVisible(), false);
  },
  options(),
);

evening(
  "no guest and no other TV has such a menu, and a guest's /owner says how to pair and nothing else",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv?kiosk" });
    await tv.page.keyboard.press("ContextMenu");
    await tv.page.keyboard.press("Enter");
    await tv.on("open");
    assert.equal(await tv.page.locator("#staff").count(), 0);
    const guest = await venue.page({ viewport: { width: 390, height: 844 } }, "guest");
    await guest.goto(`${venue.box.origin}/owner`);
    await guest.waitForSelector("text=This phone is not paired");
    assert.equal(await guest.locator("button, input").count(), 0);
    await guest.goto(`${venue.box.origin}/owner#${"0".repeat(32)}`);
    await guest.waitForSelector("text=This phone is not paired");
    venue.keep("owner-guest", await guest.screenshot());
  },
  options(),
);

const file = files + 1;
evening(
  "a paired phone sets everything that the page offers",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv?kiosk", inside: true });
    const wren = await venue.phone("Wren");
    const page = await pair(venue, tv);
    await tv.press("Escape", "Escape", "Escape");
    assert.equal(new URL(page.url()).hash, "", "the secret is not left in the address");
    venue.keep("owner-phone", await page.screenshot({ fullPage: true }));

    await set(page, "venue", "Joe's Löwen");
    await page.waitForSelector("h1 >> text=Joe's Löwen");
    await tv.says("#title", /^Joe's Löwen$/);
    await tv.shot("tv-venue-960x540");
    await set(page, "wifi", "Joe's Bar");
    await set(page, "wifi-password", "guests welcome");
    assert.match(kept(file), /venue = .*Joe's Löwen/);
    assert.match(kept(file), /wifi-password = "guests welcome"/);
    // The test's own flags beat what the owner sets, and the page says so.
    await page.fill("#set-turn", "12,5");
    await page.press("#set-turn", "Enter");
    await told(page, "variable or flag");
    await page.waitForFunction(() => document.querySelector("#set-turn")?.matches('[value="60"]'));
    await page.fill("#set-hotspot-password", "short");
    await page.press("#set-hotspot-password", "Enter");
    await told(page, "8 to 63");
    // More taps at once than the box takes: they are carried out one after the other, and the phone stays paired.
    await page.locator("#set-house").evaluate((box) => {
      for (let taps = 0; taps < 13; taps += 1) /** @type {HTMLInputElement} */ (box).click();
    });
    await page.waitForFunction(() => !document.querySelector("#set-house")?.matches(":checked"));
    await page.waitForSelector("#place button");
    await until(() => /house = false/.test(kept(file)), "the House is turned off");

    await page.fill("#word-add", "Heron");
    await page.press("#word-add", "Enter");
    await page.waitForSelector("#words li >> text=Heron");
    const heron = await venue.phone("Heron", { join: false });
    await heron.join().catch(() => {});
    await heron.page.waitForSelector("text=Choose another name.");
    await page.locator("#words li button").click();
    await page.waitForSelector("#words li", { state: "detached" });
    await page.fill("#word-exempt", "Dick");
    await page.press("#word-exempt", "Enter");
    await page.waitForSelector("#words li >> text=Dick");

    await page.locator("#guests button", { hasText: "Take out" }).click();
    await page.locator("#guests button", { hasText: "Tap again" }).click();
    await wren.page.waitForFunction(() => document.body.dataset.screen !== "menu");
    await page.waitForSelector("#guests >> text=Nobody is in the room.");

    await page.locator("button", { hasText: "Show what an expert" }).click();
    const area = page.locator("textarea");
    await area.waitFor();
    assert.match(await area.inputValue(), /^Doozer Box 1\.[\s\S]*Power[\s\S]*Card[\s\S]*Last warnings/);
    await page.locator("button", { hasText: "Copy" }).click();
    await told(page, "Copied");
    venue.keep("owner-phone-set", await page.screenshot({ fullPage: true }));

    await page.reload();
    await page.waitForSelector("#guests");
    await page.locator("#phones button").click();
    await page.locator("#phones button", { hasText: "Tap again" }).click();
    await page.waitForSelector("text=This phone is not paired");
  },
  options(),
);
