// The notice in place of a room, with the reason for having none and the time of the next try; and the line for the owner.
import { Countdown, el, formatTime, setText } from "../dom.js";
import { fill, tvWords as words } from "../language.js";

/** Seconds until a refused page tries again if the daemon has named no time. */
const RETRY_S = 30;

/** Returns the text of a refusal in the TV's language. @param {import("../wire.js").No} no */
export const refusal = ({ why }) => words.no[/** @type {keyof typeof words.no} */ (why)] ?? words.no.when;

export class Notice {
  #title;
  #text;
  #countdown;
  /** @type {() => void} */
  #then = () => {};
  #sentence = "";

  /** @param {HTMLElement} notice */
  constructor(notice) {
    this.#title = /** @type {HTMLElement} */ (notice.querySelector("h2"));
    this.#text = /** @type {HTMLElement} */ (notice.querySelector("p"));
    this.#countdown = new Countdown((seconds) => {
      setText(this.#text, fill(this.#sentence, { time: formatTime(seconds) }));
      if (seconds === 0) this.#then();
    });
  }

  /**
   * @param {string} title
   * @param {string} text
   */
  show(title, text) {
    this.#countdown.stop();
    setText(this.#title, title);
    setText(this.#text, text);
  }

  /**
   * Shows a refusal with the daemon's text, and counts down to the next try.
   * @param {import("../wire.js").No} no
   * @param {() => void} then called when the time is over
   */
  refused(no, then) {
    setText(this.#title, refusal(no));
    this.#sentence = no.why === "rooms" ? words.newRoom : words.retryIn;
    this.#then = then;
    this.#countdown.run((no.retry ?? RETRY_S) * 1000);
  }
}

/** @typedef {import("../wire.js").Room} Room */
/** @typedef {import("../wire.js").View} View */

/** Milliseconds without a first guest after which the owner is shown the likely reason. */
const ALONE_MS = 10 * 60_000;

export class OwnerLine {
  #node;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #late = false;
  #text = "";

  /** @param {HTMLElement} node */
  constructor(node) {
    this.#node = node;
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
    const problem = first && (more.length ? fill(words.problems, { problem: first, n: more.length }) : first);
    this.#node.classList.toggle("problem", Boolean(problem));
    this.#show(problem ?? words.noPhone, Boolean(problem) || this.#late);
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
