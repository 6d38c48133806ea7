//! The texts that a page shows for a refusal.

use crate::refusal::Refusal;
use crate::wire::Kind;

/// Returns the text for refusing a message of that kind.
pub(super) fn refusal(kind: Option<Kind>, why: Refusal) -> &'static str {
    match why {
        Refusal::First => "Join or host comes first, and once.",
        Refusal::Shape => "That message could not be read.",
        Refusal::Kind => "This page cannot ask for that.",
        Refusal::Code => "There is no room with this code. The code is on the TV.",
        Refusal::Full => "This room is full: eight people are in.",
        Refusal::Nick => "Please choose another name.",
        Refusal::Rooms(_) => "No more new rooms this hour.",
        Refusal::Busy(_) => "Too many tries. Please wait a moment.",
        Refusal::Out => "You cannot join this room any more tonight.",
        Refusal::Pair => "This phone is not paired with the box.",
        Refusal::Turn => "It is not your turn.",
        Refusal::Move => "That cannot be played here.",
        Refusal::Game => "There is no such game.",
        Refusal::When => match kind {
            Some(Kind::Rematch) => "There is no rematch to ask for now.",
            Some(Kind::Line) => "That is not possible now.",
            Some(Kind::Pick) => "A game is on: back to the menu first.",
            Some(Kind::Home) => "Not while others are playing.",
            Some(Kind::Move) => "No game is on.",
            Some(Kind::House) => "The House plays only a champion who is alone.",
            Some(Kind::Out) => "Nobody in the room has that name.",
            _ => "Not now.",
        },
    }
}
