// Draws the boards of the daemon's own messages: each place shows what the message says of it, and each legal move has its button.
import assert from "node:assert/strict";
import { MESSAGES } from "../golden/messages.js";
import { evening } from "./harness.mjs";

/** @typedef {import("../../www/js/wire.js").GameView<any>} GameView */

/** The views that contain a board, those in welcomes too. @type {GameView[]} */
const VIEWS = MESSAGES.flatMap((message) => {
  const view = message.t === "welcome" ? message.view : message;
  return view.t === "ws" && view.state ? [view] : [];
});

/**
 * Returns the places of a state in the order of the wire, whatever its fields are called: a renamed field must change the drawing,
 * not the expectation. A game's `count` is no place.
 * @param {GameView} view
 * @returns {string[]} a side, "" for none, or a number of pieces
 */
function places({ game, state }) {
  const order = game === "dots" ? ["edges", "boxes"] : Object.keys(state);
  const fields = Object.keys(state).sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return fields
    .filter((field) => field !== "count")
    .flatMap((field) => [...state[field]])
    .map((place) => (place === "." ? "" : String(place)));
}

/**
 * Draws each view on a new board in the page, as the page would.
 * @param {{views: GameView[], onPhone: boolean}} drawing
 * @returns for each view: its places, the moves of the highlighted buttons, and the count
 */
async function drawAll({ views, onPhone }) {
  const module = "/js/games/index.js";
  /** @type {typeof import("../../www/js/games/index.js")} */
  const { withGame } = await import(module);
  const held = document.createElement("div");
  held.style.cssText = "width: 300px; height: 300px";
  document.body.append(held);
  /** @param {Element} board */
  const read = (board) =>
    [...board.querySelectorAll("[data-cell]")]
      .sort((a, b) => Number(a.getAttribute("data-cell")) - Number(b.getAttribute("data-cell")))
      .map((place) => place.getAttribute("data-side") ?? place.getAttribute("data-count"));
  const drawn = [];
  for (const view of views) {
    /** @type {import("../../www/js/games/index.js").GameModule} */
    const game = await new Promise((use) => {
      withGame(view.game, (loaded) => loaded && use(loaded));
    });
    const board = onPhone ? game.padBoard(() => {}) : game.tvBoard();
    held.replaceChildren(board.el);
    board.draw(view, null);
    const moves = [...board.el.querySelectorAll(".key[data-can]")].map((key) => Number(key.getAttribute("data-move")));
    drawn.push({ places: read(board.el), moves, count: game.count(view) });
  }
  held.remove();
  return drawn;
}

evening("every board of the daemon's own messages is drawn as the message says", async (venue) => {
  const tv = await venue.tv();
  const phone = await venue.phone("Wren");
  const onTv = await tv.page.evaluate(drawAll, { views: VIEWS, onPhone: false });
  const onPhone = await phone.page.evaluate(drawAll, { views: VIEWS, onPhone: true });
  const games = new Set(VIEWS.filter(({ phase }) => phase === "result").map(({ game }) => game));
  assert.deepEqual([...games].sort(), ["dots", "four", "mancala", "reversi"]);
  VIEWS.forEach((view, i) => {
    const text = JSON.stringify(view);
    assert.deepEqual(onTv[i].places, places(view), `TV: ${text}`);
    assert.deepEqual(onPhone[i].places, places(view), `phone: ${text}`);
    assert.deepEqual(new Set(onPhone[i].moves), new Set(view.moves ?? []), text);
    const { count } = view.state;
    if (count) assert.deepEqual(onTv[i].count, count, text);
  });
});
