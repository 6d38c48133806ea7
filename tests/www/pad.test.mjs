// Tests the pad without a browser: screens and texts for views, codes in typed text, and stored values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useWords } from "../../www/js/language.js";
import { gone, menu, screen } from "../../www/js/pad/screens.js";
import { words } from "../../www/js/lang/pad/en.js";

const store = new Map();
globalThis.localStorage = {
  getItem: (name) => store.get(name) ?? null,
  setItem: (name, text) => store.set(name, text),
};
const { codeInPath, codeOf } = await import("../../www/js/pad/join.js");
const phone = await import("../../www/js/pad/phone.js");

useWords("en", words);
const GAME = {
  words: { en: { name: "Any", tagline: "", yourTurn: "Tap here", outOfTime: "Out of time: a stone was put" } },
  winText: (result) => (result.score || result.how === "forfeit" ? "" : "Well done!"),
};
const WREN = { nick: "Wren", away: false, streak: 2 };
const HERON = { nick: "Heron", away: false };

/** Returns a view in the middle of a game, for the challenger Heron on turn, with these differences. */
const view = (more = {}) => ({
  t: "ws",
  game: "any",
  phase: "play",
  role: "chal",
  place: null,
  seats: [WREN, HERON],
  line: [],
  asker: null,
  side: 1,
  tv: true,
  turn: { side: 1, id: 7, left: 9_000, of: 20_000 },
  state: {},
  moves: [1],
  last: { v: 1, side: 0, auto: false, id: 6 },
  note: null,
  left: null,
  result: null,
  ...more,
});
const theirs = { turn: { side: 0, id: 7, left: 9_000, of: 20_000 }, moves: null };
const over = (result, more = {}) =>
  view({
    phase: "result",
    turn: null,
    moves: null,
    left: 6_000,
    result: { winner: 1, how: "play", line: [], score: null, names: ["Wren", "Heron"], won: true, ...result },
    ...more,
  });
const waits = (nick, away = false) => ({ nick, away });

/** @param {object} expected the fields that the screen must have. Others are ignored */
function shows(of, expected) {
  const got = screen(of, GAME);
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, got[key]])), expected);
}

test("the screen shows whose turn it is, and why", () => {
  shows(view(), {
    name: "yours",
    headline: "Your turn",
    hint: "Tap here",
    tone: 1,
    board: "play",
    clock: "turn",
    offers: [],
  });
  shows(view(theirs), { name: "theirs", headline: "Wren’s turn", hint: "You play blue." });
  shows(view({ ...theirs, seats: [{ ...WREN, nick: "Iris" }, HERON] }), { headline: "Iris’s turn" });
  shows(view({ note: { kind: "pass", side: 0 } }), { headline: "You go again", hint: "Wren has no move. Tap here." });
  shows(view({ ...theirs, note: { kind: "pass", side: 1 } }), {
    headline: "You have no move",
    hint: "Wren goes again.",
  });
  shows(view({ note: { kind: "again", side: 1 } }), { headline: "You go again", hint: "Tap here" });
  shows(view({ ...theirs, note: { kind: "again", side: 0 } }), { headline: "Wren goes again" });
  shows(view({ last: { v: 1, side: 0, auto: true, id: 6 } }), {
    headline: "Your turn",
    hint: "Wren ran out of time. Tap here.",
  });
  shows(view({ ...theirs, last: { v: 1, side: 1, auto: true, id: 6 } }), { hint: "Out of time: a stone was put." });
  shows(view({ ...theirs, seats: [{ ...WREN, away: true }, HERON] }), {
    hint: "Wren is away: the box plays when time is up.",
  });
});

test("the button to leave shows the consequence", () => {
  assert.match(screen(view(), GAME).leave, /give the game up/);
  assert.match(
    screen(view({ role: "line", place: 1, side: null, line: [waits("Robin")] }), GAME).leave,
    /place in line is lost/,
  );
  assert.doesNotMatch(screen(over({}), GAME).leave, /game|line/);
});

