// The hint for the owner: the likely reason that no guest has joined, or a mistake in the settings.
import { el } from "../dom.js";

/** @typedef {import("../wire.js").Room} Room */
/** @typedef {import("../wire.js").View} View */

/** Milliseconds without a first guest after which the owner is shown the likely reason. */
const ALONE_MS = 10 * 60_000;

export class OwnerLine {
  #node;
  /** The page's own hint about missing guests. */
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
    // Problems are shown only on the menu, so that they do not disturb players.
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
      // The names of settings are between backticks.
      this.#node.replaceChildren(...text.split("`").map((part, i) => (i % 2 ? el("b", {}, part) : part)));
    }
    this.#node.classList.toggle("shown", shown);
  }
}

/** @param {View} view */
function nobody(view) {
  return view.t === "menu" ? view.people.length === 0 : !view.seats[0] && !view.seats[1] && view.line.length === 0;
}
