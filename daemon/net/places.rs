//! Who may be inside: places for connections, in all and per address.
//!
//! A connection at which nothing is at stake (no complete head yet, idle between requests, no first
//! message) is *spare*: when there is no place left, the oldest spare one makes room, first among those
//! of the newcomer's own address. So neither silence nor slowness keeps anyone out.

use super::line::hang_up;
use crate::stats::{Stats, count};
use smol::Async;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, TcpStream};
use std::rc::{Rc, Weak};

/// Connections over its address' budget that still get an answer in words, beyond which they are cut.
const OVER_MAX: usize = 16;

/// All places.
#[derive(Debug)]
pub(super) struct Places {
    all_max: usize,
    per_address: usize,
    stats: Rc<Stats>,
    taken: RefCell<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    by_address: HashMap<IpAddr, Address>,
    /// By age: since when, counted in arrivals, and whose.
    spare: BTreeMap<u64, IpAddr>,
    arrivals: u64,
}

#[derive(Debug, Default)]
struct Address {
    inside: usize,
    spare: BTreeMap<u64, Weak<Async<TcpStream>>>,
}

/// A taken place; dropping it frees it.
#[derive(Debug)]
pub(super) struct Place {
    places: Rc<Places>,
    ip: IpAddr,
    stream: Weak<Async<TcpStream>>,
    spare: Option<u64>,
    evicted: bool,
    /// Is it over its address' budget, to be told so and nothing else?
    pub(super) over: bool,
}

/// Who found no place, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    /// The house is full.
    House,
    /// Its address has too many.
    Address,
}

impl Places {
    pub(super) fn new(all_max: usize, per_address: usize, stats: Rc<Stats>) -> Rc<Places> {
        Rc::new(Places { all_max, per_address, stats, taken: RefCell::default() })
    }

    /// How many are taken.
    pub(super) fn count(&self) -> usize {
        self.taken.borrow().all
    }

    /// Takes a place for a new connection, which is spare at first. Somebody may have to make room.
    pub(super) fn enter(self: &Rc<Self>, ip: IpAddr, stream: &Rc<Async<TcpStream>>) -> Result<Place, Full> {
        let mut taken = self.taken.borrow_mut();
        if taken.inside(ip) >= self.per_address {
            self.evict(&mut taken, Some(ip));
        }
        let over = taken.inside(ip) >= self.per_address;
        if taken.inside(ip) >= self.per_address + OVER_MAX {
            return Err(Full::Address);
        }
        if taken.all >= self.all_max && !self.evict(&mut taken, None) {
            return Err(Full::House);
        }
        taken.all += 1;
        taken.by_address.entry(ip).or_default().inside += 1;
        drop(taken);
        let stream = Rc::downgrade(stream);
        let mut place = Place { places: self.clone(), ip, stream, spare: None, evicted: false, over };
        place.spare(true);
        Ok(place)
    }

    /// Makes the oldest spare connection go, if there is one.
    pub(super) fn make_room(&self) {
        self.evict(&mut self.taken.borrow_mut(), None);
    }

    /// Hangs up on the oldest spare connection (of that address) and frees its place at once.
    fn evict(&self, taken: &mut Taken, of: Option<IpAddr>) -> bool {
        let oldest = match of {
            Some(ip) => {
                taken.by_address.get(&ip).and_then(|a| a.spare.keys().next().map(|&since| (since, ip)))
            }
            None => taken.spare.first_key_value().map(|(&since, &ip)| (since, ip)),
        };
        let Some((since, ip)) = oldest else { return false };
        if let Some(stream) = taken.unspare(since, ip).and_then(|stream| stream.upgrade()) {
            hang_up(&stream);
        }
        taken.leave(ip);
        count(&self.stats.door, "evicted");
        true
    }
}

impl Taken {
    fn inside(&self, ip: IpAddr) -> usize {
        self.by_address.get(&ip).map_or(0, |address| address.inside)
    }

    fn unspare(&mut self, since: u64, ip: IpAddr) -> Option<Weak<Async<TcpStream>>> {
        self.spare.remove(&since)?;
        self.by_address.get_mut(&ip)?.spare.remove(&since)
    }

    fn leave(&mut self, ip: IpAddr) {
        self.all = self.all.saturating_sub(1);
        if let Some(address) = self.by_address.get_mut(&ip) {
            address.inside = address.inside.saturating_sub(1);
            if address.inside == 0 {
                self.by_address.remove(&ip);
            }
        }
    }
}

impl Place {
    /// Nothing is at stake here from now on, or something is.
    pub(super) fn spare(&mut self, spare: bool) {
        let mut taken = self.places.taken.borrow_mut();
        if let Some(since) = self.spare.take() {
            // Gone from the list already: evicted meanwhile, and the place with it.
            self.evicted |= taken.unspare(since, self.ip).is_none();
        }
        if !spare || self.evicted {
            return;
        }
        taken.arrivals += 1;
        let since = taken.arrivals;
        if let Some(address) = taken.by_address.get_mut(&self.ip) {
            address.spare.insert(since, self.stream.clone());
            taken.spare.insert(since, self.ip);
            self.spare = Some(since);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.spare(false);
        if !self.evicted {
            self.places.taken.borrow_mut().leave(self.ip);
        }
    }
}
