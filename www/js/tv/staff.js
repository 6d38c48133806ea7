// The kiosk's menu for the people who run the place: hold OK for two seconds, or press Menu. Loaded by the box's own TV page alone,
// whose remote is behind the counter; guests and other TVs have no such menu, and the daemon answers it to no other page.
import { el, svg } from "../dom.js";

/** @typedef {import("../wire.js").FromPage} FromPage */
/** @typedef {import("../wire.js").Answer} Answer */
/** @typedef {{text: string, value?: string, act?: () => void}} Row a line; without `act` it is only read */
/** @typedef {{title: string, rows: Row[], note?: string, code?: {size: number, path: string}}} Sheet */

/** Milliseconds that OK is held to open the menu: nobody rests a thumb on it for so long by accident. */
const HOLD_MS = 2_000;
/** Milliseconds without a press after which the menu closes: the guests want their game back. */
const IDLE_MS = 60_000;
/** Milliseconds between two looks whether a phone has been paired, and whether people have come or gone. */
const LOOK_MS = 1_500;
/** Rows on the screen at once; the others follow the cursor. */
const ROWS = 6;

const OK = ["Enter", "NumpadEnter", " ", "Select", "Accept", "Execute"];
const MENU = ["ContextMenu", "Menu", "Settings", "Setup"];
const BACK = ["Escape", "Backspace", "BrowserBack", "GoBack", "Cancel", "Exit"];

export class Staff {
  #send;
  /** @type {Map<number, (answer: Answer) => void>} what waits for an answer, by the request's number */
  #waiting = new Map();
  #asked = 0;
  #el = el("section", { id: "staff", role: "dialog", "aria-label": "Box", hidden: true });
  /** The sheet on the screen, how to draw it anew, and those below it. @type {(() => void)[]} */
  #path = [];
  /** @type {Sheet} */
  #sheet = { title: "", rows: [] };
  #at = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #idle;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #looking;
  /** @type {ReturnType<typeof setTimeout> | undefined} the end of the hold that is on */
  #holding;
  /** The press that is handed on to the page. */
  #passing = false;
  #dark = false;

