// Tests the TV's remote with real key events, from the menu to the rematch.
import assert from "node:assert/strict";
import { CHAMPION_WINS, record } from "./games.mjs";
import { evening } from "./harness.mjs";

/** @typedef {import("./harness.mjs").Tv} Tv */

const HAS_CURSOR = 'body[data-screen="play"] #board[data-cursor]';

/** Returns the slug of the selected tile. @param {Tv} tv */
const chosen = (tv) =>
  tv.page.evaluate(
    () => /** @type {HTMLElement | null} */ (document.querySelector('.tile[aria-selected="true"]'))?.dataset.slug,
  );

/** Waits until that side is on turn. Here the remote is side 1. @param {Tv} tv @param {0 | 1} side */
async function turn(tv, side) {
  const mark = side === 1 ? HAS_CURSOR : 'body[data-screen="play"] .seat[data-seat="0"][data-glow]';
  await tv.page.waitForSelector(mark, { state: "attached" });
}

/** Returns the position of the remote's cursor. @param {Tv} tv @returns {Promise<number>} */
async function cursor(tv) {
  const board = await tv.page.waitForSelector(HAS_CURSOR, { state: "attached" });
  return Number(await board.getAttribute("data-cursor"));
}

/**
 * Moves the cursor along a row to one of its places, and plays that.
 * @param {Tv} tv
 * @param {number} column
 * @param {"ArrowRight" | "ArrowLeft"} [up] the key towards larger numbers
 */
async function drop(tv, column, up = "ArrowRight") {
  let at = await cursor(tv);
  while (at !== column) {
    await tv.press(at < column === (up === "ArrowRight") ? "ArrowRight" : "ArrowLeft");
    at += at < column ? 1 : -1;
    await tv.page.waitForSelector(`#board[data-cursor="${at}"]`, { state: "attached" });
  }
  await tv.press("Enter");
}

evening("Four in a Row from the menu to the rematch with the remote as challenger", async (venue) => {
  const tv = await venue.tv();
  const wren = await venue.phone("Wren");
  await wren.on("menu");
  await tv.on("menu");

  const tiles = await tv.page
    .locator(".tile")
    .evaluateAll((all) => all.map((tile) => /** @type {HTMLElement} */ (tile).dataset.slug));
  assert.equal(await chosen(tv), tiles[0], "the first tile is chosen");
  for (const slug of tiles.slice(1)) {
    await tv.press("ArrowRight");
    await tv.page.waitForSelector(`.tile[data-slug="${slug}"][aria-selected="true"]`);
  }
  await tv.press("ArrowRight");
  assert.equal(await chosen(tv), tiles.at(-1), "there is nothing further right");
  while ((await chosen(tv)) !== "four") await tv.press("ArrowLeft");
  await tv.press("Enter");
  await tv.on("open");
  await wren.on("wait");

  // The first press gets the remote in line, which here is a seat.
  await tv.press("ArrowRight");
  await turn(tv, 1);
  await tv.seats("Wren", "Remote");
  assert.equal(await cursor(tv), 3, "the cursor starts in the middle");
  await tv.shot("tv-remote-four-960x540");

  for (const [i, column] of CHAMPION_WINS.entries()) {
    await turn(tv, i % 2 === 0 ? 1 : 0);
    if (i % 2 === 0) await drop(tv, column);
    else await wren.play(column);
    await tv.stones(i + 1);
  }
  await tv.on("result");
  await tv.says("#banner", /Wren wins/);
  await tv.on("rematch");
  await tv.says("body", /Remote/);
  await tv.press("Enter");
  await turn(tv, 1);
  await tv.seats("Wren", "Remote");
});

evening(
  "Reversi with the remote: where the cursor starts, the shake, no repeat of OK, Back asks once",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv/reversi" });
    const wren = await venue.phone("Wren");
    await tv.on("open");
    await tv.press("Enter");
    await turn(tv, 1);
    const first = await cursor(tv);
    assert([19, 26, 37, 44].includes(first), `the cursor starts on a legal square, not on ${first}`);
    await tv.shot("tv-remote-reversi-960x540");

    // OK on an illegal move shakes the cursor and plays nothing.
    await tv.press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp");
    await tv.press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft");
    assert.equal(await cursor(tv), 0, "the corner stops it");
    await tv.still();
    const classes = await tv.boardClasses();
    await tv.page.keyboard.press("Enter");
    await tv.page.waitForFunction(() => window.shortAnimations().length > 0);
    await tv.still();
    assert.equal(await tv.boardClasses(), classes, "nothing is left of the shake");
    assert.equal((await tv.cells()).replaceAll(".", "").length, 4);

    // A held arrow key moves the cursor again and again, but a held OK counts once.
    await tv.page.keyboard.down("ArrowRight");
    for (let i = 0; i < 3; i += 1) await tv.page.keyboard.down("ArrowRight");
    await tv.page.keyboard.up("ArrowRight");
    await tv.press("ArrowDown", "ArrowDown");
    assert.equal(await cursor(tv), 20);
    await tv.press("ArrowLeft");
    assert.equal(await cursor(tv), 19);
    await tv.page.keyboard.down("Enter");
    await turn(tv, 0);
    await tv.stones(5);
    await wren.play(18);
    await turn(tv, 1);
    for (let i = 0; i < 5; i += 1) await tv.page.keyboard.down("Enter");
    await tv.page.keyboard.up("Enter");
    assert.equal(await cursor(tv), 26, "it starts on the legal square nearest to where it was");
    assert.equal((await tv.cells()).replaceAll(".", "").length, 6, "a held OK plays once");

    // During a game the first Back only asks, and the second one leads to the menu. Further ones stay on the menu.
    await tv.press("Escape");
    await tv.says("#banner", /Back again/);
    await tv.shot("tv-remote-back-960x540");
    await tv.on("play");
    await tv.press("Escape");
    await tv.on("menu");
    await wren.on("menu");
    assert.equal(await tv.code(), venue.code, "the code is kept");
    await tv.press("Escape", "Backspace");
    for (const key of ["BrowserBack", "GoBack"])
      await tv.page.evaluate((name) => dispatchEvent(new KeyboardEvent("keydown", { key: name })), key);
    await tv.page.evaluate(() => history.back());
    await tv.on("menu");
    await tv.press("ArrowRight", "Enter");
    await tv.on("play", "open");
    assert.match(tv.page.url(), /\/tv/);
  },
);

