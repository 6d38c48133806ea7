// (being written)
/** @type {any} */
export const reversi = { slug: "reversi", name: "Reversi" };
