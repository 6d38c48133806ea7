//! The one table of settings. Usage, allowed names, environment, config files and the owner's documents come from it.

use super::Options;
use super::values::{
    Value, address_and_port, connections, directory, duration, guest_address, hours, interface, label,
    languages, passphrase, percent, ssid, time_zone, title, yes_or_no,
};
use std::fmt::Write as _;

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// The name as a flag, in a config file and, in capitals, as a variable.
    pub name: &'static str,
    /// The placeholder of its value in the usage, empty for a switch.
    pub value: &'static str,
    /// The form of its value in a config file.
    pub kind: Kind,
    /// A short description.
    pub help: &'static str,
    /// A further sentence for the owner, may be empty.
    pub note: &'static str,
    /// An example value for the config file if there is no default.
    pub example: &'static str,
    /// Its section of the config file.
    pub group: Group,
    pub(super) set: fn(&mut Options, &str) -> Result<(), String>,
    pub(super) get: fn(&Options) -> Option<String>,
}

/// The form of a value in a config file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// In quotes.
    Text,
    /// In quotes, or a list of such in brackets.
    List,
    /// As digits.
    Number,
    /// `true` or `false`.
    Bool,
    /// `true` or `false`, and the flag takes no value.
    Switch,
}

/// The sections of the config file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The network, set once by the owner.
    Network,
    /// Durations and options of the games.
    Game,
    /// Settings for tools and tests.
    Tools,
}

const fn setting(
    name: &'static str,
    value: &'static str,
    kind: Kind,
    group: Group,
    help: &'static str,
) -> Setting {
    Setting { name, value, kind, help, note: "", example: "", group, set: |_, _| Ok(()), get: |_| None }
}

/// A setting whose field of [`Options`] always has a value.
macro_rules! held {
    ($name:literal, $value:literal, $kind:ident, $group:ident, $help:literal, $field:ident, $parse:ident) => {
        Setting {
            set: |options, value| $parse(value).map(|value| options.$field = value),
            get: |options| Some(options.$field.text()),
            ..setting($name, $value, Kind::$kind, Group::$group, $help)
        }
    };
}

/// A setting whose field of [`Options`] is empty unless set.
macro_rules! empty {
    ($name:literal, $value:literal, $group:ident, $help:literal, $field:ident, $parse:ident, $example:literal) => {
        Setting {
            set: |options, value| $parse(value).map(|value| options.$field = Some(value)),
            get: |options| options.$field.as_ref().map(Value::text),
            example: $example,
            ..setting($name, $value, Kind::Text, Group::$group, $help)
        }
    };
}

/// Every setting, in the order of the usage.
#[rustfmt::skip]
pub static SETTINGS: &[Setting] = &[
    Setting { note: "A second box in the same network takes NAME-2 by itself.",
        ..held!("name", "NAME", Text, Network, "the box's name on the network: NAME.local", name, label) },
    Setting {
        set: |options, value| yes_or_no(value).map(|value| options.mdns = !value),
        get: |options| Some((!options.mdns).to_string()),
        ..setting("no-mdns", "", Kind::Switch, Group::Network, "announce no name on the network") },
    empty!("interface", "NAME", Network, "the network interface that guests are on, if the box finds the wrong one", interface, interface, "eth0"),
    empty!("address", "IP", Network, "the address that guests are given, if the box finds the wrong one", address, guest_address, "192.168.1.20"),
    empty!("wifi", "NAME", Network, "the name of the guests' Wi-Fi, shown on the TV", wifi, ssid, "Bar Guests"),
    Setting { note: "Without it the TV shows only the name.",
        ..empty!("wifi-password", "P", Network, "the password of the guests' Wi-Fi, for a QR code that joins it", wifi_password, passphrase, "guests welcome") },
    Setting { note: "Then also: sudo systemctl restart doozer-hotspot",
        ..empty!("hotspot", "NAME", Network, "the name of the box's own Wi-Fi, for networks that keep phones apart", hotspot, ssid, "Doozer") },
    Setting { note: "At least 8 characters.",
        ..empty!("hotspot-password", "P", Network, "the password of the box's own Wi-Fi; without one it is open", hotspot_password, passphrase, "winnerstays") },
    Setting { note: "More than 4,000 need a higher LimitNOFILE in the unit.",
        ..held!("connections", "N", Number, Network, "maximum number of connections", connections, connections) },
    Setting { note: "All phones behind a router have the same address.",
        ..held!("per-address", "N", Number, Network, "maximum number of connections from one address", per_address, connections) },
    Setting { note: "With systemd, doozer-box.socket listens on port 80 instead.",
        ..held!("listen", "ADDR:PORT", Text, Network, "address and port of the pages; port 0 picks a free one", listen, address_and_port) },
    empty!("status", "ADDR:PORT", Network, "address and port of health and metrics, for monitoring", status, address_and_port, "127.0.0.1:9280"),
    empty!("venue", "NAME", Game, "the venue's name, on the TV instead of Doozer Games", venue, title, "The Fox"),
    held!("turn", "S", Number, Game, "seconds for a move; after that the box moves for the player", turn, duration),
    held!("result", "S", Number, Game, "seconds for which a result is shown", result, duration),
    held!("rematch", "S", Number, Game, "seconds in which a rematch can be asked for, while nobody is in line", rematch, duration),
    held!("away", "S", Number, Game, "seconds for which the seat of an absent player is held", away, duration),
    held!("hold", "S", Number, Game, "seconds for which other absent people, and a room without its TV, are kept", hold, duration),
    held!("attract", "S", Number, Game, "seconds between two moves of the board that plays by itself", attract, duration),
    held!("house", "true|false", Bool, Game, "offer a lone guest a game against the House", house, yes_or_no),
    Setting { note: "Phones are always silent.",
        ..held!("sound", "N", Number, Game, "volume of the TV, 0 to 100; 0 is silent", sound, percent) },
    Setting { note: "One of en, de, fr, es, it, pt, nl, pl. With a list such as [\"de\", \"en\"] the menu changes between them.",
        ..held!("language", "CODE", List, Game, "the TV's language; each phone has its guest's own", language, languages) },
    Setting { note: "The TV is off outside of them; a game in progress is played to its end.",
        ..empty!("open", "HOURS", Game, "the venue's opening hours", open, hours, "17:00-02:00") },
    empty!("timezone", "ZONE", Game, "the time zone of the opening hours, if it is not the box's own", timezone, time_zone, "Europe/Berlin"),
    Setting { note: "With systemd, the runtime directory is the default.",
        ..empty!("state", "DIR", Tools, "directory in memory that keeps the rooms over a restart", state, directory, "/run/doozer-box") },
    Setting { note: "With systemd, owner.toml in the state directory is the default.",
        ..empty!("owner", "FILE", Tools, "file for the settings made by phone and remote", owner, directory, "/var/lib/doozer-box/owner.toml") },
    empty!("www", "DIR", Tools, "serve the pages from this directory, for working on them", www, directory, "/usr/local/share/doozer-box/www"),
    empty!("admin", "SOCKET", Tools, "socket of the helper that joins Wi-Fi and switches the TV", admin, directory, "/run/doozer-admin.sock"),
];

