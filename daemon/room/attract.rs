//! The attract loop: the board that plays by itself on the TV while no game is on.

use super::house::{Question, Ticket};
use crate::bot::Strength;
use crate::games::{Board, Entry, Game, Move, Next, Side, other};
use crate::limits::Ms;
use rand::RngExt;
use rand::rngs::StdRng;

/// Random moves at the start of a game, so that no two games look alike.
const RANDOM_MOVES: usize = 4;
/// Steps for which a finished board is shown.
const REST: usize = 5;

/// A game that plays by itself, again and again.
#[derive(Debug)]
pub struct Attract {
    game: &'static Entry,
    board: Box<dyn Game>,
    on_turn: Side,
    plies: usize,
    /// The number of steps so far, over all games.
    steps: u64,
    /// Whether the House has been asked for the next move.
    asked: bool,
    /// The move that the House has found for the next step.
    planned: Option<Move>,
    /// The number of steps since the game ended, or `None` during it.
    rest: Option<usize>,
}

impl Attract {
    /// Returns the opening position.
    pub fn new(game: &'static Entry) -> Self {
        Attract {
            game,
            board: (game.new_state)(),
            on_turn: 1,
            plies: 0,
            steps: 0,
            asked: false,
            planned: None,
            rest: None,
        }
    }

    /// Plays one move, or waits on the finished board, or starts a new game.
    pub fn step(&mut self, rng: &mut StdRng) {
        self.steps += 1;
        self.asked = false;
        let planned = self.planned.take();
        if let Some(rest) = &mut self.rest {
            *rest += 1;
            if *rest >= REST {
                *self = Attract { steps: self.steps, ..Attract::new(self.game) };
            }
            return;
        }
        let moves = self.board.moves(self.on_turn);
        let v = if self.plies < RANDOM_MOVES && !moves.is_empty() {
            moves[rng.random_range(0..moves.len())]
        } else {
            let planned = planned.filter(|&v| self.board.legal(v, self.on_turn));
            planned.unwrap_or_else(|| self.board.auto_move(self.on_turn))
        };
        self.plies += 1;
        match self.board.apply(v, self.on_turn) {
            Next::Other => self.on_turn = other(self.on_turn),
            Next::Side(side, _) => self.on_turn = side,
            Next::Over(_) => self.rest = Some(0),
        }
    }

    /// Returns the question for the House about the step at `due`, once for each step.
    pub(super) fn question(&mut self, due: Ms) -> Option<Question> {
        if self.asked || self.rest.is_some() || self.plies < RANDOM_MOVES {
            return None;
        }
        self.asked = true;
        let (ticket, board) = (Ticket::Attract(self.steps), self.board.boxed_clone());
        Some(Question { ticket, board, side: self.on_turn, strength: Strength::Middle, due })
    }

    /// Records the House's move for the step after `steps` steps. Without one `auto_move` is played.
    pub(super) fn plan(&mut self, steps: u64, v: Move) {
        if steps == self.steps {
            self.planned = Some(v);
        }
    }

    /// Returns the board.
    pub fn board(&self) -> Board {
        self.board.board()
    }
}
