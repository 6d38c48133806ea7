// The two seat cards beside the board, and the line below them.
import { Bar, el, setText, stone } from "../dom.js";
import { counted, tvWords as words } from "../language.js";
import { fit } from "./fit.js";

/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../games/index.js").GameModule} GameModule */

/** Shows a seat: nickname, stone, games won or stones on the board, and the time left. */
export class SeatCard {
  #side;
  #el;
  #nick = el("p", { class: "nick fit" }, el("span", { dir: "auto" }));
  #streak = el("b", { class: "streak" });
  #label;
  #title;
  #count = el("p", { class: "count" });
  #bar = new Bar();
  #away = el("p", { class: "away" });

  /**
   * @param {HTMLElement} element
   * @param {Side} side
   */
  constructor(element, side) {
    this.#el = element;
    this.#side = side;
    this.#title = el("span");
    this.#label = el("p", { class: "label fit" }, el("span", {}, this.#title));
    element.append(this.#label, this.#streak, this.#nick, stone(0), stone(1), this.#count, this.#bar.el, this.#away);
  }

  /**
   * Draws a view, except for what waits until the board is still. See `settle`.
   * @param {GameView} view
   */
  draw(view) {
    const side = this.#side;
    const seat = view.seats[side];
    // A result keeps the names of its game, even after a player has left.
    const nick = (view.phase === "result" ? view.result?.names[side] : seat?.nick) ?? "";
    // While the finished board is shown, its colours and counts stay, although the seats have changed.
    const played = view.phase === "rematch" ? (view.result?.winner ?? side) : side;
    this.#el.dataset.of = String(played);
    this.#el.toggleAttribute("data-away", seat?.away ?? false);
    const house = seat?.house ?? false;
    this.#el.toggleAttribute("data-house", house);
    setText(this.#title, house ? words.takeOver : side === 0 ? words.champion : words.challenger);
    setText(this.#away, words.away);
    if (view.phase !== "result") this.#el.toggleAttribute("data-glow", view.turn?.side === side);
    fit(this.#nick, nick);
    this.#bar.run(view.turn?.side === side ? view.turn : null);
  }

  /**
   * Draws what waits until the board is still: the count, and the glow of the winner.
   * @param {GameView} view
   * @param {GameModule} game
   */
  settle(view, game) {
    const counts = view.phase === "open" ? null : game.count(view);
    this.#drawWins(view.seats[this.#side]?.streak ?? 0, counts && counts[Number(this.#el.dataset.of)]);
    if (view.phase === "result") this.#el.toggleAttribute("data-glow", view.result?.winner === this.#side);
  }

  /**
   * Shows the wins beside the stone, or after the label if a count is beside the stone.
   * @param {number} streak
   * @param {number | null} count
   */
  #drawWins(streak, count) {
    setText(this.#streak, streak ? counted(words.wins, streak) : "");
    setText(this.#count, count === null ? "" : String(count));
    this.#streak.classList.toggle("beside", count === null);
    const place = count !== null ? /** @type {Element} */ (this.#label.firstElementChild) : this.#el;
    if (this.#streak.parentElement !== place) place.append(this.#streak);
    fit(this.#label);
  }
}

/**
 * Draws the people in line, in order. Absent people are marked, because they are skipped.
 * @param {HTMLElement} next
 * @param {GameView["line"]} line
 */
export function drawLine(next, line) {
  const list = /** @type {HTMLElement} */ (next.querySelector("ol"));
  next.classList.toggle("nobody", line.length === 0);
  while (list.children.length > line.length) list.lastElementChild?.remove();
  line.forEach(({ nick, away }, i) => {
    const item = list.children[i] ?? list.appendChild(el("li", { class: "fit" }, el("span")));
    item.toggleAttribute("data-away", away);
    fit(item, el("bdi", {}, nick), away ? ` ${words.away}` : "");
  });
}
