// Tests the presses of a game pad's controls.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** The page's listeners, and a browser's pads and clock, set by each test. */
let listeners, pads, frame, now;
globalThis.addEventListener = (name, listener) => listeners.set(name, listener);
globalThis.requestAnimationFrame = (callback) => {
  frame = callback;
  return 1;
};
globalThis.history = { state: "here" };
Object.defineProperty(globalThis, "navigator", { value: { getGamepads: () => pads } });
const { listen } = await import("../../www/js/tv/input.js");

/** @param {object} [over] */
const pad = (over) => ({
  index: 0,
  id: "pad",
  mapping: "standard",
  axes: [0, 0, 0, 0],
  buttons: Array.from({ length: 17 }, () => ({ pressed: false })),
  ...over,
});

let pressed;
/** Lets a frame pass. @param {number} [ms] */
function pass(ms = 16) {
  now += ms;
  const callback = frame;
  frame = null;
  callback?.(now);
}
/** Plugs pads in, and listens. */
function plug(...plugged) {
  pads = plugged;
  listeners.get("gamepadconnected")();
}

mock.method(performance, "now", () => now);
beforeEach(() => {
  [listeners, pads, frame, now, pressed] = [new Map(), [], null, 1_000, []];
  listen((press, repeat) => pressed.push(repeat ? `${press} again` : press));
});

test("stick and buttons give arrows, OK and Back", () => {
  const one = pad();
  plug(one);
  for (const [button, press] of [
    [12, "up"],
    [13, "down"],
    [14, "left"],
    [15, "right"],
    [0, "ok"],
    [1, "back"],
  ]) {
    one.buttons[button].pressed = true;
    pass();
    one.buttons[button].pressed = false;
    pass();
    assert.deepEqual(pressed.splice(0), [press]);
  }
  for (const [axes, press] of [
    [[-1, 0], "left"],
    [[1, 0], "right"],
    [[0, -1], "up"],
    [[0, 1], "down"],
  ]) {
    one.axes = axes;
    pass();
    one.axes = [0.1, -0.1];
    pass();
    assert.deepEqual(pressed.splice(0), [press]);
  }
});

test("a held control repeats at a keyboard's pace", () => {
  const one = pad();
  plug(one);
  one.axes = [1, 0];
  for (let i = 0; i < 40; i += 1) pass(20);
  assert.deepEqual(pressed, ["right", "right again", "right again", "right again"]);
});

test("only pads with the standard order of controls count", () => {
  const wheel = pad({ mapping: "", axes: [-1, 0], buttons: [{ pressed: true }, { pressed: true }] });
  plug(wheel, null);
  pass();
  assert.deepEqual(pressed, []);
  plug(wheel, null, pad({ index: 2 }));
  pass();
  pads[2].buttons[0].pressed = true;
  pass();
  assert.deepEqual(pressed, ["ok"], "beside it a real one plays");
});

test("each control counts only after it was at rest", () => {
  const worn = pad({ axes: [-1, 0.5] });
  worn.buttons[0].pressed = true;
  plug(worn);
  pass();
  assert.deepEqual(pressed, [], "pressed from the start");
  worn.axes = [0.4, 0.9];
  worn.buttons[1].pressed = true;
  pass();
  assert.deepEqual(pressed.splice(0), ["back"], "what rested before plays");
  worn.axes = [0, 0.5];
  worn.buttons[0].pressed = false;
  pass();
  worn.axes = [-1, 0.9];
  worn.buttons[0].pressed = true;
  pass();
  assert.deepEqual(
    pressed.sort(),
    ["left", "ok"],
    "and the stick and the button, once let go, but not the axis that never was",
  );
});

test("a stick that trembles around one place presses once", () => {
  const one = pad();
  plug(one);
  for (let i = 0; i < 20; i += 1) {
    one.axes = [0, i % 2 ? 0.55 : 0.65];
    pass();
  }
  assert.deepEqual(pressed, ["down"]);
  one.axes = [0, 0.3];
  pass();
  one.axes = [0, 0.5];
  pass();
  assert.deepEqual(pressed, ["down"], "half way is no press");
  one.axes = [0, 0.7];
  pass();
  one.axes = [0, -0.7];
  pass();
  assert.deepEqual(pressed, ["down", "down", "up"], "from one side to the other without a rest between");
});

test("a pad that returns counts as a new one", () => {
  plug(pad());
  pass();
  pads = [];
  pass();
  assert.equal(frame, null, "nothing is asked while there is none");
  const back = pad();
  back.buttons[1].pressed = true;
  plug(back);
  pass();
  assert.deepEqual(pressed, []);
});
