//! Compares the copies of facts that have to be written down more than once, because a page or a tool cannot import them.
#![allow(clippy::unwrap_used)]

use doozer_box::clock::Clock;
use doozer_box::limits::{CODE_ALPHABET, CODE_CHARS};
use doozer_box::metrics::health;
use doozer_box::stats::Stats;
use std::collections::BTreeSet;
use std::path::Path;
use toml::{Table, Value};

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn the_pad_and_the_protocol_name_the_daemons_room_codes() {
    let letters = str::from_utf8(CODE_ALPHABET).unwrap();
    for (path, statements) in [
        (
            "www/js/pad/join.js",
            [format!("const LETTERS = \"{letters}\";"), format!("const LENGTH = {CODE_CHARS};")],
        ),
        ("docs/protocol.md", [format!("`{letters}`"), format!("{CODE_CHARS} letters")]),
    ] {
        let text = read(path);
        for statement in statements {
            assert!(text.contains(&statement), "{path} does not contain {statement}");
        }
    }
}

/// Returns the quoted words after each `before` in a source.
fn words(text: &str, before: &str) -> Vec<String> {
    let rest = text.split(before).skip(1);
    rest.filter_map(|rest| Some(rest.strip_prefix('"')?.split('"').next()?.to_owned())).collect()
}

#[test]
fn the_protocol_names_every_message_refusal_and_field_of_health() {
    let document = read("docs/protocol.md");
    let parser = read("daemon/wire/parse.rs");
    let sent = words(parser.split_once("\nkinds! {").unwrap().1.split("\n}").next().unwrap(), " = ");
    let received = words(&read("daemon/wire/print.rs"), " t: ");
    let refusals = words(&read("daemon/refusal.rs"), " => ");
    assert!(
        sent.len() > 10 && received.len() > 5 && refusals.len() > 10,
        "{sent:?} {received:?} {refusals:?}"
    );
    let health: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&health(&Stats::default(), Clock::start())).unwrap();
    let messages = sent.iter().chain(&received).map(|kind| format!("\"t\":\"{kind}\""));
    let entries = refusals.iter().chain(health.keys()).map(|word| format!("`{word}`"));
    let missing: Vec<_> = messages.chain(entries).filter(|entry| !document.contains(entry)).collect();
    assert!(missing.is_empty(), "docs/protocol.md lacks {missing:?}");
}

/// Returns the names in one table of a manifest.
fn names(manifest: &Table, table: &str) -> BTreeSet<String> {
    manifest[table].as_table().unwrap().keys().cloned().collect()
}

#[test]
fn the_fuzzers_lock_file_has_the_packages_dependencies() {
    let manifest: Table = read("Cargo.toml").parse().unwrap();
    let wanted = &names(&manifest, "dependencies") | &names(&manifest, "build-dependencies");
    let lock: Table = read("tests/fuzz/Cargo.lock").parse().unwrap();
    let packages = lock["package"].as_array().unwrap();
    let ours = packages.iter().find(|package| package["name"].as_str() == Some("doozer-box")).unwrap();
    let locked = ours["dependencies"].as_array().unwrap().iter().filter_map(Value::as_str);
    let locked: BTreeSet<String> =
        locked.map(|entry| entry.split(' ').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(locked, wanted, "cargo metadata --manifest-path tests/fuzz/Cargo.toml mends it");
}
