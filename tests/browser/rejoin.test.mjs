// Tests phones that return: scanned again, reloaded, offline, after leaving, and after the room was closed.
import assert from "node:assert/strict";
import { CHALLENGER_WINS, CHAMPION_WINS } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";

/** @typedef {import("./harness.mjs").Venue} Venue */
/** @typedef {import("./harness.mjs").Phone} Phone */

/** Returns the daemon's number of people. @param {Venue} venue */
async function people(venue) {
  const answer = await fetch(`${venue.box.origin}/healthz`);
  return /** @type {{people: number}} */ (await answer.json()).people;
}

/**
 * Reloads the page, then closes it and scans the code again. Each time the person must be back at once, without a question.
 * @param {Venue} venue
 * @param {Phone} phone
 * @param {string} screen
 */
async function again(venue, phone, screen) {
  await phone.page.reload();
  await phone.on(screen);
  const context = phone.page.context();
  await phone.page.close();
  phone.page = await context.newPage();
  venue.watch(phone.page, phone.nick);
  await phone.page.goto(`${venue.box.origin}/${venue.code}`);
  await phone.on(screen);
  await phone.says("#me", phone.nick);
}

evening(
  "a phone that reloads or scans again has its place again: in play, in line, in the result, in the rematch",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv/four" });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    const robin = await venue.phone("Robin");
    await again(venue, heron, "yours");
    await again(venue, wren, "theirs");
    await again(venue, robin, "line");
    await tv.seats("Wren", "Heron");
    assert.equal(await people(venue), 3, "nobody is in the room twice");
    await robin.page.tap("#stepout");
    await robin.on("out");
    await playOut([wren, heron], CHALLENGER_WINS);
    await again(venue, wren, "result");
    await wren.says("#headline", /You lost/);
    await again(venue, heron, "result");
    await heron.says("#headline", /You won/);
    await again(venue, wren, "rematch");
    await again(venue, heron, "wait");
    assert.equal(await people(venue), 3);
    await wren.page.tap("#rematch");
    await wren.on("yours");
    await tv.seats("Heron", "Wren");
  },
  { result: 8 },
);

evening("a phone whose browser forgot everything is told apart from who it was, not locked out", async (venue) => {
  await venue.tv({ path: "/tv/four" });
  await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await heron.page.evaluate(() => localStorage.clear());
  await heron.page.reload();
  await heron.join();
  await heron.on("line");
  await heron.says("#me", /^Heron 2$/);
});

evening("a tap without a link is said and not kept", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  await venue.phone("Wren");
  const heron = await venue.phone("Heron", { proxy: true });
  await heron.on("yours");
  heron.proxy?.cut({ shut: true });
  await heron.link("down");
  await heron.page.tap('#board [data-move="3"]');
  await heron.says("#toast", /not sent/);
  await heron.says("#mark", /Reconnecting/);
  await heron.shot("pad-not-sent");
  heron.proxy?.mend();
  await heron.link("up");
  await heron.on("yours");
  await heron.play(2);
  await tv.stones(1);
  await heron.stones(1);
});

evening(
  "who has left can join again in one tap; the champion can step down or choose another game",
  async (venue) => {
    const tv = await venue.tv({ path: "/tv/four" });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    await heron.on("yours");
    await heron.page.tap("#leave");
    await heron.says("#ask-why", /give the game up/);
    await heron.page.tap("#leave-no");
    await heron.on("yours");
    await heron.leave();
    await heron.shot("pad-left");
    await wren.says("#hint", /Heron left/);
    await wren.on("wait");
    await heron.page.tap("#again");
    await heron.on("join");
    assert.equal(await heron.page.inputValue("#code-input"), venue.code);
    await wren.page.tap("#stepout");
    await wren.on("out");
    await wren.page.tap("#getin");
    await wren.on("wait");
    await wren.page.tap("#home");
    await wren.on("menu");
    await tv.on("menu");
    await heron.page.tap("#play");
    await heron.on("menu");
  },
  { result: 3 },
);

