// The two seats on the pad: stone, name, and the count if the game has one.
import { el, setText } from "../dom.js";
import { stone } from "../stone.js";

/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").Side} Side */

/** Length from which a name is written smaller. */
const LONG = 8;

/** A seat on a phone. */
export class Seat {
  #el;
  #side;
  #nick = el("span", { class: "nick", dir: "auto" });
  #away = el("span", { class: "away" });
  #count = el("b", { class: "count" });

  /**
   * @param {HTMLElement} element
   * @param {Side} side
   */
  constructor(element, side) {
    this.#el = element;
    this.#side = side;
    element.append(
      el("span", { class: "unseen" }, side === 0 ? "Champion, gold: " : "Challenger, blue: "),
      stone(side),
      el("span", { class: "who" }, this.#nick, this.#away),
      this.#count,
    );
  }

  /**
   * @param {GameView} view
   * @param {[number, number] | null} count
   */
  draw(view, count) {
    const side = this.#side;
    const seat = view.seats[side];
    // A result keeps the names of its game, even after a player has left.
    const nick = (view.phase === "result" ? view.result?.names[side] : seat?.nick) ?? "";
    const won = view.phase === "result" && view.result?.winner === side;
    setText(this.#nick, nick || "Free");
    setText(this.#away, seat?.away ? "away" : "");
    setText(this.#count, count ? String(count[side]) : "");
    this.#el.toggleAttribute("data-free", !nick);
    this.#el.toggleAttribute("data-away", seat?.away ?? false);
    this.#el.toggleAttribute("data-long", nick.length > LONG);
    this.#el.toggleAttribute("data-on", view.turn?.side === side || won);
  }
}
