// The winner's moment: the room sees who has won, and how often in a row, before the next game. Loaded when a game begins.
import { el, svg } from "../dom.js";
import { LASTING_MS, until } from "../games/grid.js";
import { fit, textLine } from "./fit.js";

/** @typedef {import("../wire.js").GameView} GameView */

const BAND_MS = 500; // first the line alone that won
const NAME_MS = 650;
const CROWN_MS = 1_000;
const CROWN_LAG_MS = 120; // from one crown to the next
const OUT_MS = 3_200;
const END_MS = 3_500;
/** Crowns that a room can count at a glance; of more there is one, with its number. */
const CROWNS_MAX = 10;
/** Wins in a row that are celebrated with a shower of gold, and again after as many. */
const GREAT = 5;
const COINS = 28;
const FALL_MS = 1_500;

const sheet = el("link", { rel: "stylesheet", href: "/css/tv-moment.css" });
await new Promise((resolve, reject) => {
  sheet.addEventListener("load", resolve);
  sheet.addEventListener("error", reject);
  document.head.append(sheet);
});

/**
 * Returns the person who has won a result's game by playing, with the number of wins in a row, or null if there is none. Games against
 * the House do not count.
 * @param {GameView} view
 */
function winnerOf({ result, seats: [champion, challenger] }) {
  const side = result?.winner ?? null;
  if (!result || side === null || result.how !== "play" || (side === 1 && challenger?.house)) return null;
  const streak = challenger?.house ? 0 : side === 0 ? (champion?.streak ?? 0) + 1 : 1;
  return { nick: result.names[side], side, streak };
}

/**
 * Celebrates the winner of a result.
 * @param {HTMLElement} stage
 * @param {GameView} view
 * @returns {(() => void) | null} ends it at once; null if nobody is celebrated
 */
export function celebrate(stage, view) {
  const winner = winnerOf(view);
  if (!winner) return null;
  const { nick, side, streak } = winner;
  const name = textLine("name");
  const band = el("div", { class: "band" });
  const crowns = Array.from({ length: streak > CROWNS_MAX ? 1 : streak }, crown);
  const great = streak > 0 && streak % GREAT === 0;
  const coins = Array.from({ length: great ? COINS : 0 }, () => el("i", { class: "coin" }));
  const marks = el(
    "div",
    { class: "crowns" },
    ...crowns,
    ...(streak > CROWNS_MAX ? [el("b", {}, String(streak))] : []),
  );
  const moment = el("div", { id: "moment", "data-of": side, "aria-hidden": "true" }, ...coins, band, name, marks);
  stage.append(moment);
  fit(name, nick);

  const flat = { transform: "scaleY(0)", opacity: 0 };
  const aside = { transform: `translateX(${side === 0 ? -6 : 6}rem)`, opacity: 0 };
  const shown = { transform: "none", opacity: 1 };
  const drop = until(
    [
      come(band, flat, shown, BAND_MS, 220),
      come(name, aside, shown, NAME_MS, 320),
      ...[...marks.children].map((mark, i) =>
        come(mark, { transform: "scale(0)", opacity: 0 }, shown, CROWN_MS + i * CROWN_LAG_MS, 260),
      ),
      ...coins.map(fall),
      moment.animate(
        [
          { opacity: 1 },
          { opacity: 1, offset: OUT_MS / LASTING_MS },
          { opacity: 0, offset: END_MS / LASTING_MS },
          { opacity: 0 },
        ],
        LASTING_MS,
      ),
    ],
    END_MS,
  );
  const end = () => {
    clearTimeout(timer);
    drop();
    moment.remove();
  };
  const timer = setTimeout(end, END_MS);
  return end;
}

/** @param {Element} node @param {Keyframe} from @param {Keyframe} to @param {number} at @param {number} ms @param {string} [easing] */
function come(node, from, to, at, ms, easing = "cubic-bezier(.3, 1.5, .6, 1)") {
  return node.animate(
    [from, { ...from, offset: at / LASTING_MS, easing }, { ...to, offset: (at + ms) / LASTING_MS }, to],
    LASTING_MS,
  );
}

/** A coin falls from above, each on its own way. @param {Element} coin @param {number} i */
function fall(coin, i) {
  const x = ((i * 23) % COINS) * (56 / COINS);
  const at = CROWN_MS + ((i * 11) % COINS) * 30;
  /** @type {(y: number, turned: number) => Keyframe} */
  const place = (y, turned) => ({ transform: `translate(${x}rem, ${y}rem) rotateY(${turned}deg)` });
  return come(coin, place(-4, 0), place(36, 720 + 90 * (i % 4)), at, FALL_MS, "cubic-bezier(.4, 0, .9, .8)");
}

function crown() {
  return svg(
    "svg",
    { class: "crown", viewBox: "0 0 48 40" },
    svg("path", { d: "M5 32 1 9l12 9L24 2l11 16 12-9-4 23z" }),
    svg("path", { class: "base", d: "M5 35h38v4H5z" }),
  );
}
