// A venue for a test: the real daemon, a real browser, and people. An error or warning in a page fails the test.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Daemon, Proxy, WAIT_MS } from "./daemon.mjs";
import { addTestHelpers } from "./inject.mjs";
import { Phone, Tv } from "./clients.mjs";

export { Daemon, Proxy, until, WAIT_MS } from "./daemon.mjs";
export { Phone, playOut, Tv } from "./clients.mjs";

/** @typedef {import("playwright-core").Browser} Browser */
/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("node:test").TestContext} TestContext */
/** @typedef {(size: import("./engines/page.mjs").Size) => Promise<import("./engines/page.mjs").EnginePage>} Opener opens a page in another browser */

const SHOTS = process.env.DOOZER_SHOTS ?? fileURLToPath(new URL("shots/", import.meta.url));

/** The browser's own messages about a lost connection, which are not a page's fault. */
const LOST_LINK = new RegExp(
  [
    "WebSocket connection to .* failed",
    "net::ERR_",
    "Failed to load resource",
    "Failed to fetch dynamically imported module",
    // Firefox
    "The connection to .* was interrupted",
    "can.t establish a connection",
    "Loading failed for",
    "error loading dynamically imported module",
    // WebKit
    "WebSocket network error",
    "Importing a module script failed",
  ].join("|"),
);

/** @type {Promise<Browser> | undefined} */
let browser;
after(async () => (await browser)?.close());

/** Returns the browser for all tests of a file. Each page has its own context, like a device. */
function theBrowser() {
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Chromium's sandbox works neither as root nor in a container. Only our own pages are opened.
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

/** A daemon, a room, and the people in it. */
export class Venue {
  /** Errors and warnings of pages. @type {string[]} */
  complaints = [];
  /** Proxies between pages and the daemon. @type {Proxy[]} */
  proxies = [];
  /** @type {import("playwright-core").BrowserContext[]} */
  #contexts = [];
  /** Pages in other browsers. @type {[who: string, page: import("./engines/page.mjs").EnginePage][]} */
  #guests = [];
  /** The room's code, after the TV has shown it. */
  code = "";
  /** Set by a test that cuts connections, so that the browser's messages about it are ignored. */
  linksBreak = false;

  /** @param {Daemon} box */
  constructor(box) {
    this.box = box;
  }

  /**
   * Opens a page in its own context.
   * @param {import("playwright-core").BrowserContextOptions} options
   * @param {string} who
   */
  async page(options, who) {
    const context = await (await theBrowser()).newContext(options);
    this.#contexts.push(context);
    context.setDefaultTimeout(WAIT_MS);
    await context.addInitScript(addTestHelpers);
    const page = await context.newPage();
    this.watch(page, who);
    return page;
  }

  /**
   * Adds a page in another browser, with the part of Playwright's interface that the tests use.
   * @param {import("./engines/page.mjs").EnginePage} page
   * @param {string} who
   */
  welcome(page, who) {
    this.#guests.push([who, page]);
    return /** @type {Page} */ (/** @type {unknown} */ (page));
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
   * @param {{width?: number, height?: number, path?: string, proxy?: boolean, inside?: boolean, open?: Opener}} [options] `inside` on the box itself; `open` in another browser
   */
  async tv({ width = 960, height = 540, path = "/tv", proxy = false, inside = false, open } = {}) {
    const page = open
      ? this.welcome(await open({ width, height }), "TV")
      : await this.page({ viewport: { width, height } }, "TV");
    const tv = new Tv(this, page);
    const origin = inside ? this.box.inside : proxy ? (await this.proxy()).origin : this.box.origin;
    await page.goto(origin + path);
    this.code = await tv.code();
    return tv;
  }

  /**
   * Opens the pad on a phone, as after scanning the code, and joins unless `join` is false.
   * @param {string} nick
   * @param {{join?: boolean, proxy?: boolean | Proxy, path?: string, width?: number, height?: number, open?: Opener}} [options] `proxy` through its own proxy, or this one; `open` in another browser
   */
  async phone(nick, { join = true, proxy = false, path = `/${this.code}`, width = 390, height = 844, open } = {}) {
    const page = open
      ? this.welcome(await open({ width, height }), nick)
      : await this.page({ viewport: { width, height }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }, nick);
    const phone = new Phone(this, page, nick);
    if (proxy) phone.proxy = proxy === true ? await this.proxy() : proxy;
    await page.goto((phone.proxy?.origin ?? this.box.origin) + path);
    if (join) {
      await phone.join();
      await page.waitForFunction(() => document.body.dataset.screen !== "join");
    }
    return phone;
  }

  /** Starts a proxy for one page. */
  async proxy() {
    this.linksBreak = true;
    const proxy = await new Proxy(this.box).open();
    this.proxies.push(proxy);
    return proxy;
  }

  /** Saves a screenshot for people to look at. @param {string} name @param {Buffer} png */
  keep(name, png) {
    mkdirSync(SHOTS, { recursive: true });
    writeFileSync(`${SHOTS}/${name}.png`, png);
    return png;
  }

  /** Closes all pages, and fails if one had an error or warning. */
  async close() {
    for (const [who, page] of this.#guests) {
      for (const complaint of page.complaints())
        if (!(this.linksBreak && LOST_LINK.test(complaint))) this.complaints.push(`${who}: ${complaint}`);
    }
    await Promise.all([...this.#contexts, ...this.#guests.map(([, page]) => page)].map((opened) => opened.close()));
    await Promise.all(this.proxies.map((proxy) => proxy.close()));
    await this.box.stop();
  }

  /** Reports a failure. @param {string} name @param {TestContext} t */
  async explain(name, t) {
    const file = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    for (const [i, page] of this.#contexts.flatMap((context) => context.pages()).entries()) {
      await page.screenshot({ timeout: 5000 }).then(
        (png) => this.keep(`failed-${file}-${i}`, png),
        () => {},
      );
    }
    for (const [who, page] of this.#guests) {
      await page.screenshot().then(
        (png) => this.keep(`failed-${file}-${who}`, png),
        () => {},
      );
    }
    for (const complaint of this.complaints) t.diagnostic(complaint);
    if (this.box.output) t.diagnostic(this.box.output);
  }
}

/**
 * Declares a test with its own venue. If it fails, screenshots of all pages and the daemon's output are saved.
 * @param {string} name
 * @param {(venue: Venue) => Promise<void>} story
 * @param {ConstructorParameters<typeof Daemon>[0]} [options] the daemon's options
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
