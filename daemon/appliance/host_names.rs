//! Tracks the claimed host names and their losses by the events of the mDNS responder. Pure.

use mdns_sd::{DaemonEvent, RRType};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// Names lost within [`LOSSES_TIME`] after which the box stops claiming one. Where cable and Wi-Fi are one network, a
/// responder can take its own answers for those of another machine, and would rename itself without end.
pub(super) const LOSSES_MAX: usize = 16;
/// Time after which a loss no longer counts, and after which a name is claimed again.
pub(super) const LOSSES_TIME: Duration = Duration::from_secs(3_600);

/// The claimed host names by interface. Each interface may lead to another network, with another name.
#[derive(Debug, Default)]
pub(super) struct HostNames {
    pub(super) claimed: BTreeMap<String, String>,
    /// The times at which names were lost to other machines, oldest first.
    losses: VecDeque<Instant>,
}

/// The meaning of a responder's event.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NameEvent {
    /// The event changes no name.
    Ignored,
    /// Another name has been claimed.
    Claimed,
    /// Too many names were lost. No further name is claimed.
    GiveUp,
}

impl HostNames {
    /// Handles an event of the responder. Returns what it means for the names.
    pub(super) fn note(&mut self, event: &DaemonEvent, now: Instant) -> NameEvent {
        match event {
            // Losses are counted, because two machines may take a name from each other without end.
            DaemonEvent::NameChange(change) if change.rr_type == RRType::A => {
                log::debug!(event = "mdns"; "{} is taken, now {}", change.original, change.new_name);
                self.lose(now)
            }
            // Reported for each service and interface, as `doozer.local.:eth0`.
            DaemonEvent::Announce(_, what) if !self.given_up() => {
                let Some((name, interface)) = what.split_once(".local.:") else { return NameEvent::Ignored };
                let name = format!("{name}.local");
                if self.claimed.get(interface) == Some(&name) {
                    return NameEvent::Ignored;
                }
                log::info!(event = "mdns", interface = interface; "This box is {name} on {interface}");
                self.claimed.insert(interface.to_owned(), name);
                NameEvent::Claimed
            }
            DaemonEvent::Error(error) => {
                log::warn!(event = "mdns"; "Name on the network: {error}");
                NameEvent::Ignored
            }
            _ => NameEvent::Ignored,
        }
    }

    /// Counts a name that another machine has taken.
    pub(super) fn lose(&mut self, now: Instant) -> NameEvent {
        if self.given_up() {
            return NameEvent::Ignored;
        }
        self.forget_losses(now);
        self.losses.push_back(now);
        if !self.given_up() {
            return NameEvent::Ignored;
        }
        self.claimed.clear();
        NameEvent::GiveUp
    }

    /// Returns whether no name is claimed any more.
    pub(super) fn given_up(&self) -> bool {
        self.losses.len() >= LOSSES_MAX
    }

    /// Forgets losses that no longer count.
    pub(super) fn forget_losses(&mut self, now: Instant) {
        self.losses.retain(|at| now.duration_since(*at) < LOSSES_TIME);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mdns_sd::DnsNameChange;

    fn announced(what: &str) -> DaemonEvent {
        DaemonEvent::Announce("Doozer Box._http._tcp.local.".into(), what.into())
    }

    fn note(names: &mut HostNames, event: &DaemonEvent) -> NameEvent {
        names.note(event, Instant::now())
    }

    fn renamed() -> DaemonEvent {
        DaemonEvent::NameChange(DnsNameChange {
            original: "doozer.local.".into(),
            new_name: "doozer-2.local.".into(),
            rr_type: RRType::A,
            intf_name: "eth0".into(),
        })
    }

    #[test]
    fn a_claimed_name_is_reported_once_for_each_interface() {
        let mut names = HostNames::default();
        assert_eq!(note(&mut names, &announced("[192.168.1.20]")), NameEvent::Ignored, "not probed yet");
        assert_eq!(note(&mut names, &announced("doozer.local.:eth0")), NameEvent::Claimed);
        assert_eq!(
            note(&mut names, &announced("doozer.local.:eth0")),
            NameEvent::Ignored,
            "the other service"
        );
        assert_eq!(note(&mut names, &announced("doozer-2.local.:wlan0")), NameEvent::Claimed);
        assert_eq!(note(&mut names, &renamed()), NameEvent::Ignored, "not held yet");
        assert_eq!(note(&mut names, &announced("doozer-2.local.:eth0")), NameEvent::Claimed);
        assert_eq!(names.claimed["eth0"], "doozer-2.local");
    }

    #[test]
    fn a_box_that_loses_every_name_gives_up_once_and_claims_again_later() {
        let (mut names, begun) = (HostNames::default(), Instant::now());
        note(&mut names, &announced("doozer.local.:eth0"));
        let events: Vec<NameEvent> = (0..100).map(|_| names.note(&renamed(), begun)).collect();
        assert_eq!(events.iter().filter(|event| **event == NameEvent::GiveUp).count(), 1);
        assert!(names.claimed.is_empty());
        assert_eq!(note(&mut names, &announced("doozer-99.local.:eth0")), NameEvent::Ignored);
        names.forget_losses(begun + LOSSES_TIME);
        assert_eq!(note(&mut names, &announced("doozer.local.:eth0")), NameEvent::Claimed);
    }

    #[test]
    fn losses_of_long_ago_do_not_count() {
        let (mut names, begun) = (HostNames::default(), Instant::now());
        for n in 0..100 {
            let now = begun + LOSSES_TIME / (LOSSES_MAX as u32 - 1) * n;
            assert_eq!(names.note(&renamed(), now), NameEvent::Ignored, "the {n}th");
        }
    }
}
