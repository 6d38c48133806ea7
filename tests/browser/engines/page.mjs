// A page in any engine, with the methods of Playwright's `Page` that the tests use. Each engine implements a few operations, and the rest is here.
import { setTimeout as pause } from "node:timers/promises";
import { LOOK_MS, WAIT_MS } from "../daemon.mjs";
import { addTestHelpers } from "../inject.mjs";
import { CLOSE_MS, COMMAND_MS, within } from "./deadline.mjs";

/**
 * The operations that each engine implements.
 * @typedef {object} Controls
 * @property {(url: string) => Promise<unknown>} goto
 * @property {() => Promise<unknown>} reload
 * @property {() => Promise<unknown>} goBack
 * @property {(script: string, args: unknown[]) => Promise<any>} run executes the body of a function in the page
 * @property {(x: number, y: number) => Promise<void>} tapAt presses and releases at a point
 * @property {(key: string) => Promise<void>} press presses a key, by its name in the page's event
 * @property {() => Promise<Buffer>} screenshot returns a PNG
 * @property {(size: Size) => Promise<void>} resize
 * @property {() => string[]} complaints returns the errors and warnings of the console since the last call
 * @property {() => Promise<void>} close
 */
/** @typedef {{width: number, height: number}} Size */

/** A page in a browser that Playwright does not support, or not fully. */
export class EnginePage {
  #controls;

  /** @param {Controls} controls */
  constructor(controls) {
    this.#controls = controls;
    this.keyboard = {
      /** @param {string} key */
      press: (key) => this.#do(controls.press(key), `the key ${key}`),
      /** @param {string} text */
      type: async (text) => {
        for (const key of text) await this.keyboard.press(key);
      },
    };
  }

  /** @param {string} url */
  async goto(url) {
    await this.#do(this.#controls.goto(url), url);
    // WPE's driver does not always wait for the page to load.
    await this.waitForFunction(() => document.readyState === "complete");
  }

  reload() {
    return this.#do(this.#controls.reload(), "reload");
  }

  goBack() {
    return this.#do(this.#controls.goBack(), "back");
  }

  screenshot() {
    return this.#do(this.#controls.screenshot(), "screenshot");
  }

  complaints() {
    return this.#controls.complaints();
  }

  /** Closes the page. A page that hangs is closed with its browser. */
  close() {
    return within(CLOSE_MS, this.#controls.close(), "close").catch(() => {});
  }

  /**
   * @template T
   * @param {Promise<T>} command
   * @param {string} what in words
   */
  #do(command, what) {
    return within(COMMAND_MS, command, what);
  }

  /** @param {Size} size */
  async setViewportSize(size) {
    await this.#do(this.#controls.resize(size), "resize");
    await this.waitForFunction(({ width, height }) => innerWidth === width && innerHeight === height, size);
  }

  /**
   * @template T, R
   * @param {(arg: T) => R} run
   * @param {T} [arg]
   * @returns {Promise<R>}
   */
  evaluate(run, arg) {
    const script = `(${addTestHelpers})(); return (${run})(...arguments);`;
    return this.#do(this.#controls.run(script, arg === undefined ? [] : [arg]), "script");
  }

  /**
   * Waits until the function's result is true in the page, and returns the result.
   * @template T, R
   * @param {(arg: T) => R} holds
   * @param {T} [arg]
   * @returns {Promise<R>}
   */
  async waitForFunction(holds, arg) {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      /** @type {unknown} */
      let failure;
      // No script runs in a page during a reload.
      const held = await this.evaluate(holds, arg).catch((/** @type {unknown} */ error) => void (failure = error));
      if (held) return held;
      if (Date.now() > end) throw new Error(`waited for ${holds}(${JSON.stringify(arg ?? "")})`, { cause: failure });
      await pause(LOOK_MS);
    }
  }

  /** @param {string} selector */
  waitForSelector(selector) {
    return this.waitForFunction((where) => document.querySelector(where) !== null, selector);
  }

  /** Taps the middle of an element, as soon as it is visible and nothing covers it. @param {string} selector */
  async tap(selector) {
    const [x = 0, y = 0] =
      (await this.waitForFunction((where) => {
        const node = document.querySelector(where);
        const box = node?.getBoundingClientRect();
        if (!node || !box?.width || !box.height) return undefined;
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const top = document.elementFromPoint(x, y);
        return top !== null && (node.contains(top) || top.contains(node)) ? [x, y] : undefined;
      }, selector)) ?? [];
    await this.#do(this.#controls.tapAt(x, y), `a tap on ${selector}`);
  }

  /** Taps a field and replaces its text by typing. @param {string} selector @param {string} text */
  async fill(selector, text) {
    await this.tap(selector);
    await this.evaluate(
      (where) => /** @type {HTMLInputElement | null} */ (document.querySelector(where))?.select(),
      selector,
    );
    await this.keyboard.type(text);
  }

  /** @param {string} selector */
  inputValue(selector) {
    return this.evaluate((where) => /** @type {HTMLInputElement} */ (document.querySelector(where)).value, selector);
  }

  title() {
    return this.evaluate(() => document.title);
  }

  /** Does nothing, because each window has one page. */
  async bringToFront() {}

  /** Does nothing, because only Chromium has Playwright's events. */
  on() {}
}
