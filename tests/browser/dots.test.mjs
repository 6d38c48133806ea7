// Tests Dots and Boxes by thumb, keyboard and remote: the edge nearest to a tap, and an edge that closes two boxes.
import assert from "node:assert/strict";
import { record } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";

evening("the nearest edge is played, on the smallest phone too, and two boxes fill at once", async (venue) => {
  const { moves, closed } = record("dots");
  assert.deepEqual(closed[0], [7, 2], "the seventh edge of the recorded game closes two boxes");
  const tv = await venue.tv({ path: "/tv/dots" });
  const wren = await venue.phone("Wren", { width: 320, height: 568 });
  const heron = await venue.phone("Heron", { width: 320, height: 568 });
  await heron.on("yours");
  const boxes = await heron.page.locator("[data-move]").evaluateAll((nodes) =>
    nodes.map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2, width, height };
    }),
  );
  assert(boxes.every(({ width, height }) => width >= 32 && height >= 32));
  // 16 px from its middle to each side is still that edge, and no other one.
  const hits = await heron.page.evaluate(
    (middles) =>
      middles.map(({ x, y }) =>
        [
          [0, 0],
          [14, 0],
          [-14, 0],
          [0, 14],
          [0, -14],
          [7, 7],
          [-7, -7],
        ].map(([dx = 0, dy = 0]) => document.elementFromPoint(x + dx, y + dy)?.getAttribute("data-move")),
      ),
    boxes,
  );
  for (const [v, found] of hits.entries()) assert.deepEqual(new Set(found), new Set([String(v)]), `edge ${v}`);

  await playOut([wren, heron], moves.slice(0, 7));
  await tv.says('.seat[data-seat="1"] .count', /^2$/);
  await tv.says("#banner", /^Heron goes again$/);
  await tv.still();
  assert.equal((await tv.cells()).slice(60), `11${".".repeat(23)}`);
  const [edge] = await heron.page.locator('[data-move="6"]').all();
  assert.equal(await edge?.getAttribute("aria-label"), "horizontal line, row 2, column 2, drawn by gold");
  assert.match((await edge?.getAttribute("aria-description")) ?? "", /a box with 4 sides and a box with 1 side/);
  await tv.shot("tv-dots-two-960x540");
});

evening("the remote walks from edge to edge, and so do a phone's arrow keys", async (venue) => {
  const tv = await venue.tv({ path: "/tv/dots" });
  const wren = await venue.phone("Wren");
  await tv.on("open");
  await tv.press("Enter");
  const at = async () => {
    const board = await tv.page.waitForSelector('body[data-screen="play"] #board[data-cursor]', { state: "attached" });
    return Number(await board.getAttribute("data-cursor"));
  };
  assert.equal(await at(), 12, "the cursor starts in the middle");
  await tv.press("ArrowDown");
  assert.equal(await at(), 44);
  await tv.shot("tv-dots-cursor-960x540");
  await tv.press("Enter");
  await wren.on("yours");
  assert.equal((await wren.cells())[44], "1");
  await wren.page.focus('[data-move="12"]');
  await wren.page.keyboard.press("ArrowDown");
  await wren.page.keyboard.press("ArrowRight");
  assert.equal(await wren.page.evaluate(() => document.activeElement?.getAttribute("data-move")), "45");
  await wren.shot("pad-dots-focus");
  await wren.page.keyboard.press("Enter");
  await tv.page.waitForSelector('[data-cell="45"][data-side="0"]', { state: "attached" });
});