evening("when the room is over every phone says so, and the new code is typed in one go", async (venue) => {
  venue.linksBreak = true;
  const tv = await venue.tv({ path: "/tv/four" });
  await venue.phone("Wren");
  const heron = await venue.phone("Heron");
  await heron.on("yours");
  await venue.box.kill();
  await heron.link("down");
  await venue.box.start();
  await heron.on("join");
  await heron.says("#why", /That room is over/);
  await heron.shot("pad-room-over");
  assert.equal(await heron.page.inputValue("#code-input"), "");
  assert.equal(await heron.page.inputValue("#nick-input"), "Heron");
  await tv.page.waitForFunction(
    (old) => document.querySelector("#code")?.textContent?.replace(/\s/g, "") !== old,
    venue.code,
  );
  const code = await tv.code();
  await heron.page.fill("#code-input", `${code.slice(0, 2)}-${code.slice(2)}`.toLowerCase());
  await heron.page.press("#code-input", "Enter");
  await heron.on("menu");
  assert.equal(new URL(heron.page.url()).pathname, `/${code}`, "a reload comes back to the new room");
});

evening(
  "a keyboard that composes types a code once, and an address with a slash behind it holds one",
  async (venue) => {
    await venue.tv();
    const wren = await venue.phone("Wren", { join: false, path: `/${venue.code.toLowerCase()}/` });
    await wren.on("join");
    assert.equal(await wren.page.inputValue("#code-input"), venue.code);
    const typed = venue.code.toLowerCase();
    await wren.page.tap("#code-input");
    const devtools = await wren.page.context().newCDPSession(wren.page);
    // The first letter is a vowel, which no code has. It is removed when the composition ends, not before.
    for (const text of ["a", ...[1, 2, 3, 4].map((n) => `a${typed.slice(0, n)}`)]) {
      await devtools.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
      assert.equal(await wren.page.inputValue("#code-input"), text, "what is composed is left alone");
    }
    await devtools.send("Input.insertText", { text: `a${typed}` });
    assert.equal(await wren.page.inputValue("#code-input"), venue.code);
    await wren.page.tap("#play");
    await wren.on("menu");
  },
);

/** Records how the phone vibrates from now on. @param {import("./harness.mjs").Phone} phone */
async function noteBuzzes({ page }) {
  await page.evaluate(() => {
    document.body.dataset.buzzes = "";
    navigator.vibrate = (pattern) => {
      document.body.dataset.buzzes += `${pattern} `;
      return true;
    };
  });
}

evening("in line it buzzes once, when one game is left", async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const [wren, heron, robin, finch] = [
    await venue.phone("Wren"),
    await venue.phone("Heron"),
    await venue.phone("Robin"),
    await venue.phone("Finch"),
  ];
  await tv.says("#next", "Finch");
  for (const phone of [robin, finch]) await noteBuzzes(phone);
  await playOut([wren, heron], CHAMPION_WINS);
  await tv.seats("Wren", "Robin");
  await robin.on("yours");
  await robin.play(0);
  await wren.on("yours");
  await finch.follows(robin);
  const buzzes = (/** @type {typeof wren} */ { page }) => page.evaluate(() => document.body.dataset.buzzes);
  assert.equal(await buzzes(finch), "80 ");
  assert.equal(await buzzes(robin), "80 ", "the first in line from the start buzzes for the turn alone");
});

evening("it buzzes once when it becomes this phone's turn, and the page's title says so", async (venue) => {
  await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren", { proxy: true });
  const heron = await venue.phone("Heron");
  await wren.on("theirs");
  await heron.on("yours");
  await noteBuzzes(wren);
  assert.notEqual(await wren.page.title(), "Your turn");
  assert.equal(await heron.page.title(), "Your turn");
  await heron.play(0);
  await wren.on("yours");
  assert.equal(await wren.page.title(), "Your turn");
  wren.proxy?.cut();
  await wren.link("down");
  await wren.link("up");
  await wren.play(1);
  await wren.on("theirs");
  assert.equal(await wren.page.evaluate(() => document.body.dataset.buzzes), "80 ");
  assert.notEqual(await wren.page.title(), "Your turn");
});
