//! Slots for connections, in all and per address.
//!
//! A connection is *evictable* until the hub has seated it as a person or TV of a room. If no slot is free, the oldest
//! evictable connection of the network with the most of them is closed. If the newcomer's own network has used its
//! quota, one of that network is closed instead. An IPv6 address counts as its /64.

use super::stream::abort;
use crate::room::quotas::network;
use crate::stats::{Stats, count};
use smol::Async;
use smol::channel::{Receiver, Sender, bounded};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, TcpStream};
use std::rc::{Rc, Weak};

/// Connections beyond a network's quota that still get a response. Further ones are aborted.
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
    networks: HashMap<IpAddr, Network>,
    /// The number of times that a connection became evictable.
    clock: u64,
}

#[derive(Debug, Default)]
struct Network {
    used: usize,
    /// The evictable connections, oldest first.
    evictable: BTreeMap<u64, Eviction>,
}

/// The means to end a connection and its task.
#[derive(Clone, Debug)]
struct Eviction {
    stream: Weak<Async<TcpStream>>,
    /// Closed by the eviction.
    task: Sender<()>,
}

/// A slot in use. Dropping it frees the slot.
#[derive(Debug)]
pub(super) struct Slot {
    slots: Rc<ConnectionSlots>,
    network: IpAddr,
    eviction: Eviction,
    on_eviction: Receiver<()>,
    /// The key in its network's `evictable`.
    evictable: Option<u64>,
    evicted: bool,
    /// Whether the network has more than its quota. Such a connection gets a rejection and is closed.
    pub(super) over_quota: bool,
}

/// A reason for having no slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoSlot {
    /// All slots are in use by connections that are not evictable.
    InAll,
    /// The network has used its quota.
    OfNetwork,
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
    /// Returns the reason for having none.
    pub(super) fn acquire(
        self: &Rc<Self>,
        ip: IpAddr,
        stream: &Rc<Async<TcpStream>>,
    ) -> Result<Slot, NoSlot> {
        let network = network(ip);
        let mut table = self.table.borrow_mut();
        if table.used(network) >= self.per_address {
            self.evict(&mut table, Some(network));
        }
        let over_quota = table.used(network) >= self.per_address;
        if table.used(network) >= self.per_address + OVER_QUOTA_MAX {
            return Err(NoSlot::OfNetwork);
        }
        if table.all >= self.all_max && !self.evict(&mut table, None) {
            return Err(NoSlot::InAll);
        }
        table.all += 1;
        table.networks.entry(network).or_default().used += 1;
        drop(table);
        let (task, on_eviction) = bounded(1);
        let mut slot = Slot {
            slots: self.clone(),
            network,
            eviction: Eviction { stream: Rc::downgrade(stream), task },
            on_eviction,
            evictable: None,
            evicted: false,
            over_quota,
        };
        slot.set_evictable(true);
        Ok(slot)
    }

    /// Evicts the oldest evictable connection, if there is one.
    pub(super) fn evict_one(&self) {
        self.evict(&mut self.table.borrow_mut(), None);
    }

    /// Aborts the oldest evictable connection (of that network) and frees its slot at once. Returns whether there was
    /// one.
    fn evict(&self, table: &mut Table, of: Option<IpAddr>) -> bool {
        let Some(network) = of.or_else(|| table.most_evictable()) else { return false };
        let evictable = table.networks.get_mut(&network).and_then(|network| network.evictable.pop_first());
        let Some((_, Eviction { stream, task })) = evictable else { return false };
        task.close();
        if let Some(stream) = stream.upgrade() {
            abort(&stream);
        }
        table.release(network);
        count(&self.stats.rejections, "evicted");
        true
    }
}

impl Table {
    fn used(&self, network: IpAddr) -> usize {
        self.networks.get(&network).map_or(0, |network| network.used)
    }

    /// Returns the network with the most evictable connections. Of several it returns the one with the oldest connection.
    fn most_evictable(&self) -> Option<IpAddr> {
        let evictable = self.networks.iter().filter_map(|(ip, network)| {
            let (oldest, _) = network.evictable.first_key_value()?;
            Some((network.evictable.len(), Reverse(*oldest), *ip))
        });
        evictable.max().map(|(_, _, ip)| ip)
    }

