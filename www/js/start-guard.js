// Starts a page: chooses its language and requests its words, reloads the page if a part of it fails to load, and shows a message if the
// browser is too old. If the network changes during a load (a box that gets its address while booting, a phone that has just joined the
// Wi-Fi), browsers abort all requests, and a page without one of its modules never starts.
//
// A classic script in ECMAScript 5, so that every browser runs it. The page runs it before it requests its modules.
(function () {
  "use strict";

  /** Milliseconds until the next try, plus a random part of the same size. */
  var AGAIN_MS = 1000;
  var SPREAD_MS = 1000;
  /** Quick tries. After these the page shows a message, and tries more slowly. */
  var QUICK_TRIES = 3;
  var SLOW_MS = 30000;
  /** Milliseconds after which earlier tries no longer count. */
  var FORGOTTEN_MS = 120000;

  var root = document.documentElement;
  var tooOld = document.currentScript ? document.currentScript.getAttribute("data-too-old") : "";
  var failed = false;
  /** @type {string[]} addresses of the files that failed to load */
  var lost = [];
  var page = document.createElement("main");
  page.lang = "en";
  var line = page.appendChild(document.createElement("h1"));

  var name = root.getAttribute("data-page");
  root.lang = chooseLanguage();
  // Requested before the page's modules, which import it. Not by a preload, because Safari before 17 does not preload modules.
  var script = document.createElement("script");
  script.type = "module";
  script.src = "/js/lang/" + name + "/" + root.lang + ".js";
  document.head.appendChild(script);

  // `true`, because an element's error event does not bubble.
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
  // Dispatched by js/dom.js, because WebKit reports no error for a module that another one awaits.
  addEventListener("partlost", function (event) {
    var thrown = /** @type {CustomEvent} */ (event).detail;
    if (thrown instanceof SyntaxError) say(tooOld || "");
    else retry();
  });
  addEventListener("load", function () {
    if (!failed && !root.hasAttribute("data-started")) say(tooOld || "");
  });

  // A page that was left while loading and is restored from the back/forward cache does not finish loading.
  addEventListener("pageshow", function (event) {
    if (event.persisted && !root.hasAttribute("data-started")) location.reload();
  });

  /** Returns the code of the stored language. Without one it returns the page's first language, or on a phone the first of the guest's
   * languages that the page has. */
  function chooseLanguage() {
    var there = String(root.getAttribute("data-languages")).split(" ");
    var wanted = name === "pad" ? [""].concat(navigator.languages || []) : [""];
    try {
      wanted[0] = String(localStorage.getItem("language-" + name));
    } catch (ignored) {
      // Without storage there is no stored language.
    }
    for (var i = 0; i < wanted.length; i++) {
      var code = wanted[i].slice(0, 2).toLowerCase();
      if (there.indexOf(code) >= 0) return code;
    }
    return there[0];
  }

  /**
   * Decides on an error whether the page must be reloaded.
   * @param {EventTarget | null} target an element whose file failed to load
   * @param {unknown} thrown an error of a script, such as for an import that failed to load
   */
  function check(target, thrown) {
    var link = target instanceof HTMLLinkElement ? target : null;
    var code = target instanceof HTMLScriptElement ? target : null;
    if (link || code) lost.push(link ? link.href : code ? code.src : "");
    // A failed preload is requested again when it is needed. js/language.js replaces words that failed.
    var part = (code && code !== script) || (link && link.rel === "stylesheet");
    var module = thrown instanceof TypeError && /module/i.test(thrown.message);
    if (thrown instanceof SyntaxError && !root.hasAttribute("data-started")) say(tooOld || "");
    else if (part || module) retry();
  }

  /** Reloads the page as soon as the box answers. An earlier reload would show the browser's own error page. */
  function retry() {
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
          retry();
        }
      );
  }

  /** Returns the files to fetch without the cache. WebKit remembers a failed preload, and does not request it again on a reload. */
  function suspects() {
    if (lost.length) return lost;
    var links = document.querySelectorAll("link[rel=modulepreload]");
    for (var i = 0; i < links.length; i++) lost.push(/** @type {HTMLLinkElement} */ (links[i]).href);
    return lost;
  }

  /** Adds to the recent tries, and returns their number. Without storage they are not counted. @param {number} more */
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

  /** Shows only a message, because the rest of the page does not work. @param {string} words */
  function say(words) {
    failed = true;
    line.setAttribute("aria-live", "assertive");
    line.style.cssText = "margin: auto; max-width: 20em; padding: 25vh 1em; font: 1.5em sans-serif; text-align: center";
    // Hidden instead of removed, because running scripts may still draw there.
    var parts = document.body.children;
    for (var i = parts.length; i--;) /** @type {HTMLElement} */ (parts[i]).hidden = true;
    document.body.appendChild(page).hidden = false;
    line.textContent = words; // last, because a screen reader announces changes
  }
})();
