// Tests the House: a lone guest can play it, and the next guest who scans takes its place.
import assert from "node:assert/strict";
import { SLUGS } from "./games.mjs";
import { evening } from "./harness.mjs";

evening("a lone phone plays a whole game against the House, and whoever scans in takes over", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  await wren.on("wait");
  await wren.page.tap("#house");
  await tv.seats("Wren", "The House");
  await tv.page.waitForSelector('.seat[data-seat="1"][data-house]');

  // The House moves first, like every challenger, and answers each move.
  await wren.on("yours");
  await wren.says("#hint", /The House steps aside as soon as somebody scans in/);
  assert((await wren.cells()).includes("1"), "the House has not moved");
  await wren.shot("pad-house");
  await tv.shot("tv-house-960x540");
  await tv.page.setViewportSize({ width: 1920, height: 1080 });
  await tv.shot("tv-house-1920x1080");
  await tv.page.setViewportSize({ width: 960, height: 540 });
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

evening(
  "a lone phone plays whole games of every kind, loses, and wins once the House plays its weakest",
  async (venue) => {
    const tv = await venue.tv();
    const wren = await venue.phone("Wren");
    /** Lets the move clock play a game. Returns its headline, which the page itself waits for: a slow test would miss it. */
    const game = async () => {
      await wren.on("wait");
      const headline = wren.page.waitForFunction(
        () => /You (won|lost)|A draw/.exec(document.querySelector("#headline")?.textContent ?? "")?.[0],
      );
      await wren.page.tap("#house");
      return String(await (await headline).jsonValue());
    };
    for (const slug of SLUGS) {
      await wren.on("menu");
      await wren.page.tap(`.pick[data-slug="${slug}"]`);
      await game();
      await wren.on("wait");
      await tv.page.waitForSelector(".seat[data-house]", { state: "detached" });
      assert.equal(await tv.text('.seat[data-seat="0"] .streak'), "", "games against the House are no streak");
      await wren.page.tap("#home");
    }
    await wren.page.tap('.pick[data-slug="four"]');
    // After two lost games in a row the guest plays a weaker House, which can lose.
    const ends = new Set();
    for (let played = 0; !(ends.has("won") && ends.has("lost")); played++) {
      assert(played < 16, "never won and lost");
      const headline = await game();
      ends.add(headline.includes("won") ? "won" : headline.includes("lost") ? "lost" : "draw");
    }
  },
  { turn: 0.2, result: 1 },
);

evening("whoever scans in while the House thinks plays at once, and its move never comes", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron", { join: false });
  await wren.on("wait");
  await wren.page.tap("#house");
  await wren.on("yours");
  await heron.on("join");
  await heron.page.fill("#nick-input", "Heron");
  await wren.play(3);
  await heron.page.tap("#play");
  await heron.on("yours");
  await wren.on("theirs");
  await tv.seats("Wren", "Heron");
  await heron.play(0);
  await wren.on("yours");
  assert.match(await wren.cells(), /^\.{35}1\.{6}$/, "Heron's is the only stone");
});

evening("the remote's OK plays the House when it is alone", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  await tv.press("ArrowRight");
  await tv.says('.seat[data-seat="0"] .nick', "Remote");
  await tv.press("Enter");
  await tv.seats("Remote", "The House");
  const cursor = () => tv.page.waitForSelector('body[data-screen="play"] #board[data-cursor]', { state: "attached" });
  await cursor();
  await tv.says("#hint", "Arrows, then OK");

  // A complete game, in the columns at the sides.
  for (let press = 0; (await tv.screen()) === "play"; press++) {
    await tv.press(press % 2 ? "ArrowRight" : "ArrowLeft", "Enter");
    const turn = await tv.page.waitForSelector(
      'body[data-screen="play"] #board[data-cursor], body[data-screen="result"]',
      { state: "attached" },
    );
    await turn.dispose();
  }
  await tv.says("#banner", /(Remote|The House) wins|A draw/);
  await tv.says("#hint", "OK: play the House");
  await tv.press("Enter");
  await tv.seats("Remote", "The House");
  await cursor();
  const wren = await venue.phone("Wren");
  await wren.on("yours");
  await tv.seats("Remote", "Wren");
  await tv.says("#banner", /The House steps aside/);
});

evening(
  "where the owner has switched the House off, neither phone nor remote offers it",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv/four" });
    const wren = await venue.phone("Wren");
    await wren.on("wait");
    await wren.says("#stepout", "Step down");
    assert(await wren.page.locator("#house").isHidden());
    await wren.leave();
    await tv.press("Enter");
    await tv.says('.seat[data-seat="0"] .nick', "Remote");
    await tv.press("Enter");
    await tv.on("open");
    assert.doesNotMatch(await tv.text("#hint"), /House/);
    assert.equal(tv.said.filter(({ t }) => t === "house").length, 0);
  },
  { flags: ["--house", "false"] },
);
