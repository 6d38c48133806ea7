// Tests recovery from the usual faults of an evening.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { CHAMPION_WINS } from "./games.mjs";
import { evening, Phone, playOut, Tv } from "./harness.mjs";
import { collisions, textBoxes } from "./layout.mjs";

const state = mkdtempSync(join(tmpdir(), "doozer-"));
after(() => rmSync(state, { recursive: true, force: true }));

evening(
  "the daemon is killed in the middle of a game: everyone is back in place, and no page was loaded anew",
  async (venue) => {
    venue.linksBreak = true;
    const tv = await venue.tv({ path: "/tv/four" });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    const robin = await venue.phone("Robin");
    await playOut([wren, heron], CHAMPION_WINS.slice(0, 3));
    await tv.stones(3);
    const pages = [tv, wren, heron, robin];
    const before = await tv.cells();
    for (const { page } of pages) await page.evaluate(() => Object.assign(window, { loadedOnce: true }));

    await venue.box.kill();
    for (const page of pages) await page.link("down");
    assert.equal(await tv.screen(), "play", "the TV keeps its picture");
    assert.equal(await tv.cells(), before);
    await tv.shot("tv-daemon-gone-960x540");
    await heron.shot("pad-daemon-gone");

    await venue.box.start();
    for (const page of pages) await page.link("up");
    await tv.seats("Wren", "Heron");
    await tv.says("#next", "Robin");
    await wren.on("yours");
    await heron.on("theirs");
    await robin.on("line");
    await tv.page.waitForFunction(() => !document.querySelector(".seat[data-away]"));
    assert.equal(await tv.code(), venue.code);
    assert.equal(await tv.cells(), before);
    await playOut([wren, heron], CHAMPION_WINS.slice(3));
    await tv.says("#banner", /Wren wins/);
    for (const { page } of pages) assert(await page.evaluate(() => "loadedOnce" in window), "a page was loaded anew");
  },
  { flags: ["--state", state] },
);

evening("a phone that slept through the other's move wakes to the true board", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron", { proxy: true });
  await heron.play(3);
  await heron.on("theirs");
  await heron.lock();
  await wren.play(2);
  await tv.stones(2);
  assert.equal(await heron.screen(), "theirs", "it has heard nothing");
  await heron.unlock();
  await heron.on("yours");
  await heron.stones(2);
  await heron.play(3);
  await tv.stones(3);
  await tv.seats("Wren", "Heron");
});

evening("what is refused at the proxy is said in place, and nothing typed is lost", async (venue) => {
  await venue.tv({ path: "/tv/four" });
  const guest = await venue.phone("Wren", { join: false, path: "/" });
  const wrong = venue.code === "BBBB" ? "CCCC" : "BBBB";
  await guest.join({ code: wrong });
  await guest.says("#why", /code/i);
  assert.equal(await guest.page.inputValue("#nick-input"), "Wren");
  assert.equal((await guest.page.inputValue("#code-input")).toUpperCase(), wrong);
  await guest.shot("pad-wrong-code");

  guest.nick = "\u200b \u2800";
  await guest.join({ code: venue.code });
  await guest.says("#why", /name/i);
  assert.equal(await guest.screen(), "join");

  guest.nick = "Wren";
  await guest.join();
  await guest.on("wait");

  await Promise.all([2, 3, 4, 5, 6, 7, 8].map((i) => venue.phone(`Guest ${i}`)));
  const late = await venue.phone("Late", { join: false });
  await late.join();
  await late.says("#why", /full/i);
  assert.equal(await late.page.inputValue("#nick-input"), "Late");
  await late.shot("pad-full");
});

for (const [part, error, of] of /** @type {const} */ ([
  ["js/dom.js", "internetdisconnected", "both"],
  ["css/boards.css", "failed", "both"],
  ["js/tv/screen.js", "connectionreset", "tv"],
  ["js/pad/room.js", "connectionreset", "pad"],
  // The TV's first game needs the modules that boards share.
  ["js/games/grid.js", "connectionreset", "tv"],
])) {
  evening(`a page of which a part did not come is loaded anew: ${part}`, async (venue) => {
    venue.linksBreak = true;
    const tv = new Tv(venue, await venue.page({ viewport: { width: 960, height: 540 } }, "TV"));
    const wren = new Phone(
      venue,
      await venue.page({ viewport: { width: 390, height: 844 }, hasTouch: true }, "Wren"),
      "Wren",
    );
    /** Opens a page whose part is lost when it is preloaded and when it is needed, and waits until the page has recovered. @param {Tv | Phone} shown @param {string} path */
    const open = async ({ page }, path) => {
      await page.route(`**/${part}`, (route) => route.abort(error), { times: part.endsWith(".js") ? 2 : 1 });
      await Promise.all([page.waitForResponse(`**/${part}`), page.goto(venue.box.origin + path)]);
      // The page fetches a lost part before it reloads itself, so this may still be the first page, with another room.
      await page.waitForFunction(() => {
        const [navigation] = performance.getEntriesByType("navigation");
        return navigation instanceof PerformanceNavigationTiming && navigation.type === "reload";
      });
    };
    await (of === "pad" ? tv.page.goto(`${venue.box.origin}/tv/four`) : open(tv, "/tv/four"));
    venue.code = await tv.code();
    await (of === "tv" ? wren.page.goto(`${venue.box.origin}/${venue.code}`) : open(wren, `/${venue.code}`));
    await wren.page.waitForLoadState();
    await wren.join();
    await wren.on("wait");
    await tv.says('.seat[data-seat="0"] .nick', "Wren");
  });
}

