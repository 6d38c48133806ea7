//! Reversi, the game of the 1880s. Eight by eight; a move is a square, row × 8 + column from the top left.
//! A stone goes where it traps the other side's stones in straight lines between itself and one of its own; they all
//! turn over. A side without a move passes; when neither has one, the most stones on the board win.

use super::grid::{self, bits};
use super::{Board, Field, Game, Move, Next, Note, Outcome, Side, other};
use std::cmp::Reverse;

const SQUARES: usize = 64;

/// Squares as a set: bit n is square n. A search plays a hundred thousand moves a second on this.
type Squares = u64;

/// All squares that a step to the right does not wrap to, and those for a step to the left.
const NOT_FIRST_COLUMN: Squares = 0xfefe_fefe_fefe_fefe;
const NOT_LAST_COLUMN: Squares = 0x7f7f_7f7f_7f7f_7f7f;

/// The eight directions: squares onward (negative: back), and the squares that a step can reach.
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

/// Returns where the set's squares are after one step; those that leave the board are gone.
fn shifted(set: Squares, (by, reach): (i32, Squares)) -> Squares {
    let moved = if by > 0 { set << by } else { set >> -by };
    moved & reach
}

/// Returns the squares of `of` in an unbroken run from `from`, itself left out, in one direction.
fn run(from: Squares, of: Squares, step: (i32, Squares)) -> Squares {
    let mut run = shifted(from, step) & of;
    // At most six stones lie between two others.
    for _ in 0..5 {
        run |= shifted(run, step) & of;
    }
    run
}

/// The board, row 0 on top: each side's stones.
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
    /// Parses a board from a text of 64 squares. Returns `None` if it is no such text.
    pub fn from_cells(text: &str) -> Option<Self> {
        let cells: [u8; SQUARES] = grid::parse(text)?;
        Some(Reversi { stones: grid::sets(&cells) })
    }

    /// Returns the stones of a side and of the other.
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

    /// Plays the square that is worth most. Of equals takes the one that turns the most stones, which wins a little
    /// more often, then the first.
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
