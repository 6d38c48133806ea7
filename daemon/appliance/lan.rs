//! Chooses the address that guests reach, and watches the interfaces for changes.

use if_addrs::{IfOperStatus, get_if_addrs};
use rustix::io::Errno;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType, bind, recv, socket_with};
use smol::{Async, Timer};
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// The owner's settings that replace the choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Only this address, whether or not the machine has it.
    pub address: Option<IpAddr>,
    /// Only an address of this interface.
    pub interface: Option<String>,
}

impl Overrides {
    /// Returns the problem for the owner if the machine has no such interface or address.
    pub fn problem(&self, interfaces: &[Interface]) -> Option<String> {
        if let Some(address) = self.address.filter(|address| !address.is_loopback()) {
            let known = interfaces.iter().any(|interface| interface.addresses.contains(&address));
            return (!known).then(|| format!("Settings: `address` {address} is no address of this box now"));
        }
        let name = self.interface.as_deref()?;
        let known = interfaces.iter().any(|interface| interface.name == name);
        (!known).then(|| format!("Settings: `interface` {name} is not there, or without a network now"))
    }
}

/// The properties of a network interface on which the choice depends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The kernel's name, such as `eth0`.
    pub name: String,
    /// Its addresses in the kernel's order. The first of each family is the main one.
    pub addresses: Vec<IpAddr>,
    /// The metric of its best default route, if it has one. The lowest metric is preferred.
    pub metric: Option<u32>,
    /// Whether it is a tunnel or a point-to-point connection. Guests are never on one.
    pub point_to_point: bool,
}

/// Name prefixes of interfaces of containers, virtual machines and tunnels.
const VIRTUAL: [&str; 30] = [
    "docker",
    "veth",
    "virbr",
    "vnet",
    "vmnet",
    "vboxnet",
    "lxc",
    "lxd",
    "podman",
    "cni",
    "flannel",
    "cali",
    "cilium",
    "kube",
    "weave",
    "ovs",
    "hassio",
    "dummy",
    "ifb",
    "tun",
    "tap",
    "wg",
    "tailscale",
    "zt",
    "ppp",
    "wwan",
    "sit",
    "gre",
    "ip6tnl",
    "nordlynx",
];

/// The address at which guests reach the box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The address.
    pub ip: IpAddr,
    /// The interface that has it. `None` for an overriding address that no interface has.
    pub interface: Option<String>,
}

/// Returns the address that guests reach, or `None` while there is no network.
///
/// An override wins. Otherwise IPv4 comes before IPv6, the interface of the best default route before the others, and
/// cable before Wi-Fi. Loopback and link-local addresses are never chosen, nor those of containers and tunnels. A
/// bridge is chosen only if the default route uses it.
pub fn choose(interfaces: &[Interface], overrides: &Overrides) -> Option<Endpoint> {
    if let Some(ip) = overrides.address {
        let interface = interfaces.iter().find(|interface| interface.addresses.contains(&ip));
        return Some(Endpoint { ip, interface: interface.map(|interface| interface.name.clone()) });
    }
    let mut fit: Vec<&Interface> = match &overrides.interface {
        Some(name) => interfaces.iter().filter(|interface| interface.name == *name).collect(),
        None => interfaces.iter().filter(|interface| for_guests(interface)).collect(),
    };
    fit.sort_by_key(|interface| {
        (
            interface.metric.is_none(),
            interface.metric,
            last_resort(interface),
            wireless(&interface.name),
            interface.name.clone(),
        )
    });
    let mut endpoints = fit.iter().flat_map(|interface| {
        let reachable = interface.addresses.iter().copied().filter(reachable);
        reachable.map(|ip| Endpoint { ip, interface: Some(interface.name.clone()) })
    });
    endpoints.clone().find(|endpoint| endpoint.ip.is_ipv4()).or_else(|| endpoints.next())
}

fn for_guests(interface: &Interface) -> bool {
    let bridge = interface.name.starts_with("br");
    let elsewhere = interface.point_to_point
        || interface.name == "lo"
        || VIRTUAL.iter().any(|v| interface.name.starts_with(v));
    !elsewhere && (!bridge || interface.metric.is_some())
}

/// Returns whether this is a tethered phone or a USB gadget, which leads to one device only.
fn last_resort(interface: &Interface) -> bool {
    interface.name.starts_with("usb")
}

/// Returns whether an interface with this name is a Wi-Fi interface.
pub fn wireless(name: &str) -> bool {
    name.starts_with("wl")
}

/// Returns whether other machines of the network can use this address.
fn reachable(address: &IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            !(v4.is_loopback() || v4.is_link_local() || v4.is_unspecified() || v4.is_multicast())
        }
        IpAddr::V6(v6) => !(v6.is_loopback() || v6.is_unspecified() || v6.is_multicast() || link_local(v6)),
    }
}

fn link_local(v6: &Ipv6Addr) -> bool {
    v6.is_unicast_link_local() || v6.to_ipv4_mapped().is_some()
}

