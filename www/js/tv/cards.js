// The two cards beside the board, and the line below them.
import { el, say } from "../dom.js";
import { stone } from "../stone.js";
import { fit } from "./fit.js";

/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../wire.js").Turn} Turn */
/** @typedef {import("../games/index.js").GameModule} GameModule */

/** Milliseconds by which a bar may be off before it is set right: less is not seen, and each setting costs an animation. */
const BAR_OFF_MS = 200;

/** Who sits here: nickname, stone, games won or stones on the board, and the time that is left. */
export class SeatCard {
  #side;
  #el;
  #nick = el("p", { class: "nick fit" }, el("span", { dir: "auto" }));
  #streak = el("b", { class: "streak" });
  #label;
  #count = el("p", { class: "count" });
  #bar = new Bar();

  /**
   * @param {HTMLElement} element
   * @param {Side} side
   */
  constructor(element, side) {
    this.#el = element;
    this.#side = side;
    this.#label = el("p", { class: "label fit" }, el("span", {}, side === 0 ? "Champion " : "Challenger ", this.#streak));
    element.append(this.#label, this.#nick, stone(side), this.#count, this.#bar.el, el("p", { class: "away" }, "away"));
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
    const count = view.phase === "open" ? null : game.count(view);
    const streak = seat?.streak ?? 0;
    this.#el.toggleAttribute("data-away", seat?.away ?? false);
    this.#el.toggleAttribute("data-glow", view.turn?.side === side || (view.phase === "result" && view.result?.winner === side));
    this.#el.classList.toggle("counts", count !== null);
    fit(this.#nick, nick);
    say(this.#streak, streak === 0 ? "" : streak === 1 ? "1 win" : `${streak} wins`);
    fit(this.#label);
    say(this.#count, count ? String(count[side]) : "");
    this.#bar.run(view.turn?.side === side ? view.turn : null);
  }
}

/** A turn's time, running down: one animation a turn, on the compositor alone. */
class Bar {
  #rest = el("i");
  el = el("div", { class: "bar" }, this.#rest);
  /** @type {Animation | null} */
  #running = null;
  #id = 0;
  #end = 0;

  /** @param {Turn | null} turn */
  run(turn) {
    const end = performance.now() + (turn?.left ?? 0);
    if (turn && this.#running && turn.id === this.#id && Math.abs(end - this.#end) < BAR_OFF_MS) return;
    this.#running?.cancel();
    this.#running = null;
    this.el.classList.toggle("runs", turn !== null);
    if (!turn) return;
    this.#id = turn.id;
    this.#end = end;
    // The style sheet's own scaleX(0) holds when it is over.
    this.#running = this.#rest.animate({ transform: [`scaleX(${turn.left / turn.of})`, "scaleX(0)"] }, turn.left);
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
    const item = /** @type {HTMLElement} */ (list.children[i] ?? list.appendChild(el("li", { class: "fit" }, el("span"))));
    item.toggleAttribute("data-away", away);
    fit(item, el("bdi", {}, nick), away ? " away" : "");
  });
}
