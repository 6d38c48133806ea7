// The line for the owner: what keeps guests out, or what is wrong in the settings.
import { el } from "../dom.js";

/** @typedef {import("../wire.js").Room} Room */
/** @typedef {import("../wire.js").View} View */

/** Milliseconds after which a card that has brought nobody in tells the owner why that may be. */
const ALONE_MS = 10 * 60_000;

export class OwnerLine {
  #node;
  /** What the page says by itself: why no phone may have come. */
  #hint;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #late = false;
  #text = "";

  /** @param {HTMLElement} node */
  constructor(node) {
    this.#node = node;
    this.#hint = node.textContent ?? "";
  }

  /**
   * @param {Room} room
   * @param {View} view
   */
  draw(room, view) {
    const alone = room.phones === false && room.join !== null && nobody(view);
    if (!alone) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#late = false;
    }
    // What must be mended stands on the menu alone: players are not bothered with it.
    const [first, ...more] = view.t === "menu" ? (room.problems ?? []) : [];
    const problem = first && (more.length ? `${first} (and ${more.length} more)` : first);
    this.#node.classList.toggle("problem", Boolean(problem));
    this.#show(problem ?? this.#hint, Boolean(problem) || this.#late);
    if (alone) {
      this.#timer ??= setTimeout(() => {
        this.#late = true;
        this.#node.classList.add("shown");
      }, ALONE_MS);
    }
  }

  /**
   * @param {string} text
   * @param {boolean} shown
   */
  #show(text, shown) {
    if (text !== this.#text) {
      this.#text = text;
      // A setting's name stands between backticks.
      this.#node.replaceChildren(...text.split("`").map((part, i) => (i % 2 ? el("b", {}, part) : part)));
    }
    this.#node.classList.toggle("shown", shown);
  }
}

/** @param {View} view */
function nobody(view) {
  return view.t === "menu" ? view.people.length === 0 : !view.seats[0] && !view.seats[1] && view.line.length === 0;
}