  /** @param {(message: FromPage) => boolean} send */
  constructor(send) {
    this.#send = send;
    document.head.append(el("link", { rel: "stylesheet", href: "/css/tv-staff.css" }));
    document.body.append(this.#el);
    // Before the page's own remote hears of it.
    addEventListener("keydown", (event) => this.#onKey(event), { capture: true });
    addEventListener("keyup", (event) => this.#onRelease(event), { capture: true });
  }

  /** Takes the daemon's answer. @param {import("../wire.js").Done} message */
  onDone({ n, answer }) {
    const then = this.#waiting.get(n);
    this.#waiting.delete(n);
    if (answer) then?.(answer);
  }

  /**
   * Asks the daemon.
   * @param {Record<string, unknown>} ask
   * @param {(answer: Answer) => void} then
   */
  #ask(ask, then) {
    this.#asked += 1;
    this.#waiting.clear();
    this.#waiting.set(this.#asked, then);
    const sent = this.#send({ t: "do", n: this.#asked, ask });
    // Answered at once, by which the link is known to live while the box is still at work.
    this.#send({ t: "hb" });
    if (!sent) this.#show({ title: this.#sheet.title, rows: [], note: "The box does not answer." });
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (this.#passing || event.ctrlKey || event.metaKey || event.altKey) return;
    const ok = OK.includes(event.key);
    if (this.#dark || this.#isOpen() || ok || MENU.includes(event.key)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    if (this.#dark) return event.repeat ? undefined : this.#light();
    if (this.#isOpen()) return event.repeat && ok ? undefined : this.#press(event.key);
    if (event.repeat) return;
    if (ok) this.#holding = setTimeout(() => this.#open(), HOLD_MS);
    else if (MENU.includes(event.key)) this.#open();
  }

  /** A short press of OK is the page's, once it is known to be short. @param {KeyboardEvent} event */
  #onRelease(event) {
    if (!this.#holding || !OK.includes(event.key)) return;
    clearTimeout(this.#holding);
    this.#holding = undefined;
    const { key, code } = event;
    this.#passing = true;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }));
    this.#passing = false;
  }

  /** @param {string} key */
  #press(key) {
    this.#rest();
    const acting = this.#sheet.rows.filter((row) => row.act);
    if (BACK.includes(key) || MENU.includes(key)) this.#back();
    else if (key === "ArrowUp") this.#at = Math.max(0, this.#at - 1);
    else if (key === "ArrowDown") this.#at = Math.min(acting.length - 1, this.#at + 1);
    else if (OK.includes(key)) return acting[this.#at]?.act?.();
    if (this.#isOpen()) this.#draw();
  }

  #isOpen() {
    return !this.#el.hidden;
  }

  #open() {
    this.#holding = undefined;
    this.#el.hidden = false;
    this.#rest();
    this.#go(() => this.#showTop());
  }

  #close() {
    this.#el.hidden = true;
    this.#path = [];
    clearTimeout(this.#idle);
    this.#stopLooking();
  }

  /** Starts the time anew after which the menu closes by itself. */
  #rest() {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#close(), IDLE_MS);
  }

  /** Opens a sheet above the one on the screen. @param {() => void} draw */
  #go(draw) {
    this.#stopLooking();
    this.#path.push(draw);
    this.#at = 0;
    draw();
  }

  #back() {
    this.#stopLooking();
    this.#path.pop();
    this.#at = 0;
    const below = this.#path.at(-1);
    if (below) below();
    else this.#close();
  }

  /** Ends the wait for a phone. A code that is not on the screen pairs nobody. */
  #stopLooking() {
    if (this.#looking === undefined) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
    this.#send({ t: "do", n: 0, ask: { do: "pair", on: false } });
  }

  #showTop() {
    this.#ask({ do: "state" }, ({ state }) => {
      if (!state) return;
      const { people, phones, problems } = state;
      const { languages = "" } = document.documentElement.dataset;
      /** @type {Row[]} */
      const rows = [
        { text: "Guests", value: String(people.length), act: () => this.#go(() => this.#showGuests()) },
        { text: "Screen off", value: "until a key", act: () => this.#darken() },
        { text: "Owner's phone", value: String(phones.length), act: () => this.#go(() => this.#showPhones()) },
        {
          text: "About",
          value: problems.length ? `${problems.length} to mend` : "",
          act: () => this.#go(() => this.#showAbout()),
        },
      ];
      const choices = languages.split(" ").filter(Boolean);
      if (choices.length > 1) rows.splice(2, 0, this.#choice("Language", "language", choices, state));
      this.#show({ title: "Box", rows });
    });
  }

  /**
   * A setting with a few values: OK takes the next one.
   * @param {string} text
   * @param {string} name
   * @param {string[]} choices
   * @param {NonNullable<Answer["state"]>} state
   * @returns {Row}
   */
  #choice(text, name, choices, state) {
    const now = state.settings.find((setting) => setting.name === name)?.value?.split(",")[0] ?? "";
    const value = choices[(choices.indexOf(now) + 1) % choices.length];
    const act = () =>
      this.#ask({ do: "set", name, value }, (answer) =>
        answer.ok ? this.#showTop() : this.#show({ ...this.#sheet, note: answer.say }),
      );
    return { text, value: languageName(now), act };
  }

  #showGuests() {
    this.#ask({ do: "state" }, ({ state }) => {
      const people = state?.people ?? [];
      const rows = people.map((nick) => ({ text: nick, act: () => this.#go(() => this.#showGuest(nick)) }));
      this.#show({ title: "Guests", rows, note: people.length ? "OK: take out" : "Nobody is in the room." });
    });
  }

  /** @param {string} nick */
  #showGuest(nick) {
    const out = (/** @type {boolean} */ keep) => () =>
      this.#ask({ do: "out", nick, keep }, ({ ok, say }) => {
        if (ok) this.#back();
        else this.#show({ ...this.#sheet, note: say });
      });
    this.#show({
      title: nick,
      rows: [
        { text: "Take out of the room", act: out(false) },
        { text: "Take out, and not back tonight", act: out(true) },
        { text: "Back", act: () => this.#back() },
      ],
    });
  }

  #showPhones() {
    this.#ask({ do: "state" }, ({ state }) => {
      const phones = state?.phones ?? [];
      const strike = (/** @type {string} */ id, /** @type {string} */ name) => () =>
        this.#go(() => this.#showPhone(id, name));
      this.#show({
        title: "Owner's phone",
        rows: [
          { text: "Pair a phone", act: () => this.#go(() => this.#showCode(phones.length)) },
          ...phones.map(({ id, name }) => ({ text: name, value: "paired", act: strike(id, name) })),
        ],
        note: "A paired phone can change all that the box is set to.",
      });
    });
  }

  /**
   * @param {string} id
   * @param {string} name
   */
  #showPhone(id, name) {
    this.#show({
      title: name,
      rows: [
        { text: "Strike out", act: () => this.#ask({ do: "unpair", id }, () => this.#back()) },
        { text: "Back", act: () => this.#back() },
      ],
      note: "A phone that is struck out can change nothing any more.",
    });
  }

  /** Shows the code until a phone has scanned it, or a minute is over. @param {number} before phones so far */
  #showCode(before) {
    this.#ask({ do: "pair", on: true }, ({ pair, say }) => {
      if (!pair) return this.#show({ title: "Owner's phone", rows: [], note: say });
      const end = performance.now() + pair.left;
      const title = "Scan with your phone";
      const note = "In this Wi-Fi. The first phone that scans it is the owner's. The code is good for a minute.";
      this.#show({ title, rows: [], code: pair.qr ?? undefined, note });
      this.#stopLooking();
      this.#looking = setInterval(() => {
        if (performance.now() > end) return this.#back();
        this.#ask({ do: "state" }, ({ state }) => {
          const phones = state?.phones ?? [];
          if (phones.length <= before) return;
          this.#stopLooking();
          this.#show({
            title: "Paired",
            rows: [{ text: "Done", act: () => this.#back() }],
            note: `${phones.at(-1)?.name} is the owner's now.`,
          });
        });
      }, LOOK_MS);
    });
  }

  #showAbout() {
    this.#ask({ do: "state" }, ({ state }) => {
      if (!state) return;
      const rows = [
        { text: "Address", value: state.address ?? "no network yet" },
        { text: "Name", value: state.name ?? "none" },
        { text: "Wi-Fi", value: state.wifi ?? "not told" },
        { text: "Version", value: state.version },
        { text: "Running for", value: span(state.uptime_s) },
      ];
      const note = state.problems.length ? state.problems.join("\n") : "Nothing is to be mended.";
      this.#show({ title: "About", rows, note: note.replaceAll("`", "") });
    });
  }

  /** The TV is dark until a key is pressed: in standby where the box can do that, else black. */
  #darken() {
    this.#close();
    this.#dark = true;
    document.body.classList.add("dark");
    this.#ask({ do: "screen", on: false }, () => {});
  }

  #light() {
    this.#dark = false;
    document.body.classList.remove("dark");
    this.#ask({ do: "screen", on: true }, () => {});
  }

  /** @param {Sheet} sheet */
  #show(sheet) {
    if (!this.#isOpen()) return;
    this.#sheet = sheet;
    this.#draw();
  }

  #draw() {
    const { title, rows, note, code } = this.#sheet;
    const acting = rows.filter((row) => row.act);
    this.#at = Math.max(0, Math.min(this.#at, acting.length - 1));
    const above = Math.max(0, Math.min(this.#at - ROWS + 2, rows.length - ROWS));
    const list = rows
      .slice(above, above + ROWS)
      .map(({ text, value, act }, i) =>
        el(
          "li",
          { role: act ? "option" : null, "aria-selected": act ? String(acting[this.#at] === rows[above + i]) : null },
          el("span", { dir: "auto" }, text),
          el("b", { dir: "auto" }, value ?? ""),
        ),
      );
    const picture = code && svg("svg", { viewBox: `0 0 ${code.size} ${code.size}`, "shape-rendering": "crispEdges" });
    if (picture && code) picture.append(svg("path", { d: code.path }));
    this.#el.replaceChildren(
      el("h2", { dir: "auto" }, title),
      ...(picture ? [picture] : []),
      el("ul", { role: "listbox" }, ...list),
      el("p", {}, note ?? ""),
      el(
        "footer",
        {},
        acting.length ? "OK: choose" : "",
        el("span", {}, this.#path.length > 1 ? "Back" : "Back: close"),
      ),
    );
  }
}

/** @param {number} seconds */
function span(seconds) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

/** Names a language in itself: "Deutsch". @param {string} code */
function languageName(code) {
  return new Intl.DisplayNames([code || "en"], { type: "language" }).of(code || "en") ?? code;
}
