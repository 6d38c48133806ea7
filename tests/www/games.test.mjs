// Tests the games' modules without a browser: texts, the remote's cursor, and the move between two boards.
import assert from "node:assert/strict";
import { test } from "node:test";
import stylelint from "stylelint";
import config from "../../stylelint.config.js";
import { neighbour } from "../../www/js/games/buttons.js";
import { four, lines } from "../../www/js/games/four.js";
import { step } from "../../www/js/games/grid.js";
import { SLUGS, withGame } from "../../www/js/games/index.js";
import { useWords } from "../../www/js/language.js";
import { words } from "../../www/js/lang/pad/en.js";
import { mancala, sowing } from "../../www/js/games/mancala.js";
import { reversi } from "../../www/js/games/reversi.js";

useWords("en", words);

/** @typedef {import("../../www/js/wire.js").GameView} GameView */
/** @typedef {import("../../www/js/wire.js").Result} Result */

/** @type {[string, import("../../www/js/games/index.js").GameModule][]} */
const GAMES = await Promise.all(
  SLUGS.map(async (slug) => [slug, (await import(`../../www/js/games/${slug}.js`))[slug]]),
);

/** @param {Partial<Result>} over @returns {Result} */
const result = (over) => ({
  winner: 0,
  how: "play",
  line: [],
  score: null,
  names: ["Wren", "Heron"],
  won: null,
  ...over,
});

/** @param {Partial<GameView>} over @returns {GameView} */
const view = (over) => ({
  t: "ws",
  game: "",
  phase: "play",
  role: null,
  place: null,
  seats: [null, null],
  line: [],
  asker: null,
  side: null,
  tv: true,
  turn: null,
  state: null,
  moves: null,
  last: null,
  note: null,
  left: null,
  result: null,
  ...over,
});

test("a game that never loads is requested at longer and longer intervals", async (t) => {
  t.mock.method(console, "warn", () => {});
  const real = setTimeout;
  /** @type {number[]} */
  const pauses = [];
  await new Promise((enough) => {
    t.mock.method(
      globalThis,
      "setTimeout",
      (/** @type {() => void} */ run, /** @type {number} */ ms, /** @type {any[]} */ ...args) => {
        if (args.length) return real(run, ms, ...args).unref(); // the end of one try
        if (pauses.push(ms) < 20) return real(run);
        return enough(null);
      },
    );
    withGame("nogame", () => {});
  });
  assert(pauses[0] < 2_000, "a short trouble is over soon");
  assert(pauses[19] > 10_000, "a long one does not fill the log");
  assert.deepEqual(
    pauses,
    [...pauses].sort((a, b) => a - b),
  );
});

test("every game has all its words and is found under its slug", () => {
  for (const [slug, game] of GAMES) {
    assert.equal(game.slug, slug);
    const { name, tagline, yourTurn, outOfTime } = game.words.en;
    for (const text of [name, tagline, yourTurn, outOfTime]) assert.match(text, /^[A-Z].{5,40}$/);
    assert.equal(game.winText?.(result({ how: "forfeit" })) ?? "", "");
  }
});

