//! Compares the copies of facts that have to be written down more than once, because a page or a tool cannot import them.
#![allow(clippy::unwrap_used)]

use doozer_box::limits::{CODE_ALPHABET, CODE_CHARS};
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
