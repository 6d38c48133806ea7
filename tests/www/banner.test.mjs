// Tests the banner's texts for views.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useWords } from "../../www/js/language.js";
import { announce } from "../../www/js/tv/banner.js";
import { words } from "../../www/js/lang/tv/en.js";

/** @typedef {import("../../www/js/wire.js").GameView} GameView */
/** @typedef {import("../../www/js/wire.js").Result} Result */

/** @type {any} a game of no particular kind */
const GAME = { words: { en: { outOfTime: "Out of time: a stone fell" } }, winText: () => "Well done!" };
useWords("en", words);

/** @param {Partial<GameView>} over @returns {GameView} */
const view = (over) => ({
  t: "ws",
  game: "any",
  phase: "play",
  role: null,
  place: null,
  seats: [
    { nick: "Wren", away: false, streak: 1 },
    { nick: "Heron", away: false },
  ],
  line: [],
  asker: null,
  side: null,
  tv: true,
  turn: turn(9_000),
  state: {},
  moves: [0],
  last: { v: 0, side: 0, auto: false, id: 16 },
  note: null,
  left: null,
  result: null,
  ...over,
});

/** @param {number} left @returns {import("../../www/js/wire.js").Turn} */
const turn = (left) => ({ side: 1, id: 17, left, of: 20_000 });

/** @param {Partial<Result>} over */
const finished = (over) =>
  view({
    phase: "result",
    turn: null,
    result: { winner: 0, how: "play", line: [], score: null, names: ["Wren", "Heron"], won: null, ...over },
  });

/** Returns the banner's lines, each name with its side: `Wren/0 wins`. @param {GameView} of */
const lines = (of) =>
  announce(of, GAME).lines.map((words) =>
    words.map((word) => (typeof word === "string" ? word : `${word.nick}/${word.side}`)).join(""),
  );

test("a game begins with the names of both players, for three seconds", () => {
  const first = view({ last: null, turn: turn(19_000) });
  assert.deepEqual(lines(first), ["Wren/0 — Heron/1"]);
  assert.equal(announce(first, GAME).ms, 2_000);
  assert.deepEqual(lines(view({ last: null, turn: turn(16_000) })), []);
  assert.deepEqual(lines(view({ turn: turn(20_000) })), [], "a move has been made");
});

test("a turn out of time is shown with its player, for four seconds", () => {
  const late = view({ last: { v: 3, side: 0, auto: true, id: 16 }, turn: turn(19_500) });
  assert.deepEqual(lines(late), ["Wren/0", "Out of time: a stone fell"]);
  assert.equal(announce(late, GAME).ms, 3_500);
  assert.deepEqual(lines(view({ last: { v: 3, side: 0, auto: true, id: 16 }, turn: turn(15_000) })), []);
});

test("a pass has two lines and an extra turn has one, for as long as the turn lasts", () => {
  assert.deepEqual(lines(view({ note: { kind: "pass", side: 0 }, turn: turn(100) })), [
    "Wren/0 has no move",
    "Heron/1 goes again",
  ]);
  assert.deepEqual(lines(view({ note: { kind: "again", side: 1 }, turn: turn(100) })), ["Heron/1 goes again"]);
  assert.equal(announce(view({ note: { kind: "pass", side: 0 } }), GAME).ms, undefined);
});

test("an extra turn by a move of the box is shown with the reason for that move", () => {
  const late = view({ note: { kind: "again", side: 1 }, last: { v: 3, side: 1, auto: true, id: 16 }, turn: turn(100) });
  assert.deepEqual(lines(late), ["Out of time: a stone fell", "Heron/1 goes again"]);
});

test("a win, a draw and a forfeit are shown with the names at the start", () => {
  assert.deepEqual(lines(finished({ winner: 1 })), ["Heron/1 wins. Well done!", "Who takes on Heron/1?"]);
  assert.deepEqual(lines(finished({ winner: null })), ["A draw: Wren/0 stays", "Who takes on Wren/0?"]);
  assert.deepEqual(lines(finished({ winner: 1, score: [20, 44] }))[0]?.split(".")[0], "Heron/1 wins, 44 to 20");
  const forfeit = {
    ...finished({ how: "forfeit", names: ["Wren", "Heron"] }),
    seats: /** @type {GameView["seats"]} */ ([null, null]),
  };
  assert.deepEqual(lines(forfeit), ["Heron/1 left. Wren/0 wins."]);
});

test("a result names the next player: the first present person in line, or anyone who scans", () => {
  const next = (/** @type {Partial<GameView>} */ over) => lines({ ...finished({ winner: 1 }), ...over }).slice(1);
  const line = [
    { nick: "Robin", away: true },
    { nick: "Finch", away: false },
  ];
  assert.deepEqual(next({ line }), ["Finch/undefined steps up"], "in neither side's colour");
  assert.deepEqual(next({ line: line.slice(0, 1) }), ["Who takes on Heron/1?"]);
  const wren = { nick: "Wren", away: false };
  assert.deepEqual(next({ seats: [wren, { nick: "Heron", away: true }] }), [], "the winner is away");
  assert.deepEqual(next({ seats: [wren, null] }), [], "the winner has left");
  assert.deepEqual(next({ seats: [wren, { nick: "The House", away: false, house: true }] }), []);
});

test("a rematch is offered to the loser by name, with the time left", () => {
  const asked = { ...finished({ winner: 1 }), phase: /** @type {const} */ ("rematch"), asker: "Wren", left: 42_000 };
  assert.deepEqual(lines(asked), ["Wren/0, a rematch?"], "in the colour of the board that still stands");
  assert.deepEqual(announce(asked, GAME), { ...announce(asked, GAME), ms: 42_000, counts: true });
});

test("the banner is empty while nobody plays", () => {
  assert.deepEqual(lines(view({ phase: "open", turn: null, last: null, seats: [null, null] })), []);
});
