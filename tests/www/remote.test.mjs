// Tests the messages of the remote's presses.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { SLUGS } from "../../www/js/games/index.js";
import { useWords } from "../../www/js/language.js";
import { words } from "../../www/js/lang/tv/en.js";
import { Remote } from "../../www/js/tv/remote.js";

useWords("en", words);

/** @typedef {import("../../www/js/wire.js").GameView} GameView */

const [slug] = SLUGS;
const { [slug]: game } = await import(`../../www/js/games/${slug}.js`);

/** @param {Partial<GameView>} over @returns {any} */
const view = (over) => ({
  t: "ws",
  game: slug,
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
  turn: { side: 1, id: 17, left: 9_000, of: 20_000 },
  state: { cells: ".".repeat(42) },
  moves: [2, 3],
  last: null,
  note: null,
  left: null,
  result: null,
  ...over,
});
/** Returns a view in which the remote is on turn. @param {Partial<GameView>} [over] */
const mine = (over) => view({ role: "chal", side: 1, ...over });
const MENU = { t: "menu", games: [], people: [], tv: true };

let said, moved, flashed, hint, up, cursor, shaken, board, remote;
beforeEach(() => {
  [said, moved, flashed, hint, up, cursor, shaken] = [[], [], [], [], true, null, []];
  board = {
    point: (at) => {
      cursor = at;
    },
    shake: (at) => shaken.push(at),
  };
  const place = { toggleAttribute: () => {}, dataset: {} };
  const menu = { move: (where) => moved.push(where), open: () => moved.push("open") };
  remote = new Remote({
    send: (message) => up && said.push(message) > 0,
    menu,
    place,
    flash: (text) => flashed.push(text),
    hint: (lines) => {
      hint = lines;
    },
  });
});

test("on the menu arrows move, OK opens, Back does nothing", () => {
  remote.draw(MENU, null);
  for (const press of ["left", "up", "ok", "back"]) remote.press(press, false);
  remote.press("ok", true);
  assert.deepEqual(moved, ["left", "up", "open"], "a held OK opens once");
  assert.deepEqual(said, []);
});

test("in a game the first press gets in line, and only the first", () => {
  remote.draw(view({}), { game, board });
  remote.press("left", true);
  assert.deepEqual(said, [], "not a key that has been held since before");
  remote.press("left", false);
  remote.press("ok", false);
  assert.deepEqual(said, [{ t: "line", on: true }]);
  remote.refused({ re: "line" });
  remote.press("ok", false);
  assert.equal(said.length, 2, "refused: it may ask again");
});

test("in line, or during the other side's turn, presses send nothing", () => {
  remote.draw(view({ role: "line", place: 1 }), { game, board });
  remote.press("ok", false);
  remote.draw(view({ role: "champ", side: 0 }), { game, board });
  remote.press("ok", false);
  assert.deepEqual(said, []);
  assert.equal(cursor, null);
});

test("alone, OK plays the House if the view offers it", () => {
  const alone = view({
    phase: "open",
    role: "champ",
    seats: [{ nick: "Remote", away: false, streak: 0 }, null],
    turn: null,
  });
  remote.draw(alone, { game, board });
  remote.press("ok", false);
  assert.deepEqual([said, hint], [[], []], "switched off by the owner");
  remote.draw({ ...alone, house: true }, { game, board });
  remote.press("left", false);
  assert.deepEqual(said, []);
  remote.press("ok", false);
  remote.press("ok", false);
  assert.deepEqual(said, [{ t: "house", on: true }], "once");
  assert.deepEqual(hint, ["OK: play the House"]);
});

test("on turn arrows and their repeats move the cursor, and OK plays once", () => {
  remote.draw(mine(), { game, board });
  assert.equal(cursor, 3);
  remote.press("left", true);
  assert.equal(cursor, 2);
  remote.press("ok", true);
  assert.deepEqual(said, []);
  remote.press("ok", false);
  remote.press("ok", false);
  remote.press("left", false);
  assert.deepEqual(said, [{ t: "move", v: 2, n: 17 }]);
  assert.equal(cursor, null, "no cursor once it is answered");
});