test("a game's styles concern only the game, and follow the rules of the style sheets", async () => {
  for (const [slug, { styles }] of GAMES) {
    // The selector before each block, without the conditions of an @media. A rule opens one block, an @media two.
    const heads = styles.flatMap((rule) =>
      [...rule.matchAll(/([^{}]+)\{/g)].map(([, head = ""]) => head.trim()).filter((head) => !head.startsWith("@")),
    );
    assert.equal(heads.length, styles.length, `${slug}: one rule each`);
    for (const selector of heads.flatMap((head) => head.split(",")))
      assert.match(
        selector.trim(),
        new RegExp(`^\\.${slug}\\b`),
        `${slug}: "${selector}" reaches further than its board`,
      );
    const { results } = await stylelint.lint({ code: styles.join("\n"), config });
    assert.deepEqual(
      results.flatMap(({ warnings }) => warnings.map(({ text }) => text)),
      [],
      slug,
    );
  }
});

test("a win shows the length of its line", () => {
  assert.equal(four.winText(result({ line: [35, 36, 37, 38] })), "4 in a row!");
  assert.equal(four.winText(result({ line: [35, 36, 37, 38, 39] })), "5 in a row!");
  assert.equal(four.winText(result({ line: [14, 21, 28, 35] })), "4 in a row!");
  assert.equal(four.winText(result({ line: [3, 9, 15, 21] })), "4 in a row!");
  assert.equal(four.winText(result({ line: [17, 25, 33, 41] })), "4 in a row!");
  assert.equal(four.winText(result({ line: [35, 36, 37, 38, 39, 40, 41] })), "7 in a row!");
});

test("a win by several lines shows that, even if the lines share a cell in the middle", () => {
  assert.equal(four.winText(result({ line: [35, 36, 37, 38, 14, 21, 28] })), "Two lines at once!");
  assert.equal(four.winText(result({ line: [7, 8, 9, 10, 16, 22, 28, 4] })), "Two lines at once!");
  assert.equal(four.winText(result({ line: [0, 1, 2, 3, 10, 17, 24, 11, 19, 27] })), "Three lines at once!");
});

test("a line does not continue around the board's edge", () => {
  assert.deepEqual(lines([4, 5, 6, 7, 8]), []);
  assert.deepEqual(lines([5, 6, 12, 18, 24]), [4]);
});

test("Reversi has a count beside the names, Four in a Row has none", () => {
  assert.equal(four.count(view({ state: { cells: ".".repeat(42) } })), null);
  assert.deepEqual(reversi.count(view({ state: { cells: "", count: [2, 5] } })), [2, 5]);
  assert.equal(reversi.count(view({})), null);
});

test("the seeds of a move are found from pit to pit, into the own store and past the other one", () => {
  const opening = [...Array(12).fill(4), 0, 0];
  assert.deepEqual(sowing(opening, [4, 4, 0, 5, 5, 5, 4, 4, 4, 4, 4, 4, 1, 0], 2), {
    path: [3, 4, 5, 12],
    carried: [],
  });
  assert.deepEqual(
    sowing([4, 4, 4, 4, 4, 10, 0, 4, 4, 4, 4, 2, 0, 0], [5, 5, 5, 4, 4, 0, 1, 5, 5, 5, 5, 3, 1, 0], 5)?.path,
    [12, 6, 7, 8, 9, 10, 11, 0, 1, 2],
  );
  assert.equal(sowing(opening, [4, 4, 0, 5, 5, 5, 4, 4, 4, 4, 4, 4, 1, 0], 3), null, "another pit was sown");
  assert.equal(sowing(opening, opening, 2), null);
  assert.equal(sowing([], opening, 2), null, "nothing was shown before");
  assert.equal(sowing(opening, opening, -1), null, "nobody has moved");
});

test("captured seeds go to the store of the side that moved, and swept ones to their owner's", () => {
  assert.deepEqual(
    sowing([2, 2, 2, 2, 2, 2, 1, 0, 3, 3, 3, 3, 10, 13], [2, 2, 2, 2, 0, 2, 0, 0, 3, 3, 3, 3, 10, 16], 6),
    {
      path: [7],
      carried: [
        [7, 13],
        [4, 13],
        [4, 13],
      ],
    },
  );
  assert.deepEqual(sowing([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 20, 24], [...Array(12).fill(0), 23, 25], 11), {
    path: [13],
    carried: [
      [1, 12],
      [1, 12],
      [1, 12],
    ],
  });
  const both = sowing([0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0, 0, 20, 24], [...Array(12).fill(0), 21, 27], 6);
  assert.deepEqual(
    both?.carried,
    [
      [7, 13],
      [4, 13],
      [4, 13],
      [5, 12],
    ],
    "captured, and then the rest swept",
  );
});

test("stores have counts, and the cursor moves over pits in their order on the board", () => {
  assert.deepEqual(mancala.count(view({ state: { pits: [], stores: [18, 30] } })), [18, 30]);
  const on = (/** @type {0 | 1} */ side) => view({ moves: [0, 4], turn: { side, id: 1, left: 1, of: 1 } });
  assert.equal(mancala.initialCursor(on(1), null), 4);
  assert.equal(mancala.initialCursor(on(1), 1), 0);
  assert.deepEqual(
    [
      mancala.cursorMove(2, "right", on(1)),
      mancala.cursorMove(2, "left", on(1)),
      mancala.cursorMove(5, "right", on(1)),
    ],
    [3, 1, 5],
  );
  assert.deepEqual(
    [
      mancala.cursorMove(2, "right", on(0)),
      mancala.cursorMove(2, "left", on(0)),
      mancala.cursorMove(0, "right", on(0)),
    ],
    [1, 3, 0],
  );
  assert.equal(mancala.cursorMove(2, "up", on(0)), 2);
});

test("the column starts in the middle or at its last place, on a column that is not full", () => {
  const moves = [0, 1, 2, 3, 4, 5, 6];
  assert.equal(four.initialCursor(view({ moves }), null), 3);
  assert.equal(four.initialCursor(view({ moves }), 6), 6);
  assert.equal(four.initialCursor(view({ moves: [0, 1, 2, 4] }), 3), 2);
  assert.equal(four.initialCursor(view({ moves: [0, 6] }), 5), 6);
  assert.equal(four.initialCursor(view({}), 5), 5);
});

test("the column goes left and right and stops at the edges", () => {
  /** @param {number} at @param {import("../../www/js/games/index.js").Direction} way */
  const to = (at, way) => four.cursorMove(at, way, view({}));
  assert.deepEqual([to(3, "left"), to(3, "right"), to(3, "up"), to(3, "down")], [2, 4, 3, 3]);
  assert.deepEqual([to(0, "left"), to(6, "right")], [0, 6]);
});

test("the square starts on the legal square nearest to its last place", () => {
  const moves = [19, 26, 37, 44];
  assert.equal(reversi.initialCursor(view({ moves }), 58), 44);
  assert.equal(reversi.initialCursor(view({ moves }), 0), 19);
  assert.equal(reversi.initialCursor(view({ moves }), 37), 37);
  assert.ok(moves.includes(reversi.initialCursor(view({ moves }), null)));
  // Squares seven and eight have adjacent numbers, but are a whole row apart.
  assert.equal(reversi.initialCursor(view({ moves: [8, 14] }), 7), 14);
});

test("the square goes in two dimensions and stops at the edges", () => {
  /** @param {number} at @param {import("../../www/js/games/index.js").Direction} way */
  const to = (at, way) => reversi.cursorMove(at, way, view({}));
  assert.deepEqual([to(27, "left"), to(27, "right"), to(27, "up"), to(27, "down")], [26, 28, 19, 35]);
  assert.deepEqual([to(8, "left"), to(7, "right"), to(7, "up"), to(56, "down")], [8, 7, 7, 56]);
});

test("arrow keys lead over a phone's buttons and stop at the edges", () => {
  assert.equal(neighbour(0, "left", 7, 7), null);
  assert.equal(neighbour(0, "right", 7, 7), 1);
  assert.equal(neighbour(6, "right", 7, 7), null);
  assert.equal(neighbour(3, "down", 7, 7), null);
  assert.equal(neighbour(7, "right", 8, 64), null);
  assert.equal(neighbour(8, "up", 8, 64), 0);
  assert.equal(neighbour(60, "down", 8, 64), null);
});

test("one move between two boards is distinguished from all other changes", () => {
  assert.deepEqual(step("..01.", ".101.", 1), { at: 1, turned: [] });
  assert.deepEqual(step(".10..", ".111.", 1), { at: 3, turned: [2] });
  assert.equal(step("..01.", "..01.", 1), null, "the same board");
  assert.equal(step(".....", ".1.1.", 1), null, "two stones came");
  assert.equal(step(".10..", ".11..", 1), null, "a stone turned over and none came");
  assert.equal(step(".10..", ".100.", 1), null, "the other side's stone came");
  assert.equal(step("01010", ".....", 1), null, "a new board");
  assert.equal(step("...", "....1", 1), null, "another board");
});
