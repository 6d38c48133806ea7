// Plays an evening: a TV, five phones, winner stays.
import assert from "node:assert/strict";
import { CHALLENGER_WINS, CHAMPION_WINS } from "./games.mjs";
import { evening, playOut } from "./harness.mjs";
import { readQr } from "./qr.mjs";

/** @typedef {import("./harness.mjs").Venue} Venue */
/** @typedef {import("./harness.mjs").Tv} Tv */
/** @typedef {import("./harness.mjs").Phone} Phone */

const OTHER_SIZES = [{ width: 1920, height: 1080 }];
const USUAL = { width: 960, height: 540 };

/** Takes pictures of the TV at the usual sizes of a bar's TV. @param {Tv} tv @param {string} name */
async function shots(tv, name) {
  await tv.still();
  await tv.shot(`tv-${name}-960x540`);
  for (const size of OTHER_SIZES) {
    await tv.page.setViewportSize(size);
    await tv.shot(`tv-${name}-${size.width}x${size.height}`);
  }
  await tv.page.setViewportSize(USUAL);
}

/** Lets the guests join by the code on the card, and one of them choose a game. @param {Venue} venue @param {Tv} tv */
async function comeIn(venue, tv) {
  await tv.on("menu");
  const address = new URL(readQr(await tv.shot("tv-menu-empty-960x540")));
  assert.equal(address.origin, venue.box.origin, "the code leads to the box, by the address that the TV came by");
  assert.equal(address.pathname, `/${venue.code}`);
  const scan = address.hash.slice(1);

  /** @type {Phone[]} */
  const people = [];
  for (const nick of ["Wren", "Heron", "Robin", "Finch", "Swift"]) {
    const phone = await venue.phone(nick, {
      path: address.pathname + address.hash,
      join: false,
      proxy: nick === "Finch",
    });
    if (nick === "Wren") await phone.shot("pad-join");
    await phone.join();
    await phone.on("menu");
    const joined = phone.said.find((message) => message.t === "join");
    assert.equal(joined?.t === "join" && joined.scan, scan, "the phone says what the code held");
    await tv.says("#people", nick);
    people.push(phone);
  }
  await shots(tv, "menu");
  await people[2]?.shot("pad-menu");
  assert.equal(
    await people[0]?.page.evaluate(() => isSecureContext),
    new URL(venue.box.origin).hostname === "127.0.0.1",
  );
  return /** @type {[Phone, Phone, Phone, Phone, Phone]} */ (people);
}

evening(
  "three games, a new champion, the next challenger, a locked phone, a reload, a leave and three rematches",
  async (venue) => {
    const tv = await venue.tv(USUAL);
    const [wren, heron, robin, finch, swift] = await comeIn(venue, tv);
    await robin.page.tap('.pick[data-slug="four"]');

    // First game: seated in the order in which they came; the champion wins.
    await tv.on("play");
    await tv.seats("Wren", "Heron");
    await Promise.all([wren.on("theirs"), heron.on("yours"), robin.on("line"), finch.on("line"), swift.on("line")]);
    await tv.says("#next", /Robin.*Finch.*Swift/);
    await playOut([wren, heron], CHAMPION_WINS.slice(0, 5));
    await tv.stones(5);
    await tv.still();
    await shots(tv, "four");
    await wren.shot("pad-yours");
    await heron.shot("pad-theirs");
    await robin.shot("pad-line");
    await playOut([wren, heron], CHAMPION_WINS.slice(5));
    await tv.on("result");
    await tv.says("#banner", /Wren wins/);
    await tv.seats("Wren", "Heron");
    await Promise.all([wren.on("result"), heron.on("result")]);
    await shots(tv, "result");
    await wren.shot("pad-won");
    await heron.shot("pad-lost");

    // Second game: the loser has gone to the back of the line, the next challenger wins.
    await tv.on("play");
    await tv.seats("Wren", "Robin");
    await tv.says('.seat[data-seat="0"] .streak', "1");
    await tv.says("#next", /Finch.*Swift.*Heron/);
    await playOut([wren, robin], CHALLENGER_WINS);
    await tv.on("result");
    await tv.says("#banner", /Robin wins/);
    await tv.seats("Wren", "Robin");

    // Third game: a new champion and the next challenger. The TV is reloaded during it.
    await tv.on("play");
    await tv.seats("Robin", "Finch");
    await tv.says("#next", /Swift.*Heron.*Wren/);
    await playOut([robin, finch], CHAMPION_WINS.slice(0, 4));
    await tv.stones(4);
    const before = await tv.cells();
    await tv.page.reload();
    assert.equal(await tv.code(), venue.code, "the same room");
    await tv.on("play");
    await tv.shows(before);
    await tv.seats("Robin", "Finch");

    // The challenger's phone is locked on its own turn, and returns to its seat.
    await finch.on("yours");
    await finch.lock();
    finch.proxy?.cut({ shut: true });
    await tv.page.waitForSelector('.seat[data-seat="1"][data-away]', { state: "attached" });
    await tv.shot("tv-away-960x540");
    await finch.unlock();
    await finch.link("up");
    await finch.on("yours");
    await tv.page.waitForSelector('.seat[data-seat="1"]:not([data-away])', { state: "attached" });
    await playOut([robin, finch], CHAMPION_WINS.slice(4));
    await tv.says("#banner", /Robin wins/);

    // Fourth game: a player leaves during it, and the result shows both names.
    await tv.on("play");
    await tv.seats("Robin", "Swift");
    await playOut([robin, swift], CHAMPION_WINS.slice(0, 3));
    await swift.leave();
    await tv.on("result");
    await tv.says("#banner", /Robin/);
    await tv.seats("Robin", "Swift");
    await tv.shot("tv-forfeit-960x540");
    await robin.says("body", /Swift/);

    // All people leave the line, so the loser may ask for a rematch.
    await tv.on("play");
    await tv.seats("Robin", "Heron");
    for (const phone of [wren, finch]) {
      await phone.on("line");
      await phone.page.tap("#stepout");
      await phone.on("out");
    }
    await finch.shot("pad-out");
    await playOut([robin, heron], CHALLENGER_WINS);
    await tv.on("rematch");
    await tv.says("body", /Robin/);
    await robin.on("rematch");
    await shots(tv, "rematch");
    await robin.shot("pad-rematch");
    await heron.shot("pad-wait");
    await robin.page.tap("#rematch");

    // The rematch is played by the same two, with the loser as challenger. The next one is declined.
    await tv.on("play");
    await tv.seats("Heron", "Robin");
    await playOut([heron, robin], CHAMPION_WINS);
    await robin.on("rematch");
    await robin.page.tap("#notnow");
    await robin.on("out");
    await tv.on("open");
    await heron.on("wait");
    await shots(tv, "open");

    // A watching guest gets in line and plays at once. Then the time for a rematch runs out.
    await robin.page.tap("#getin");
    await tv.on("play");
    await tv.seats("Heron", "Robin");
    await playOut([heron, robin], CHAMPION_WINS);
    await robin.on("rematch");
    await robin.on("out");
    await tv.on("open");
  },
  // Long enough for a busy machine.
  { result: 4, rematch: 12 },
);
