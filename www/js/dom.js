// Makes and finds elements, and draws the parts that both pages share: the two stones, the time left, and each view at most once per
// frame. Text is always a text node, so names can never become markup.

/** @typedef {import("./wire.js").Side} Side */
/** @typedef {import("./wire.js").View} View */

/**
 * Makes an HTML element: `el("p", {class: "name", hidden: true}, "Wren")`. Attributes that are false or null are omitted.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

/**
 * Makes an SVG element in the same way.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

/**
 * Returns the page's element with this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Sets a node's text only if it differs, which avoids needless layouts.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets an attribute, or removes it if `value` is null. Does nothing if that is no change.
 * @param {Element} node
 * @param {string} name
 * @param {string | null} value
 */
export function setAttribute(node, name, value) {
  if (node.getAttribute(name) === value) return;
  if (value === null) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

/**
 * Replaces the children of an element, and cancels their animations. An animation without an end would continue on
 * removed nodes, and cost time in every frame.
 * @param {Element} node
 * @param {...Node} children
 */
export function replaceChildren(node, ...children) {
  for (const animation of node.getAnimations({ subtree: true })) animation.cancel();
  node.replaceChildren(...children);
}

/**
 * @param {Element} node
 * @param {Record<string, string | number | boolean | null | undefined>} attributes
 */
function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
}

/** Reports to start-guard.js that a module could not be loaded. @param {unknown} error the reason of the rejected `import()` */
export function reportLost(error) {
  dispatchEvent(new CustomEvent("partlost", { detail: error }));
}

/** Reports to start-guard.js that the page's script runs, so the browser is not too old. */
export function reportStarted() {
  document.documentElement.dataset.started = "";
}

/** The class names of the stones' colours, by side: gold has a ring, blue a dot. The colours are in css/boards.css. */
const COLOURS = /** @type {const} */ (["gold", "blue"]);

/** Radius of a disc in its own units, in which a stone's box is 48 wide. */
export const RADIUS = 22;

/**
 * Draws a stone that fills its box, beside a name or on a board.
 * @param {Side} side
 * @returns {SVGSVGElement}
 */
export function stone(side) {
  return svg("svg", { class: `stone ${COLOURS[side]}`, viewBox: "-24 -24 48 48", "aria-hidden": "true" }, disc(side));
}

/**
 * Draws both stones, gold above blue, for a cell that shows one of them. The cell shows the other one when the drawing moves, without a repaint.
 * @returns {SVGSVGElement}
 */
export function faces() {
  return svg("svg", { class: "faces", viewBox: "-24 -24 48 96", "aria-hidden": "true" }, disc(0), disc(1, 0, 48));
}

/**
 * Draws a stone within a larger drawing, with its centre at (x, y).
 * @param {Side} side
 * @param {number} [x]
 * @param {number} [y]
 * @param {number} [radius]
 * @returns {SVGGElement}
 */
export function disc(side, x = 0, y = 0, radius = RADIUS) {
  const mark =
    side === 0 ? svg("circle", { class: "mark", cy: -1, r: 10.5 }) : svg("circle", { class: "mark", cy: -1, r: 5.6 });
  return svg(
    "g",
    { class: `disc ${COLOURS[side]}`, transform: `translate(${x} ${y}) scale(${radius / RADIUS})` },
    svg("circle", { class: "rim", r: RADIUS }),
    svg("circle", { class: "face", cy: -0.8, r: 20.6 }),
    svg("path", { class: "shine", d: "M-15.6-7.4A17 17 0 0 1-1.2-18" }),
    mark,
  );
}

/** Milliseconds by which a bar may be wrong before it is corrected. A smaller error is not visible, and a correction costs an animation. */
const BAR_OFF_MS = 200;

/**
 * Returns the milliseconds until a count of whole seconds changes.
 * @param {number} left milliseconds left
 */
const toNextSecond = (left) => left % 1000 || 1000;

/** Draws the seconds left once per second, exactly when they change. Sets a timer only while time is running. */
export class Countdown {
  #draw;
  #end = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {(seconds: number) => void} draw whole seconds left, 0 at the end */
  constructor(draw) {
    this.#draw = draw;
  }

  /** @param {number} ms from now */
  run(ms) {
    this.#end = performance.now() + ms;
    this.#tick();
  }

  stop() {
    clearTimeout(this.#timer);
  }

  #tick() {
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#end - performance.now());
    this.#draw(Math.ceil(left / 1000));
    if (left > 0) this.#timer = setTimeout(() => this.#tick(), toNextSecond(left));
  }
}

/**
 * Returns seconds as `0:42`.
 * @param {number} seconds
 */
export function formatTime(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Shows the time left of a turn as a bar, with one animation per turn that runs only on the compositor. */
export class Bar {
  #rest = el("i");
  el = el("div", { class: "bar" }, this.#rest);
  /** @type {Animation | null} */
  #running = null;
  #id = 0;
  #end = 0;

  /** @param {import("./wire.js").Turn | null} turn */
  run(turn) {
    const end = performance.now() + (turn?.left ?? 0);
    if (turn && this.#running && turn.id === this.#id && Math.abs(end - this.#end) < BAR_OFF_MS) return;
    this.#running?.cancel();
    this.#running = null;
    this.el.classList.toggle("runs", turn !== null);
    if (!turn) return;
    this.#id = turn.id;
    this.#end = end;
    // After the end, the style sheet's scaleX(0) applies.
    this.#running = this.#rest.animate({ transform: [`scaleX(${turn.left / turn.of})`, "scaleX(0)"] }, turn.left);
  }
}

/** Draws at most one view per frame. Older views are skipped, because each view is complete. */
export class FrameScheduler {
  #draw;
  /** @type {View | null} */
  #next = null;
  #frame = 0;

  /** @param {(view: View) => void} draw */
  constructor(draw) {
    this.#draw = draw;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#now();
    });
  }

  /**
   * Draws this view in the next frame. A hidden page has no frames and draws at once, because its title shows whose turn it is.
   * @param {View} view
   */
  show(view) {
    this.#next = view;
    if (document.hidden) this.#now();
    else if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#now());
  }

  #now() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const view = this.#next;
    this.#next = null;
    if (view) this.#draw(view);
  }
}
