//! Claims the box's name on the network, `doozer.local`, and advertises its services by mDNS (RFC 6762, RFC 6763).

use mdns_sd::{DaemonEvent, IfKind, IfPredicate, RRType, Receiver, ServiceDaemon, ServiceInfo};
use smol::Timer;
use smol::future::FutureExt;
use std::collections::BTreeMap;
use std::time::Duration;

/// The advertised service types.
const TYPES: [&str; 2] = ["_http._tcp.local.", "_doozer._tcp.local."];
/// The instance name of the services, which network browsers list.
const INSTANCE: &str = "Doozer Box";
/// Renames after which the box stops claiming a name. Where cable and Wi-Fi are one network, a responder can take its
/// own answers for those of another machine, and would rename itself without end.
const RENAMES_MAX: usize = 16;
/// Longest wait for the goodbye packets.
const GOODBYE_MAX: Duration = Duration::from_secs(1);
/// Seconds between two scans of the machine's addresses while no change is known.
const RESCAN_SECONDS: u32 = 60;

/// The mDNS responder. It runs on its own thread.
pub struct Mdns {
    daemon: ServiceDaemon,
    events: Receiver<DaemonEvent>,
    services: Vec<String>,
    names: Names,
}

/// The claimed host names by interface. Each interface may lead to another network, with another name.
#[derive(Debug, Default)]
struct Names {
    claimed: BTreeMap<String, String>,
    renames: usize,
}

/// The meaning of a responder's event.
#[derive(Debug, PartialEq, Eq)]
enum NameEvent {
    /// The event changes no name.
    Ignored,
    /// Another name has been claimed.
    Claimed,
    /// Too many names were taken by other machines. No further name is claimed.
    GiveUp,
}

impl Mdns {
    /// Claims `<name>.local` and advertises the services at that port, on `interface` or on all cable and Wi-Fi
    /// interfaces.
    ///
    /// Only IPv4 is announced, because some phones choose a link-local IPv6 address that they cannot reach.
    ///
    /// # Errors
    /// Returns an error if no socket can be opened or the name is not a host name.
    pub fn start(name: &str, port: u16, interface: Option<String>) -> mdns_sd::Result<Self> {
        let daemon = ServiceDaemon::new()?;
        let wanted = IfPredicate::new(move |found| {
            let real = || ["en", "eth", "wl"].iter().any(|kind| found.name.starts_with(kind));
            found.ip().is_ipv4() && interface.as_ref().map_or_else(real, |name| *name == found.name)
        });
        daemon.disable_interface(IfKind::All)?;
        daemon.enable_interface(IfKind::Predicate(wanted))?;
        daemon.set_ip_check_interval(RESCAN_SECONDS)?;
        let events = daemon.monitor()?;
        let mut services = Vec::new();
        for service in TYPES {
            let txt = [("path", "/"), ("version", env!("CARGO_PKG_VERSION"))];
            let info = ServiceInfo::new(service, INSTANCE, &format!("{name}.local."), "", port, &txt[..])?;
            services.push(info.get_fullname().to_owned());
            daemon.register(info.enable_addr_auto())?;
        }
        Ok(Self { daemon, events, services, names: Names::default() })
    }

    /// Returns the host name (`doozer.local`) claimed on this interface, or else on any. `None` before that.
    pub fn name(&self, interface: Option<&str>) -> Option<String> {
        let claimed = &self.names.claimed;
        interface.and_then(|interface| claimed.get(interface)).or_else(|| claimed.values().next()).cloned()
    }

    /// Waits until the claimed names may have changed. Dropping the future loses nothing.
    pub async fn changed(&mut self) {
        loop {
            let Ok(event) = self.events.recv_async().await else {
                log::error!(event = "mdns"; "The name on the network is no longer answered for");
                self.names.claimed.clear();
                // The channel stays closed, and the caller has seen the change once.
                return std::future::pending().await;
            };
            match self.names.note(&event) {
                NameEvent::Ignored => continue,
                NameEvent::Claimed => {}
                NameEvent::GiveUp => {
                    log::warn!(event = "mdns", count = RENAMES_MAX; "Every name is taken again and again: doing without one");
                    for service in &self.services {
                        let _ = self.daemon.unregister(service);
                    }
                }
            }
            return;
        }
    }

    /// Scans the machine's addresses, so that answers contain the new ones. Takes 1.2 seconds.
    pub async fn rescan(&self) {
        // The responder scans one interval after the interval is set.
        let _ = self.daemon.set_ip_check_interval(1);
        Timer::after(Duration::from_millis(1_200)).await;
        let _ = self.daemon.set_ip_check_interval(RESCAN_SECONDS);
    }

    /// Withdraws the name and the services with goodbye packets (RFC 6762, 10.1), and ends the responder.
    pub async fn stop(self) {
        let goodbye = async {
            for service in &self.services {
                if let Ok(said) = self.daemon.unregister(service) {
                    let _ = said.recv_async().await;
                }
            }
            if let Ok(ended) = self.daemon.shutdown() {
                let _ = ended.recv_async().await;
            }
        };
        let too_long = async {
            Timer::after(GOODBYE_MAX).await;
        };
        goodbye.or(too_long).await;
    }
}

impl Names {
    fn note(&mut self, event: &DaemonEvent) -> NameEvent {
        match event {
            // Renames are counted, because two machines may take a name from each other without end.
            DaemonEvent::NameChange(change) if change.rr_type == RRType::A => {
                log::debug!(event = "mdns"; "{} is taken, now {}", change.original, change.new_name);
                self.renames += 1;
                if self.renames < RENAMES_MAX {
                    return NameEvent::Ignored;
                }
                self.claimed.clear();
                if self.renames == RENAMES_MAX { NameEvent::GiveUp } else { NameEvent::Ignored }
            }
            // Reported for each service and interface, as `doozer.local.:eth0`.
            DaemonEvent::Announce(_, what) if self.renames < RENAMES_MAX => {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use mdns_sd::DnsNameChange;

    fn announced(what: &str) -> DaemonEvent {
        DaemonEvent::Announce("Doozer Box._http._tcp.local.".into(), what.into())
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
    fn the_name_that_is_held_is_told_once_an_interface() {
        let mut names = Names::default();
        assert_eq!(names.note(&announced("[192.168.1.20]")), NameEvent::Ignored, "not probed yet");
        assert_eq!(names.note(&announced("doozer.local.:eth0")), NameEvent::Claimed);
        assert_eq!(names.note(&announced("doozer.local.:eth0")), NameEvent::Ignored, "the other service");
        assert_eq!(names.note(&announced("doozer-2.local.:wlan0")), NameEvent::Claimed);
        assert_eq!(names.note(&renamed()), NameEvent::Ignored, "not held yet");
        assert_eq!(names.note(&announced("doozer-2.local.:eth0")), NameEvent::Claimed);
        assert_eq!(names.claimed["eth0"], "doozer-2.local");
    }

    #[test]
    fn who_is_renamed_for_ever_gives_up_once() {
        let mut names = Names::default();
        names.note(&announced("doozer.local.:eth0"));
        let told: Vec<NameEvent> = (0..100).map(|_| names.note(&renamed())).collect();
        assert_eq!(told.iter().filter(|event| **event == NameEvent::GiveUp).count(), 1);
        assert!(names.claimed.is_empty());
        assert_eq!(names.note(&announced("doozer-99.local.:eth0")), NameEvent::Ignored);
    }
}
