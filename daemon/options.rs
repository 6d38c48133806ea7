//! Flags, environment and config file: one value, [`Options`], with everything checked at the start.
//!
//! The same settings by the same names everywhere: `--turn 20`, `DOOZER_BOX_TURN=20`, `turn = 20` in the
//! file. A flag beats the environment, the environment the file, the file the default. A bad flag or
//! variable is an error in words. A bad file is set aside with one warning: a box whose SD card mangled
//! a setting must still come up and play.

use crate::limits::{CONNECTIONS_DEFAULT, CONNECTIONS_MAX, Ms, PER_ADDRESS_DEFAULT};
use std::ffi::OsString;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

/// What `--help` prints.
pub const USAGE: &str = "\
Doozer Box: games on the TV, phones as pads, winner stays.

Usage: doozer-box [OPTIONS]

  --listen ADDR:PORT    where to listen (0.0.0.0:8080; port 0 picks a free one)
  --turn S              seconds for a move (20)
  --result S            seconds for which a result is shown (6)
  --rematch S           seconds in which a rematch can be asked for (60)
  --away S              seconds for which a seat is held during a game (30)
  --hold S              seconds for which other places and a room without its TV are held (600)
  --attract S           seconds between the attract loop's moves (2)
  --connections N       connections in all (2048)
  --per-address N       connections from one address (256)
  --state DIR           keep rooms over a restart in this directory, which is in memory
  --www DIR             serve the pages from this directory, for working on them
  --name NAME           the box's name on the network: NAME.local (doozer)
  --no-mdns             do not announce the name on the network
  --address IP          the address that guests are told, if the box finds the wrong one
  --interface NAME      the network interface that guests are on, if the box finds the wrong one
  --wifi NAME           the name of the guests' Wi-Fi, to be told on the TV
  --hotspot NAME        the name of the box's own Wi-Fi (made by doozer-hotspot.service)
  --hotspot-password P  its password; without one it is open
  --house true|false    offer a lone guest a game against the House (true)
  --config FILE         read settings from this TOML file: the names above without dashes in front
  --help, --version

Seconds may be fractions. Every option is also an environment variable: DOOZER_BOX_TURN=20.
The file may hold words for nicknames, too: [words] add = [\"...\"], exempt = [\"...\"].
";

/// Every setting, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Where to listen.
    pub listen: SocketAddr,
    /// For a move, in milliseconds, as all durations here.
    pub turn: Ms,
    /// For which a result is shown.
    pub result: Ms,
    /// In which a rematch can be asked for.
    pub rematch: Ms,
    /// For which a seat is held during a game.
    pub away: Ms,
    /// For which other places and a room without its TV are held.
    pub hold: Ms,
    /// Between two moves of the attract loop.
    pub attract: Ms,
    /// Connections in all.
    pub connections: usize,
    /// Connections from one address.
    pub per_address: usize,
    /// Where rooms are kept over a restart.
    pub state: Option<PathBuf>,
    /// Where pages are read from instead of the binary.
    pub www: Option<PathBuf>,
    /// The name on the network, without `.local`; lower case.
    pub name: String,
    /// Is the name announced?
    pub mdns: bool,
    /// The address that guests are told, whatever the box finds.
    pub address: Option<IpAddr>,
    /// The network interface that guests are on, whatever the box finds.
    pub interface: Option<String>,
    /// The name of the guests' Wi-Fi, to be told on the TV.
    pub wifi: Option<String>,
    /// The name of the box's own Wi-Fi.
    pub hotspot: Option<String>,
    /// Its password.
    pub hotspot_password: Option<String>,
    /// Whether a lone champion may play the House.
    pub house: bool,
    /// Words that nicknames must not hold, beside the built-in list.
    pub words_add: Vec<String>,
    /// Words that nicknames may hold, although the built-in list has them.
    pub words_exempt: Vec<String>,
    /// Why the config file was set aside, for the log.
    pub warning: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            listen: SocketAddr::from((Ipv4Addr::UNSPECIFIED, 8080)),
            turn: 20_000,
            result: 6_000,
            rematch: 60_000,
            away: 30_000,
            hold: 600_000,
            attract: 2_000,
            connections: CONNECTIONS_DEFAULT,
            per_address: PER_ADDRESS_DEFAULT,
            state: None,
            www: None,
            name: "doozer".to_owned(),
            mdns: true,
            address: None,
            interface: None,
            wifi: None,
            hotspot: None,
            hotspot_password: None,
            house: true,
            words_add: Vec::new(),
            words_exempt: Vec::new(),
            warning: None,
        }
    }
}

/// What the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Be the box.
    Run(Box<Options>),
    /// Print [`USAGE`].
    Help,
    /// Print the version.
    Version,
}

/// The settings' names, beside `no-mdns` and `config`: flags, variables and keys of the file alike.
const VALUES: [&str; 18] = [
    "listen",
    "turn",
    "result",
    "rematch",
    "away",
    "hold",
    "attract",
    "connections",
    "per-address",
    "state",
    "www",
    "name",
    "address",
    "interface",
    "wifi",
    "hotspot",
    "hotspot-password",
    "house",
];

