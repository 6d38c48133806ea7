//! What the owner asks for, by phone and at the kiosk, and what is answered. A phone's come sealed ([`crate::auth`]).

use super::Qr;
use crate::auth::Sealed;
use crate::outbox::Frame;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

/// What the owner may ask for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum OwnerRequest {
    /// What holds now.
    State,
    /// Sets a setting, or gives it back to the layers below.
    Set {
        /// Its name.
        name: String,
        /// Its value, as the setting's parser reads it; `None`: as the layers below say.
        value: Option<String>,
    },
    /// Puts a word on one of the two lists of nicknames' words, or takes it off.
    Word {
        /// Which list.
        list: WordList,
        /// The word.
        word: String,
        /// Whether it is on the list from now on.
        on: bool,
    },
    /// Takes a person out of the kiosk's room.
    Out {
        /// The nickname as shown.
        nick: String,
        /// For as long as the room lives.
        #[serde(default)]
        keep: bool,
    },
    /// The Wi-Fi networks in reach.
    WifiList,
    /// Joins a Wi-Fi.
    WifiJoin {
        /// Its name.
        ssid: String,
        /// Its password; `None`: it is open.
        password: Option<String>,
    },
    /// Switches the TV on or off.
    Screen {
        /// On.
        on: bool,
    },
    /// Restarts the machine.
    Restart,
    /// Switches the machine off.
    PowerOff,
    /// At the kiosk alone: shows the code that pairs a phone; `false`: nobody is to be paired any more.
    Pair {
        /// Whether the code is shown.
        on: bool,
    },
    /// Strikes a phone out.
    Unpair {
        /// Its id.
        id: String,
    },
    /// A text that tells what is wrong with a box.
    Diagnostics,
}

/// The two lists of nicknames' words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WordList {
    /// Words that are not shown.
    Add,
    /// Words that are shown although the built-in list has them.
    Exempt,
}

/// Parses a request; `None` for what is none.
pub fn parse_request(text: &str) -> Option<OwnerRequest> {
    serde_json::from_str(text).ok()
}

/// An answer.
#[derive(Debug, Default, Serialize)]
pub struct OwnerAnswer<'a> {
    /// Whether what was asked for is done.
    pub ok: bool,
    /// Why not, in words for a screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
    /// A word for the reason, where a page acts on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'a str>,
    /// What holds now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<OwnerState<'a>>,
    /// The Wi-Fi networks in reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networks: Option<Vec<NetworkView<'a>>>,
    /// The code that pairs a phone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<PairView<'a>>,
    /// A text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What holds now.
#[derive(Debug, Serialize)]
pub struct OwnerState<'a> {
    /// The settings that the owner may change here.
    pub settings: Vec<SettingView>,
    /// The owner's own words that are not shown.
    pub add: &'a [String],
    /// The owner's own words that are shown.
    pub exempt: &'a [String],
    /// The people in the kiosk's room.
    pub people: &'a [String],
    /// The owner's phones.
    pub phones: Vec<PhoneView<'a>>,
    /// The address that guests reach, with its port.
    pub address: Option<String>,
    /// The name on the network.
    pub name: Option<&'a str>,
    /// The Wi-Fi's name, where it is known.
    pub wifi: Option<&'a str>,
    /// The program's version.
    pub version: &'a str,
    /// Seconds since the daemon's start.
    pub uptime_s: u64,
    /// What the owner must mend, a line each.
    pub problems: &'a [String],
    /// Whether this machine has the helper that joins Wi-Fi, switches the TV, restarts and powers off.
    pub helper: bool,
    /// Whether what the owner sets is kept over a restart.
    pub kept: bool,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettingView {
    /// Its name.
    pub name: &'static str,
    /// What holds; `None`: nothing is set.
    pub value: Option<String>,
    /// Whether the owner has set it here.
    pub own: bool,
}

/// A phone of the owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhoneView<'a> {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: &'a str,
    /// Whether it is the one that asks.
    pub me: bool,
}

/// A Wi-Fi network in reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NetworkView<'a> {
    /// Its name.
    pub ssid: &'a str,
    /// From 0 to 100.
    pub signal: u8,
    /// What joining it takes: `open`, `password`, `sae`, `unsupported`.
    pub security: &'a str,
}

/// The code that pairs a phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PairView<'a> {
    /// What the code holds but for the secret, for people to read.
    pub url: &'a str,
    /// The code.
    pub qr: Option<Qr<'a>>,
    /// Milliseconds for which it is worth scanning.
    pub left: u64,
}

/// Prints an answer's text, which is to be sealed for a phone.
pub fn answer(answer: &OwnerAnswer) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}

/// Prints the box's number for a connection of the owner's phone.
pub fn greeting(nonce: &str) -> Frame {
    #[derive(Serialize)]
    struct Owner<'a> {
        t: &'static str,
        nonce: &'a str,
    }
    super::print(&Owner { t: "owner", nonce })
}

/// Prints a sealed answer for a phone.
pub fn sealed(sealed: &Sealed) -> Frame {
    #[derive(Serialize)]
    struct Done<'a> {
        t: &'static str,
        n: u64,
        body: &'a str,
        mac: &'a str,
    }
    super::print(&Done { t: "done", n: sealed.n, body: &sealed.body, mac: &sealed.mac })
}

/// Prints an answer for the kiosk.
pub fn plain(n: u64, text: &str) -> Frame {
    #[derive(Serialize)]
    struct Done {
        t: &'static str,
        n: u64,
        answer: Option<Box<RawValue>>,
    }
    let answer = RawValue::from_string(text.to_owned()).or_else(|_| to_raw_value(&())).ok();
    super::print(&Done { t: "done", n, answer })
}
