// How elements are made and found. Text is always a text node: names can never become markup.

/**
 * An HTML element: `el("p", {class: "name", hidden: true}, "Wren")`. Attributes that are false or null are left out.
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
 * An SVG element, the same way.
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
 * The element that a page holds under this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Sets text only when it differs, so that nothing is laid out anew for nothing.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets an attribute, or takes it off (null), only when that is a change.
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
 * Replaces what is in an element, and ends what moves in it: an animation without an end would go on for ever on what is
 * not seen any more, and keep the page busy in every frame.
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

/** Tells the page's guard (start-guard.js) that a module did not come. @param {unknown} error as `import()` rejected */
export function reportLost(error) {
  dispatchEvent(new CustomEvent("partlost", { detail: error }));
}

/** Tells the page's guard that the page's script runs: the browser is not too old. */
export function reportStarted() {
  document.documentElement.dataset.started = "";
}
