//! Settings: merges several layers into one checked value, [`Options`].
//!
//! The layers are the defaults, the config files in the given order, the owner's file (set by phone and remote),
//! the environment, and the flags. A later layer overrides an earlier one. All use the names of [`SETTINGS`]: `--turn 20`, `DOOZER_BOX_TURN=20`, `turn = 20`.
//!
//! A mistake in a flag or a variable is an error. A mistake in a file skips only that line and is reported to the
//! owner, since a box with a mistyped setting must still start and play.

mod file;
mod settings;
mod values;

pub use settings::{Group, Kind, SETTINGS, Setting, config_file, table, usage};
pub use values::{passphrase, ssid, time_zone};

use crate::limits::{CONNECTIONS_DEFAULT, Ms, PER_ADDRESS_DEFAULT};
use crate::opening_hours::OpeningHours;
use std::ffi::OsString;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

/// Every setting, checked. Durations are in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The guests' address and port.
    pub listen: SocketAddr,
    /// The address and port of health and metrics. With `None` there is no status port.
    pub status: Option<SocketAddr>,
    /// Time for a move.
    pub turn: Ms,
    /// Time for which a result is shown.
    pub result: Ms,
    /// Time in which a rematch can be asked for.
    pub rematch: Ms,
    /// Time for which a seat is held during a game.
    pub away: Ms,
    /// Time for which other places, and a room without its TV, are held.
    pub hold: Ms,
    /// Time between two moves of the attract loop.
    pub attract: Ms,
    /// Whether a lone champion may play the House.
    pub house: bool,
    /// How loud the TV is, in percent. With 0 it is silent.
    pub sound: u8,
    /// The languages of the TV, as codes, its own first.
    pub language: Vec<&'static str>,
    /// Connections in all.
    pub connections: usize,
    /// Connections from one address.
    pub per_address: usize,
    /// The venue's name, shown instead of the product's.
    pub venue: Option<String>,
    /// The hours outside of which the TV is off.
    pub open: Option<OpeningHours>,
    /// The time zone of these hours. With `None` it is the machine's own.
    pub timezone: Option<String>,
    /// The directory of the rooms' state, in memory.
    pub state: Option<PathBuf>,
    /// The file of the settings made by phone and remote.
    pub owner: Option<PathBuf>,
    /// The directory from which pages are served instead of the compiled-in ones.
    pub www: Option<PathBuf>,
    /// The socket of the helper that has the system's rights.
    pub admin: Option<PathBuf>,
    /// The name on the network, in lower case and without `.local`.
    pub name: String,
    /// Whether the name is advertised by mDNS.
    pub mdns: bool,
    /// The address shown to guests, which replaces the detected one.
    pub address: Option<IpAddr>,
    /// The network interface of the guests, which replaces the detected one.
    pub interface: Option<String>,
    /// The name of the venue's Wi-Fi, shown on the TV.
    pub wifi: Option<String>,
    /// The password of the venue's Wi-Fi, for a QR code that joins it.
    pub wifi_password: Option<String>,
    /// The name of the box's own Wi-Fi.
    pub hotspot: Option<String>,
    /// The password of the box's own Wi-Fi. With `None` it is open.
    pub hotspot_password: Option<String>,
    /// Words rejected in nicknames, in addition to the built-in list.
    pub words_add: Vec<String>,
    /// Words allowed in nicknames although the built-in list has them.
    pub words_exempt: Vec<String>,
    /// The owner's phones, as listed in the owner's file.
    pub phones: Vec<String>,
    /// Mistakes in the config files, one line each for the owner.
    pub problems: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            listen: SocketAddr::from((Ipv4Addr::UNSPECIFIED, 8080)),
            status: None,
            turn: 20_000,
            result: 6_000,
            rematch: 60_000,
            away: 30_000,
            hold: 600_000,
            attract: 2_000,
            house: true,
            sound: 0,
            language: vec!["en"],
            connections: CONNECTIONS_DEFAULT,
            per_address: PER_ADDRESS_DEFAULT,
            venue: None,
            open: None,
            timezone: None,
            state: None,
            owner: None,
            www: None,
            admin: None,
            name: "doozer".to_owned(),
            mdns: true,
            address: None,
            interface: None,
            wifi: None,
            wifi_password: None,
            hotspot: None,
            hotspot_password: None,
            words_add: Vec::new(),
            words_exempt: Vec::new(),
            phones: Vec::new(),
            problems: Vec::new(),
        }
    }
}

/// The action that the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Runs the daemon.
    Run(Box<Options>),
    /// Prints this text and ends.
    Print(String),
}

/// The name of the config file's setting, which only the command line and the environment have.
const CONFIG: &str = "config";
/// The name of the owner's file in the service manager's state directory.
const OWNER_FILE: &str = "owner.toml";
/// The name of the config files' mistakes for `--print`.
const PROBLEMS: &str = "problems";

