// Uses pages as people do: a TV with its remote, and a guest's phone.
import { PNG } from "pngjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./harness.mjs").Venue} Venue */

/** A page of the venue, with methods that wait for what it shows. */
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

  /** The messages that the page has sent. @type {import("../../www/js/wire.js").FromPage[]} */
  said = [];

  /** Returns the current screen. @returns {Promise<string | undefined>} */
  screen() {
    return this.page.evaluate(() => document.body.dataset.screen);
  }

  /**
   * Waits until one of these screens is shown.
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

  /** Returns the text of an element as one line. @param {string} selector */
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
   * Returns the board cell by cell: `.`, `0` or `1`, or the counts of a game with counts.
   * @returns {Promise<string>}
   */
  cells() {
    return this.page.evaluate(() => window.boardCells());
  }

  /** Waits until the board has `n` stones. @param {number} n */
  async stones(n) {
    await this.page
      .waitForFunction((many) => window.boardCells().replaceAll(".", "").length === many, n)
      .catch(async (error) => {
        throw new Error(`waited for ${n} stones, but there is ${await this.cells()}`, { cause: error });
      });
  }

  /** Waits until the board has exactly these cells. @param {string} cells as from `cells` */
  async shows(cells) {
    await this.page
      .waitForFunction((wanted) => window.boardCells() === wanted, cells)
      .catch(async (error) => {
        throw new Error(`waited for ${cells}, but there is ${await this.cells()}`, { cause: error });
      });
  }

  /** Waits until the board equals that of another page, which may get the view earlier. @param {Shown} other */
  async follows(other) {
    await this.shows(await other.cells());
  }

  /** Saves a screenshot of the page. @param {string} name */
  async shot(name) {
    await this.page.bringToFront();
    return this.venue.keep(name, await this.page.screenshot());
  }

  /**
   * Reads the board from its pixels, in the same form as `cells`: the middle of each cell is gold, blue, or neither.
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

  /** Records each animation that starts from now on, and its properties, in the page's `started`. */
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

  /** Waits until all animations have ended, except for clocks and endless ones. */
  async still() {
    await this.page.waitForFunction(() => window.shortAnimations().length === 0);
  }
}

/** The TV page and its remote. */
export class Tv extends Shown {
  /** Returns the four letters on the code card. */
  async code() {
    await this.page.waitForFunction(() =>
      /^[B-Z]{4}$/.test(document.querySelector("#code")?.textContent?.replace(/\s/g, "") ?? ""),
    );
    return this.page.evaluate(() => document.querySelector("#code")?.textContent?.replace(/\s/g, "") ?? "");
  }

  /** Presses keys of the remote, one after the other. @param {...string} keys */
  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Waits for the names on the two seats. @param {string | RegExp} champion @param {string | RegExp} challenger */
  async seats(champion, challenger) {
    await this.says('.seat[data-seat="0"] .nick', champion);
    await this.says('.seat[data-seat="1"] .nick', challenger);
  }

  /** Returns all classes on the board, which an animation must not add to. @returns {Promise<string>} */
  boardClasses() {
    return this.page.evaluate(() =>
      [...new Set([...document.querySelectorAll("#board *")].flatMap((node) => [...node.classList]))].sort().join(" "),
    );
  }

  /** Returns the counts beside the names, the champion's first. @returns {Promise<number[]>} */
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

  /** Types the name and presses the one button. @param {{code?: string}} [options] the code, if it is not in the address */
  async join({ code } = {}) {
    await this.on("join");
    if (code !== undefined) await this.page.fill("#code-input", code);
    await this.page.fill("#nick-input", this.nick);
    await this.page.tap("#play");
  }

  /** Taps a legal move, and waits until this phone shows that it was accepted. @param {number} v */
  async play(v) {
    await this.on("yours");
    const before = await this.cells();
    await this.page.tap(`#board [data-move="${v}"]`);
    await this.page.waitForFunction((was) => window.boardCells() !== was, before);
  }

  /** Returns the highlighted moves. @returns {Promise<number[]>} */
  async lit() {
    const moves = await this.page.locator("#board [data-move]:not([disabled]):not([aria-disabled=true])").all();
    return (await Promise.all(moves.map((move) => move.getAttribute("data-move")))).map(Number).sort((a, b) => a - b);
  }

  /** Leaves the room with the button and its confirmation. */
  async leave() {
    await this.page.tap("#leave");
    await this.page.tap("#leave-yes");
    await this.on("gone", "join");
  }

  /** Simulates a locked phone: its page is hidden, and then receives nothing. Needs a proxy. */
  async lock() {
    await this.#visible(false);
    this.proxy?.deafen();
  }

  /** Simulates unlocking. Connections from before the lock are dead without notice. */
  async unlock() {
    this.proxy?.mend();
    await this.#visible(true);
  }

  /** Overrides the visibility of a page, which in a headless browser is always visible. @param {boolean} yes */
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

  /** The phone's own proxy, if it has one. @type {import("./daemon.mjs").Proxy | undefined} */
  proxy;
}

/**
 * Plays moves one after the other, each by the phone that is on turn.
 * @param {Phone[]} phones the phones of the players
 * @param {number[]} moves
 * @param {(ply: number, mover: Phone) => Promise<void>} [after] called after each move
 * @param {(mover: Phone, v: number, ply: number) => Promise<void>} [play] makes the move, by a tap unless given
 */
export async function playOut(phones, moves, after, play = (mover, v) => mover.play(v)) {
  for (const [i, v] of moves.entries()) {
    const mover = await Promise.any(phones.map((phone) => phone.on("yours").then(() => phone)));
    await play(mover, v, i + 1);
    await after?.(i + 1, mover);
  }
}
