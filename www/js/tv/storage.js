// Stores the TV's room in its browser, so that it is reclaimed after a reload, a crash or a power cut.

/** @returns {{room: string, key: string} | null} */
export function load() {
  try {
    const { room, key } = JSON.parse(localStorage.getItem("tv") ?? "{}");
    return typeof room === "string" && typeof key === "string" ? { room, key } : null;
  } catch {
    return null; // Without storage, or with other content, the TV asks for a new room.
  }
}

/** @param {{room: string, key: string} | null} held null removes it */
export function save(held) {
  try {
    if (held) localStorage.setItem("tv", JSON.stringify({ room: held.room, key: held.key }));
    else localStorage.removeItem("tv");
  } catch {
    // Without storage, a reload asks for a new room.
  }
}