test("a view within the turn leaves the cursor where it is", () => {
  remote.draw(mine(), { game, board });
  remote.press("left", false);
  remote.draw(mine({ line: [{ nick: "Robin", away: false }] }), { game, board });
  assert.equal(cursor, 2);
});

test("OK on an illegal move shakes the cursor", () => {
  remote.draw(mine(), { game, board });
  remote.press("right", false);
  remote.press("ok", false);
  assert.deepEqual([said, shaken], [[], [4]]);
});

test("a move that was refused, or lost with the link, can be played again", () => {
  remote.draw(mine(), { game, board });
  remote.press("ok", false);
  remote.refused({ re: "move" });
  assert.deepEqual([cursor, shaken], [3, [3]]);
  remote.press("ok", false);
  assert.equal(said.length, 2);
  remote.lost();
  up = false;
  remote.press("ok", false);
  up = true;
  remote.press("ok", false);
  assert.equal(said.length, 3, "what could not be sent is not kept");
});

test("after losing OK asks for the rematch", () => {
  remote.draw(view({ phase: "rematch", role: "rematch", turn: null }), { game, board });
  remote.press("left", false);
  remote.press("ok", false);
  remote.press("ok", false);
  assert.deepEqual(said, [{ t: "rematch" }]);
  assert.deepEqual(hint, ["OK: rematch"]);
});

test("Back asks once if it would end a match, and not otherwise", (t) => {
  let now = 10_000;
  t.mock.method(performance, "now", () => now);
  remote.draw(mine(), { game, board });
  remote.press("back", false);
  assert.deepEqual([said, flashed], [[], ["Press Back again to leave the game"]]);
  now += 3_001;
  remote.press("back", false);
  assert.deepEqual([said.length, flashed.length], [0, 2], "too late: asked anew");
  remote.press("back", true);
  assert.deepEqual(said, [], "not by holding it");
  remote.press("back", false);
  assert.deepEqual(said, [{ t: "home" }]);
  for (const phase of /** @type {const} */ (["open", "result", "rematch"])) {
    said = [];
    remote.draw(view({ phase, turn: null }), { game, board });
    remote.press("back", false);
    assert.deepEqual(said, [{ t: "home" }], phase);
  }
});

test("Back in line, or watching, takes the remote out, and the game goes on", () => {
  for (const over of /** @type {const} */ ([
    { role: "line", place: 1 },
    { role: "out" },
    { role: "out", phase: "open", turn: null },
    { role: "line", phase: "result", turn: null },
  ])) {
    said = [];
    remote.draw(view(over), { game, board });
    remote.press("back", true);
    assert.deepEqual(said, [], "not by holding it");
    remote.press("back", false);
    remote.press("back", false);
    assert.deepEqual(said, [{ t: "leave" }], "once, until the box has answered");
  }
  remote.draw(view({}), { game, board });
  assert.deepEqual(flashed, []);
  remote.press("back", false);
  assert.deepEqual([said.length, flashed.length], [1, 1], "once it is out, Back is about the game again");
});

test("in line the remote sees both ways out, even on a page without earlier presses", () => {
  remote.draw(view({}), { game, board });
  assert.deepEqual(hint, [], "a bar without a remote is told nothing");
  remote.draw(view({ role: "line", place: 1 }), { game, board });
  assert.deepEqual(hint, ["Back: leave the line", "3 missed turns: out"]);
  remote.draw(view({ role: "out" }), { game, board });
  assert.deepEqual(hint, ["OK: join in", "Back: leave"]);
});

test("a question of one game does not affect the next", () => {
  remote.draw(mine(), { game, board });
  remote.press("back", false);
  remote.draw(view({ phase: "result", turn: null }), { game, board });
  remote.draw(mine({ turn: { side: 1, id: 30, left: 20_000, of: 20_000 } }), { game, board });
  remote.press("back", false);
  assert.deepEqual(said, []);
});
