// Measures the cost of loading a page: bytes, requests, and the time until it can be used. Prints the tables:
//   cargo build --release && node tests/bench/pages.mjs
// With BASE=PATH, another build's binary, both are measured in turn, and the ratios printed.
import { chromium } from "playwright-core";
import { Distance } from "./distance.mjs";
import { release } from "./release.mjs";
import { percentile, spread } from "./spread.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").BrowserContextOptions} BrowserContextOptions */
/** @typedef {Awaited<ReturnType<typeof setUp>>} Build a running daemon, and a room in it */

/** Runs of each measurement, after one to warm up. */
const RUNS = Number(process.env.RUNS ?? 9);
const CPU_SLOWDOWN = 4;
/** 10 Mbit/s, 30 ms. */
const NETWORK = { offline: false, latency: 30, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };
/** Milliseconds of a round trip in a short and a long network: what the difference of the times is divided by. */
const ROUND_TRIPS = /** @type {const} */ ([100, 400]);
const TRIP_RUNS = Number(process.env.TRIP_RUNS ?? 5);
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/** Records when the join form can be used, when Play is tapped, and when the first view is drawn. */
function notes() {
  window.noted = {};
  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (/** @type {any[]} */ ...args) {
    if (args[0] === "submit") requestAnimationFrame(() => setTimeout(() => (window.noted.join ??= performance.now())));
    // @ts-expect-error: handed on as it came
    return addEventListener.apply(this, args);
  };
  addEventListener.call(document, "pointerdown", () => (window.noted.tap = performance.now()), true);
  addEventListener.call(document, "DOMContentLoaded", () => {
    new MutationObserver(() => {
      if (document.body.dataset.screen === "join") return;
      requestAnimationFrame(() => setTimeout(() => (window.noted.view ??= performance.now())));
    }).observe(document.body, { attributeFilter: ["data-screen"] });
  });
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});

/** Starts a daemon with a room, a TV page and a game that is on. @param {string} [binary] another build's */
async function setUp(binary) {
  const box = await release(binary).start();
  const distance = await new Distance(box).open();
  const tv = await (await browser.newContext()).newPage();
  await tv.goto(`${distance.origin}/tv/four`);
  await tv.waitForFunction(() =>
    /^[B-Z]{4}$/.test(document.querySelector("#code")?.textContent?.replace(/\s/g, "") ?? ""),
  );
  const code = await tv.evaluate(() => document.querySelector("#code")?.textContent?.replace(/\s/g, "") ?? "");
  return { box, distance, tv, code };
}

/** Takes the two seats, so that a game is on. @param {Build} build @returns {Promise<Page>} a player's page */
async function seat({ distance, code }) {
  /** @type {Page[]} */
  const pages = [];
  for (let i = 0; i < 2; i += 1) {
    const page = await (await browser.newContext(PHONE)).newPage();
    await page.goto(`${distance.origin}/${code}`);
    await page.waitForFunction(() => document.querySelector("#play:enabled"));
    await page.tap("#play");
    await page.waitForFunction(() => document.body.dataset.screen !== "join");
    pages.push(page);
  }
  return /** @type {Page} */ (pages[1]);
}

/**
 * Counts the round trips until a page that has nothing in its cache shows a game that is on: by how much later it does in a network
 * that is longer.
 * @param {Build} build
 * @param {string} path
 * @param {BrowserContextOptions} options with what the page has stored of its place
 * @returns {Promise<number>}
 */
async function roundTrips({ distance }, path, options) {
  const medians = [];
  for (const trip of ROUND_TRIPS) {
    distance.oneWay = trip / 2;
    const times = [];
    for (let run = 0; run < TRIP_RUNS; run += 1) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(distance.origin + path, { waitUntil: "commit" });
      await page.waitForFunction(() => document.querySelector("#board [data-cell]"));
      times.push(await page.evaluate(() => performance.now()));
      await context.close();
    }
    medians.push(percentile(times, 0.5));
  }
  distance.oneWay = 0;
  const [short = NaN, long = NaN] = medians;
  return (long - short) / (ROUND_TRIPS[1] - ROUND_TRIPS[0]);
}

