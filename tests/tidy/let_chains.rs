//! Finds let chains, which are newer than `rust-version`.

use super::{none, sources};

/// Returns the conditions of `if` and `while` that contain a `let` beside something else.
fn let_chains(code: &str) -> Vec<&str> {
    let starts = ["if let ", "while let "].into_iter().flat_map(|word| code.match_indices(word));
    let heads = starts.map(|(at, _)| code[at..].split(['{', ';']).next().unwrap_or_default());
    let chained = |head: &&str| {
        let mut depth = 0_i32;
        head.char_indices().any(|(at, sign)| {
            depth += i32::from("([".contains(sign)) - i32::from(")]".contains(sign));
            depth == 0 && head[at..].starts_with("&&")
        })
    };
    let second = code.match_indices("&& let ").map(|(at, _)| &code[at..at + 7]);
    heads.filter(chained).chain(second).collect()
}

#[test]
fn let_chains_are_found() {
    assert_eq!(let_chains("if let Some(a) = b(&&c, x[d && e]) { f && g }"), Vec::<&str>::new());
    assert_eq!(let_chains("if let Some(a) = b\n && a > 1 {").len(), 1);
    assert_eq!(let_chains("if a && let Some(b) = c {").len(), 1);
}

/// Tests the language. Clippy checks only the library of `rust-version`.
#[test]
fn the_oldest_compiler_knows_no_let_chains() {
    let product = sources().into_iter().filter(|s| s.is("daemon/", &["rs"]));
    let faults = product.flat_map(|s| {
        let_chains(&s.code()).into_iter().map(|chain| format!("{}: {chain}", s.path)).collect::<Vec<_>>()
    });
    none("Rust 1.85 knows no let chains: use a match, a filter or a second if", faults.collect());
}
