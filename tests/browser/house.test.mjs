// Tests the House: a lone guest can play it, and the next guest who scans takes its place.
import assert from "node:assert/strict";
import { evening } from "./harness.mjs";

evening("a lone phone plays a whole game against the House, and whoever scans in takes over", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  await wren.on("wait");
  await wren.page.tap("#house");
  await tv.seats("Wren", "The House");
  await tv.page.waitForSelector('.seat[data-seat="1"][data-house]');

  // The House moves first, as a challenger does, and answers each move.
  await wren.on("yours");
  await wren.says("#hint", /The House steps aside as soon as somebody scans in/);
  assert((await wren.cells()).includes("1"), "the House has not moved");
  await wren.shot("pad-house");
  await tv.shot("tv-house-960x540");
  while ((await wren.screen()) === "yours") {
    const [move = NaN] = await wren.lit();
    await wren.play(move);
    await wren.on("yours", "result");
  }
  await wren.says("#headline", /You (won|lost)|A draw/);
  await wren.on("wait");
  await tv.page.waitForSelector(".seat[data-house]", { state: "detached" });

  await wren.page.tap("#house");
  await tv.seats("Wren", "The House");
  await wren.on("yours");
  const heron = await venue.phone("Heron");
  await heron.on("yours");
  await heron.says("#hint", /The House steps aside/);
  await tv.says("#banner", /The House steps aside/);
  await tv.seats("Wren", "Heron");
  await tv.page.waitForSelector(".seat[data-house]", { state: "detached" });
  assert(!/[01]/.test(await heron.cells()), "the new game begins on an empty board");
  await tv.shot("tv-house-aside-960x540");
});

evening("a game against the House is ended by its guest", async (venue) => {
  const tv = await venue.tv({ path: "/tv/reversi" });
  const wren = await venue.phone("Wren");
  await wren.on("wait");
  await wren.page.tap("#house");
  await wren.on("yours");
  await wren.page.tap("#houseoff");
  await wren.on("wait");
  await tv.page.waitForSelector(".seat[data-house]", { state: "detached" });
});

evening("the remote's OK plays the House when it is alone", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  await tv.press("ArrowRight");
  await tv.says('.seat[data-seat="0"] .nick', "Remote");
  await tv.press("Enter");
  await tv.seats("Remote", "The House");
  await tv.page.waitForSelector('body[data-screen="play"] #board[data-cursor]', { state: "attached" });
});
