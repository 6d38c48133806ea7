//! Claims the box's name on the network, `doozer.local`, and advertises its services by mDNS (RFC 6762, RFC 6763).

use super::host_names::{HostNames, LOSSES_MAX, LOSSES_TIME, NameEvent};
use super::lan::Interface;
use if_addrs::get_if_addrs;
use mdns_sd::{
    DaemonEvent, HostnameResolutionEvent, IfKind, IfPredicate, Receiver, ServiceDaemon, ServiceInfo,
};
use smol::Timer;
use smol::future::FutureExt;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// The advertised service types.
const TYPES: [&str; 2] = ["_http._tcp.local.", "_doozer._tcp.local."];
/// The instance name of the services, which network browsers list.
const INSTANCE: &str = "Doozer Box";
/// Least time between two probes for a name that another machine answers for.
const CONFLICT_PAUSE: Duration = Duration::from_secs(60);
/// Longest wait for the goodbye packets.
const GOODBYE_MAX: Duration = Duration::from_secs(1);
/// Seconds between two scans of the machine's addresses while no change is known.
const RESCAN_SECONDS: u32 = 60;

/// The mDNS responder. It is replaced by a new one to probe for the names again.
pub struct Mdns {
    claim: Claim,
    /// The current responder, or `None` while none can be started.
    responder: Option<Responder>,
    names: HostNames,
    /// The addresses that the names were probed with, by interface.
    networks: BTreeSet<(String, IpAddr)>,
    /// The time of the next probe for a name that another machine has.
    probe_at: Option<Instant>,
    /// The time of the last probe.
    probed_at: Option<Instant>,
}

/// The claimed name and the advertised port.
struct Claim {
    /// The host name without `.local`.
    name: String,
    port: u16,
    /// The only interface to claim it on, or `None` for all cable and Wi-Fi interfaces.
    interface: Option<String>,
}

/// A responder of `mdns_sd`, on a thread of its own. It probes for its names once, after its start.
struct Responder {
    daemon: ServiceDaemon,
    events: Receiver<DaemonEvent>,
    services: Vec<String>,
    /// The network's answers for the claimed names, own ones included.
    answers: BTreeMap<String, Receiver<HostnameResolutionEvent>>,
}

/// The result of [`Mdns::changed`].
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    /// The claimed names may have changed.
    Name,
    /// [`Mdns::probe`] is due, because another machine has the name or had it.
    ProbeDue,
}

/// Returns whether the name is claimed on this interface: the only one, or else any cable or Wi-Fi interface.
fn is_claimed_on(interface: &str, only: Option<&str>) -> bool {
    let real = || ["en", "eth", "wl"].iter().any(|kind| interface.starts_with(kind));
    only.map_or_else(real, |only| only == interface)
}

impl Claim {
    /// Returns the interfaces and addresses for which the name is claimed.
    fn networks(&self, interfaces: &[Interface]) -> BTreeSet<(String, IpAddr)> {
        let claimed = interfaces.iter().filter(|found| is_claimed_on(&found.name, self.interface.as_deref()));
        let addresses =
            claimed.flat_map(|found| found.addresses.iter().map(|address| (found.name.clone(), *address)));
        addresses.filter(|(_, address)| address.is_ipv4()).collect()
    }
}

impl Responder {
    /// Starts a responder that probes for the name and advertises the services.
    ///
    /// # Errors
    /// Returns an error if no socket can be opened or the name is not a host name.
    fn start(claim: &Claim) -> mdns_sd::Result<Self> {
        let daemon = ServiceDaemon::new()?;
        let only = claim.interface.clone();
        let wanted = IfPredicate::new(move |found| {
            found.ip().is_ipv4() && is_claimed_on(&found.name, only.as_deref())
        });
        daemon.disable_interface(IfKind::All)?;
        daemon.enable_interface(IfKind::Predicate(wanted))?;
        daemon.set_ip_check_interval(RESCAN_SECONDS)?;
        let events = daemon.monitor()?;
        let host = format!("{}.local.", claim.name);
        let mut services = Vec::new();
        for service in TYPES {
            let txt = [("path", "/"), ("version", env!("CARGO_PKG_VERSION"))];
            let info = ServiceInfo::new(service, INSTANCE, &host, "", claim.port, &txt[..])?;
            services.push(info.get_fullname().to_owned());
            daemon.register(info.enable_addr_auto())?;
        }
        Ok(Self { daemon, events, services, answers: BTreeMap::new() })
    }

