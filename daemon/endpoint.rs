//! How guests reach the box: told by the appliance, shown by the hub, checked by the sockets.

use crate::qr::Qr;
use std::net::IpAddr;

/// Describes how guests reach the box, as far as is known now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuestEndpoint {
    /// The numeric address in the guests' network; `None` while there is no network.
    pub ip: Option<IpAddr>,
    /// The name that mDNS has claimed (`doozer.local`, `doozer-2.local`); `None` while none is advertised.
    pub name: Option<String>,
    /// The Wi-Fi's name, where it is known.
    pub wifi: Option<String>,
    /// The QR code that joins the Wi-Fi: the box's own, or the venue's where the owner has told its password.
    pub hotspot: Option<Qr>,
    /// Whether guests are on the box's own Wi-Fi, where every name leads to the box.
    pub captive: bool,
    /// What the owner must mend: mistakes in the settings, a line each.
    pub problems: Vec<String>,
}
