// The browsers in which the pages are tested besides the current Chromium, one line each.
import { after } from "node:test";
import { SLUGS } from "../games.mjs";
import { CLOSE_MS, within } from "./deadline.mjs";
import { firefox } from "./firefox.mjs";
import { oldChromium } from "./old-chromium.mjs";
import { gtk, wpe } from "./webkit.mjs";

/** @typedef {{page(size: import("./page.mjs").Size): Promise<import("./page.mjs").EnginePage>, close(): Promise<void>}} Running a started browser, in which each page is like a separate device */

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

/** The game that is played to its end in this browser. The other games are only started here, and played to their end in another browser. */
export const WHOLE = SLUGS[Object.keys(ENGINES).indexOf(ENGINE) % SLUGS.length];

/** Tries to start a browser, because about one start in twenty fails. */
const STARTS_MAX = 3;

/** @type {Promise<Running> | undefined} */
let running;
after(close);

async function close() {
  const browser = await running?.catch(() => undefined);
  running = undefined;
  await within(CLOSE_MS, browser?.close(), "the browser ends").catch(() => {});
}

/** Opens a page. Starts the browser for the first page, and again if no page opens. @param {import("./page.mjs").Size} size */
export async function openPage(size) {
  for (let left = STARTS_MAX - 1; ; left -= 1) {
    try {
      running ??= engine.start();
      return await (await running).page(size);
    } catch (error) {
      await close();
      if (left === 0) throw new Error(`${name} does not open a page`, { cause: error });
    }
  }
}
