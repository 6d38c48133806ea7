// Tests the pages with the daemon's own messages, recorded by tests/golden.rs: each has its screen, and complete texts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { useWords } from "../../www/js/language.js";
import { gone, menu, screen } from "../../www/js/pad/screens.js";
import { announce } from "../../www/js/tv/banner.js";
import { Remote } from "../../www/js/tv/remote.js";
import { MESSAGES } from "../golden/messages.js";

/** @typedef {import("../../www/js/wire.js").GameView} GameView */
/** @typedef {import("../../www/js/wire.js").FromBox} FromBox */

/** @param {string} slug */
const load = async (slug) => (await import(`../../www/js/games/${slug}.js`))[slug];
/** The views of games, including those in welcomes. @type {GameView[]} */
const VIEWS = MESSAGES.flatMap((message) => (message.t === "welcome" ? [message.view] : [message])).filter(
  (/** @type {FromBox} */ message) => message.t === "ws",
);

/** @param {unknown} words @param {FromBox} message */
function whole(words, message) {
  const text = JSON.stringify(words);
  assert.doesNotMatch(text, /undefined|NaN|null|\[object|[{}]\w*[{}]/, `${text} of ${JSON.stringify(message)}`);
}

test("every phase and role of every game is among the messages", () => {
  const seen = new Set(VIEWS.map((view) => `${view.phase} ${view.role}${view.seats[1]?.house ? " house" : ""}`));
  const wanted = [
    "open null",
    "open champ",
    "play null",
    "play null house",
    "play champ",
    "play champ house",
    "play chal",
  ];
  wanted.push("play line", "play out", "result null", "result champ", "result chal", "result line", "result out");
  wanted.push("result champ house", "rematch null", "rematch champ", "rematch rematch", "rematch out");
  assert.deepEqual(
    [...wanted].filter((place) => !seen.has(place)),
    [],
  );
});

/** The codes of all languages, and the words of each for a page. */
const CODES =
  /data-languages="([^"]*)"/
    .exec(readFileSync(new URL("../../www/pad.html", import.meta.url), "utf8"))?.[1]
    ?.split(" ") ?? [];

/** Sets the language like a page. @param {string} code @param {"pad" | "tv"} page */
const speak = async (code, page) => useWords(code, (await import(`../../www/js/lang/${page}/${code}.js`)).words);

for (const code of CODES) {
  test(`a phone shows every view, welcome and goodbye with complete texts: ${code}`, async () => {
    await speak(code, "pad");
    for (const view of VIEWS.filter((view) => view.role !== null)) {
      const { headline, hint, offers, leave } = screen(view, await load(view.game));
      whole([headline, hint ?? "", offers, leave], view);
      assert(headline, JSON.stringify(view));
      assert.equal(offers.includes("house"), view.house === true, JSON.stringify(view));
    }
    for (const message of MESSAGES) {
      if (message.t === "menu") whole(menu(message), message);
      if (message.t === "bye" && message.why !== "restart") whole(gone(message.why), message);
      if (message.t === "no") assert(message.say, JSON.stringify(message));
    }
  });

  test(`the TV's banner and its remote show every view: ${code}`, async () => {
    await speak(code, "tv");
    for (const view of VIEWS) {
      const game = await load(view.game);
      whole(announce(view, game).lines, view);
      /** @type {any[]} */
      const said = [];
      const board = { point: () => {}, shake: () => {} };
      const remote = new Remote({
        send: (message) => said.push(message) > 0,
        flash: (text) => whole(text, view),
        hint: (lines) => whole(lines, view),
        menu: /** @type {any} */ ({}),
        place: /** @type {any} */ ({ toggleAttribute: () => {}, dataset: {} }),
      });
      remote.draw(view, /** @type {any} */ ({ game, board }));
      for (const press of /** @type {const} */ (["left", "ok", "ok"])) remote.press(press, false);
      const first = view.role === null || view.role === "out" ? "line" : view.house ? "house" : null;
      if (first) assert.equal(said[0]?.t, first, JSON.stringify(view));
    }
  });
}
