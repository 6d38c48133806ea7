// The join form: a code, a name, one button. A refusal is shown in place, and nothing typed is lost.
import { byId, Countdown, el, formatTime, setText } from "../dom.js";
import { fill, language, padWords as words } from "../language.js";
import * as phone from "./phone.js";

/** @typedef {import("../wire.js").No} No */

/** The letters of room codes, as in daemon/limits.rs. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 4;

/** Milliseconds after which WebKit may have emptied the fields of a page restored from the back/forward cache. */
const EMPTIED_MS = [0, 100, 500];

/** The suggested names. */
const BIRDS =
  "Wren Heron Robin Finch Swift Magpie Puffin Kestrel Plover Siskin Linnet Jackdaw Osprey Avocet Curlew Dunnock Egret Falcon Gannet Hoopoe".split(
    " ",
  );

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
    this.#nick.value = phone.loadNick() || (BIRDS[Math.floor(Math.random() * BIRDS.length)] ?? "");
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
    setText(this.#play, words.joining);
  }

  /** Enables the button again. */
  ready() {
    this.#countdown.stop();
    this.#play.disabled = false;
    setText(this.#play, words.play);
  }

  /** @param {No} no */
  refuse(no) {
    this.showError(refusal(no), no.why === "code" ? "code" : no.why === "nick" ? "nick" : null);
    if (no.why === "busy" && no.retry) {
      this.#play.disabled = true;
      this.#countdown.run(no.retry * 1000);
    }
  }

  /**
   * Shows an error, and focuses the field that it is about.
   * @param {string} text
   * @param {"code" | "nick" | null} where
   */
  showError(text, where) {
    this.ready();
    setText(this.#why, text);
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
    if (room.length < LENGTH) this.showError(words.fourLetters, "code");
    else if (!nick) this.showError(words.typeName, "nick");
    else {
      // Hides the keyboard, since the next screen needs the space.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      play(room, nick);
    }
  }

  /** @param {number} seconds until another try makes sense */
  #wait(seconds) {
    setText(this.#play, seconds ? fill(words.playIn, { time: formatTime(seconds) }) : words.play);
    if (!seconds) this.showError("", null);
  }
}

/**
 * Returns a switch that offers each language by its own name.
 * @param {(code: string) => void} speak
 */
export function languageSwitch(speak) {
  const codes = String(document.documentElement.dataset.languages).split(" ");
  const options = codes.map((code) => {
    const names = new Intl.DisplayNames(code, { type: "language" });
    return el("option", { value: code, lang: code }, String(names.of(code)));
  });
  const select = el("select", {}, ...options);
  select.addEventListener("change", () => speak(select.value));
  return select;
}

/** Shows the language of the page in all switches. */
export function drawSwitches() {
  for (const select of document.querySelectorAll("select")) {
    select.value = language;
    select.setAttribute("aria-label", words.language);
  }
}

/** Returns the text of a refusal in this phone's language. @param {No} no */
export const refusal = ({ why }) => words.no[/** @type {keyof typeof words.no} */ (why)] ?? words.no.when;

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
