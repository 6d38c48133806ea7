// Drives a page through Puppeteer or Playwright, in an engine that their newest versions do not fully support. Uses only the methods that both have.
/** @typedef {import("./page.mjs").Controls} Controls */
/** @typedef {import("./page.mjs").Size} Size */
/** @typedef {import("playwright-core").Page} Page the methods used here are the same in Puppeteer's */

/** Messages of an old browser about features that it does not know and ignores. */
const UNKNOWN = /^The key "interactive-widget" is not recognized|^getGamepad will now require Secure Context/;

/** @implements {Controls} */
export class Scripted {
  #page;
  #resize;
  #close;
  /** @type {string[]} */
  #complaints = [];

  /**
   * @param {Page | import("puppeteer-core").Page} page
   * @param {(size: Size) => Promise<void>} resize
   * @param {() => Promise<void>} close
   */
  constructor(page, resize, close) {
    this.#page = /** @type {Page} */ (page);
    this.#resize = resize;
    this.#close = close;
    this.#page.on("pageerror", (error) => this.#complaints.push(String(error?.stack ?? error)));
    this.#page.on("console", (message) => {
      if (["error", "warn", "warning"].includes(message.type()) && !UNKNOWN.test(message.text()))
        this.#complaints.push(`console ${message.type()}: ${message.text()}`);
    });
  }

  complaints() {
    return this.#complaints.splice(0);
  }

  /** @param {string} url */
  goto(url) {
    return this.#page.goto(url);
  }

  reload() {
    return this.#page.reload();
  }

  /** Goes back without waiting for a load, because a page from the back/forward cache is not loaded again. */
  goBack() {
    return this.#page.evaluate("setTimeout(() => history.back())");
  }

  /** @param {string} script @param {unknown[]} args */
  run(script, args) {
    // The script is sent as text. The pages' policy forbids pages to run text, but not the browser's driver.
    return this.#page.evaluate(`(function () { ${script} }).apply(null, ${JSON.stringify(args)})`);
  }

  /** @param {number} x @param {number} y */
  tapAt(x, y) {
    return this.#page.touchscreen.tap(x, y);
  }

  /** @param {string} key */
  press(key) {
    return this.#page.keyboard.press(key);
  }

  async screenshot() {
    return Buffer.from(await this.#page.screenshot());
  }

  /** @param {Size} size */
  resize(size) {
    return this.#resize(size);
  }

  close() {
    return this.#close();
  }
}
