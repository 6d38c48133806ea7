//! Four in a Row, on seven columns and six rows. A move is a column, 0..=6 from the left. The stone falls to the lowest
//! free cell. Four or more stones in a row, column or diagonal win. A full board without them is a draw.

use super::grid::{self, bits};
use super::{Board, Game, Move, Next, Outcome, Side, other};
use std::cmp::Reverse;

const COLS: usize = 7;
const CELLS: usize = 6 * COLS;

/// A set of cells: bit n is cell n. A search plays a hundred thousand moves per second on such sets.
type Cells = u64;

const BOARD: Cells = (1 << CELLS) - 1;
const FIRST_COLUMN: Cells = 0x8_1020_4081;
const LAST_COLUMN: Cells = FIRST_COLUMN << (COLS - 1);

/// The directions across, down, falling and rising: the number that a step adds to a cell, and the cells that the step
/// can reach.
const STEPS: [(usize, Cells); 4] = [
    (1, BOARD & !FIRST_COLUMN),
    (COLS, BOARD),
    (COLS + 1, BOARD & !FIRST_COLUMN),
    (COLS - 1, BOARD & !LAST_COLUMN),
];

/// The worth of a stone in each cell: how many of the board's 69 lines of four contain the cell.
#[rustfmt::skip]
const WORTH: [u8; CELLS] = [
    3, 4,  5,  7,  5, 4, 3,
    4, 6,  8, 10,  8, 6, 4,
    5, 8, 11, 13, 11, 8, 5,
    5, 8, 11, 13, 11, 8, 5,
    4, 6,  8, 10,  8, 6, 4,
    3, 4,  5,  7,  5, 4, 3,
];

/// The board. A cell has the number row × 7 + column. Row 0 is at the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Four {
    /// The stones of each side.
    stones: [Cells; 2],
    /// Whether a side has four in a row, so that the game is over.
    won: bool,
}

/// Returns the last cell of each line of four in one direction.
fn ends_of_fours(stones: Cells, (by, reach): (usize, Cells)) -> Cells {
    let longer = |ends: Cells| (ends << by) & reach & stones;
    longer(longer(longer(stones)))
}

/// Returns whether the stones contain a line of four.
fn has_four(stones: Cells) -> bool {
    STEPS.into_iter().any(|step| ends_of_fours(stones, step) != 0)
}

/// Returns the cells of all lines of four or more.
fn lines(stones: Cells) -> Cells {
    let lines = STEPS.map(|step| {
        let (by, ends) = (step.0, ends_of_fours(stones, step));
        ends | ends >> by | ends >> (2 * by) | ends >> (3 * by)
    });
    lines.into_iter().fold(0, |all, line| all | line)
}

impl Four {
    /// Parses a board from a text of 42 cells. Returns `None` for any other text, and if there is an
    /// empty cell below a stone.
    pub fn from_cells(text: &str) -> Option<Self> {
        let stones = grid::sets(&grid::parse::<CELLS>(text)?);
        let board = Four { stones, won: stones.into_iter().any(has_four) };
        let hangs = (board.taken() << COLS) & board.free() != 0;
        (!hangs).then_some(board)
    }

    fn taken(&self) -> Cells {
        self.stones[0] | self.stones[1]
    }

    fn free(&self) -> Cells {
        BOARD & !self.taken()
    }

    /// Returns the cell that a stone in this column falls to, or `None` if the column is full or not on the board.
    fn lowest(&self, v: Move) -> Option<usize> {
        let column = if usize::from(v) < COLS { FIRST_COLUMN << v } else { 0 };
        (column & self.free()).checked_ilog2().map(|cell| cell as usize)
    }

    /// Returns the cells that a stone can fall to.
    fn playable(&self) -> Cells {
        let free = self.free();
        let supported = self.taken() >> COLS | BOARD & !(BOARD >> COLS);
        if self.won { 0 } else { free & supported }
    }
}

impl Game for Four {
    fn legal(&self, v: Move, _side: Side) -> bool {
        !self.won && self.lowest(v).is_some()
    }

    /// Returns a move that wins, or else one that stops the other side from winning, or else one above which the other
    /// side cannot win. Of several it returns the one on most lines, then the one nearest to the middle, then the
    /// leftmost.
    fn auto_move(&self, side: Side) -> Move {
        let playable = self.playable();
        let [own, theirs] = [side, other(side)].map(|side| self.stones[usize::from(side)]);
        let fours = |stones: Cells| move |&cell: &usize| has_four(stones | 1 << cell);
        let lets_win_above = |&cell: &usize| cell >= COLS && has_four(theirs | 1 << (cell - COLS));
        let best = |cells: &mut dyn Iterator<Item = usize>| {
            let worth = |&cell: &usize| (Reverse(WORTH[cell]), (cell % COLS).abs_diff(3), cell % COLS);
            cells.min_by_key(worth)
        };
        best(&mut bits(playable).filter(fours(own)))
            .or_else(|| best(&mut bits(playable).filter(fours(theirs))))
            .or_else(|| best(&mut bits(playable).filter(|cell| !lets_win_above(cell))))
            .or_else(|| best(&mut bits(playable)))
            .map_or(0, |cell| (cell % COLS) as Move)
    }

    fn apply(&mut self, v: Move, side: Side) -> Next {
        let Some(cell) = self.lowest(v) else { return Next::Other };
        let own = &mut self.stones[usize::from(side)];
        *own |= 1 << cell;
        // A game ends with its first four, so this stone is part of all lines.
        let line: Vec<u8> = bits(lines(*own)).map(|cell| cell as u8).collect();
        if !line.is_empty() {
            self.won = true;
            return Next::Over(Outcome { winner: Some(side), line, score: None });
        }
        if self.free() == 0 { Next::Over(Outcome::default()) } else { Next::Other }
    }

    fn moves(&self, _side: Side) -> Vec<Move> {
        let playable = self.playable();
        (0..COLS as Move).filter(|&v| playable & FIRST_COLUMN << v != 0).collect()
    }

    fn board(&self) -> Board {
        Board(vec![("cells", grid::text(&grid::cells::<CELLS>(self.stones)))])
    }
}
