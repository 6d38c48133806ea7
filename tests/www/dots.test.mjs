// Tests the module of Dots and Boxes without a browser: the places that a move has filled, and the arrow keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dots, filled } from "../../www/js/games/dots.js";

const EMPTY = ".".repeat(85);
/** Returns a board with these places filled. @param {Record<number, string>} marks @param {string} [board] */
const put = (marks, board = EMPTY) => [...board].map((mark, i) => marks[i] ?? mark).join("");
/** @param {number} v @param {0 | 1} side */
const last = (v, side) => ({ v, side, auto: false, id: 1 });

test("one move is an edge, and up to two boxes of the side that drew it", () => {
  assert.deepEqual(filled(EMPTY, put({ 31: "1" }), last(31, 1)), [31]);
  const before = put({ 0: "0", 1: "1" });
  assert.deepEqual(filled(before, put({ 31: "1", 60: "1", 61: "1" }, before), last(31, 1)), [31, 60, 61]);
});

test("any other difference between two boards is not a move", () => {
  const one = put({ 31: "1" });
  assert.equal(filled(EMPTY, one, null), null, "nobody has moved");
  assert.equal(filled(EMPTY, one, last(30, 1)), null, "another edge was drawn");
  assert.equal(filled(EMPTY, one, last(31, 0)), null, "by the other side");
  assert.equal(filled(EMPTY, put({ 31: "1", 32: "1" }), last(31, 1)), null, "two edges");
  assert.equal(filled(EMPTY, put({ 31: "1", 60: "0" }), last(31, 1)), null, "the other's box");
  assert.equal(filled(put({ 31: "0" }), one, last(31, 1)), null, "an edge that was drawn before");
  assert.equal(filled(one, EMPTY, last(31, 1)), null, "a new game");
  assert.equal(filled(one, one, last(31, 1)), null);
  assert.equal(filled("", one, last(31, 1)), null, "nothing was shown before");
});

/** @param {number} from @param {...import("../../www/js/games/index.js").Direction} way */
const walk = (from, ...way) =>
  way.reduce((at, direction) => dots.cursorMove(at, direction, /** @type {any} */ ({})), from);

test("arrows lead along a row to the sides, and over lines of both kinds up and down, and stop at the rim", () => {
  assert.equal(walk(12, "right"), 13);
  assert.equal(walk(14, "right"), 14);
  assert.equal(walk(10, "left"), 10);
  assert.equal(walk(42, "right"), 43);
  assert.equal(walk(47, "right"), 47, "the last vertical edge of its row");
  assert.equal(walk(12, "down"), 44, "the left side of the box below");
  assert.equal(walk(12, "up", "down"), 12);
  assert.equal(walk(12, "down", "down", "down", "up", "up", "up"), 12);
  assert.equal(walk(47, "down"), 19, "there are six vertical edges to five horizontal ones");
  assert.deepEqual([walk(2, "up"), walk(27, "down")], [2, 27]);
});

test("arrows lead to every edge", () => {
  const seen = new Set([0]);
  for (const at of seen)
    for (const direction of /** @type {const} */ (["up", "down", "left", "right"])) seen.add(walk(at, direction));
  assert.deepEqual(
    [...seen].sort((a, b) => a - b),
    [...Array(60).keys()],
  );
});

test("the cursor starts in the middle, or on the open edge nearest to its last place", () => {
  const view = (/** @type {number[]} */ moves) => /** @type {any} */ ({ moves });
  assert([12, 17, 44, 45].includes(dots.initialCursor(view([...Array(60).keys()]), null)));
  assert.equal(dots.initialCursor(view([0, 29, 59]), 58), 29);
  assert.equal(dots.initialCursor(view([7, 30]), 0), 30);
});
