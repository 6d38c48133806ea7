//! Sockets: one port for pages and for the WebSockets of pages. Only this module knows sockets.
//!
//! [`Door`] accepts within a [`Budget`], reads heads, checks whom they are meant for, and answers pages;
//! a WebSocket becomes a `socket`, which speaks to the hub.

mod door;
mod head;
mod health;
mod http;
mod kinds;
mod line;
mod pace;
mod pages;
mod places;
mod socket;
mod token_bucket;

pub use door::Door;
pub use head::{Head, Scanner, parse};
pub use pages::{BUILD, No, Pages};

use crate::limits::*;
use socket2::{Domain, Protocol, Socket, Type};
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::time::Duration;

/// What the door allows. The defaults are those of [`crate::limits`]; tests shorten the times.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Connections in all.
    pub connections: usize,
    /// Connections from one address.
    pub per_address: usize,
    /// For a whole request head, and from the upgrade to a first message.
    pub half_open: Duration,
    /// For which a connection may idle between two requests.
    pub keep_alive: Duration,
    /// For one step of an answer.
    pub write: Duration,
    /// For one frame to a slow reader.
    pub slow_reader: Duration,
    /// Between two heartbeats.
    pub heartbeat: Duration,
    /// Without a frame from a page, after which it is dead.
    pub dead_peer: Duration,
    /// For the other side to take in the last words.
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

/// A listener on that address, at once even if an earlier daemon's connections linger there. An
/// unspecified IPv6 address takes IPv4 as well.
///
/// # Errors
/// The system's: in use, not ours, not allowed.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    if address.is_ipv6() && address.ip().is_unspecified() {
        socket.set_only_v6(false)?;
    }
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

/// IPv4 in IPv6 clothes, undressed: a dual-stack listener must not count a phone twice.
fn undress(ip: IpAddr) -> IpAddr {
    ip.to_canonical()
}