/// The parsed command line, not applied yet.
#[derive(Default)]
struct Flags {
    values: Vec<(&'static Setting, String)>,
    config: Vec<String>,
    print: Option<String>,
}

/// Parses the command line (without the program's name), the environment and the config files. `version` is the text
/// for `--version`.
///
/// # Errors
/// Returns a message that names the wrong option or variable and says what would be right.
pub fn parse(
    args: impl IntoIterator<Item = OsString>,
    env: &dyn Fn(&str) -> Option<OsString>,
    read_file: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
    version: &str,
) -> Result<Action, String> {
    let mut parser = lexopt::Parser::from_args(args);
    let mut flags = Flags::default();
    while let Some(arg) = parser.next().map_err(tried)? {
        let name = match arg {
            lexopt::Arg::Short('h') | lexopt::Arg::Long("help") => return Ok(Action::Print(usage())),
            lexopt::Arg::Short('V') | lexopt::Arg::Long("version") => {
                return Ok(Action::Print(format!("doozer-box {version}\n")));
            }
            lexopt::Arg::Long(name) => name.to_owned(),
            lexopt::Arg::Short(short) => return Err(format!("there is no option -{short}; try --help")),
            lexopt::Arg::Value(value) => return Err(format!("{value:?} is not an option; try --help")),
        };
        flag(&mut flags, &mut parser, &name)?;
    }
    let options = layers(&flags, env, read_file)?;
    match flags.print {
        Some(name) => print(&options, &name).map(Action::Print),
        None => Ok(Action::Run(Box::new(options))),
    }
}

/// Parses one flag with its value.
fn flag(flags: &mut Flags, parser: &mut lexopt::Parser, name: &str) -> Result<(), String> {
    let setting = Setting::named(name);
    if setting.is_none() && ![CONFIG, "print"].contains(&name) {
        return Err(format!("there is no option --{name}; try --help"));
    }
    let value = match setting {
        Some(Setting { kind: Kind::Switch, .. }) => "true".to_owned(),
        _ => text(parser.value().map_err(tried)?, &format!("--{name}"))?,
    };
    match setting {
        Some(setting) => flags.values.push((setting, value)),
        None if name == CONFIG => flags.config.push(value),
        None => flags.print = Some(value),
    }
    Ok(())
}

/// Merges the layers.
fn layers(
    flags: &Flags,
    env: &dyn Fn(&str) -> Option<OsString>,
    read_file: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
) -> Result<Options, String> {
    let variable = |name: &str| -> Result<Option<(String, String)>, String> {
        let variable = format!("DOOZER_BOX_{}", name.to_uppercase().replace('-', "_"));
        let value = env(&variable).map(|value| text(value, &variable)).transpose()?;
        Ok(value.map(|value| (variable, value)))
    };
    let mut config = flags.config.clone();
    if let (true, Some((_, value))) = (config.is_empty(), variable(CONFIG)?) {
        config.push(value);
    }
    // The service manager's own directories, the first if there are several (systemd.exec(5)).
    let managed = |name| env(name)?.into_string().ok()?.split(':').next().map(PathBuf::from);
    let stacked = |owner: Option<&Path>| -> Result<Options, String> {
        let mut options = file::read_all(&config, owner, read_file);
        for setting in SETTINGS {
            if let Some((variable, value)) = variable(setting.name)? {
                (setting.set)(&mut options, &value).map_err(|right| format!("{variable}: {right}"))?;
            }
        }
        for (setting, value) in &flags.values {
            (setting.set)(&mut options, value).map_err(|right| format!("--{}: {right}", setting.name))?;
        }
        options.state = options.state.or_else(|| managed("RUNTIME_DIRECTORY"));
        options.owner = options.owner.or_else(|| Some(managed("STATE_DIRECTORY")?.join(OWNER_FILE)));
        Ok(options)
    };
    // Where the owner's file is, the other layers say.
    let options = stacked(None)?;
    let Some(owner) = options.owner else { return Ok(options) };
    Ok(Options { owner: Some(owner.clone()), ..stacked(Some(&owner))? })
}

/// Returns the value of a setting as a line for scripts, or nothing if it has none.
fn print(options: &Options, name: &str) -> Result<String, String> {
    let lines = match Setting::named(name) {
        Some(setting) => (setting.get)(options).into_iter().collect(),
        None if name == PROBLEMS => options.problems.clone(),
        None => return Err(format!("--print: there is no setting {name:?}; try --help")),
    };
    Ok(lines.into_iter().map(|line| line + "\n").collect())
}

fn text(value: OsString, whose: &str) -> Result<String, String> {
    value.into_string().map_err(|value| format!("{whose}: {value:?} is not UTF-8 text"))
}

fn tried(error: lexopt::Error) -> String {
    format!("{error}; try --help")
}
