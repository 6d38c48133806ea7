// Plays with a keyboard only: the Tab key leads to every button, and arrow keys lead over a board.
import assert from "node:assert/strict";

/** @typedef {import("./harness.mjs").Phone} Phone */
/** The known results of arrow keys on each phone's board, by `from key`. @type {WeakMap<Phone, Map<string, number>>} */
const learnt = new WeakMap();

/** More presses than any screen needs from one end to the other. */
const TABS_MAX = 90;
/** More presses than any board needs. */
const ARROWS_MAX = 300;

/**
 * Presses Tab until something has the focus.
 * @param {Phone} phone
 * @param {string} selector
 */
export async function tabTo({ page }, selector) {
  for (let i = 0; i < TABS_MAX; i += 1) {
    if (await page.evaluate((where) => document.activeElement?.matches(where), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${selector}`);
}

/**
 * Presses a button as soon as it exists.
 * @param {Phone} phone
 * @param {string} selector
 */
export async function pressOn(phone, selector) {
  await phone.page.waitForSelector(selector);
  await tabTo(phone, selector);
  await phone.page.keyboard.press("Enter");
}

/** Replaces the suggested name by typing, and joins. @param {Phone} phone */
export async function joinByKeys(phone) {
  await phone.on("join");
  await tabTo(phone, "#nick-input");
  await phone.page.keyboard.type(phone.nick);
  await phone.page.keyboard.press("Enter");
  await phone.page.waitForFunction(() => document.body.dataset.screen !== "join");
}

/** Returns the button with the focus, and the arrow keys towards another button, the best first. @param {Phone} phone @param {number} to */
function compass({ page }, to) {
  return page.evaluate((wanted) => {
    const from = /** @type {HTMLElement} */ (document.activeElement);
    const [a, b] = [from, /** @type {HTMLElement} */ (document.querySelector(`[data-move="${wanted}"]`))].map((node) =>
      node.getBoundingClientRect(),
    );
    const across = (b?.x ?? 0) + (b?.width ?? 0) / 2 - (a?.x ?? 0) - (a?.width ?? 0) / 2;
    const down = (b?.y ?? 0) + (b?.height ?? 0) / 2 - (a?.y ?? 0) - (a?.height ?? 0) / 2;
    const sideways = across > 0 ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
    const upright = down > 0 ? ["ArrowDown", "ArrowUp"] : ["ArrowUp", "ArrowDown"];
    const [first, second] = Math.abs(across) > Math.abs(down) ? [sideways, upright] : [upright, sideways];
    return { at: Number(from.dataset.move), keys: [first[0], second[0], second[1], first[1]].map(String) };
  }, to);
}

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

/**
 * Returns the first arrow of the shortest known way to a place.
 * @param {Map<string, number>} known
 * @param {number} from
 * @param {(at: number) => boolean} wanted
 */
function firstStep(known, from, wanted) {
  /** @type {[at: number, first: string][]} */
  const ways = [[from, ""]];
  const seen = new Set([from]);
  for (const [at, first] of ways) {
    if (wanted(at)) return first;
    for (const key of ARROWS) {
      const next = known.get(`${at} ${key}`);
      if (next === undefined || seen.has(next)) continue;
      seen.add(next);
      ways.push([next, first || key]);
    }
  }
  return "";
}

/**
 * Moves the focus to a move with arrow keys, and plays it with Enter or the space bar alternately.
 * @param {Phone} phone
 * @param {number} v
 * @param {number} ply
 */
export async function playByKeys(phone, v, ply) {
  const known = learnt.get(phone) ?? new Map();
  learnt.set(phone, known);
  await tabTo(phone, "#board [data-move]");
  let here = await compass(phone, v);
  for (let i = 0; here.at !== v; i += 1) {
    const { at, keys } = here;
    assert(i < ARROWS_MAX, `arrows do not lead from ${at} to ${v}`);
    // Takes a known way, or else an untried arrow, or else the way to a place with an untried arrow.
    const untried = (/** @type {number} */ place) => keys.find((key) => !known.has(`${place} ${key}`));
    const key =
      firstStep(known, at, (place) => place === v) ||
      untried(at) ||
      firstStep(known, at, (place) => untried(place) !== undefined);
    assert(key, `no arrow leads to ${v}`);
    await phone.page.keyboard.press(key);
    here = await compass(phone, v);
    known.set(`${at} ${key}`, here.at);
  }
  const before = await phone.cells();
  await phone.page.keyboard.press(ply % 2 ? "Enter" : "Space");
  await phone.page.waitForFunction((was) => window.boardCells() !== was, before);
}
