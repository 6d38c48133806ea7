//! Runs the network side of the box: the address that guests reach, the name on the network, and the journal.

mod host_names;
pub mod hours;
pub mod journal;
pub mod lan;
pub mod mdns;
pub mod setup;

use crate::admin::SETUP_SSID;
use crate::endpoint::{GuestEndpoint, WifiSetup};
use crate::qr;
use lan::{Endpoint, Interface, InterfaceWatcher, Overrides};
use mdns::{Change, Mdns};
use smol::channel::{Receiver, Sender};
use smol::future::FutureExt;
use std::net::{IpAddr, Ipv4Addr};

/// The owner's settings about the network.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The address or interface that the owner has chosen for guests.
    pub overrides: Overrides,
    /// The host name to claim, without `.local`. With `None` no name is advertised.
    pub name: Option<String>,
    /// The name of the venue's Wi-Fi, if the owner has set it.
    pub wifi: Option<String>,
    /// The password of the venue's Wi-Fi, if the owner wants a QR code that joins it.
    pub wifi_password: Option<String>,
    /// The box's own Wi-Fi, if the owner has set one.
    pub hotspot: Option<Hotspot>,
    /// Mistakes in the settings, one line each.
    pub problems: Vec<String>,
    /// The port that the box serves on.
    pub port: u16,
}

/// The box's own Wi-Fi (`deploy/hotspot`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hotspot {
    /// Its name.
    pub name: String,
    /// Its password. With `None` the Wi-Fi is open.
    pub password: Option<String>,
}

/// The box's address in its own Wi-Fi, as set in `deploy/hotspot`.
const HOTSPOT_IP: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 42, 0, 1));

/// The appliance's ends of the channels to [`setup`] and [`hours`].
pub struct Links {
    /// Sends whether the box has a network.
    pub networked: Sender<bool>,
    /// Receives the state of the set-up.
    pub state: Receiver<WifiSetup>,
    /// Receives the problem of the opening hours when it begins, and `None` when it ends.
    pub hours: Receiver<Option<String>>,
}

enum Wakeup {
    InterfacesChanged,
    SetupChanged(WifiSetup),
    HoursChanged(Option<String>),
    NameChanged,
    ProbeDue,
    Stop,
}

impl Network {
    /// Returns how guests reach the box, without its name, and the interface that leads to them.
    ///
    /// While the box's own Wi-Fi is up, the guests use it, or the owner who sets the box up.
    fn endpoint(&self, interfaces: &[Interface], setup: &WifiSetup) -> (GuestEndpoint, Option<String>) {
        let own = interfaces.iter().find(|interface| interface.addresses.contains(&HOTSPOT_IP));
        let open = setup.password.clone();
        let open = open.map(|password| Hotspot { name: SETUP_SSID.to_owned(), password: Some(password) });
        let own = open.as_ref().or(self.hotspot.as_ref()).zip(own);
        let endpoint = match own {
            Some((_, interface)) if self.overrides == Overrides::default() => {
                Some(Endpoint { ip: HOTSPOT_IP, interface: Some(interface.name.clone()) })
            }
            _ => lan::choose(interfaces, &self.overrides),
        };
        let wifi = match (own, &self.wifi) {
            (Some((hotspot, _)), _) => Some(qr::wifi(&hotspot.name, hotspot.password.as_deref())),
            (None, Some(venue)) => {
                self.wifi_password.as_deref().map(|password| qr::wifi(venue, Some(password)))
            }
            (None, None) => None,
        };
        let guests = GuestEndpoint {
            ip: endpoint.as_ref().map(|endpoint| endpoint.ip),
            name: None,
            wifi: own.map(|(hotspot, _)| hotspot.name.clone()).or_else(|| self.wifi.clone()),
            hotspot: wifi.and_then(|text| qr::code(&text)),
            captive: own.is_some(),
            problems: [
                self.problems.clone(),
                self.overrides.problem(interfaces).into_iter().collect(),
                setup::problem(setup).into_iter().collect(),
            ]
            .concat(),
            setup: Box::new(setup.clone()),
        };
        (guests, endpoint.and_then(|endpoint| endpoint.interface))
    }

