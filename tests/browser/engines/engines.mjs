// The browsers in which the pages are tried besides today's Chromium: an engine is a line.
import { after } from "node:test";
import { firefox } from "./firefox.mjs";
import { oldChromium } from "./old-chromium.mjs";
import { gtk, wpe } from "./webkit.mjs";

/** @typedef {{page(size: import("./page.mjs").Size): Promise<import("./page.mjs").EnginePage>, close(): Promise<void>}} Running a started browser; each page is a device of its own */

/** @type {Record<string, {name: string, start: () => Promise<Running>}>} */
const ENGINES = {
  wpe: { name: "WPE WebKit (Safari 16)", start: wpe },
  gtk: { name: "WebKitGTK (Safari 26)", start: gtk },
  firefox: { name: "Firefox", start: firefox },
  old: { name: "Chromium 103", start: oldChromium },
};

/** The engine of this run: `DOOZER_ENGINE`, one of the keys above. */
export const ENGINE = process.env.DOOZER_ENGINE ?? "wpe";

const engine = ENGINES[ENGINE];
if (!engine) throw new Error(`DOOZER_ENGINE=${ENGINE}: there are ${Object.keys(ENGINES).join(", ")}`);

export const { name } = engine;

/** @type {Promise<Running> | undefined} */
let running;
after(async () => (await running)?.close());

/** Opens a page; the browser is started for the first one. @param {import("./page.mjs").Size} size */
export async function openPage(size) {
  running ??= engine.start();
  return (await running).page(size);
}
