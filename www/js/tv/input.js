// Whatever sends presses: a TV's own remote (as a keyboard, by HDMI-CEC), an air mouse, a keyboard, a game pad. All become six.

/** @typedef {import("../games/index.js").Direction} Direction */
/** @typedef {Direction | "ok" | "back"} Press */

/** @type {Record<string, Press>} by `KeyboardEvent.key`; where a remote's key has no name there, by `code` */
const KEYS = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Enter: "ok",
  NumpadEnter: "ok",
  " ": "ok",
  Space: "ok",
  Select: "ok",
  Accept: "ok",
  Execute: "ok",
  Escape: "back",
  Backspace: "back",
  BrowserBack: "back",
  GoBack: "back",
  Cancel: "back",
  Exit: "back",
};

/** @typedef {(pad: Gamepad) => number} Control how far it is moved from its rest, from -1 to 1 */
/** @type {(index: number) => Control} */
const axis =
  (index) =>
  ({ axes }) =>
    axes[index] ?? 0;
/** @type {(index: number) => Control} */
const button =
  (index) =>
  ({ buttons }) =>
    Number(buttons[index]?.pressed ?? false);

/** @type {[Control, Press | null, Press][]} controls of the standard game pad, and what each presses when moved below and above its rest */
const CONTROLS = [
  [axis(0), "left", "right"],
  [axis(1), "up", "down"],
  [button(12), null, "up"],
  [button(13), null, "down"],
  [button(14), null, "left"],
  [button(15), null, "right"],
  [button(0), null, "ok"],
  [button(1), null, "back"],
];
/** How far a control is moved when it counts as pressed. */
const PRESSED = 0.6;
/** How near to its rest it comes before it counts as released: a trembling hand on one threshold would press again and again. */
const RELEASED = 0.35;
/** Milliseconds until a held arrow of a game pad repeats, and between repeats: a keyboard's own are about these. */
const REPEAT_FIRST_MS = 450;
const REPEAT_MS = 130;
/** Milliseconds that a pointer stays after it was moved. */
const POINTING_MS = 3_000;

/**
 * Listens to all of them, for as long as the page lives.
 * @param {(press: Press, repeat: boolean) => void} press `repeat`: the key is held down
 */
export function listen(press) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const key = event.altKey ? altered(event) : (KEYS[event.key] ?? KEYS[event.code]);
    if (!key) return;
    event.preventDefault();
    press(key, event.repeat);
  });
  showPointer();
  trapHistory(() => press("back", false));
  listenToPads(press);
}

/**
 * Alt and left is the browser's own Back; anything else with Alt is not ours.
 * @param {KeyboardEvent} event
 * @returns {Press | undefined}
 */
function altered(event) {
  return event.key === "ArrowLeft" ? "back" : undefined;
}

/** A pointer is seen while it moves; a bar's TV shows none. */
function showPointer() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  addEventListener("mousemove", () => {
    clearTimeout(timer);
    document.body.classList.add("pointing");
    timer = setTimeout(() => document.body.classList.remove("pointing"), POINTING_MS);
  });
}

/**
 * Back never leaves the page: there is always one more entry of our own to go back from. Its address names no game, so that a reload
 * takes up what is on instead of starting the one that the page was opened with.
 * @param {() => void} back
 */
function trapHistory(back) {
  const stay = () => history.pushState("here", "", `/tv${location.search}`);
  if (history.state !== "here") stay();
  addEventListener("popstate", () => {
    if (history.state === "here") return;
    stay();
    back();
  });
}

/** @param {(press: Press, repeat: boolean) => void} press */
function listenToPads(press) {
  /** @type {Map<Press, number>} the presses that are held, and when each repeats */
  const held = new Map();
  /** @type {Map<string, number[]>} where the controls of each pad were, by its place and name */
  let known = new Map();
  let polling = false;
  // Others have no agreed order of buttons and axes: a steering wheel's pedal, or a sensor, would play.
  const connected = () =>
    [...(navigator.getGamepads?.() ?? [])]
      .filter((pad) => pad?.mapping === "standard")
      .map((pad) => /** @type {Gamepad} */ (pad));
  const poll = () => {
    const pads = connected();
    polling = pads.length > 0;
    if (polling) requestAnimationFrame(poll);
    // A pad that is gone is forgotten: when it comes back, its controls must be seen at rest again.
    known = new Map(
      pads.map((pad) => {
        const name = `${pad.index} ${pad.id}`;
        return [name, CONTROLS.map(([control], i) => position(known.get(name)?.[i] ?? NaN, control(pad)))];
      }),
    );
    const now = performance.now();
    const down = new Set([...known.values()].flatMap(pressesOf));
    for (const key of held.keys()) if (!down.has(key)) held.delete(key);
    for (const key of down) {
      const next = held.get(key);
      if (next !== undefined && now < next) continue;
      held.set(key, now + (next === undefined ? REPEAT_FIRST_MS : REPEAT_MS));
      press(key, next !== undefined);
    }
  };
  const start = () => {
    if (!polling && connected().length) poll();
  };
  addEventListener("gamepadconnected", start);
  start();
}

/**
 * Returns where a control is now: -1 or 1 pressed, 0 released, NaN not known to be good. A control counts only once it has been
 * seen at rest: what a worn stick or a stuck button says from the start is nobody's press.
 * @param {number} was where it was, or NaN at first
 * @param {number} moved how far it is moved, from -1 to 1
 * @returns {number}
 */
export function position(was, moved) {
  const far = Math.abs(moved);
  if (far < RELEASED) return 0;
  if (Number.isNaN(was)) return NaN;
  if (far >= PRESSED) return Math.sign(moved);
  return was === Math.sign(moved) ? was : 0;
}

/**
 * Returns what a pad's controls press.
 * @param {number[]} positions one a control
 * @returns {Press[]}
 */
function pressesOf(positions) {
  return CONTROLS.flatMap(([, below, above], i) => (positions[i] > 0 ? above : (positions[i] < 0 && below) || []));
}
