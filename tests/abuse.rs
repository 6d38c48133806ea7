//! Attacks on the real binary. During each attack a TV and two phones play on: every tap of theirs must arrive, and the
//! daemon's memory must stay small and shrink again.
//!
//! `ABUSE=full cargo test --release --test abuse -- --test-threads=1 --nocapture` attacks for longer and prints
//! the time of a tap without and with each attack.

#[path = "abuse/attack.rs"]
mod attack;
#[path = "abuse/bytes.rs"]
mod bytes;
mod common;
#[path = "abuse/fairness.rs"]
mod fairness;
#[path = "abuse/files.rs"]
mod files;
#[path = "abuse/heads.rs"]
mod heads;
#[path = "abuse/pages.rs"]
mod pages;

#[test]
fn no_attack_at_all() {
    attack::under_attack("no attack", &[], |attack| attack.reached());
}
