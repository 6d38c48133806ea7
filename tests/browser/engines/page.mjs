// A page in any engine, with the methods of Playwright's `Page` that the tests' people use: each engine brings a few of its own, the rest is here.
import { setTimeout as pause } from "node:timers/promises";
import { LOOK_MS, WAIT_MS } from "../daemon.mjs";
import { lookIn } from "../inject.mjs";

/**
 * The operations that each engine implements.
 * @typedef {object} Controls
 * @property {(url: string) => Promise<unknown>} goto
 * @property {() => Promise<unknown>} reload
 * @property {() => Promise<unknown>} goBack
 * @property {(script: string, args: unknown[]) => Promise<any>} run runs the body of a function in the page
 * @property {(x: number, y: number) => Promise<void>} tapAt presses and lets go at a point
 * @property {(key: string) => Promise<void>} press presses a key, named as in the page's event
 * @property {() => Promise<Buffer>} screenshot returns a PNG
 * @property {(size: Size) => Promise<void>} resize
 * @property {() => string[]} complaints returns the errors and warnings of the console since it was asked last
 * @property {() => Promise<void>} close
 */
/** @typedef {{width: number, height: number}} Size */

/** A page in a browser that Playwright does not drive, or not whole. */
export class EnginePage {
  #controls;

  /** @param {Controls} controls */
  constructor(controls) {
    this.#controls = controls;
    this.keyboard = {
      press: controls.press.bind(controls),
      /** @param {string} text */
      type: async (text) => {
        for (const key of text) await controls.press(key);
      },
    };
  }

  /** @param {string} url */
  async goto(url) {
    await this.#controls.goto(url);
    // WPE's driver does not always wait for it.
    await this.waitForFunction(() => document.readyState === "complete");
  }

  reload() {
    return this.#controls.reload();
  }

  goBack() {
    return this.#controls.goBack();
  }

  screenshot() {
    return this.#controls.screenshot();
  }

  complaints() {
    return this.#controls.complaints();
  }

  close() {
    return this.#controls.close();
  }

  /** @param {Size} size */
  async setViewportSize(size) {
    await this.#controls.resize(size);
    await this.waitForFunction(({ width, height }) => innerWidth === width && innerHeight === height, size);
  }

  /**
   * @template T, R
   * @param {(arg: T) => R} run
   * @param {T} [arg]
   * @returns {Promise<R>}
   */
  evaluate(run, arg) {
    return this.#controls.run(`(${lookIn})(); return (${run})(...arguments);`, arg === undefined ? [] : [arg]);
  }

  /**
   * @template T
   * @param {(arg: T) => unknown} holds
   * @param {T} [arg]
   */
  async waitForFunction(holds, arg) {
    const end = Date.now() + WAIT_MS;
    /** @type {unknown} */
    let failure;
    // While a page is loaded anew no script runs in it.
    while (!(await this.evaluate(holds, arg).catch((/** @type {unknown} */ error) => void (failure = error)))) {
      if (Date.now() > end) throw new Error(`waited for ${holds}(${JSON.stringify(arg ?? "")})`, { cause: failure });
      await pause(LOOK_MS);
    }
  }

  /** @param {string} selector */
  waitForSelector(selector) {
    return this.waitForFunction((where) => document.querySelector(where) !== null, selector);
  }

  /** Taps the middle of an element, once it is seen and nothing lies over it. @param {string} selector */
  async tap(selector) {
    await this.waitForFunction((where) => {
      const node = document.querySelector(where);
      const box = node?.getBoundingClientRect();
      if (!node || !box?.width || !box.height) return false;
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return top !== null && (node.contains(top) || top.contains(node));
    }, selector);
    const [x = 0, y = 0] = await this.evaluate((where) => {
      const box = document.querySelector(where)?.getBoundingClientRect() ?? new DOMRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    }, selector);
    await this.#controls.tapAt(x, y);
  }

  /** Taps a field and types over what is in it. @param {string} selector @param {string} text */
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

  /** One window shows one page here. */
  async bringToFront() {}

  /** Playwright's events: only Chromium has them. */
  on() {}
}
