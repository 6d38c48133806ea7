// The contract between the pages and a game, the list of the games, and how a game's module is loaded.
//
// A game is loaded when a view names it, so the first load of a page does not grow with the list. A game is one file beside
// what all boards share: all of them are asked for at once, in one round trip.

/** @typedef {import("../wire.js").Side} Side */
/** @typedef {import("../wire.js").View} View */
/**
 * @template [State=any]
 * @typedef {import("../wire.js").GameView<State>} GameView
 */
/** @typedef {"up" | "down" | "left" | "right"} Direction */

/**
 * A board on the TV. The page owns the element's place and size (it fills its box, as `xMidYMid meet` does); the board
 * owns what is in it.
 *
 * Attributes that the page, the tests and the benchmarks rely on:
 * - `data-cell="17"` on the node of each place, counted as in the state; beside it
 * - `data-side=""`, `"0"` or `"1"`: the side whose piece lies there, or
 * - `data-count="4"`: how many pieces lie there.
 *
 * Each move is animated, by `transform` and `opacity` alone, by Web Animations that are cancelled when they are over:
 * nothing is left of them, neither an animation nor a class. A node at rest shows the final picture.
 * @template [State=any]
 * @typedef {object} TvBoard
 * @property {Element} el
 * @property {(view: GameView<State>, previous: GameView<State> | null) => void} draw Draws a view. Animates the move that
 *   leads from `previous`, the view drawn last on this board, to it; draws everything else, and after null, at once.
 * @property {(cursor: number | null, side: Side | null) => void} point Shows the remote's cursor at a move; null hides it.
 * @property {(cursor: number) => void} shake Refuses OK on a move that is not legal, visibly.
 */

/**
 * A board on a phone: a group of named buttons, for thumb, keyboard and screen reader. Each has `data-move="3"`, the
 * move that it makes; the places have the attributes of {@link TvBoard}.
 * @template [State=any]
 * @typedef {object} PadBoard
 * @property {HTMLElement} el
 * @property {(view: GameView<State>) => void} draw Draws a view, lights the legal moves (`view.moves`), and clears a pressed state.
 * @property {() => void} undo Clears the pressed state of a tap that was refused, and shakes the button.
 */

/**
 * One game. It knows no rule: legal moves come in the view. Its file exports it under its slug.
 * @template [State=any]
 * @typedef {object} GameModule
 * @property {string} slug As in the daemon's list: "four".
 * @property {string} name "Four in a Row"
 * @property {string} tagline One line for its tile on the menu: "Line up four to win".
 * @property {string[]} styles Its style rules, one each, every selector below the slug's class; the palette is in css/tokens.css.
 * @property {() => SVGElement} tile Draws the art for the menu, in a square-ish box, of the slug's class.
 * @property {string} yourTurn What to do, on the phone on turn: "Tap a column".
 * @property {string} outOfTime Said when the daemon has moved for a player: "Out of time: a stone was dropped".
 * @property {(result: import("../wire.js").Result) => string} winText Says what a win is, after "Wren wins": ". 4 in a row!", ", 42 to 22".
 * @property {(view: GameView<State>) => [number, number] | null} count Returns the counts beside the names, side 0's first: [42, 22]; null: none.
 * @property {() => TvBoard<State>} tvBoard
 * @property {(tap: (v: number) => void) => PadBoard<State>} padBoard `tap` sends a move, 0 to 255.
 * @property {(view: GameView<State>, previous: number | null) => number} initialCursor Returns the move at which the remote's cursor
 *   starts a turn; `previous`: where it was before.
 * @property {(cursor: number, direction: Direction, view: GameView<State>) => number} cursorMove Returns the move to which an arrow
 *   leads from `cursor`, legal or not; `cursor` itself at the edge. `neighbour` finds it on a board of rows, `moveToward` on one of another shape.
 */

/** Each game's module, by its slug. A new game is its file beside this one, and its line here. */
const MODULES = new Map(
  Object.entries({
    four: () => import("./four.js"),
    mancala: () => import("./mancala.js"),
    reversi: () => import("./reversi.js"),
    dots: () => import("./dots.js"),
  }),
);

/**
 * Loads what all boards share. Nobody handles a failure: the page is then loaded anew, as when any other part of it does not
 * come (start-guard.js), since the games' own imports of it would fail for good.
 */
const loadShared = () => void [import("./buttons.js"), import("./grid.js")];

export const SLUGS = [...MODULES.keys()];

/** Said in a tagline's place when a game cannot be loaded. */
export const MISSING = "Does not load. Trying again.";

/** Tries after which a page says that a game cannot be loaded. Trying goes on after that. */
const TRIES = 3;
/** Milliseconds from a failed try to the next: up to the last of `TRIES`, and after it. */
const RETRY_MS = 700;
const SLOW_RETRY_MS = 5_000;
/** Milliseconds after which a module that does not come counts as failed: a connection may die without a word. */
const LOAD_MS = 8_000;

/** @typedef {(game: GameModule | null) => void} Use */

/** @type {Map<string, GameModule>} */
const loaded = new Map();
/** @type {Map<string, {failures: number, uses: Use[]}>} the games that are being loaded */
const loading = new Map();

/**
 * Returns a game that is loaded.
 * @param {string} slug
 * @returns {GameModule | undefined}
 */
export function findGame(slug) {
  return loaded.get(slug);
}

/**
 * Calls `use` with a game: at once if it is loaded, otherwise when it is. Calls it with null in between when several tries have
 * failed.
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
    loadShared();
    load(slug);
  }
}

/**
 * Loads every game that is not loaded yet.
 * @param {string} [first] slug of the one that is needed first
 */
export function loadGames(first) {
  for (const slug of new Set(first && MODULES.has(first) ? [first, ...SLUGS] : SLUGS)) withGame(slug, () => {});
}

/**
 * Returns a function that shows a view when the game that it names is loaded: always the newest view.
 * @param {(view: View) => void} show
 * @param {(view: import("../wire.js").GameView) => void} onFailure is told the newest view when its game cannot be loaded
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
    setTimeout(() => load(slug), pending.failures < TRIES ? RETRY_MS : SLOW_RETRY_MS);
  }
  if (game || pending.failures === TRIES) for (const use of pending.uses) use(game);
}

/**
 * Imports a game's module. A browser remembers for good that a module has failed, so each further try has an address of
 * its own (HTML, "fetch a single module script").
 * @param {string} slug
 * @param {number} failures tries that failed before
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
 * Adds a game's style rules to the boards' style sheet: the policy of the page allows no style element, and browsers of 2022
 * have no constructed style sheets.
 * @param {string[]} styles
 */
function installStyles(styles) {
  const sheet = [...document.styleSheets].find(({ href }) => href?.endsWith("/boards.css"));
  for (const rule of styles) {
    try {
      sheet?.insertRule(rule, sheet.cssRules.length);
    } catch {
      // A browser leaves out a rule that it does not know, as in any style sheet.
    }
  }
}
