// Tests the words of every language: they have the same keys and places as in English, all plural forms, and no English left.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { SLUGS } from "../../www/js/games/index.js";
import { counted, fill, inLanguage, list, parts, useWords } from "../../www/js/language.js";

const WWW = new URL("../../www/", import.meta.url);
/** @param {string} page */
const codesOf = (page) =>
  /data-languages="([^"]*)"/.exec(readFileSync(new URL(`${page}.html`, WWW), "utf8"))?.[1]?.split(" ") ?? [];
const CODES = codesOf("pad");

/** Returns every text of a table by its key, such as "wins.one" or "youPlay.0". @param {any} table @param {string} [under] @returns {[string, string][]} */
const texts = (table, under = "") =>
  Object.entries(table).flatMap(([key, value]) =>
    typeof value === "string" ? [[under + key, value]] : texts(value, `${under}${key}.`),
  );
/** @param {string} text */
const placesOf = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place).sort();
/** @param {string} key */
const isForm = (key) => /\.(zero|one|two|few|many|other)$/.test(key);

/** Returns the tables of a language by page and game. @param {string} code @returns {Promise<Record<string, any>>} */
async function tables(code) {
  /** @type {Record<string, any>} */
  const found = {};
  for (const page of ["pad", "tv"]) found[page] = (await import(`${WWW}js/lang/${page}/${code}.js`)).words;
  for (const slug of SLUGS) found[slug] = (await import(`${WWW}js/games/lang/${slug}.js`)).words[code];
  return found;
}
const ENGLISH = await tables("en");

test("both pages and the daemon have the same list of languages", () => {
  for (const page of ["pad", "tv"]) {
    assert.deepEqual(codesOf(page), CODES, page);
    const files = readdirSync(new URL(`js/lang/${page}/`, WWW)).map((file) => file.replace(".js", ""));
    assert.deepEqual(files.sort(), [...CODES].sort(), page);
  }
  const values = readFileSync(new URL("../daemon/options/values.rs", WWW), "utf8");
  const known = /const LANGUAGES[^=]*= \[([^\]]*)\]/.exec(values)?.[1] ?? "";
  assert.deepEqual(
    [...known.matchAll(/"(\w+)"/g)].map(([, code]) => code),
    CODES,
  );
});

for (const code of CODES) {
  test(`${code}: every key of English, no other, and the places of each sentence`, async () => {
    const own = await tables(code);
    for (const [of, english] of Object.entries(ENGLISH)) {
      assert(own[of], `${code} lacks ${of}`);
      const plain = (/** @type {any} */ table) => texts(table).filter(([key]) => !isForm(key));
      assert.deepEqual(
        plain(own[of])
          .map(([key]) => key)
          .sort(),
        plain(english)
          .map(([key]) => key)
          .sort(),
        `${code} ${of}`,
      );
      const wanted = new Map(texts(english));
      for (const [key, text] of texts(own[of])) {
        const model = wanted.get(key) ?? wanted.get(key.replace(/\.\w+$/, ".other")) ?? "";
        assert.deepEqual(placesOf(text), placesOf(model), `${code} ${of} ${key}: ${text}`);
        assert(text.trim() && !/[{}]/.test(text.replace(/\{\w+\}/g, "")), `${code} ${of} ${key}: ${text}`);
      }
    }
  });

  test(`${code}: every form that its numbers take`, async () => {
    for (const [of, table] of Object.entries(await tables(code))) {
      for (const [key, forms] of Object.entries(table).filter(([, value]) => value.other)) {
        const type = key === "ordinals" ? "ordinal" : "cardinal";
        const rules = new Intl.PluralRules(code, { type });
        const used = new Set(Array.from({ length: 100 }, (_, n) => rules.select(n)));
        for (const form of used)
          if (form !== "other" && !(key === "ordinals" && form === "many"))
            assert(forms[form], `${code} ${of} ${key} lacks "${form}"`);
        for (const form of Object.keys(forms))
          assert(
            rules.resolvedOptions().pluralCategories.includes(/** @type {any} */ (form)),
            `${code} ${of} ${key}: ${form}`,
          );
      }
    }
  });

  if (code !== "en")
    test(`${code}: no sentence is left in English`, async () => {
      // Words that are the same in both languages.
      const same =
        /^(Code|Scan|Reversi|Mancala|Champion|Challenger|open|OK: rematch|1 Wi-Fi|Wi-Fi: \{name\}|1 Wi-Fi: \{name\})$/;
      for (const [of, table] of Object.entries(await tables(code))) {
        const english = new Map(texts(ENGLISH[of]));
        for (const [key, text] of texts(table))
          if (/[a-z]{3}/i.test(text.replace(/\{\w+\}/g, "")) && !same.test(text))
            assert.notEqual(text, english.get(key), `${code} ${of} ${key}`);
      }
    });
}

test("sentences are filled with names, numbers and lists by the rules of each language", () => {
  useWords("pl", {});
  const seeds = { one: "{n} ziarno", few: "{n} ziarna", many: "{n} ziaren", other: "{n} ziarna" };
  assert.deepEqual(
    [1, 3, 5, 22, 25].map((n) => counted(seeds, n)),
    ["1 ziarno", "3 ziarna", "5 ziaren", "22 ziarna", "25 ziaren"],
  );
  useWords("en", {});
  const ordinals = { one: "{n}st", two: "{n}nd", few: "{n}rd", other: "{n}th" };
  assert.deepEqual(
    [1, 2, 3, 4, 21].map((n) => counted(ordinals, n, "ordinal")),
    ["1st", "2nd", "3rd", "4th", "21st"],
  );
  useWords("de", {});
  assert.equal(list(["Ann", "Ben", "Cleo"]), "Ann, Ben und Cleo");
  assert.deepEqual(parts("{name} bleibt", { name: 7 }), ["", 7, " bleibt"]);
  assert.equal(fill("{a} gegen {b}", { a: "{b}", b: "Ben" }), "{b} gegen Ben", "a name is no place");
});

test("a game without a language has its own words in English", () => {
  const words = { en: { name: "Three in a Row", tagline: "", yourTurn: "", outOfTime: "" } };
  useWords("de", {});
  assert.equal(inLanguage(words).name, "Three in a Row");
});

test("no game's name is a trademark", async () => {
  for (const code of CODES)
    for (const slug of SLUGS)
      assert.doesNotMatch(
        (await tables(code))[slug].name,
        /puissance|gewinnt|forza|conecta|connect|lig ?4/i,
        `${code} ${slug}`,
      );
});
