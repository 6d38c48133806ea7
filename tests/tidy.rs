//! Checks rules of the architecture and of CONTRIBUTING.md that no compiler checks.

#[path = "tidy/arrows.rs"]
mod arrows;
#[path = "tidy/circles.rs"]
mod circles;
#[path = "tidy/let_chains.rs"]
mod let_chains;

use doozer_box::games::GAMES;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a source file.
const LINES_MAX: usize = 400;

/// Folders that are not ours or not in the repository.
const SKIP: &[&str] = &[".git", "target", "node_modules", "shots"];

/// A text file of the project, with its path relative to the top.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn is(&self, folder: &str, kinds: &[&str]) -> bool {
        self.path.starts_with(folder) && kinds.iter().any(|kind| self.path.ends_with(&format!(".{kind}")))
    }

    /// Returns the code without `//` comments and without unit tests.
    fn code(&self) -> String {
        let tests = self.path.contains("/tests/") || self.path.ends_with("/tests.rs");
        let product =
            if tests { "" } else { self.text.split("#[cfg(test)]\nmod ").next().unwrap_or_default() };
        product
            .lines()
            .map(|line| comment_at(line).map_or(line, |at| &line[..at]))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Returns `PATH:LINE` and the message of every line for which `wrong` returns a message.
    fn faults(&self, text: &str, wrong: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let lines = text.lines().enumerate();
        lines.filter_map(|(i, line)| Some(format!("{}:{}: {}", self.path, i + 1, wrong(line)?))).collect()
    }
}

/// Returns the position of a `//` comment that is not in an address (`http://`) or in quotes.
fn comment_at(line: &str) -> Option<usize> {
    line.match_indices("//")
        .map(|(at, _)| at)
        .find(|&at| !line[..at].ends_with(':') && line[..at].matches('"').count() % 2 == 0)
}

fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every text file of the project, in order.
fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    collect(&top(), &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 20, "this is not the whole project");
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_symlink() || SKIP.contains(&name) {
            continue;
        }
        if path.is_dir() {
            collect(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            let path = path.strip_prefix(top()).unwrap().to_str().unwrap().replace('\\', "/");
            found.push(Source { path, text });
        }
    }
}

fn none(what: &str, faults: Vec<String>) {
    let mut list = String::new();
    for fault in &faults {
        let _ = write!(list, "\n  {fault}");
    }
    assert!(faults.is_empty(), "{what}:{list}");
}

/// Returns whether `text` contains `word` with no letter, digit or underscore beside it.
fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

#[test]
fn no_file_is_long() {
    let long = sources().into_iter().filter(|s| s.is("", &["rs", "js", "mjs", "css", "html"]));
    let long = long.filter(|s| s.text.lines().count() > LINES_MAX);
    none("longer than 400 lines", long.map(|s| s.path).collect());
}

#[test]
fn every_source_says_what_it_is() {
    let mute = sources().into_iter().filter(|s| {
        let first = s.text.lines().find(|line| !line.starts_with("#!")).unwrap_or_default();
        (s.is("daemon/", &["rs"]) || s.is("tests/", &["rs"])) && !first.starts_with("//!")
            || s.is("", &["js", "mjs"]) && !first.starts_with("//") && !first.starts_with("/*")
            || s.is("www/", &["css"]) && !first.starts_with("/*")
    });
    none("does not open with what it is for", mute.map(|s| s.path).collect());
}

#[test]
fn the_core_is_pure() {
    // Addresses are plain values and allowed.
    const WORLD: &[&str] = &[
        "Instant",
        "SystemTime",
        "std::fs",
        "std::io",
        "std::env",
        "std::thread",
        "std::process",
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        "ToSocketAddrs",
        "async",
        "await",
        "smol",
        "println",
        "eprintln",
        "serde_json",
        "ThreadRng",
        "rng()",
    ];
    let mut faults = Vec::new();
    for source in sources() {
        if ["daemon/games/", "daemon/bot/", "daemon/rule/", "daemon/room/"]
            .iter()
            .any(|folder| source.is(folder, &["rs"]))
        {
            faults.extend(source.faults(&source.code(), |line| {
                WORLD
                    .iter()
                    .find(|word| has_word(line, word) || word.ends_with(')') && line.contains(*word))
                    .map(|word| format!("{word} is of the world outside"))
            }));
        }
    }
    none("time, randomness and I/O are for the edges", faults);
}

#[test]
fn json_is_for_the_wire() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|s| s.is("daemon/", &["rs"])) {
        if !source.path.starts_with("daemon/wire")
            && !["daemon/store.rs", "daemon/metrics.rs"].contains(&source.path.as_str())
        {
            faults
                .extend(source.faults(&source.code(), |line| {
                    has_word(line, "serde_json").then(|| "knows JSON".into())
                }));
        }
    }
    none("only the wire, the state files and the metrics know JSON", faults);
}

