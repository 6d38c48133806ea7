// Draws the parts of a room's screens: the games to choose from, both seats, and the time.
import { Bar, Countdown, el, formatTime, setText, stone } from "../dom.js";
import { textOf, withGame } from "../games/index.js";
import { counted, fill, language, list, padWords as words } from "../language.js";
import { isolate } from "./screens.js";

/** @typedef {import("../wire.js").MenuView} MenuView */
/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").Side} Side */

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
    setText(this.#people, people.length > 1 ? fill(words.inRoom, { names: list(people.map(isolate)) }) : "");
    const key = [language, ...games.map(({ slug }) => slug)].join();
    if (key === this.#shown) return;
    this.#shown = key;
    this.#picks.replaceChildren(...games.map(({ slug, name }) => this.#button(slug, name)));
  }

  /** @param {string} slug @param {string} name */
  #button(slug, name) {
    const art = el("span", { class: "art" });
    const title = el("b", {}, "\u00a0"); // keeps the line's height until the text comes
    const tagline = el("span", {}, "\u00a0");
    const text = el("span", {}, title, tagline);
    const button = el("button", { type: "button", class: "pick", "data-slug": slug }, art, text);
    withGame(slug, (game) => {
      setText(title, game ? textOf(game).name : name);
      setText(tagline, game ? textOf(game).tagline : words.missing);
      if (game) art.append(game.tile());
    });
    button.addEventListener("click", () => this.#pick(slug));
    return button;
  }
}

/** Length from which a name is written smaller. */
const LONG = 8;

/** A seat on a phone. */
export class Seat {
  #el;
  #side;
  #label = el("span", { class: "unseen" });
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
    element.append(this.#label, stone(side), el("span", { class: "who" }, this.#nick, this.#away), this.#count);
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
    setText(this.#label, words.seats[side]);
    setText(this.#nick, nick || words.free);
    setText(this.#away, seat?.away ? words.away : "");
    setText(this.#count, count ? String(count[side]) : "");
    this.#el.toggleAttribute("data-free", !nick);
    this.#el.toggleAttribute("data-away", seat?.away ?? false);
    this.#el.toggleAttribute("data-long", nick.length > LONG);
    this.#el.toggleAttribute("data-on", view.turn?.side === side || won);
  }
}

/** Shows the time left of a turn, or of the minute in which a rematch can be asked for. */
export class Time {
  #holder;
  #minute;
  #bar = new Bar();
  #words = el("p");
  #countdown;
  /** @type {"turn" | "minute" | null} */
  #kind = null;
  /** @type {GameView | null} */
  #view = null;
  /** The time at which the view was shown, by a clock that stops while the phone sleeps, and by the wall clock. */
  #shown = { awake: 0, wall: 0 };

  /**
   * @param {HTMLElement} holder
   * @param {(text: string) => void} minute called with the time left of the minute, or "" if there is none
   */
  constructor(holder, minute) {
    this.#holder = holder;
    this.#minute = minute;
    this.#countdown = new Countdown((seconds) => this.#tick(seconds));
    holder.append(this.#bar.el, this.#words);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#wake();
    });
  }

  /**
   * @param {GameView | null} view
   * @param {"turn" | "minute" | null} kind
   */
  show(view, kind) {
    this.#view = view;
    this.#kind = kind;
    this.#shown = { awake: performance.now(), wall: Date.now() };
    this.#run(0);
  }

  /** @param {number} late milliseconds since the view was shown */
  #run(late) {
    const turn = this.#kind === "turn" ? (this.#view?.turn ?? null) : null;
    const left = turn?.left ?? (this.#kind === "minute" ? this.#view?.left : null) ?? null;
    this.#holder.hidden = left === null;
    this.#minute("");
    this.#holder.dataset.side = turn ? String(turn.side) : "";
    this.#bar.run(turn && { ...turn, left: Math.max(0, turn.left - late) });
    if (left === null) this.#countdown.stop();
    else this.#countdown.run(left - late);
  }

  /** Corrects the time after a sleep, in which animations and timers have stopped. */
  #wake() {
    const late = Date.now() - this.#shown.wall;
    if (this.#kind && late - (performance.now() - this.#shown.awake) > 500) this.#run(late);
  }

  /** @param {number} seconds */
  #tick(seconds) {
    const minute = this.#kind === "minute";
    if (minute) this.#minute(formatTime(seconds));
    setText(this.#words, minute ? formatTime(seconds) : counted(words.seconds, seconds));
    this.#holder.toggleAttribute("data-soon", seconds <= 5);
  }
}
