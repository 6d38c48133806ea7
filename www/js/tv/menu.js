// The TV's menu: a tile per game, four in a row, and the people in the room.
import { el, setText } from "../dom.js";
import { textOf, withGame } from "../games/index.js";
import { language, tvWords as words } from "../language.js";
import { fit } from "./fit.js";

/** @typedef {import("../wire.js").MenuView} MenuView */
/** @typedef {import("../games/index.js").Direction} Direction */

const ACROSS = 4;
/** Rows that are visible at once. Further ones scroll with the cursor. */
const ROWS = 2;
/** People in one column. More are listed in two. */
const PEOPLE_A_COLUMN = 5;

export class Menu {
  #tiles;
  #people;
  #open;
  /** @type {string[]} slugs in the order of the tiles */
  #slugs = [];
  #language = "";
  #at = 0;
  #many = false;

  /**
   * @param {HTMLElement} tiles
   * @param {HTMLElement} people
   * @param {(slug: string) => void} open called with the chosen game
   */
  constructor(tiles, people, open) {
    this.#tiles = tiles;
    this.#people = people;
    this.#open = open;
  }

  /** @param {MenuView} view */
  draw({ games, people }) {
    const slugs = games.map((game) => game.slug);
    if (language !== this.#language || String(slugs) !== String(this.#slugs)) {
      this.#language = language;
      this.#tiles.setAttribute("aria-label", words.games);
      this.#at = Math.max(0, slugs.indexOf(this.#slugs[this.#at]));
      this.#slugs = slugs;
      this.#tiles.toggleAttribute("data-more", games.length > ROWS * ACROSS);
      this.#tiles.dataset.rows = String(Math.min(ROWS, Math.ceil(games.length / ACROSS)));
      this.#tiles.replaceChildren(...games.map((game) => this.#tile(game)));
      for (const title of this.#tiles.querySelectorAll(".name")) fit(title);
    }
    this.#select();
    this.#drawPeople(people);
  }

  /** @param {Direction} direction */
  move(direction) {
    const last = this.#slugs.length - 1;
    const column = this.#at % ACROSS;
    const lastRow = last - (last % ACROSS);
    if (direction === "left" && column > 0) this.#at -= 1;
    if (direction === "right" && column < ACROSS - 1 && this.#at < last) this.#at += 1;
    if (direction === "up" && this.#at >= ACROSS) this.#at -= ACROSS;
    if (direction === "down" && this.#at < lastRow) this.#at = Math.min(this.#at + ACROSS, last);
    this.#select();
  }

  /** Opens the game whose tile is selected. */
  open() {
    const slug = this.#slugs[this.#at];
    if (slug) this.#open(slug);
  }

  #select() {
    [...this.#tiles.children].forEach((tile, i) => tile.setAttribute("aria-selected", String(i === this.#at)));
    const above = Math.max(0, Math.floor(this.#at / ACROSS) - (ROWS - 1));
    this.#tiles.style.setProperty("--above", String(above));
    this.#tiles.toggleAttribute("data-below", this.#slugs.length > (above + ROWS) * ACROSS);
  }

  /** @param {{slug: string, name: string}} game */
  #tile({ slug, name }) {
    const art = el("div", { class: "art" });
    const title = el("span", { class: "name fit" }, el("span"));
    const tagline = el("span", { class: "line" });
    const tile = el("button", { class: "tile", role: "option", "data-slug": slug, tabindex: -1 }, art, title, tagline);
    withGame(slug, (game) => {
      setText(/** @type {Element} */ (title.firstElementChild), game ? textOf(game).name : name);
      if (title.isConnected) fit(title);
      setText(tagline, game ? textOf(game).tagline : words.missing);
      if (game) art.append(game.tile());
    });
    // For an air mouse.
    tile.addEventListener("click", () => {
      this.#at = this.#slugs.indexOf(slug);
      this.#select();
      this.open();
    });
    return tile;
  }

  /** @param {string[]} people */
  #drawPeople(people) {
    const list = /** @type {HTMLElement} */ (this.#people.querySelector("ul"));
    this.#people.classList.toggle("nobody", people.length === 0);
    const many = people.length > PEOPLE_A_COLUMN;
    // Another number of columns changes the widths, so all names are fitted again.
    if (list.classList.toggle("many", many) !== this.#many) list.replaceChildren();
    this.#many = many;
    while (list.children.length > people.length) list.lastElementChild?.remove();
    people.forEach((nick, i) => {
      const item = list.children[i] ?? list.appendChild(el("li", { class: "fit" }, el("span", { dir: "auto" })));
      fit(item, nick);
    });
  }
}
