// The pad: one link to the daemon and one screen. It makes no decisions, but sends presses and shows the newest view.
// The join form is in the page and can be used while the rest is loading.
import { Link } from "../link.js";
import { byId, FrameScheduler, reportLost, reportStarted, setText } from "../dom.js";
import { nameHouse, padWords as words, setLanguage } from "../language.js";
import { Join, codeInPath, drawSwitches, languageSwitch } from "./join.js";
import * as phone from "./phone.js";

/** @typedef {import("../wire.js").FromBox} FromBox */
/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").No} No */
/** @typedef {{room: string, nick: string, requestedNick: string, key?: string}} JoinRequest the room and the names, with the key for a rejoin */

/** Milliseconds without a link after which the likely cause is shown. */
const LOST_MS = 6_000;
const TITLE = document.title;

const { body } = document;

/** @type {JoinRequest | null} null until Play is pressed */
let joinRequest = null;
/** The secret in a scanned QR code beside its room's code. It lets this phone join even if its address has used its tries. */
const scanned = { room: codeInPath(location.pathname), scan: location.hash.slice(1) };
/** Whether this phone is in the room: after the welcome and before a goodbye. */
let joined = false;
/** The view on the screen. @type {View | null} */
let drawnView = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let offlineTimer;

/** @type {Link | null} null while the screens of the room are loading */
let link = null;

/** @type {Join} set once the words are loaded */
let join;
/** @type {import("./room.js").Room} set before the link, and only needed with it */
let room;
/** @type {(view: View) => void} */
let show;
const frames = new FrameScheduler(draw);
// Without a top-level await, because WebKit reports no error if that is rejected.
for (const place of ["join", "ask"]) byId(place).append(languageSwitch(speak));
const spoken = setLanguage(document.documentElement.lang).then(() => {
  join = new Join((code, requestedNick) => {
    const seat = phone.loadSeat(code);
    requestJoin({
      room: code,
      requestedNick,
      nick: seat?.requestedNick === requestedNick ? seat.nick : requestedNick,
      ...(seat && { key: seat.key }),
    });
  });
  enter(codeInPath(location.pathname));
});
phone.preventDoubleTapZoom();
phone.watchHeight();
reportStarted();
Promise.all([import("./room.js"), import("../games/index.js"), spoken]).then(
  ([{ Room }, { loadGames, whenLoaded }]) => {
    room = new Room(send, (offer) => (offer === "takeback" ? takeBack() : showJoin("", null)));
    show = whenLoaded(
      (view) => frames.show(view),
      (view) => joined && room.showMissing(view),
    );
    // The first touch comes before a join, so the games are loaded while a name is typed and the link opens.
    for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, () => loadGames(), { once: true });
    if (joinRequest) loadGames();
    link = new Link(hello, { message: onMessage, state: onLinkState });
  },
  reportLost,
);

/** Changes the language and stores the choice. @param {string} code */
function speak(code) {
  phone.saveLanguage(code);
  setLanguage(code);
}

addEventListener("language", () => {
  drawSwitches();
  join?.showError("", null);
  room?.clearBoard();
  if (drawnView) draw(drawnView);
});

/** Handles the scanned code. A phone that has been in that room rejoins it at once. @param {string} code */
function enter(code) {
  join.fill(code);
  const seat = phone.loadSeat(code);
  if (seat) requestJoin({ room: code, ...seat });
}

function hello() {
  return (
    joinRequest &&
    /** @type {const} */ ({
      t: "join",
      room: joinRequest.room,
      nick: joinRequest.nick,
      ...(joinRequest.key && { key: joinRequest.key }),
      ...(scanned.scan && scanned.room === joinRequest.room && { scan: scanned.scan }),
    })
  );
}

/** @param {JoinRequest} asked */
function requestJoin(asked) {
  joinRequest = asked;
  join.busy();
  const message = hello();
  // After a refused join, the next one may use the same link.
  if (link && !(message && link.send(message))) link.retry();
  watchLink();
}

