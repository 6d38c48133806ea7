// Compares each served file with its source by a real parser: the same tokens in the same order, without comments.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Linter } from "eslint";
import { Daemon } from "./daemon.mjs";

const WWW = new URL("../../www/", import.meta.url);

/** Returns the tokens of a script, without comments. @param {string} code @returns {string[]} */
function words(code) {
  const linter = new Linter();
  const [fault] = linter.verify(code, [{ languageOptions: { ecmaVersion: 2024, sourceType: "module" } }]);
  assert(!fault?.fatal, fault?.message);
  return linter.getSourceCode().ast.tokens.map(({ value }) => value);
}

/** Returns a style sheet without comments, with one blank for each gap. @param {string} css */
const rules = (css) =>
  css
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .trim();

test("scripts and style sheets are served with every word of their source", async () => {
  const box = await new Daemon().start();
  try {
    const files = readdirSync(WWW, { recursive: true, encoding: "utf8" }).filter((file) => /\.(js|css)$/.test(file));
    assert(files.length > 30, "there are files");
    for (const file of files) {
      const source = readFileSync(new URL(file, WWW), "utf8");
      const served = await (await fetch(`${box.origin}/${file}`)).text();
      const of = file.endsWith(".js") ? words : rules;
      assert.deepEqual(of(served), of(source), file);
    }
  } finally {
    await box.stop();
  }
});