/// Returns the lowest metric of an interface's default routes.
///
/// `table` is the text of `/proc/self/net/route` (proc(5)). Its numbers are hexadecimal except for the metric.
fn default_metric(table: &str, interface: &str) -> Option<u32> {
    const UP: u32 = 0x1;
    const REJECT: u32 = 0x200;
    table
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut fields = line.split_whitespace();
            let name = fields.next()?;
            let destination = fields.next()?;
            let flags = u32::from_str_radix(fields.nth(1)?, 16).ok()?;
            let metric = fields.nth(2)?.parse().ok()?;
            let mask = fields.next()?;
            let default = destination == "00000000" && mask == "00000000";
            (name == interface && default && flags & UP != 0 && flags & REJECT == 0).then_some(metric)
        })
        .min()
}

/// Returns the machine's interfaces that have a carrier.
///
/// # Errors
/// Returns the system's error if the interfaces cannot be listed.
pub fn interfaces() -> io::Result<Vec<Interface>> {
    let table = std::fs::read_to_string("/proc/self/net/route").unwrap_or_default();
    let mut interfaces: Vec<Interface> = Vec::new();
    for found in get_if_addrs()? {
        // if-addrs reports `Up` for IFF_RUNNING, and `Unknown` without it: no carrier, or set down.
        if found.oper_status != IfOperStatus::Up {
            continue;
        }
        let ip = found.ip();
        match interfaces.iter_mut().find(|interface| interface.name == found.name) {
            Some(interface) => interface.addresses.push(ip),
            None => interfaces.push(Interface {
                metric: default_metric(&table, &found.name),
                point_to_point: found.is_p2p,
                addresses: vec![ip],
                name: found.name,
            }),
        }
    }
    Ok(interfaces)
}

/// Wait after the kernel's first message. Address, route and carrier change one after the other.
const SETTLE: Duration = Duration::from_millis(300);
/// Interval of the polls if the kernel cannot be subscribed to.
const POLL: Duration = Duration::from_secs(4);

/// Subscribes to the kernel's messages about interfaces, addresses and routes (rtnetlink(7)).
///
/// The messages are not parsed, because each one only means that something has changed.
pub struct InterfaceWatcher(Option<Async<OwnedFd>>);

impl InterfaceWatcher {
    /// Subscribes. If that is not possible, a change is assumed every few seconds.
    pub fn start() -> Self {
        let socket = Self::socket();
        Self(
            socket
                .inspect_err(
                    |error| log::warn!(event = "lan"; "The kernel gives no news of the network: {error}"),
                )
                .ok(),
        )
    }

    fn socket() -> io::Result<Async<OwnedFd>> {
        // Groups of `linux/rtnetlink.h`: link, IPv4 address, IPv4 route, IPv6 address.
        const GROUPS: u32 = 0x1 | 0x10 | 0x40 | 0x100;
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        // Protocol 0 of this family is NETLINK_ROUTE.
        let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, None)?;
        bind(&socket, &SocketAddrNetlink::new(0, GROUPS))?;
        Async::new(socket)
    }

    /// Waits for a change and for the related changes after it. Dropping the future loses nothing.
    pub async fn changed(&self) {
        let Some(socket) = &self.0 else {
            Timer::after(POLL).await;
            return;
        };
        if socket.readable().await.is_err() {
            Timer::after(POLL).await;
        }
        Timer::after(SETTLE).await;
        drain(socket.get_ref());
    }
}

