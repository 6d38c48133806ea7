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

/** @type {[number, Press][]} buttons of the standard game pad */
const BUTTONS = [
  [12, "up"],
  [13, "down"],
  [14, "left"],
  [15, "right"],
  [0, "ok"],
  [1, "back"],
];
/** How far a stick is pushed when it counts as an arrow. */
const PUSHED = 0.6;
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
  /** @type {Map<string, number>} what is held, and when it repeats */
  const held = new Map();
  let polling = false;
  const connected = () => [...(navigator.getGamepads?.() ?? [])].filter((pad) => pad !== null);
  const poll = () => {
    const pads = connected();
    polling = pads.length > 0;
    if (polling) requestAnimationFrame(poll);
    const now = performance.now();
    const down = new Set(pads.flatMap(presses));
    for (const key of held.keys()) if (!down.has(/** @type {Press} */ (key))) held.delete(key);
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
 * What is pressed on a game pad right now.
 * @param {Gamepad} pad
 * @returns {Press[]}
 */
function presses(pad) {
  const [x = 0, y = 0] = pad.axes;
  const pressed = BUTTONS.filter(([button]) => pad.buttons[button]?.pressed).map(([, press]) => press);
  if (x < -PUSHED) pressed.push("left");
  if (x > PUSHED) pressed.push("right");
  if (y < -PUSHED) pressed.push("up");
  if (y > PUSHED) pressed.push("down");
  return pressed;
}
