// Tests sound: only the TV has sound, each sound comes together with its picture, and no two sounds overlap or are cut off.
import assert from "node:assert/strict";
import { CHAMPION_WINS, recorded, SLUGS } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";

/** @typedef {import("./harness.mjs").Tv} Tv */

/** Milliseconds by which a sound may be later or earlier than its picture. */
const OFF_MS = 50;

/**
 * Records each sound that is started: its time in milliseconds of the page, and whether it was stopped after it had begun.
 * @param {import("playwright-core").Page} page
 */
async function recordSounds(page) {
  await page.addInitScript(() => {
    window.heard = [];
    /** @type {WeakMap<AudioScheduledSourceNode, {note: Window["heard"][number], start: number, end: number}>} */
    const known = new WeakMap();
    const { start, stop } = AudioScheduledSourceNode.prototype;
    AudioScheduledSourceNode.prototype.start = function (when = 0) {
      const context = /** @type {AudioContext} */ (this.context);
      const { contextTime = 0, performanceTime = 0 } = context.getOutputTimestamp();
      const [clock, page] = performanceTime ? [contextTime, performanceTime] : [context.currentTime, performance.now()];
      const note = { at: page + (when - clock) * 1000, now: performance.now(), stopped: false };
      window.heard.push(note);
      known.set(this, { note, start: when, end: Infinity });
      start.call(this, when);
    };
    const { prototype } = OscillatorNode;
    for (const of of [prototype, AudioBufferSourceNode.prototype])
      if (Object.hasOwn(of, "start")) of.start = AudioScheduledSourceNode.prototype.start;
    AudioScheduledSourceNode.prototype.stop = function (when = 0) {
      const of = known.get(this);
      const { currentTime } = this.context;
      if (of && of.end === Infinity) of.end = when;
      else if (of && of.start <= currentTime && currentTime < of.end) of.note.stopped = true;
      stop.call(this, when);
    };
  });
}

/**
 * Opens a TV page whose sounds are recorded, and clicks it, which browsers other than the kiosk's require for sound.
 * @param {import("./harness.mjs").Venue} venue
 * @param {string} path
 * @param {(page: import("playwright-core").Page) => Promise<unknown>} [prepare]
 */
async function open(venue, path, prepare) {
  const tv = await venue.tv({ path: "/tv" });
  await prepare?.(tv.page);
  await recordSounds(tv.page);
  await tv.page.goto(venue.box.origin + path);
  await tv.link("up");
  await tv.page.waitForFunction(() =>
    performance
      .getEntriesByType("resource")
      .some((entry) => /\/sound\.js/.test(entry.name) && /** @type {any} */ (entry).responseStatus === 200),
  );
  await tv.page.mouse.click(5, 5);
  return tv;
}

/** Returns the number of sounds so far. @param {Tv} tv */
const heard = (tv) => tv.page.evaluate(() => window.heard.length);

evening(
  "a stone is heard when it is seen to land, however late the frame is",
  async (venue) => {
    const tv = await open(venue, "/tv/four");
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await tv.on("play");
    // The sounds of the game's start and of its turns are not those of stones.
    await tv.page.evaluate(() => {
      window.landed = [];
      /** @type {Set<Animation>} */
      const known = new Set();
      const look = () => {
        for (const animation of document.querySelector("#board")?.getAnimations({ subtree: true }) ?? []) {
          const { effect, startTime } = animation;
          if (known.has(animation) || startTime === null || !(effect instanceof KeyframeEffect)) continue;
          known.add(animation);
          if (!effect.target?.classList.contains("cell")) continue;
          const fallen = effect.getKeyframes()[1]?.computedOffset ?? 0;
          window.landed.push(Number(startTime) + fallen * Number(effect.getTiming().duration));
        }
        requestAnimationFrame(look);
      };
      look();
    });
    await playOut([wren, heron], CHAMPION_WINS.slice(0, -1), async (_, mover) => {
      await tv.follows(mover);
      await tv.still();
    });
    const { landed, all } = await tv.page.evaluate(() => ({ landed: window.landed, all: window.heard }));
    assert(landed.length >= CHAMPION_WINS.length - 1);
    const stones = all.filter(({ at }) => landed.some((ms) => Math.abs(at - ms) < 400));
    assert(stones.length, "stones were heard");
    for (const { at, now } of stones) {
      const off = landed.map((ms) => Math.max(at, now) - ms).reduce((a, b) => (Math.abs(a) < Math.abs(b) ? a : b));
      assert(Math.abs(off) <= OFF_MS, `heard ${off} ms after it was seen`);
    }
    assert(!all.some(({ stopped }) => stopped), "a sound was cut off");
  },
  { flags: ["--sound", "60"] },
);

