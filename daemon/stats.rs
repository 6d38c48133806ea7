//! What `/healthz` and `/metrics` tell: plain counters, shared on the one executor thread.

use crate::limits::Ms;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// Upper bounds of the tap-to-view histogram, in microseconds.
pub const TAP_BOUNDS_US: [u64; 8] = [50, 100, 250, 500, 1_000, 5_000, 20_000, 100_000];

/// The counters. Gauges are set by whoever owns the thing counted: rooms by the hub, connections by the door.
#[derive(Debug, Default)]
pub struct Stats {
    /// Rooms now.
    pub rooms: Cell<usize>,
    /// People in all rooms now, the away ones too.
    pub people: Cell<usize>,
    /// Pages that host a room now.
    pub tvs: Cell<usize>,
    /// Pages that have joined a room now.
    pub phones: Cell<usize>,
    /// Sockets of any kind now.
    pub connections: Cell<usize>,
    /// When a TV page was last heard from (monotonic); `None` before the first.
    pub tv_seen: Cell<Option<Ms>>,
    /// When a phone was last heard from (monotonic); `None` before the first.
    pub phone_seen: Cell<Option<Ms>>,
    /// Events that wait for the hub.
    pub queue: Cell<usize>,
    /// People who made room for a newcomer.
    pub evictions: Cell<u64>,
    /// Panics that were contained.
    pub panics: Cell<u64>,
    /// Connections refused or cut at the door, by reason.
    pub door: RefCell<BTreeMap<&'static str, u64>>,
    /// Messages from pages, by kind.
    pub messages: RefCell<BTreeMap<&'static str, u64>>,
    /// Refusals to pages, by `why`.
    pub refusals: RefCell<BTreeMap<&'static str, u64>>,
    /// Taps by the time from the frame read to the views handed on: one count a bound, the last one for all above.
    pub taps: RefCell<[u64; TAP_BOUNDS_US.len() + 1]>,
    /// Sum of those times, in microseconds.
    pub taps_us: Cell<u64>,
}

/// Counts one more of that kind.
pub fn count(map: &RefCell<BTreeMap<&'static str, u64>>, kind: &'static str) {
    *map.borrow_mut().entry(kind).or_default() += 1;
}

/// Adds to a gauge or counter.
pub fn add(cell: &Cell<u64>, n: u64) {
    cell.set(cell.get() + n);
}

impl Stats {
    /// Notes one tap that took so long.
    pub fn tap(&self, us: u64) {
        let slot = TAP_BOUNDS_US.iter().position(|&bound| us <= bound).unwrap_or(TAP_BOUNDS_US.len());
        self.taps.borrow_mut()[slot] += 1;
        add(&self.taps_us, us);
    }
}
