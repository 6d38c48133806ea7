// The TV page: one link to the box, one picture, and a remote. It decides nothing; it shows the newest view.
import { loadGames, whenLoaded } from "../games/index.js";
import { Link } from "../link.js";
import { FrameScheduler } from "../frame-scheduler.js";
import { drift } from "./drift.js";
import { refit } from "./fit.js";
import { reportStarted } from "../dom.js";
import * as storage from "./storage.js";
import { listen } from "./input.js";
import { Screen } from "./screen.js";

/** @typedef {import("../wire.js").FromBox} FromBox */
/** @typedef {import("../wire.js").No} No */

const body = document.body;
const screen = new Screen((message) => link.send(message));
const frames = new FrameScheduler((view) => {
  // A view that was on its way when the room was lost is no longer ours to show.
  if (hasRoom) screen.draw(view);
});
const show = whenLoaded(
  (view) => frames.show(view),
  () => {
    screen.clear("wait");
    screen.notice.show("The game does not load", "Trying again");
  },
);

/** The game that the page's address names (`/tv/…`): asked for once, so that coming back never undoes what people picked since. */
let game = location.pathname.split("/")[2] ?? "";
// The menu shows them all, and while the link opens they cost no round trip.
loadGames(game);
const kiosk = new URLSearchParams(location.search).has("kiosk");
/** Is there a room that is ours? */
let hasRoom = false;
/** Refused, and waiting for the time at which it can work. */
let refused = false;

const link = new Link(
  () => (refused ? null : { t: "host", ...storage.load(), ...(game && { game }), ...(kiosk && { kiosk }) }),
  {
    message: onMessage,
    state: (up) => {
      body.dataset.link = up ? "up" : "down";
      if (!up) screen.remote.lost();
      if (body.dataset.screen === "wait") screen.notice.show(up ? "Making a room" : "Looking for the box", "");
    },
  },
);

listen((press, repeat) => {
  const { screen: on, link: state } = body.dataset;
  if (on === "taken" || on === "refused") {
    if (press === "ok" && !repeat) requestRoom();
  } else {
    if (state === "down" && !repeat) link.retry();
    screen.remote.press(press, repeat);
  }
});
document.fonts.addEventListener("loadingdone", refit);
reportStarted();
drift(/** @type {HTMLElement} */ (document.getElementById("stage")));
// Says that this page's script lives, which the pongs of a browser whose page hangs do not: the kiosk's watch waits 60 s for it.
setInterval(() => link.send({ t: "hb" }), 20_000);

/** @param {FromBox} message */
function onMessage(message) {
  if (message.t === "room") {
    hasRoom = true;
    storage.save(message);
    game = "";
    screen.code.set(message);
  } else if (message.t === "menu" || message.t === "ws") show(message);
  else if (message.t === "no") onRefusal(message);
  else if (message.t === "bye" && message.why === "taken") {
    clearRoom("taken");
    screen.notice.show("This TV page was opened elsewhere", "Press OK to take it back");
  } else if (message.t === "bye" && message.why !== "restart") {
    // The room is gone; a TV never stays without one.
    storage.save(null);
    clearRoom("wait");
    screen.notice.show("Making a room", "");
    setTimeout(requestRoom, 1_000);
  }
}

/** @param {No} no */
function onRefusal(no) {
  if (hasRoom) {
    screen.remote.refused(no);
    if (no.re !== "move") screen.flash(no.say);
  } else if (no.why === "game") {
    game = "";
    requestRoom();
  } else {
    // What was kept may be what is wrong: never refused twice for it.
    if (no.why === "shape") storage.save(null);
    refused = true;
    clearRoom("refused");
    screen.notice.refused(no, requestRoom);
  }
}

/** @param {"wait" | "refused" | "taken"} why */
function clearRoom(why) {
  hasRoom = false;
  screen.clear(why);
}

/** Asks for a room, now. */
function requestRoom() {
  refused = false;
  link.retry();
}
