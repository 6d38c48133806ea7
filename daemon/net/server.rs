//! Holds the state that all connections share, and checks Hosts and Origins.

use super::request_budget::RequestBudget;
use super::response::{self, Response};
use super::slots::ConnectionSlots;
use super::{Assets, Budget, Listener};
use crate::clock::Clock;
use crate::endpoint::GuestEndpoint;
use crate::hub::{ConnectionId, Event};
use crate::limits::CAPTURED_PANIC_CHARS;
use crate::stats::{Stats, add};
use log::error;
use smol::LocalExecutor;
use smol::channel::Sender;
use smol::future::FutureExt as _;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::panic::AssertUnwindSafe;
use std::rc::{Rc, Weak};

/// The state that all connections share.
pub(super) struct Server {
    pub(super) events: Sender<Event>,
    pub(super) stats: Rc<Stats>,
    pub(super) assets: Rc<Assets>,
    pub(super) slots: Rc<ConnectionSlots>,
    pub(super) requests: RequestBudget,
    pub(super) budget: Budget,
    pub(super) clock: Clock,
    port: u16,
    endpoint: Rc<RefCell<GuestEndpoint>>,
    /// The configured host name with `.local`.
    name: String,
    /// The number of WebSockets so far.
    sockets: Cell<u64>,
    /// Weak, because the executor owns the tasks, and they own this struct.
    executor: Weak<LocalExecutor<'static>>,
}

impl Server {
    /// Returns the state for the connections of this listener.
    pub(super) fn new(listener: &Listener, port: u16, executor: &Rc<LocalExecutor<'static>>) -> Server {
        let budget = listener.budget.clone();
        let stats = listener.stats.clone();
        Server {
            events: listener.events.clone(),
            assets: listener.assets.clone(),
            slots: ConnectionSlots::new(budget.connections, budget.per_address, stats.clone()),
            requests: RequestBudget::new(),
            stats,
            budget,
            clock: listener.clock,
            port,
            endpoint: listener.endpoint.clone(),
            name: format!("{}.local", listener.name),
            sockets: Cell::new(0),
            executor: Rc::downgrade(executor),
        }
    }

    /// Runs a connection as a task of its own. A panic ends this task alone.
    pub(super) fn spawn(self: &Rc<Self>, connection: impl Future<Output = ()> + 'static) {
        let Some(executor) = self.executor.upgrade() else { return };
        let server = self.clone();
        // Boxed, because an async block reserves memory for a captured future twice.
        let connection = Box::pin(AssertUnwindSafe(connection).catch_unwind());
        let contained = async move {
            if let Err(panic) = connection.await {
                server.on_panic(&*panic);
            }
            server.stats.connections.set(server.slots.count());
        };
        executor.spawn(contained).detach();
    }

    /// Counts and logs a panic that ended one connection.
    pub(super) fn on_panic(&self, panic: &(dyn Any + Send)) {
        add(&self.stats.panics, 1);
        let message = panic.downcast_ref::<&str>().copied();
        let message = message.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let message: String = message.unwrap_or("no message").chars().take(CAPTURED_PANIC_CHARS).collect();
        error!("a connection's task panicked: {message:?}");
    }

    /// Returns a new WebSocket's id.
    pub(super) fn next_connection(&self) -> ConnectionId {
        self.sockets.set(self.sockets.get() + 1);
        ConnectionId(self.sockets.get())
    }

    /// Returns whether a Host names this box, for a connection to the address `local`.
    ///
    /// A port must be the one that we listen on, or 80, which browsers omit and which may be redirected to us.
    pub(super) fn is_own_host(&self, host: &str, local: IpAddr) -> bool {
        let (name, port) = split_port(host);
        if port.is_some_and(|port| port != "80" && port != self.port.to_string()) {
            return false;
        }
        // The address shown to guests may belong to another machine that forwards the port to us.
        let is_own = |ip: IpAddr| ip == local || self.endpoint.borrow().ip == Some(ip);
        if let Some(v6) = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            return v6.parse().is_ok_and(|ip: Ipv6Addr| is_own(IpAddr::V6(ip).to_canonical()));
        }
        if let Ok(ip) = name.parse::<Ipv4Addr>() {
            return is_own(IpAddr::V4(ip));
        }
        let name = name.strip_suffix('.').unwrap_or(name);
        let is = |own: &str| own.eq_ignore_ascii_case(name);
        is("localhost") || is(&self.name) || self.endpoint.borrow().name.as_deref().is_some_and(is)
    }

    /// Returns the redirect for a request with a foreign Host that came in over the box's own Wi-Fi.
    ///
    /// Every name resolves to the box there. Phones request a well-known page to detect a sign-in page, and the
    /// redirect makes them open the pad.
    pub(super) fn captive_portal(&self, local: IpAddr) -> Option<Response> {
        let endpoint = self.endpoint.borrow();
        if !endpoint.captive || endpoint.ip != Some(local) {
            return None;
        }
        let port = if self.port == 80 { String::new() } else { format!(":{}", self.port) };
        let location = format!("http://{local}{port}/");
        Some(response::uncached(302, "text/plain", &[("Location", &location)], String::new()))
    }
}

/// Splits a Host into its name or address and its port.
fn split_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    }
}

/// Returns whether an Origin is `http://` and that Host. Port 80 may be omitted in either.
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
    fn only_the_origin_of_the_host_passes() {
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
