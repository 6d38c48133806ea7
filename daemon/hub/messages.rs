//! What a refusal says, in words that can stand on a screen.

use crate::room::{Command, Refusal};
use crate::wire::Why;

/// The kind by which a message is known on the wire.
pub(super) fn kind(say: &Command) -> &'static str {
    match say {
        Command::Move { .. } => "move",
        Command::Rematch => "rematch",
        Command::Line(_) => "line",
        Command::Pick(_) => "pick",
        Command::Home => "home",
        Command::Leave => "leave",
    }
}

/// The word on the wire, for the counters.
pub(super) fn name(why: Why) -> &'static str {
    match why {
        Why::First => "first",
        Why::Shape => "shape",
        Why::Kind => "kind",
        Why::Code => "code",
        Why::Full => "full",
        Why::Nick => "nick",
        Why::Rooms => "rooms",
        Why::Busy => "busy",
        Why::Turn => "turn",
        Why::Move => "move",
        Why::Game => "game",
        Why::When => "when",
    }
}

/// What is said to a message that could not be read.
pub(super) fn protocol_error(why: Why) -> &'static str {
    match why {
        Why::First => "Join or host comes first, and once.",
        Why::Kind => "This page cannot ask for that.",
        _ => "That message could not be read.",
    }
}

/// A refusal of the room's: the word on the wire, what it says, and the seconds until it is worth trying again.
pub(super) fn refusal(re: &str, refusal: Refusal) -> (Why, &'static str, Option<u64>) {
    match refusal {
        Refusal::Code => (Why::Code, "There is no room with this code. The code is on the TV.", None),
        Refusal::Full => (Why::Full, "This room is full: eight people are in.", None),
        Refusal::Nick => (Why::Nick, "Please choose another name.", None),
        Refusal::Rooms(retry) => (Why::Rooms, "No more new rooms this hour.", Some(retry)),
        Refusal::Busy(retry) => (Why::Busy, "Too many tries. Please wait a moment.", Some(retry)),
        Refusal::Turn => (Why::Turn, "It is not your turn.", None),
        Refusal::Move => (Why::Move, "That cannot be current here.", None),
        Refusal::Game => (Why::Game, "There is no such game.", None),
        Refusal::When => (Why::When, when(re), None),
    }
}

fn when(re: &str) -> &'static str {
    match re {
        "rematch" => "There is no rematch to ask for now.",
        "line" => "That is not possible now.",
        "pick" => "A game is on: back to the menu first.",
        "home" => "Not while others are playing.",
        "move" => "No game is on.",
        _ => "Not now.",
    }
}
