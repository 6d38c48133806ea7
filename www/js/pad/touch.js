// What a browser would make of quick thumbs, and what is made of them here.

/** Milliseconds between two taps that a browser may take for one double tap. */
const DOUBLE_MS = 400;

/**
 * No zoom by double tap, on browsers too that do not heed `touch-action` between two buttons; zoom by two fingers works as ever.
 * A tap that is kept from zooming is kept from clicking as well, so it clicks here.
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
  // Without a listener for touches Safari shows no pressed state.
  addEventListener("touchstart", () => {}, { passive: true });
}

/** A short buzz, where a phone can and has been touched (else the browser complains). */
export function buzz() {
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(80);
}

/** Height in pixels below which a page is tight: a keyboard is open, or the phone lies on its side. */
const TIGHT_PX = 440;

/** Marks the body while there is little height. A keyboard takes it from the visual viewport alone on some phones. */
export function watchHeight() {
  const view = window.visualViewport;
  const mark = () => {
    const height = view ? view.height * view.scale : innerHeight;
    document.body.toggleAttribute("data-tight", height < TIGHT_PX);
  };
  (view ?? window).addEventListener("resize", mark);
  mark();
}
