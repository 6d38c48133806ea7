// What the measurements put into each page.
interface Window {
  /** Milliseconds since the navigation at which something came about. */
  noted: { join?: number; tap?: number; view?: number };
}
