//! Lists and joins Wi-Fi networks by NetworkManager.

use super::tool;
use doozer_box::admin::{Failure, NETWORKS_MAX, SETUP_SSID, Security, WifiNetwork};
use std::fs;
use std::path::Path;

/// The connection while it is tried, in memory.
const TRIED: &str = "/run/NetworkManager/system-connections/doozer-wifi.nmconnection";
/// The connection that has worked.
const KEPT: &str = "/etc/NetworkManager/system-connections/doozer-wifi.nmconnection";
/// The owner's partition on the image, whose root is not persistent. `deploy/card` installs connections from there.
const OWNER: &str = "/var/lib/doozer-owner";
/// Seconds for joining by NetworkManager. It needs about 25 to reject a wrong password.
const JOIN_S: &str = "35";

/// Returns the machine's Wi-Fi card.
pub(super) fn card() -> Result<String, Failure> {
    let devices = tool::run("nmcli", &["--terse", "--fields", "TYPE,DEVICE", "device", "status"])?;
    let cards = devices.lines().filter_map(|line| line.strip_prefix("wifi:"));
    cards.min().map(str::to_owned).ok_or(Failure::NoCard)
}

/// Lists the networks in reach, the strongest first.
pub(super) fn list() -> Result<Vec<WifiNetwork>, Failure> {
    let card = card()?;
    tool::run("nmcli", &["radio", "wifi", "on"])?;
    let seen = |rescan| {
        let fields = ["--terse", "--escape", "no", "--fields", "SIGNAL,SECURITY,SSID"];
        let command = ["device", "wifi", "list", "ifname", &card, "--rescan", rescan];
        tool::run("nmcli", &[&fields[..], &command[..]].concat())
    };
    // A new scan fails if the card is an access point or has scanned just now. Then the last results are used.
    seen("yes").or_else(|_| seen("no")).map(|text| parse_list(&text))
}

/// Parses lines of signal, security and name. A network with several access points is listed once, with the strongest.
fn parse_list(text: &str) -> Vec<WifiNetwork> {
    let mut networks: Vec<WifiNetwork> = Vec::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(signal), Some(security), Some(name)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let (Ok(signal), Ok(ssid)) = (signal.parse::<u8>(), doozer_box::options::ssid(name)) else {
            continue;
        };
        if ssid != SETUP_SSID {
            networks.push(WifiNetwork { ssid, signal: signal.min(100), security: parse_security(security) });
        }
    }
    networks.sort_by(|a, b| b.signal.cmp(&a.signal).then_with(|| a.ssid.cmp(&b.ssid)));
    let mut known = std::collections::HashSet::new();
    networks.retain(|network| known.insert(network.ssid.clone()));
    networks.truncate(NETWORKS_MAX);
    networks
}

/// Parses the SECURITY column of nmcli(1): `WPA1 WPA2`, `WPA2 802.1X`, `WPA3`, `WEP`, or nothing.
fn parse_security(text: &str) -> Security {
    let words: Vec<&str> = text.split_whitespace().collect();
    let has = |word: &str| words.contains(&word);
    match words.as_slice() {
        [] | ["--"] => Security::Open,
        _ if has("802.1X") || has("WEP") => Security::Unsupported,
        _ if has("WPA1") || has("WPA2") => Security::Password,
        _ if has("WPA3") => Security::Sae,
        _ => Security::Unsupported,
    }
}

/// Joins a network, and stores it if that works. A failed try leaves nothing behind.
pub(super) fn join(ssid: &str, password: Option<&str>) -> Result<(), Failure> {
    let card = card()?;
    let found = list()?.into_iter().find(|network| network.ssid == ssid);
    let security = match (&found, password) {
        (Some(network), _) => network.security,
        // The network hides its name, or is out of reach.
        (None, Some(_)) => Security::Password,
        (None, None) => Security::Open,
    };
    if security == Security::Unsupported {
        return Err(Failure::Unsupported);
    }
    if security != Security::Open && password.is_none() {
        return Err(Failure::WrongPassword);
    }
    let password = password.filter(|_| security != Security::Open).map(|password| (security, password));
    let uuid = fs::read_to_string("/proc/sys/kernel/random/uuid").map_err(tool::error)?;
    let profile = |tried| profile(uuid.trim(), ssid, password, found.is_none(), tried);
    tool::write_secret(Path::new(TRIED), &profile(true)).map_err(tool::error)?;
    let joined = tool::run("nmcli", &["connection", "load", TRIED]).and_then(|_| {
        tool::run("nmcli", &["--wait", JOIN_S, "connection", "up", "uuid", uuid.trim(), "ifname", &card])
    });
    if let Err(failure) = joined {
        let _ = tool::run("nmcli", &["connection", "delete", "uuid", uuid.trim()]);
        let _ = fs::remove_file(TRIED);
        return Err(classify(failure, found.is_some()));
    }
    keep(&profile(false))
}

