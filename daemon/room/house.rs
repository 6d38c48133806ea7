//! What the House is asked in this room, and what it has answered: its own turns, and the attract loop's.

use super::Room;
use crate::bot::Strength;
use crate::games::{Game, Move, Side};
use crate::limits::{HOUSE_PACE_MS, Ms};
use crate::rule::WinnerStays;
use crate::rule::house::HOUSE_SIDE;

/// What a question is about. An answer that comes too late names a turn or step that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ticket {
    /// The turn of that id.
    Turn(u64),
    /// The attract loop's step of that number.
    Attract(u64),
}

/// A position for which the House is to find a move.
#[derive(Debug)]
pub struct Question {
    /// Comes back with the answer.
    pub ticket: Ticket,
    /// The board, a copy.
    pub board: Box<dyn Game>,
    /// The side on turn.
    pub side: Side,
    /// How strongly to play.
    pub strength: Strength,
    /// When the move is to be played.
    pub due: Ms,
}

/// A turn of the House that is on.
#[derive(Debug)]
pub(super) struct Reply {
    turn: u64,
    /// When the move is played, or as soon as there is one after that.
    due: Ms,
    asked: bool,
    v: Option<Move>,
}

impl Reply {
    /// When the move is to be played, once it is known.
    pub(super) fn deadline(&self) -> Option<Ms> {
        self.v.map(|_| self.due)
    }
}

impl Room {
    /// Returns what the House is to be asked now, once for each turn.
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

    /// Takes the House's answer. One that comes too late changes nothing.
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

    /// Notes the House's turn that is on.
    pub(super) fn update_reply(&mut self, now: Ms) {
        let turn = self.rule.as_ref().and_then(WinnerStays::house_turn).map(|turn| turn.id);
        if self.reply.as_ref().map(|reply| reply.turn) == turn {
            return;
        }
        self.reply = turn.map(|turn| {
            // No two moves come after the same time, and a room with short turns is not slowed down.
            let (least, most) = HOUSE_PACE_MS;
            let pace = (least + turn * 617 % (most - least)).min(self.times.rule.turn / 2);
            Reply { turn, due: now + pace, asked: false, v: None }
        });
    }

    /// Plays the House's move, if it is known and its time has come. Returns whether it did.
    pub(super) fn play_reply(&mut self, now: Ms) -> bool {
        let Some(reply) = self.reply.as_ref().filter(|reply| reply.due <= now) else { return false };
        let (Some(v), turn) = (reply.v, reply.turn) else { return false };
        // A move that the board does not allow is forgotten: the clock plays then.
        self.reply = None;
        self.rule.as_mut().is_some_and(|rule| rule.play_house(v, turn, now).is_ok())
    }
}