/**
 * Returns the bytes and requests of a page's load, including the heads of responses.
 * @param {Build} build
 * @param {string} path
 */
async function weigh({ box }, path) {
  const context = await browser.newContext(path === "/tv" ? {} : PHONE);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  let bytes = 0;
  let requests = 0;
  cdp.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await page.goto(box.origin + path, { waitUntil: "networkidle" });
  const first = { bytes, requests };
  bytes = requests = 0;
  await page.reload({ waitUntil: "networkidle" });
  const again = { bytes, requests };
  await context.close();
  return { first, again };
}

/**
 * Measures a join with a slow phone in a slow network.
 * @param {Build} build
 * @returns {Promise<{join: number, play: number}>}
 */
async function comeIn({ box, code }) {
  const context = await browser.newContext(PHONE);
  await context.addInitScript(notes);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", NETWORK);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await page.goto(`${box.origin}/${code}`, { waitUntil: "networkidle" });
  await page.waitForFunction(() => window.noted.join);
  await page.tap("#play");
  await page.waitForFunction(() => window.noted.view);
  const { join = NaN, tap = NaN, view = NaN } = await page.evaluate(() => window.noted);
  await page.tap("#leave");
  await page.tap("#leave-yes");
  await page.waitForSelector('body[data-screen="gone"]');
  await context.close();
  return { join, play: view - tap };
}

const builds = await Promise.all([setUp(), ...(process.env.BASE ? [setUp(process.env.BASE)] : [])]);
const [build, base] = builds;

console.log(
  "| first load | requests | bytes over the wire, heads included | again, all known |\n| --- | --: | --: | --: |",
);
for (const [name, path] of [
  ["pad", "/BCDF"],
  ["TV", "/tv"],
]) {
  const { first, again } = await weigh(build, path ?? "");
  console.log(`| ${name} | ${first.requests} | ${first.bytes} | ${again.bytes} |`);
}

/** @type {Map<Build, {join: number, play: number}[]>} */
const times = new Map(builds.map((one) => [one, []]));
for (let run = 0; run <= RUNS; run += 1) {
  for (const one of builds) {
    const time = await comeIn(one);
    if (run > 0) times.get(one)?.push(time);
  }
}
const head = `ms | ${base ? "base | ratio of the medians |" : ""}`;
console.log(
  `\n| phone with a ${CPU_SLOWDOWN}× slower CPU, 10 Mbit/s, 30 ms | ${head}\n| --- | --: |${base ? " --: | --: |" : ""}`,
);
for (const [what, key] of /** @type {const} */ ([
  ["from the scan to the Play button", "join"],
  ["from the tap on Play to the first view", "play"],
])) {
  const [own = [], others = []] = builds.map((one) => (times.get(one) ?? []).map((time) => time[key]));
  const ratio = percentile(own, 0.5) / percentile(others, 0.5);
  console.log(`| ${what} | ${spread(own)} |${base ? ` ${spread(others)} | ${ratio.toFixed(2)} |` : ""}`);
}

console.log(
  `\n| round trips until a game that is on is shown | |${base ? " base |" : ""}\n| --- | --: |${base ? " --: |" : ""}`,
);
/** @type {string[][]} */
const trips = [];
for (const one of builds) {
  const player = await seat(one);
  const stored = await player.context().storageState();
  const room = await one.tv.context().storageState();
  trips.push([
    (await roundTrips(one, `/${one.code}`, { ...PHONE, storageState: stored })).toFixed(1),
    (await roundTrips(one, "/tv", { storageState: room })).toFixed(1),
  ]);
}
console.log(`| pad, back on its seat | ${trips.map(([pad]) => pad).join(" | ")} |`);
console.log(`| TV, back in its room | ${trips.map(([, tv]) => tv).join(" | ")} |`);

await browser.close();
for (const { box, distance } of builds) {
  distance.close();
  await box.stop();
}