/// Stores a connection for the next starts.
fn keep(profile: &str) -> Result<(), Failure> {
    tool::write_secret(Path::new(KEPT), profile).map_err(tool::error)?;
    if Path::new(OWNER).is_dir() {
        tool::write_secret(&Path::new(OWNER).join("network/doozer-wifi.nmconnection"), profile)
            .map_err(tool::error)?;
    }
    fs::remove_file(TRIED).map_err(tool::error)?;
    tool::run("nmcli", &["connection", "reload"]).map(drop)
}

/// Prints a connection in NetworkManager's own format (nm-settings-keyfile(5)).
fn profile(uuid: &str, ssid: &str, password: Option<(Security, &str)>, hidden: bool, tried: bool) -> String {
    // The bytes are printed as numbers, since a name may contain the format's special characters.
    let ssid: String = ssid.bytes().map(|byte| format!("{byte};")).collect();
    let mut text = format!(
        "[connection]\nid=doozer-wifi\nuuid={uuid}\ntype=wifi\nautoconnect={}\nautoconnect-priority=50\n\n\
         [wifi]\nmode=infrastructure\nssid={ssid}\nhidden={hidden}\n\n",
        !tried
    );
    if let Some((security, password)) = password {
        let management = if security == Security::Sae { "sae" } else { "wpa-psk" };
        text += &format!("[wifi-security]\nkey-mgmt={management}\npsk={}\n\n", escape(password));
    }
    text + "[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n"
}

/// Escapes a value of a key file: backslashes, and leading blanks that would be cut off (GKeyFile's documentation).
fn escape(value: &str) -> String {
    let value = value.replace('\\', "\\\\");
    let rest = value.trim_start_matches(' ');
    "\\s".repeat(value.len() - rest.len()) + rest
}

/// Returns the reason for a failed join from nmcli's message, which contains a number or text of NMDeviceStateReason.
fn classify(failure: Failure, in_reach: bool) -> Failure {
    let Failure::Error(words) = &failure else { return failure };
    let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    if has(&["(53)", "network could not be found"]) {
        return Failure::OutOfReach;
    }
    if has(&["(5)", "(15)", "(16)", "(17)", "IP configuration", "DHCP"]) {
        return Failure::NoAddress;
    }
    let secrets =
        ["(7)", "(8)", "(9)", "(10)", "(11)", "Secrets were required", "supplicant", "Timeout expired"];
    match has(&secrets) {
        true if in_reach => Failure::WrongPassword,
        true => Failure::OutOfReach,
        false => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_nmcli_prints_it() {
        let text = "30:WPA1 WPA2:Fox: upstairs\n95:WPA2 802.1X:eduroam\n47:WPA2:Fox: upstairs\n47::Free\\Wi-Fi\n\
                    20:WPA3:New\n21:WPA2 WPA3:Both\n80:WPA2:Doozer setup\n10:WEP:Old\n60:WPA2:\n\nrubbish\n:::\n";
        let networks = parse_list(text);
        let told: Vec<_> = networks.iter().map(|n| (n.signal, n.security, n.ssid.as_str())).collect();
        assert_eq!(
            told,
            [
                (95, Security::Unsupported, "eduroam"),
                (47, Security::Password, "Fox: upstairs"),
                (47, Security::Open, "Free\\Wi-Fi"),
                (21, Security::Password, "Both"),
                (20, Security::Sae, "New"),
                (10, Security::Unsupported, "Old"),
            ]
        );
    }

    #[test]
    fn names_and_passwords_mean_nothing_to_the_file() {
        let text = profile("1-2", "a;b\\#[x]", Some((Security::Password, "  p\\s;#\"'\\n")), false, true);
        assert!(text.contains("\nssid=97;59;98;92;35;91;120;93;\n"), "{text}");
        assert!(text.contains("\npsk=\\s\\sp\\\\s;#\"'\\\\n\n"), "{text}");
        assert!(text.contains("\nkey-mgmt=wpa-psk\n") && text.contains("\nautoconnect=false\n"));
        assert!(
            profile("1-2", "x", Some((Security::Sae, "winnerstays")), true, false)
                .contains("\nkey-mgmt=sae\n")
        );
        assert!(!profile("1-2", "x", None, false, false).contains("security"));
    }

    #[test]
    fn what_went_wrong_is_told_by_networkmanagers_reason() {
        let said =
            |words: &str| Failure::Error(format!("nmcli: Error: Connection activation failed: {words}"));
        for (words, in_reach, wanted) in [
            ("(7) Secrets were required, but not provided.", true, Failure::WrongPassword),
            ("Secrets were required, but not provided", true, Failure::WrongPassword),
            ("(7) Secrets were required, but not provided.", false, Failure::OutOfReach),
            ("(53) The Wi-Fi network could not be found", false, Failure::OutOfReach),
            ("The Wi-Fi network could not be found", true, Failure::OutOfReach),
            ("(5) IP configuration could not be reserved", true, Failure::NoAddress),
            ("(11) The supplicant took too long", true, Failure::WrongPassword),
        ] {
            assert_eq!(classify(said(words), in_reach), wanted, "{words}");
        }
        assert_eq!(classify(said("(39) Device disconnected"), true), said("(39) Device disconnected"));
    }
}
