//! The daemon: options, journal, doors open, signals, exit code.
#![forbid(unsafe_code)]

fn main() {}
