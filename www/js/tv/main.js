// The TV page: one link to the daemon, one screen, and a remote. It makes no decisions, but shows the newest view.
import { loadGames, whenLoaded } from "../games/index.js";
import { Link } from "../link.js";
import { drift, refit } from "./fit.js";
import { FrameScheduler, reportLost, reportStarted } from "../dom.js";
import { language, nameHouse, setLanguage, tvWords as words } from "../language.js";
import { listen } from "./input.js";
import { refusal } from "./notice.js";
import { Screen } from "./screen.js";

/** @typedef {import("../wire.js").FromBox} FromBox */
/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").No} No */

const body = document.body;
/** The view on the screen. @type {View | null} */
let drawnView = null;
/** @type {Link} set once the words are loaded */
let link;
const screen = new Screen((message) => link.send(message));
const frames = new FrameScheduler((view) => {
  // A view may arrive after the room was lost.
  if (!hasRoom) return;
  drawnView = view;
  screen.draw(nameHouse(view));
});
const show = whenLoaded(
  (view) => frames.show(view),
  () => {
    screen.clear("wait");
    screen.notice.show(words.noLoad, words.retrying);
  },
);

/** The game in the page's address (`/tv/…`). It is requested once, so that a reconnect never replaces a game picked since. */
let game = location.pathname.split("/")[2] ?? "";
// The menu needs all games. While the link opens, loading them costs no extra round trip.
loadGames(game);
const kiosk = new URLSearchParams(location.search).has("kiosk");
/** The staff's menu, which the kiosk alone has. @type {Promise<void | import("./staff.js").Staff> | undefined} */
let staff;
/** Whether this TV has a room. */
let hasRoom = false;
/** Whether the room was refused, and the page waits for the time of another try. */
let refused = false;

setLanguage(document.documentElement.lang).then(start, reportLost);
addEventListener("language", () => {
  screen.code.redraw();
  if (hasRoom && drawnView) screen.draw(nameHouse(drawnView));
});

function start() {
  link = new Link(
    () => (refused ? null : { t: "host", ...loadRoom(), ...(game && { game }), ...(kiosk && { kiosk }) }),
    {
      message: onMessage,
      state: (up) => {
        body.dataset.link = up ? "up" : "down";
        if (!up) screen.remote.lost();
        if (body.dataset.screen === "wait") screen.notice.show(up ? words.making : words.looking, "");
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
  // Shows that the page's script runs, which pongs do not: a browser with a hanging page sends them too. kiosk-watch waits 60 s for it.
  setInterval(() => link.send({ t: "hb" }), 20_000);
}

document.fonts.addEventListener("loadingdone", refit);
reportStarted();
drift(/** @type {HTMLElement} */ (document.getElementById("stage")));

/** @param {FromBox} message */
function onMessage(message) {
  if (message.t === "room") {
    hasRoom = true;
    saveRoom(message);
    game = "";
    screen.venue = message.venue;
    screen.code.set(message);
    screen.setVolume(message.sound ?? 0);
    speak(message.language ?? []);
    // Loaded after everything else: a template, so that the page does not preload it.
    if (message.kiosk) staff ??= import(`./staff.js`).then(({ Staff }) => new Staff((m) => link.send(m)), reportLost);
  } else if (message.t === "done") staff?.then((menu) => menu?.onDone(message));
  else if (message.t === "menu" || message.t === "ws") show(message);
  else if (message.t === "no") onRefusal(message);
  else if (message.t === "bye" && message.why === "taken") {
    clearRoom("taken");
    screen.notice.show(words.elsewhere, words.takeBack);
  } else if (message.t === "bye" && message.why !== "restart") {
    // The room was closed, so the TV asks for a new one.
    saveRoom(null);
    clearRoom("wait");
    screen.notice.show(words.making, "");
    setTimeout(requestRoom, 1_000);
  }
}

/**
 * Changes to the languages of the box's settings: the page to the first one, the menu's calling lines to all of them in turn.
 * @param {string[]} codes
 */
function speak(codes) {
  const [first = "en", ...others] = codes;
  saveLanguage(first);
  if (first !== language) setLanguage(first);
  screen.code.callIn([first, ...others]);
}

/** @param {No} no */
function onRefusal(no) {
  if (hasRoom) {
    screen.remote.refused(no);
    if (no.re !== "move") screen.flash(refusal(no));
  } else if (no.why === "game") {
    game = "";
    requestRoom();
  } else {
    // The stored room may be the cause, so it is removed.
    if (no.why === "shape") saveRoom(null);
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

/** @returns {{room: string, key: string} | null} */
function loadRoom() {
  try {
    const { room, key } = JSON.parse(localStorage.getItem("tv") ?? "{}");
    return typeof room === "string" && typeof key === "string" ? { room, key } : null;
  } catch {
    return null; // No storage, or not ours: a new room.
  }
}

/** js/start-guard.js reads it: a page that starts again speaks the box's language at once. @param {string} code */
function saveLanguage(code) {
  try {
    localStorage.setItem("language-tv", code);
  } catch {
    // No storage: it begins in English.
  }
}

/** @param {{room: string, key: string} | null} held null: forgets it */
function saveRoom(held) {
  try {
    if (held) localStorage.setItem("tv", JSON.stringify({ room: held.room, key: held.key }));
    else localStorage.removeItem("tv");
  } catch {
    // No storage: a reload makes a new room.
  }
}
