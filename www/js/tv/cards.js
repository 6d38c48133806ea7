// The two cards beside the board, and the line below them.
import { Bar } from "../clock.js";
import { el, setText } from "../dom.js";
import { stone } from "../stone.js";
import { fit } from "./fit.js";

/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../games/index.js").GameModule} GameModule */

/** Who sits here: nickname, stone, games won or stones on the board, and the time that is left. */
export class SeatCard {
  #side;
  #el;
  #nick = el("p", { class: "nick fit" }, el("span", { dir: "auto" }));
  #streak = el("b", { class: "streak" });
  #label;
  #title;
  #count = el("p", { class: "count" });
  #bar = new Bar();

  /**
   * @param {HTMLElement} element
   * @param {Side} side
   */
  constructor(element, side) {
    this.#el = element;
    this.#side = side;
    this.#title = el("span");
    this.#label = el("p", { class: "label fit" }, el("span", {}, this.#title));
    element.append(
      this.#label,
      this.#streak,
      this.#nick,
      stone(0),
      stone(1),
      this.#count,
      this.#bar.el,
      el("p", { class: "away" }, "away"),
    );
  }

  /**
   * @param {GameView} view
   * @param {GameModule} game
   */
  draw(view, game) {
    const side = this.#side;
    const seat = view.seats[side];
    // A result stays as it was played, whoever has left since.
    const nick = (view.phase === "result" ? view.result?.names[side] : seat?.nick) ?? "";
    // While the finished board stands, so does the colour that it was played in, and its count, though the seat has changed.
    const played = view.phase === "rematch" ? (view.result?.winner ?? side) : side;
    this.#el.dataset.of = String(played);
    const counts = view.phase === "open" ? null : game.count(view);
    const streak = seat?.streak ?? 0;
    this.#el.toggleAttribute("data-away", seat?.away ?? false);
    const house = seat?.house ?? false;
    this.#el.toggleAttribute("data-house", house);
    setText(this.#title, house ? "Scan to take over" : side === 0 ? "Champion" : "Challenger");
    this.#el.toggleAttribute(
      "data-glow",
      view.turn?.side === side || (view.phase === "result" && view.result?.winner === side),
    );
    this.#tell(streak, counts && counts[played]);
    fit(this.#nick, nick);
    this.#bar.run(view.turn?.side === side ? view.turn : null);
  }

  /**
   * The wins stand beside the stone, unless a count stands there: then behind the label.
   * @param {number} streak
   * @param {number | null} count
   */
  #tell(streak, count) {
    setText(this.#streak, streak === 0 ? "" : streak === 1 ? "1 win" : `${streak} wins`);
    setText(this.#count, count === null ? "" : String(count));
    this.#streak.classList.toggle("beside", count === null);
    const place = count !== null ? /** @type {Element} */ (this.#label.firstElementChild) : this.#el;
    if (this.#streak.parentElement !== place) place.append(this.#streak);
    fit(this.#label);
  }
}

/**
 * Who waits, in order; those who are away are passed over, so they are marked.
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
    fit(item, el("bdi", {}, nick), away ? " away" : "");
  });
}
