// The contract between the pages and a game, the list of games, and the loading of their modules.
//
// A game is loaded when a view names it, so that a page's first load does not grow with the list. A game needs its module, its words
// in lang/, and the modules that all boards share. All of them are requested at once, in one round trip.
import { inLanguage } from "../language.js";

/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../wire.js").View} View */
/**
 * @template [State=any]
 * @typedef {import("../wire.js").GameView<State>} GameView
 */
/** @typedef {"up" | "down" | "left" | "right"} Direction */

/**
 * A sound of a motion: a piece that is placed (knock), a seed, pieces that turn over (rustle) or an edge that is drawn (stroke). `ms` is
 * its start after that of the motion. `length` is its duration in milliseconds, if that differs from the sound's own.
 * @typedef {{sound: "knock" | "seed" | "rustle" | "stroke", ms: number, length?: number}} Cue
 */
/**
 * The motion of a move: its animations, which start together, the milliseconds until nothing moves, and its sounds.
 * @typedef {{animations: Animation[], ms: number, cues?: Cue[]}} Motion
 */

/**
 * A board on the TV. The page sets the place and the size of the element, which fills its box like `xMidYMid meet`. The board sets its
 * content.
 *
 * Attributes that the page, the tests and the benchmarks rely on:
 * - `data-cell="17"` on the node of each place, with its number in the state, and on the same node
 * - `data-side=""`, `"0"` or `"1"`, the side of the piece on that place, or
 * - `data-count="4"`, the number of pieces on that place.
 *
 * Each move is animated by `transform` and `opacity` only, with Web Animations that are cancelled after the motion. Neither an
 * animation nor a class remains. A node at rest shows its final state.
 * @template [State=any]
 * @typedef {object} TvBoard
 * @property {Element} el
 * @property {(view: GameView<State>, previous: GameView<State> | null) => Motion | null} draw Draws a view. Animates the move that
 *   leads to it from `previous`, the view drawn last on this board. Draws any other change, and after null, at once. Returns
 *   the motion, so that counts and sounds follow it, or null if the board is unchanged and its animations continue.
 * @property {(cursor: number | null, side: Side | null) => void} point Shows the remote's cursor at a move. Null hides it.
 * @property {(cursor: number) => void} shake Shows that OK was pressed on an illegal move.
 */

/**
 * A board on a phone: a group of named buttons for thumb, keyboard and screen reader. Each has `data-move="3"`, the
 * move that it makes. The places have the attributes of {@link TvBoard}.
 * @template [State=any]
 * @typedef {object} PadBoard
 * @property {HTMLElement} el
 * @property {(view: GameView<State>) => void} draw Draws a view, highlights the legal moves (`view.moves`), and clears the pressed state.
 * @property {() => void} undo Clears the pressed state of a tap that was refused, and shakes the button.
 */

/**
 * One game. It contains no rules, because legal moves come with the view. Its file exports it under its slug.
 * @template [State=any]
 * @typedef {object} GameModule
 * @property {string} slug The slug in the daemon's list: "four".
 * @property {import("../words.js").Translations<import("../words.js").GameWords>} words Its words in all languages, from its file in lang/.
 * @property {string[]} styles Its style rules, one string each. Every selector starts with the slug's class. The palette is in css/boards.css.
 * @property {() => SVGElement} tile Draws the art for the menu, nearly square, with the slug's class. Nodes with
 *   `data-piece=""`, in the order of play, are the moves that it plays while the menu is idle.
 * @property {(result: import("../wire.js").Result) => string} [winText] Returns a sentence about a win, such as "4 in a row!", or an empty text.
 * @property {(view: GameView<State>) => [number, number] | null} count Returns the counts beside the names, side 0's first: [42, 22]. Null if the game has none.
 * @property {() => TvBoard<State>} tvBoard
 * @property {(tap: (v: number) => void) => PadBoard<State>} padBoard `tap` sends a move, 0 to 255.
 * @property {(view: GameView<State>, previous: number | null) => number} initialCursor Returns the move at which the remote's cursor
 *   starts a turn. `previous` is its last move.
 * @property {(cursor: number, direction: Direction, view: GameView<State>) => number} cursorMove Returns the move to which an arrow
 *   leads from `cursor`, legal or not, and `cursor` itself at the edge. `neighbour` finds it on a board of rows, `moveToward` on any other.
 */

/** Each game's module by its slug. A new game needs its file beside this one, and a line here. */
const MODULES = new Map(
  Object.entries({
    four: () => import("./four.js"),
    mancala: () => import("./mancala.js"),
    reversi: () => import("./reversi.js"),
    dots: () => import("./dots.js"),
  }),
);

