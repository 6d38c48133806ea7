//! The board that plays itself on the TV while nobody plays: what a bar sees all day.

use crate::games::{Board, Entry, Game, Next, Side, other};
use rand::RngExt;
use rand::rngs::StdRng;

/// Plies at the start of a game that are drawn by lot, so that no two games look alike.
const BY_LOT: usize = 4;
/// Steps for which a finished board stays.
const REST: usize = 5;

/// One game that plays itself, over and over.
#[derive(Debug)]
pub struct Attract {
    game: &'static Entry,
    board: Box<dyn Game>,
    on_turn: Side,
    plies: usize,
    /// Steps since the game ended; `None` while it goes on.
    rest: Option<usize>,
}

impl Attract {
    /// The opening position.
    pub fn new(game: &'static Entry) -> Self {
        Attract { game, board: (game.new_state)(), on_turn: 1, plies: 0, rest: None }
    }

    /// Plays one move, or lets the finished board stand, or begins anew.
    pub fn step(&mut self, rng: &mut StdRng) {
        if let Some(rest) = &mut self.rest {
            *rest += 1;
            if *rest >= REST {
                *self = Attract::new(self.game);
            }
            return;
        }
        let moves = self.board.moves(self.on_turn);
        let v = if self.plies < BY_LOT && !moves.is_empty() {
            moves[rng.random_range(0..moves.len())]
        } else {
            self.board.auto_move(self.on_turn)
        };
        self.plies += 1;
        match self.board.apply(v, self.on_turn) {
            Next::Other => self.on_turn = other(self.on_turn),
            Next::Side(side, _) => self.on_turn = side,
            Next::Over(_) => self.rest = Some(0),
        }
    }

    /// The board of now.
    pub fn board(&self) -> Board {
        self.board.board()
    }
}