test("the champion waits before the first challenger and while the loser may ask", () => {
  const open = {
    phase: "open",
    role: "champ",
    side: null,
    seats: [WREN, null],
    turn: null,
    state: null,
    moves: null,
    last: null,
  };
  shows(view({ ...open, house: true }), {
    name: "wait",
    headline: "Waiting for a challenger",
    hint: "2 wins in a row. The code is on the TV.",
    offers: ["house", "stepout", "home"],
    stepout: "Step down",
  });
  // If the owner has switched the House off, the view does not offer it.
  shows(view(open), { name: "wait", offers: ["stepout", "home"] });
  const rematch = over(
    { winner: 0 },
    { phase: "rematch", role: "champ", side: 0, seats: [WREN, null], asker: "Heron", left: 42_000 },
  );
  shows(rematch, {
    name: "wait",
    headline: "You won",
    hint: "Heron may ask for a rematch.",
    clock: "minute",
    offers: ["stepout", "home"],
  });
  shows(over({ winner: null, won: false }, { phase: "rematch", role: "champ", side: 0, asker: "Heron" }), {
    headline: "A draw: you stay",
  });
});

test("the asker is offered the rematch, and sees the result", () => {
  const asker = { phase: "rematch", role: "rematch", asker: "Heron", left: 42_000 };
  shows(over({ winner: 0, won: false }, asker), {
    name: "rematch",
    headline: "Wren won",
    hint: "Nobody else is waiting.",
    offers: ["rematch", "notnow", "home"],
    clock: "minute",
  });
  shows(over({ winner: null, won: false }, asker), { headline: "A draw: Wren stays" });
});

test("the place in line is shown without those who are away", () => {
  const line = [waits("Robin"), waits("Finch", true), waits("Swift")];
  shows(view({ role: "line", side: null, place: 1, line }), {
    name: "line",
    headline: "You are next",
    big: undefined,
    offers: ["stepout"],
    board: "look",
    clock: "turn",
  });
  shows(view({ role: "line", side: null, place: 3, line }), {
    headline: "3rd in line",
    big: "3rd",
    hint: "Robin is next. You can put the phone away: your place is kept.",
  });
  shows(
    view({ role: "line", side: null, place: 3, line: [waits("Robin", true), waits("Finch", true), waits("Swift")] }),
    { headline: "You are next" },
  );
});

test("the phone of a guest in line says about how long it will be, if the box can tell", () => {
  const line = [waits("Robin"), waits("Swift")];
  const hint = (place, wait) => screen(view({ role: "line", side: null, place, line, wait }), GAME).hint;
  assert.equal(hint(1, 1), "About 1 minute. You can put the phone away: your place is kept.");
  assert.equal(hint(2, 4), "Robin is next. About 4 minutes. You can put the phone away: your place is kept.");
  assert.equal(hint(1, undefined), "You can put the phone away: your place is kept.");
});

test("a watching guest can get in line, and sees what for", () => {
  const out = { role: "out", side: null };
  shows(view(out), { name: "out", headline: "Watching", hint: "Wren against Heron", offers: ["getin"], board: "look" });
  shows(view({ ...out, phase: "open", seats: [WREN, null], turn: null }), {
    hint: "Wren is waiting for a challenger.",
    offers: ["getin", "home"],
  });
  shows(view({ ...out, phase: "open", seats: [null, null], turn: null }), { hint: "A seat is free." });
  shows(over({ won: null }, { ...out, phase: "rematch", asker: "Heron" }), {
    name: "out",
    hint: "Heron may ask for a rematch. Get in line and you play first.",
  });
});

test("every role sees the result", () => {
  shows(over({}), { name: "result", headline: "You won. Well done!", hint: "", tone: 1, board: "play", offers: [] });
  shows(over({ score: [22, 42] }, { line: [waits("Robin")] }), {
    headline: "You won, 42 to 22",
    hint: "Robin is next.",
  });
  shows(over({ winner: 0, won: false }), {
    headline: "You lost",
    hint: "Wren wins. Well done! You can ask for a rematch in a moment.",
  });
  shows(over({ winner: 0, won: false }, { line: [waits("Robin")] }), {
    hint: "Wren wins. Well done! You go to the back of the line.",
  });
  shows(over({ winner: 0, won: false }, { line: [waits("Robin", true)] }), {
    hint: "Wren wins. Well done! You can ask for a rematch in a moment.",
  });
  shows(over({ winner: null, won: false }), {
    headline: "A draw",
    hint: "Wren stays. You can ask for a rematch in a moment.",
  });
  shows(over({ winner: null, won: false }, { role: "champ", side: 0 }), { headline: "A draw", hint: "You stay." });
});

