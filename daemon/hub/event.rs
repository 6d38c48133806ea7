//! The events that the hub handles.

use crate::endpoint::GuestEndpoint;
use crate::outbox::Outbox;
use crate::thinker::Answer;
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
    /// The House has found a move.
    House(Answer),
    /// The daemon stops. Every client gets a `bye` with `restart`, then the hub ends.
    Shutdown,
}
