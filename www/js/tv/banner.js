// The banner above the board. Its text comes only from the newest view.
import { Countdown, el, formatTime } from "../dom.js";
import { fill, parts, tvWords as words } from "../language.js";
import { textOf } from "../games/index.js";
import { fit } from "./fit.js";

/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../games/index.js").GameModule} GameModule */
/** @typedef {string | {nick: string, side?: Side}} Word a text, or a nickname, in its side's colour if it has one */
/** @typedef {{lines: Word[][], ms?: number, counts?: boolean}} BannerText one or two lines, shown for `ms`, or with `counts` followed by the seconds left of `ms` */

/** Milliseconds of a first turn for which the matchup is shown. */
const MATCHUP_MS = 3_000;
/** Milliseconds of a turn for which the banner explains that the daemon made the last move. */
const OUT_OF_TIME_MS = 4_000;

/** Empty, never expires. */
const NOTHING = until({ lines: [] });

/** Already expired. */
const EXPIRED = { ...NOTHING, end: 0 };

export class Banner {
  #el;
  #countdown = new Countdown((seconds) => this.#show(this.#now.lines, formatTime(seconds)));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The text of the view, a temporary text, and the one that is shown. */
  #text = NOTHING;
  #flash = EXPIRED;
  #now = NOTHING;
  #shown = "";

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#el = element;
  }

  /** @param {BannerText} text */
  draw(text) {
    // A new text replaces a temporary one.
    if (JSON.stringify(text.lines) !== JSON.stringify(this.#text.lines)) this.#flash = EXPIRED;
    this.#text = until(text);
    this.#refresh();
  }

  /**
   * Shows a temporary text.
   * @param {string} text
   * @param {number} ms
   */
  flash(text, ms) {
    this.#flash = until({ lines: [[text]], ms });
    this.#refresh();
  }

  #refresh() {
    clearTimeout(this.#timer);
    this.#countdown.stop();
    const now = performance.now();
    this.#now = now < this.#flash.end ? this.#flash : now < this.#text.end || this.#text.counts ? this.#text : NOTHING;
    const { lines, counts, end } = this.#now;
    if (counts) {
      this.#countdown.run(end - now);
      return;
    }
    this.#show(lines);
    if (end < Infinity) this.#timer = setTimeout(() => this.#refresh(), end - now);
  }

  /**
   * @param {Word[][]} lines
   * @param {string} [behind]
   */
  #show(lines, behind) {
    const shown = JSON.stringify([lines, behind]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#el.classList.toggle("two", lines.length > 1);
    this.#el.replaceChildren(
      ...lines.map((text) => {
        const line = el("span", {}, ...text.map(print));
        if (behind) line.append(` ${behind}`);
        return el("span", { class: "fit" }, line);
      }),
    );
    for (const line of this.#el.children) fit(line);
  }
}

/** @param {BannerText} text */
function until({ lines, ms = Infinity, counts = false }) {
  return { lines, counts, end: performance.now() + ms };
}

/** @param {Word} word */
function print(word) {
  return typeof word === "string" ? word : el("bdi", { class: `side${word.side ?? ""}` }, word.nick);
}

/**
 * Returns the banner's text for a view.
 * @param {GameView} view
 * @param {GameModule} game
 * @returns {BannerText}
 */
export function announce(view, game) {
  const name = (/** @type {Side} */ side) => ({ nick: view.result?.names[side] ?? view.seats[side]?.nick ?? "", side });
  if (view.phase === "play") return playText(view, game, name);
  if (view.phase === "result" && view.result)
    return { lines: [resultText(view.result, game, name), ...nextText(view, name)] };
  if (view.phase === "rematch" && view.asker !== null) {
    // In the asker's colour on the lost board, which is still shown.
    const asker = { nick: view.asker, side: other(view.result?.winner ?? 0) };
    return { lines: [parts(words.rematchOf, { name: asker })], ms: view.left ?? 0, counts: true };
  }
  return { lines: [] };
}

/**
 * @param {GameView} view
 * @param {GameModule} game
 * @param {(side: Side) => Word} name
 * @returns {BannerText}
 */
function playText({ turn, last, note }, game, name) {
  const { outOfTime } = textOf(game);
  const since = turn ? turn.of - turn.left : 0;
  if (note?.kind === "pass")
    return {
      lines: [parts(words.passes, { name: name(note.side) }), parts(words.goesAgain, { name: name(other(note.side)) })],
    };
  if (note?.kind === "aside") return { lines: [[words.aside], [name(0), " — ", name(1)]] };
  if (note?.kind === "again")
    return { lines: [...(last?.auto ? [[outOfTime]] : []), parts(words.goesAgain, { name: name(note.side) })] };
  if (last?.auto && since < OUT_OF_TIME_MS)
    return { lines: [[name(last.side)], [outOfTime]], ms: OUT_OF_TIME_MS - since };
  if (!last && since < MATCHUP_MS) return { lines: [[name(0), " — ", name(1)]], ms: MATCHUP_MS - since };
  return { lines: [] };
}

/**
 * @param {import("../wire.js").Result} result
 * @param {GameModule} game
 * @param {(side: Side) => Word} name
 * @returns {Word[]}
 */
function resultText(result, game, name) {
  const { winner, how, score } = result;
  if (winner === null) return parts(words.drawOf, { name: name(0) });
  if (how === "forfeit") return parts(words.forfeit, { a: name(other(winner)), b: name(winner) });
  // The winner's first.
  const sentence = score
    ? fill(words.winnerBy, { name: "{name}", a: score[winner], b: score[other(winner)] })
    : words.winner;
  const more = game.winText?.(result);
  return [...parts(sentence, { name: name(winner) }), ...(more ? [`. ${more}`] : [])];
}

/**
 * Returns the line that says who plays the winner next, or none if nobody will: a game against the House, or a winner who left.
 * @param {GameView} view
 * @param {(side: Side) => Word} name
 * @returns {Word[][]}
 */
function nextText({ result, seats, line }, name) {
  const winner = result?.winner ?? 0;
  if (!seats[winner] || seats[winner].away || seats[1]?.house) return [];
  const next = line.find(({ away }) => !away);
  if (next) return [parts(words.stepsUp, { name: { nick: next.nick } })];
  return [parts(words.whoTakesOn.join(" "), { name: name(winner) })];
}

/**
 * @param {Side} side
 * @returns {Side}
 */
function other(side) {
  return side === 0 ? 1 : 0;
}
