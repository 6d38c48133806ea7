//! Guests' sockets: one port for assets and for WebSockets. No other module opens a guest's socket.
//!
//! [`Listener`] accepts within a [`Budget`]. Each connection reads request heads, checks Host and Origin, and answers
//! with [`Assets`]. After a WebSocket upgrade `socket` exchanges frames with the hub.

mod assets;
mod connection;
mod listener;
mod mime;
mod rate_limit;
mod rejection;
mod request;
mod request_budget;
mod response;
mod server;
mod slots;
mod socket;
mod stream;
mod token_bucket;

pub use assets::Assets;
pub use listener::{Listener, bind};
pub use rejection::Rejection;
pub use request::{HeadScanner, RequestHead, parse};

use crate::limits::*;
use std::time::Duration;

/// The listener's limits. The defaults are those of [`crate::limits`]. Tests shorten the times.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Connections in all.
    pub connections: usize,
    /// Connections of one address.
    pub per_address: usize,
    /// Time for a whole request head, and from the upgrade to a first message.
    pub half_open: Duration,
    /// Time that a connection may idle between two requests.
    pub keep_alive: Duration,
    /// Time for one step of a response.
    pub write: Duration,
    /// Time for one frame to a slow reader.
    pub slow_reader: Duration,
    /// Time between two heartbeats.
    pub heartbeat: Duration,
    /// Time without a frame from the peer after which it counts as dead.
    pub dead_peer: Duration,
    /// Time that the peer has to receive what was sent last.
    pub goodbye: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        let ms = Duration::from_millis;
        Budget {
            connections: CONNECTIONS_DEFAULT,
            per_address: PER_ADDRESS_DEFAULT,
            half_open: ms(HALF_OPEN_MS),
            keep_alive: ms(KEEP_ALIVE_MS),
            write: ms(WRITE_MS),
            slow_reader: ms(SLOW_READER_MS),
            heartbeat: ms(HEARTBEAT_MS),
            dead_peer: ms(DEAD_PEER_MS),
            goodbye: ms(GOODBYE_MS),
        }
    }
}
