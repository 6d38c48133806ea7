//! Checks the load generator with real games in several rooms against the real daemon. Every client must see every move
//! once and in order. `cargo bench` measures the times.

#[allow(dead_code, reason = "the tables use the rest")]
#[path = "bench/load_generator.rs"]
mod load_generator;
#[allow(dead_code, reason = "the tables use the rest")]
#[path = "bench/page.rs"]
mod page;
#[allow(dead_code, reason = "the tables use the rest")]
#[path = "bench/served.rs"]
mod served;

use load_generator::{LoadGenerator, Pace};
use served::{Kind, Served};
use std::time::Duration;

const MOVES: u64 = 400;

#[test]
fn every_page_sees_every_move_in_order() {
    let served = Served::start(Kind::Daemon).unwrap();
    let mut load = LoadGenerator::open(&served, 6, [0; 3]).unwrap();
    let report = load.play(Pace::Seen, Duration::from_secs(120), MOVES).unwrap();
    assert_eq!(report.refused, Vec::<String>::new(), "a recorded game is a legal one");
    assert!(report.moves >= MOVES, "{} of {MOVES} moves were shown", report.moves);
    assert_eq!((report.skipped, report.reordered), (0, 0), "views lost, views out of order");
}
