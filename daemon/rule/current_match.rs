//! The game on the board, from its first view until the room is open again.

use super::people::{People, PersonId};
use crate::games::{self, Entry, Game, Move, Next, Outcome, Side, other};
use crate::limits::Ms;
use serde::Serialize;

/// The House's name on screens.
pub const HOUSE: &str = "The House";

/// A note on a turn: why the same side is on turn again, or that the House has made room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Note {
    /// The other side has no legal move and passes.
    Pass,
    /// The move earned an extra turn.
    Again,
    /// The House has just made room for a person on this side.
    Aside,
}

/// The move that led to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LastMove {
    /// The move.
    pub v: Move,
    /// The side that played it.
    pub side: Side,
    /// Whether the move clock played it, because the player's time was up.
    pub auto: bool,
    /// The id of the turn that it was made in.
    pub id: u64,
}

/// One side of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Player {
    /// The person's id, or `None` for the House.
    pub(super) id: Option<PersonId>,
    /// The nickname at the start of the game, which is the one in its result.
    pub(super) name: String,
    /// The last nickname of a player who has left, or `None` while the player is in the room.
    pub(super) left: Option<String>,
}

impl Player {
    /// Returns a person of the room as a player.
    pub(super) fn person(id: PersonId, people: &People) -> Self {
        let name = people.get(id).map_or_else(String::new, |p| p.nick.clone());
        Player { id: Some(id), name, left: None }
    }

    /// Returns the House as a player.
    pub(super) fn house() -> Self {
        Player { id: None, name: HOUSE.to_owned(), left: None }
    }
}

/// The end of a game.
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
    /// The note on this turn, and its side: the one that passes, moves again, or has got the House's seat.
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

    /// Returns whether the House plays side 1.
    pub(super) fn is_against_house(&self) -> bool {
        self.players[1].id.is_none()
    }

    /// Plays a legal move of the side on turn. Returns the outcome if the move ends the game.
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
                self.note = Some(match note {
                    games::Note::Pass => (Note::Pass, other(again)),
                    games::Note::Again => (Note::Again, again),
                });
            }
            Next::Over(outcome) => return Some(outcome),
        }
        None
    }
}
