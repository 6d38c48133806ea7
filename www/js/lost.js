// Modules that are loaded while a page runs already.

/** Tells the page's guard (start-guard.js) that a module did not come. @param {unknown} error as `import()` rejected */
export function reportLost(error) {
  dispatchEvent(new CustomEvent("partlost", { detail: error }));
}

/** Tells the page's guard that the page's script runs: the browser is not too old. */
export function reportStarted() {
  document.documentElement.dataset.started = "";
}
