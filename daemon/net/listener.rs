//! Accepts connections within the budget for as long as the daemon lives.
//!
//! Guests never reach tiny_http's own server: a declared Content-Length that it allocates can abort the process, one
//! failed accept ends its listener, and it has neither limits nor deadlines. Here each guest's socket belongs to one
//! small task, and everything that the task waits for has a deadline.

use super::connection::HttpConnection;
use super::server::Server;
use super::slots::NoSlot;
use super::stream::{abort, sleep};
use super::{Assets, Budget};
use crate::clock::Clock;
use crate::endpoint::GuestEndpoint;
use crate::hub::Event;
use crate::limits::{BACKLOG, SEND_BUFFER_BYTES};
use crate::stats::{Stats, count};
use log::warn;
use smol::channel::Sender;
use smol::{Async, LocalExecutor};
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use std::cell::RefCell;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Connections accepted before other tasks run.
const ACCEPTS_PER_TURN: usize = 64;
/// Pause after a failed accept: descriptors may be free again by then.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);
/// Least time between two log records about failed accepts.
const ACCEPT_LOG: Duration = Duration::from_secs(10);

/// Accepts guests' connections and serves each as a task of the executor.
///
/// # Examples
/// Serves the compiled-in pages on a free port and asks for one of them:
/// ```
/// use doozer_box::net::{Assets, Budget, Listener, bind};
/// use doozer_box::{clock::Clock, stats::Stats};
/// use smol::future::FutureExt as _;
/// use smol::io::{AsyncReadExt as _, AsyncWriteExt as _};
/// use std::{cell::RefCell, rc::Rc};
///
/// # fn main() -> std::io::Result<()> {
/// let listener = bind(([127, 0, 0, 1], 0).into())?;
/// let address = listener.local_addr()?;
/// let (events, _hub) = smol::channel::bounded(16);
/// let listener = Listener {
///     listener,
///     events,
///     stats: Rc::new(Stats::default()),
///     assets: Rc::new(Assets::new(None)),
///     endpoint: Rc::new(RefCell::default()),
///     name: "doozer".to_owned(),
///     budget: Budget::default(),
///     clock: Clock::start(),
/// };
/// let executor = Rc::new(smol::LocalExecutor::new());
/// let client = async {
///     let mut stream = smol::net::TcpStream::connect(address).await?;
///     let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
///     stream.write_all(request.as_bytes()).await?;
///     let mut response = String::new();
///     stream.read_to_string(&mut response).await?;
///     assert!(response.starts_with("HTTP/1.1 200 OK\r\n"));
///     Ok(())
/// };
/// smol::block_on(executor.run(client.or(listener.run(&executor))))
/// # }
/// ```
#[derive(Debug)]
pub struct Listener {
    /// The bound socket, opened by [`bind`] or by systemd.
    pub listener: TcpListener,
    /// The channel to the hub.
    pub events: Sender<Event>,
    /// The counters.
    pub stats: Rc<Stats>,
    /// The files to serve.
    pub assets: Rc<Assets>,
    /// How guests reach the box, as it changes. Its mDNS name is an accepted Host.
    pub endpoint: Rc<RefCell<GuestEndpoint>>,
    /// The configured host name without `.local`, an accepted Host even where mDNS is off.
    pub name: String,
    /// The limits of connections and times.
    pub budget: Budget,
    /// The daemon's clock.
    pub clock: Clock,
}

impl Listener {
    /// Accepts connections until the executor drops the future.
    ///
    /// # Errors
    /// Returns the error of a socket that cannot be used at all. No connection is accepted after that.
    pub async fn run(self, executor: &Rc<LocalExecutor<'static>>) -> io::Result<()> {
        let port = self.listener.local_addr()?.port();
        let server = Rc::new(Server::new(&self, port, executor));
        let listener = Async::new(self.listener)?;
        let mut logged: Option<Instant> = None;
        let mut accepted = 0_usize;
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    admit(&server, stream, peer.ip().to_canonical());
                    accepted += 1;
                    // New connections must not delay the open ones. The open ones must not delay the new ones either,
                    // because the kernel drops those after a while.
                    if accepted % ACCEPTS_PER_TURN == 0 {
                        smol::future::yield_now().await;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    // Without a free descriptor accept(2) fails even when no connection waits. Only a connection that
                    // does wait is worth evicting another one.
                    let _ = listener.readable().await;
                    count(&server.stats.rejections, "accept");
                    if logged.is_none_or(|at| at.elapsed() >= ACCEPT_LOG) {
                        logged = Some(Instant::now());
                        warn!("accepting failed: {error}");
                    }
                    // Most likely the descriptors are used up: an evicted connection returns one.
                    server.slots.evict_one();
                    sleep(ACCEPT_RETRY).await;
                }
            }
        }
    }
}

/// Serves a new connection if there is a slot for it.
fn admit(server: &Rc<Server>, stream: Async<TcpStream>, ip: IpAddr) {
    let Ok(local) = stream.get_ref().local_addr() else { return };
    // A connection also works without these options, but less well.
    let _ = stream.get_ref().set_nodelay(true);
    let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER_BYTES);
    let stream = Rc::new(stream);
    let slot = match server.slots.acquire(ip, &stream) {
        Ok(slot) => slot,
        Err(none) => {
            count(&server.stats.rejections, if none == NoSlot::InAll { "full" } else { "flood" });
            return abort(&stream);
        }
    };
    server.stats.connections.set(server.slots.count());
    let local = local.ip().to_canonical();
    server.spawn(HttpConnection { server: server.clone(), stream, slot, ip, local }.serve());
}

/// Returns a listening socket on that address, also while connections of an earlier daemon linger there. An
/// unspecified IPv6 address accepts IPv4 as well.
///
/// # Errors
/// Returns the system's error: the address is in use, is not one of this machine, or needs more rights.
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
