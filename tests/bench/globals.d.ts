// The values that the measurements add to each page.
interface Window {
  /** Milliseconds since the navigation at which something came about. */
  noted: { join?: number; tap?: number; view?: number };
}
