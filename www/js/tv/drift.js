// The layout wanders a few pixels over minutes, so that nothing bright burns itself into a panel that shows it all day.

/** Milliseconds between two steps: a step is a pixel or so, and costs one composite. */
const STEP_MS = 15_000;
/** The farthest it goes each way, in rem: stays inside the safe margin that the style sheet keeps for it. */
const FAR_REM = { x: 0.25, y: 0.1875 };
/** Minutes of a swing each way; they share no factor, so the path is long. */
const SWING_MIN = { x: 11, y: 7 };

/** @param {HTMLElement} stage */
export function drift(stage) {
  setInterval(() => {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const at = (/** @type {"x" | "y"} */ axis) => {
      const swing = Math.sin((performance.now() / 60_000 / SWING_MIN[axis]) * 2 * Math.PI);
      // Whole pixels of the screen, or text and code would blur; said in rem, so that a smaller picture drifts less at once.
      return Math.round(swing * FAR_REM[axis] * rem * devicePixelRatio) / devicePixelRatio / rem;
    };
    stage.style.transform = `translate(${at("x")}rem, ${at("y")}rem)`;
  }, STEP_MS);
}