/// A nickname word of the file has at most this many characters, and the lists this many words.
const WORD_CHARS_MAX: usize = 48;
const WORDS_MAX: usize = 10_000;
/// The longest duration that makes sense for any of them: a day.
const SECONDS_MAX: f64 = 86_400.0;
/// A label of a name has 63 bytes (RFC 1035, 2.3.4); some are left for the `-2` of a name that was taken.
const NAME_BYTES_MAX: usize = 50;

/// Reads the command line (without the program's name), the environment and the config file.
///
/// # Errors
/// In words for people: which option, and what would be right.
pub fn parse(
    args: impl IntoIterator<Item = OsString>,
    env: &dyn Fn(&str) -> Option<OsString>,
    read_file: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
) -> Result<Action, String> {
    let mut flags: Vec<(String, String)> = Vec::new();
    let mut parser = lexopt::Parser::from_args(args);
    while let Some(arg) = parser.next().map_err(said)? {
        let key = match arg {
            lexopt::Arg::Short('h') | lexopt::Arg::Long("help") => return Ok(Action::Help),
            lexopt::Arg::Short('V') | lexopt::Arg::Long("version") => return Ok(Action::Version),
            lexopt::Arg::Long(key) if key == "config" || key == "no-mdns" || VALUES.contains(&key) => {
                key.to_owned()
            }
            lexopt::Arg::Value(value) => return Err(format!("{value:?} is not an option; try --help")),
            other => return Err(format!("there is no option {}; try --help", shown(&other))),
        };
        let value = match key.as_str() {
            "no-mdns" => "true".to_owned(),
            _ => text(parser.value().map_err(said)?, &format!("--{key}"))?,
        };
        flags.push((key, value));
    }
    let mut variables = Vec::new();
    for key in VALUES.into_iter().chain(["no-mdns", "config"]) {
        let variable = format!("DOOZER_BOX_{}", key.to_uppercase().replace('-', "_"));
        if let Some(value) = env(&variable) {
            variables.push((key.to_owned(), text(value, &variable)?, variable));
        }
    }
    let file = flags.iter().rev().find(|(key, _)| key == "config").map(|(_, value)| value);
    let file = file.or_else(|| variables.iter().find(|(key, ..)| key == "config").map(|(_, value, _)| value));
    let mut options = file.map(|path| from_file(Path::new(path), read_file)).unwrap_or_default();
    for (key, value, variable) in variables {
        set(&mut options, &key, &value).map_err(|right| format!("{variable}: {right}"))?;
    }
    for (key, value) in flags {
        set(&mut options, &key, &value).map_err(|right| format!("--{key}: {right}"))?;
    }
    // The service manager's own directory for it, the first if there are several (systemd.exec(5)).
    let runtime = || env("RUNTIME_DIRECTORY")?.into_string().ok()?.split(':').next().map(PathBuf::from);
    options.state = options.state.or_else(runtime);
    Ok(Action::Run(Box::new(options)))
}

/// The settings of the file, or the defaults and why it was set aside.
fn from_file(path: &Path, read_file: &dyn Fn(&Path) -> io::Result<Vec<u8>>) -> Options {
    let options = read_file(path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned()))
        .and_then(|text| from_toml(&text));
    options.unwrap_or_else(|why| Options {
        warning: Some(format!("the config file {} is set aside: {why}", path.display())),
        ..Options::default()
    })
}

fn from_toml(text: &str) -> Result<Options, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line =
            1 + error.span().map_or(0, |span| text[..span.start.min(text.len())].matches('\n').count());
        format!("line {line}: {}", error.message())
    })?;
    let mut options = Options::default();
    for (key, value) in &table {
        match (key.as_str(), value) {
            ("words", toml::Value::Table(words)) => set_words(&mut options, words)?,
            ("words", _) => return Err("words: is a table, [words]".to_owned()),
            ("config", _) => return Err("config: belongs on the command line".to_owned()),
            (key, toml::Value::String(value)) => in_file(&mut options, key, value)?,
            (key, value) => in_file(&mut options, key, &value.to_string())?,
        }
    }
    Ok(options)
}

fn in_file(options: &mut Options, key: &str, value: &str) -> Result<(), String> {
    set(options, key, value).map_err(|right| format!("{key}: {right}"))
}

fn set_words(options: &mut Options, words: &toml::Table) -> Result<(), String> {
    for (key, value) in words {
        let list = match key.as_str() {
            "add" => &mut options.words_add,
            "exempt" => &mut options.words_exempt,
            _ => return Err(format!("words.{key}: there are only words.add and words.exempt")),
        };
        let wrong = || format!("words.{key}: wants a list of words in quotes");
        let value = value.as_array().filter(|list| list.len() <= WORDS_MAX).ok_or_else(wrong)?;
        for word in value {
            let word = word.as_str().map(str::trim).ok_or_else(wrong)?;
            if word.is_empty() || word.chars().count() > WORD_CHARS_MAX {
                return Err(format!("words.{key}: a word has 1 to {WORD_CHARS_MAX} characters"));
            }
            list.push(word.to_owned());
        }
    }
    Ok(())
}

