// The join form: a code, a name, one button. A refusal is shown in place, and nothing typed is lost.
import { Countdown, formatTime } from "../clock.js";
import { byId, setText } from "../dom.js";
import * as storage from "./storage.js";

/** @typedef {import("../wire.js").No} No */

/** The letters of room codes, as in daemon/limits.rs. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 4;

/** Milliseconds after which WebKit may have emptied the fields of a page restored from the back/forward cache. */
const EMPTIED_MS = [0, 100, 500];

/** The suggested names. */
const BIRDS = [
  "Wren",
  "Heron",
  "Robin",
  "Finch",
  "Swift",
  "Magpie",
  "Puffin",
  "Kestrel",
  "Plover",
  "Siskin",
  "Linnet",
  "Jackdaw",
  "Osprey",
  "Avocet",
  "Curlew",
  "Dunnock",
  "Egret",
  "Falcon",
  "Gannet",
  "Hoopoe",
];

/** Returns the part of a text that can be a code, up to its length. @param {string} text */
export const codeOf = (text) =>
  [...text.toUpperCase()]
    .filter((letter) => LETTERS.includes(letter))
    .join("")
    .slice(0, LENGTH);

/** Returns the code in a page's path, with or without a final slash, or "". @param {string} path */
export function codeInPath(path) {
  const text = path.replace(/^\/|\/$/g, "").toUpperCase();
  return text.length === LENGTH && codeOf(text) === text ? text : "";
}

/** The join form. */
export class Join {
  #code = /** @type {HTMLInputElement} */ (byId("code-input"));
  #nick = /** @type {HTMLInputElement} */ (byId("nick-input"));
  #play = /** @type {HTMLButtonElement} */ (byId("play"));
  #why = byId("why");
  #countdown = new Countdown((seconds) => this.#wait(seconds));

  /** @param {(room: string, nick: string) => void} play */
  constructor(play) {
    this.#nick.value = storage.loadNick() || (BIRDS[Math.floor(Math.random() * BIRDS.length)] ?? "");
    // Changing the text during a composition makes keyboards write letters twice, so it is cleaned afterwards.
    this.#code.addEventListener("input", (event) => {
      if (!(/** @type {InputEvent} */ (event).isComposing)) this.#clean();
    });
    this.#code.addEventListener("compositionend", () => this.#clean());
    for (const input of [this.#code, this.#nick]) {
      selectOnTap(input);
      input.addEventListener("input", () => this.#clear());
    }
    this.#survive();
    // The button is disabled in the HTML until it works.
    this.#play.disabled = false;
    this.#play.form?.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.#play.disabled) this.#submit(play);
    });
  }

  /** Refills the fields of a page restored from WebKit's back/forward cache. WebKit empties fields without completion some time after the event. */
  #survive() {
    const inputs = [this.#code, this.#nick];
    let kept = ["", ""];
    addEventListener("pagehide", () => (kept = inputs.map((input) => input.value)));
    addEventListener("pageshow", ({ persisted }) => {
      const refill = () => inputs.forEach((input, i) => (input.value ||= kept[i] ?? ""));
      if (persisted) for (const ms of EMPTIED_MS) setTimeout(refill, ms);
    });
  }

  /** @param {string} room */
  fill(room) {
    this.#code.value = room;
  }

  /** Shows that a join is waiting for its answer. */
  busy() {
    this.#clear();
    this.#play.disabled = true;
    setText(this.#play, "Joining…");
  }

  /** Enables the button again. */
  ready() {
    this.#countdown.stop();
    this.#play.disabled = false;
    setText(this.#play, "Play");
  }

  /** @param {No} no */
  refuse(no) {
    this.showError(no.say, no.why === "code" ? "code" : no.why === "nick" ? "nick" : null);
    if (no.why === "busy" && no.retry) {
      this.#play.disabled = true;
      this.#countdown.run(no.retry * 1000);
    }
  }

  /**
   * Shows an error, and focuses the field that it is about.
   * @param {string} words
   * @param {"code" | "nick" | null} where
   */
  showError(words, where) {
    this.ready();
    setText(this.#why, words);
    for (const [name, input] of /** @type {const} */ ([
      ["code", this.#code],
      ["nick", this.#nick],
    ])) {
      input.setAttribute("aria-invalid", String(where === name));
      if (where === name) input.focus();
    }
  }

  #clear() {
    if (this.#play.disabled) return;
    setText(this.#why, "");
    for (const input of [this.#code, this.#nick]) input.setAttribute("aria-invalid", "false");
  }

  /** Reduces the typed text to what can be a code. */
  #clean() {
    const code = codeOf(this.#code.value);
    if (this.#code.value !== code) this.#code.value = code;
  }

  /** @param {(room: string, nick: string) => void} play */
  #submit(play) {
    const room = codeOf(this.#code.value);
    const nick = this.#nick.value.trim();
    if (room.length < LENGTH) this.showError("The code has four letters. It is on the TV.", "code");
    else if (!nick) this.showError("Please type a name.", "nick");
    else {
      // Hides the keyboard, since the next screen needs the space.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      play(room, nick);
    }
  }

  /** @param {number} seconds until another try makes sense */
  #wait(seconds) {
    setText(this.#play, seconds ? `Play in ${formatTime(seconds)}` : "Play");
    if (!seconds) this.showError("", null);
  }
}

/**
 * Selects the text of a field on focus. After a tap this waits for the click, in which WebKit sets the caret.
 * @param {HTMLInputElement} input
 */
function selectOnTap(input) {
  let entered = false;
  input.addEventListener("focus", () => {
    entered = true;
    input.select();
  });
  input.addEventListener("click", () => {
    if (entered) setTimeout(() => input.select());
    entered = false;
  });
}
