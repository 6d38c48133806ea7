// The socket that heals by itself. Nothing is queued: whoever comes back gets the newest view, and a press that could not be sent is forgotten.

/** @typedef {import("./wire.js").FromBox} FromBox */
/** @typedef {import("./wire.js").FromPage} FromPage */

/**
 * Milliseconds [least, most] from a loss to the next try; the last repeats. A restart takes about a second: three quick tries find the port
 * within a second of its answering. Then a pause, so that never more than three fall into the first five seconds; then steadily, since a box
 * that boots is looked at by a whole room. The spread keeps the room from coming at once.
 * @type {[number, number][]}
 */
const WAITS = [
  [200, 600],
  [600, 1000],
  [600, 1000],
  [3700, 4500],
  [1500, 2500],
];
/** Milliseconds for a socket to open, and from then to the first message: on a network of one hop a slower one is lost. */
const OPEN_MS = 4_000;
/** Milliseconds of silence that end a link; the box's `hb` comes every 10 s. */
const SILENCE_MS = 25_000;
/** Milliseconds for an answer: the box answers all that is said, with a view, a refusal or `hb`. Seat and board are then back within three seconds of unlocking. */
const ANSWER_MS = 1_500;
/** Milliseconds after which a link counts as healed: a box that falls over again and again is not stormed. */
const HELD_MS = 2_000;
/** Milliseconds of silence after which a page that is shown again does not even ask: a heartbeat was missed, so the link died in the dark. */
const MISSED_MS = 12_000;

/** One page's link to the box. It connects when made, and whenever it is lost, until it is stopped. */
export class Link {
  #firstMessage;
  #handlers;
  /** @type {WebSocket | null} */
  #socket = null;
  #up = false;
  #stopped = false;
  /** Losses since the link last held for HELD_MS. */
  #losses = 0;
  /** When the socket was made (by the clock on the wall, which also runs while a phone sleeps), and when it was last heard. */
  #made = 0;
  #heard = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} the next try, or the end of waiting for a sign of life */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} the end of waiting for the answer to what was sent */
  #probe;

  /**
   * @param {() => FromPage | null} firstMessage the first message (join or host), asked for anew for each connection; null: stay closed until `retry`
   * @param {{message(message: FromBox): void, state(up: boolean): void}} handlers `message` gets all but `hb`; `state` is told of changes only; a link begins down
   */
  constructor(firstMessage, handlers) {
    this.#firstMessage = firstMessage;
    this.#handlers = handlers;
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#wake();
    });
    // A page that the browser kept for Back has lost its socket, and is told so only later.
    addEventListener("pageshow", ({ persisted }) => (persisted ? this.#connect() : this.#wake()));
    addEventListener("online", () => this.#wake());
    this.#connect();
  }

  /**
   * Sends now or not at all.
   * @param {FromPage} message
   * @returns {boolean} false: the link is down, nothing was sent and nothing is kept
   */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    clearTimeout(this.#probe);
    this.#probe = setTimeout(() => this.#connect(), ANSWER_MS);
    return true;
  }

  /** Connects now, with a new firstMessage, because somebody pressed something: also a link that is up, and after `stop`. */
  retry() {
    this.#stopped = false;
    if (this.#up || !this.#isConnecting()) this.#connect();
  }

  /** Closes for good; only `retry` opens again. The link does this itself on `bye` `taken`, `left` and `closed`: two pages never fight for a seat. */
  stop() {
    this.#stopped = true;
    this.#drop();
  }

  #connect() {
    this.#drop();
    if (this.#stopped || !this.#firstMessage()) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.#socket = socket;
    this.#made = this.#heard = Date.now();
    this.#armTimeout(OPEN_MS);
    socket.onopen = () => {
      const firstMessage = this.#firstMessage();
      if (!firstMessage) return this.#drop();
      socket.send(JSON.stringify(firstMessage));
      this.#armTimeout(OPEN_MS);
      this.#setUp(true);
    };
    socket.onmessage = ({ data }) => this.#onMessage(JSON.parse(data));
    socket.onclose = () => this.#onLost();
  }

  /** Forgets the socket, deaf to what may still come from it. */
  #drop() {
    clearTimeout(this.#timer);
    clearTimeout(this.#probe);
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    this.#setUp(false);
  }

  #onLost() {
    this.#drop();
    const [least, most] = WAITS[Math.min(this.#losses, WAITS.length - 1)];
    this.#losses += 1;
    this.#timer = setTimeout(() => this.#connect(), least + Math.random() * (most - least));
  }

  /** @param {FromBox} message */
  #onMessage(message) {
    this.#heard = Date.now();
    if (this.#heard - this.#made > HELD_MS) this.#losses = 0;
    clearTimeout(this.#probe);
    this.#armTimeout(SILENCE_MS);
    if (message.t === "hb") return;
    if (message.t === "bye" && message.why === "restart") this.#onLost();
    else if (message.t === "bye") this.stop();
    this.#handlers.message(message);
    if (message.t === "welcome" || message.t === "room") reloadOtherBuild(message.build);
  }

  /**
   * Ends the link if nothing is heard for so long, and connects anew at once.
   * @param {number} ms
   */
  #armTimeout(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), ms);
  }

  /** The page is shown again, or the phone has a network again: a link that waits tries now, one that seems to live is put to the test. */
  #wake() {
    if (this.#stopped) return;
    if (this.#up ? Date.now() - this.#heard > MISSED_MS : !this.#isConnecting()) this.#connect();
    else this.send({ t: "hb" });
  }

  /** Is a try under way that may still succeed? Pressing again and again must not begin it anew each time. */
  #isConnecting() {
    return this.#socket !== null && Date.now() - this.#made < ANSWER_MS;
  }

  /** @param {boolean} up */
  #setUp(up) {
    if (this.#up === up) return;
    this.#up = up;
    this.#handlers.state(up);
  }
}

/**
 * Reloads the page when the daemon is of another build than the page: once a build, so that a page that is served stale can never loop.
 * @param {string} build the daemon's
 */
function reloadOtherBuild(build) {
  const own = document.querySelector('meta[name="build"]')?.getAttribute("content") ?? "";
  if (own === build || own.startsWith("{{")) return;
  try {
    if (sessionStorage.getItem("build") === build) return;
    sessionStorage.setItem("build", build);
  } catch {
    return; // No storage, no way to know that we have reloaded already.
  }
  location.reload();
}
