// The room that this TV holds, kept by its browser: a reload, a crash or a power cut comes back to it.

/** @returns {{room: string, key: string} | null} */
export function load() {
  try {
    const { room, key } = JSON.parse(localStorage.getItem("tv") ?? "{}");
    return typeof room === "string" && typeof key === "string" ? { room, key } : null;
  } catch {
    return null; // No storage, or not ours: a new room.
  }
}

/** @param {{room: string, key: string} | null} held null: forgets it */
export function save(held) {
  try {
    if (held) localStorage.setItem("tv", JSON.stringify({ room: held.room, key: held.key }));
    else localStorage.removeItem("tv");
  } catch {
    // No storage: a reload makes a new room.
  }
}
