// Chooses a phone's screen for a view: its texts, the board, the buttons. Pure, and the same for every game.
import { counted, fill, padWords as words } from "../language.js";
import { textOf } from "../games/index.js";

/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").MenuView} MenuView */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../wire.js").Result} Result */
/** @typedef {Pick<import("../games/index.js").GameModule, "words" | "winText">} Told the texts of a game */

/**
 * @typedef {object} Screen
 * @property {"menu" | "wait" | "yours" | "theirs" | "line" | "result" | "rematch" | "out" | "gone"} name
 * @property {string} headline the main text
 * @property {string} [big] the part of `headline` that is written large
 * @property {string} hint the text below it, may be empty
 * @property {Side | null} [tone] the side whose colour `headline` has
 * @property {"play" | "look" | null} [board] a player's board, a smaller one for watching, or none
 * @property {readonly Offer[]} offers the visible buttons
 * @property {string} [stepout] the label of the button for stepping out
 * @property {"turn" | "minute" | null} [clock] a turn's bar and seconds, or the minute of a rematch
 * @property {string} leave the consequence of leaving now
 */
/** @typedef {"rematch" | "notnow" | "getin" | "stepout" | "home" | "house" | "houseoff" | "takeback" | "again"} Offer the ids of the buttons */

/** The parts of a screen that shows the game of others. */
const LOOK = /** @type {const} */ ({ board: "look", clock: "turn" });

/** @param {MenuView} view @returns {Screen} */
export function menu(view) {
  const hint = view.tv ? words.opens : words.tvGone;
  return { name: "menu", headline: words.choose, hint, offers: [], leave: words.leaveRoom };
}

/** Returns the screen for a game that cannot be loaded. @returns {Screen} */
export function missing() {
  return { name: "wait", headline: words.noLoad, hint: words.retrying, offers: [], leave: words.leaveRoom };
}

/** Returns the screen of a phone that is not in the room any more. @param {"taken" | "left" | "out" | "closed"} why @returns {Screen} */
export function gone(why) {
  const hint = { taken: words.newest, left: words.thanks, out: words.askBar, closed: sentences(words.onTv) }[why];
  return {
    name: "gone",
    headline: words[why],
    hint,
    offers: [why === "taken" ? "takeback" : "again"],
    leave: words.leaveRoom,
  };
}

/**
 * Returns the screen for a view.
 * @param {GameView} view
 * @param {Told} game
 * @returns {Screen}
 */
export function screen(view, game) {
  const named = isolateNames(view);
  if (view.phase === "result") return { ...result(named, game), ...waiting(named) };
  if (view.phase === "rematch" && view.role === "rematch") return asked(named);
  if (view.role === "champ" || view.role === "chal") return view.phase === "play" ? play(named, game) : champion(named);
  return view.role === "line" ? inLine(named) : watching(named);
}

/** Letters of scripts that are written from right to left: Hebrew, Arabic and others, also beyond the first plane. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\ud802\ud803\ud83a\ud83b]/;

/**
 * Returns a name that does not change the order of a sentence around it (bidirectional isolates, UAX 9).
 * @param {string} name
 */
export const isolate = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** Returns a view with all names isolated. @param {GameView} view @returns {GameView} */
function isolateNames(view) {
  const [first, second] = view.seats.map((seat) => seat && { ...seat, nick: isolate(seat.nick) });
  const names = view.result?.names.map(isolate);
  return {
    ...view,
    seats: [first ?? null, second ?? null],
    line: view.line.map((person) => ({ ...person, nick: isolate(person.nick) })),
    asker: view.asker && isolate(view.asker),
    result: view.result && { ...view.result, names: [names?.[0] ?? "", names?.[1] ?? ""] },
  };
}

/** @param {GameView} view @param {Told} game @returns {Screen} */
function play(view, game) {
  const texts = textOf(game);
  const mine = view.side === view.turn?.side;
  const rival = view.seats[view.side === 0 ? 1 : 0];
  const other = { name: rival?.nick ?? "" };
  const own = view.last?.side === view.side;
  const late = view.last?.auto ? (own ? texts.outOfTime : fill(words.late, other)) : "";
  const house = view.seats[1]?.house;
  const made = view.note?.kind === "aside";
  const aside = made ? words.aside : house ? words.willAside : "";
  const common = /** @type {const} */ ({
    board: "play",
    clock: "turn",
    offers: /** @type {Offer[]} */ (house ? ["houseoff"] : []),
    leave: house ? words.leaveRoom : words.leaveGame,
  });
  const pass = view.note?.kind === "pass";
  if (mine) {
    const before = sentences(pass ? fill(words.passes, other) : "", late, aside);
    return {
      name: "yours",
      headline: view.note && !made ? words.youAgain : words.yourTurn,
      hint: before ? sentences(before, texts.yourTurn) : texts.yourTurn,
      tone: view.side,
      ...common,
    };
  }
  const away = rival?.away ? fill(words.boxPlays, other) : "";
  const again = fill(words.goesAgain, other);
  if (pass) return { name: "theirs", headline: words.youPass, hint: sentences(again, late, away), ...common };
  return {
    name: "theirs",
    headline: view.note && !made ? again : fill(words.turnOf, other),
    hint: sentences(late, away, aside) || sentences(words.youPlay[view.side ?? 0]),
    ...common,
  };
}

