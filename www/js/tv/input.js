// Maps all input devices to six presses: a TV's remote (as a keyboard, by HDMI-CEC), an air mouse, a keyboard, a game pad.

/** @typedef {import("../games/index.js").Direction} Direction */
/** @typedef {Direction | "ok" | "back"} Press */

/** @type {Record<string, Press>} by `KeyboardEvent.key`, or by `code` for a remote's keys without a `key` */
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

/** @typedef {(pad: Gamepad) => number} Control returns the deflection of a control, from -1 to 1 */
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

/** @type {[Control, Press | null, Press][]} controls of the standard game pad, and their presses below and above the rest position */
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
/** Deflection from which a control counts as pressed. */
const PRESSED = 0.6;
/** Deflection below which it counts as released. With a single threshold, a trembling hand would press repeatedly. */
const RELEASED = 0.35;
/** Milliseconds until a held arrow of a game pad repeats, and between repeats, as on keyboards. */
const REPEAT_FIRST_MS = 450;
const REPEAT_MS = 130;
/** Milliseconds for which the pointer stays visible after a move. */
const POINTING_MS = 3_000;

/**
 * Listens to all devices until the page ends.
 * @param {(press: Press, repeat: boolean) => void} press `repeat` if the key is held down
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
 * Returns the press of a key with Alt. Alt and left is the browser's Back, and other keys with Alt are ignored.
 * @param {KeyboardEvent} event
 * @returns {Press | undefined}
 */
function altered(event) {
  return event.key === "ArrowLeft" ? "back" : undefined;
}

/** Shows the pointer only while it moves. */
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
 * Keeps the browser's Back from leaving the page, by one more history entry of our own. Its address names no game, so that a reload
 * continues the current game instead of starting the one in the page's first address.
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
  /** @type {Map<Press, number>} the held presses, and the time of the next repeat */
  const held = new Map();
  /** @type {Map<string, number[]>} the positions of each pad's controls, by its index and name */
  let known = new Map();
  let polling = false;
  // Other mappings have no defined order of buttons and axes. The pedal of a steering wheel, or a sensor, would play.
  const connected = () =>
    [...(navigator.getGamepads?.() ?? [])]
      .filter((pad) => pad?.mapping === "standard")
      .map((pad) => /** @type {Gamepad} */ (pad));
  const poll = () => {
    const pads = connected();
    polling = pads.length > 0;
    if (polling) requestAnimationFrame(poll);
    // A disconnected pad is forgotten, so that its controls must be at rest first when it is connected again.
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
 * Returns a control's position: -1 or 1 for pressed, 0 for released, NaN for unknown. A control counts only after it has been at
 * rest, because a worn stick or a stuck button reports a deflection from the start.
 * @param {number} was its position before, or NaN at first
 * @param {number} moved its deflection, from -1 to 1
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
 * Returns the presses of a pad's controls.
 * @param {number[]} positions one per control
 * @returns {Press[]}
 */
function pressesOf(positions) {
  return CONTROLS.flatMap(([, below, above], i) => (positions[i] > 0 ? above : (positions[i] < 0 && below) || []));
}
