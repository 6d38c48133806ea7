// Makes and finds elements. Text is always a text node, so names can never become markup.

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
 * Sets text only if it differs, which avoids needless layouts.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets an attribute, or removes it (null), only if that is a change.
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
