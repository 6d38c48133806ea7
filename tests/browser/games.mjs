// Recorded games. Side 1, the challenger, moves first.
import { readFileSync } from "node:fs";

export { SLUGS } from "../../www/js/games/index.js";

/** Returns the first complete game in a game's record. @param {string} slug */
export function record(slug) {
  const lines = readFileSync(new URL(`../vectors/${slug}_games.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line)).find(({ winner }) => winner);
}

/** Returns the moves of that game. @param {string} slug @returns {number[]} */
export const recorded = (slug) => record(slug).moves;

/** Four in a Row: the challenger wins with four stones in the first column. */
export const CHALLENGER_WINS = [0, 1, 0, 1, 0, 1, 0];

/** Four in a Row: the champion wins with four stones in the middle column. */
export const CHAMPION_WINS = [0, 3, 0, 3, 1, 3, 6, 3];

/** Reversi: after the last of these the challenger has no move, and the champion goes again. */
export const CHALLENGER_PASSES = [19, 18, 17, 9, 44, 16, 0, 2];

/** Reversi: after the last of these the champion has no stone left, and the challenger thirteen. */
export const CHALLENGER_WIPES_OUT = [44, 29, 20, 45, 38, 43, 52, 37, 34];

/**
 * Reversi: a tournament game of 60 moves without a pass, with the stones `[side 0, side 1]` after each.
 * @type {{moves: number[], counts: [number, number][], final: string}}
 */
export const WHOLE_GAME = JSON.parse(readFileSync(new URL("reversi-game.json", import.meta.url), "utf8"));
