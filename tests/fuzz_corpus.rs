//! Runs the fuzz targets' checks over a small corpus, unchanged and mangled.
//!
//! Each file of `tests/fuzz/corpus` holds inputs found by `cargo fuzz run --fuzz-dir tests/fuzz TARGET`, one escaped
//! case per line.

#[path = "fuzz/checks.rs"]
mod checks;
mod common;
#[path = "fuzz/pipeline.rs"]
mod pipeline;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::fs::read_to_string;

/// Mangled cases per target.
const MANGLED: usize = 3_000;

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let text =
        read_to_string(common::games::path("tests/fuzz/corpus").join(format!("{target}.txt"))).unwrap();
    let cases: Vec<_> = text.lines().map(unescaped).collect();
    assert!(cases.len() > 20, "{target}: only {} cases", cases.len());
    cases
}

/// Reverses [`slice::escape_ascii`].
fn unescaped(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut signs = line.bytes();
    while let Some(sign) = signs.next() {
        bytes.push(match sign {
            b'\\' => match signs.next().unwrap() {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let digits = [signs.next().unwrap(), signs.next().unwrap()];
                    u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
                }
                itself => itself,
            },
            sign => sign,
        });
    }
    bytes
}

fn run(target: &str, check: fn(&[u8])) {
    let corpus = corpus(target);
    corpus.iter().for_each(|case| check(case));
    let mut random = StdRng::seed_from_u64(7);
    for _ in 0..MANGLED {
        let mut case = corpus[random.random_range(0..corpus.len())].clone();
        let other = &corpus[random.random_range(0..corpus.len())];
        mangle(&mut random, &mut case, other);
        check(&case);
    }
}

fn mangle(random: &mut StdRng, case: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..=case.len());
        match random.random_range(0..5) {
            0 if at < case.len() => case[at] = random.random(),
            1 if at < case.len() => drop(case.remove(at)),
            2 if at < case.len() => case[at] ^= 1 << random.random_range(0..8),
            3 => case.truncate(at),
            _ => {
                let from = random.random_range(0..=other.len());
                let to = random.random_range(from..=other.len());
                case.splice(at..at, other[from..to].iter().copied());
            }
        }
    }
}

#[test]
fn escaping_can_be_reversed() {
    let all: Vec<u8> = (0..=255).collect();
    assert_eq!(unescaped(&all.escape_ascii().to_string()), all);
}

#[test]
fn requests_that_pages_send() {
    run("wire", checks::wire);
}

#[test]
fn heads_of_requests() {
    run("head", checks::head);
}

#[test]
fn nicknames() {
    run("names", checks::names);
}

#[test]
fn state_files() {
    run("state", checks::state);
}

#[test]
fn requests_to_the_helper() {
    run("admin", checks::admin);
}

#[test]
fn pipelines_of_requests() {
    run("pipeline", pipeline::pipeline);
}
