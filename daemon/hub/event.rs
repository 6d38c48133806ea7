//! The events that the hub handles.

use crate::endpoint::GuestEndpoint;
use crate::outbox::Outbox;
use crate::room::Times;
use crate::room::names::WordFilter;
use crate::thinker::Answer;
use smol::channel::Sender;
use std::net::IpAddr;
use std::time::Instant;

/// A connection's id, unique for the life of the daemon.
pub use crate::rule::people::ConnectionId;

/// The two addresses of a client's connection.
#[derive(Clone, Debug)]
pub struct Peer {
    /// The client's address. An IPv4-mapped IPv6 address is converted to IPv4.
    pub ip: IpAddr,
    /// The box's own address that the connection came in on.
    pub local: IpAddr,
}

/// An event for the hub.
#[derive(Debug)]
pub enum Event {
    /// A page has opened its WebSocket.
    Connected {
        /// The new connection.
        connection: ConnectionId,
        /// Its addresses.
        peer: Peer,
        /// The queue of messages to it.
        outbox: Outbox,
    },
    /// A page has sent a text frame, within the limits of size and rate.
    Message {
        /// The sender.
        connection: ConnectionId,
        /// The frame.
        text: String,
        /// The time at which it was read.
        at: Instant,
    },
    /// A page has sent a binary frame, which is refused.
    Binary {
        /// The sender.
        connection: ConnectionId,
    },
    /// A connection has ended, for whatever reason. No further event names it.
    Disconnected {
        /// The connection.
        connection: ConnectionId,
    },
    /// The way in which guests reach the box has changed.
    Endpoint(GuestEndpoint),
    /// The owner is answered.
    Answer {
        /// The connection that has asked.
        connection: ConnectionId,
        /// The number of the request.
        n: u64,
        /// The answer's text.
        text: String,
    },
    /// The owner takes a person out of the kiosk's room.
    TakeOut {
        /// The nickname as shown.
        nick: String,
        /// For as long as the room lives.
        keep: bool,
        /// Is told whether there was such a person.
        done: Sender<bool>,
    },
    /// Other settings hold from now on.
    Settings(Box<LiveSettings>),
    /// The House has found a move.
    House(Answer),
    /// The daemon stops. Every client gets a `bye` with `restart`, then the hub ends.
    Shutdown,
}

/// The settings that may change while the daemon runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveSettings {
    /// The durations.
    pub times: Times,
    /// The words of nicknames.
    pub words: WordFilter,
    /// Whether a lone champion may play the House.
    pub house: bool,
    /// The settings that a TV receives.
    pub tv: TvSettings,
}

/// The settings that a TV receives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TvSettings {
    /// The venue's name.
    pub venue: Option<String>,
    /// The volume of sounds, in percent.
    pub sound: u8,
    /// The languages, the main one first.
    pub language: Vec<&'static str>,
}

/// A request of the owner, on its way to the owner service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnerCall {
    /// The connection that it came on.
    pub connection: ConnectionId,
    /// The number of the request.
    pub n: u64,
    /// The request's text.
    pub text: String,
    /// The id of the phone that sent it, or `None` for the kiosk.
    pub phone: Option<String>,
    /// Whether this request paired the phone.
    pub paired: bool,
    /// The people in the kiosk's room.
    pub people: Vec<String>,
}
