// What a person does and sees: a TV with its remote, and a phone in a guest's hand.
import { PNG } from "pngjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./harness.mjs").Venue} Venue */

/** A page of the venue, and the ways to wait for what it shows. */
class Shown {
  /**
   * @param {Venue} venue
   * @param {Page} page
   */
  constructor(venue, page) {
    this.venue = venue;
    this.page = page;
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => this.said.push(JSON.parse(String(payload)))),
    );
  }

  /** What the page has said to the daemon. @type {import("../../www/js/wire.js").FromPage[]} */
  said = [];

  /** The screen that is up. @returns {Promise<string | undefined>} */
  screen() {
    return this.page.evaluate(() => document.body.dataset.screen);
  }

  /**
   * Waits until one of these screens is up.
   * @param {...string} names
   */
  async on(...names) {
    const selector = names.map((name) => `body[data-screen="${name}"]`).join(", ");
    await this.page.waitForSelector(selector, { state: "attached" }).catch(async (error) => {
      throw new Error(`waited for the screen ${names.join(" or ")}, but there is ${await this.screen()}`, {
        cause: error,
      });
    });
  }

  /** Waits until the link to the daemon is up or down. @param {"up" | "down"} state */
  async link(state) {
    await this.page.waitForSelector(`body[data-link="${state}"]`, { state: "attached" });
  }

  /**
   * Waits until the visible text of an element matches.
   * @param {string} selector
   * @param {RegExp | string} pattern
   */
  async says(selector, pattern) {
    const { source, flags } =
      pattern instanceof RegExp ? pattern : new RegExp(pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    await this.page
      .waitForFunction(
        ([where, like, how]) =>
          [...document.querySelectorAll(where)].some(
            (node) =>
              node instanceof HTMLElement &&
              node.checkVisibility() &&
              new RegExp(like, how).test(node.innerText.replace(/\s+/g, " ").trim()),
          ),
        [selector, source, flags],
      )
      .catch(async (error) => {
        throw new Error(`waited for ${pattern} in ${selector}, but there is: ${await this.text(selector)}`, {
          cause: error,
        });
      });
  }

  /** The text of an element, as one line. @param {string} selector */
  async text(selector) {
    const texts = await this.page.evaluate(
      (where) =>
        [...document.querySelectorAll(where)].map((node) =>
          node instanceof HTMLElement ? node.innerText : node.textContent,
        ),
      selector,
    );
    return texts.join(" ").replace(/\s+/g, " ").trim();
  }

  /**
   * What lies on the board, cell by cell: `.`, `0` or `1`, or where the game counts how many lie there.
   * @returns {Promise<string>}
   */
  cells() {
    return this.page.evaluate(() => window.boardCells());
  }

  /** Waits until so many stones lie on the board. @param {number} n */
  async stones(n) {
    await this.page
      .waitForFunction((many) => window.boardCells().replaceAll(".", "").length === many, n)
      .catch(async (error) => {
        throw new Error(`waited for ${n} stones, but there is ${await this.cells()}`, { cause: error });
      });
  }

  /** Waits until exactly this lies on the board. @param {string} cells as from `cells` */
  async shows(cells) {
    await this.page
      .waitForFunction((wanted) => window.boardCells() === wanted, cells)
      .catch(async (error) => {
        throw new Error(`waited for ${cells}, but there is ${await this.cells()}`, { cause: error });
      });
  }

  /** Waits until the board is what another page shows: each hears of a move in its own time. @param {Shown} other */
  async follows(other) {
    await this.shows(await other.cells());
  }

  /** A picture of the page as it is now. @param {string} name */
  async shot(name) {
    await this.page.bringToFront();
    return this.venue.keep(name, await this.page.screenshot());
  }

  /**
   * The board as its pixels show it, in the same characters as `cells`: the middle of each cell is gold, blue, or neither.
   * @returns {Promise<string>}
   */
  async painted() {
    const { data, width } = PNG.sync.read(await this.shot("painted"));
    const ratio = await this.page.evaluate(() => devicePixelRatio);
    const middles = await this.page.evaluate(() =>
      [...document.querySelectorAll("#board [data-cell]")]
        .sort((a, b) => Number(a.getAttribute("data-cell")) - Number(b.getAttribute("data-cell")))
        .map((node) => node.getBoundingClientRect())
        .map(({ x, y, width: w, height: h }) => [x + w / 2, y + h / 2]),
    );
    return middles
      .map(([x = 0, y = 0]) => {
        const at = 4 * (Math.round(y * ratio) * width + Math.round(x * ratio));
        const [red = 0, , blue = 0] = data.subarray(at, at + 3);
        return red > blue + 90 ? "0" : blue > red + 90 ? "1" : ".";
      })
      .join("");
  }

  /** Notes each animation that starts from now on, and what it changes, in the page's `started`. */
  async note() {
    await this.page.evaluate(() => {
      /** @type {Set<Animation>} */
      const known = new Set(document.getAnimations());
      window.started = [];
      const look = () => {
        for (const animation of document.getAnimations()) {
          if (known.has(animation)) continue;
          known.add(animation);
          const { effect } = animation;
          if (!(effect instanceof KeyframeEffect)) continue;
          const properties = new Set(effect.getKeyframes().flatMap((frame) => Object.keys(frame)));
          for (const own of ["offset", "computedOffset", "easing", "composite"]) properties.delete(own);
          window.started.push({ properties: [...properties], board: effect.target?.closest("#board") !== null });
        }
        requestAnimationFrame(look);
      };
      look();
    });
  }

  /** Waits until nothing moves any more, clocks and what pulses for ever aside. */
  async still() {
    await this.page.waitForFunction(() => window.moving().length === 0);
  }
}

