//! The door: accepts, within the budget, for as long as the daemon lives.
//!
//! Why not tiny_http's own server: one packet can end it (it allocates a declared Content-Length when an
//! unread request is dropped), one failed accept ends its listener for good, and it has no limit and no
//! time-out. Here every client socket is owned by one small task under a deadline.

use super::line::{hang_up, pause};
use super::pages::{Answer, Pages, fresh};
use super::places::{Full, Places};
use super::{Budget, http, undress};
use crate::clock::Clock;
use crate::endpoint::GuestEndpoint;
use crate::hub::{ConnectionId, Event};
use crate::limits::{CAPTURED_PANIC_CHARS, SEND_BUFFER_BYTES};
use crate::stats::{Stats, add, count};
use log::{error, warn};
use smol::channel::Sender;
use smol::future::FutureExt as _;
use smol::{Async, LocalExecutor};
use socket2::SockRef;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::io;
use std::net::{IpAddr, TcpListener, TcpStream};
use std::panic::AssertUnwindSafe;
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

/// Connections accepted before everyone else has a turn.
const ACCEPT_AT_ONCE: usize = 64;
/// How long a failed accept is waited out: descriptors may be free again by then.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// How often the log hears of failed accepts.
const ACCEPT_LOG: Duration = Duration::from_secs(10);

/// Everything that the door needs.
#[derive(Debug)]
pub struct Door {
    /// A bound listener: ours or systemd's.
    pub listener: TcpListener,
    /// To the hub.
    pub events: Sender<Event>,
    /// The counters.
    pub stats: Rc<Stats>,
    /// The pages.
    pub pages: Rc<Pages>,
    /// The name that mDNS holds is one of ours; followed as it changes.
    pub reach: Rc<RefCell<GuestEndpoint>>,
    /// The name given, without `.local`: ours even where nothing announces it.
    pub name: String,
    /// What is allowed.
    pub budget: Budget,
    /// The daemon's clock.
    pub clock: Clock,
}

/// What every connection shares.
pub(super) struct House {
    pub(super) events: Sender<Event>,
    pub(super) stats: Rc<Stats>,
    pub(super) pages: Rc<Pages>,
    pub(super) budget: Budget,
    pub(super) clock: Clock,
    pub(super) port: u16,
    reach: Rc<RefCell<GuestEndpoint>>,
    name: String,
    places: Rc<Places>,
    connections: Cell<u64>,
    // The executor owns the tasks that hold this: not the other way round as well.
    executor: Weak<LocalExecutor<'static>>,
}

impl Door {
    /// Accepts for ever, each connection as a task of the executor. If it ends, nobody gets in any more.
    ///
    /// # Errors
    /// The listener cannot be used at all.
    pub async fn run(self, executor: &Rc<LocalExecutor<'static>>) -> io::Result<()> {
        let port = self.listener.local_addr()?.port();
        let listener = Async::new(self.listener)?;
        let house = Rc::new(House {
            events: self.events,
            pages: self.pages,
            places: Places::new(self.budget.connections, self.budget.per_address, self.stats.clone()),
            stats: self.stats,
            budget: self.budget,
            clock: self.clock,
            port,
            reach: self.reach,
            name: format!("{}.local", self.name),
            connections: Cell::new(0),
            executor: Rc::downgrade(executor),
        });
        let mut logged: Option<Instant> = None;
        let mut accepted = 0_usize;
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    house.admit(stream, undress(peer.ip()));
                    accepted += 1;
                    // Neither must a flood of connections keep those inside waiting, nor those inside
                    // keep the newcomers waiting until the kernel drops them.
                    if accepted % ACCEPT_AT_ONCE == 0 {
                        smol::future::yield_now().await;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    // Without a descriptor left the kernel fails before it looks whether anybody waits:
                    // with nobody there, whoever got the last one would have to make room for nobody.
                    let _ = listener.readable().await;
                    count(&house.stats.door, "accept");
                    if logged.is_none_or(|at| at.elapsed() >= ACCEPT_LOG) {
                        logged = Some(Instant::now());
                        warn!("accepting failed: {error}");
                    }
                    // Out of descriptors, most likely: somebody idle gives one back.
                    house.places.make_room();
                    pause(ACCEPT_AGAIN).await;
                }
            }
        }
    }
}

