// The owner's page: what the box is set to, on a phone that has been paired at the TV. A phone that is not paired sees how to pair,
// and nothing else.
import { el } from "../dom.js";
import { Link } from "../link.js";
import { Page } from "./page.js";
import { freshNonce, idOf, isSecret, Session } from "./seal.js";
import { WORDS } from "./words.js";

/** @typedef {import("../wire.js").FromBox} FromBox */
/** @typedef {import("../wire.js").Answer} Answer */

/** Milliseconds between two looks at what holds, for guests who come and go. */
const LOOK_MS = 4_000;

const main = /** @type {HTMLElement} */ (document.getElementById("owner"));
let secret = takeSecret();
/** What the phone has said first on this connection. */
let hello = { id: "", nonce: "", name: "" };
/** @type {Session | null} */
let session = null;
/** Requests that wait for their turn: one is under way at a time. @type {{request: object, then: (answer: Answer) => void}[]} */
const waiting = [];
let busy = false;

const page = new Page(main, ask);
const link = secret ? connect() : null;
if (!secret) showPairing();
setInterval(() => !busy && !document.hidden && page.isShown && look(), LOOK_MS);

function connect() {
  return new Link(
    () => {
      session = null;
      hello = { id: idOf(secret), nonce: freshNonce(), name: phoneName() };
      return { t: "owner", ...hello };
    },
    {
      message: onMessage,
      state: (up) => {
        if (up) return;
        session = null;
        // An answer that is lost with the link does not come any more.
        if (busy) fail();
        if (page.isShown) page.tell(WORDS.lost);
      },
    },
  );
}

/** @param {FromBox} message */
function onMessage(message) {
  if (message.t === "owner") {
    session = new Session(secret, hello, message.nonce);
    page.tell("");
    waiting.unshift({ request: { do: "state" }, then: onState });
    next();
  } else if (message.t === "done") {
    const { n, body = "", mac = "" } = message;
    const answer = session?.open({ n, body, mac });
    if (!answer) return;
    busy = false;
    waiting.shift()?.then(answer);
    next();
  } else if (message.t === "no" && message.why === "pair") {
    secret = "";
    keep("");
    link?.stop();
    showPairing();
  } else if (message.t === "no") {
    fail();
  }
}

/**
 * Asks the box, in turn.
 * @param {object} request
 * @param {(answer: Answer) => void} then
 */
function ask(request, then) {
  waiting.push({ request, then });
  next();
}

function next() {
  const [first] = waiting;
  if (!first || busy || !session || !link) return;
  busy = link.send({ t: "do", ...session.seal(first.request) });
  // Answered at once, by which the link is known to live while the box is still at work.
  link.send({ t: "hb" });
}

function fail() {
  busy = false;
  waiting.shift()?.then({ ok: false, say: WORDS.lost });
  next();
}

function look() {
  ask({ do: "state" }, onState);
}

/** @param {Answer} answer */
function onState({ state }) {
  if (state) page.draw(state);
}

function showPairing() {
  page.hide();
  document.title = WORDS.title;
  main.replaceChildren(el("h1", {}, WORDS.pairTitle), ...WORDS.pair.map((line) => el("p", {}, line)));
}

/** Takes the secret out of the address, where somebody could see it over a shoulder, or finds the one that was kept. */
function takeSecret() {
  const scanned = location.hash.slice(1);
  if (isSecret(scanned)) {
    keep(scanned);
    history.replaceState(null, "", location.pathname);
    return scanned;
  }
  try {
    return localStorage.getItem("owner") ?? "";
  } catch {
    return ""; // No storage: the phone is the owner's as long as the page is open.
  }
}

/** @param {string} text empty: forgets it */
function keep(text) {
  try {
    if (text) localStorage.setItem("owner", text);
    else localStorage.removeItem("owner");
  } catch {
    // As above.
  }
}

/** Returns what the list of phones calls this one. */
function phoneName() {
  const known = /iPhone|iPad|Android|Windows|Macintosh|Linux/.exec(navigator.userAgent)?.[0] ?? "Phone";
  return known === "Android" ? "Android phone" : known;
}
