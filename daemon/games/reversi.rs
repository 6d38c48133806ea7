//! Reversi. (being written)
use super::{Board, Field, Game, Move, Next, Outcome, Side};

/// The board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversi {
    cells: [u8; 42],
}

impl Default for Reversi {
    fn default() -> Self {
        Reversi { cells: [b'.'; 42] }
    }
}

impl Game for Reversi {
    fn legal(&self, v: Move, _side: Side) -> bool {
        v < 7 && self.cells[usize::from(v)] == b'.'
    }
    fn auto_move(&self, side: Side) -> Move {
        self.moves(side)[0]
    }
    fn apply(&mut self, v: Move, side: Side) -> Next {
        if let Some(row) = (0..6).rev().find(|r| self.cells[r * 7 + usize::from(v)] == b'.') {
            self.cells[row * 7 + usize::from(v)] = b'0' + side;
        }
        if self.cells.contains(&b'.') { Next::Other } else { Next::Over(Outcome::default()) }
    }
    fn board(&self) -> Board {
        Board(vec![("cells", Field::Text(String::from_utf8_lossy(&self.cells).into_owned()))])
    }
}
