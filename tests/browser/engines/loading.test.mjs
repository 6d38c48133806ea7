// Tests pages of which a part fails to load at first. They must recover, and must not reload without end.
import assert from "node:assert/strict";
import { evening, until } from "../harness.mjs";
import { name, openPage } from "./engines.mjs";

/** Most loads of a page for one lost part. */
const LOADS_MAX = 3;

for (const part of [
  "/js/pad/main.js",
  "/js/link.js",
  "/js/dom.js",
  "/js/pad/room.js",
  "/js/games/four.js",
  "/css/boards.css",
]) {
  evening(`${name}: the pad plays although ${part} was lost once`, async (venue) => {
    await venue.tv({ path: "/tv/four" });
    const proxy = await venue.proxy();
    proxy.lose(part);
    const zoe = await venue.phone("Zoe", { open: openPage, join: false, proxy });
    // A game comes when it is needed; what failed of it is asked for by another address.
    const lazy = part.startsWith("/js/games/");
    if (!lazy) await until(() => proxy.asked(part) > 1, `${part} was lost, and is asked for again`);
    // A name is suggested, so Play is all that is needed; a guest presses it again when nothing happens.
    await zoe.page.waitForFunction(() => {
      if (document.body.dataset.screen === "wait") return true;
      const play = document.querySelector("#play");
      if (play instanceof HTMLButtonElement && !play.disabled) play.click();
      return false;
    });
    const loads = proxy.asked(`/${venue.code}`);
    assert(loads <= LOADS_MAX, `the page was loaded ${loads} times`);
  });
}