/// Discards the waiting messages. An overrun (`ENOBUFS`) only means that there were many.
fn drain(socket: &OwnedFd) {
    let mut message = [0_u8; 8_192];
    loop {
        match recv(socket, &mut message[..], RecvFlags::DONTWAIT) {
            Ok(_) | Err(Errno::NOBUFS | Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interface(name: &str, metric: Option<u32>, addresses: &[&str]) -> Interface {
        let addresses = addresses.iter().map(|a| a.parse().unwrap()).collect();
        Interface { name: name.into(), metric, addresses, point_to_point: name.starts_with("wg") }
    }

    #[test]
    fn an_override_that_leads_nowhere_is_a_problem() {
        let interfaces = [interface("eth0", Some(1), &["192.168.1.20"])];
        let problem = |address: Option<&str>, interface: Option<&str>| {
            let address = address.map(|address| address.parse().unwrap());
            Overrides { address, interface: interface.map(str::to_owned) }.problem(&interfaces)
        };
        assert_eq!(problem(None, None), None);
        assert_eq!(problem(Some("192.168.1.20"), Some("eth0")), None);
        assert!(problem(Some("192.168.1.21"), None).is_some_and(|text| text.contains("192.168.1.21")));
        assert!(problem(None, Some("wlan7")).is_some_and(|text| text.contains("wlan7")));
    }

    fn ip(interfaces: &[Interface]) -> Option<String> {
        choose(interfaces, &Overrides::default()).map(|endpoint| endpoint.ip.to_string())
    }

    #[test]
    fn no_network_is_no_address() {
        assert_eq!(ip(&[]), None);
        assert_eq!(ip(&[interface("lo", None, &["127.0.0.1", "::1"])]), None);
        let eth = |addresses: &[&str]| ip(&[interface("eth0", Some(0), addresses)]);
        assert_eq!(eth(&[]), None);
        assert_eq!(eth(&["169.254.7.7", "fe80::1"]), None, "an address that the machine gave itself");
    }

    #[test]
    fn the_default_route_decides_and_then_its_metric() {
        let cable = interface("eth0", Some(100), &["192.168.1.20"]);
        let wifi = interface("wlan0", Some(600), &["10.0.0.7"]);
        assert_eq!(ip(&[wifi.clone(), cable.clone()]).unwrap(), "192.168.1.20");
        let slow = Interface { metric: Some(700), ..cable.clone() };
        assert_eq!(ip(&[slow, wifi.clone()]).unwrap(), "10.0.0.7");
        let island = Interface { metric: None, ..cable };
        assert_eq!(ip(&[island.clone(), wifi.clone()]).unwrap(), "10.0.0.7");
        let both = [Interface { metric: None, ..wifi }, island];
        assert_eq!(ip(&both).unwrap(), "192.168.1.20", "no way out of the house: the cable first");
    }

    #[test]
    fn never_a_container_a_tunnel_or_a_bridge_of_the_machines_own() {
        let inner = [
            interface("lo", None, &["127.0.0.1"]),
            interface("docker0", None, &["172.17.0.1"]),
            interface("br-1f2e3d4c5b6a", None, &["172.18.0.1"]),
            interface("veth12ab", None, &["172.17.0.2"]),
            interface("virbr0", None, &["192.168.122.1"]),
            interface("tailscale0", None, &["100.101.102.103"]),
            interface("wg0", Some(1), &["10.99.0.2"]),
            interface("tun0", Some(0), &["10.8.0.6"]),
            interface("ppp0", Some(0), &["10.64.64.64"]),
        ];
        assert_eq!(ip(&inner), None);
        let mut all = inner.to_vec();
        all.push(interface("wlan0", None, &["192.168.1.30"]));
        assert_eq!(ip(&all).unwrap(), "192.168.1.30", "wherever a tunnel leads the default route");
    }

    #[test]
    fn a_bridge_that_is_the_way_out_is_the_network() {
        assert_eq!(ip(&[interface("br0", Some(0), &["192.168.1.5"])]).unwrap(), "192.168.1.5");
    }

    #[test]
    fn a_tethered_phone_is_only_the_last_resort() {
        let usb = interface("usb0", None, &["192.168.42.5"]);
        assert_eq!(ip(&[usb.clone(), interface("wlan0", None, &["192.168.1.9"])]).unwrap(), "192.168.1.9");
        assert_eq!(ip(&[usb]).unwrap(), "192.168.42.5");
    }

    #[test]
    fn ipv6_only_when_there_is_nothing_else() {
        let six = interface("eth0", Some(100), &["fe80::1", "2001:db8::7", "fd00::7"]);
        let four = interface("wlan0", None, &["192.168.1.9"]);
        assert_eq!(ip(&[six.clone(), four]).unwrap(), "192.168.1.9");
        assert_eq!(ip(&[six]).unwrap(), "2001:db8::7");
    }

    #[test]
    fn the_main_one_of_two_addresses() {
        assert_eq!(ip(&[interface("eth0", Some(0), &["192.168.1.20", "10.1.1.1"])]).unwrap(), "192.168.1.20");
    }

    #[test]
    fn a_setting_wins() {
        let interfaces =
            [interface("eth0", Some(0), &["192.168.1.20"]), interface("wg0", None, &["10.99.0.2"])];
        let chosen = |address: Option<&str>, interface: Option<&str>| {
            let overrides = Overrides {
                address: address.map(|a| a.parse().unwrap()),
                interface: interface.map(Into::into),
            };
            choose(&interfaces, &overrides).map(|endpoint| (endpoint.ip.to_string(), endpoint.interface))
        };
        assert_eq!(chosen(Some("10.99.0.2"), None), Some(("10.99.0.2".into(), Some("wg0".into()))));
        assert_eq!(chosen(Some("203.0.113.9"), None), Some(("203.0.113.9".into(), None)));
        assert_eq!(chosen(None, Some("wg0")), Some(("10.99.0.2".into(), Some("wg0".into()))));
        assert_eq!(chosen(None, Some("wlan0")), None, "pinned, not there yet: no other is taken");
    }

    #[test]
    fn default_routes_are_read_from_the_kernels_table() {
        let table = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n\
            eth0\t00000000\t0101A8C0\t0003\t0\t0\t202\t00000000\t0\t0\t0\n\
            eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n\
            eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n\
            wg0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0\n\
            eth1\t00000000\t00000000\t0201\t0\t0\t5\t00000000\t0\t0\t0\n\
            short\t00000000\n";
        assert_eq!(default_metric(table, "eth0"), Some(100));
        for none in ["wg0", "eth1", "short", "wlan0"] {
            assert_eq!(default_metric(table, none), None, "{none}");
        }
    }

    #[test]
    fn this_machine_can_be_asked() {
        assert!(interfaces().unwrap().iter().any(|interface| interface.name == "lo"));
        assert!(InterfaceWatcher::socket().is_ok());
    }
}
