//! What needs rights of the system, asked of the privileged helper: a fixed list of requests with typed arguments.
//!
//! The daemon has no rights and keeps none. `doozer-admin` (`helper/`) is started by systemd for one connection, answers
//! the daemon's user alone, and ends. One request is one line, its fields parted by tabs:
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
//! The answer is lines up to the end of the stream: `done`; or `network`, signal, security and name for each Wi-Fi in
//! reach, then `listed`; or `failed`, a reason and, behind `error`, words.

mod client;

pub use client::{Admin, WifiCall};

use crate::options::{passphrase, ssid, time_zone};
use std::fmt;

/// The name of the Wi-Fi over which a box without a network is set up.
pub const SETUP_SSID: &str = "Doozer setup";
/// Bytes of a request's line, its end not counted.
pub const REQUEST_BYTES_MAX: usize = 256;
/// Bytes of an answer: the longest list of networks with their names.
pub const ANSWER_BYTES_MAX: usize = 4_096;
/// Networks in a list, the strongest: more do not fit on a phone's page.
pub const NETWORKS_MAX: usize = 40;
/// Characters of the words of [`Failure::Error`].
const WORDS_CHARS_MAX: usize = 200;

/// What the daemon may ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Lists the Wi-Fi networks in reach, the strongest first.
    WifiList,
    /// Joins a Wi-Fi and remembers it once that has worked. Takes up to [`Request::seconds_max`].
    WifiJoin {
        /// Its name.
        ssid: String,
        /// Its password; `None`: it is open.
        password: Option<String>,
    },
    /// Makes the box's own Wi-Fi, or takes it down.
    Hotspot(Hotspot),
    /// Sets the machine's time zone, by its name in the tz database.
    Timezone(String),
    /// Switches the TV on or off: the TV itself over the HDMI cable (CEC), and the box's picture.
    Screen(Screen),
    /// Restarts the machine.
    Restart,
    /// Switches the machine off for good.
    PowerOff,
}

/// Which Wi-Fi the box makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hotspot {
    /// The one of the settings, if they name one.
    Settings,
    /// [`SETUP_SSID`] with this password, whatever the settings say, until the machine restarts or another is asked for.
    Setup(String),
    /// None, whatever the settings say.
    Off,
}

/// Whether the TV shows a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// The TV is switched on, with the box as its source.
    On,
    /// The TV is in standby.
    Off,
}

/// A Wi-Fi in reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WifiNetwork {
    /// Its name.
    pub ssid: String,
    /// From 0 to 100.
    pub signal: u8,
    /// What joining it takes.
    pub security: Security,
}

/// What joining a Wi-Fi takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Nothing.
    Open,
    /// A password: WPA2, or WPA2 and WPA3.
    Password,
    /// A password, by WPA3 alone.
    Sae,
    /// What the box cannot give: a user's name, or WEP.
    Unsupported,
}

/// What a request brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It is done.
    Done,
    /// The Wi-Fi networks in reach, the strongest first.
    Networks(Vec<WifiNetwork>),
}

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There is no helper on this machine.
    Unavailable,
    /// The helper answers another user than the one who asked.
    Denied,
    /// The helper did not understand the request.
    Malformed,
    /// The Wi-Fi did not let the box in: the password, most likely.
    WrongPassword,
    /// No Wi-Fi of that name is in reach.
    OutOfReach,
    /// The Wi-Fi let the box in and gave it no address.
    NoAddress,
    /// The machine has no Wi-Fi card.
    NoCard,
    /// The Wi-Fi wants what the box cannot give ([`Security::Unsupported`]).
    Unsupported,
    /// It took too long.
    TimedOut,
    /// Anything else, in the words of the tool that failed.
    Error(String),
}

impl Request {
    /// Parses a line, its end taken off.
    ///
    /// # Errors
    /// Returns [`Failure::Malformed`] for all that [`Request`]'s `Display` does not print.
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

    /// Returns the seconds after which it has failed: it takes a phone's patience into account, and the helper's unit
    /// has a longer limit.
    pub fn seconds_max(&self) -> u64 {
        match self {
            Request::WifiJoin { .. } => 50,
            Request::Hotspot(_) => 40,
            Request::WifiList => 20,
            Request::Timezone(_) | Request::Screen(_) | Request::Restart | Request::PowerOff => 15,
        }
    }
}

/// Prints the line, without its end.
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

/// The failures that are one word.
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
/// The words of a Wi-Fi's security.
const SECURITIES: [(Security, &str); 4] = [
    (Security::Open, "open"),
    (Security::Password, "password"),
    (Security::Sae, "sae"),
    (Security::Unsupported, "unsupported"),
];

impl Failure {
    /// Returns its word, on the helper's wire as on the pages'.
    pub fn as_str(&self) -> &'static str {
        REASONS.iter().find(|(reason, _)| reason == self).map_or("error", |(_, word)| word)
    }
}

impl Security {
    /// Returns its word, on the helper's wire as on the pages'.
    pub fn as_str(self) -> &'static str {
        SECURITIES.iter().find(|(security, _)| *security == self).map_or("unsupported", |(_, word)| word)
    }
}

/// Prints an answer as its lines.
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
            // One line, and no more of it than somebody reads.
            let words = words.trim().replace(char::is_control, " ");
            format!("failed\terror\t{}\n", words.chars().take(WORDS_CHARS_MAX).collect::<String>())
        }
        Err(failure) => format!("failed\t{}\n", failure.as_str()),
    }
}

/// Parses an answer.
///
/// # Errors
/// Returns the failure that it tells, or [`Failure::Error`] for an answer that is none or not whole.
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