    /// Queries the network for these names, so that other machines' answers for them are seen. Ends older queries.
    fn watch<'a>(&mut self, names: impl Iterator<Item = &'a String>) {
        let names: BTreeSet<&String> = names.collect();
        let ended: Vec<String> = self.answers.keys().filter(|name| !names.contains(name)).cloned().collect();
        for name in ended {
            let _ = self.daemon.stop_resolve_hostname(&format!("{name}."));
            self.answers.remove(&name);
        }
        for name in names {
            if self.answers.contains_key(name) {
                continue;
            }
            if let Ok(answers) = self.daemon.resolve_hostname(&format!("{name}."), None) {
                self.answers.insert(name.clone(), answers);
            }
        }
    }

    /// Waits until another machine answers for a claimed name.
    async fn conflict(&self) {
        let each = self.answers.values().map(|answers| foreign(answers).boxed_local());
        each.reduce(|all, next| all.or(next).boxed_local())
            .unwrap_or(std::future::pending().boxed_local())
            .await;
    }

    /// Withdraws the names and the services with goodbye packets (RFC 6762, 10.1).
    async fn withdraw(&self) {
        let goodbye = async {
            for service in &self.services {
                if let Ok(said) = self.daemon.unregister(service) {
                    let _ = said.recv_async().await;
                }
            }
        };
        goodbye.or(time_out()).await;
    }

    /// Withdraws the names and the services, and ends the thread.
    async fn stop(self) {
        self.withdraw().await;
        let end = async {
            if let Ok(ended) = self.daemon.shutdown() {
                let _ = ended.recv_async().await;
            }
        };
        end.or(time_out()).await;
    }
}

async fn time_out() {
    Timer::after(GOODBYE_MAX).await;
}

/// Waits for an answer with an address that this machine does not have.
async fn foreign(answers: &Receiver<HostnameResolutionEvent>) {
    while let Ok(event) = answers.recv_async().await {
        let HostnameResolutionEvent::AddressesFound(_, found) = event else { continue };
        // No address can be called foreign while the own ones are unknown.
        let Ok(own) = get_if_addrs() else { continue };
        if found.iter().any(|address| own.iter().all(|interface| interface.ip() != address.to_ip_addr())) {
            return;
        }
    }
    // The responder has ended. Its channel of events reports that.
    std::future::pending().await
}

impl Mdns {
    /// Claims `<name>.local` and advertises the services at that port, on `interface` or on all cable and Wi-Fi
    /// interfaces. `interfaces` are those of the machine now.
    ///
    /// Only IPv4 is announced, because some phones choose a link-local IPv6 address that they cannot reach.
    ///
    /// # Errors
    /// Returns an error if no socket can be opened or the name is not a host name.
    pub fn start(
        name: &str,
        port: u16,
        interface: Option<String>,
        interfaces: &[Interface],
    ) -> mdns_sd::Result<Self> {
        let claim = Claim { name: name.to_owned(), port, interface };
        Ok(Self {
            responder: Some(Responder::start(&claim)?),
            names: HostNames::default(),
            networks: claim.networks(interfaces),
            claim,
            probe_at: None,
            probed_at: None,
        })
    }

    /// Returns the host name (`doozer.local`) claimed on this interface, or else on any. `None` before that.
    pub fn name(&self, interface: Option<&str>) -> Option<String> {
        let claimed = &self.names.claimed;
        interface.and_then(|interface| claimed.get(interface)).or_else(|| claimed.values().next()).cloned()
    }

