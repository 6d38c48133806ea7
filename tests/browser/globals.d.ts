// The values that the harness adds to each page.
interface Window {
  /** Returns the board, one character per cell: `.`, `0` or `1`. */
  boardCells(): string;
  /** The animations that will end soon: not those that pulse for ever, nor the clocks' bars. */
  moving(): Animation[];
  /** Whether the first connection since the page was asked to note it was made while the page was shown again. */
  connectedAtOnce?: boolean;
  /** The animations that began since a test asked for them to be noted. */
  started: { properties: string[]; board: boolean }[];
}
