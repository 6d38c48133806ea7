// Tests pages of which a part fails to load at first. They must recover, and must not reload without end.
import assert from "node:assert/strict";
import { evening, until } from "../harness.mjs";
import { name, openPage } from "./engines.mjs";

/** Most loads of a page for one lost part. */
const LOADS_MAX = 3;

/** A part that cannot be loaded, and for how many milliseconds. */
const AWAY = "/js/link.js";
const AWAY_MS = 1000;

/** The words that the pad uses if those of its language do not load. */
const ENGLISH = "/js/lang/pad/en.js";

/** Presses Play until the phone is in the room. @param {import("../harness.mjs").Phone} zoe */
async function playOn(zoe) {
  // The page suggests a name, so only Play is needed. Guests press it again if nothing happens.
  await zoe.page.waitForFunction(() => {
    if (document.body.dataset.screen === "wait") return true;
    const play = document.querySelector("#play");
    if (play instanceof HTMLButtonElement && !play.disabled) play.click();
    return false;
  });
}

for (const part of [
  "/js/pad/main.js",
  "/js/link.js",
  "/js/dom.js",
  "/js/pad/room.js",
  "/js/games/four.js",
  "/js/lang/pad/en.js",
  "/css/boards.css",
]) {
  evening(`${name}: the pad plays although ${part} was lost once`, async (venue) => {
    await venue.tv({ path: "/tv/four" });
    const proxy = await venue.proxy();
    proxy.lose(part);
    const zoe = await venue.phone("Zoe", { open: openPage, join: false, proxy });
    // A game is loaded when it is needed. A file that failed is requested again by another address.
    const lazy = part.startsWith("/js/games/");
    if (!lazy) await until(() => proxy.asked(part) > 1, `${part} was lost, and is asked for again`);
    await playOn(zoe);
    const loads = proxy.asked(`/${venue.code}`);
    assert(loads <= LOADS_MAX, `the page was loaded ${loads} times`);
  });
}

// WebKit remembers a failed preload, and does not request it again on a reload.
evening(`${name}: the pad plays although ${AWAY} could not be had for a second`, async (venue) => {
  await venue.tv({ path: "/tv/four" });
  const proxy = await venue.proxy();
  proxy.refuse(AWAY, AWAY_MS);
  const zoe = await venue.phone("Zoe", { open: openPage, join: false, proxy });
  await playOn(zoe);
  const loads = proxy.asked(`/${venue.code}`);
  assert(loads <= LOADS_MAX, `the page was loaded ${loads} times`);
});

evening(`${name}: the pad speaks English until its own language comes`, async (venue) => {
  await venue.tv({ path: "/tv/four" });
  const proxy = await venue.proxy();
  const zoe = await venue.phone("Zoe", { open: openPage, join: false, proxy });
  await zoe.page.evaluate(() => localStorage.setItem("language-pad", "de"));
  // The next try has another address.
  proxy.lose("/js/lang/pad/de.js", Infinity);
  const [loads, english] = [proxy.asked(`/${venue.code}`), proxy.asked(ENGLISH)];
  await zoe.page.goto(`${proxy.origin}/${venue.code}`);
  await until(() => proxy.asked(ENGLISH) > english, "English is asked for instead");
  await zoe.page.waitForFunction(() => document.querySelector("#play")?.textContent === "Mitspielen");
  assert.equal(await zoe.page.evaluate(() => document.documentElement.lang), "de");
  assert.equal(proxy.asked(`/${venue.code}`), loads + 1, "without another load of the page");
});