/** The TV page, and the remote that lies before it. */
export class Tv extends Shown {
  /** The four letters on the card. */
  async code() {
    await this.page.waitForFunction(() =>
      /^[B-Z]{4}$/.test(document.querySelector("#code")?.textContent?.replace(/\s/g, "") ?? ""),
    );
    return this.page.evaluate(() => document.querySelector("#code")?.textContent?.replace(/\s/g, "") ?? "");
  }

  /** Presses keys of the remote, one after another. @param {...string} keys */
  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Waits for the names on the two seats. @param {string | RegExp} champion @param {string | RegExp} challenger */
  async seats(champion, challenger) {
    await this.says('.seat[data-seat="0"] .nick', champion);
    await this.says('.seat[data-seat="1"] .nick', challenger);
  }

  /** Every class that anything on the board has: what an animation must not add to. @returns {Promise<string>} */
  boardClasses() {
    return this.page.evaluate(() =>
      [...new Set([...document.querySelectorAll("#board *")].flatMap((node) => [...node.classList]))].sort().join(" "),
    );
  }

  /** The counts beside the names, champion's first. @returns {Promise<number[]>} */
  async counts() {
    return Promise.all([0, 1].map(async (seat) => Number(await this.text(`.seat[data-seat="${seat}"] .count`))));
  }
}

/** A phone. */
export class Phone extends Shown {
  /**
   * @param {Venue} venue
   * @param {Page} page
   * @param {string} nick
   */
  constructor(venue, page, nick) {
    super(venue, page);
    this.nick = nick;
  }

  /** Types the name and presses the one button. @param {{code?: string}} [options] the code, where the address does not hold it */
  async join({ code } = {}) {
    await this.on("join");
    if (code !== undefined) await this.page.fill("#code-input", code);
    await this.page.fill("#nick-input", this.nick);
    await this.page.tap("#play");
  }

  /** Taps what it can play, and waits until this phone itself shows that the move was taken. @param {number} v */
  async play(v) {
    await this.on("yours");
    const before = await this.cells();
    await this.page.tap(`#board [data-move="${v}"]`);
    await this.page.waitForFunction((was) => window.boardCells() !== was, before);
  }

  /** The moves that are lit. @returns {Promise<number[]>} */
  async lit() {
    const moves = await this.page.locator("#board [data-move]:not([disabled]):not([aria-disabled=true])").all();
    return (await Promise.all(moves.map((move) => move.getAttribute("data-move")))).map(Number).sort((a, b) => a - b);
  }

  /** Leaves for good: the button, and yes. */
  async leave() {
    await this.page.tap("#leave");
    await this.page.tap("#leave-yes");
    await this.on("gone", "join");
  }

  /** As a phone whose screen goes dark: its page is told, and hears nothing from then on. Needs a proxy. */
  async lock() {
    await this.#visible(false);
    this.proxy?.deafen();
  }

  /** And light again. What was open when it slept is dead without a word. */
  async unlock() {
    this.proxy?.mend();
    await this.#visible(true);
  }

  /** Headless pages are always visible, so the page is told otherwise. @param {boolean} yes */
  async #visible(yes) {
    await this.page.evaluate(
      (state) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
        Object.defineProperty(document, "hidden", { configurable: true, get: () => state === "hidden" });
        document.dispatchEvent(new Event("visibilitychange"));
      },
      yes ? "visible" : "hidden",
    );
  }

  /** The proxy that this phone came through, if it has one of its own. @type {import("./daemon.mjs").Proxy | undefined} */
  proxy;
}

/**
 * Plays moves one after another, each by whoever's own phone says that it is on turn.
 * @param {Phone[]} phones those that may be on turn
 * @param {number[]} moves
 * @param {(ply: number, mover: Phone) => Promise<void>} [after] looked at after each move
 */
export async function playOut(phones, moves, after) {
  for (const [i, v] of moves.entries()) {
    const mover = await Promise.any(phones.map((phone) => phone.on("yours").then(() => phone)));
    await mover.play(v);
    await after?.(i + 1, mover);
  }
}
