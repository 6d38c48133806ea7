//! Compares the daemon's messages with the pages' types.
//!
//! `tests/golden/messages.js` holds every kind of message of a whole evening, and `tsc` checks it against
//! `www/js/wire.js`. Here the real daemon must send messages with the same fields and types, so a field that one side
//! renames fails by its name. `BLESS=1 cargo test --test golden` writes the file.

mod common;

use common::client::{Client, Cut};
use common::daemon::Daemon;
use common::table::Table;
use doozer_box::games::GAMES;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;
/// Most taps of a game, so that no phone exceeds its rate limit. A longer game is ended by leaving.
const TAPS_MAX: usize = 16;
const HEAD: &str = "// Messages of the daemon, one of each shape: written by tests/golden.rs, checked by tsc.\n\n\
    /** @type {import(\"../../www/js/wire.js\").FromBox[]} */\nexport const MESSAGES = [\n";

/// The messages seen, by kind and shape.
type Seen = BTreeMap<(String, String), Value>;

/// Returns a message's kind: its type, game, phase, role and reason.
fn kind(message: &Value) -> String {
    let parts = ["t", "game", "phase", "role", "why"].map(|part| message[part].as_str().unwrap_or("-"));
    let tv = if message["attract"].is_boolean() { "tv" } else { "-" };
    format!("{} {tv}", parts.join(" "))
}

/// Collects every field of a value as its path and type.
fn fields(value: &Value, path: &str, into: &mut BTreeSet<String>) {
    let (name, inner): (_, Vec<(String, &Value)>) = match value {
        Value::Null => ("null", vec![]),
        Value::Bool(_) => ("boolean", vec![]),
        Value::Number(_) => ("number", vec![]),
        Value::String(_) => ("string", vec![]),
        Value::Array(list) => ("list", list.iter().map(|item| (format!("{path}[]"), item)).collect()),
        Value::Object(fields) => {
            ("object", fields.iter().map(|(key, item)| (format!("{path}.{key}"), item)).collect())
        }
    };
    into.insert(format!("{path}: {name}"));
    for (path, item) in inner {
        fields(item, &path, into);
    }
}

fn see(seen: &mut Seen, message: &Value) {
    let mut shape = BTreeSet::new();
    fields(message, "", &mut shape);
    let shape = shape.into_iter().collect::<Vec<_>>().join("; ");
    seen.entry((kind(message), shape)).or_insert_with(|| message.clone());
}

fn see_all(seen: &mut Seen, table: &mut Table) {
    for client in table.clients() {
        see(seen, &client.view);
    }
}

/// Plays an evening of every game and collects all messages.
fn evening() -> Result<Seen, Cut> {
    let daemon = Daemon::start(&["--result", "4", "--attract", "600", "--turn", "600", "--house", "false"]);
    let mut seen = Seen::new();
    for game in GAMES {
        let mut table = Table::open(daemon.address, HERE, game.slug, &["Wren"])?;
        see_all(&mut seen, &mut table);
        for nick in ["Heron", "Robin"] {
            table.phones.push(Client::phone(daemon.address, HERE, table.tv.room(), nick)?);
        }
        for client in table.clients() {
            client.until("a full room", |client| {
                client.view["line"].as_array().is_some_and(|line| line.len() == 1)
            })?;
            see(&mut seen, &client.view);
        }
        let room = table.tv.welcome.clone();
        see(&mut seen, &room);
        let mut welcome = table.phones[1].welcome.clone();
        welcome["view"] = table.phones[1].view.clone();
        see(&mut seen, &welcome);
        refusals(&mut seen, &mut table)?;
        table.tap(|_| 0)?;
        see_all(&mut seen, &mut table);
        over(&mut seen, &mut table)?;
    }
    Ok(seen)
}

/// Sends commands that are refused.
fn refusals(seen: &mut Seen, table: &mut Table) -> Result<(), Cut> {
    for (message, why) in [
        (json!({"t": "move", "v": 0, "n": 9_999}), "turn"),
        (json!({"t": "nonsense"}), "kind"),
        (json!({"t": "move"}), "shape"),
        (json!({"t": "rematch"}), "when"),
    ] {
        table.phones[2].say(message)?;
        table.phones[2].until(why, |phone| phone.no["why"] == why)?;
        see(seen, &table.phones[2].no);
    }
    Ok(())
}

/// Lets the last in line leave, plays the game to its end, and returns to the menu.
fn over(seen: &mut Seen, table: &mut Table) -> Result<(), Cut> {
    table.phones[2].say(json!({"t": "leave"}))?;
    table.phones[2].until("a goodbye", |phone| !phone.bye.is_null())?;
    see(seen, &json!({"t": "bye", "why": table.phones[2].bye}));
    table.phones.pop();
    for _ in 0..TAPS_MAX {
        if table.tv.view["phase"] == "play" {
            table.tap(|moves| moves.len() / 2)?;
            see_all(seen, table);
        }
    }
    let whole = table.tv.view["phase"] != "play";
    if !whole {
        table.phones[1].say(json!({"t": "leave"}))?;
        table.phones.truncate(1);
    }
    for phase in if whole { ["result", "rematch"] } else { ["result", "open"] } {
        for client in table.clients() {
            client.until(phase, |client| client.view["phase"] == phase)?;
            see(seen, &client.view);
        }
    }
    table.tv.say(json!({"t": "home"}))?;
    for client in table.clients() {
        client.until("the menu", |client| client.view["t"] == "menu")?;
        see(seen, &client.view);
    }
    Ok(())
}

/// Merges the shapes of each kind into its fields and their types.
fn merged(messages: &[Value]) -> BTreeMap<String, BTreeSet<String>> {
    let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for message in messages {
        fields(message, "", kinds.entry(kind(message)).or_default());
    }
    kinds
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/messages.js")
}

#[test]
fn the_daemon_sends_what_the_pages_types_say() -> Result<(), Cut> {
    let now: Vec<Value> = evening()?.into_values().collect();
    if std::env::var_os("BLESS").is_some() {
        let lines: String = now.iter().map(|message| format!("  {message},\n")).collect();
        std::fs::create_dir_all(path().parent().expect("a folder"))?;
        std::fs::write(path(), format!("{HEAD}{lines}];\n"))?;
    }
    let text = std::fs::read_to_string(path())?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(','));
    let kept: Vec<Value> = lines.map(serde_json::from_str).collect::<Result<_, _>>()?;
    let (kept, now) = (merged(&kept), merged(&now));
    let help = "tests/golden/messages.js differs: BLESS=1 cargo test --test golden writes it, tsc judges it";
    assert_eq!(kept.keys().collect::<Vec<_>>(), now.keys().collect::<Vec<_>>(), "kinds; {help}");
    for (kind, fields) in &now {
        let new: Vec<_> = fields.difference(&kept[kind]).collect();
        let gone: Vec<_> = kept[kind].difference(fields).collect();
        assert!(new.is_empty() && gone.is_empty(), "{kind}: new {new:?}, gone {gone:?}; {help}");
    }
    Ok(())
}