    /// Waits until the claimed names may have changed or must be probed for. Dropping the future loses nothing.
    pub async fn changed(&mut self) -> Change {
        loop {
            let due = self.probe_at;
            let due = async {
                match due {
                    Some(at) => drop(Timer::at(at).await),
                    None => std::future::pending().await,
                }
                None
            };
            let Some(responder) = &mut self.responder else {
                due.await;
                return Change::ProbeDue;
            };
            // The probe settles all conflicts that are seen before it.
            let settled = self.probe_at.is_some();
            let conflict = async {
                if settled {
                    std::future::pending().await
                }
                responder.conflict().await;
                Some(None)
            };
            let event = async { Some(Some(responder.events.recv_async().await)) };
            match event.or(conflict).or(due).await {
                None => return Change::ProbeDue,
                Some(None) => {
                    log::info!(event = "mdns"; "Another machine answers for this box's name");
                    let now = Instant::now();
                    self.probe_at = Some(self.probed_at.map_or(now, |at| now.max(at + CONFLICT_PAUSE)));
                    if self.names.lose(now) == NameEvent::GiveUp {
                        self.give_up().await;
                        return Change::Name;
                    }
                }
                Some(Some(Ok(event))) => match self.names.note(&event, Instant::now()) {
                    NameEvent::Ignored => {}
                    NameEvent::Claimed => {
                        responder.watch(self.names.claimed.values());
                        return Change::Name;
                    }
                    NameEvent::GiveUp => {
                        self.give_up().await;
                        return Change::Name;
                    }
                },
                Some(Some(Err(_))) => {
                    log::error!(event = "mdns"; "The name on the network is no longer answered for");
                    self.names.claimed.clear();
                    self.responder = None;
                    self.probe_at = Some(Instant::now() + CONFLICT_PAUSE);
                    return Change::Name;
                }
            }
        }
    }

    async fn give_up(&mut self) {
        log::warn!(event = "mdns", count = LOSSES_MAX; "Every name is taken again and again: doing without one");
        self.probe_at = Some(Instant::now() + LOSSES_TIME);
        if let Some(responder) = &mut self.responder {
            responder.watch(std::iter::empty());
            responder.withdraw().await;
        }
    }

    /// Updates the addresses in the answers. Probes again if one of `interfaces` has a new address, because another
    /// machine in its network may have the name. Takes 1.2 seconds, with a probe up to 2.
    pub async fn update(&mut self, interfaces: &[Interface]) {
        let networks = self.claim.networks(interfaces);
        self.names.claimed.retain(|interface, _| networks.iter().any(|(name, _)| name == interface));
        let joined = !networks.is_subset(&self.networks) && !self.names.given_up();
        self.networks = networks;
        if joined {
            return self.probe().await;
        }
        if let Some(responder) = &self.responder {
            // The responder scans one interval after the interval is set.
            let _ = responder.daemon.set_ip_check_interval(1);
            Timer::after(Duration::from_millis(1_200)).await;
            let _ = responder.daemon.set_ip_check_interval(RESCAN_SECONDS);
        }
    }

    /// Probes for the configured name again, with a new responder. Takes at most 2 seconds.
    pub async fn probe(&mut self) {
        let now = Instant::now();
        (self.probe_at, self.probed_at) = (None, Some(now));
        self.names.forget_losses(now);
        if let Some(responder) = self.responder.take() {
            responder.stop().await;
        }
        match Responder::start(&self.claim) {
            Ok(responder) => self.responder = Some(responder),
            Err(error) => {
                log::warn!(event = "mdns"; "No name on the network: {error}");
                self.names.claimed.clear();
                self.probe_at = Some(Instant::now() + CONFLICT_PAUSE);
            }
        }
    }

    /// Withdraws the names and the services, and ends the responder.
    pub async fn stop(self) {
        if let Some(responder) = self.responder {
            responder.stop().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_claimed_on_cables_and_wifis_or_on_the_one_that_is_set() {
        let interface = |name: &str, addresses: [&str; 2]| Interface {
            name: name.into(),
            addresses: addresses.iter().map(|address| address.parse().unwrap()).collect(),
            ..Interface::default()
        };
        let interfaces = [
            interface("eth0", ["192.168.1.20", "2001:db8::7"]),
            interface("wlan0", ["10.42.0.1", "fe80::1"]),
            interface("docker0", ["172.17.0.1", "fe80::2"]),
        ];
        let on = |interface: Option<&str>| {
            let claim = Claim { name: "doozer".into(), port: 80, interface: interface.map(str::to_owned) };
            claim
                .networks(&interfaces)
                .into_iter()
                .map(|(name, ip)| format!("{name} {ip}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(on(None), ["eth0 192.168.1.20", "wlan0 10.42.0.1"]);
        assert_eq!(on(Some("docker0")), ["docker0 172.17.0.1"]);
    }
}
