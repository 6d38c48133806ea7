// The sections of the owner's page. It shows the newest state, and never draws over a field that somebody is writing in.
import { el } from "../dom.js";
import { WORDS } from "./words.js";

/** @typedef {import("../wire.js").Answer} Answer */
/** @typedef {import("../wire.js").OwnerState} OwnerState */
/** @typedef {import("../wire.js").Network} Network */
/** @typedef {{do: string} & Record<string, unknown>} Request what the box is asked to do, with its values */
/** @typedef {(request: Request, then: (answer: Answer) => void) => void} Ask */

const NUMBERS = ["turn", "result", "rematch", "away", "hold", "attract"];
const YES_OR_NO = ["house"];
/** Milliseconds in which the second tap does what cannot be undone. */
const SURE_MS = 4_000;
/** Milliseconds that a word on what was done stands. */
const TOLD_MS = 4_000;

export class Page {
  #main;
  #ask;
  #told = /** @type {HTMLElement} */ (document.getElementById("told"));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {OwnerState | null} */
  #state = null;
  /** What is on the screen, to be drawn anew only when it differs. */
  #drawn = "";
  /** Parts that no state tells: the networks found, the text for an expert. */
  #networks = el("div");
  #text = el("div");

  /**
   * @param {HTMLElement} main
   * @param {Ask} ask
   */
  constructor(main, ask) {
    this.#main = main;
    this.#ask = ask;
  }

  get isShown() {
    return this.#state !== null;
  }

  hide() {
    this.#state = null;
    this.#drawn = "";
  }

  /** Says what has come of something. @param {string} text */
  tell(text) {
    this.#told.textContent = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#told.textContent = ""), TOLD_MS);
  }

  /** @param {OwnerState} state */
  draw(state) {
    this.#state = state;
    const drawn = JSON.stringify({ ...state, uptime_s: 0 });
    const writing = document.activeElement?.matches("input, select, textarea");
    if (drawn === this.#drawn || writing) return;
    this.#drawn = drawn;
    const venue = state.settings.find(({ name }) => name === "venue")?.value;
    this.#main.replaceChildren(
      el("h1", { dir: "auto" }, venue ?? WORDS.title),
      ...this.#warnings(state),
      this.#guests(state),
      this.#section("place", ...this.#fields(["venue", "house", "open", "timezone"])),
      this.#section("times", ...this.#fields(["turn", "result", "rematch", "away"])),
      this.#section("guestWifi", ...this.#fields(["wifi", "wifi-password"])),
      this.#section("wifi", ...this.#network(state)),
      this.#section("ownWifi", ...this.#fields(["hotspot", "hotspot-password"])),
      this.#section("words", ...this.#words("add"), ...this.#words("exempt")),
      this.#phones(state),
      this.#machine(state),
    );
  }

