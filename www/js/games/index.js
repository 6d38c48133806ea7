// The games as pages know them: slug -> module. A new game is its file beside this one, and its lines in the two lists here.
import { four } from "./four.js";
import { mancala } from "./mancala.js";
import { reversi } from "./reversi.js";

/** @typedef {import("../wire.js").GameView} GameView */
/** @typedef {import("../wire.js").Side} Side */
/** @typedef {"up" | "down" | "left" | "right"} Direction */

/**
 * A board on the TV. The page owns the element's place and size (it fills its box, `xMidYMid meet`); the board owns what is in it.
 * @typedef {object} TvBoard
 * @property {Element} el
 * @property {(view: GameView, before: GameView | null) => void} draw draws a view; `before` is the view drawn last on this board (null: draw without
 *   animating). The board itself decides whether the step from one to the other is one move that can be animated.
 * @property {(cursor: number | null, side: Side | null) => void} point shows the remote's cursor at a move (null: hides it)
 * @property {(cursor: number) => void} shake says no to OK on what cannot be played
 */

/**
 * A board on a phone: a grid of named buttons, usable by thumb, keyboard and screen reader.
 * @typedef {object} PadBoard
 * @property {HTMLElement} el
 * @property {(view: GameView) => void} draw draws a view, lights what can be played (`view.moves`), and undoes a pressed state
 * @property {() => void} undo takes the pressed state back (the tap was refused) and shakes it
 */

/**
 * How one game looks and what it says. Nothing here knows a rule: legal moves come in the view.
 * @typedef {object} GameModule
 * @property {string} slug as in the daemon's list
 * @property {string} name
 * @property {string} tagline one line for its tile on the menu
 * @property {string[]} styles its style rules, one each, every selector below the slug's class; the palette is in css/tokens.css
 * @property {() => SVGElement} tile art for the menu, drawn in a square-ish box, of the slug's class
 * @property {string} yourTurn what to do on the phone on turn: "Tap a column"
 * @property {string} outOfTime said when the box played for somebody: "Out of time: a stone was dropped"
 * @property {(result: import("../wire.js").Result) => string} winText what a win is, after "Wren wins": ". 4 in a row!", ", 42 to 22"
 * @property {(view: GameView) => [number, number] | null} count what stands big beside the names, or null
 * @property {() => TvBoard} tvBoard
 * @property {(tap: (v: number) => void) => PadBoard} padBoard
 * @property {(view: GameView, was: number | null) => number} initialCursor where the remote's cursor starts a turn; `was`: where it was before
 * @property {(cursor: number, direction: Direction, view: GameView) => number} cursorMove where an arrow takes it
 */

// prettier-ignore
const LIST = [
  four,
  reversi,
  mancala,
];

/** @type {ReadonlyMap<string, GameModule>} */
export const GAMES = new Map(LIST.map((game) => [game.slug, game]));

/**
 * Adds the games' looks to the boards' style sheet. Written into a sheet that is loaded, since the policy allows no style
 * element, and phones of 2022 know no other way to make a sheet.
 */
export function installStyles() {
  const sheet = [...document.styleSheets].find(({ href }) => href?.endsWith("/boards.css"));
  for (const rule of [...GAMES.values()].flatMap(({ styles }) => styles)) {
    try {
      sheet?.insertRule(rule, sheet.cssRules.length);
    } catch {
      // What a browser does not know it leaves out, here as in any sheet.
    }
  }
}
