//! Checks the documents: the promised length, and that each link leads somewhere.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders without our own documents.
const SKIP: &[&str] = &["target", "node_modules", ".git", "shots"];

fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns every Markdown file of the project.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let ours = entries.filter(|path| !SKIP.contains(&path.file_name().unwrap().to_str().unwrap()));
    ours.flat_map(|path| match path.extension() {
        _ if path.is_dir() && !path.is_symlink() => documents(&path),
        Some(kind) if kind == "md" => vec![path],
        _ => vec![],
    })
    .collect()
}

/// Returns the lines of a document without its blocks of code.
fn prose(document: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    document.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// Returns the anchors of a document's headings as code hosts form them: lower case, dashes for blanks, no punctuation.
fn anchors(document: &str) -> HashSet<String> {
    let headings = prose(document).filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let signs = heading.trim_start_matches('#').trim().chars().filter_map(|sign| match sign {
            ' ' => Some('-'),
            '-' | '_' => Some(sign),
            _ => sign.is_alphanumeric().then_some(sign),
        });
        signs.flat_map(char::to_lowercase).collect()
    };
    headings.map(anchor).collect()
}

/// Returns the targets of a document's links and pictures: `X` of `[…](X)`.
fn links(document: &str) -> Vec<&str> {
    let targets = |line| {
        let rest = str::split(line, "](").skip(1);
        rest.filter_map(|rest: &str| rest.split([')', ' ']).next()).collect::<Vec<_>>()
    };
    prose(document).flat_map(targets).collect()
}

/// Returns why a link of the document at `from` leads nowhere.
fn broken(from: &Path, link: &str) -> Option<String> {
    if link.starts_with("https://") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let to = if file.is_empty() { from.to_owned() } else { from.parent()?.join(file) };
    if !to.exists() {
        return Some(format!("{}: there is no {link}", from.display()));
    }
    let known = anchor.is_empty() || anchors(&text(&to)).contains(anchor);
    (!known).then(|| format!("{}: no heading for {link}", from.display()))
}

#[test]
fn links_lead_somewhere() {
    let documents = documents(&top());
    let found: Vec<_> = documents
        .iter()
        .flat_map(|path| {
            links(&text(path)).into_iter().map(|link| (path.clone(), link.to_owned())).collect::<Vec<_>>()
        })
        .collect();
    assert!(documents.len() > 8 && found.len() > 20, "these are not all documents");
    let faults: Vec<_> = found.iter().filter_map(|(from, link)| broken(from, link)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn broken_links_are_seen() {
    let readme = top().join("README.md");
    assert_eq!(links("[a](b.md#c) ![d](e.png)\n```\n[x](y)\n```"), ["b.md#c", "e.png"]);
    assert!(broken(&readme, "docs/nothing.md").is_some());
    assert!(broken(&readme, "deploy/README.md#nothing").is_some());
    assert!(broken(&readme, "deploy/README.md#the-boxs-own-wi-fi").is_none());
}

#[test]
fn the_readme_is_short_and_says_how_to_run_and_test() {
    let readme = text(&top().join("README.md"));
    assert!(readme.lines().count() <= 100, "README.md is longer than 100 lines: docs/ is for the rest");
    for command in ["cargo run --release", "tests/run"] {
        assert!(readme.contains(command), "README.md does not mention {command}");
    }
}
