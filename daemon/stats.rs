//! The counters behind `/healthz` and `/metrics`, shared on the one executor thread.

use crate::limits::Ms;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// Upper bounds of the tap-to-view histogram, in microseconds.
pub const TAP_BOUNDS_US: [u64; 8] = [50, 100, 250, 500, 1_000, 5_000, 20_000, 100_000];

/// The counters. Each gauge is set by the module that owns the counted things, such as the hub for rooms.
#[derive(Debug, Default)]
pub struct Stats {
    /// Problems for the owner, one line each.
    pub problems: RefCell<Vec<String>>,
    /// Rooms now.
    pub rooms: Cell<usize>,
    /// People in all rooms now, including those who are away.
    pub people: Cell<usize>,
    /// TV pages that host a room now.
    pub tvs: Cell<usize>,
    /// Phones that have joined a room now.
    pub phones: Cell<usize>,
    /// Guests' connections now, HTTP and WebSocket.
    pub connections: Cell<usize>,
    /// The time at which a TV page last sent a message (boot clock), or `None` before the first.
    pub tv_seen: Cell<Option<Ms>>,
    /// Pages of the box's own kiosk now: 1, or 0 while it is down.
    pub kiosks: Cell<usize>,
    /// Pages that the kiosk has opened.
    pub kiosks_opened: Cell<u64>,
    /// Whether a game is in progress in the kiosk's room, its result included.
    pub kiosk_plays: Cell<bool>,
    /// The time at which the kiosk's page last sent a message (boot clock), or `None` before the first.
    pub kiosk_seen: Cell<Option<Ms>>,
    /// The time at which a phone last sent a message (boot clock), or `None` before the first.
    pub phone_seen: Cell<Option<Ms>>,
    /// Events that wait for the hub.
    pub queue: Cell<usize>,
    /// People removed to make room for a newcomer.
    pub evictions: Cell<u64>,
    /// Panics that ended a room or a connection, but not the daemon.
    pub panics: Cell<u64>,
    /// Connections and requests rejected or aborted, by reason.
    pub rejections: RefCell<BTreeMap<&'static str, u64>>,
    /// Messages from pages, by kind.
    pub messages: RefCell<BTreeMap<&'static str, u64>>,
    /// Refused messages, by [`Refusal::as_str`](crate::refusal::Refusal::as_str).
    pub refusals: RefCell<BTreeMap<&'static str, u64>>,
    /// Taps by the time from reading the frame to queueing its views: one count for each bound, and one for all above.
    pub taps: RefCell<[u64; TAP_BOUNDS_US.len() + 1]>,
    /// The sum of those times, in microseconds.
    pub taps_us: Cell<u64>,
}

/// Adds one to the count of that kind.
pub fn count(map: &RefCell<BTreeMap<&'static str, u64>>, kind: &'static str) {
    *map.borrow_mut().entry(kind).or_default() += 1;
}

/// Adds to a gauge or counter.
pub fn add(cell: &Cell<u64>, n: u64) {
    cell.set(cell.get() + n);
}

impl Stats {
    /// Counts a tap that took `us` microseconds.
    pub fn tap(&self, us: u64) {
        let slot = TAP_BOUNDS_US.iter().position(|&bound| us <= bound).unwrap_or(TAP_BOUNDS_US.len());
        self.taps.borrow_mut()[slot] += 1;
        add(&self.taps_us, us);
    }
}
