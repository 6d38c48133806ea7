// The pad's menu of games.
import { el, setText } from "../dom.js";
import { MISSING, withGame } from "../games/index.js";
import { isolate } from "./screens.js";

/** @typedef {import("../wire.js").MenuView} MenuView */

/** Shows a button for each game, and the people in the room. */
export class Menu {
  #picks;
  #people;
  #pick;
  #shown = "";

  /**
   * @param {HTMLElement} picks
   * @param {HTMLElement} people
   * @param {(slug: string) => void} pick
   */
  constructor(picks, people, pick) {
    this.#picks = picks;
    this.#people = people;
    this.#pick = pick;
  }

  /** @param {MenuView} view */
  draw({ games, people }) {
    setText(this.#people, people.length > 1 ? `In the room: ${people.map(isolate).join(", ")}` : "");
    const key = games.map(({ slug }) => slug).join();
    if (key === this.#shown) return;
    this.#shown = key;
    this.#picks.replaceChildren(...games.map(({ slug, name }) => this.#button(slug, name)));
  }

  /** @param {string} slug @param {string} name */
  #button(slug, name) {
    const art = el("span", { class: "art" });
    const tagline = el("span", {}, "\u00a0"); // keeps the height of the line until the tagline is loaded
    const text = el("span", {}, el("b", {}, name), tagline);
    const button = el("button", { type: "button", class: "pick", "data-slug": slug }, art, text);
    withGame(slug, (game) => {
      setText(tagline, game?.tagline ?? MISSING);
      if (game) art.append(game.tile());
    });
    button.addEventListener("click", () => this.#pick(slug));
    return button;
  }
}
