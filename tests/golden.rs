//! Compares the daemon's messages with the pages' types.
//!
//! `tests/golden/messages.js` holds every kind of message of a whole evening. `tsc` checks it against
//! `www/js/wire.js`, and `tests/www` draws it. Here the real daemon must send messages with the same fields and
//! types, so a field that one side renames fails by its name. `BLESS=1 cargo test --test golden` writes the file.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;
#[path = "golden/evenings.rs"]
mod evenings;

use common::client::Cut;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const HEAD: &str = "// Messages of the daemon, one of each shape: written by tests/golden.rs, checked by tsc.\n\n\
    /** @type {import(\"../../www/js/wire.js\").FromBox[]} */\nexport const MESSAGES = [\n";

/// Messages by their kind and shape.
#[derive(Default)]
pub struct Seen(BTreeMap<(String, String), Value>);

impl Seen {
    /// Records a message.
    pub fn add(&mut self, message: &Value) {
        let mut shape = BTreeSet::new();
        fields(message, "", &mut shape);
        let shape = shape.into_iter().collect::<Vec<_>>().join("; ");
        self.0.entry((kind(message), shape)).or_insert_with(|| message.clone());
    }

    /// Adds the messages of another evening.
    pub fn extend(&mut self, other: Seen) {
        self.0.extend(other.0);
    }
}

/// Returns a message's kind: its `t`, game, phase, role, whether the House plays, and reason.
fn kind(message: &Value) -> String {
    let view = if message["view"].is_object() { &message["view"] } else { message };
    let parts = ["game", "phase", "role"].map(|part| view[part].as_str().unwrap_or("-"));
    let seats = if view["seats"][1]["house"] == true { "house" } else { "-" };
    let text = |field: &str| message[field].as_str().unwrap_or("-").to_owned();
    format!("{} {} {seats} {}", text("t"), parts.join(" "), text("why"))
}

/// Collects every field of a value by its path, with the type of its value.
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

/// Merges the shapes of each kind: the fields, and the types that each may have.
fn merged<'a>(messages: impl Iterator<Item = &'a Value>) -> BTreeMap<String, BTreeSet<String>> {
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
fn the_daemons_messages_match_the_pages_types() -> Result<(), Cut> {
    let now = evenings::all();
    if std::env::var_os("BLESS").is_some() {
        let lines: String = now.0.values().map(|message| format!("  {message},\n")).collect();
        std::fs::write(path(), format!("{HEAD}{lines}];\n"))?;
    }
    let text = std::fs::read_to_string(path())?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(','));
    let kept: Vec<Value> = lines.map(serde_json::from_str).collect::<Result<_, _>>()?;
    let (kept, now) = (merged(kept.iter()), merged(now.0.values()));
    let help = "tests/golden/messages.js differs: BLESS=1 cargo test --test golden writes it, tsc judges it";
    let names = |of: &BTreeMap<String, _>| of.keys().cloned().collect::<BTreeSet<_>>();
    let (new, gone) = (&names(&now) - &names(&kept), &names(&kept) - &names(&now));
    assert!(new.is_empty() && gone.is_empty(), "kinds: new {new:?}, gone {gone:?}; {help}");
    for (kind, fields) in &now {
        let (new, gone) = (fields - &kept[kind], &kept[kind] - fields);
        assert!(new.is_empty() && gone.is_empty(), "{kind}: new {new:?}, gone {gone:?}; {help}");
    }
    Ok(())
}
