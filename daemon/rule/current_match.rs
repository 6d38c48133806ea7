//! The game on the board, from its first view until the room is open again.

use crate::games::{Entry, Game, Move, Next, Note, Outcome, Side, other};
use crate::limits::Ms;
use crate::rule::people::PersonId;
use serde::Serialize;

/// The move that led to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LastMove {
    /// What was played.
    pub v: Move,
    /// By whom.
    pub side: Side,
    /// Played for somebody out of time.
    pub auto: bool,
    /// The id of the turn that it was made in.
    pub id: u64,
}

/// One side of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Player {
    pub(super) id: PersonId,
    /// The nickname when the game began, which is the one in its result.
    pub(super) name: String,
    /// The nickname that the player left with; `None`: still in the room.
    pub(super) left: Option<String>,
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameEnd {
    pub(super) outcome: Outcome,
    pub(super) forfeit: bool,
}

/// The game on the board.
#[derive(Debug)]
pub(super) struct Match {
    pub(super) board: Box<dyn Game>,
    pub(super) plies: Vec<Move>,
    pub(super) on_turn: Side,
    pub(super) players: [Player; 2],
    pub(super) last: Option<LastMove>,
    /// The side that a note tells of: who cannot move, or who moves again.
    pub(super) note: Option<(Note, Side)>,
    pub(super) started: Ms,
    pub(super) ended: Option<GameEnd>,
}

impl Match {
    pub(super) fn new(game: &Entry, players: [Player; 2], now: Ms) -> Self {
        Match {
            board: (game.new_state)(),
            plies: Vec::new(),
            on_turn: 1,
            players,
            last: None,
            note: None,
            started: now,
            ended: None,
        }
    }

    /// Plays a legal move of the side on turn; gives the outcome if it ends the game.
    pub(super) fn apply(&mut self, v: Move, auto: bool, id: u64) -> Option<Outcome> {
        let side = self.on_turn;
        let next = self.board.apply(v, side);
        self.plies.push(v);
        self.last = Some(LastMove { v, side, auto, id });
        self.note = None;
        match next {
            Next::Other => self.on_turn = other(side),
            Next::Side(again, note) => {
                self.on_turn = again;
                let told = if note == Note::Pass { other(again) } else { again };
                self.note = Some((note, told));
            }
            Next::Over(outcome) => return Some(outcome),
        }
        None
    }
}
