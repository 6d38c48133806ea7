//! Parses and prints the values of settings. Errors say which value would be right.

use crate::limits::{CONNECTIONS_MAX, Ms};
use crate::opening_hours::OpeningHours;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// The longest duration of any setting, one day.
const SECONDS_MAX: f64 = 86_400.0;
/// Bytes of the box's name. A label may have 63 (RFC 1035, 2.3.4), and a name in use gets a suffix such as `-2`.
const NAME_BYTES_MAX: usize = 50;

/// Characters of the venue's name: more do not fit beside a banner on the TV.
const TITLE_CHARS_MAX: usize = 24;

/// A setting's value.
pub(super) trait Value {
    /// Prints the value in the form that its parser accepts.
    fn text(&self) -> String;
}

macro_rules! printed {
    ($($kind:ty),*) => {
        $(impl Value for $kind {
            fn text(&self) -> String {
                self.to_string()
            }
        })*
    };
}

/// The codes of the languages that the pages speak (ISO 639-1), one folder of `www/js/lang/` each.
pub const LANGUAGES: [&str; 8] = ["en", "de", "fr", "es", "it", "pt", "nl", "pl"];

printed!(String, IpAddr, SocketAddr, usize, u8, bool, OpeningHours);

impl Value for PathBuf {
    fn text(&self) -> String {
        self.display().to_string()
    }
}

impl Value for Vec<&'static str> {
    fn text(&self) -> String {
        self.join(",")
    }
}

/// Prints durations in seconds.
impl Value for Ms {
    fn text(&self) -> String {
        (*self as f64 / 1_000.0).to_string()
    }
}

/// Parses a number of seconds, which may have a fraction.
pub(super) fn duration(value: &str) -> Result<Ms, String> {
    let wrong = || format!("{value:?} is not a number of seconds from 0.001 to 86400, like 20 or 0.5");
    let seconds: f64 = value.parse().map_err(|_| wrong())?;
    if !(0.001..=SECONDS_MAX).contains(&seconds) {
        return Err(wrong());
    }
    // In range, so the cast neither truncates nor wraps.
    Ok((seconds * 1_000.0).round() as Ms)
}

pub(super) fn address_and_port(value: &str) -> Result<SocketAddr, String> {
    value.parse().map_err(|_| format!("{value:?} is not an address and a port, like 0.0.0.0:8080"))
}

pub(super) fn connections(value: &str) -> Result<usize, String> {
    let number = value.parse().ok().filter(|n| (1..=CONNECTIONS_MAX).contains(n));
    number.ok_or_else(|| format!("{value:?} is not a whole number from 1 to {CONNECTIONS_MAX}"))
}

pub(super) fn percent(value: &str) -> Result<u8, String> {
    let number = value.parse().ok().filter(|n| (0..=100).contains(n));
    number.ok_or_else(|| format!("{value:?} is not a whole number from 0 to 100"))
}

pub(super) fn directory(value: &str) -> Result<PathBuf, String> {
    if value.is_empty() { Err("wants a directory".to_owned()) } else { Ok(PathBuf::from(value)) }
}

pub(super) fn label(value: &str) -> Result<String, String> {
    let fits = (1..=NAME_BYTES_MAX).contains(&value.len())
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !value.starts_with('-')
        && !value.ends_with('-');
    if fits {
        return Ok(value.to_ascii_lowercase());
    }
    Err(format!(
        "{value:?} is not one word of at most {NAME_BYTES_MAX} letters, digits and inner dashes, like doozer"
    ))
}

pub(super) fn yes_or_no(value: &str) -> Result<bool, String> {
    match value {
        "1" | "true" | "yes" => Ok(true),
        "0" | "false" | "no" => Ok(false),
        _ => Err(format!("{value:?} is neither true nor false")),
    }
}

/// Parses codes of languages, separated by commas.
pub(super) fn languages(value: &str) -> Result<Vec<&'static str>, String> {
    let mut codes = Vec::new();
    for code in value.split(',').map(str::trim) {
        match LANGUAGES.into_iter().find(|known| code.eq_ignore_ascii_case(known)) {
            Some(known) if !codes.contains(&known) => codes.push(known),
            Some(_) => return Err(format!("{value:?} names {code} twice")),
            None => return Err(format!("{code:?} is not a language of {}", LANGUAGES.join(", "))),
        }
    }
    Ok(codes)
}

pub(super) fn hours(value: &str) -> Result<OpeningHours, String> {
    OpeningHours::parse(value)
}

pub(super) fn guest_address(value: &str) -> Result<IpAddr, String> {
    let address = value.parse().ok().filter(|ip: &IpAddr| !ip.is_unspecified());
    address.ok_or_else(|| format!("{value:?} is not an address that guests can reach, like 192.168.1.20"))
}

pub(super) fn interface(value: &str) -> Result<String, String> {
    // Linux allows 15 bytes, without slash and white space (net/core/dev.c, dev_valid_name).
    if (1..16).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_graphic() && b != b'/') {
        return Ok(value.to_owned());
    }
    Err(format!("{value:?} is not the name of a network interface, like eth0"))
}

/// Parses the name of a Wi-Fi.
///
/// # Errors
/// Says what would be right.
pub fn ssid(value: &str) -> Result<String, String> {
    // At most 32 bytes of any value (IEEE 802.11, 9.4.2.2). Control characters cannot be shown to guests.
    if (1..=32).contains(&value.len()) && !value.contains(char::is_control) {
        return Ok(value.to_owned());
    }
    Err(format!("{value:?} is not a Wi-Fi's name of at most 32 bytes"))
}

/// Parses the password of a Wi-Fi.
///
/// # Errors
/// Says what would be right.
pub fn passphrase(value: &str) -> Result<String, String> {
    // IEEE 802.11, annex M.4: 8 to 63 printable ASCII characters.
    if (8..=63).contains(&value.len()) && value.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        return Ok(value.to_owned());
    }
    Err("wants 8 to 63 letters, digits and signs of a US keyboard".to_owned())
}

/// Parses the form of a time zone's name. Whether there is such a zone the tz database says.
///
/// # Errors
/// Says what would be right.
pub fn time_zone(value: &str) -> Result<String, String> {
    // tz database, theory.html, "Timezone identifiers": parts of ASCII letters, digits, `-`, `+` and `_`, none of them
    // beginning with `-`; no name is longer than 32 bytes.
    let part = |part: &str| {
        let sign = |b: u8| b.is_ascii_alphanumeric() || b"+-_".contains(&b);
        !part.is_empty() && !part.starts_with('-') && part.bytes().all(sign)
    };
    if value.len() <= 48 && value.split('/').count() <= 3 && value.split('/').all(part) {
        return Ok(value.to_owned());
    }
    Err(format!("{value:?} is not a time zone, like Europe/Berlin"))
}

pub(super) fn title(value: &str) -> Result<String, String> {
    let value = value.trim();
    if (1..=TITLE_CHARS_MAX).contains(&value.chars().count()) && !value.contains(char::is_control) {
        return Ok(value.to_owned());
    }
    Err(format!("{value:?} is not a name of at most {TITLE_CHARS_MAX} characters"))
}
