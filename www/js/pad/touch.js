// Adapts touches: no zoom by quick taps, a short buzz, and a mark for pages with little height.

/** Milliseconds within which a browser may read two taps as a double tap. */
const DOUBLE_MS = 400;

/**
 * Prevents zoom by double tap, also in browsers that ignore `touch-action` between two buttons. Zoom by two fingers still works.
 * Preventing the zoom prevents the click as well, so it is dispatched here.
 */
export function preventDoubleTapZoom() {
  let last = -Infinity;
  addEventListener(
    "touchend",
    (event) => {
      const quick = event.timeStamp - last < DOUBLE_MS;
      last = event.timeStamp;
      const { target, changedTouches } = event;
      const [touch] = changedTouches;
      if (
        !quick ||
        !event.cancelable ||
        event.touches.length ||
        !touch ||
        !(target instanceof Element) ||
        target.closest("input")
      )
        return;
      event.preventDefault();
      const button = target.closest("button");
      if (button?.contains(document.elementFromPoint(touch.clientX, touch.clientY))) button.click();
    },
    { passive: false },
  );
  addEventListener("dblclick", (event) => event.preventDefault());
  // Safari shows the pressed state only if there is a listener for touches.
  addEventListener("touchstart", () => {}, { passive: true });
}

/** Vibrates briefly, if the phone can and was touched before. Otherwise the browser logs an error. */
export function buzz() {
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(80);
}

/** Height in pixels below which a page is tight, because a keyboard is open or the phone is in landscape. */
const TIGHT_PX = 440;

/** Marks the body while there is little height. On some phones a keyboard shrinks only the visual viewport. */
export function watchHeight() {
  const view = window.visualViewport;
  const mark = () => {
    const height = view ? view.height * view.scale : innerHeight;
    document.body.toggleAttribute("data-tight", height < TIGHT_PX);
  };
  (view ?? window).addEventListener("resize", mark);
  mark();
}
