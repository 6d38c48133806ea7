// Moves the layout by a few pixels over minutes, so that nothing bright burns in on a panel that shows it all day.

/** Milliseconds between two steps. A step is about a pixel, and costs one composite. */
const STEP_MS = 15_000;
/** Largest offset in each direction, in rem, inside the margin that the style sheet reserves for it. */
const FAR_REM = { x: 0.25, y: 0.1875 };
/** Minutes of a swing in each direction. They have no common factor, so the path is long. */
const SWING_MIN = { x: 11, y: 7 };

/** @param {HTMLElement} stage */
export function drift(stage) {
  setInterval(() => {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const at = (/** @type {"x" | "y"} */ axis) => {
      const swing = Math.sin((performance.now() / 60_000 / SWING_MIN[axis]) * 2 * Math.PI);
      // Whole pixels of the screen, or text and QR code would blur. In rem, so that a smaller layout drifts less at once.
      return Math.round(swing * FAR_REM[axis] * rem * devicePixelRatio) / devicePixelRatio / rem;
    };
    stage.style.transform = `translate(${at("x")}rem, ${at("y")}rem)`;
  }, STEP_MS);
}
