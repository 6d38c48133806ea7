// Stores what this phone remembers: a name, a language, and the keys of the last rooms. And replaces what browsers make of quick taps.

/** @typedef {{key: string, nick: string, requestedNick: string}} StoredSeat `nick` is the name in the room, `requestedNick` the name that was typed */

/** Number of stored rooms, more than a guest visits in an evening. */
const ROOMS_MAX = 8;

/** @type {Record<string, string>} the values that the browser does not store */
const fallback = {};

/** @param {string} name */
function read(name) {
  try {
    return fallback[name] ?? localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
function write(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    fallback[name] = value; // Lost with the page.
  }
}

/** @returns {[string, StoredSeat][]} all stored seats, the room joined last at the end */
function rooms() {
  try {
    const list = JSON.parse(read("rooms") ?? "[]");
    return Array.isArray(list)
      ? list.filter((entry) => typeof entry?.[0] === "string" && typeof entry[1]?.key === "string")
      : [];
  } catch {
    return [];
  }
}

/** Stores the language for start-guard.js. @param {string} code */
export const saveLanguage = (code) => write("language-pad", code);

/** Returns the name typed last, or "". */
export const loadNick = () => read("nick") ?? "";

/** @param {string} name */
export const saveNick = (name) => write("nick", name);

/** @param {string} room @returns {StoredSeat | null} */
export function loadSeat(room) {
  return rooms().find(([name]) => name === room)?.[1] ?? null;
}

/** @param {string} room @param {StoredSeat | null} seat null removes the room */
export function saveSeat(room, seat) {
  const others = rooms().filter(([name]) => name !== room);
  write("rooms", JSON.stringify((seat ? [...others, [room, seat]] : others).slice(-ROOMS_MAX)));
}

/** Milliseconds within which a browser may read two taps as a double tap. */
const DOUBLE_MS = 400;

/**
 * Prevents zoom by double tap, also in browsers that ignore `touch-action` between two buttons. Zoom by two fingers still works.
 * Preventing the zoom prevents the click as well, so it is dispatched here.
 */
export function preventDoubleTapZoom() {
  let last = -Infinity;
  addEventListener(
    "touchend",
    (event) => {
      const quick = event.timeStamp - last < DOUBLE_MS;
      last = event.timeStamp;
      const { target, changedTouches } = event;
      const [touch] = changedTouches;
      if (
        !quick ||
        !event.cancelable ||
        event.touches.length ||
        !touch ||
        !(target instanceof Element) ||
        target.closest("input")
      )
        return;
      event.preventDefault();
      const button = target.closest("button");
      if (button?.contains(document.elementFromPoint(touch.clientX, touch.clientY))) button.click();
    },
    { passive: false },
  );
  addEventListener("dblclick", (event) => event.preventDefault());
  // Safari shows the pressed state only if there is a listener for touches.
  addEventListener("touchstart", () => {}, { passive: true });
}

/** Vibrates briefly, if the phone can and was touched before. Otherwise the browser logs an error. */
export function buzz() {
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(80);
}

/** Height in pixels below which a page is tight, because a keyboard is open or the phone is in landscape. */
const TIGHT_PX = 440;

/** Marks the body while there is little height. On some phones a keyboard shrinks only the visual viewport. */
export function watchHeight() {
  const view = window.visualViewport;
  const mark = () => {
    const height = view ? view.height * view.scale : innerHeight;
    document.body.toggleAttribute("data-tight", height < TIGHT_PX);
  };
  (view ?? window).addEventListener("resize", mark);
  mark();
}