impl Setting {
    /// Returns the setting of that name.
    pub fn named(name: &str) -> Option<&'static Setting> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Returns whether a config file writes its value in quotes.
    pub fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Text | Kind::List)
    }

    /// Checks a value.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn check(&self, value: &str) -> Result<(), String> {
        self.set_in(&mut Options::default(), value)
    }

    /// Sets it in these options alone.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn set_in(&self, options: &mut Options, value: &str) -> Result<(), String> {
        (self.set)(options, value)
    }

    /// Returns what options hold of it, as its parser reads it.
    pub fn value(&self, options: &Options) -> Option<String> {
        (self.get)(options)
    }

    /// Returns the default value in the form that its parser accepts.
    fn default(&self) -> Option<String> {
        (self.get)(&Options::default())
    }

    /// Returns a value as a config file writes it.
    fn in_file(&self, value: &str) -> String {
        if matches!(self.kind, Kind::Text | Kind::List) { format!("\"{value}\"") } else { value.to_owned() }
    }

    /// Returns a line of a config file that sets it to its default, or to its example if it has none.
    pub fn example_line(&self) -> String {
        let value = self.default().unwrap_or_else(|| self.example.to_owned());
        format!("{} = {}", self.name, self.in_file(&value))
    }
}

/// Returns the text for `--help`.
pub fn usage() -> String {
    let mut text = "\
Doozer Box: games on the TV, phones as pads, winner stays.

Usage: doozer-box [OPTIONS]

"
    .to_owned();
    for setting in SETTINGS {
        let flag = format!("--{} {}", setting.name, setting.value);
        let default = setting.default().filter(|_| setting.kind != Kind::Switch);
        let default = default.map_or_else(String::new, |value| format!(" ({value})"));
        let _ = writeln!(text, "  {flag:<22}{}{default}", setting.help);
    }
    text + "  \
  --config FILE         read settings from this TOML file: the names above without dashes in front. Given again,
                        the later file beats the earlier one, and need not be there
  --print NAME          print what a setting is, or `problems`: the mistakes in the config files
  --help, --version

Seconds may be fractions. Every setting is also an environment variable: DOOZER_BOX_TURN=20.
Flags override variables, variables override the owner's file, and that overrides the other files. A line with a
mistake is skipped, and the TV shows it.
A file may also list words for nicknames: [words] add = [\"...\"], exempt = [\"...\"].
"
}

/// Returns the Markdown table of settings for the owner's documents.
pub fn table() -> String {
    let mut text = "| setting | without it | what |\n| --- | --- | --- |\n".to_owned();
    for setting in SETTINGS {
        let default =
            setting.default().map_or_else(String::new, |value| format!("`{}`", setting.in_file(&value)));
        let note = if setting.note.is_empty() {
            String::new()
        } else {
            format!(". {}", setting.note.trim_end_matches('.'))
        };
        let _ = writeln!(text, "| `{}` | {default} | {}{note} |", setting.name, setting.help);
    }
    text + "| `[words] add`, `exempt` | `[]` | words that nicknames must not contain, or may contain although the built-in list has them |\n"
}

/// Returns the config file that the package installs: every setting, commented out.
pub fn config_file() -> String {
    let mut text = "\
# Settings of the Doozer Box. Every line is optional. After the # is the default, or an example if there is no default.
# After a change: sudo systemctl restart doozer-box (a game in progress continues).
# A line with a mistake is skipped, and the TV's menu shows which line it is.
"
    .to_owned();
    for (group, title, about) in [
        (Group::Network, "The network", ""),
        (Group::Game, "The game", "# Seconds may be fractions.\n"),
        (Group::Tools, "For tools", ""),
    ] {
        let _ = write!(text, "\n# ---- {title} {}\n{about}", "-".repeat(90 - title.len()));
        for setting in SETTINGS.iter().filter(|setting| setting.group == group) {
            let mut help = setting.help.to_owned();
            if let Some(first) = help.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            let _ = writeln!(text, "\n# {help}. {}", setting.note);
            let _ = writeln!(text, "#{}", setting.example_line());
        }
    }
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
        + "\n
# ---- Nicknames --------------------------------------------------------------------------------
# add: words that nicknames must not contain. exempt: words of the built-in list that they may contain.
#[words]
#add = []
#exempt = []
"
}