evening(
  "a page that comes back, or skips moves, repeats nothing",
  async (venue) => {
    const tv = await open(venue, "/tv/mancala");
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await tv.on("play");
    const moves = recorded("mancala");
    await playOut([wren, heron], moves.slice(0, 6), async (_, mover) => tv.follows(mover));
    await tv.page.waitForFunction(() => window.heard.length > 0);
    await tv.still();
    const before = await tv.cells();
    await tv.page.reload();
    await tv.page.mouse.click(5, 5);
    await tv.shows(before);
    await tv.still();
    assert.deepEqual(
      (await tv.page.evaluate(() => window.heard)).filter(({ at, now }) => at < now + 20_000),
      [],
      "a game that goes on is not announced, and its last move is not heard again",
    );
    const all = await tv.page.evaluate(() => window.heard);
    assert(!all.some(({ stopped }) => stopped));
  },
  { flags: ["--sound", "60"] },
);

for (const slug of SLUGS) {
  evening(
    `${slug}: its moves are heard, and no sound is cut off`,
    async (venue) => {
      const tv = await open(venue, `/tv/${slug}`);
      const wren = await venue.phone("Wren");
      const heron = await venue.phone("Heron");
      await tv.on("play");
      // The sounds that are planned for a turn's last seconds do not belong to a move.
      const moves = () => tv.page.evaluate(() => window.heard.filter(({ at, now }) => at < now + 20_000).length);
      const before = await moves();
      await playOut([wren, heron], recorded(slug).slice(0, 6), async (_, mover) => {
        await tv.follows(mover);
        await tv.still();
      });
      assert((await moves()) > before);
      const all = await tv.page.evaluate(() => window.heard);
      assert(!all.some(({ stopped }) => stopped));
    },
    { flags: ["--sound", "60"] },
  );
}

evening(
  "a TV is heard although what makes its sounds was lost twice",
  async (venue) => {
    venue.linksBreak = true;
    let lost = 0;
    const tv = await open(venue, "/tv/four", (page) =>
      page.route("**/sound.js*", (route) => (lost < 2 ? ((lost += 1), route.abort()) : route.continue())),
    );
    assert.equal(lost, 2);
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await playOut([wren, heron], CHAMPION_WINS.slice(0, 2), async (_, mover) => tv.follows(mover));
    await tv.page.waitForFunction(() => window.heard.length > 0);
  },
  { flags: ["--sound", "60"] },
);

evening("a silent TV asks for no sound, and phones never do", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await playOut([wren, heron], CHAMPION_WINS.slice(0, 2));
  for (const { page } of [tv, wren, heron]) {
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    assert(!loaded.some((name) => name.endsWith("/sound.js")));
  }
});

evening(
  "a page's volume is set while it runs",
  async (venue) => {
    venue.linksBreak = true; // Playwright relays the connection.
    /** @type {import("playwright-core").WebSocketRoute | undefined} */
    let socket;
    let room = {};
    const tv = await open(venue, "/tv/four", (page) =>
      page.routeWebSocket("**/ws", (route) => {
        socket = route;
        route.connectToServer().onMessage((text) => {
          const message = JSON.parse(String(text));
          if (message.t === "room") room = message;
          route.send(text);
        });
      }),
    );
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await tv.on("play");
    /** Sends the page its room message again, with another volume. @param {number} percent */
    const set = (percent) => socket?.send(JSON.stringify({ ...room, sound: percent }));
    set(0);
    const before = await heard(tv);
    await playOut([wren, heron], CHAMPION_WINS.slice(0, 2), async (_, mover) => tv.follows(mover));
    await tv.still();
    assert.equal(await heard(tv), before, "silent");
    set(30);
    await playOut([wren, heron], CHAMPION_WINS.slice(2, 6), async (_, mover) => tv.follows(mover));
    await tv.page.waitForFunction((count) => window.heard.length > count, before);
  },
  { flags: ["--sound", "60"] },
);
