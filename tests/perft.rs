//! Counts the lines of play of each length ("perft"). Any wrong rule changes the counts.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::games::perft;
use doozer_box::games::four::Four;
use doozer_box::games::reversi::Reversi;
use doozer_box::games::{Board, Game, Next, Side, other};
use serde_json::Value;
use std::collections::HashSet;

/// Largest number of lines to count, so that a test takes seconds.
const LINES_MAX: u64 = 6_000_000;

/// Checks the counts of depth 1, 2, 3 and so on, up to the first count above `lines_max`.
fn check<G: Game + Clone>(what: &str, game: &G, side: Side, counts: &Value, lines_max: u64) {
    let counts = counts.as_array().unwrap().iter().map(|count| count.as_u64().unwrap());
    for (depth, count) in (1..).zip(counts.take_while(|&count| count <= lines_max)) {
        assert_eq!(perft(game, side, depth), count, "{what}, depth {depth}");
    }
}

#[test]
fn four_lines_of_play() {
    let counts = &common::games::vectors("four_counts.json")[0];
    check("the opening", &Four::default(), 1, &counts["perft"], LINES_MAX);
}

#[test]
fn four_different_positions() {
    let counts = &common::games::vectors("four_counts.json")[0];
    let mut going = vec![Four::default()];
    for (stones, side) in (1..=8).zip([1, 0].into_iter().cycle()) {
        let (mut seen, mut over, mut next) = (HashSet::new(), 0, Vec::new());
        for (game, v) in going.iter().flat_map(|game| game.moves(side).into_iter().map(move |v| (game, v))) {
            let mut game = game.clone();
            let end = game.apply(v, side) != Next::Other;
            let Board(fields) = game.board();
            if seen.insert(format!("{fields:?}")) {
                over += u64::from(end);
                next.extend((!end).then_some(game));
            }
        }
        assert_eq!(counts["positions_by_ply"][stones], seen.len(), "{stones} stones");
        assert_eq!(counts["terminal_by_ply"][stones], over, "{stones} stones");
        going = next;
    }
}

#[test]
fn reversi_lines_of_play() {
    let counts = &common::games::vectors("reversi_perft.json")[0];
    check("the opening", &Reversi::default(), 1, &counts["start"]["perft"]["C"], LINES_MAX);
}

#[test]
fn reversi_lines_of_play_from_unusual_positions() {
    let counts = &common::games::vectors("reversi_perft.json")[0];
    for position in counts["positions"].as_array().unwrap() {
        let board = Reversi::from_cells(&common::games::ours(&position["board"])).unwrap();
        let side = common::games::side(&position["side"]).unwrap();
        // Some positions begin with a pass.
        let side = if board.moves(side).is_empty() { other(side) } else { side };
        check(position["name"].as_str().unwrap(), &board, side, &position["C"], LINES_MAX / 4);
    }
}

/// Takes minutes: `cargo test --release --test perft -- --ignored`.
#[test]
#[ignore = "long"]
fn deeper() {
    let four = &common::games::vectors("four_counts.json")[0];
    check("Four in a Row", &Four::default(), 1, &four["perft"], 50_000_000);
    let reversi = &common::games::vectors("reversi_perft.json")[0];
    check("Reversi", &Reversi::default(), 1, &reversi["start"]["perft"]["C"], 250_000_000);
}
