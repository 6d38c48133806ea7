// Stores a name, and the keys of the last rooms, with which this phone regains its seat.

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
