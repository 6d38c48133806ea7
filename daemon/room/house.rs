//! The questions of a room for the House's player, about the House's turns and the attract loop, and the answers.

use super::Room;
use crate::bot::Strength;
use crate::games::{Game, Move, Side};
use crate::limits::{HOUSE_PACE_MS, Ms};
use crate::rule::WinnerStays;
use crate::rule::house::HOUSE_SIDE;

/// The subject of a question. An answer that comes too late has the ticket of a turn or step that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ticket {
    /// The turn with that id.
    Turn(u64),
    /// The attract loop's step with that number.
    Attract(u64),
}

/// A position for which the House must find a move.
#[derive(Debug)]
pub struct Question {
    /// The subject, which the answer repeats.
    pub ticket: Ticket,
    /// A copy of the board.
    pub board: Box<dyn Game>,
    /// The side on turn.
    pub side: Side,
    /// The strength to play with.
    pub strength: Strength,
    /// The time at which the move is played.
    pub due: Ms,
}

/// The House's current turn.
#[derive(Debug)]
pub(super) struct Reply {
    turn: u64,
    /// The earliest time for the move.
    due: Ms,
    asked: bool,
    v: Option<Move>,
}

impl Reply {
    /// Returns the time at which the move is played, once it is known.
    pub(super) fn deadline(&self) -> Option<Ms> {
        self.v.map(|_| self.due)
    }
}

impl Room {
    /// Returns the question for the House's player, once for each turn.
    pub fn question(&mut self) -> Option<Question> {
        let turn = self.rule.as_ref().and_then(WinnerStays::house_turn);
        if let (Some(reply), Some(turn)) = (self.reply.as_mut().filter(|reply| !reply.asked), turn) {
            reply.asked = true;
            return Some(Question {
                ticket: Ticket::Turn(turn.id),
                board: turn.board.boxed_clone(),
                side: HOUSE_SIDE,
                strength: turn.strength,
                due: reply.due,
            });
        }
        let (attract, due) = self.attract.as_mut()?;
        attract.question(*due)
    }

    /// Records an answer. One that comes too late changes nothing.
    pub fn answer(&mut self, ticket: Ticket, v: Move) {
        match ticket {
            Ticket::Turn(id) => {
                if let Some(reply) = self.reply.as_mut().filter(|reply| reply.turn == id) {
                    reply.v = Some(v);
                }
            }
            Ticket::Attract(step) => {
                if let Some((attract, _)) = &mut self.attract {
                    attract.plan(step, v);
                }
            }
        }
    }

    /// Records the House's current turn, if there is one.
    pub(super) fn update_reply(&mut self, now: Ms) {
        let turn = self.rule.as_ref().and_then(WinnerStays::house_turn).map(|turn| turn.id);
        if self.reply.as_ref().map(|reply| reply.turn) == turn {
            return;
        }
        self.reply = turn.map(|turn| {
            // The time before a move varies. It is shorter in a room with short turns.
            let (least, most) = HOUSE_PACE_MS;
            let pace = (least + turn * 617 % (most - least)).min(self.times.rule.turn / 2);
            Reply { turn, due: now + pace, asked: false, v: None }
        });
    }

    /// Plays the House's move if it is known and due. Returns whether a move was played.
    pub(super) fn play_reply(&mut self, now: Ms) -> bool {
        let Some(reply) = self.reply.as_ref().filter(|reply| reply.due <= now) else { return false };
        let (Some(v), turn) = (reply.v, reply.turn) else { return false };
        // An illegal move is dropped, and the move clock plays instead.
        self.reply = None;
        self.rule.as_mut().is_some_and(|rule| rule.play_house(v, turn, now).is_ok())
    }
}