/// Sets one setting. The error says what would be right.
fn set(options: &mut Options, key: &str, value: &str) -> Result<(), String> {
    match key {
        "listen" => options.listen = address_and_port(value)?,
        "turn" => options.turn = seconds(value)?,
        "result" => options.result = seconds(value)?,
        "rematch" => options.rematch = seconds(value)?,
        "away" => options.away = seconds(value)?,
        "hold" => options.hold = seconds(value)?,
        "attract" => options.attract = seconds(value)?,
        "connections" => options.connections = connections(value)?,
        "per-address" => options.per_address = connections(value)?,
        "state" => options.state = Some(directory(value)?),
        "www" => options.www = Some(directory(value)?),
        "name" => options.name = label(value)?,
        "no-mdns" => options.mdns = !yes_or_no(value)?,
        "address" => options.address = Some(guest_address(value)?),
        "interface" => options.interface = Some(interface(value)?),
        "wifi" => options.wifi = Some(ssid(value)?),
        "hotspot" => options.hotspot = Some(ssid(value)?),
        "hotspot-password" => options.hotspot_password = Some(passphrase(value)?),
        "house" => options.house = yes_or_no(value)?,
        "config" => {}
        _ => return Err("there is no such setting".to_owned()),
    }
    Ok(())
}

fn seconds(value: &str) -> Result<Ms, String> {
    let wrong = || format!("{value:?} is not a number of seconds from 0.001 to 86400, like 20 or 0.5");
    let seconds: f64 = value.parse().map_err(|_| wrong())?;
    if !(0.001..=SECONDS_MAX).contains(&seconds) {
        return Err(wrong());
    }
    // In range, so neither cut off nor negative.
    Ok((seconds * 1_000.0).round() as Ms)
}

fn address_and_port(value: &str) -> Result<SocketAddr, String> {
    value.parse().map_err(|_| format!("{value:?} is not an address and a port, like 0.0.0.0:8080"))
}

fn connections(value: &str) -> Result<usize, String> {
    let number = value.parse().ok().filter(|n| (1..=CONNECTIONS_MAX).contains(n));
    number.ok_or_else(|| format!("{value:?} is not a whole number from 1 to {CONNECTIONS_MAX}"))
}

fn directory(value: &str) -> Result<PathBuf, String> {
    if value.is_empty() { Err("wants a directory".to_owned()) } else { Ok(PathBuf::from(value)) }
}

fn label(value: &str) -> Result<String, String> {
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

fn yes_or_no(value: &str) -> Result<bool, String> {
    match value {
        "1" | "true" | "yes" => Ok(true),
        "0" | "false" | "no" => Ok(false),
        _ => Err(format!("{value:?} is neither true nor false")),
    }
}

fn guest_address(value: &str) -> Result<IpAddr, String> {
    let address = value.parse().ok().filter(|ip: &IpAddr| !ip.is_unspecified());
    address.ok_or_else(|| format!("{value:?} is not an address that guests can reach, like 192.168.1.20"))
}

fn interface(value: &str) -> Result<String, String> {
    // Linux: at most 15 bytes, without slash and white space (net/core/dev.c, dev_valid_name).
    if (1..16).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_graphic() && b != b'/') {
        return Ok(value.to_owned());
    }
    Err(format!("{value:?} is not the name of a network interface, like eth0"))
}

fn ssid(value: &str) -> Result<String, String> {
    // IEEE 802.11, 9.4.2.2: at most 32 bytes. The rest is what every reader of the config file takes as it stands.
    if (1..=32).contains(&value.len()) && plain(value) {
        return Ok(value.to_owned());
    }
    Err(format!("{value:?} is not a Wi-Fi's name of at most 32 bytes, without quotes and backslashes"))
}

fn passphrase(value: &str) -> Result<String, String> {
    // IEEE 802.11, annex M.4: 8 to 63 printable ASCII characters.
    if (8..=63).contains(&value.len()) && value.is_ascii() && plain(value) {
        return Ok(value.to_owned());
    }
    Err("wants 8 to 63 letters, digits and signs, without quotes and backslashes".to_owned())
}

fn plain(value: &str) -> bool {
    !value.contains(|c: char| c.is_control() || matches!(c, '"' | '\'' | '\\'))
}

fn text(value: OsString, whose: &str) -> Result<String, String> {
    value.into_string().map_err(|value| format!("{whose}: {value:?} is not UTF-8 text"))
}

fn said(error: lexopt::Error) -> String {
    format!("{error}; try --help")
}

fn shown(arg: &lexopt::Arg) -> String {
    match arg {
        lexopt::Arg::Short(short) => format!("-{short}"),
        lexopt::Arg::Long(long) => format!("--{long}"),
        lexopt::Arg::Value(value) => format!("{value:?}"),
    }
}
