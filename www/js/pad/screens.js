// Chooses a phone's screen for a view: its texts, the board, the buttons. Pure, and the same for every game.
import { COLOURS } from "../stone.js";

/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").MenuView} MenuView */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../wire.js").Result} Result */
/** @typedef {Pick<import("../games/index.js").GameModule, "yourTurn" | "outOfTime" | "winText">} GameTexts the texts of a game */

/**
 * @typedef {object} Screen
 * @property {"menu" | "wait" | "yours" | "theirs" | "line" | "result" | "rematch" | "out" | "gone"} name
 * @property {string} headline the main text
 * @property {string} [big] the start of `headline` that is written large
 * @property {string} hint the text below it, may be empty
 * @property {Side | null} [tone] the side whose colour `headline` has
 * @property {"play" | "look" | null} [board] a player's board, a smaller one for watching, or none
 * @property {readonly Offer[]} offers the visible buttons
 * @property {string} [stepout] the label of the button for stepping out
 * @property {"turn" | "minute" | null} [clock] a turn's bar and seconds, or the minute of a rematch
 * @property {string} leave the consequence of leaving now
 */
/** @typedef {"rematch" | "notnow" | "getin" | "stepout" | "home" | "house" | "houseoff" | "takeback" | "again"} Offer the ids of the buttons */

const ORDINALS = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];
const KEPT = "You can put the phone away: your place is kept.";
const LEAVE = "Leave the room?";
const ASIDE = "The House steps aside as soon as somebody scans in.";
/** The parts of a screen that shows the game of others. */
const LOOK = /** @type {const} */ ({ board: "look", clock: "turn" });

/** @param {MenuView} view @returns {Screen} */
export function menu(view) {
  const hint = view.tv ? "It opens on the TV." : "The TV is not connected. It opens there when it is back.";
  return { name: "menu", headline: "Choose a game", hint, offers: [], leave: LEAVE };
}

/** Returns the screen for a game that cannot be loaded. @returns {Screen} */
export function missing() {
  return { name: "wait", headline: "The game does not load", hint: "Trying again.", offers: [], leave: LEAVE };
}

/** Returns the screen of a phone that is not in the room any more. @param {"taken" | "left" | "out" | "closed"} why @returns {Screen} */
export function gone(why) {
  const [headline, hint] = {
    taken: ["This seat was opened on another page", "Only the newest one plays."],
    left: ["You have left", "Thank you for playing."],
    out: ["You were taken out of the room", "Please ask at the bar."],
    closed: ["That room is over", "The code is on the TV."],
  }[why];
  return { name: "gone", headline, hint, offers: [why === "taken" ? "takeback" : "again"], leave: LEAVE };
}

/**
 * Returns the screen for a view.
 * @param {GameView} view
 * @param {GameTexts} texts
 * @returns {Screen}
 */
