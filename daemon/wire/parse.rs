//! Parses messages from clients. Each is parsed once, into its kind and its request.

use crate::auth::{Hello, Sealed};
use crate::refusal::Refusal;
use crate::room::Command;
use crate::room::rooms::{HostRequest, JoinRequest};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};
use serde_json::value::RawValue;

/// Declares the kinds of messages, each with its word on the wire.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $word:literal,)*) => {
        /// The kinds of messages from clients.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// Returns the word on the wire and in the counters.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Kind::$kind => $word,)*
                }
            }

            fn from_word(word: &str) -> Option<Kind> {
                match word {
                    $($word => Some(Kind::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    /// Asks for a place in a room, from a phone.
    Join = "join",
    /// Asks for a room, from a TV.
    Host = "host",
    /// Plays a move.
    Move = "move",
    /// Asks for a rematch.
    Rematch = "rematch",
    /// Gets in line or leaves it.
    Line = "line",
    /// Starts or ends a game against the House.
    House = "house",
    /// Chooses a game.
    Pick = "pick",
    /// Returns to the menu.
    Home = "home",
    /// Leaves the room.
    Leave = "leave",
    /// Takes a person out of the room, from the kiosk.
    Out = "out",
    /// Introduces the owner's phone.
    Owner = "owner",
    /// Asks for something as the owner.
    Do = "do",
    /// Asks for a heartbeat, to see whether the connection is alive.
    Heartbeat = "hb",
}

/// A parsed message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T> {
    /// The kind, or `None` if it is unknown or unreadable.
    pub kind: Option<Kind>,
    /// The request, or the reason for refusing the message.
    pub request: Result<T, Refusal>,
}

/// A message of a client that has no role yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstMessage {
    /// A phone asks for a place in a room.
    Join(JoinRequest),
    /// A TV asks for a room.
    Host(HostRequest),
    /// The owner's phone says who it is.
    Owner(Hello),
}

/// A message of a phone or TV that is in a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoomMessage {
    /// A command to the room.
    Command(Command),
    /// The owner, at the kiosk, asks for something.
    Do(KioskRequest),
    /// Asks whether the link is alive.
    Heartbeat,
}

/// A request of the owner at the kiosk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KioskRequest {
    /// Its number, which the answer has.
    pub n: u64,
    /// What is asked for, for [`crate::wire::owner`].
    pub ask: String,
}

/// A message of the owner's phone that has said who it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnerMessage {
    /// A sealed request.
    Sealed(Sealed),
    /// A request for a heartbeat.
    Heartbeat,
}

/// Parses a client's first message.
pub fn parse_first(text: &str) -> Parsed<FirstMessage> {
    parse(text, |kind, fields| match kind {
        Some(Kind::Join) => Ok(FirstMessage::Join(fields.join()?)),
        Some(Kind::Host) => Ok(FirstMessage::Host(fields.host()?)),
        Some(Kind::Owner) => Ok(FirstMessage::Owner(fields.hello()?)),
        _ => Err(Refusal::First),
    })
}

/// Parses a message of a phone that is in a room.
pub fn parse_phone(text: &str) -> Parsed<RoomMessage> {
    parse(text, |kind, fields| match kind {
        Some(Kind::Join) => fields.join().and(Err(Refusal::First)),
        Some(Kind::Host | Kind::Owner) => Err(Refusal::First),
        Some(Kind::Out | Kind::Do) | None => Err(Refusal::Kind),
        Some(kind) => fields.room_message(kind),
    })
}

/// Parses a message of a TV that hosts a room. `kiosk` is set for the box's own TV.
pub fn parse_tv(text: &str, kiosk: bool) -> Parsed<RoomMessage> {
    parse(text, |kind, fields| match kind {
        Some(Kind::Host) => fields.host().and(Err(Refusal::First)),
        Some(Kind::Join | Kind::Owner) => Err(Refusal::First),
        Some(Kind::Out | Kind::Do) if !kiosk => Err(Refusal::Kind),
        None => Err(Refusal::Kind),
        Some(kind) => fields.room_message(kind),
    })
}