#[test]
fn only_its_own_files_know_a_game() {
    let mut faults = Vec::new();
    for source in sources() {
        let product = source.is("daemon/", &["rs"]) || source.is("www/", &["js", "css", "html"]);
        let own = ["daemon/games/", "www/js/games/"].iter().any(|home| source.path.starts_with(home));
        if !product || own {
            continue;
        }
        faults.extend(source.faults(&source.code(), |line| {
            GAMES.iter().find_map(|game| {
                // A slug may also be an English word, so it counts only where it must mean the game.
                let quoted = ["\"", "'", "`"].iter().any(|q| line.contains(&format!("{q}{}{q}", game.slug)));
                let part = [".", "#", "/"].iter().any(|sign| has_word(line, &format!("{sign}{}", game.slug)));
                (quoted || part || line.contains(game.name)).then(|| format!("names {}", game.name))
            })
        }));
    }
    none("a game is known outside its own files", faults);
}

#[test]
fn no_unsafe_code() {
    for root in ["daemon/lib.rs", "daemon/main.rs"] {
        let text = fs::read_to_string(top().join(root)).unwrap();
        let lints = fs::read_to_string(top().join("Cargo.toml")).unwrap();
        let forbidden =
            text.contains("#![forbid(unsafe_code)]") || lints.contains("unsafe_code = \"forbid\"");
        assert!(forbidden, "{root} does not forbid unsafe code");
    }
}

#[test]
fn text_never_becomes_markup() {
    const WAYS: &[&str] = &[
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "setHTMLUnsafe",
        "createContextualFragment",
        "eval(",
        "new Function",
    ];
    let mut faults = Vec::new();
    for source in sources().iter().filter(|s| s.is("www/", &["js", "html"])) {
        faults.extend(source.faults(&source.text, |line| {
            WAYS.iter()
                .find(|way| line.contains(*way))
                .map(|way| format!("{way} makes markup or code of text"))
        }));
    }
    none("names are text", faults);
}

#[test]
fn pages_load_nothing_from_elsewhere() {
    const OWN: [&str; 4] = ["http://www.w3.org/", "\"http://\"", "http://${", "ws://${"];
    let mut faults = Vec::new();
    for source in sources().iter().filter(|s| s.is("www/", &["js", "html", "css", "svg", "webmanifest"])) {
        faults.extend(source.faults(&source.code(), |line| {
            let line = OWN.iter().fold(line.to_owned(), |line, own| line.replace(own, ""));
            ["http://", "https://", "ws://", "wss://", "\"//", "'//", "(//"]
                .iter()
                .find(|way| line.contains(*way))
                .map(|way| format!("{way} leads to another host"))
        }));
    }
    none("a box needs no Internet", faults);
}

#[test]
fn pages_hold_no_script_and_no_style() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|s| s.is("www/", &["html"])) {
        faults.extend(source.faults(&source.text, |line| {
            let handler =
                line.split([' ', '\t', '"']).any(|word| word.starts_with("on") && word.contains('='));
            let script = line.contains("<script") && !line.contains("src=");
            let style = line.contains("<style") || line.contains("style=");
            let fixed = line.contains("user-scalable") || line.contains("maximum-scale");
            let fault = handler || script || style;
            fault
                .then(|| "the policy forbids inline code and style".into())
                .or(fixed.then(|| "some people need to zoom".into()))
        }));
    }
    none("inline in a page", faults);
}

#[test]
fn no_name_that_belongs_to_others() {
    // Joined here, so that this file passes its own check.
    let taken = [
        ["oth", "ello"].concat(),
        ["connect", " four"].concat(),
        ["connect", "4"].concat(),
        ["connect", "-four"].concat(),
    ];
    let mut faults = Vec::new();
    for source in sources() {
        faults.extend(source.faults(&source.text, |line| {
            let line = line.to_lowercase();
            taken.iter().find(|word| line.contains(*word)).cloned()
        }));
    }
    none("a trademark", faults);
}

#[test]
fn no_product_file_names_the_tools_that_made_it() {
    let marks = [
        ["/wo", "rk/"].concat(),
        ["../sha", "red"].concat(),
        ["registry.np", "mjs"].concat(),
        ["static.crates", ".io"].concat(),
        ["\"reso", "lved\""].concat(),
    ];
    let mut faults = Vec::new();
    for source in sources() {
        faults.extend(
            source.faults(&source.text, |line| marks.iter().find(|mark| line.contains(*mark)).cloned()),
        );
    }
    none("mentions where it was made", faults);
}
