//! The quotas of each address: new rooms in an hour, wrong codes in a minute.

use crate::limits::{ADDRESSES_MAX, Ms, NEW_ROOMS_PER_HOUR, UtcHour, WRONG_CODES_PER_MINUTE};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};

const MINUTE_MS: Ms = 60_000;
const HOUR_MS: Ms = 3_600_000;

/// The counts of all addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quotas {
    /// The clock hour that `rooms` counts.
    hour: u64,
    /// The monotonic time at which that began.
    hour_since: Ms,
    rooms: BTreeMap<IpAddr, u32>,
    /// The wrong codes of a minute, which begins at the first of them.
    wrong: BTreeMap<IpAddr, (Ms, u32)>,
}

impl Quotas {
    /// Counts one new room.
    ///
    /// # Errors
    /// Returns the seconds until the address may have another room.
    pub fn count_new_room(&mut self, ip: IpAddr, utc: UtcHour, now: Ms) -> Result<(), u64> {
        // If the wall clock stands still or is set back, an address still waits for an hour at most.
        let age = now.checked_sub(self.hour_since);
        if utc.hour != self.hour || age.is_none_or(|age| age >= HOUR_MS) {
            (self.hour, self.hour_since) = (utc.hour, now);
            self.rooms.clear();
        }
        let address = network(ip);
        let full = self.rooms.len() >= ADDRESSES_MAX && !self.rooms.contains_key(&address);
        let made = if full { NEW_ROOMS_PER_HOUR } else { self.rooms.get(&address).copied().unwrap_or(0) };
        if made >= NEW_ROOMS_PER_HOUR {
            let at_most_s = (HOUR_MS - now.saturating_sub(self.hour_since)).div_ceil(1_000);
            return Err(utc.left_s.min(at_most_s).max(1));
        }
        self.rooms.insert(address, made + 1);
        Ok(())
    }

    /// Returns the seconds for which joins from this address are refused, or `None` if they are accepted.
    pub fn blocked_for(&self, ip: IpAddr, now: Ms) -> Option<u64> {
        let &(since, n) = self.wrong.get(&network(ip))?;
        let left_ms = MINUTE_MS.saturating_sub(now.checked_sub(since)?);
        (n >= WRONG_CODES_PER_MINUTE && left_ms > 0).then(|| left_ms.div_ceil(1_000))
    }

    /// Counts one wrong code.
    pub fn count_wrong_code(&mut self, ip: IpAddr, now: Ms) {
        let address = network(ip);
        self.wrong.retain(|_, (since, _)| now.checked_sub(*since).is_some_and(|age| age < MINUTE_MS));
        if self.wrong.len() >= ADDRESSES_MAX && !self.wrong.contains_key(&address) {
            self.wrong.pop_first();
        }
        let (_, n) = self.wrong.entry(address).or_insert((now, 0));
        *n = n.saturating_add(1);
    }
}

/// Returns the address to count: an IPv4 address itself, or the /64 of an IPv6 address, because one guest can use all
/// addresses of a /64.
pub fn network(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const ONE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 7));
    const TWO: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 8));

    fn made(quotas: &mut Quotas, ip: IpAddr, hour: u64, now: Ms) -> bool {
        quotas.count_new_room(ip, UtcHour { hour, left_s: 600 }, now).is_ok()
    }

    #[test]
    fn twelve_rooms_an_hour_an_address() {
        let mut quotas = Quotas::default();
        for _ in 0..12 {
            assert!(made(&mut quotas, ONE, 5, 0));
        }
        assert_eq!(quotas.count_new_room(ONE, UtcHour { hour: 5, left_s: 600 }, 0), Err(600));
        assert!(made(&mut quotas, TWO, 5, 0));
        assert!(made(&mut quotas, ONE, 6, 1_000));
    }

    #[test]
    fn a_clock_set_back_locks_nobody_out_for_more_than_an_hour() {
        let mut quotas = Quotas::default();
        (0..12).for_each(|_| assert!(made(&mut quotas, ONE, 9_000, 0)));
        // After a jump of years back or forward the count starts again.
        assert!(made(&mut quotas, ONE, 3, 1_000));
        (1..12).for_each(|_| assert!(made(&mut quotas, ONE, 3, 1_000)));
        assert_eq!(quotas.count_new_room(ONE, UtcHour { hour: 3, left_s: 3_600 }, 3_600_000), Err(1));
        // The wall clock stays in hour 3 for ever.
        assert!(made(&mut quotas, ONE, 3, 3_601_000));
    }

    #[test]
    fn twenty_wrong_codes_a_minute() {
        let mut quotas = Quotas::default();
        for _ in 0..20 {
            assert_eq!(quotas.blocked_for(ONE, 1_000), None);
            quotas.count_wrong_code(ONE, 1_000);
        }
        assert_eq!(quotas.blocked_for(ONE, 31_000), Some(30));
        assert_eq!(quotas.blocked_for(TWO, 31_000), None);
        assert_eq!(quotas.blocked_for(ONE, 61_000), None);
    }

    #[test]
    fn the_addresses_of_one_ipv6_network_count_as_one() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let (one, same, other) = (ip("2001:db8:1:2::1"), ip("2001:db8:1:2:ffff::9"), ip("2001:db8:1:3::1"));
        let mut quotas = Quotas::default();
        (0..12).for_each(|n| assert!(made(&mut quotas, if n % 2 == 0 { one } else { same }, 5, 0)));
        assert_eq!([one, same, other].map(|ip| made(&mut quotas, ip, 5, 0)), [false, false, true]);
        (0..20).for_each(|n| quotas.count_wrong_code(if n % 2 == 0 { one } else { same }, 0));
        assert_eq!([one, same, other].map(|ip| quotas.blocked_for(ip, 0)), [Some(60), Some(60), None]);
    }

    #[test]
    fn many_addresses_take_bounded_memory() {
        let mut quotas = Quotas::default();
        for i in 0..20_000_u32 {
            quotas.count_wrong_code(IpAddr::V4(Ipv4Addr::from(i)), 0);
            let _ = quotas.count_new_room(IpAddr::V4(Ipv4Addr::from(i)), UtcHour { hour: 1, left_s: 9 }, 0);
        }
        assert_eq!((quotas.wrong.len(), quotas.rooms.len()), (ADDRESSES_MAX, ADDRESSES_MAX));
    }
}
