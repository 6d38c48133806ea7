// The menu of a room in which nobody does anything: its tiles take turns in playing their last few moves. Loaded after the menu is drawn.

/** Milliseconds without a press or a new view until the tiles play. */
const IDLE_MS = 60_000;
/** Milliseconds from one tile's turn to the next one's. */
const TURN_MS = 8_000;
/** Pieces that a tile plays, at most. */
const PIECES = 6;
/** Milliseconds between two pieces, and of a piece's way. Six pieces take half of a turn. */
const STEP_MS = 550;
const WAY_MS = 450;

/**
 * Lets the last pieces of a tile's picture come one after the other. Only the compositor works: all is transform and opacity.
 * @param {Element} tile
 * @returns {Animation[]}
 */
export function play(tile) {
  const pieces = /** @type {SVGElement[]} */ ([...tile.querySelectorAll("[data-piece]")]).slice(-PIECES);
  return pieces.map((piece, i) => {
    piece.style.transformBox = "fill-box";
    piece.style.transformOrigin = "center";
    const frames = [
      { opacity: 0, transform: "scale(1.5)" },
      { opacity: 1, transform: "scale(1)" },
    ];
    // Until its time a piece is away, as it was before its move.
    return piece.animate(frames, { delay: (i + 1) * STEP_MS, duration: WAY_MS, easing: "ease-in", fill: "backwards" });
  });
}

/**
 * Lets the menu's tiles take turns from now on, while nobody presses anything and no view arrives.
 * @param {HTMLElement} tiles
 * @param {number} [idle] milliseconds until they begin
 * @param {number} [turn] milliseconds of each
 */
export function takeTurns(tiles, idle = IDLE_MS, turn = TURN_MS) {
  let since = performance.now();
  let at = 0;
  /** @type {Animation[]} */
  let running = [];
  const stop = () => {
    for (const animation of running.splice(0)) animation.cancel();
  };
  const wake = () => {
    since = performance.now();
    stop();
  };
  addEventListener("keydown", wake);
  addEventListener("pointermove", wake);
  // Each view of the menu, and each step of any remote, selects a tile.
  new MutationObserver(wake).observe(tiles, { subtree: true, childList: true, attributeFilter: ["aria-selected"] });
  setInterval(() => {
    if (!tiles.checkVisibility()) return wake();
    const tile = tiles.children[at % tiles.childElementCount];
    if (!tile || document.hidden || performance.now() - since < idle) return;
    stop();
    running = play(tile);
    at += 1;
  }, turn);
}
