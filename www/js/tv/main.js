// The TV page: one link to the box, one picture, and a remote. It decides nothing; it shows the newest view.
import { Link } from "../link.js";
import { Stage } from "../stage.js";
import { drift } from "./drift.js";
import { refit } from "./fit.js";
import * as keep from "./keep.js";
import { listen } from "./keys.js";
import { Screen } from "./screen.js";

/** @typedef {import("../wire.js").FromBox} FromBox */
/** @typedef {import("../wire.js").No} No */

const body = document.body;
const screen = new Screen((message) => link.send(message));
const stage = new Stage((view) => {
  // A view that was on its way when the room was lost is no longer ours to show.
  if (mine) screen.draw(view);
});

/** The game that the page's address names (`/tv/…`): asked for once, so that coming back never undoes what people picked since. */
let game = location.pathname.split("/")[2] ?? "";
const kiosk = new URLSearchParams(location.search).has("kiosk");
/** Is there a room that is ours? */
let mine = false;
/** Refused, and waiting for the time at which it can work. */
let refused = false;

const link = new Link(
  () => (refused ? null : { t: "host", ...keep.load(), ...(game && { game }), ...(kiosk && { kiosk }) }),
  {
    message: take,
    state: (up) => {
      body.dataset.link = up ? "up" : "down";
      if (!up) screen.remote.lost();
      if (body.dataset.screen === "wait") screen.notice.say(up ? "Making a room" : "Looking for the box", "");
    },
  },
);

listen((press, repeat) => {
  const { screen: on, link: state } = body.dataset;
  if (on === "taken" || on === "refused") {
    if (press === "ok" && !repeat) again();
  } else {
    if (state === "down" && !repeat) link.retry();
    screen.remote.press(press, repeat);
  }
});
document.fonts.addEventListener("loadingdone", refit);
drift(/** @type {HTMLElement} */ (document.getElementById("stage")));
// Says that this page's script lives, which the pongs of a browser whose page hangs do not: the kiosk's watch waits 60 s for it.
setInterval(() => link.send({ t: "hb" }), 20_000);

/** @param {FromBox} message */
function take(message) {
  if (message.t === "room") {
    mine = true;
    keep.save(message);
    game = "";
    screen.code.set(message);
  } else if (message.t === "menu" || message.t === "ws") stage.show(message);
  else if (message.t === "no") takeRefusal(message);
  else if (message.t === "bye" && message.why === "taken") {
    lose("taken");
    screen.notice.say("This TV page was opened elsewhere", "Press OK to take it back");
  } else if (message.t === "bye" && message.why !== "restart") {
    // The room is gone; a TV never stays without one.
    keep.save(null);
    lose("wait");
    screen.notice.say("Making a room", "");
    setTimeout(again, 1_000);
  }
}

/** @param {No} no */
function takeRefusal(no) {
  if (mine) {
    screen.remote.refused(no);
    if (no.re !== "move") screen.flash(no.say);
  } else if (no.why === "game") {
    game = "";
    again();
  } else {
    // What was kept may be what is wrong: never refused twice for it.
    if (no.why === "shape") keep.save(null);
    refused = true;
    lose("refused");
    screen.notice.refused(no, again);
  }
}

/** @param {"wait" | "refused" | "taken"} why */
function lose(why) {
  mine = false;
  screen.clear(why);
}

/** Asks for a room, now. */
function again() {
  refused = false;
  link.retry();
}
