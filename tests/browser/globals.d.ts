// The values that the harness adds to each page.
interface Window {
  /** Returns the board, one character per cell: `.`, `0` or `1`. */
  boardCells(): string;
  /** Returns the animations that end soon, without endless ones and the clocks' bars. */
  shortAnimations(): Animation[];
  /** Whether the first connection since the start of the recording was made while the page was shown again. */
  connectedAtOnce?: boolean;
  /** The animations that have started since a test started to record them. */
  started: { properties: string[]; board: boolean }[];
  /** The changes of the board, counts and texts, in order (moment.test.mjs). */
  watched: { told?: string; drawn?: string; left?: number }[];
  /** The positions of the page's parts at each change (screens.test.mjs). */
  recorded: { at: number; screen: string; boxes: Record<string, [number, number, number, number]> }[];
  /** The sounds that were started (sound.test.mjs). */
  heard: { at: number; now: number; stopped: boolean }[];
  /** The times at which stones landed, in milliseconds of the page (sound.test.mjs). */
  landed: number[];
}