    /// Returns whether the box has an address that guests reach. Its address in the set-up Wi-Fi does not count.
    fn is_networked(&self, interfaces: &[Interface], setup: &WifiSetup) -> bool {
        let mut interfaces = interfaces.to_vec();
        if self.hotspot.is_none() || setup.password.is_some() {
            for interface in &mut interfaces {
                interface.addresses.retain(|address| *address != HOTSPOT_IP);
            }
        }
        lan::choose(&interfaces, &self.overrides).is_some()
    }
}

/// Publishes how guests reach the box, at once and after each change.
///
/// Withdraws the name on the network and ends when `stop` receives a message or is closed.
pub async fn run(network: Network, links: Links, stop: Receiver<()>, mut publish: impl FnMut(GuestEndpoint)) {
    let watcher = InterfaceWatcher::start();
    let mut interfaces = lan::interfaces().unwrap_or_default();
    let mut mdns = network.name.as_deref().and_then(|name| {
        let started = Mdns::start(name, network.port, network.overrides.interface.clone(), &interfaces);
        started.inspect_err(|error| log::warn!(event = "mdns"; "No name on the network: {error}")).ok()
    });
    let mut published = None;
    let mut endpoint = GuestEndpoint::default();
    let mut interface = None;
    let mut setup = WifiSetup::default();
    let mut hours = None;
    let mut networked = None;
    let mut wakeup = Wakeup::NameChanged;
    loop {
        match &wakeup {
            Wakeup::SetupChanged(state) => setup.clone_from(state),
            Wakeup::HoursChanged(problem) => hours.clone_from(problem),
            _ => {}
        }
        // The address stays as it is while the interfaces cannot be listed.
        if let Ok(found) = lan::interfaces() {
            (endpoint, interface) = network.endpoint(&found, &setup);
            let now = network.is_networked(&found, &setup);
            if networked.replace(now) != Some(now) {
                // Only the newest state counts. Sending fails if the set-up does not run.
                let _ = links.networked.force_send(now);
            }
            interfaces = found;
        }
        *endpoint.setup = setup.clone();
        endpoint.name = mdns.as_ref().and_then(|mdns| mdns.name(interface.as_deref()));
        let mut shown = endpoint.clone();
        shown.problems.extend(hours.clone());
        if published.as_ref() != Some(&shown) {
            let before = published.as_ref().map_or(&network.problems, |before| &before.problems);
            log_new_problems(before, &shown.problems);
            publish(shown.clone());
            published = Some(shown);
        }
        let stopped = || async {
            let _ = stop.recv().await;
            Wakeup::Stop
        };
        let updated = async {
            match (&wakeup, &mut mdns) {
                (Wakeup::InterfacesChanged, Some(mdns)) => mdns.update(&interfaces).await,
                (Wakeup::ProbeDue, Some(mdns)) => mdns.probe().await,
                _ => {}
            }
            Wakeup::NameChanged
        };
        if let Wakeup::Stop = stopped().or(updated).await {
            break;
        }
        wakeup = stopped().or(next_change(&watcher, &mut mdns, &links)).await;
        if let Wakeup::Stop = wakeup {
            break;
        }
    }
    if let Some(mdns) = mdns {
        mdns.stop().await;
    }
}

/// Waits for the next change of an interface, the name, the set-up or the opening hours' problem.
async fn next_change(watcher: &InterfaceWatcher, mdns: &mut Option<Mdns>, links: &Links) -> Wakeup {
    let moved = async {
        watcher.changed().await;
        Wakeup::InterfacesChanged
    };
    let renamed = async {
        match mdns {
            Some(mdns) => match mdns.changed().await {
                Change::Name => Wakeup::NameChanged,
                Change::ProbeDue => Wakeup::ProbeDue,
            },
            None => std::future::pending().await,
        }
    };
    let set_up = async {
        match links.state.recv().await {
            Ok(state) => Wakeup::SetupChanged(state),
            Err(_) => std::future::pending().await,
        }
    };
    let hours = async {
        match links.hours.recv().await {
            Ok(problem) => Wakeup::HoursChanged(problem),
            Err(_) => std::future::pending().await,
        }
    };
    moved.or(renamed).or(set_up).or(hours).await
}

