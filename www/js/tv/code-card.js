// The code card with the QR code and the join address. It is large on the menu, tall in place of an empty seat, and small beside a game.
import { el, setText, svg } from "../dom.js";
import { fill, loadWords, parts, RETRY_MS, tvWords } from "../language.js";
import { fit, fitLines, textLine } from "./fit.js";
import { OwnerLine } from "./notice.js";

/** @typedef {import("../wire.js").Room} Room */
/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../words.js").TvWords} TvWords */

/** Milliseconds for which the menu calls in one of several languages before it changes to the next. */
const CALL_MS = 8_000;

export class CodeCard {
  #card;
  #qr = picture("qr");
  #hotspot = picture("hotspot");
  #first = textLine("first");
  #second = textLine("second");
  #code = el("strong", { id: "code", class: "fit" }, el("span"));
  #call = el("div", { class: "call" });
  #address = textLine("address");
  #host = textLine("host");
  #wifi = textLine("wifi");
  #waiting = el("p", { class: "waiting" });
  #owner;
  /** The words of the languages in which the menu calls, if there are several. @type {TvWords[]} */
  #callers = [];
  #caller = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} the next try to load languages */
  #again;
  /** @type {Room | null} */
  #room = null;
  /** @type {View | null} */
  #view = null;
  /** The parts of the view for which the card was drawn, as JSON. */
  #drawn = "";

  /**
   * @param {HTMLElement} card
   * @param {HTMLElement} owner the element for the owner's hints
   */
  constructor(card, owner) {
    this.#card = card;
    this.#owner = new OwnerLine(owner);
    card.append(
      this.#call,
      this.#hotspot,
      this.#first,
      this.#qr,
      this.#second,
      this.#code,
      this.#address,
      this.#host,
      this.#wifi,
      this.#waiting,
    );
  }

  /** @param {Room} room */
  set(room) {
    this.#room = room;
    this.#card.classList.toggle("offline", !room.join);
    this.#card.classList.toggle("steps", Boolean(room.hotspot));
    if (room.qr) show(this.#qr, room.qr);
    if (room.hotspot) show(this.#hotspot, room.hotspot);
    this.redraw();
  }

  /**
   * Makes the menu call in several languages, one after another. One that does not load joins in later.
   * @param {string[]} codes a single one stands for that of the page
   * @param {string} [again] of a further try, see `loadWords`
   */
  async callIn(codes, again) {
    clearTimeout(this.#again);
    const several = codes.length > 1 ? codes : [];
    const tables = await Promise.all(several.map((code) => loadWords(code, again).catch(() => null)));
    if (tables.includes(null)) this.#again = setTimeout(() => this.callIn(codes, `?${Date.now()}`), RETRY_MS);
    this.#callers = tables.filter((words) => words !== null);
    this.#caller = 0;
    clearInterval(this.#timer);
    if (this.#callers[0]) this.#timer = setInterval(() => this.#callNext(), CALL_MS);
    this.redraw();
  }

  #callNext() {
    this.#caller = (this.#caller + 1) % this.#callers.length;
    if (this.#view?.t === "menu") this.redraw();
  }

  /** Draws the card again, in other words. */
  redraw() {
    this.#drawn = "";
    if (this.#view) this.draw(this.#view);
  }

  /** @param {View} view */
  draw(view) {
    this.#view = view;
    const room = this.#room;
    if (!room) return;
    this.#owner.draw(room, view);
    // A move changes nothing here. Without this check, fit.js would measure hidden text for every view.
    const drawn = JSON.stringify(view.t === "menu" ? [view.t, view.games.length] : [view.phase, view.seats[0]?.nick]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const words = (view.t === "menu" && this.#callers[this.#caller]) || tvWords;
    fit(this.#code, room.room);
    setText(this.#waiting, words.noNetwork);
    this.#qr.setAttribute("aria-label", words.qr);
    this.#hotspot.setAttribute("aria-label", words.qrWifi);
    if (!room.join) return;
    const { call, address } = callOf(view, room.join, words);
    fitLines(this.#call, call);
    fit(this.#address, ...address);
    this.#host.hidden = room.join.host === "";
    fit(this.#host, fill(words.orHost, { host: room.join.host }));
    fit(this.#wifi, room.wifi ? fill(words.wifi, { name: room.wifi }) : words.sameWifi);
    const chip = view.t === "ws" && (view.phase === "play" || view.phase === "result");
    fit(this.#first, chip ? words.joinWifiShort : fill(words.joinWifi, { name: room.wifi ?? "" }));
    fit(this.#second, words.thenScan);
  }
}

/**
 * Returns the lines of the card's call, and the parts of the address.
 * @param {View} view
 * @param {import("../wire.js").Join} join
 * @param {TvWords} words
 * @returns {{call: string[], address: (Node | string)[]}}
 */
function callOf(view, join, words) {
  // With the scheme, because a browser that tries https first would show a warning.
  const address = el("span", {}, "http://", el("b", {}, join.addr));
  if (view.t === "menu") return { call: [words.scan], address: parts(words.orOpen, { address }) };
  const champion = view.seats[0]?.nick;
  const call = {
    open: champion ? words.whoTakesOn : words.whoPlays,
    rematch: words.orYou,
    play: words.scanToPlay,
    result: words.scanToPlay,
  }[view.phase];
  return { call: call.map((line) => fill(line, { name: champion ?? "" })), address: [address] };
}

/** @param {string} id */
function picture(id) {
  return svg("svg", { id, role: "img", "shape-rendering": "crispEdges" }, svg("path"));
}

/**
 * @param {SVGSVGElement} node
 * @param {{size: number, path: string}} code
 */
function show(node, code) {
  node.setAttribute("viewBox", `0 0 ${code.size} ${code.size}`);
  node.firstElementChild?.setAttribute("d", code.path);
}
