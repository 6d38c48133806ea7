// Tests Reversi by thumb: a complete game, and a pass.
import assert from "node:assert/strict";
import { CHALLENGER_PASSES, CHALLENGER_WIPES_OUT, WHOLE_GAME } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";

evening(
  "a whole game on two phones, counted on the TV at each of its sixty moves",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv/reversi" });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await tv.seats("Wren", "Heron");
    await tv.stones(4);

    await playOut([wren, heron], WHOLE_GAME.moves, async (ply) => {
      const [champion, challenger] = WHOLE_GAME.counts[ply - 1] ?? [];
      await tv.says('.seat[data-seat="0"] .count', new RegExp(`^${champion}$`));
      await tv.says('.seat[data-seat="1"] .count', new RegExp(`^${challenger}$`));
      await tv.stones(ply + 4);
      if (ply === 30) {
        await tv.still();
        await tv.shot("tv-reversi-960x540");
        await wren.on("yours", "theirs");
        await heron.shot("pad-reversi");
      }
    });

    await tv.on("result");
    await tv.says("#banner", /Wren wins.*49 to 15/);
    assert.equal(await tv.cells(), WHOLE_GAME.final);
    await Promise.all([wren.on("result"), heron.on("result")]);
    assert.equal(await wren.cells(), WHOLE_GAME.final);
    assert.equal(await heron.cells(), WHOLE_GAME.final);
    await wren.says("body", /49/);
    await heron.says("body", /15/);
    await tv.still();
    await tv.shot("tv-reversi-result-960x540");
  },
  { result: 10 },
);

evening("in a rematch the winner's count is still the winner's, though the seat has changed", async (venue) => {
  const tv = await venue.tv({ path: "/tv/reversi" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await playOut([wren, heron], CHALLENGER_WIPES_OUT);
  await tv.on("rematch");
  await tv.says('.seat[data-seat="0"] .nick', /^Heron$/);
  await tv.says('.seat[data-seat="0"] .count', /^13$/);
  for (const phone of [wren, heron]) {
    await phone.on("rematch", "wait");
    assert.equal(await phone.text(".seat .count"), "", "where no board stands nothing is counted");
  }
});

evening("only lit squares can be played", async (venue) => {
  const tv = await venue.tv({ path: "/tv/reversi" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await heron.on("yours");
  await wren.on("theirs");
  assert.deepEqual(await heron.lit(), [19, 26, 37, 44]);
  assert.deepEqual(await wren.lit(), [], "nothing is lit on the other phone");
  // A tap on a square without a highlight does nothing, and a tap on a highlighted one works after it.
  const inert = await heron.page.locator('#board [data-cell="0"]').boundingBox();
  assert(inert);
  await heron.page.touchscreen.tap(inert.x + inert.width / 2, inert.y + inert.height / 2);
  await heron.play(19);
  await tv.stones(5);
});

evening("a pass is said on all three screens, and the same side goes again", async (venue) => {
  const tv = await venue.tv({ path: "/tv/reversi" });
  const wren = await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await playOut([wren, heron], CHALLENGER_PASSES);
  await tv.says("#banner", /Heron has no move.*Wren goes again/);
  await tv.still();
  await tv.shot("tv-pass-960x540");
  await wren.on("yours");
  await wren.says("#headline", /Heron has no move|again/);
  await heron.on("theirs");
  await heron.says("#headline", /no move/);
  await wren.shot("pad-pass-again");
  await heron.shot("pad-pass");
  const [move] = await wren.lit();
  assert(move !== undefined);
  await wren.play(move);
});
