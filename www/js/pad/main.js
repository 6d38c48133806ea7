// The pad: one link to the box, one screen. It decides nothing; it says what was pressed and shows the newest view.
// The way in stands first and can be used while the rest still comes.
import { Link } from "../link.js";
import { Stage } from "../stage.js";
import { byId, say } from "../dom.js";
import { Join, codeInPath } from "./join.js";
import * as memory from "./memory.js";
import { buzz, tame, watchHeight } from "./touch.js";

/** @typedef {import("../wire.js").FromBox} FromBox */
/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").No} No */
/** @typedef {{room: string, nick: string, typed: string, key?: string}} Wish whom this phone asks to be, and where; with a key: again */

/** Milliseconds without a link after which the likely cause is named. */
const LOST_MS = 6_000;
const TITLE = document.title;
const OFFLINE = "The box does not answer. Is this phone in the same Wi-Fi as the TV?";

const { body } = document;

/** @type {Wish | null} null: nothing to ask for until somebody presses Play */
let wish = null;
/** In the room: the welcome has come, and no goodbye. */
let here = false;
/** The view on the screen. @type {View | null} */
let shown = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let patience;

/** @type {Link | null} null while the screens of the room still come */
let link = null;

const join = new Join((code, typed) => {
  const seat = memory.held(code);
  ask({ room: code, typed, nick: seat?.typed === typed ? seat.nick : typed, ...(seat && { key: seat.key }) });
});
tame();
watchHeight();
enter(codeInPath(location.pathname));

const { Room } = await import("./room.js");
const room = new Room(press, (offer) => (offer === "takeback" ? takeBack() : out("", null)));
const stage = new Stage(draw);
link = new Link(hello, { message: take, state: connected });

/** The code that the phone scanned; who has been in that room is in it again at once. @param {string} code */
function enter(code) {
  join.fill(code);
  const seat = memory.held(code);
  if (seat) ask({ room: code, ...seat });
}

function hello() {
  return (
    wish && /** @type {const} */ ({ t: "join", room: wish.room, nick: wish.nick, ...(wish.key && { key: wish.key }) })
  );
}

/** @param {Wish} asked */
function ask(asked) {
  wish = asked;
  join.busy();
  const message = hello();
  // A refused join may be tried again on the same link.
  if (link && !(message && link.send(message))) link.retry();
  wait();
}

/** The seat that another page has taken over is asked for again. */
function takeBack() {
  link?.retry();
  wait();
}

/** @param {FromBox} message */
function take(message) {
  if (message.t === "welcome") welcome(message);
  else if (message.t === "menu" || message.t === "ws") stage.show(message);
  else if (message.t === "no" && here && message.re !== "join") room.refused(message);
  else if (message.t === "no") refused(message);
  else if (message.t === "bye" && message.why !== "restart") goodbye(message.why);
}

/** @param {import("../wire.js").Welcome} m */
function welcome(m) {
  const typed = wish?.typed ?? m.nick;
  wish = { room: m.room, nick: m.nick, typed, key: m.key };
  memory.hold(m.room, { key: m.key, nick: m.nick, typed });
  memory.rememberNick(typed);
  // A reload comes back to the same seat.
  if (codeInPath(location.pathname) !== m.room) history.replaceState(null, "", `/${m.room}`);
  clearTimeout(patience);
  here = true;
  room.enter(m.nick, m.room);
  stage.show(m.view);
}

/** The way in is closed. @param {No} no */
function refused(no) {
  const again = wish?.key !== undefined;
  if (no.why === "code" && again && wish) {
    memory.hold(wish.room, null);
    out("That room is over. The code is on the TV.", "code");
    return;
  }
  out(null, null);
  join.refuse(no);
}

/** Nothing of the room is shown from now on. */
function leave() {
  here = false;
  shown = null;
  document.title = TITLE;
}

/** @param {"taken" | "left" | "closed"} why */
function goodbye(why) {
  leave();
  if (why !== "taken" && wish) {
    memory.hold(wish.room, null);
    if (why === "closed") join.fill("");
    wish = null;
  }
  room.gone(why);
}

/**
 * To the way in.
 * @param {string | null} words what is said there; null: nothing yet
 * @param {"code" | null} where an empty code is to be typed
 */
function out(words, where) {
  leave();
  wish = null;
  room.leave();
  body.dataset.screen = "join";
  if (where) join.fill("");
  if (words !== null) join.say(words, where);
}

/** @param {View} view */
function draw(view) {
  // A view that was on its way when this phone left is not for the screen any more.
  if (!here) return;
  const turn = mine(view);
  if (turn && turn !== mine(shown)) buzz();
  document.title = turn ? "Your turn" : TITLE;
  shown = view;
  room.draw(view);
}

/** The turn, if it is this phone's. @param {View | null} view @returns {number | null} */
function mine(view) {
  return view?.t === "ws" && view.turn && view.turn.side === view.side ? view.turn.id : null;
}

/** @param {import("../wire.js").FromPage} message @returns {boolean} */
function press(message) {
  if (link?.send(message)) return true;
  room.toast("No connection: that was not sent.");
  link?.retry();
  return false;
}

/** @param {boolean} up */
function connected(up) {
  body.dataset.link = up ? "up" : "down";
  if (!up) room.lost();
  wait();
}

/** Names the likely cause when there is no link, or no answer, for long. */
function wait() {
  clearTimeout(patience);
  say(byId("mark"), "Reconnecting…");
  if (body.dataset.link === "up" && (here || !wish)) return;
  patience = setTimeout(() => {
    say(byId("mark"), "No connection. Same Wi-Fi as the TV?");
    if (here || !wish) return;
    if (body.dataset.screen === "join") join.say(OFFLINE, null);
    else room.toast(OFFLINE);
  }, LOST_MS);
}
