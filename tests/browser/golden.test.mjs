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
 * Draws views on new boards of the page, each after another, as the page would.
 * @param {GameView[]} views
 * @returns for each view: the places on TV and phone, and the moves of the phone's highlighted buttons
 */
async function drawAll(views) {
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
    const tv = game.tvBoard();
    const phone = game.padBoard(() => {});
    held.replaceChildren(tv.el, phone.el);
    tv.draw(view, null);
    phone.draw(view);
    const moves = [...phone.el.querySelectorAll(".key[data-can]")].map((key) => Number(key.getAttribute("data-move")));
    drawn.push({ tv: read(tv.el), phone: read(phone.el), moves, count: game.count(view) });
  }
  held.remove();
  return drawn;
}

evening("every board of the daemon's own messages is drawn as the message says", async (venue) => {
  const tv = await venue.tv();
  const drawn = await tv.page.evaluate(drawAll, VIEWS);
  const games = new Set(VIEWS.filter(({ phase }) => phase === "result").map(({ game }) => game));
  assert.deepEqual([...games].sort(), ["dots", "four", "mancala", "reversi"]);
  VIEWS.forEach((view, i) => {
    const wanted = places(view);
    assert.deepEqual(drawn[i].tv, wanted, `TV: ${JSON.stringify(view)}`);
    assert.deepEqual(drawn[i].phone, wanted, `phone: ${JSON.stringify(view)}`);
    assert.deepEqual(
      drawn[i].moves.sort((a, b) => a - b),
      view.moves ?? [],
      JSON.stringify(view),
    );
    const { count } = view.state;
    if (count) assert.deepEqual(drawn[i].count, count, JSON.stringify(view));
  });
});
