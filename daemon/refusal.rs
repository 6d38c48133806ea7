//! Reasons for refusing a message. The same type serves the rule, the room, the hub and the wire.

use serde::{Serialize, Serializer};

/// A reason for refusing a message. A refused message changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The first message is neither a join nor a host, or a later one is.
    First,
    /// The message is not a JSON object, or a field is missing or has the wrong type or range.
    Shape,
    /// The client may not send messages of this kind.
    Kind,
    /// There is no room with this code.
    Code,
    /// The room has eight people, present or with a place held.
    Full,
    /// The nickname is empty after cleaning, or the filter rejects it.
    Nick,
    /// The address has created its rooms of this hour. Holds the seconds until the next one is allowed.
    Rooms(u64),
    /// Too many messages, wrong codes or rooms. Holds the seconds after which to try again.
    Busy(u64),
    /// The person was taken out of this room, for as long as the room exists.
    Out,
    /// Not a phone of the owner.
    Pair,
    /// It is not the person's turn, or the move answers an earlier turn.
    Turn,
    /// The move is not legal on this board.
    Move,
    /// There is no game with this slug.
    Game,
    /// The command is not possible now, or not for this person.
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
            Refusal::Pair => "pair",
            Refusal::Turn => "turn",
            Refusal::Move => "move",
            Refusal::Game => "game",
            Refusal::When => "when",
        }
    }

    /// Returns the seconds after which to try again, if waiting helps.
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