export function screen(view, texts) {
  const named = isolateNames(view);
  if (view.phase === "result") return { ...result(named, texts), ...waiting(named) };
  if (view.phase === "rematch" && view.role === "rematch") return asked(named);
  if (view.role === "champ" || view.role === "chal")
    return view.phase === "play" ? play(named, texts) : champion(named);
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

/** @param {GameView} view @param {GameTexts} texts @returns {Screen} */
function play(view, texts) {
  const mine = view.side === view.turn?.side;
  const other = nick(view, view.side === 0 ? 1 : 0);
  const late = view.last?.auto ? (view.last.side === view.side ? texts.outOfTime : `${other} ran out of time`) : "";
  const house = view.seats[1]?.house;
  const made = view.note?.kind === "aside";
  const aside = made ? "The House steps aside" : house ? ASIDE : "";
  const common = /** @type {const} */ ({
    board: "play",
    clock: "turn",
    offers: /** @type {Offer[]} */ (house ? ["houseoff"] : []),
    leave: house ? LEAVE : "Leave? You give the game up.",
  });
  if (mine) {
    const noMove = view.note?.kind === "pass" ? `${other} has no move` : "";
    const before = sentences(noMove, late, aside);
    return {
      name: "yours",
      headline: view.note && !made ? "You go again" : "Your turn",
      hint: before ? sentences(before, texts.yourTurn) : texts.yourTurn,
      tone: view.side,
      ...common,
    };
  }
  const away =
    other && view.seats[view.side === 0 ? 1 : 0]?.away ? `${other} is away: the box plays when time is up` : "";
  if (view.note?.kind === "pass")
    return {
      name: "theirs",
      headline: "You have no move",
      hint: sentences(`${other} goes again`, late, away),
      ...common,
    };
  const again = view.note && !made ? `${other} goes again` : `${possessive(other)} turn`;
  return {
    name: "theirs",
    headline: again,
    hint: sentences(late, away, aside) || `You play ${COLOURS[view.side ?? 0]}.`,
    ...common,
  };
}

/** Returns the screen of a champion without a challenger: in the open phase, or while the loser may ask for a rematch. @param {GameView} view @returns {Screen} */
function champion(view) {
  /** @type {Screen} */
  const base = {
    name: "wait",
    headline: "Waiting for a challenger",
    hint: "The code is on the TV.",
    offers: view.house ? ["house", "stepout", "home"] : ["stepout", "home"],
    stepout: "Step down",
    leave: LEAVE,
  };
  const streak = view.seats[0]?.streak ?? 0;
  if (view.phase === "open") return { ...base, tone: 0, hint: sentences(streak ? wins(streak) : "", base.hint) };
  const headline = view.result?.won
    ? "You won"
    : view.result?.winner === null
      ? "A draw: you stay"
      : "You hold the seat";
  return { ...base, headline, tone: 0, hint: `${view.asker ?? "The other"} may ask for a rematch.`, clock: "minute" };
}

/** @param {GameView} view @returns {Screen} */
function asked(view) {
  const { result: over } = view;
  const headline = !over
    ? "Rematch?"
    : over.winner === null
      ? `A draw: ${over.names[0]} stays`
      : `${over.names[over.winner]} won`;
  return {
    name: "rematch",
    headline,
    hint: "Nobody else is waiting.",
    offers: ["rematch", "notnow", "home"],
    clock: "minute",
    leave: LEAVE,
  };
}

/** @param {GameView} view @returns {Screen} */
function inLine(view) {
  const ahead = view.line.slice(0, (view.place ?? 1) - 1).filter((person) => !person.away);
  const game = view.phase === "play" ? LOOK : null;
  const base = /** @type {const} */ ({
    name: "line",
    tone: 0,
    ...game,
    offers: ["stepout"],
    leave: "Leave? Your place in line is lost.",
  });
  if (!ahead[0]) return { ...base, headline: "You are next", hint: KEPT };
  const place = ORDINALS[(view.place ?? 1) - 1] ?? `${view.place}th`;
  return { ...base, headline: `${place} in line`, big: place, hint: sentences(`${ahead[0].nick} is next`, KEPT) };
}

/** @param {GameView} view @returns {Screen} */
function watching(view) {
  const base = /** @type {const} */ ({ name: "out", headline: "Watching", offers: ["getin"], leave: LEAVE });
  const [champ, chal] = view.seats;
  if (view.phase === "play") return { ...base, ...LOOK, hint: `${champ?.nick} against ${chal?.nick}` };
  if (view.phase === "rematch")
    return { ...base, hint: `${view.asker} may ask for a rematch. Get in line and you play first.` };
  const waits = champ && !champ.away ? `${champ.nick} is waiting for a challenger.` : "A seat is free.";
  return { ...base, hint: waits, offers: ["getin", "home"] };
}

/** Returns the screen of a result for this person. @param {GameView} view @param {GameTexts} texts @returns {Screen} */
function result(view, texts) {
  const base = /** @type {const} */ ({
    name: "result",
    board: view.side === null ? "look" : "play",
    offers: [],
    leave: LEAVE,
  });
  const over = view.result;
  if (!over) return { ...base, headline: "The game is over", hint: "" };
  const { winner, names, won } = over;
  if (winner === null) {
    const headline = won === null ? `A draw: ${names[0]} stays` : "A draw";
    return {
      ...base,
      headline,
      hint:
        won === null ? "" : sentences(view.side === 0 ? "You stay" : `${names[0]} stays`, next(view, view.side === 0)),
    };
  }
  const left = over.how === "forfeit" ? `${names[winner === 0 ? 1 : 0]} left` : "";
  const how = left ? "" : texts.winText(over);
  const tone = winner;
  if (won === null) return { ...base, headline: `${names[winner]} wins${how}`, hint: sentences(left), tone };
  if (won) return { ...base, headline: `You won${how}`, hint: sentences(left, next(view, true)), tone };
  return { ...base, headline: "You lost", hint: sentences(`${names[winner]} wins${how}`, next(view, false)) };
}

/** Returns the text about what follows the result, for a player. @param {GameView} view @param {boolean} stays @returns {string} */
function next(view, stays) {
  if (view.seats[1]?.house) return "You keep the seat";
  const first = view.line.find((person) => !person.away);
  if (stays) return first ? `${first.nick} is next` : "";
  return first ? "You go to the back of the line" : "You can ask for a rematch in a moment";
}

/** Returns the buttons and texts for people who did not play, during a result. @param {GameView} view @returns {Partial<Screen>} */
function waiting(view) {
  if (view.role === "out") return { offers: ["getin"] };
  if (view.role !== "line") return {};
  const { hint, leave } = inLine(view);
  const first = view.line.findIndex((person) => !person.away) === (view.place ?? 0) - 1;
  return { offers: ["stepout"], leave, hint: first ? "You play next." : hint };
}

/** @param {GameView} view @param {Side} side */
const nick = (view, side) => view.seats[side]?.nick ?? "";

/** @param {string} name */
const possessive = (name) => (name.endsWith("s") ? `${name}’` : `${name}’s`);

/** @param {number} streak */
export const wins = (streak) => (streak === 1 ? "1 win" : `${streak} wins in a row`);

/** Joins sentences, without empty ones. @param {...string} parts */
function sentences(...parts) {
  return parts
    .filter(Boolean)
    .map((part) => part.replace(/[^.!?]$/, "$&."))
    .join(" ");
}
