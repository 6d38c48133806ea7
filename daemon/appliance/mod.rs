//! Being a box: the address that guests reach, its QR code, the name on the network, the journal
//! and the service manager.

pub mod journal;
pub mod keep;
pub mod lan;
pub mod mdns;
pub mod notify;
pub mod qr;

use crate::hub::Reach;
use mdns::Mdns;
use smol::channel::Receiver;
use smol::future::FutureExt;

/// What the owner has set about the network.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The address or interface that guests shall use.
    pub pin: lan::Pin,
    /// The host name to claim, without `.local`; `None`: no name is advertised.
    pub name: Option<String>,
    /// The name of the Wi-Fi that guests shall use.
    pub wifi: Option<String>,
    /// The port that the box serves on.
    pub port: u16,
}

enum Then {
    Moved,
    Renamed,
    Stop,
}

/// Keeps telling how guests reach the box: at once, and whenever that changes. Ends, with the
/// name's goodbye said, when `stop` gets a message or is closed.
pub async fn run(network: Network, stop: Receiver<()>, mut tell: impl FnMut(Reach)) {
    let news = lan::News::listen();
    let mut mdns = network.name.as_deref().and_then(|name| {
        let started = Mdns::start(name, network.port, network.pin.interface.clone());
        started.inspect_err(|error| log::warn!(event = "mdns"; "No name on the network: {error}")).ok()
    });
    let mut told = None;
    let mut spot = None;
    let mut then = Then::Renamed;
    loop {
        // Interfaces that cannot be listed now are no reason to take the address away.
        if let Ok(links) = lan::links() {
            spot = lan::choose(&links, &network.pin);
        }
        let interface = spot.as_ref().and_then(|spot| spot.interface.as_deref());
        let reach = Reach {
            ip: spot.as_ref().map(|spot| spot.ip),
            name: mdns.as_ref().and_then(|mdns| mdns.name(interface)),
            wifi: network.wifi.clone(),
        };
        if told.as_ref() != Some(&reach) {
            told = Some(reach.clone());
            tell(reach);
        }
        if let (Then::Moved, Some(mdns)) = (then, &mdns) {
            mdns.look().await;
        }
        let moved = async {
            news.changed().await;
            Then::Moved
        };
        let renamed = async {
            match &mut mdns {
                Some(mdns) => mdns.changed().await,
                None => std::future::pending().await,
            }
            Then::Renamed
        };
        let stopped = async {
            let _ = stop.recv().await;
            Then::Stop
        };
        then = stopped.or(moved).or(renamed).await;
        if let Then::Stop = then {
            break;
        }
    }
    if let Some(mdns) = mdns {
        mdns.stop().await;
    }
}
