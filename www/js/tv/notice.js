// The notice in place of a room: the reason for having none, and the time of the next try.
import { setText } from "../dom.js";
import { Countdown, formatTime } from "../clock.js";

/** Seconds until a refused page tries again if the daemon has named no time. */
const RETRY_S = 30;

export class Notice {
  #title;
  #text;
  #countdown;
  /** @type {() => void} */
  #then = () => {};
  #words = "";

  /** @param {HTMLElement} notice */
  constructor(notice) {
    this.#title = /** @type {HTMLElement} */ (notice.querySelector("h2"));
    this.#text = /** @type {HTMLElement} */ (notice.querySelector("p"));
    this.#countdown = new Countdown((seconds) => {
      setText(this.#text, `${this.#words} ${formatTime(seconds)}`);
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
    setText(this.#title, no.say);
    this.#words = no.why === "rooms" ? "A new room in" : "Trying again in";
    this.#then = then;
    this.#countdown.run((no.retry ?? RETRY_S) * 1000);
  }
}
