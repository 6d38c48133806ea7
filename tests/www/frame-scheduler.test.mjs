// Tests the frame scheduler: one draw per frame, the newest view, and no frames on a hidden page.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** @type {any} */
const page = new EventTarget();
globalThis.document = page;
let frames = [];
globalThis.requestAnimationFrame = (draw) => frames.push(draw);
globalThis.cancelAnimationFrame = (id) => {
  frames[id - 1] = null;
};
const frame = () => {
  const due = frames;
  frames = [];
  for (const draw of due) draw?.();
  return due.filter(Boolean).length;
};
const { FrameScheduler } = await import("../../www/js/dom.js");

let drawn;
let stage;
beforeEach(() => {
  page.hidden = false;
  frames = [];
  drawn = [];
  stage = new FrameScheduler((view) => drawn.push(view));
});

test("draws once per frame, and the newest view", () => {
  stage.show("a");
  stage.show("b");
  stage.show("c");
  assert.deepEqual(drawn, [], "nothing before the frame");
  assert.equal(frame(), 1, "one frame for three views");
  assert.deepEqual(drawn, ["c"]);
});

test("a frame without a new view draws nothing", () => {
  stage.show("a");
  frame();
  assert.equal(frame(), 0);
  assert.equal(drawn.length, 1);
});

test("draws at once on a hidden page, and a waiting view when the page is hidden", () => {
  stage.show("a");
  page.hidden = true;
  page.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual(drawn, ["a"], "the frame that never comes is not waited for");
  stage.show("b");
  assert.equal(drawn[1], "b");
  assert.equal(frame(), 0, "and nothing is drawn again");
});

test("a draw that fails does not stop the next one", () => {
  let fail = true;
  const seen = [];
  const shaky = new FrameScheduler((view) => {
    if (fail) throw new Error("a fault in the board");
    seen.push(view);
  });
  shaky.show("a");
  assert.throws(frame, /a fault/);
  fail = false;
  shaky.show("b");
  frame();
  assert.deepEqual(seen, ["b"]);
});
