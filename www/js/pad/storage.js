// What this phone remembers: a name, and for each of the last rooms the key that gives the same seat back.

/** @typedef {{key: string, nick: string, requestedNick: string}} StoredSeat `nick`: the name as the room took it; `requestedNick`: as it was asked for */

/** How many rooms are remembered: more than anybody visits in an evening. */
const ROOMS_MAX = 8;

/** @type {Record<string, string>} what the browser would not keep: this page does */
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
    fallback[name] = value; // Gone with the page.
  }
}

/** @returns {[string, StoredSeat][]} the room last joined comes last */
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

/** The name typed last, or "". */
export const loadNick = () => read("nick") ?? "";

/** @param {string} name */
export const saveNick = (name) => write("nick", name);

/** @param {string} room @returns {StoredSeat | null} */
export function loadSeat(room) {
  return rooms().find(([name]) => name === room)?.[1] ?? null;
}

/** @param {string} room @param {StoredSeat | null} seat null: forgets the room */
export function saveSeat(room, seat) {
  const others = rooms().filter(([name]) => name !== room);
  write("rooms", JSON.stringify((seat ? [...others, [room, seat]] : others).slice(-ROOMS_MAX)));
}