const FOUR = "js/games/four.js";

evening("a game that does not come is asked for again until it is there", async (venue) => {
  venue.linksBreak = true;
  const tv = new Tv(venue, await venue.page({ viewport: { width: 960, height: 540 } }, "TV"));
  await tv.page.route(`**/${FOUR}*`, (route) => route.abort("connectionreset"));
  await tv.page.goto(`${venue.box.origin}/tv/four`);
  await tv.says("#notice", /The game does not load/);
  assert.deepEqual(collisions(await textBoxes(tv.page)), []);
  await tv.shot("tv-not-loaded");
  await tv.page.unroute(`**/${FOUR}*`);
  await tv.on("open");
  venue.code = await tv.code();

  const wren = await venue.phone("Wren", { join: false });
  await wren.page.route(`**/${FOUR}*`, (route) => route.abort("connectionreset"));
  await wren.join();
  await wren.says("#headline", /The game does not load/);
  await wren.shot("pad-not-loaded");
  await wren.page.unroute(`**/${FOUR}*`);
  await wren.on("wait");
  await wren.says("#headline", /Waiting/);
  const heron = await venue.phone("Heron");
  await heron.play(3);
  await tv.stones(1);
  await wren.stones(1);
});

evening("what boards share that never comes is named in words, and nothing draws into nothing", async (venue) => {
  venue.linksBreak = true;
  const tv = new Tv(venue, await venue.page({ viewport: { width: 960, height: 540 } }, "TV"));
  await tv.page.route("**/js/games/grid.js*", (route) => route.abort("connectionreset"));
  await tv.page.goto(`${venue.box.origin}/tv/four`);
  await tv.says("h1[aria-live]", /A part of this page does not come/);
  assert((await textBoxes(tv.page)).every(({ text }) => text.startsWith("A part of this page")));
  // The game's own tries continue behind the message.
  await tv.page.waitForFunction(() => /does not load/.test(document.querySelector("#notice")?.textContent ?? ""));
  await tv.shot("tv-part-missing");
  await tv.page.unroute("**/js/games/grid.js*");
  await tv.page.reload();
  await tv.on("open");
});

evening("two tabs of one phone: the older is told and goes quiet, the newer plays", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await heron.on("yours");
  const page = await heron.page.context().newPage();
  venue.watch(page, "Heron's second tab");
  const second = new Phone(venue, page, "Heron");
  await page.goto(`${venue.box.origin}/${venue.code}`);
  await second.on("yours");
  await heron.on("gone");
  await heron.shot("pad-taken");
  // A page behind another one draws nothing.
  await page.bringToFront();
  await second.play(0);
  await wren.play(1);
  await second.play(0);
  await tv.stones(3);
  assert.equal(await heron.screen(), "gone", "it has not fought for the seat");
  await tv.seats("Wren", "Heron");
});

evening("two TV pages with one key: the older is told, and takes the room back when asked", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const page = await tv.page.context().newPage();
  venue.watch(page, "second TV page");
  const second = new Tv(venue, page);
  await page.goto(`${venue.box.origin}/tv`);
  assert.equal(await second.code(), venue.code);
  await tv.on("taken");
  await tv.shot("tv-taken-960x540");
  assert.deepEqual(collisions(await textBoxes(tv.page)), []);
  await tv.press("Enter");
  await tv.on("open");
  await second.on("taken");
});

evening("a finger that taps twice plays once", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await heron.on("yours");
  // All clicks are in one turn of the page's event loop, so that no answer can arrive between them.
  await heron.page.locator('#board [data-move="3"]').evaluate((column) => {
    for (let i = 0; i < 3; i += 1) /** @type {HTMLElement} */ (column).click();
  });
  await tv.stones(1);
  await heron.on("theirs");
  assert.equal(heron.said.filter(({ t }) => t === "move").length, 1, "it is sent once");
  await wren.play(2);
  await heron.on("yours");
  await heron.play(4);
  await tv.stones(3);
  assert.equal((await tv.cells()).replaceAll(".", "").length, 3);
});

evening("the box's own kiosk comes back to its room without a key, as after a crash of its browser", async (venue) => {
  const first = await venue.tv({ path: "/tv/four?kiosk", inside: true });
  const { code } = venue;
  const wren = await venue.phone("Wren");
  await wren.on("wait");
  await first.page.context().close();
  const again = await venue.tv({ path: "/tv?kiosk", inside: true });
  assert.equal(venue.code, code, "the same room");
  await again.says('.seat[data-seat="0"] .nick', "Wren");
});
