//! Checks that no files import each other in a circle: files of one folder in Rust, all modules of the pages.

use super::arrows::parts_named;
use super::{Source, none, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The files that each file imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Returns the neighbours in its folder that a Rust file names. `mod.rs` is left out, because it declares them all.
fn neighbours(source: &Source, files: &BTreeSet<String>) -> BTreeSet<String> {
    let (folder, file) = source.path.rsplit_once('/').unwrap_or_default();
    let module = folder.trim_start_matches("daemon").trim_start_matches('/').replace('/', "::");
    if file == "mod.rs" || module.is_empty() {
        return BTreeSet::new();
    }
    let code = source.code();
    let named = [parts_named(&code, "super::"), parts_named(&code, &format!("crate::{module}::"))].concat();
    named.iter().map(|name| format!("{folder}/{name}.rs")).filter(|path| files.contains(path)).collect()
}

/// Returns the modules that a page's module imports at once. One that is loaded later may import what loads it.
fn imported(source: &Source) -> BTreeSet<String> {
    let folder = Path::new(&source.path).parent().unwrap();
    let code = source.code();
    let named = code.match_indices(" from \"./").chain(code.match_indices(" from \"../"));
    named.map(|(at, _)| resolved(folder, code[at..].split('"').nth(1).unwrap_or_default())).collect()
}

fn resolved(folder: &Path, relative: &str) -> String {
    let mut path = PathBuf::new();
    for part in folder.join(relative).components() {
        match part {
            Component::ParentDir => _ = path.pop(),
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path.to_str().unwrap().to_owned()
}

/// Returns the files of each circle, found by removing what imports nothing, or nothing that is left, until all that is
/// left imports something.
fn circles(mut imports: Imports) -> Vec<String> {
    loop {
        let before = imports.len();
        let left: BTreeSet<String> = imports.keys().cloned().collect();
        imports.retain(|_, used| !used.is_disjoint(&left));
        if imports.len() == before {
            return imports.into_iter().map(|(file, used)| format!("{file} -> {used:?}")).collect();
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let sources = sources();
    let files: BTreeSet<String> = sources.iter().map(|source| source.path.clone()).collect();
    let rust = sources.iter().filter(|s| s.is("daemon/", &["rs"]) && !s.path.ends_with("/tests.rs"));
    let rust: Imports = rust.map(|source| (source.path.clone(), neighbours(source, &files))).collect();
    let pages = sources.iter().filter(|source| source.is("www/js/", &["js"]));
    let pages: Imports = pages.map(|source| (source.path.clone(), imported(source))).collect();
    let arrows = |imports: &Imports| imports.values().map(BTreeSet::len).sum::<usize>();
    assert!(arrows(&rust) > 20 && arrows(&pages) > 40, "{} {}", arrows(&rust), arrows(&pages));
    none("in a circle, or importing one", [circles(rust), circles(pages)].concat());
}

#[test]
fn a_circle_of_three_is_found() {
    let of = |file: &str, used: &[&str]| (file.to_owned(), used.iter().map(|u| u.to_string()).collect());
    let tree = Imports::from([of("a", &["b", "c"]), of("b", &["c"]), of("c", &[])]);
    assert!(circles(tree.clone()).is_empty());
    let mut circle = tree;
    circle.extend([of("c", &["a"])]);
    assert_eq!(circles(circle).len(), 3);
}
