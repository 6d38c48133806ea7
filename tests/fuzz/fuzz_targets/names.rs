//! Fuzzes nicknames.
#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code, reason = "each target is one of them")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::names(bytes));
