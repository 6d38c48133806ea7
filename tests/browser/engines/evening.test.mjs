// Tests an evening with a phone in another browser, by the same steps in each browser. The TV and the other guests are in Chromium.
import assert from "node:assert/strict";
import { recorded, SLUGS } from "../games.mjs";
import { evening, playOut, until } from "../harness.mjs";
import { name, openPage, WHOLE } from "./engines.mjs";

/** @typedef {import("../harness.mjs").Phone} Phone */

/** Moves of a game that is not played to its end. */
const MOVES_SHORT = 4;
/** The number of checks in a row at which the fields must be right. */
const STAYS = 20;

/**
 * Taps a field and waits until its text is selected. The page selects it after the tap, but faster than people can type.
 * @param {Phone} phone
 * @param {string} selector
 */
async function tapField(phone, selector) {
  await phone.page.tap(selector);
  await phone.page.waitForFunction((field) => {
    const input = document.querySelector(String(field));
    if (!(input instanceof HTMLInputElement) || input !== document.activeElement) return false;
    return input.selectionStart === 0 && input.selectionEnd === input.value.length;
  }, selector);
}

evening(`${name}: a tap on a field selects what is in it, and Enter plays`, async (venue) => {
  await venue.tv();
  const zoe = await venue.phone("Zoe", { open: openPage, join: false, path: "/BCDF" });
  await tapField(zoe, "#nick-input");
  await zoe.page.keyboard.type("Zoe");
  assert.equal(await zoe.page.inputValue("#nick-input"), "Zoe");
  await tapField(zoe, "#code-input");
  await zoe.page.keyboard.type(venue.code.toLowerCase());
  assert.equal(await zoe.page.inputValue("#code-input"), venue.code);
  await zoe.page.keyboard.press("Enter");
  await zoe.on("menu");
});

evening(`${name}: each game is begun, and ${WHOLE} played whole with its rematch`, async (venue) => {
  const tv = await venue.tv();
  const wren = await venue.phone("Wren");
  const zoe = await venue.phone("Zoe", { open: openPage });
  const phones = [wren, zoe];
  const follow = async (/** @type {number} */ _, /** @type {Phone} */ mover) => {
    await Promise.all([tv.follows(mover), zoe.follows(mover)]);
  };
  for (const slug of SLUGS) {
    const whole = slug === WHOLE;
    await zoe.on("menu");
    await zoe.page.tap(`.pick[data-slug="${slug}"]`);
    await playOut(phones, recorded(slug).slice(0, whole ? Infinity : MOVES_SHORT), follow);
    if (whole) {
      await zoe.on("result");
      await zoe.says("#headline", /You won|You lost|A draw/);
      const asker = await Promise.any(phones.map((phone) => phone.on("rematch").then(() => phone)));
      await asker.page.tap("#rematch");
      await playOut(phones, recorded(slug).slice(0, MOVES_SHORT), follow);
    }
    await wren.leave();
    await zoe.on("wait", "rematch");
    await zoe.page.tap("#home");
    await wren.page.tap("#again");
    await wren.join();
    await wren.on("menu");
  }
});

evening(
  `${name}: in line, out of it and in again, and leaving`,
  async (venue) => {
    await venue.tv({ path: "/tv/four" });
    const wren = await venue.phone("Wren");
    const heron = await venue.phone("Heron");
    const zoe = await venue.phone("Zoe", { open: openPage });
    await zoe.on("line");
    await zoe.page.tap("#stepout");
    await zoe.on("out");
    await zoe.page.tap("#getin");
    await zoe.on("line");
    await heron.on("yours");
    await heron.leave();
    await zoe.on("yours");
    await zoe.play(3);
    await zoe.page.tap("#leave");
    await zoe.says("#ask-why", /give the game up/);
    await zoe.page.tap("#leave-no");
    await zoe.on("theirs");
    await zoe.leave();
    await wren.says("#hint", /Zoe left/);
    await zoe.page.tap("#again");
    await zoe.on("join");
    assert.equal(await zoe.page.inputValue("#code-input"), venue.code);
    assert.equal(await zoe.page.inputValue("#nick-input"), "Zoe");
    await zoe.page.tap("#play");
    await zoe.on("yours", "line");
  },
  { result: 3 },
);

evening(`${name}: loaded anew, gone elsewhere and Back, and a link that breaks`, async (venue) => {
  const tv = await venue.tv({ path: "/tv/four" });
  const wren = await venue.phone("Wren");
  const zoe = await venue.phone("Zoe", { open: openPage, proxy: true });
  await zoe.play(3);
  await wren.play(2);
  await zoe.page.reload();
  await zoe.on("yours");
  await zoe.follows(tv);

  await notePageShow(zoe);
  await zoe.page.goto("about:blank");
  await zoe.page.goBack();
  await zoe.on("yours");
  await zoe.link("up");
  await zoe.play(3);
  assert.notEqual(
    await zoe.page.evaluate(() => window.connectedAtOnce),
    false,
    "a page that was kept connects when it is shown, and does not wait for the old socket to be found dead",
  );

  zoe.proxy?.cut({ shut: true });
  await zoe.link("down");
  zoe.proxy?.mend();
  await zoe.link("up");
  await wren.play(2);
  await zoe.play(3);
  await tv.stones(5);
});

/** Records in the page whether its next connection is made while it is shown again. A reload of the page discards the record. @param {Phone} phone */
async function notePageShow(phone) {
  await phone.page.evaluate(() => {
    let showing = false;
    addEventListener(
      "pageshow",
      () => {
        showing = true;
        setTimeout(() => (showing = false));
      },
      { capture: true },
    );
    const Original = WebSocket;
    window.WebSocket = class extends Original {
      /** @param {string | URL} url */
      constructor(url) {
        super(url);
        window.connectedAtOnce ??= showing;
      }
    };
  });
}

evening(`${name}: the form is still filled in after Back`, async (venue) => {
  await venue.tv();
  const zoe = await venue.phone("Zoe", { open: openPage, join: false });
  await zoe.page.goto("about:blank");
  await zoe.page.goBack();
  await zoe.on("join");
  // WebKit empties the fields some time later, so they must be right and stay right.
  let right = 0;
  await until(async () => {
    const [code, nick] = await Promise.all(["#code-input", "#nick-input"].map((field) => zoe.page.inputValue(field)));
    right = code === venue.code && nick ? right + 1 : 0;
    return right > STAYS;
  }, "code and name are filled in");
  await zoe.page.tap("#play");
  await zoe.on("menu");
});