fn log_new_problems(before: &[String], now: &[String]) {
    for problem in now.iter().filter(|problem| !before.contains(problem)) {
        log::warn!(event = "settings"; "{problem}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_are_on_the_boxs_own_wifi_when_it_is_up() {
        let hotspot = Hotspot { name: "Doozer".into(), password: Some("winnerstays".into()) };
        let network = Network { hotspot: Some(hotspot), wifi: Some("Bar".into()), ..Network::default() };
        let closed = WifiSetup::default();
        let interface = |name: &str, ip: &str, metric| Interface {
            name: name.into(),
            addresses: vec![ip.parse().unwrap()],
            metric,
            point_to_point: false,
        };
        let cable = interface("eth0", "192.168.1.20", Some(100));
        let (down, _) = network.endpoint(std::slice::from_ref(&cable), &closed);
        assert_eq!((down.ip, down.wifi.as_deref()), (Some(cable.addresses[0]), Some("Bar")));
        assert_eq!(down.hotspot, None, "no code for a Wi-Fi that is not there");
        let both = [cable, interface("wlan0", "10.42.0.1", None)];
        let (up, interface) = network.endpoint(&both, &closed);
        assert_eq!((up.ip, up.wifi.as_deref()), (Some(HOTSPOT_IP), Some("Doozer")));
        assert_eq!(interface.as_deref(), Some("wlan0"));
        assert_eq!(up.hotspot, qr::code("WIFI:T:WPA;S:Doozer;P:winnerstays;;"));
        let plain = Network { wifi_password: Some("winnerstays".into()), ..Network::default() };
        assert_eq!(plain.endpoint(&both, &closed).0.hotspot, None, "a password without a name");
        assert_eq!(plain.endpoint(&both, &closed).0.ip, Some(both[0].addresses[0]));
    }

    #[test]
    fn a_code_joins_the_venues_wifi_whose_password_the_owner_has_set() {
        let cable = [Interface {
            name: "eth0".into(),
            addresses: vec!["192.168.1.20".parse().unwrap()],
            metric: Some(100),
            point_to_point: false,
        }];
        let named = Network { wifi: Some("Joe's; Bar".into()), ..Network::default() };
        assert_eq!(named.endpoint(&cable, &WifiSetup::default()).0.hotspot, None);
        let known = Network { wifi_password: Some("guests welcome".into()), ..named };
        let (endpoint, _) = known.endpoint(&cable, &WifiSetup::default());
        assert_eq!(endpoint.wifi.as_deref(), Some("Joe's; Bar"));
        assert_eq!(endpoint.hotspot, qr::code(r"WIFI:T:WPA;S:Joe's\; Bar;P:guests welcome;;"));
    }

    #[test]
    fn the_set_up_wifi_is_shown_and_is_no_network() {
        let wifi = Interface {
            name: "wlan0".into(),
            addresses: vec![HOTSPOT_IP],
            metric: None,
            point_to_point: false,
        };
        let cable = Interface {
            name: "eth0".into(),
            addresses: vec!["192.168.1.20".parse().unwrap()],
            ..wifi.clone()
        };
        let open = WifiSetup { password: Some("winnerstays".into()), ..WifiSetup::default() };
        let network = Network::default();
        let (endpoint, _) = network.endpoint(std::slice::from_ref(&wifi), &open);
        assert_eq!((endpoint.ip, endpoint.wifi.as_deref()), (Some(HOTSPOT_IP), Some(SETUP_SSID)));
        assert_eq!(endpoint.hotspot, qr::code("WIFI:T:WPA;S:Doozer setup;P:winnerstays;;"));
        assert!(endpoint.captive);
        let only = std::slice::from_ref(&wifi);
        assert!(!network.is_networked(only, &open) && !network.is_networked(&[], &open));
        assert!(!network.is_networked(only, &WifiSetup::default()), "being taken down");
        assert!(network.is_networked(&[wifi.clone(), cable], &open));
        let hotspot = Hotspot { name: "Doozer".into(), password: None };
        let own = Network { hotspot: Some(hotspot), ..Network::default() };
        assert!(own.is_networked(only, &WifiSetup::default()), "the box's own Wi-Fi is where guests are");
        assert!(!own.is_networked(only, &open));
    }
}
