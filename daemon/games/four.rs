//! Four in a Row. Seven columns, six rows; a move is a column, 0..=6 from the left, and the stone falls to
//! the lowest free cell. Four or more across, up or slanting wins; a full board is a draw.

use super::grid::{self, EMPTY, Step, stone};
use super::{Board, Game, Move, Next, Outcome, Side, other};
use std::cmp::Reverse;

const ROWS: usize = 6;
const COLS: usize = 7;
const CELLS: usize = ROWS * COLS;

/// Across, up, rising, falling; each is looked along both ways.
const LINES: [Step; 4] = [(0, 1), (1, 0), (-1, 1), (1, 1)];

/// How many of the board's 69 lines of four pass through each cell: what leaning to the middle is worth.
#[rustfmt::skip]
const WORTH: [u8; CELLS] = [
    3, 4,  5,  7,  5, 4, 3,
    4, 6,  8, 10,  8, 6, 4,
    5, 8, 11, 13, 11, 8, 5,
    5, 8, 11, 13, 11, 8, 5,
    4, 6,  8, 10,  8, 6, 4,
    3, 4,  5,  7,  5, 4, 3,
];

/// The board: cell = row × 7 + column, row 0 on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Four {
    cells: [u8; CELLS],
    /// Somebody has four in a row, and nothing more can be played.
    won: bool,
}

impl Default for Four {
    fn default() -> Self {
        Four { cells: [EMPTY; CELLS], won: false }
    }
}

impl Four {
    /// The board that a text of 42 cells tells of; `None` if it is no such text or a stone hangs in the air.
    pub fn from_cells(text: &str) -> Option<Self> {
        let cells = grid::read(text)?;
        let hangs = |cell: usize| cells[cell] != EMPTY && cells.get(cell + COLS) == Some(&EMPTY);
        let mut board = Four { cells, won: false };
        board.won = (0..CELLS).any(|cell| !board.line(cell).is_empty());
        (!(0..CELLS).any(hangs)).then_some(board)
    }

    /// The cell that a stone in this column falls to; `None` if the column is full or not on the board.
    fn lowest(&self, v: Move) -> Option<usize> {
        let col = Some(usize::from(v)).filter(|&col| col < COLS)?;
        (0..ROWS).rev().map(|row| row * COLS + col).find(|&cell| self.cells[cell] == EMPTY)
    }

    /// Every cell of every line of four and more through a cell's stone, ascending.
    fn line(&self, cell: usize) -> Vec<u8> {
        let mine = self.cells[cell];
        if mine == EMPTY {
            return Vec::new();
        }
        let mut line = Vec::new();
        for (down, right) in LINES {
            let same =
                |step| grid::ray::<ROWS, COLS>(cell, step).take_while(|&next| self.cells[next] == mine);
            let run: Vec<usize> = same((down, right)).chain(same((-down, -right))).collect();
            if run.len() >= 3 {
                line.push(cell as u8);
                line.extend(run.iter().map(|&cell| cell as u8));
            }
        }
        line.sort_unstable();
        line.dedup();
        line
    }

    /// Would this side win by playing there now?
    fn wins(&self, v: Move, side: Side) -> bool {
        self.legal(v, side) && matches!(self.clone().apply(v, side), Next::Over(end) if end.winner.is_some())
    }

    /// Would the other side then win right above that stone?
    fn hands_over(&self, v: Move, side: Side) -> bool {
        let mut then = self.clone();
        then.apply(v, side);
        then.wins(v, other(side))
    }
}

impl Game for Four {
    fn legal(&self, v: Move, _side: Side) -> bool {
        !self.won && self.lowest(v).is_some()
    }

    fn auto_move(&self, side: Side) -> Move {
        let mut moves = self.moves(side);
        // The best first; of equals the one nearer the middle, then the left one.
        moves.sort_by_key(|&v| {
            let worth = self.lowest(v).map_or(0, |cell| WORTH[cell]);
            (Reverse(worth), v.abs_diff(3))
        });
        let first = |good: &dyn Fn(Move) -> bool| moves.iter().copied().find(|&v| good(v));
        first(&|v| self.wins(v, side))
            .or_else(|| first(&|v| self.wins(v, other(side))))
            .or_else(|| first(&|v| !self.hands_over(v, side)))
            .or_else(|| first(&|_| true))
            .unwrap_or_default()
    }

    fn apply(&mut self, v: Move, side: Side) -> Next {
        let Some(cell) = self.lowest(v) else { return Next::Other };
        self.cells[cell] = stone(side);
        let line = self.line(cell);
        if !line.is_empty() {
            self.won = true;
            return Next::Over(Outcome { winner: Some(side), line, score: None });
        }
        if self.cells.contains(&EMPTY) { Next::Other } else { Next::Over(Outcome::default()) }
    }

    fn moves(&self, side: Side) -> Vec<Move> {
        (0..COLS as Move).filter(|&v| self.legal(v, side)).collect()
    }

    fn board(&self) -> Board {
        Board(vec![("cells", grid::text(&self.cells))])
    }
}
