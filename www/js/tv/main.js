// The TV page: one link to the daemon, one screen, and a remote. It makes no decisions, but shows the newest view.
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
  // A view may arrive after the room was lost.
  if (hasRoom) screen.draw(view);
});
const show = whenLoaded(
  (view) => frames.show(view),
  () => {
    screen.clear("wait");
    screen.notice.show("The game does not load", "Trying again");
  },
);

/** The game in the page's address (`/tv/…`). It is requested once, so that a reconnect never replaces a game picked since. */
let game = location.pathname.split("/")[2] ?? "";
// The menu needs all games. While the link opens, loading them costs no extra round trip.
loadGames(game);
const kiosk = new URLSearchParams(location.search).has("kiosk");
/** Whether this TV has a room. */
let hasRoom = false;
/** Whether the room was refused, and the page waits for the time of another try. */
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
// Shows that the page's script runs, which pongs do not: a browser with a hanging page sends them too. kiosk-watch waits 60 s for it.
setInterval(() => link.send({ t: "hb" }), 20_000);

/** @param {FromBox} message */
function onMessage(message) {
  if (message.t === "room") {
    hasRoom = true;
    storage.save(message);
    game = "";
    screen.code.set(message);
    screen.setVolume(message.sound ?? 0);
  } else if (message.t === "menu" || message.t === "ws") show(message);
  else if (message.t === "no") onRefusal(message);
  else if (message.t === "bye" && message.why === "taken") {
    clearRoom("taken");
    screen.notice.show("This TV page was opened elsewhere", "Press OK to take it back");
  } else if (message.t === "bye" && message.why !== "restart") {
    // The room was closed, so the TV asks for a new one.
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
    // The stored room may be the cause, so it is removed.
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

/** Asks for a room now. */
function requestRoom() {
  refused = false;
  link.retry();
}
