//! The box's name on the network, `doozer.local`, and the services that it offers there.

use mdns_sd::{DaemonEvent, DnsNameChange, IfKind, IfPredicate, Receiver, ServiceDaemon, ServiceInfo};
use smol::Timer;
use smol::future::FutureExt;
use std::collections::BTreeMap;
use std::time::Duration;

/// The service types that the box offers.
const TYPES: [&str; 2] = ["_http._tcp.local.", "_doozer._tcp.local."];
/// The services' name as a browser of the network lists it.
const INSTANCE: &str = "Doozer Box";
/// Host names given up before the box stops claiming one: cable and Wi-Fi that lead to one another
/// can make a responder take its own answers for another machine's, for ever.
const RENAMES_MAX: usize = 16;
/// How long the goodbye may take.
const GOODBYE_MAX: Duration = Duration::from_secs(1);
/// Seconds between looks at the machine's addresses while nothing is known to have changed.
const LOOK_SECONDS: u32 = 60;

/// The responder, on a thread of its own, and what is known of the names it holds.
pub struct Mdns {
    daemon: ServiceDaemon,
    events: Receiver<DaemonEvent>,
    services: Vec<String>,
    /// The host name held, by interface: each is a network of its own.
    held: BTreeMap<String, String>,
    renames: usize,
}

impl Mdns {
    /// Claims `<name>.local` and offers the services at the port, on `interface` or else on all
    /// cables and Wi-Fis; IPv4 only, since some phones take a link-local IPv6 address and get nowhere.
    ///
    /// # Errors
    /// When there is no socket for it or the name is no host name.
    pub fn start(name: &str, port: u16, interface: Option<String>) -> mdns_sd::Result<Self> {
        let daemon = ServiceDaemon::new()?;
        let wanted = IfPredicate::new(move |found| {
            let real = || ["en", "eth", "wl"].iter().any(|kind| found.name.starts_with(kind));
            found.ip().is_ipv4() && interface.as_ref().map_or_else(real, |name| *name == found.name)
        });
        daemon.disable_interface(IfKind::All)?;
        daemon.enable_interface(IfKind::Predicate(wanted))?;
        daemon.set_ip_check_interval(LOOK_SECONDS)?;
        let events = daemon.monitor()?;
        let mut services = Vec::new();
        for service in TYPES {
            let txt = [("path", "/"), ("version", env!("CARGO_PKG_VERSION"))];
            let info = ServiceInfo::new(service, INSTANCE, &format!("{name}.local."), "", port, &txt[..])?;
            services.push(info.get_fullname().to_owned());
            daemon.register(info.enable_addr_auto())?;
        }
        Ok(Self { daemon, events, services, held: BTreeMap::new(), renames: 0 })
    }

    /// The host name (`doozer.local`) held on this interface, else on any; `None` while none is.
    pub fn name(&self, interface: Option<&str>) -> Option<String> {
        let here = interface.and_then(|interface| self.held.get(interface));
        here.or_else(|| self.held.values().next()).cloned()
    }

    /// Waits until the names held may have changed. Dropping the future loses nothing.
    pub async fn changed(&mut self) {
        loop {
            let Ok(event) = self.events.recv_async().await else {
                log::error!(event = "mdns"; "The name on the network is no longer answered for");
                self.held.clear();
                // The channel is closed for good; the caller has been told once.
                return std::future::pending().await;
            };
            if self.note(&event) {
                return;
            }
        }
    }

    /// Notes what happened; true when the names held have changed.
    fn note(&mut self, event: &DaemonEvent) -> bool {
        match event {
            DaemonEvent::Announce(_, name_and_interface) => {
                let Some((name, interface)) = name_and_interface.split_once(".local.:") else { return false };
                let name = format!("{name}.local");
                let before = self.held.insert(interface.to_owned(), name.clone());
                let new = before.as_ref() != Some(&name);
                if new {
                    log::info!(event = "mdns", interface = interface; "This box is {name} on {interface}");
                }
                new
            }
            DaemonEvent::NameChange(change) => self.renamed(change),
            DaemonEvent::Error(error) => {
                log::warn!(event = "mdns"; "Name on the network: {error}");
                false
            }
            _ => false,
        }
    }

    fn renamed(&mut self, change: &DnsNameChange) -> bool {
        log::debug!(event = "mdns"; "{} is taken, now {}", change.original, change.new_name);
        self.renames += 1;
        if self.renames != RENAMES_MAX {
            return false;
        }
        log::warn!(event = "mdns", count = self.renames; "Every name is taken again and again: doing without one");
        for service in &self.services {
            let _ = self.daemon.unregister(service);
        }
        self.held.clear();
        true
    }

    /// The machine's addresses may have changed: answers with the new ones from now on. Takes a
    /// good second.
    pub async fn look(&self) {
        // The responder looks one interval after the interval is set.
        let _ = self.daemon.set_ip_check_interval(1);
        Timer::after(Duration::from_millis(1_200)).await;
        let _ = self.daemon.set_ip_check_interval(LOOK_SECONDS);
    }

    /// Says goodbye, so that nobody goes on believing in the name, and ends.
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
