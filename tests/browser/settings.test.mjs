// Tests mistakes in the settings: the menu shows one short line about them, and a game does not.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { evening } from "./harness.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "doozer-"));
const file = path.join(folder, "doozer-box.toml");
writeFileSync(file, "result = soon\ntrun = 5\n");
after(() => rmSync(folder, { recursive: true }));

evening(
  "a mistake in the settings stands on the menu, apart from everything else",
  async (venue) => {
    const tv = await venue.tv();
    const wren = await venue.phone("Wren");
    await wren.on("menu");
    await tv.on("menu");
    await tv.says("#owner", /^Settings, line 1: result wants a number, like result = 6 \(and 1 more\)$/);
    const apart = await tv.page.evaluate(() => {
      const box = (/** @type {string} */ id) =>
        /** @type {Element} */ (document.querySelector(id)).getBoundingClientRect();
      const line = box("#owner");
      const inside = line.left >= 0 && line.top >= 0 && line.right <= innerWidth;
      const others = ["#title b", "#tiles", "#card", "#people ul"].map(box);
      return (
        inside &&
        others.every(
          (o) => o.left >= line.right || o.right <= line.left || o.top >= line.bottom || o.bottom <= line.top,
        )
      );
    });
    await tv.shot("tv-settings-960x540");
    assert.ok(apart, "the line lies over something");
    await tv.press("Enter");
    await tv.on("open");
    assert.equal(await tv.page.locator("#owner").isVisible(), false, "told during a game");
  },
  { flags: ["--config", file] },
);
