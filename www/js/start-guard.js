// Guards the start of a page: loads it anew when a part of it was lost, and says so when the browser is too old for it. When the
// network changes while a page loads (a box that boots and gets its address, a phone that has just joined the Wi-Fi), browsers give
// up all that is under way, and a page without one of its modules never starts.
//
// A classic script in the language of 2009, so that every browser runs it; the page waits for it before it asks for its modules.
(function () {
  "use strict";

  /** Milliseconds until the next try, and by how much they differ from page to page. */
  var AGAIN_MS = 1000;
  var SPREAD_MS = 1000;
  /** Quick tries; then the page says what is missing, and goes on slowly. */
  var QUICK_TRIES = 3;
  var SLOW_MS = 30000;
  /** Milliseconds after which a try belongs to another trouble. */
  var FORGOTTEN_MS = 120000;

  var root = document.documentElement;
  var tooOld = document.currentScript ? document.currentScript.getAttribute("data-too-old") : "";
  var failed = false;
  /** @type {string[]} addresses of what did not come */
  var lost = [];
  var line = document.createElement("p");

  // An element's error does not bubble.
  addEventListener(
    "error",
    function (event) {
      check(event.target, event.error);
    },
    true
  );
  addEventListener("unhandledrejection", function (event) {
    check(null, event.reason);
  });
  // From js/dom.js, since WebKit tells nobody of a module that another one awaits.
  addEventListener("partlost", function (event) {
    var thrown = /** @type {CustomEvent} */ (event).detail;
    if (thrown instanceof SyntaxError) say(tooOld || "");
    else again();
  });
  addEventListener("load", function () {
    if (!failed && !root.hasAttribute("data-started")) say(tooOld || "");
  });

  // Left while it loaded, kept by the browser and shown again: what was under way does not come any more.
  addEventListener("pageshow", function (event) {
    if (event.persisted && !root.hasAttribute("data-started")) location.reload();
  });

  /**
   * @param {EventTarget | null} target an element whose file did not come
   * @param {unknown} thrown by a script, such as for a module that it imports and that did not come
   */
  function check(target, thrown) {
    var link = target instanceof HTMLLinkElement ? target : null;
    var script = target instanceof HTMLScriptElement ? target : null;
    if (link || script) lost.push(link ? link.href : script ? script.src : "");
    // What was only asked for in advance is asked for again when it is needed.
    var part = script || (link && link.rel === "stylesheet");
    var module = thrown instanceof TypeError && /module/i.test(thrown.message);
    if (thrown instanceof SyntaxError && !root.hasAttribute("data-started")) say(tooOld || "");
    else if (part || module) again();
  }

  /** Loads the page anew once the box answers: a page that is loaded too early is the browser's own, and stays. */
  function again() {
    if (failed) return;
    failed = true;
    var tries = count(0);
    if (tries >= QUICK_TRIES)
      say("A part of this page does not come" + (lost[0] ? ": " + lost[0] : "") + ". Is the Wi-Fi weak? Trying again.");
    setTimeout(renew, tries >= QUICK_TRIES ? SLOW_MS : AGAIN_MS + Math.random() * SPREAD_MS);
  }

  function renew() {
    fetch(location.href, { method: "HEAD", cache: "no-store" })
      .then(function (answer) {
        if (!answer.ok) throw new Error(answer.statusText);
        count(1);
        return Promise.all(
          suspects().map(function (address) {
            return fetch(address, { cache: "reload" });
          })
        );
      })
      .then(
        function () {
          location.reload();
        },
        function () {
          failed = false;
          again();
        }
      );
  }

  /** WebKit keeps what was lost in advance, and does not ask for it again when the page is loaded anew: it is fetched past its memory. */
  function suspects() {
    if (lost.length) return lost;
    var links = document.querySelectorAll("link[rel=modulepreload]");
    for (var i = 0; i < links.length; i++) lost.push(/** @type {HTMLLinkElement} */ (links[i]).href);
    return lost;
  }

  /** Adds to the tries of late, and returns them. Without storage they are not counted. @param {number} more */
  function count(more) {
    try {
      var kept = JSON.parse(sessionStorage.getItem("tries") || "[0, 0]");
      var tries = (Date.now() - kept[1] < FORGOTTEN_MS ? kept[0] : 0) + more;
      if (more) sessionStorage.setItem("tries", JSON.stringify([tries, Date.now()]));
      return tries;
    } catch (ignored) {
      return 0;
    }
  }

  /** Shows nothing but this: what stands on the page does not work. @param {string} words */
  function say(words) {
    failed = true;
    line.setAttribute("role", "alert");
    line.textContent = words;
    line.style.cssText = "margin: auto; max-width: 20em; padding: 25vh 1em; font-size: 1.5em; text-align: center";
    // Hidden, not gone: what already runs may still draw there.
    var parts = document.body.children;
    for (var i = parts.length; i--;) parts[i].setAttribute("hidden", "");
    line.hidden = false;
    document.body.appendChild(line);
  }
})();