/**
 * Loads a game's words and the modules that all boards share. A failure is not handled, so that start-guard.js reloads the page as for any
 * other missing part. Otherwise the game's own imports of these modules would fail until a reload.
 * @param {string} slug
 */
const loadShared = (slug) => void [import(`./lang/${slug}.js`), import("./buttons.js"), import("./grid.js")];

export const SLUGS = [...MODULES.keys()];

/** Failed tries after which a page shows that a game cannot be loaded. It continues to try. */
const TRIES = 3;
/** Milliseconds by which each pause between two tries is longer than the one before. Longer pauses keep the browser's log short. */
const RETRY_MS = 700;
/** Milliseconds after which a module that has not arrived counts as failed, because a connection may be lost unnoticed. */
const LOAD_MS = 8_000;

/** @typedef {(game: GameModule | null) => void} Use */

/** @type {Map<string, GameModule>} */
const loaded = new Map();
/** @type {Map<string, {failures: number, uses: Use[]}>} the games that are being loaded */
const loading = new Map();

/**
 * Returns a game if it is loaded.
 * @param {string} slug
 * @returns {GameModule | undefined}
 */
export function findGame(slug) {
  return loaded.get(slug);
}

/** Returns a game's words in the page's language. @param {Pick<GameModule, "words">} game */
export const textOf = ({ words }) => inLanguage(words);

/**
 * Calls `use` with a game, at once or as soon as it is loaded. After several failed tries it calls `use` with null, and continues to try.
 * @param {string} slug
 * @param {Use} use
 */
export function withGame(slug, use) {
  const game = loaded.get(slug);
  const pending = loading.get(slug);
  if (game) use(game);
  else if (pending) {
    pending.uses.push(use);
    if (pending.failures >= TRIES) use(null);
  } else {
    loading.set(slug, { failures: 0, uses: [use] });
    if (MODULES.has(slug)) loadShared(slug);
    load(slug);
  }
}

/**
 * Loads all games that are not loaded yet.
 * @param {string} [first] slug of the game to load first
 */
export function loadGames(first) {
  for (const slug of new Set(first && MODULES.has(first) ? [first, ...SLUGS] : SLUGS)) withGame(slug, () => {});
}

/**
 * Returns a function that shows a view as soon as its game is loaded. Only the newest view is shown.
 * @param {(view: View) => void} show
 * @param {(view: import("../wire.js").GameView) => void} onFailure called with the newest view if its game cannot be loaded
 * @returns {(view: View) => void}
 */
export function whenLoaded(show, onFailure) {
  /** @type {View} */
  let newest;
  const waiting = new Set();
  return (view) => {
    newest = view;
    if (view.t === "menu" || loaded.has(view.game)) show(view);
    else if (!waiting.has(view.game)) {
      const { game: slug } = view;
      waiting.add(slug);
      withGame(slug, (game) => {
        if (game) waiting.delete(slug);
        if (newest.t !== "ws" || newest.game !== slug) return;
        if (game) show(newest);
        else onFailure(newest);
      });
    }
  };
}

/** @param {string} slug */
async function load(slug) {
  const pending = /** @type {{failures: number, uses: Use[]}} */ (loading.get(slug));
  const game = await fetchModule(slug, pending.failures).catch((error) => {
    console.warn(String(error), error); // eslint-disable-line no-console -- the only trace of a fault in a game's module
    return null;
  });
  if (game) {
    installStyles(game.styles);
    loaded.set(slug, game);
    loading.delete(slug);
  } else {
    pending.failures += 1;
    setTimeout(() => load(slug), pending.failures * RETRY_MS);
  }
  if (game || pending.failures === TRIES) for (const use of pending.uses) use(game);
}

/**
 * Imports a game's module. A browser remembers that a module has failed, so each further try needs an address of
 * its own (HTML, "fetch a single module script").
 * @param {string} slug
 * @param {number} failures number of failed tries before
 * @returns {Promise<GameModule>}
 */
async function fetchModule(slug, failures) {
  const first = failures ? null : MODULES.get(slug);
  const timeout = new Promise((_, reject) => {
    setTimeout(reject, LOAD_MS, new Error(slug));
  });
  const module = await Promise.race([first ? first() : import(`./${slug}.js?again=${failures}`), timeout]);
  return module[slug];
}

/**
 * Adds a game's style rules to the boards' style sheet. The page's policy forbids style elements, and browsers of 2022
 * have no constructed style sheets.
 * @param {string[]} styles
 */
function installStyles(styles) {
  const sheet = [...document.styleSheets].find(({ href }) => href?.endsWith("/boards.css"));
  for (const rule of styles) {
    try {
      sheet?.insertRule(rule, sheet.cssRules.length);
    } catch {
      // A rule that the browser does not know is skipped, as in any style sheet.
    }
  }
}