  /**
   * Asks, and tells what has come of it.
   * @param {Request} request
   * @param {string} done
   * @param {(answer: Answer) => void} [then]
   */
  #do(request, done, then) {
    this.#ask(request, (answer) => {
      this.tell(answer.say ?? (answer.ok ? done : ""));
      then?.(answer);
      // What was refused must not stand in its field as if it held.
      if (!answer.ok) this.#drawn = "";
      this.#ask({ do: "state" }, ({ state }) => state && this.draw(state));
    });
  }

  /**
   * @param {keyof typeof WORDS.sections} name
   * @param {...Node} children
   */
  #section(name, ...children) {
    return el("section", { id: name }, el("h2", {}, WORDS.sections[name]), ...children);
  }

  /**
   * @param {string} text
   * @param {() => void} act
   * @param {boolean} [danger] done by the second tap
   */
  #button(text, act, danger = false) {
    const button = el("button", { type: "button", class: danger ? "danger" : null }, text);
    let sure = 0;
    button.addEventListener("click", () => {
      if (!danger || performance.now() < sure) return act();
      sure = performance.now() + SURE_MS;
      button.textContent = WORDS.sure;
      setTimeout(() => (button.textContent = text), SURE_MS);
    });
    return button;
  }

  /** @param {OwnerState} state */
  #warnings({ problems, helper, kept }) {
    const lines = [...problems, ...(helper ? [] : [WORDS.noHelper]), ...(kept ? [] : [WORDS.notKept])];
    const items = lines.map((line) => el("p", {}, line.replaceAll("`", "")));
    return lines.length ? [this.#section("problems", ...items)] : [];
  }

  /** @param {OwnerState} state */
  #guests({ people }) {
    const rows = people.map((nick) =>
      el(
        "li",
        {},
        el("span", { dir: "auto" }, nick),
        this.#button(WORDS.out, () => this.#do({ do: "out", nick }, WORDS.done), true),
        this.#button(WORDS.tonight, () => this.#do({ do: "out", nick, keep: true }, WORDS.done), true),
      ),
    );
    return this.#section("guests", rows.length ? el("ul", {}, ...rows) : el("p", {}, WORDS.nobody));
  }

  /** @param {(keyof typeof WORDS.settings)[]} names */
  #fields(names) {
    return names.flatMap((name) => {
      const setting = this.#state?.settings.find((other) => other.name === name);
      return setting ? [this.#field(name, setting)] : [];
    });
  }

  /**
   * @param {keyof typeof WORDS.settings} name
   * @param {import("../wire.js").Setting} setting
   */
  #field(name, { value, own }) {
    const [label, note] = WORDS.settings[name];
    const yesOrNo = YES_OR_NO.includes(name);
    const number = NUMBERS.includes(name);
    const input = el("input", {
      id: `set-${name}`,
      type: yesOrNo ? "checkbox" : "text",
      inputmode: number ? "decimal" : null,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      value: yesOrNo ? null : (value ?? ""),
      checked: yesOrNo && value === "true",
    });
    const set = (/** @type {string | null} */ to) => this.#do({ do: "set", name, value: to }, WORDS.saved);
    input.addEventListener("change", () => {
      input.blur();
      if (yesOrNo) set(String(input.checked));
      else {
        const text = input.value.trim();
        set((number ? text.replace(",", ".") : text) || null);
      }
    });
    return el(
      "div",
      { class: yesOrNo ? "field check" : "field" },
      el("label", { for: input.id }, label),
      input,
      ...(own ? [this.#button(WORDS.reset, () => set(null))] : []),
      ...(note ? [el("small", {}, note)] : []),
    );
  }

  /** @param {"add" | "exempt"} list */
  #words(list) {
    const [title, note] = list === "add" ? [WORDS.addWord, WORDS.addNote] : [WORDS.exemptWord, WORDS.exemptNote];
    const set = (/** @type {string} */ word, /** @type {boolean} */ on) =>
      this.#do({ do: "word", list, word, on }, WORDS.saved);
    const rows = (this.#state?.[list] ?? []).map((word) =>
      el(
        "li",
        {},
        el("span", { dir: "auto" }, word),
        this.#button(WORDS.remove, () => set(word, false)),
      ),
    );
    const input = el("input", { id: `word-${list}`, autocomplete: "off", autocapitalize: "off", maxlength: 48 });
    const form = el(
      "form",
      { class: "field" },
      el("label", { for: input.id }, title),
      input,
      el("button", {}, WORDS.add),
    );
    form.append(el("small", {}, note));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      input.blur();
      if (input.value.trim()) set(input.value, true);
    });
    return [...(rows.length ? [el("ul", {}, ...rows)] : []), form];
  }

  /** @param {OwnerState} state */
  #network({ address, name, wifi, helper }) {
    const facts = [
      [WORDS.about.address, address],
      [WORDS.about.name, name],
      [WORDS.about.wifi, wifi],
    ].map(([label, value]) => el("p", {}, `${label}: `, el("b", {}, value ?? WORDS.none)));
    const list = this.#button(WORDS.list, () => {
      this.#networks.replaceChildren(el("p", {}, WORDS.searching));
      this.#ask({ do: "wifi-list" }, ({ networks, say }) => {
        this.#networks.replaceChildren(
          ...(networks ? networks.map((network) => this.#networkRow(network)) : [el("p", {}, say ?? "")]),
        );
      });
    });
    return [...facts, ...(helper ? [list, this.#networks] : []), ...this.#fields(["name"])];
  }

  /** @param {Network} network */
  #networkRow({ ssid, signal, security }) {
    const secret = security === "password" || security === "sae";
    const input = el("input", {
      type: "text",
      "aria-label": WORDS.password,
      placeholder: WORDS.password,
      autocapitalize: "off",
      autocomplete: "off",
    });
    const join = this.#button(WORDS.join, () => {
      this.#networks.replaceChildren(el("p", {}, WORDS.joining));
      this.#ask({ do: "wifi-join", ssid, password: secret ? input.value : null }, ({ ok, say }) => {
        this.#networks.replaceChildren(el("p", {}, ok ? WORDS.joined : (say ?? "")));
      });
    });
    const kind = security === "unsupported" ? WORDS.unsupported : security === "open" ? WORDS.open : "";
    return el(
      "div",
      { class: "network" },
      el("span", { dir: "auto" }, ssid),
      el("small", {}, [`${signal} %`, kind].filter(Boolean).join(", ")),
      ...(secret ? [input] : []),
      ...(kind === WORDS.unsupported ? [] : [join]),
    );
  }

  /** @param {OwnerState} state */
  #phones({ phones }) {
    const rows = phones.map(({ id, name, me }) =>
      el(
        "li",
        {},
        el("span", {}, me ? `${name} (${WORDS.me})` : name),
        this.#button(WORDS.strike, () => this.#do({ do: "unpair", id }, WORDS.done), true),
      ),
    );
    return this.#section("phones", el("ul", {}, ...rows));
  }

  /** @param {OwnerState} state */
  #machine({ version, helper }) {
    const act = (/** @type {string} */ text, /** @type {Request} */ request, /** @type {boolean} */ danger) =>
      this.#button(text, () => this.#do(request, WORDS.done), danger);
    const buttons = helper
      ? [
          act(WORDS.screenOff, { do: "screen", on: false }, false),
          act(WORDS.screenOn, { do: "screen", on: true }, false),
          act(WORDS.restart, { do: "restart" }, true),
          act(WORDS.powerOff, { do: "power-off" }, true),
        ]
      : [];
    const show = this.#button(WORDS.diagnostics, () =>
      this.#ask({ do: "diagnostics" }, ({ text }) => {
        const area = el("textarea", { readonly: true, rows: 16, "aria-label": WORDS.diagnostics }, text ?? "");
        const copy = this.#button(WORDS.copy, () => {
          area.select();
          // The way that works over plain HTTP, too.
          if (document.execCommand("copy")) this.tell(WORDS.copied);
        });
        this.#text.replaceChildren(area, copy);
      }),
    );
    return this.#section("machine", el("p", {}, `${WORDS.about.version}: ${version}`), ...buttons, show, this.#text);
  }
}
