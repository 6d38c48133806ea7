// (being written)
/** @type {any} */
export const four = { slug: "four", name: "Four in a Row" };
