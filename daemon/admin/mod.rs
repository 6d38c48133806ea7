//! The protocol of the privileged helper, which does what the daemon has no rights for: a fixed list of requests with
//! typed arguments.
//!
//! systemd starts `doozer-admin` (`helper/`) for each connection. It answers only the daemon's user, and then exits. A
//! request is one line of fields separated by tabs:
//!
//! | request | arguments |
//! | --- | --- |
//! | `wifi-list` | |
//! | `wifi-join` | name, password (empty: none) |
//! | `hotspot` | `settings`, `off`, or `setup` and a password |
//! | `timezone` | as in the tz database |
//! | `screen` | `on`, `off` |
//! | `restart`, `power-off` | |
//!
//! The answer is one or more lines, and then the end of the stream:
//!
//! - `done`, or
//! - a line `network`, signal, security, name for each Wi-Fi in reach, and then `listed`, or
//! - `failed` and a reason. The reason `error` is followed by a text.

mod client;

pub use client::{Admin, WifiCall};

use crate::options::{passphrase, ssid, time_zone};
use std::fmt;

/// Name of the Wi-Fi that a box without a network opens for its set-up.
pub const SETUP_SSID: &str = "Doozer setup";
/// Maximum length of a request in bytes, without the line end.
pub const REQUEST_BYTES_MAX: usize = 256;
/// Maximum length of an answer in bytes: the longest list of networks.
pub const ANSWER_BYTES_MAX: usize = 4_096;
/// Maximum number of networks in a list, since more do not fit on a phone's page.
pub const NETWORKS_MAX: usize = 40;
/// Maximum length of the text of [`Failure::Error`] in characters.
const WORDS_CHARS_MAX: usize = 200;

/// A request of the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Lists the Wi-Fi networks in reach, strongest first.
    WifiList,
    /// Joins a Wi-Fi, and stores it if that works.
    WifiJoin {
        /// Its name.
        ssid: String,
        /// Its password, or `None` for an open Wi-Fi.
        password: Option<String>,
    },
    /// Starts or stops the box's own Wi-Fi.
    Hotspot(Hotspot),
    /// Sets the machine's time zone, by its name in the tz database.
    Timezone(String),
    /// Switches the TV on or off over the HDMI cable (CEC), and the box's video output with it.
    Screen(Screen),
    /// Restarts the machine.
    Restart,
    /// Shuts the machine down.
    PowerOff,
}

/// The Wi-Fi that the box opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hotspot {
    /// The one in the settings, if there is one.
    Settings,
    /// [`SETUP_SSID`] with this password, in place of the one in the settings, until a restart or the next request.
    Setup(String),
    /// None, in place of the one in the settings.
    Off,
}

/// The state of the TV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// On, with the box as its source.
    On,
    /// In standby.
    Off,
}

/// A Wi-Fi in reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WifiNetwork {
    /// Its name.
    pub ssid: String,
    /// Strength of its signal, 0 to 100.
    pub signal: u8,
    /// What the box needs to join it.
    pub security: Security,
}

/// What a client needs to join a Wi-Fi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Nothing.
    Open,
    /// A password: WPA2, or WPA2 and WPA3.
    Password,
    /// A password, by WPA3 only.
    Sae,
    /// Something that the box does not support, such as a user name (WPA Enterprise) or WEP.
    Unsupported,
}

/// The answer to a request that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The request was carried out.
    Done,
    /// The Wi-Fi networks in reach, strongest first.
    Networks(Vec<WifiNetwork>),
}

/// The reason why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// This machine has no helper.
    Unavailable,
    /// The helper does not answer this user.
    Denied,
    /// The helper did not understand the request.
    Malformed,
    /// The Wi-Fi refused the box, most likely because of the password.
    WrongPassword,
    /// No Wi-Fi of that name is in reach.
    OutOfReach,
    /// The Wi-Fi accepted the box, but gave it no address.
    NoAddress,
    /// The machine has no Wi-Fi card.
    NoCard,
    /// The box cannot join a Wi-Fi of this kind ([`Security::Unsupported`]).
    Unsupported,
    /// The request took too long.
    TimedOut,
    /// Anything else: the message of the tool that failed.
    Error(String),
}

impl Request {
    /// Parses a line, without its end.
    ///
    /// # Errors
    /// Returns [`Failure::Malformed`] for any line that `Display` of [`Request`] does not print.
    pub fn parse(line: &[u8]) -> Result<Request, Failure> {
        if line.len() > REQUEST_BYTES_MAX {
            return Err(Failure::Malformed);
        }
        let line = std::str::from_utf8(line).map_err(|_| Failure::Malformed)?;
        let fields: Vec<&str> = line.split('\t').collect();
        let request = match fields.as_slice() {
            ["wifi-list"] => Some(Request::WifiList),
            ["wifi-join", name, ""] => ssid(name).ok().map(|ssid| Request::WifiJoin { ssid, password: None }),
            ["wifi-join", name, password] => ssid(name)
                .and_then(|ssid| Ok(Request::WifiJoin { ssid, password: Some(passphrase(password)?) }))
                .ok(),
            ["hotspot", "settings"] => Some(Request::Hotspot(Hotspot::Settings)),
            ["hotspot", "off"] => Some(Request::Hotspot(Hotspot::Off)),
            ["hotspot", "setup", password] => {
                passphrase(password).ok().map(|password| Request::Hotspot(Hotspot::Setup(password)))
            }
            ["timezone", name] => time_zone(name).ok().map(Request::Timezone),
            ["screen", "on"] => Some(Request::Screen(Screen::On)),
            ["screen", "off"] => Some(Request::Screen(Screen::Off)),
            ["restart"] => Some(Request::Restart),
            ["power-off"] => Some(Request::PowerOff),
            _ => None,
        };
        request.ok_or(Failure::Malformed)
    }