/** Asks for the seat that another page has taken over. */
function takeBack() {
  link?.retry();
  watchLink();
}

/** @param {FromBox} message */
function onMessage(message) {
  if (message.t === "welcome") onWelcome(message);
  else if (message.t === "menu" || message.t === "ws") show(message);
  else if (message.t === "no" && joined && message.re !== "join") room.refused(message);
  else if (message.t === "no") onJoinRefused(message);
  else if (message.t === "bye" && message.why !== "restart") onBye(message.why);
}

/** @param {import("../wire.js").Welcome} m */
function onWelcome(m) {
  const requestedNick = joinRequest?.requestedNick ?? m.nick;
  joinRequest = { room: m.room, nick: m.nick, requestedNick, key: m.key };
  phone.saveSeat(m.room, { key: m.key, nick: m.nick, requestedNick });
  phone.saveNick(requestedNick);
  // So that a reload returns to the same seat.
  if (codeInPath(location.pathname) !== m.room) history.replaceState(null, "", `/${m.room}`);
  clearTimeout(offlineTimer);
  joined = true;
  room.enter(m.nick, m.room);
  show(m.view);
}

/** Handles a refused join. @param {No} no */
function onJoinRefused(no) {
  const again = joinRequest?.key !== undefined;
  if (no.why === "code" && again && joinRequest) {
    phone.saveSeat(joinRequest.room, null);
    showJoin(`${words.closed}. ${words.onTv}.`, "code");
    return;
  }
  showJoin(null, null);
  join.refuse(no);
}

/** Leaves the room, of which nothing is drawn any more. */
function leaveRoom() {
  joined = false;
  drawnView = null;
  document.title = TITLE;
}

/** @param {"taken" | "left" | "out" | "closed"} why */
function onBye(why) {
  leaveRoom();
  if (why !== "taken" && joinRequest) {
    phone.saveSeat(joinRequest.room, null);
    if (why === "closed") join.fill("");
    joinRequest = null;
  }
  room.gone(why);
}

/**
 * Shows the join form.
 * @param {string | null} text the error to show, if there is one
 * @param {"code" | null} where the field that the error is about
 */
function showJoin(text, where) {
  leaveRoom();
  joinRequest = null;
  room.leave();
  body.dataset.screen = "join";
  if (where) join.fill("");
  if (text !== null) join.showError(text, where);
}

/** @param {View} view */
function draw(view) {
  // A view may arrive after this phone has left.
  if (!joined) return;
  const turn = myTurnId(view);
  // In line it buzzes when one game is left.
  if ((turn && turn !== myTurnId(drawnView)) || (placeOf(view) === 1 && placeOf(drawnView) > 1)) phone.buzz();
  document.title = turn ? words.yourTurn : TITLE;
  drawnView = view;
  room.draw(nameHouse(view));
}

/** Returns the id of the turn if it is this phone's. @param {View | null} view @returns {number | null} */
function myTurnId(view) {
  return view?.t === "ws" && view.turn && view.turn.side === view.side ? view.turn.id : null;
}

/** Returns this phone's place in line, or 0. @param {View | null} view */
const placeOf = (view) => (view?.t === "ws" && view.place) || 0;

/** @param {import("../wire.js").FromPage} message @returns {boolean} */
function send(message) {
  if (link?.send(message)) return true;
  room.toast(words.notSent);
  link?.retry();
  return false;
}

/** @param {boolean} up */
function onLinkState(up) {
  body.dataset.link = up ? "up" : "down";
  if (!up) room.lost();
  watchLink();
}

/** Shows the likely cause if there is no link or no answer for long. */
function watchLink() {
  clearTimeout(offlineTimer);
  setText(byId("mark"), words.reconnecting);
  if (body.dataset.link === "up" && (joined || !joinRequest)) return;
  offlineTimer = setTimeout(() => {
    setText(byId("mark"), words.noLink);
    if (joined || !joinRequest) return;
    if (body.dataset.screen === "join") join.showError(words.offline, null);
    else room.toast(words.offline);
  }, LOST_MS);
}
