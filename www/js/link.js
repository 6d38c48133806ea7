// Keeps a WebSocket to the daemon, and reconnects it. Nothing is queued: a reconnected page gets the newest view, and a press that
// could not be sent is dropped.

/** @typedef {import("./wire.js").FromBox} FromBox */
/** @typedef {import("./wire.js").FromPage} FromPage */

/**
 * The least and the most milliseconds from a loss to the next try. The last pair repeats. A restart of the daemon takes about a second, so
 * the first three tries are quick. A pause follows, so that there are at most three tries in the first five seconds. Later tries come at a
 * steady pace, because a whole room may be waiting for a box that boots. The random part prevents all phones from connecting at once.
 * @type {[number, number][]}
 */
const WAITS = [
  [200, 600],
  [600, 1000],
  [600, 1000],
  [3700, 4500],
  [1500, 2500],
];
/** Milliseconds for a socket to open, and from then to the first message. In a local network, a slower socket is lost. */
const OPEN_MS = 4_000;
/** Milliseconds without a message after which a link counts as lost. The daemon sends `hb` every 10 s. */
const SILENCE_MS = 25_000;
/** Milliseconds for an answer: a view, a refusal or `hb`. With this value the board is back within three seconds after a phone is unlocked. */
const ANSWER_MS = 1_500;
/** Milliseconds after which a link counts as stable, so that a box that keeps crashing is not flooded with connections. */
const HELD_MS = 2_000;
/** Milliseconds without a message after which a page that is shown again reconnects without a test: a heartbeat is missing, so the link is lost. */
const MISSED_MS = 12_000;

/** A page's link to the daemon. It connects when created and after each loss, until it is stopped. */
export class Link {
  #firstMessage;
  #handlers;
  /** @type {WebSocket | null} */
  #socket = null;
  #up = false;
  #stopped = false;
  /** Losses since the link was last up for HELD_MS. */
  #losses = 0;
  /** The times at which the socket was created and last received, by the wall clock, which also runs while a phone sleeps. */
  #made = 0;
  #heard = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} the next try, or the end of the wait for a message */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} the end of the wait for an answer */
  #probe;

  /**
   * @param {() => FromPage | null} firstMessage returns the first message (join or host) of a new connection, or null to stay closed until `retry`
   * @param {{message(message: FromBox): void, state(up: boolean): void}} handlers `message` gets all messages except `hb`. `state` is called on changes only. A link starts down
   */
  constructor(firstMessage, handlers) {
    this.#firstMessage = firstMessage;
    this.#handlers = handlers;
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#wake();
    });
    // A page from the back/forward cache has lost its socket, but gets the socket's event only later.
    addEventListener("pageshow", ({ persisted }) => (persisted ? this.#connect() : this.#wake()));
    addEventListener("online", () => this.#wake());
    this.#connect();
  }

  /**
   * Sends a message now, or not at all.
   * @param {FromPage} message
   * @returns {boolean} whether it was sent. It is dropped if the link is down
   */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    clearTimeout(this.#probe);
    this.#probe = setTimeout(() => this.#connect(), ANSWER_MS);
    return true;
  }

  /** Connects now with a new first message, after a press by the user. Also replaces a link that is up, and works after `stop`. */
  retry() {
    this.#stopped = false;
    if (this.#up || !this.#isConnecting()) this.#connect();
  }

  /** Closes the link until `retry`. The link does so itself on `bye` with `taken`, `left` or `closed`, so that two pages do not take a seat
   * from each other again and again. */
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

  /** Drops the socket, and ignores its further events. */
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
   * Reconnects if no message arrives within that time.
   * @param {number} ms
   */
  #armTimeout(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), ms);
  }

  /** Connects a waiting link now, or tests a link that is up. Called when the page is shown again or the network returns. */
  #wake() {
    if (this.#stopped) return;
    if (this.#up ? Date.now() - this.#heard > MISSED_MS : !this.#isConnecting()) this.#connect();
    else this.send({ t: "hb" });
  }

  /** Returns whether a try is in progress that may still succeed. Repeated presses must not restart it each time. */
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
 * Reloads the page if the daemon has another build. It does so only once per build, so that a page from an old cache cannot reload for ever.
 * @param {string} build the daemon's build
 */
function reloadOtherBuild(build) {
  const own = document.querySelector('meta[name="build"]')?.getAttribute("content") ?? "";
  if (own === build || own.startsWith("{{")) return;
  try {
    if (sessionStorage.getItem("build") === build) return;
    sessionStorage.setItem("build", build);
  } catch {
    return; // Without storage the page cannot know about an earlier reload.
  }
  location.reload();
}
