//! Reasons for which a message is refused: one type from the rule to the wire.

use serde::{Serialize, Serializer};

/// A reason for which a message is refused. A refused message changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The first message is neither join nor host, or a second one of these came.
    First,
    /// Not JSON, not an object, or a field is missing or of the wrong type or range.
    Shape,
    /// A kind that this client may not send.
    Kind,
    /// No such room.
    Code,
    /// Eight people are present or held.
    Full,
    /// Nothing is left of the nickname, or it is not shown.
    Nick,
    /// The new rooms of this hour are used up; in how many seconds there is one.
    Rooms(u64),
    /// Too many messages, wrong codes or rooms; after how many seconds it is worth trying again.
    Busy(u64),
    /// Taken out of this room for as long as it lives.
    Out,
    /// Not on turn, or an answer to another turn.
    Turn,
    /// Not legal on this board.
    Move,
    /// No such game.
    Game,
    /// Not possible now, or not for this person.
    When,
}

impl Refusal {
    /// Returns the word on the wire and in the counters.
    pub fn as_str(self) -> &'static str {
        match self {
            Refusal::First => "first",
            Refusal::Shape => "shape",
            Refusal::Kind => "kind",
            Refusal::Code => "code",
            Refusal::Full => "full",
            Refusal::Nick => "nick",
            Refusal::Rooms(_) => "rooms",
            Refusal::Busy(_) => "busy",
            Refusal::Out => "out",
            Refusal::Turn => "turn",
            Refusal::Move => "move",
            Refusal::Game => "game",
            Refusal::When => "when",
        }
    }

    /// Returns the seconds after which it is worth trying again, where time helps.
    pub fn retry_s(self) -> Option<u64> {
        match self {
            Refusal::Rooms(seconds) | Refusal::Busy(seconds) => Some(seconds),
            _ => None,
        }
    }
}

impl Serialize for Refusal {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}
