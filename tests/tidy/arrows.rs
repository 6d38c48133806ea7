//! Checks the imports between the modules of the crate against one table, and that table against the documents.

use super::{none, sources, top};
use std::collections::BTreeSet;
use std::fs;

/// The modules that each module may use, each listed above it: `games ← bot, rule ← room ← hub ← net ← app`.
#[rustfmt::skip]
const MAY_USE: &[(&str, &[&str])] = &[
    ("files", &[]), ("limits", &[]), ("power_supply", &[]), ("qr", &[]), ("refusal", &[]), ("systemd", &[]), ("version", &[]),
    ("auth", &["limits"]), ("clock", &["limits"]), ("outbox", &["limits"]), ("stats", &["limits"]),
    ("opening_hours", &["limits"]), ("options", &["limits", "opening_hours"]), ("admin", &["options"]), ("endpoint", &["admin", "qr"]),
    ("metrics", &["clock", "limits", "stats", "version"]),
    ("status", &["clock", "metrics", "power_supply", "stats"]),
    ("games", &[]),
    ("bot", &["games"]),
    ("rule", &["bot", "games", "refusal", "limits"]),
    ("room", &["bot", "rule", "games", "refusal", "limits"]),
    ("thinker", &["room", "bot", "games", "limits"]),
    ("store", &["files", "room", "limits"]),
    ("wire", &["auth", "room", "rule", "games", "refusal", "outbox"]),
    ("hub", &["auth", "thinker", "wire", "store", "room", "rule", "refusal", "outbox", "endpoint", "qr", "systemd", "clock", "stats", "limits"]),
    ("appliance", &["admin", "endpoint", "limits", "opening_hours", "qr"]),
    ("net", &["hub", "wire", "refusal", "room", "games", "outbox", "endpoint", "clock", "stats", "metrics", "version", "limits"]),
    ("owner", &[
        "hub", "wire", "auth", "admin", "options", "room", "rule", "files", "endpoint", "power_supply", "qr", "systemd", "clock",
        "stats", "version", "limits",
    ]),
    ("app", &[
        "owner", "auth", "admin", "net", "appliance", "hub", "thinker", "store", "room", "endpoint", "systemd", "clock", "stats",
        "status", "version", "opening_hours", "options", "limits",
    ]),
];

/// Returns what this code names after a prefix. With `crate::`: `a` for `crate::a`, `a` and `b` for `use crate::{a::X, b}`.
pub(crate) fn parts_named(code: &str, prefix: &str) -> Vec<String> {
    let mut named = Vec::new();
    for (at, found) in code.match_indices(prefix) {
        let rest = &code[at + found.len()..];
        let list = if let Some(group) = rest.strip_prefix('{') { top_level(group) } else { vec![rest] };
        named.extend(list.iter().map(|item| {
            item.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        }));
    }
    named.retain(|name: &String| !name.is_empty());
    named
}

/// Returns the items of a group up to its `}`. The text starts after its `{`.
fn top_level(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                items.push(&group[start..at]);
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    items
}

#[test]
fn parts_are_read_from_any_way_of_writing_them() {
    let code = "use crate::{rule::{Phase, x}, games};\nlet a = crate::limits::N; pub(crate) fn f() {}";
    assert_eq!(parts_named(code, "crate::"), ["rule", "games", "limits"]);
}

#[test]
fn the_arrows_have_no_circle() {
    let mut faults = Vec::new();
    for (at, (name, may)) in MAY_USE.iter().enumerate() {
        let below = |used: &str| MAY_USE[..at].iter().any(|(part, _)| *part == used);
        faults.extend(may.iter().filter(|used| !below(used)).map(|used| format!("{name} uses {used}")));
    }
    none("used before its own line in the table of arrows", faults);
}

/// Returns the crate's module that contains a file, or `None` for `main`, the crate's root and the build script.
fn module(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("daemon/")?.strip_suffix(".rs")?;
    let module = inside.split('/').next()?;
    (!matches!(module, "main" | "lib" | "build")).then_some(module)
}

#[test]
fn arrows_go_one_way() {
    let mut faults = Vec::new();
    let mut unused: BTreeSet<_> =
        MAY_USE.iter().flat_map(|(name, may)| may.iter().map(move |used| (*name, *used))).collect();
    for source in sources() {
        let Some(name) = module(&source.path) else { continue };
        let code = source.code();
        let Some((name, may)) = MAY_USE.iter().find(|(other, _)| *other == name) else {
            faults.push(format!("{}: {name} has no row in the table of arrows", source.path));
            continue;
        };
        for used in parts_named(&code, "crate::").iter().filter(|used| used != name) {
            match may.iter().find(|allowed| *allowed == used) {
                Some(allowed) => _ = unused.remove(&(*name, *allowed)),
                None => faults.push(format!("{}: {name} must not use {used}", source.path)),
            }
        }
        if code.contains("super::super") {
            faults.push(format!("{}: write crate::…, not super::super", source.path));
        }
    }
    faults.extend(unused.iter().map(|(name, used)| format!("{name} may use {used}, but does not")));
    none("against the arrows", faults);
}

#[test]
fn the_map_names_every_module() {
    let document = fs::read_to_string(top().join("docs/architecture.md")).unwrap();
    let (_, map) = document.split_once("## Map").unwrap();
    let map = map.split("\n## ").next().unwrap_or_default();
    let is_named = |name: &str| {
        [format!("`daemon/{name}/`"), format!("`daemon/{name}.rs`"), format!("`{name}.rs`")]
            .iter()
            .any(|entry| map.contains(entry))
    };
    let missing = MAY_USE.iter().map(|(name, _)| *name).filter(|name| !is_named(name));
    none("not in the map of docs/architecture.md", missing.map(str::to_owned).collect());
}