    /// Returns the timeout of the request in seconds. It is as long as a person with a phone may wait, and shorter than
    /// the limit of the helper's unit.
    pub fn seconds_max(&self) -> u64 {
        match self {
            Request::WifiJoin { .. } => 50,
            Request::Hotspot(_) => 40,
            Request::WifiList => 20,
            Request::Timezone(_) | Request::Screen(_) | Request::Restart | Request::PowerOff => 15,
        }
    }
}

/// Prints the request's line, without its end.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::WifiList => f.write_str("wifi-list"),
            Request::WifiJoin { ssid, password } => {
                write!(f, "wifi-join\t{ssid}\t{}", password.as_deref().unwrap_or_default())
            }
            Request::Hotspot(Hotspot::Settings) => f.write_str("hotspot\tsettings"),
            Request::Hotspot(Hotspot::Off) => f.write_str("hotspot\toff"),
            Request::Hotspot(Hotspot::Setup(password)) => write!(f, "hotspot\tsetup\t{password}"),
            Request::Timezone(name) => write!(f, "timezone\t{name}"),
            Request::Screen(Screen::On) => f.write_str("screen\ton"),
            Request::Screen(Screen::Off) => f.write_str("screen\toff"),
            Request::Restart => f.write_str("restart"),
            Request::PowerOff => f.write_str("power-off"),
        }
    }
}

/// The word of each failure, except [`Failure::Error`].
const REASONS: [(Failure, &str); 9] = [
    (Failure::Unavailable, "unavailable"),
    (Failure::Denied, "denied"),
    (Failure::Malformed, "malformed"),
    (Failure::WrongPassword, "wrong-password"),
    (Failure::OutOfReach, "out-of-reach"),
    (Failure::NoAddress, "no-address"),
    (Failure::NoCard, "no-card"),
    (Failure::Unsupported, "unsupported"),
    (Failure::TimedOut, "timed-out"),
];
/// The word of each kind of security.
const SECURITIES: [(Security, &str); 4] = [
    (Security::Open, "open"),
    (Security::Password, "password"),
    (Security::Sae, "sae"),
    (Security::Unsupported, "unsupported"),
];

impl Failure {
    /// Returns its word in answers of the helper and in messages to the pages.
    pub fn as_str(&self) -> &'static str {
        REASONS.iter().find(|(reason, _)| reason == self).map_or("error", |(_, word)| word)
    }
}

impl Security {
    /// Returns its word in answers of the helper and in messages to the pages.
    pub fn as_str(self) -> &'static str {
        SECURITIES.iter().find(|(security, _)| *security == self).map_or("unsupported", |(_, word)| word)
    }
}

/// Prints the lines of an answer.
pub fn print_answer(answer: &Result<Reply, Failure>) -> String {
    match answer {
        Ok(Reply::Done) => "done\n".to_owned(),
        Ok(Reply::Networks(networks)) => {
            let lines = networks.iter().take(NETWORKS_MAX).map(|WifiNetwork { ssid, signal, security }| {
                format!("network\t{signal}\t{}\t{ssid}\n", security.as_str())
            });
            lines.collect::<String>() + "listed\n"
        }
        Err(Failure::Error(words)) => {
            // The text must fit in one line of the answer.
            let words = words.trim().replace(char::is_control, " ");
            format!("failed\terror\t{}\n", words.chars().take(WORDS_CHARS_MAX).collect::<String>())
        }
        Err(failure) => format!("failed\t{}\n", failure.as_str()),
    }
}

/// Parses an answer.
///
/// # Errors
/// Returns the failure in the answer, or [`Failure::Error`] if the answer is malformed or incomplete.
pub fn parse_answer(bytes: &[u8]) -> Result<Reply, Failure> {
    let broken = || Failure::Error("the helper gave no whole answer".to_owned());
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= ANSWER_BYTES_MAX);
    let text = text.and_then(|text| text.strip_suffix('\n')).ok_or_else(broken)?;
    let mut networks = Vec::new();
    for line in text.split('\n') {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["done"] if networks.is_empty() => return Ok(Reply::Done),
            ["listed"] => return Ok(Reply::Networks(networks)),
            ["failed", "error", words] => return Err(Failure::Error((*words).to_owned())),
            ["failed", word] => {
                let reason = REASONS.iter().find(|(_, known)| known == word);
                return Err(reason.map_or_else(broken, |(failure, _)| failure.clone()));
            }
            ["network", signal, word, name] if networks.len() < NETWORKS_MAX => {
                let security =
                    SECURITIES.iter().find(|(_, known)| known == word).map(|(security, _)| *security);
                let signal = signal.parse().ok().filter(|signal| *signal <= 100);
                let network = signal.zip(security).zip(ssid(name).ok());
                let ((signal, security), ssid) = network.ok_or_else(broken)?;
                networks.push(WifiNetwork { ssid, signal, security });
            }
            _ => return Err(broken()),
        }
    }
    Err(broken())
}
