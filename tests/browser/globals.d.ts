// The values that the harness adds to each page.
interface Window {
  /** Returns the board, one character per cell: `.`, `0` or `1`. */
  boardCells(): string;
  /** The animations that will end soon: not those that pulse for ever, nor the clocks' bars. */
  shortAnimations(): Animation[];
  /** Whether the first connection since the page was asked to note it was made while the page was shown again. */
  connectedAtOnce?: boolean;
  /** The animations that began since a test asked for them to be noted. */
  started: { properties: string[]; board: boolean }[];
  /** What a room was told and when: moment.test.mjs. */
  watched: { told?: string; drawn?: string; left?: number }[];
  /** Where things stood, each time that anything changed: screens.test.mjs. */
  recorded: { at: number; screen: string; boxes: Record<string, [number, number, number, number]> }[];
  /** The sounds that were started: sound.test.mjs. */
  heard: { at: number; now: number; stopped: boolean }[];
  /** When stones were seen to land, in milliseconds of the page: sound.test.mjs. */
  landed: number[];
}
