//! Reversi, the game of the 1880s. Eight by eight; a move is a square, row × 8 + column from the top left.
//! A stone goes where it traps the other side's stones in straight lines between itself and one of its
//! own; they all turn over. Who has no move passes; when neither has one, the most stones on the board win.

use super::grid::{self, EMPTY, Step, stone};
use super::{Board, Field, Game, Move, Next, Note, Outcome, Side, other};
use std::cmp::Reverse;

const EDGE: usize = 8;
const SQUARES: usize = EDGE * EDGE;

const STEPS: [Step; 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// What a square is worth to hold: a corner is never turned over, and whoever plays beside one gives it away.
#[rustfmt::skip]
const WORTH: [i8; SQUARES] = [
    100, -20, 10,  5,  5, 10, -20, 100,
    -20, -50, -2, -2, -2, -2, -50, -20,
     10,  -2,  1,  1,  1,  1,  -2,  10,
      5,  -2,  1,  0,  0,  1,  -2,   5,
      5,  -2,  1,  0,  0,  1,  -2,   5,
     10,  -2,  1,  1,  1,  1,  -2,  10,
    -20, -50, -2, -2, -2, -2, -50, -20,
    100, -20, 10,  5,  5, 10, -20, 100,
];

/// The board, row 0 on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversi {
    cells: [u8; SQUARES],
}

impl Default for Reversi {
    fn default() -> Self {
        let mut cells = [EMPTY; SQUARES];
        for (side, squares) in [(0, [27, 36]), (1, [28, 35])] {
            for square in squares {
                cells[square] = stone(side);
            }
        }
        Reversi { cells }
    }
}

impl Reversi {
    /// The board that a text of 64 squares tells of; `None` if it is no such text.
    pub fn from_cells(text: &str) -> Option<Self> {
        grid::read(text).map(|cells| Reversi { cells })
    }

    /// How many stones a move traps in one direction.
    fn trapped(&self, square: usize, side: Side, step: Step) -> usize {
        let mut theirs = 0;
        for next in grid::ray::<EDGE, EDGE>(square, step) {
            match self.cells[next] {
                EMPTY => return 0,
                mark if mark == stone(side) => return theirs,
                _ => theirs += 1,
            }
        }
        0
    }

    fn can_move(&self, side: Side) -> bool {
        (0..SQUARES as Move).any(|v| self.legal(v, side))
    }

    /// Stones on the board: side 0's, side 1's.
    fn count(&self) -> [u16; 2] {
        [0, 1].map(|side| self.cells.iter().filter(|&&mark| mark == stone(side)).count() as u16)
    }
}

impl Game for Reversi {
    fn legal(&self, v: Move, side: Side) -> bool {
        let square = usize::from(v);
        self.cells.get(square) == Some(&EMPTY)
            && STEPS.iter().any(|&step| self.trapped(square, side, step) > 0)
    }

    fn auto_move(&self, side: Side) -> Move {
        let turned = |square| STEPS.iter().map(|&step| self.trapped(square, side, step)).sum::<usize>();
        let worst_last = |&v: &Move| {
            let square = usize::from(v);
            // Of squares of one worth the one that turns the most stones wins a little more often.
            Reverse((WORTH[square], turned(square)))
        };
        self.moves(side).into_iter().min_by_key(worst_last).unwrap_or_default()
    }

    fn apply(&mut self, v: Move, side: Side) -> Next {
        let square = usize::from(v);
        for step in STEPS {
            let trapped = self.trapped(square, side, step);
            for turned in grid::ray::<EDGE, EDGE>(square, step).take(trapped) {
                self.cells[turned] = stone(side);
            }
        }
        self.cells[square] = stone(side);

        if self.can_move(other(side)) {
            return Next::Other;
        }
        if self.can_move(side) {
            return Next::Side(side, Note::Pass);
        }
        Next::Over(Outcome::by_score(self.count()))
    }

    fn board(&self) -> Board {
        Board(vec![("cells", grid::text(&self.cells)), ("count", Field::Numbers(self.count().to_vec()))])
    }
}