test("a player who leaves is named to the winner, by the name at the start", () => {
  const forfeit = { how: "forfeit", winner: 0, won: true, names: ["Wren", "Swift"] };
  shows(over(forfeit, { role: "champ", side: 0, seats: [WREN, null] }), { headline: "You won", hint: "Swift left." });
  shows(over({ ...forfeit, won: null }, { role: "out", side: null }), {
    headline: "Wren wins",
    hint: "Swift left.",
    offers: ["getin"],
    board: "look",
  });
});

test("a result shows those in line when they play", () => {
  const line = [waits("Finch", true), waits("Robin"), waits("Swift")];
  shows(over({ won: null }, { role: "line", side: null, place: 2, line }), {
    name: "result",
    headline: "Heron wins. Well done!",
    hint: "You play next.",
    offers: ["stepout"],
  });
  shows(over({ won: null }, { role: "line", side: null, place: 3, line }), {
    hint: "Robin is next. You can put the phone away: your place is kept.",
  });
  shows(over({ winner: null, won: null }, { role: "out", side: null }), { headline: "A draw: Wren stays" });
});

test("the menu shows that the TV is away, and goodbyes offer a way back", () => {
  assert.match(menu({ t: "menu", games: [], people: [], tv: false }).hint, /not connected/);
  assert.deepEqual(
    ["taken", "left", "closed"].map((why) => gone(why).offers),
    [["takeback"], ["again"], ["again"]],
  );
});

test("a code is its letters, however it is typed", () => {
  assert.equal(codeOf("bc-d f1"), "BCDF");
  assert.equal(codeOf("BCDFGH"), "BCDF");
  assert.equal(codeOf("aeiouy"), "", "letters that no code has");
  assert.equal(codeInPath("/bcdf"), "BCDF");
  assert.equal(codeInPath("/bcdf/"), "BCDF", "the box serves both");
  for (const path of ["/", "//", "/BCD", "/BCD/", "/BCDFG", "/BCDA", "/BCDF//", "/tv/BCDF"])
    assert.equal(codeInPath(path), "", path);
});

test("the keys of the last eight rooms are remembered, the newest longest", () => {
  for (const letter of "BCDFGHJKL") phone.saveSeat(letter.repeat(4), { key: letter, nick: "Wren 2", typed: "Wren" });
  assert.equal(phone.loadSeat("BBBB"), null, "the oldest is forgotten");
  assert.deepEqual(phone.loadSeat("CCCC"), { key: "C", nick: "Wren 2", typed: "Wren" });
  phone.saveSeat("CCCC", { key: "new", nick: "Wren", typed: "Wren" });
  phone.saveSeat("MMMM", { key: "M", nick: "Wren", typed: "Wren" });
  assert.equal(phone.loadSeat("DDDD"), null);
  assert.equal(phone.loadSeat("CCCC")?.key, "new", "a room that was visited again is not the oldest");
  phone.saveSeat("CCCC", null);
  assert.equal(phone.loadSeat("CCCC"), null);
});

test("stored values may be wrong, and there may be no storage", () => {
  for (const text of ["", "{", "null", '{"a":1}', '[[1,2],["BCDF"],["BCDF",{"key":3}]]']) {
    store.set("rooms", text);
    assert.equal(phone.loadSeat("BCDF"), null, text);
  }
  const { localStorage } = globalThis;
  delete globalThis.localStorage;
  phone.saveSeat("BCDF", { key: "k", nick: "Wren", typed: "Wren" });
  phone.saveNick("Wren");
  assert.equal(phone.loadSeat("BCDF")?.key, "k");
  assert.equal(phone.loadNick(), "Wren");
  globalThis.localStorage = localStorage;
});