impl House {
    fn admit(self: &Rc<Self>, stream: Async<TcpStream>, ip: IpAddr) {
        let Ok(local) = stream.get_ref().local_addr() else { return };
        // Neither is worth refusing a guest for.
        let _ = stream.get_ref().set_nodelay(true);
        let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER_BYTES);
        let stream = Rc::new(stream);
        let place = match self.places.enter(ip, &stream) {
            Ok(place) => place,
            Err(full) => {
                count(&self.stats.door, if full == Full::House { "full" } else { "flood" });
                return hang_up(&stream);
            }
        };
        self.stats.connections.set(self.places.count());
        let guest = http::Guest { house: self.clone(), stream, place, ip, local: undress(local.ip()) };
        self.spawn(guest.serve());
    }

    /// Runs a connection as a task of its own: a panic in it ends it and nothing else.
    pub(super) fn spawn(self: &Rc<Self>, connection: impl Future<Output = ()> + 'static) {
        let Some(executor) = self.executor.upgrade() else { return };
        let house = self.clone();
        // Boxed: a block that awaits what it has captured has room for it twice.
        let connection = Box::pin(AssertUnwindSafe(connection).catch_unwind());
        let contained = async move {
            if let Err(panic) = connection.await {
                house.contained(&*panic);
            }
            house.stats.connections.set(house.places.count());
        };
        executor.spawn(contained).detach();
    }

    /// Counts and logs a panic that cost one connection.
    pub(super) fn contained(&self, panic: &(dyn Any + Send)) {
        add(&self.stats.panics, 1);
        let words = panic.downcast_ref::<&str>().copied();
        let words =
            words.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no words");
        let words: String = words.chars().take(CAPTURED_PANIC_CHARS).collect();
        error!("a connection's task panicked: {words:?}");
    }

    /// A number for a new WebSocket.
    pub(super) fn next_connection(&self) -> ConnectionId {
        self.connections.set(self.connections.get() + 1);
        ConnectionId(self.connections.get())
    }

    /// Is that Host one of ours, for a connection that came in on that address? Its port is the one we
    /// listen on, or 80, which is left out and may be redirected to us.
    pub(super) fn is_ours(&self, host: &str, local: IpAddr) -> bool {
        let (name, port) = split_port(host);
        if port.is_some_and(|port| port != "80" && port != self.port.to_string()) {
            return false;
        }
        if let Some(v6) = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            return v6.parse().is_ok_and(|ip: std::net::Ipv6Addr| undress(ip.into()) == local);
        }
        if let Ok(ip) = name.parse::<std::net::Ipv4Addr>() {
            return IpAddr::V4(ip) == local;
        }
        let name = name.strip_suffix('.').unwrap_or(name);
        let is = |own: &str| own.eq_ignore_ascii_case(name);
        is("localhost") || is(&self.name) || self.reach.borrow().name.as_deref().is_some_and(is)
    }

    /// The answer to a request that is meant for somebody else, in the box's own Wi-Fi, where every name leads
    /// to the box: phones ask a known page there whether they must sign in first, and open the pad for it.
    pub(super) fn sign_in(&self, local: IpAddr) -> Option<Answer> {
        let reach = self.reach.borrow();
        if reach.hotspot.is_none() || reach.ip != Some(local) {
            return None;
        }
        let port = if self.port == 80 { String::new() } else { format!(":{}", self.port) };
        Some(fresh(302, "text/plain", &[("Location", &format!("http://{local}{port}/"))], String::new()))
    }
}

/// A Host's name or address, and its port if it has one.
fn split_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    }
}

/// Does an Origin belong to the page of that Host? `http://` and the Host, where port 80 may be left out.
pub(super) fn same_origin(origin: &str, host: &str) -> bool {
    let plain = |host: &str| host.strip_suffix(":80").unwrap_or(host).to_ascii_lowercase();
    origin.strip_prefix("http://").is_some_and(|origin| plain(origin) == plain(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_split() {
        assert_eq!(split_port("a.local"), ("a.local", None));
        assert_eq!(split_port("a.local:80"), ("a.local", Some("80")));
        assert_eq!(split_port("[::1]"), ("[::1]", None));
        assert_eq!(split_port("[::1]:8080"), ("[::1]", Some("8080")));
    }

    #[test]
    fn only_the_exact_origin_passes() {
        for (origin, host) in [
            ("http://10.0.0.7", "10.0.0.7"),
            ("http://10.0.0.7", "10.0.0.7:80"),
            ("http://10.0.0.7:80", "10.0.0.7"),
            ("http://doozer.local:8080", "Doozer.local:8080"),
            ("http://[::1]:8080", "[::1]:8080"),
        ] {
            assert!(same_origin(origin, host), "{origin} {host}");
        }
        for (origin, host) in [
            ("null", "10.0.0.7"),
            ("", "10.0.0.7"),
            ("10.0.0.7", "10.0.0.7"),
            ("https://10.0.0.7", "10.0.0.7"),
            ("http://10.0.0.7:81", "10.0.0.7"),
            ("http://10.0.0.7:8080", "10.0.0.7"),
            ("http://10.0.0.7.evil.example", "10.0.0.7"),
            ("http://evil.example/10.0.0.7", "10.0.0.7"),
            ("http://10.0.0.7/", "10.0.0.7"),
            ("http://10.0.0.7 http://evil.example", "10.0.0.7"),
            ("http://user@10.0.0.7", "10.0.0.7"),
        ] {
            assert!(!same_origin(origin, host), "{origin} {host}");
        }
    }
}