evening(
  "Mancala with the remote: extra turns, an empty pit, the result, and the rematch from the other side",
  async (venue) => {
    const { moves, again, winner } = record("mancala");
    assert.equal(winner, "X", "the remote wins this one");
    const tv = await venue.tv({ path: "/tv/mancala" });
    const wren = await venue.phone("Wren");
    await tv.on("open");
    await tv.press("Enter");
    let side = /** @type {0 | 1} */ (1);
    for (const [i, v] of moves.entries()) {
      await turn(tv, side);
      if (side === 0) await wren.play(v);
      else {
        assert((await wren.lit()).length === 0);
        const turnId = await tv.page.evaluate(() => document.body.dataset.turn);
        await drop(tv, v);
        await tv.page.waitForFunction((was) => document.body.dataset.turn !== was, turnId);
      }
      if (again.includes(i + 1)) await tv.says("#banner", new RegExp(`${side === 1 ? "Remote" : "Wren"} goes again`));
      else side = side === 1 ? 0 : 1;
    }
    await tv.on("result");
    await tv.says("#banner", /Remote wins, 30 to 18/);
    await wren.on("rematch");
    await wren.page.tap("#rematch");

    // The remote is the champion now. Its pits are in the upper row and run to the left. OK on an empty one shakes the cursor.
    await wren.play(1);
    await turn(tv, 0);
    await drop(tv, 2, "ArrowLeft");
    await tv.says("#banner", /Remote goes again/);
    await tv.still();
    assert.equal(await cursor(tv), 1, "the cursor starts on a pit with seeds beside where it was");
    await tv.press("ArrowLeft");
    assert.equal(await cursor(tv), 2);
    const before = await tv.cells();
    await tv.page.keyboard.press("Enter");
    await tv.page.waitForFunction(() => window.shortAnimations().length > 0);
    await tv.still();
    assert.equal(await tv.cells(), before);
    await tv.press("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft");
    assert.equal(await cursor(tv), 5, "the last pit stops it");
  },
);

evening("the remote's first press in a full venue gets it in line", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await tv.on("play");
  await tv.press("Enter");
  await tv.says("#next", /Remote/);
  await wren.on("theirs");
  await heron.on("yours");
  // The TV shows both ways out of the line. Back takes the remote out, and does not end the others' game.
  await tv.says("#hint", "Back: leave the line 3 missed turns: out");
  await tv.shot("tv-remote-line-960x540");
  await tv.press("Escape");
  await tv.says("#hint", "OK: join in");
  assert.doesNotMatch(await tv.text("#next"), /Remote/);
  await tv.on("play");
  await heron.play(0);
  await wren.on("yours");
  await tv.press("Escape");
  await tv.says("#banner", /Back again/);
});

evening("a game pad does what the remote does, and what is no game pad does nothing", async (venue) => {
  const tv = await venue.tv();
  await tv.on("menu");
  await tv.page.evaluate(() => {
    const rest = () => Array.from({ length: 17 }, () => ({ pressed: false }));
    const wheel = {
      index: 0,
      id: "wheel",
      mapping: "",
      axes: [-1, 0],
      buttons: [{ pressed: true }, { pressed: true }],
    };
    const pad = { index: 1, id: "pad", mapping: "standard", axes: [-1, 0], buttons: rest() };
    pad.buttons[0] = { pressed: true };
    navigator.getGamepads = () => /** @type {any} */ ([wheel, pad]);
    Object.assign(window, { pad });
    dispatchEvent(new Event("gamepadconnected"));
  });
  /** @param {number} button @param {boolean} pressed */
  const set = (button, pressed) =>
    tv.page.evaluate(
      ([at, down]) => {
        /** @type {any} */
        const { pad } = window;
        pad.buttons[Number(at)].pressed = down;
      },
      [button, pressed],
    );
  const frames = () =>
    tv.page.evaluate(
      () =>
        new Promise((done) => {
          requestAnimationFrame(() => requestAnimationFrame(done));
        }),
    );
  await set(15, true);
  await tv.page.waitForSelector('.tile[data-slug="reversi"][aria-selected="true"]');
  await set(15, false);
  assert.deepEqual(
    tv.said.map(({ t }) => t).filter((t) => t !== "hb"),
    ["host"],
    "what was pressed from the start opened nothing",
  );
  await set(0, false);
  await frames();
  await set(0, true);
  await tv.on("open");
  await set(0, false);
  await set(1, true);
  await tv.on("menu");
});
