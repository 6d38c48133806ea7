//! Reversi, the game of the 1880s, on 8 × 8 squares. A move is a square, row × 8 + column from the top left.
//!
//! A stone must trap stones of the other side in straight lines between itself and another stone of its own side. All
//! trapped stones turn over. A side without a legal move passes. When neither side has one, the game is over, and the
//! side with more stones wins.

use super::grid::{self, bits};
use super::{Board, Field, Game, Move, Next, Note, Outcome, Side, other};
use std::cmp::Reverse;

const SQUARES: usize = 64;

/// A set of squares: bit n is square n. A search plays a hundred thousand moves per second on such sets.
type Squares = u64;

/// The squares that a step to the right can reach without a wrap to the next row, and those of a step to the left.
const NOT_FIRST_COLUMN: Squares = 0xfefe_fefe_fefe_fefe;
const NOT_LAST_COLUMN: Squares = 0x7f7f_7f7f_7f7f_7f7f;

/// The eight directions: the number that a step adds to a square, and the squares that the step can reach.
const STEPS: [(i32, Squares); 8] = [
    (-9, NOT_LAST_COLUMN),
    (-8, Squares::MAX),
    (-7, NOT_FIRST_COLUMN),
    (-1, NOT_LAST_COLUMN),
    (1, NOT_FIRST_COLUMN),
    (7, NOT_LAST_COLUMN),
    (8, Squares::MAX),
    (9, NOT_FIRST_COLUMN),
];

/// The worth of a stone on each square. A corner never turns over. A stone beside a corner lets the other side take it.
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

/// Moves the squares of a set by one step. Squares that leave the board are removed.
fn shifted(set: Squares, (by, reach): (i32, Squares)) -> Squares {
    let moved = if by > 0 { set << by } else { set >> -by };
    moved & reach
}

/// Returns the squares of `of` that follow `from` without a gap in one direction. `from` is not included.
fn run(from: Squares, of: Squares, step: (i32, Squares)) -> Squares {
    let mut run = shifted(from, step) & of;
    // At most six stones lie between two others.
    for _ in 0..5 {
        run |= shifted(run, step) & of;
    }
    run
}

/// The stones of each side. Row 0 is at the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversi {
    stones: [Squares; 2],
}

impl Default for Reversi {
    fn default() -> Self {
        Reversi { stones: [1 << 27 | 1 << 36, 1 << 28 | 1 << 35] }
    }
}

impl Reversi {
    /// Parses a board from a text of 64 squares. Returns `None` for any other text.
    pub fn from_cells(text: &str) -> Option<Self> {
        let cells: [u8; SQUARES] = grid::parse(text)?;
        Some(Reversi { stones: grid::sets(&cells) })
    }

    /// Returns the stones of a side, then those of the other side.
    fn sides(&self, side: Side) -> [Squares; 2] {
        [self.stones[usize::from(side)], self.stones[usize::from(other(side))]]
    }

    /// Returns the stones that a side's stone on one square traps.
    fn trapped(&self, v: Move, side: Side) -> Squares {
        let [own, theirs] = self.sides(side);
        let runs = STEPS.map(|step| {
            let run = run(1 << v, theirs, step);
            let ends = shifted(run, step) & own;
            if ends == 0 { 0 } else { run }
        });
        runs.into_iter().fold(0, |all, run| all | run)
    }

    /// Returns the squares that a side can play.
    fn playable(&self, side: Side) -> Squares {
        let [own, theirs] = self.sides(side);
        let reached = STEPS.map(|step| shifted(run(own, theirs, step), step));
        reached.into_iter().fold(0, |all, squares| all | squares) & !(own | theirs)
    }

    /// Returns the number of stones of each side.
    fn count(&self) -> [u16; 2] {
        self.stones.map(|stones| stones.count_ones() as u16)
    }
}

impl Game for Reversi {
    fn legal(&self, v: Move, side: Side) -> bool {
        usize::from(v) < SQUARES && self.playable(side) >> v & 1 == 1
    }

    /// Returns the square with the greatest worth. Of several it returns the one that turns over the most stones,
    /// which wins slightly more often, then the first one.
    fn auto_move(&self, side: Side) -> Move {
        let playable = self.playable(side);
        let most = bits(playable).map(|square| WORTH[square]).max();
        let best = bits(playable).filter(|&square| Some(WORTH[square]) == most).map(|square| square as Move);
        best.min_by_key(|&v| Reverse(self.trapped(v, side).count_ones())).unwrap_or_default()
    }

    fn apply(&mut self, v: Move, side: Side) -> Next {
        let trapped = self.trapped(v, side);
        self.stones[usize::from(side)] |= trapped | 1 << v;
        self.stones[usize::from(other(side))] &= !trapped;

        if self.playable(other(side)) != 0 {
            return Next::Other;
        }
        if self.playable(side) != 0 {
            return Next::Side(side, Note::Pass);
        }
        Next::Over(Outcome::by_score(self.count()))
    }

    fn moves(&self, side: Side) -> Vec<Move> {
        bits(self.playable(side)).map(|square| square as Move).collect()
    }

    fn board(&self) -> Board {
        let count = Field::Numbers(self.count().to_vec());
        Board(vec![("cells", grid::text(&grid::cells::<SQUARES>(self.stones))), ("count", count)])
    }
}