/** Returns the screen of a champion without a challenger: in the open phase, or while the loser may ask for a rematch. @param {GameView} view @returns {Screen} */
function champion(view) {
  /** @type {Screen} */
  const base = {
    name: "wait",
    headline: words.waiting,
    hint: "",
    tone: 0,
    offers: view.house ? ["house", "stepout", "home"] : ["stepout", "home"],
    stepout: words.stepdown,
    leave: words.leaveRoom,
  };
  const streak = view.seats[0]?.streak ?? 0;
  if (view.phase === "open") return { ...base, hint: sentences(streak ? counted(words.wins, streak) : "", words.onTv) };
  const headline = view.result?.won ? words.youWon : view.result?.winner === null ? words.drawYours : words.hold;
  return { ...base, headline, hint: sentences(fill(words.mayAsk, { name: view.asker ?? "" })), clock: "minute" };
}

/** @param {GameView} view @returns {Screen} */
function asked(view) {
  const { result: over } = view;
  const headline = !over
    ? `${words.rematch}?`
    : over.winner === null
      ? fill(words.drawOf, { name: over.names[0] })
      : fill(words.won, { name: over.names[over.winner] });
  return {
    name: "rematch",
    headline,
    hint: words.nobody,
    offers: ["rematch", "notnow", "home"],
    clock: "minute",
    leave: words.leaveRoom,
  };
}

/** @param {GameView} view @returns {Screen} */
function inLine(view) {
  const place = view.place ?? 1;
  const kept = sentences(view.wait ? counted(words.minutes, view.wait) : "", words.kept);
  const ahead = view.line.slice(0, place - 1).filter((person) => !person.away);
  const base = /** @type {const} */ ({
    name: "line",
    tone: 0,
    ...(view.phase === "play" ? LOOK : null),
    offers: ["stepout"],
    leave: words.leaveLine,
  });
  if (!ahead[0]) return { ...base, headline: words.youNext, hint: kept };
  const big = counted(words.ordinals, place, "ordinal");
  const first = fill(words.isNext, { name: ahead[0].nick });
  return { ...base, headline: fill(words.inLine, { place: big }), big, hint: sentences(first, kept) };
}

/** @param {GameView} view @returns {Screen} */
function watching(view) {
  const base = /** @type {const} */ ({
    name: "out",
    headline: words.watching,
    offers: ["getin"],
    leave: words.leaveRoom,
  });
  const [champ, chal] = view.seats;
  if (view.phase === "play")
    return { ...base, ...LOOK, hint: fill(words.against, { a: champ?.nick ?? "", b: chal?.nick ?? "" }) };
  if (view.phase === "rematch")
    return { ...base, hint: sentences(fill(words.mayAsk, { name: view.asker ?? "" }), words.firstThen) };
  const waits = champ && !champ.away ? fill(words.waits, { name: champ.nick }) : words.seatFree;
  return { ...base, hint: waits, offers: ["getin", "home"] };
}

/** Returns the screen of a result for this person. @param {GameView} view @param {Told} game @returns {Screen} */
function result(view, game) {
  const base = /** @type {const} */ ({
    name: "result",
    board: view.side === null ? "look" : "play",
    offers: [],
    leave: words.leaveRoom,
  });
  const over = view.result;
  if (!over) return { ...base, headline: words.over, hint: "" };
  const { winner, names, won, score } = over;
  const name = names[winner ?? 0];
  if (winner === null) {
    const stays = fill(words.stays, { name });
    return won === null
      ? { ...base, headline: fill(words.drawOf, { name }), hint: "" }
      : {
          ...base,
          headline: words.draw,
          hint: sentences(view.side === 0 ? words.youStay : stays, next(view, view.side === 0)),
        };
  }
  const other = winner === 0 ? 1 : 0;
  const left = over.how === "forfeit" ? fill(words.gone, { name: names[other] }) : "";
  // The winner's first.
  const by = score && { a: score[winner], b: score[other] };
  const wins = by ? fill(words.winnerBy, { name, ...by }) : fill(words.winner, { name });
  const how = left ? "" : (game.winText?.(over) ?? "");
  if (won === false) return { ...base, headline: words.youLost, hint: sentences(wins, how, next(view, false)) };
  const headline = won ? (by ? fill(words.youWonBy, by) : words.youWon) : wins;
  return {
    ...base,
    headline: how ? sentences(headline, how) : headline,
    hint: sentences(left, won ? next(view, true) : ""),
    tone: winner,
  };
}

/** Returns the text about what follows the result, for a player. @param {GameView} view @param {boolean} stays @returns {string} */
function next(view, stays) {
  if (view.seats[1]?.house) return words.keep;
  const first = view.line.find((person) => !person.away);
  if (stays) return first ? fill(words.isNext, { name: first.nick }) : "";
  return first ? words.back : words.mayRematch;
}

/** Returns the buttons and texts for people who did not play, during a result. @param {GameView} view @returns {Partial<Screen>} */
function waiting(view) {
  if (view.role === "out") return { offers: ["getin"] };
  if (view.role !== "line") return {};
  const { hint, leave } = inLine(view);
  const first = view.line.findIndex((person) => !person.away) === (view.place ?? 0) - 1;
  return { offers: ["stepout"], leave, hint: first ? words.youPlayNext : hint };
}

/** Joins sentences, without empty ones. @param {...string} parts */
export function sentences(...parts) {
  return parts
    .filter(Boolean)
    .map((part) => part.replace(/[^.!?]$/, "$&."))
    .join(" ");
}
