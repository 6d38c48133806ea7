// The owner's page: what the box is set to, on a phone that has been paired at the TV. A phone that is not paired sees how to pair,
// and nothing else.
import { el } from "../dom.js";
import { Link } from "../link.js";
import { Page } from "./page.js";
import { freshNonce, idOf, isSecret, Session } from "./seal.js";
import { WORDS } from "./words.js";

/** @typedef {import("../wire.js").FromBox} FromBox */
/** @typedef {import("../wire.js").Answer} Answer */
/** @typedef {import("./page.js").Request} Request */

/** Requests that must not be carried out twice, should only their answer be lost with the link. */
const ONCE = ["restart", "power-off", "wifi-join"];
/** Milliseconds between two looks at what holds, for guests who come and go. */
const LOOK_MS = 4_000;

const main = /** @type {HTMLElement} */ (document.getElementById("owner"));
let secret = takeSecret();
/** What the phone has said first on this connection. */
let hello = { id: "", nonce: "", name: "" };
/** @type {Session | null} */
let session = null;
/**
 * Requests that wait for their turn: one is under way at a time. Whoever waits also outlives a lost link.
 * @type {{request: Request, then: (answer: Answer) => void, again?: boolean}[]}
 */
const waiting = [];
let busy = false;
/** The message of the request under way, to send it again as it is. @type {import("../wire.js").FromPage | null} */
let sent = null;

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
        session = sent = null;
        if (busy) askAgain();
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
    sent = null;
    waiting.shift()?.then(answer);
    next();
  } else if (message.t === "no") {
    onRefusal(message);
  }
}

/** @param {import("../wire.js").No} refusal */
function onRefusal({ re, why, retry = 1 }) {
  if (re === "owner" && why === "pair") {
    secret = "";
    keep("");
    link?.stop();
    showPairing();
  } else if (re === "do" && why === "busy") {
    // The box has not taken it: the same message goes out again, so that the places of both sides stay the same.
    const again = sent;
    setTimeout(() => again && again === sent && link?.send(again), retry * 1_000);
  } else if (re === "do" && why !== "pair") {
    fail();
  }
}

/**
 * Asks the box, in turn.
 * @param {Request} request
 * @param {(answer: Answer) => void} then
 */
function ask(request, then) {
  waiting.push({ request, then });
  next();
}

function next() {
  const [first] = waiting;
  if (!first || busy || !session || !link) return;
  sent = { t: "do", ...session.seal(first.request) };
  busy = link.send(sent);
  // Answered at once, by which the link is known to live while the box is still at work.
  link.send({ t: "hb" });
}

function fail() {
  busy = false;
  sent = null;
  waiting.shift()?.then({ ok: false, say: WORDS.lost });
  next();
}

/** Asks once more on the next connection what was under way when the link was lost, if that does no harm. */
function askAgain() {
  const [first] = waiting;
  if (!first || first.again || ONCE.includes(first.request.do)) return fail();
  first.again = true;
  busy = false;
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
