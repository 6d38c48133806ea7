// Holds the words of the page's language, fills names and numbers into sentences, and changes the language.
//
// A page loads the words of one language. js/start-guard.js chooses it and requests its words before any module runs.

/** @typedef {import("./words.js").Counted} Counted */

/** The code of the page's language, such as "en". */
export let language = "en";
/** The words of both pages. @type {import("./words.js").CommonWords} */
export let words;
/** The words of the phone. @type {import("./words.js").PadWords} */
export let padWords;
/** The words of the TV. @type {import("./words.js").TvWords} */
export let tvWords;

/** The code of the language that was requested last. */
let wanted = "";

/** Milliseconds until words that failed to load are requested again. */
export const RETRY_MS = 5_000;

/**
 * Returns the words of a language for this page. A browser remembers that a module has failed, so each further try needs an address of its
 * own (HTML, "fetch a single module script").
 * @param {string} code
 * @param {string} [again] distinguishes the address of a further try
 * @returns {Promise<any>}
 */
export const loadWords = async (code, again = "") =>
  (await import(`./lang/${document.documentElement.dataset.page}/${code}.js${again}`)).words;

/**
 * Changes the page's language: loads its words, writes those of the markup, and dispatches the event `language` on the window, on which the
 * page draws everything else again. If the words do not load, it requests them again later, and a page without words starts in English.
 * @param {string} code
 * @param {string} [again]
 */
export async function setLanguage(code, again) {
  wanted = code;
  const table = await loadWords(code, again).catch((error) => {
    if (code === "en" && !words) throw error;
  });
  if (!table) {
    if (!words) await setLanguage("en");
    const current = wanted;
    setTimeout(() => wanted === current && setLanguage(code, `?${Date.now()}`), RETRY_MS);
    return;
  }
  if (wanted !== code) return; // Another language was requested in the meantime.
  useWords(code, table);
  document.documentElement.lang = code;
  for (const node of document.querySelectorAll("[data-say]")) {
    const text = table[/** @type {HTMLElement} */ (node).dataset.say || node.id];
    if (node instanceof HTMLInputElement) node.placeholder = text;
    else node.textContent = text;
  }
  dispatchEvent(new Event("language"));
}

/** Sets the page's language and words. @param {string} code @param {any} table */
export function useWords(code, table) {
  language = code;
  words = padWords = tvWords = table;
}

/**
 * Splits a sentence at its places and puts values there: `["", node, " goes again"]`.
 * @template T
 * @param {string} sentence
 * @param {Record<string, T>} places
 * @returns {(string | T)[]}
 */
export const parts = (sentence, places) =>
  sentence.split(/[{}]/).map((part, i) => (i % 2 ? /** @type {T} */ (places[part]) : part));

/** Returns a sentence with these texts in its places. @param {string} sentence @param {Record<string, string | number>} places */
export const fill = (sentence, places) => parts(sentence, places).join("");

/**
 * Returns the sentence for a number, in the right plural form of the language.
 * @param {Counted} forms
 * @param {number} n
 * @param {Intl.PluralRuleType} [type]
 */
export const counted = (forms, n, type = "cardinal") =>
  fill(forms[new Intl.PluralRules(language, { type }).select(n)] ?? forms.other, { n });

/** Joins names or things to a list for a sentence. @param {string[]} items */
export const list = (items) => new Intl.ListFormat(language).format(items);

/**
 * Returns a game's words in this language, or in English.
 * @template {import("./words.js").GameWords} Words
 * @param {import("./words.js").Translations<Words>} translations
 */
export const inLanguage = (translations) => translations[language] ?? translations.en;

/**
 * Returns a view in which the House has its name in this language.
 * @template {import("./wire.js").View} View
 * @param {View} view
 * @returns {View}
 */
export function nameHouse(view) {
  if (view.t !== "ws" || !view.seats[1]?.house) return view;
  const [champion, house] = view.seats;
  const nick = words.theHouse;
  const { result } = view;
  return {
    ...view,
    seats: [champion, { ...house, nick }],
    result: result && { ...result, names: [result.names[0], nick] },
  };
}
