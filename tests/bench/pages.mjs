// Measures the cost of loading a page: bytes, requests, and the time until it can be used. Prints the tables:
//   cargo build --release && node tests/bench/pages.mjs
import { chromium } from "playwright-core";
import { release } from "./release.mjs";
import { spread } from "./spread.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").CDPSession} CDPSession */

/** Runs of each measurement, after one to warm up. */
const RUNS = Number(process.env.RUNS ?? 9);
const CPU_SLOWDOWN = 4;
/** 10 Mbit/s, 30 ms. */
const NETWORK = { offline: false, latency: 30, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };
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

const box = await release().start();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});

/**
 * Returns the bytes and requests of a page's load, including the heads of responses.
 * @param {string} path
 */
async function weigh(path) {
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
 * @param {string} code
 * @returns {Promise<{join: number, play: number}>}
 */
async function comeIn(code) {
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

console.log(
  "| first load | requests | bytes over the wire, heads included | again, all known |\n| --- | --: | --: | --: |",
);
for (const [name, path] of [
  ["pad", "/BCDF"],
  ["TV", "/tv"],
]) {
  const { first, again } = await weigh(path ?? "");
  console.log(`| ${name} | ${first.requests} | ${first.bytes} | ${again.bytes} |`);
}

const tv = await (await browser.newContext()).newPage();
await tv.goto(`${box.origin}/tv/four`);
await tv.waitForFunction(() =>
  /^[B-Z]{4}$/.test(document.querySelector("#code")?.textContent?.replace(/\s/g, "") ?? ""),
);
const code = await tv.evaluate(() => document.querySelector("#code")?.textContent?.replace(/\s/g, "") ?? "");
await comeIn(code);
const times = [];
for (let run = 0; run < RUNS; run++) times.push(await comeIn(code));
console.log(`\n| phone with a ${CPU_SLOWDOWN}× slower CPU, 10 Mbit/s, 30 ms | ms |\n| --- | --: |`);
console.log(`| from the scan to the Play button | ${spread(times.map(({ join }) => join))} |`);
console.log(`| from the tap on Play to the first view | ${spread(times.map(({ play }) => play))} |`);
await browser.close();
await box.stop();
