//! Abuse of the real binary. In each case a TV and two phones play on beside it: every tap of theirs arrives, and the
//! daemon stays small and shrinks again. `ABUSE=full cargo test --release --test abuse -- --test-threads=1 --nocapture`
//! attacks for longer and prints how long a tap takes, without and with each attack.

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
