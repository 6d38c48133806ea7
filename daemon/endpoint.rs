//! How guests reach the box. The appliance publishes it, the hub shows it, and the sockets check the Host against it.

use crate::admin::{Failure, WifiNetwork};
use crate::qr::Qr;
use std::net::IpAddr;

/// Describes how guests reach the box, as far as is known now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuestEndpoint {
    /// The numeric address in the guests' network, or `None` while there is no network.
    pub ip: Option<IpAddr>,
    /// The name that mDNS has claimed (`doozer.local`, `doozer-2.local`), or `None` while none is advertised.
    pub name: Option<String>,
    /// The name of the guests' Wi-Fi, if it is known.
    pub wifi: Option<String>,
    /// The QR code that joins the Wi-Fi: the box's own, or the venue's if the owner has set its password.
    pub hotspot: Option<Qr>,
    /// Whether guests are on the box's own Wi-Fi, where every host name resolves to the box.
    pub captive: bool,
    /// Mistakes in the settings for the owner, one line each.
    pub problems: Vec<String>,
    /// The set-up of the box's Wi-Fi. Boxed, because it is empty in most events.
    pub setup: Box<WifiSetup>,
}

/// The set-up of the box's Wi-Fi, for the TV and the owner's pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WifiSetup {
    /// The password of the set-up Wi-Fi, or `None` while that is down. It is up only while the box has no network.
    pub password: Option<String>,
    /// The networks that were in reach before the set-up Wi-Fi came up.
    pub networks: Vec<WifiNetwork>,
    /// The newest attempt to join a network.
    pub attempt: Option<Attempt>,
}

/// An attempt to join a Wi-Fi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The network's name.
    pub ssid: String,
    /// The outcome, or `None` while the box is trying.
    pub outcome: Option<Result<(), Failure>>,
}
