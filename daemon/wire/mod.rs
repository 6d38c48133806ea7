//! The wire, version 1: one enum a direction and role. The only place that knows the pages' JSON.
//!
//! What a page may say is what [`FromPhone`] or [`FromTv`] can hold: a new kind is a deliberate change here.

mod print;

pub use print::*;

use crate::room::Command;
use crate::room::rooms::{HostRequest, JoinRequest};
use serde::de::{DeserializeOwned, Deserializer};
use serde::{Deserialize, Serialize};

/// What a phone may say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromPhone {
    /// First of all: let me in.
    Join(JoinRequest),
    /// Something for the room.
    Command(Command),
    /// Is this link alive?
    Hb,
}

/// What a TV may say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromTv {
    /// First of all: a room.
    Host(HostRequest),
    /// Something for the room, from the TV or its remote.
    Command(Command),
    /// Is this link alive?
    Hb,
}

/// What a page that is nobody yet may say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum First {
    /// It is a phone.
    Join(JoinRequest),
    /// It is a TV.
    Host(HostRequest),
}

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

/// A message that could not be taken: the kind that it is of, as far as it could be told, and why.
pub type Bad = (Option<&'static str>, Why);

/// All kinds that pages may say; the one that a refusal answers is told by its name here.
const KINDS: [&str; 9] = ["join", "host", "move", "rematch", "line", "pick", "home", "leave", "hb"];

/// The kind of a message, if it is one of the known.
pub fn kind(text: &str) -> Option<&'static str> {
    known(&any_kind(text).ok()?)
}

/// Reads the first message of a page.
pub fn first(text: &str) -> Result<First, Bad> {
    let kind = any_kind(text)?;
    match kind.as_str() {
        "join" => Ok(First::Join(join(text)?)),
        "host" => Ok(First::Host(host(text)?)),
        _ => Err((known(&kind), Why::First)),
    }
}

/// Reads what a phone says once it is in.
pub fn from_phone(text: &str) -> Result<FromPhone, Bad> {
    let kind = any_kind(text)?;
    match kind.as_str() {
        "hb" => Ok(FromPhone::Hb),
        "join" => Ok(FromPhone::Join(join(text)?)),
        "host" => Err((Some("host"), Why::First)),
        _ => Ok(FromPhone::Command(say(&kind, text)?)),
    }
}

/// Reads what a TV says once it has its room.
pub fn from_tv(text: &str) -> Result<FromTv, Bad> {
    let kind = any_kind(text)?;
    match kind.as_str() {
        "hb" => Ok(FromTv::Hb),
        "host" => Ok(FromTv::Host(host(text)?)),
        "join" => Err((Some("join"), Why::First)),
        _ => Ok(FromTv::Command(say(&kind, text)?)),
    }
}

fn known(kind: &str) -> Option<&'static str> {
    KINDS.into_iter().find(|&known| known == kind)
}

fn any_kind(text: &str) -> Result<String, Bad> {
    #[derive(Deserialize)]
    struct Any {
        t: String,
    }
    // serde reads a struct from a JSON list as well.
    let object = text.trim_start().starts_with('{');
    let any = serde_json::from_str::<Any>(text).ok().filter(|_| object);
    any.map(|any| any.t).ok_or((None, Why::Shape))
}

fn fields<T: DeserializeOwned>(kind: &str, text: &str) -> Result<T, Bad> {
    serde_json::from_str(text).map_err(|_| (known(kind), Why::Shape))
}

/// A field that may be left out, but not be null.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

fn say(kind: &str, text: &str) -> Result<Command, Bad> {
    #[derive(Deserialize)]
    struct Move {
        v: u8,
        #[serde(default, deserialize_with = "given")]
        n: Option<u64>,
    }
    #[derive(Deserialize)]
    struct Line {
        on: bool,
    }
    #[derive(Deserialize)]
    struct Pick {
        game: String,
    }
    Ok(match kind {
        "move" => {
            let Move { v, n } = fields(kind, text)?;
            Command::Move { v, n }
        }
        "rematch" => Command::Rematch,
        "line" => Command::Line(fields::<Line>(kind, text)?.on),
        "pick" => Command::Pick(fields::<Pick>(kind, text)?.game),
        "home" => Command::Home,
        "leave" => Command::Leave,
        _ => return Err((None, Why::Kind)),
    })
}

fn join(text: &str) -> Result<JoinRequest, Bad> {
    #[derive(Deserialize)]
    struct Wire {
        room: String,
        nick: String,
        #[serde(default, deserialize_with = "given")]
        key: Option<String>,
    }
    let Wire { room, nick, key } = fields("join", text)?;
    Ok(JoinRequest { room, nick, key })
}

fn host(text: &str) -> Result<HostRequest, Bad> {
    #[derive(Deserialize)]
    struct Wire {
        #[serde(default, deserialize_with = "given")]
        room: Option<String>,
        #[serde(default, deserialize_with = "given")]
        key: Option<String>,
        #[serde(default, deserialize_with = "given")]
        game: Option<String>,
        #[serde(default)]
        kiosk: bool,
    }
    let Wire { room, key, game, kiosk } = fields("host", text)?;
    Ok(HostRequest { room, key, game, kiosk })
}
