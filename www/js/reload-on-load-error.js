// Loads a page anew of which a part did not come. When the network changes while a page loads (a box that boots and gets its
// address, a phone that has just joined the Wi-Fi), browsers give up all that is under way, and a page without one of
// its modules never starts. So this is none of them, and the page waits for it before it asks for them: none is lost unseen.

/** Milliseconds until the next try, and by how much they differ from page to page. */
const RETRY_MS = 1_000;
const SPREAD_MS = 1_000;

let loading = true;
// What befalls an element does not rise from it.
addEventListener("error", (event) => onLoadError(event.target, event.error), { capture: true });
addEventListener("unhandledrejection", (event) => onLoadError(null, event.reason));

/**
 * @param {EventTarget | null} target an element whose file did not come
 * @param {unknown} thrown what a script threw, such as a module that it waits for and that did not come
 */
function onLoadError(target, thrown) {
  // What was asked for in advance alone is asked for again when it is needed.
  const part =
    target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === "stylesheet");
  const module = thrown instanceof TypeError && /module/i.test(thrown.message);
  if (loading && (part || module)) retry();
}

/** Only once the box answers: a page that is loaded anew too early is the browser's own, and stays. */
function retry() {
  loading = false;
  setTimeout(
    async () => {
      const { ok } = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => ({ ok: false }));
      if (ok) location.reload();
      else retry();
    },
    RETRY_MS + Math.random() * SPREAD_MS,
  );
}