/// Parses a message of the owner's phone.
pub fn parse_owner(text: &str) -> Parsed<OwnerMessage> {
    parse(text, |kind, fields| match kind {
        Some(Kind::Heartbeat) => Ok(OwnerMessage::Heartbeat),
        Some(Kind::Do) => Ok(OwnerMessage::Sealed(fields.sealed()?)),
        Some(Kind::Join | Kind::Host | Kind::Owner) => Err(Refusal::First),
        _ => Err(Refusal::Kind),
    })
}

/// Parses only the kind of a message that will not be executed.
pub fn parse_kind(text: &str) -> Option<Kind> {
    parse(text, |_, _| Ok(())).kind
}

fn parse<T>(text: &str, request: impl FnOnce(Option<Kind>, &Fields) -> Result<T, Refusal>) -> Parsed<T> {
    // serde would accept a JSON array for a struct as well.
    let object = text.trim_start().starts_with('{');
    let fields = serde_json::from_str::<Fields>(text).ok().filter(|_| object);
    let name = fields.as_ref().and_then(|fields| value::<String>(fields.t).ok());
    let (Some(fields), Some(name)) = (fields, name) else {
        return Parsed { kind: None, request: Err(Refusal::Shape) };
    };
    let kind = Kind::from_word(&name);
    Parsed { kind, request: request(kind, &fields) }
}

/// Every field of every kind, not parsed yet. The meaning of a field depends on the kind, and fields of other kinds are
/// ignored.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Fields<'a> {
    #[serde(borrow, deserialize_with = "present")]
    t: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    v: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    n: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    on: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    game: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    room: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    nick: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    key: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    scan: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    kiosk: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    keep: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    id: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    nonce: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    name: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    body: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    mac: Raw<'a>,
    #[serde(borrow, deserialize_with = "present")]
    ask: Raw<'a>,
}

type Raw<'a> = Option<&'a RawValue>;

/// Distinguishes `null` from a missing field, so that `null` is refused like any other wrong type.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Raw<'a>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// Parses a required field.
fn value<T: DeserializeOwned>(raw: Raw) -> Result<T, Refusal> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).ok_or(Refusal::Shape)
}

/// Parses an optional field.
fn optional<T: DeserializeOwned>(raw: Raw) -> Result<Option<T>, Refusal> {
    raw.map(|raw| value(Some(raw))).transpose()
}

impl Fields<'_> {
    fn join(&self) -> Result<JoinRequest, Refusal> {
        Ok(JoinRequest {
            room: value(self.room)?,
            nick: value(self.nick)?,
            key: optional(self.key)?,
            scan: optional(self.scan)?,
        })
    }

    fn host(&self) -> Result<HostRequest, Refusal> {
        Ok(HostRequest {
            room: optional(self.room)?,
            key: optional(self.key)?,
            game: optional(self.game)?,
            kiosk: optional(self.kiosk)?.unwrap_or(false),
        })
    }

    fn hello(&self) -> Result<Hello, Refusal> {
        Ok(Hello { id: value(self.id)?, nonce: value(self.nonce)?, name: value(self.name)? })
    }

    fn sealed(&self) -> Result<Sealed, Refusal> {
        Ok(Sealed { n: value(self.n)?, body: value(self.body)?, mac: value(self.mac)? })
    }

    fn room_message(&self, kind: Kind) -> Result<RoomMessage, Refusal> {
        Ok(RoomMessage::Command(match kind {
            Kind::Heartbeat => return Ok(RoomMessage::Heartbeat),
            Kind::Join | Kind::Host | Kind::Owner => return Err(Refusal::First),
            Kind::Do => {
                let ask = self.ask.ok_or(Refusal::Shape)?.get().to_owned();
                return Ok(RoomMessage::Do(KioskRequest { n: value(self.n)?, ask }));
            }
            Kind::Move => Command::Move { v: value(self.v)?, n: optional(self.n)? },
            Kind::Rematch => Command::Rematch,
            Kind::Line => Command::Line(value(self.on)?),
            Kind::House => Command::House(value(self.on)?),
            Kind::Pick => Command::Pick(value(self.game)?),
            Kind::Home => Command::Home,
            Kind::Leave => Command::Leave,
            Kind::Out => {
                Command::TakeOut { nick: value(self.nick)?, keep: optional(self.keep)?.unwrap_or(false) }
            }
        }))
    }
}
