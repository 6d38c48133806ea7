//! Slots for connections, in all and per address.
//!
//! A connection on which nothing depends (no complete head yet, idle between two requests, no first message) is
//! *evictable*. When no slot is free the oldest evictable connection is closed, of the newcomer's own address first. So
//! neither silent nor slow connections keep anyone out.

use super::stream::abort;
use crate::stats::{Stats, count};
use smol::Async;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, TcpStream};
use std::rc::{Rc, Weak};

/// Connections beyond an address's quota that are still told so in words. Further ones are aborted.
const OVER_QUOTA_MAX: usize = 16;

/// All slots.
#[derive(Debug)]
pub(super) struct ConnectionSlots {
    all_max: usize,
    per_address: usize,
    stats: Rc<Stats>,
    table: RefCell<Table>,
}

/// The slots in use.
#[derive(Debug, Default)]
struct Table {
    all: usize,
    by_address: HashMap<IpAddr, Address>,
    /// The addresses of the evictable connections, oldest first.
    evictable: BTreeMap<u64, IpAddr>,
    /// The number of times that a connection became evictable.
    clock: u64,
}

#[derive(Debug, Default)]
struct Address {
    used: usize,
    evictable: BTreeMap<u64, Weak<Async<TcpStream>>>,
}

/// A slot in use. Dropping it frees the slot.
#[derive(Debug)]
pub(super) struct Slot {
    slots: Rc<ConnectionSlots>,
    ip: IpAddr,
    stream: Weak<Async<TcpStream>>,
    /// The key in the table's `evictable`.
    evictable: Option<u64>,
    evicted: bool,
    /// Whether the address has more than its quota. Such a connection is told so and closed.
    pub(super) over_quota: bool,
}

/// The reason for which there is no slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoSlot {
    /// All slots are in use by connections that are not evictable.
    InAll,
    /// The address has used its quota.
    OfAddress,
}

impl ConnectionSlots {
    pub(super) fn new(all_max: usize, per_address: usize, stats: Rc<Stats>) -> Rc<ConnectionSlots> {
        Rc::new(ConnectionSlots { all_max, per_address, stats, table: RefCell::default() })
    }

    /// Returns the number of slots in use.
    pub(super) fn count(&self) -> usize {
        self.table.borrow().all
    }

    /// Acquires a slot for a new connection, which is evictable at first. May evict another one.
    ///
    /// # Errors
    /// Returns why there is none.
    pub(super) fn acquire(
        self: &Rc<Self>,
        ip: IpAddr,
        stream: &Rc<Async<TcpStream>>,
    ) -> Result<Slot, NoSlot> {
        let mut table = self.table.borrow_mut();
        if table.used(ip) >= self.per_address {
            self.evict(&mut table, Some(ip));
        }
        let over_quota = table.used(ip) >= self.per_address;
        if table.used(ip) >= self.per_address + OVER_QUOTA_MAX {
            return Err(NoSlot::OfAddress);
        }
        if table.all >= self.all_max && !self.evict(&mut table, None) {
            return Err(NoSlot::InAll);
        }
        table.all += 1;
        table.by_address.entry(ip).or_default().used += 1;
        drop(table);
        let stream = Rc::downgrade(stream);
        let mut slot = Slot { slots: self.clone(), ip, stream, evictable: None, evicted: false, over_quota };
        slot.set_evictable(true);
        Ok(slot)
    }

    /// Evicts the oldest evictable connection, if there is one.
    pub(super) fn evict_one(&self) {
        self.evict(&mut self.table.borrow_mut(), None);
    }

    /// Aborts the oldest evictable connection (of that address) and frees its slot at once. Returns whether there was
    /// one.
    fn evict(&self, table: &mut Table, of: Option<IpAddr>) -> bool {
        let oldest = match of {
            Some(ip) => {
                table.by_address.get(&ip).and_then(|a| a.evictable.keys().next().map(|&since| (since, ip)))
            }
            None => table.evictable.first_key_value().map(|(&since, &ip)| (since, ip)),
        };
        let Some((since, ip)) = oldest else { return false };
        if let Some(stream) = table.remove_evictable(since, ip).and_then(|stream| stream.upgrade()) {
            abort(&stream);
        }
        table.release(ip);
        count(&self.stats.rejections, "evicted");
        true
    }
}

impl Table {
    fn used(&self, ip: IpAddr) -> usize {
        self.by_address.get(&ip).map_or(0, |address| address.used)
    }

    fn remove_evictable(&mut self, since: u64, ip: IpAddr) -> Option<Weak<Async<TcpStream>>> {
        self.evictable.remove(&since)?;
        self.by_address.get_mut(&ip)?.evictable.remove(&since)
    }

    fn release(&mut self, ip: IpAddr) {
        self.all = self.all.saturating_sub(1);
        if let Some(address) = self.by_address.get_mut(&ip) {
            address.used = address.used.saturating_sub(1);
            if address.used == 0 {
                self.by_address.remove(&ip);
            }
        }
    }
}

impl Slot {
    /// Sets whether the connection may be evicted. One that becomes evictable is the youngest of them.
    pub(super) fn set_evictable(&mut self, evictable: bool) {
        let mut table = self.slots.table.borrow_mut();
        if let Some(since) = self.evictable.take() {
            // Missing in the table: evicted meanwhile, and its slot is free already.
            self.evicted |= table.remove_evictable(since, self.ip).is_none();
        }
        if !evictable || self.evicted {
            return;
        }
        table.clock += 1;
        let since = table.clock;
        if let Some(address) = table.by_address.get_mut(&self.ip) {
            address.evictable.insert(since, self.stream.clone());
            table.evictable.insert(since, self.ip);
            self.evictable = Some(since);
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.set_evictable(false);
        if !self.evicted {
            self.slots.table.borrow_mut().release(self.ip);
        }
    }
}
