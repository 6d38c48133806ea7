// The code card with the QR code and the join address. It is large on the menu, tall in place of an empty seat, and small beside a game.
import { el, svg } from "../dom.js";
import { fit, fitLines, textLine } from "./fit.js";
import { OwnerLine } from "./owner.js";

/** @typedef {import("../wire.js").Room} Room */
/** @typedef {import("../wire.js").View} View */

export class CodeCard {
  #card;
  #qr = picture("qr", "Code to scan");
  #hotspot = picture("hotspot", "Code to join the Wi-Fi");
  #first = textLine("first");
  #second = textLine("second");
  #code = el("strong", { id: "code", class: "fit" }, el("span"));
  #call = el("div", { class: "call" });
  #address = textLine("address");
  #host = textLine("host");
  #wifi = textLine("wifi");
  #owner;
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
      el("p", { class: "waiting" }, "Waiting for the network"),
    );
  }

  /** @param {Room} room */
  set(room) {
    this.#room = room;
    this.#drawn = "";
    this.#card.classList.toggle("offline", !room.join);
    this.#card.classList.toggle("steps", Boolean(room.hotspot));
    if (room.qr) show(this.#qr, room.qr);
    if (room.hotspot) show(this.#hotspot, room.hotspot);
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
    fit(this.#code, room.room);
    if (!room.join) return;
    const { call, address } = words(view, room.join);
    fitLines(this.#call, call);
    fit(this.#address, ...address);
    this.#host.hidden = room.join.host === "";
    fit(this.#host, `or ${room.join.host}`);
    fit(this.#wifi, room.wifi ? `Wi-Fi: ${room.wifi}` : "On the same Wi-Fi");
    const chip = view.t === "ws" && (view.phase === "play" || view.phase === "result");
    fit(this.#first, chip ? "1 Wi-Fi" : `1 Wi-Fi: ${room.wifi}`);
    fit(this.#second, "2 Scan to play");
  }
}

/**
 * Returns the lines of the card's call, and the parts of the address.
 * @param {View} view
 * @param {import("../wire.js").Join} join
 * @returns {{call: string[], address: (Node | string)[]}}
 */
function words(view, join) {
  // With the scheme, because a browser that tries https first would show a warning.
  const address = el("span", {}, "http://", el("b", {}, join.addr));
  if (view.t === "menu") return { call: ["Scan with your phone"], address: ["or open ", address, " and type"] };
  const champion = view.seats[0]?.nick;
  const call = {
    open: champion ? ["Who takes on", `${champion}?`] : ["Who plays?", "Scan to play"],
    rematch: ["Or you? Scan", "to play", `${champion} next`],
    play: ["Scan", "to play"],
    result: ["Scan", "to play"],
  }[view.phase];
  return { call, address: [address] };
}

/**
 * @param {string} id
 * @param {string} label
 */
function picture(id, label) {
  return svg("svg", { id, role: "img", "aria-label": label, "shape-rendering": "crispEdges" }, svg("path"));
}

/**
 * @param {SVGSVGElement} node
 * @param {{size: number, path: string}} code
 */
function show(node, code) {
  node.setAttribute("viewBox", `0 0 ${code.size} ${code.size}`);
  node.firstElementChild?.setAttribute("d", code.path);
}