    fn release(&mut self, network: IpAddr) {
        self.all = self.all.saturating_sub(1);
        if let Some(used) = self.networks.get_mut(&network) {
            used.used = used.used.saturating_sub(1);
            if used.used == 0 {
                self.networks.remove(&network);
            }
        }
    }
}

impl Slot {
    /// Returns the peer's network: its IPv4 address, or the /64 of its IPv6 address.
    pub(super) fn network(&self) -> IpAddr {
        self.network
    }

    /// Waits until the connection is evicted. A task that waits for anything but its stream must wait for this as well,
    /// because no limit would count a task that goes on without its slot.
    pub(super) async fn evicted(&self) {
        // Nothing is ever sent.
        let _ = self.on_eviction.recv().await;
    }

    /// Makes an evictable connection the youngest of them.
    pub(super) fn renew(&mut self) {
        self.set_evictable(false);
        self.set_evictable(true);
    }

    /// Sets whether the connection may be evicted. One that becomes evictable is the youngest of them.
    pub(super) fn set_evictable(&mut self, evictable: bool) {
        if evictable == self.evictable.is_some() || self.evicted {
            return;
        }
        let mut table = self.slots.table.borrow_mut();
        table.clock += 1;
        let now = table.clock;
        let network = table.networks.get_mut(&self.network);
        if let Some(since) = self.evictable.take() {
            // If the table has no such entry, the connection was evicted and its slot is free already.
            self.evicted = network.and_then(|network| network.evictable.remove(&since)).is_none();
        } else if let Some(network) = network {
            network.evictable.insert(now, self.eviction.clone());
            self.evictable = Some(now);
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.set_evictable(false);
        if !self.evicted {
            self.slots.table.borrow_mut().release(self.network);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpListener};

    /// Connections to a separate listener, with their slots.
    struct Connections {
        slots: Rc<ConnectionSlots>,
        listener: TcpListener,
        acquired: Vec<(Slot, Rc<Async<TcpStream>>)>,
    }

    impl Connections {
        fn new(all_max: usize, per_address: usize) -> Connections {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            Connections {
                slots: ConnectionSlots::new(all_max, per_address, Rc::default()),
                listener,
                acquired: Vec::new(),
            }
        }

        fn acquire(&mut self, ip: &str) -> Result<&mut Slot, NoSlot> {
            let stream = TcpStream::connect(self.listener.local_addr().unwrap()).unwrap();
            let stream = Rc::new(Async::new(stream).unwrap());
            let slot = self.slots.acquire(ip.parse().unwrap(), &stream)?;
            self.acquired.push((slot, stream));
            Ok(&mut self.acquired.last_mut().unwrap().0)
        }

        /// Returns the numbers of the aborted connections.
        fn evicted(&self) -> Vec<usize> {
            let ended = |stream: &Async<TcpStream>| matches!(stream.get_ref().peek(&mut [0]), Ok(0));
            (0..self.acquired.len()).filter(|&n| ended(&self.acquired[n].1)).collect()
        }
    }

    #[test]
    fn addresses_of_one_64_share_a_quota() {
        let mut connections = Connections::new(100, 2);
        for ip in ["2001:db8::1", "2001:db8::2"] {
            connections.acquire(ip).unwrap().set_evictable(false);
        }
        assert!(connections.acquire("2001:db8::ffff:3").unwrap().over_quota);
        assert!(!connections.acquire("2001:db8:0:1::1").unwrap().over_quota, "another network");
    }

    #[test]
    fn the_network_with_the_most_evictable_connections_makes_room_and_a_seated_one_never() {
        let mut connections = Connections::new(5, 5);
        connections.acquire("10.0.0.1").unwrap().set_evictable(false);
        connections.acquire("10.0.0.2").unwrap();
        for _ in 0..3 {
            connections.acquire("10.0.0.3").unwrap();
        }
        connections.acquire("10.0.0.4").unwrap();
        assert_eq!(connections.evicted(), [2], "the oldest of the most, not the oldest of all");
        connections.acquire("10.0.0.4").unwrap();
        assert_eq!(connections.evicted(), [2, 3]);
        connections.acquired.retain(|(slot, _)| slot.evictable.is_none());
        assert_eq!(connections.slots.count(), 1, "an evicted slot is freed once");
        for _ in 0..4 {
            connections.acquire("10.0.0.5").unwrap().set_evictable(false);
        }
        assert_eq!(connections.acquire("10.0.0.6").err(), Some(NoSlot::InAll));
    }
}
