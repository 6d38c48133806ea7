//! The wire: one enum a direction and role. The only file that knows the pages' JSON.

use crate::outbox::Frame;
use serde::Serialize;

/// Why a message was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// The first message is not join or host, or a second one came.
    First,
    /// Not JSON, not an object, a field missing or of the wrong type or range.
    Shape,
    /// A kind that is not on this page's list.
    Kind,
    /// No such room.
    Code,
    /// Eight people present or held.
    Full,
    /// Nothing is left of the nickname, or it is not shown.
    Nick,
    /// The new rooms of this hour are used up.
    Rooms,
    /// Too many messages, wrong codes or connections.
    Busy,
    /// Not your turn, or a stale turn id.
    Turn,
    /// Not legal on this board.
    Move,
    /// No such game.
    Game,
    /// Not now.
    When,
}

/// A refusal, printed. `re`: the kind that it answers, if it could be told; `retry`: seconds.
pub fn no(re: Option<&str>, why: Why, say: &str, retry: Option<u64>) -> Frame {
    #[derive(Serialize)]
    struct No<'a> {
        t: &'static str,
        re: Option<&'a str>,
        why: Why,
        say: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        retry: Option<u64>,
    }
    print(&No { t: "no", re, why, say, retry })
}

/// The heartbeat, printed.
pub const HB: &str = r#"{"t":"hb"}"#;

fn print(message: &impl Serialize) -> Frame {
    // Plain structs of strings and numbers always print.
    serde_json::to_string(message).unwrap_or_default().into()
}
