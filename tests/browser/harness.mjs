// A venue for a test: the real daemon, a real browser, and the people in it. Whatever throws or complains in a page fails the test.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Daemon, Proxy, WAIT_MS } from "./daemon.mjs";
import { Phone, Tv } from "./clients.mjs";

export { Daemon, Proxy, WAIT_MS } from "./daemon.mjs";
export { Phone, playOut, Tv } from "./clients.mjs";

/** @typedef {import("playwright-core").Browser} Browser */
/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("node:test").TestContext} TestContext */

const SHOTS = process.env.DOOZER_SHOTS ?? fileURLToPath(new URL("shots/", import.meta.url));

/** What the browser itself says when a connection is lost, which is no fault of a page. */
const LOST_LINK =
  /WebSocket connection to .* failed|net::ERR_|Failed to load resource|Failed to fetch dynamically imported module/;

/** Gives each page a way to tell what lies on its board, and what moves. */
function lookIn() {
  window.boardCells = () => {
    /** @type {string[]} */
    const cells = [];
    for (const node of document.querySelectorAll("#board [data-cell]")) {
      const { cell, side, count } = /** @type {HTMLElement | SVGElement} */ (node).dataset;
      cells[Number(cell)] = side || count || cells[Number(cell)] || ".";
    }
    return cells.join("");
  };
  const SOON_MS = 8000;
  window.moving = () =>
    document
      .getAnimations()
      .filter(
        (animation) =>
          animation.playState === "running" && Number(animation.effect?.getComputedTiming().endTime) < SOON_MS,
      );
}

/** @type {Promise<Browser> | undefined} */
let browser;
after(async () => (await browser)?.close());

/** One browser for all tests of a file; each page has a context of its own, as a device of its own. */
function theBrowser() {
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Neither root nor a container can have Chromium's own sandbox; what it opens here is ours alone.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return browser;
}

/** One daemon, one room, and everybody in it. */
export class Venue {
  /** What pages threw or complained of. @type {string[]} */
  complaints = [];
  /** Doors between pages and the daemon. @type {Proxy[]} */
  proxies = [];
  /** @type {import("playwright-core").BrowserContext[]} */
  #contexts = [];
  /** The room's code, once the TV shows one. */
  code = "";
  /** Set where a test cuts connections: the browser's own words about that are no complaint. */
  linksBreak = false;

  /** @param {Daemon} box */
  constructor(box) {
    this.box = box;
  }

  /**
   * A page in a context of its own.
   * @param {import("playwright-core").BrowserContextOptions} options
   * @param {string} who
   */
  async page(options, who) {
    const context = await (await theBrowser()).newContext(options);
    this.#contexts.push(context);
    context.setDefaultTimeout(WAIT_MS);
    await context.addInitScript(lookIn);
    const page = await context.newPage();
    this.watch(page, who);
    return page;
  }

  /** @param {Page} page @param {string} who */
  watch(page, who) {
    page.on("pageerror", (error) => {
      if (!(this.linksBreak && LOST_LINK.test(error.message)))
        this.complaints.push(`${who}: ${error.stack || String(error)}`);
    });
    page.on("console", (message) => {
      if (!["error", "warning"].includes(message.type())) return;
      if (this.linksBreak && LOST_LINK.test(message.text())) return;
      this.complaints.push(`${who}: console ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on("crash", () => this.complaints.push(`${who}: the page crashed`));
  }

  /**
   * Opens the TV page and waits for the room's code.
   * @param {{width?: number, height?: number, path?: string, proxy?: boolean, inside?: boolean}} [options] `inside`: on the box itself
   */
  async tv({ width = 960, height = 540, path = "/tv", proxy = false, inside = false } = {}) {
    const page = await this.page({ viewport: { width, height } }, "TV");
    const tv = new Tv(this, page);
    const origin = inside ? this.box.inside : proxy ? (await this.proxy()).origin : this.box.origin;
    await page.goto(origin + path);
    this.code = await tv.code();
    return tv;
  }

  /**
   * A phone with the pad open, as after scanning the code; joined unless told not to.
   * @param {string} nick
   * @param {{join?: boolean, proxy?: boolean, path?: string, width?: number, height?: number}} [options] `proxy`: through one of its own
   */
  async phone(nick, { join = true, proxy = false, path = `/${this.code}`, width = 390, height = 844 } = {}) {
    const page = await this.page(
      { viewport: { width, height }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
      nick,
    );
    const phone = new Phone(this, page, nick);
    if (proxy) phone.proxy = await this.proxy();
    await page.goto((phone.proxy?.origin ?? this.box.origin) + path);
    if (join) {
      await phone.join();
      await page.waitForFunction(() => document.body.dataset.screen !== "join");
    }
    return phone;
  }

  /** A proxy of its own for one page. */
  async proxy() {
    this.linksBreak = true;
    const proxy = await new Proxy(this.box).open();
    this.proxies.push(proxy);
    return proxy;
  }

  /** Keeps a picture for people to look at. @param {string} name @param {Buffer} png */
  keep(name, png) {
    mkdirSync(SHOTS, { recursive: true });
    writeFileSync(`${SHOTS}/${name}.png`, png);
    return png;
  }

  /** Everybody goes home; then nobody may have complained. */
  async close() {
    await Promise.all(this.#contexts.map((context) => context.close()));
    await Promise.all(this.proxies.map((proxy) => proxy.close()));
    await this.box.stop();
  }

  /** What is to be known of a failure. @param {string} name @param {TestContext} t */
  async explain(name, t) {
    const file = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    for (const [i, page] of this.#contexts.flatMap((context) => context.pages()).entries()) {
      await page.screenshot({ timeout: 5000 }).then(
        (png) => this.keep(`failed-${file}-${i}`, png),
        () => {},
      );
    }
    for (const complaint of this.complaints) t.diagnostic(complaint);
    if (this.box.output) t.diagnostic(this.box.output);
  }
}

/**
 * A test with a venue of its own. If it fails, what every page shows is kept as a picture, and what the daemon said is told.
 * @param {string} name
 * @param {(venue: Venue) => Promise<void>} story
 * @param {ConstructorParameters<typeof Daemon>[0]} [options] of the daemon
 */
export function evening(name, story, options) {
  test(name, async (t) => {
    const venue = new Venue(await new Daemon(options).start());
    try {
      await story(venue);
    } catch (error) {
      await venue.explain(name, t);
      throw error;
    } finally {
      await venue.close();
    }
    assert.deepEqual(venue.complaints, [], "pages complained");
  });
}
