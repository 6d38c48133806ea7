//! What the hub is told.

use crate::endpoint::GuestEndpoint;
use crate::outbox::Outbox;
use crate::thinker::Answer;
use std::net::IpAddr;
use std::time::Instant;

/// One connection, unique for the life of the daemon.
pub use crate::rule::people::ConnectionId;

/// Where a page's connection comes from and how it came here.
#[derive(Clone, Debug)]
pub struct Peer {
    /// The page's address; IPv4 in its IPv6 clothes is undressed.
    pub ip: IpAddr,
    /// The box's own address that the connection came in on.
    pub local: IpAddr,
}

/// What the hub is told.
#[derive(Debug)]
pub enum Event {
    /// A page has opened its WebSocket.
    Connected {
        /// The new connection.
        connection: ConnectionId,
        /// Where it comes from.
        peer: Peer,
        /// Where its messages go.
        outbox: Outbox,
    },
    /// A page has sent a text frame, within the limits of size and rate.
    Message {
        /// Who.
        connection: ConnectionId,
        /// The frame.
        text: String,
        /// When it was read.
        at: Instant,
    },
    /// A page has sent a binary frame, which is refused.
    Binary {
        /// Who.
        connection: ConnectionId,
    },
    /// The connection is over, however it ended. Nothing more comes of it.
    Disconnected {
        /// Which.
        connection: ConnectionId,
    },
    /// The address that guests reach has changed (`None`: no network), or the name that mDNS holds has.
    Endpoint(GuestEndpoint),
    /// The House has found a move.
    House(Answer),
    /// The daemon stops: `bye` `restart` to every page, then the hub ends.
    Shutdown,
}
