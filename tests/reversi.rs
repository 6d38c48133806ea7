//! Compares Reversi with recorded games and positions, and tests faults that other implementations had.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::games::{Match, auto_wins, cells, numbers, ours, side, vectors};
use doozer_box::games::reversi::Reversi;
use doozer_box::games::{Entry, Game, Move, Next, Note, find, other};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::{Value, json};

fn reversi() -> &'static Entry {
    find("reversi").unwrap()
}

/// Returns the 32-bit FNV-1a hash of the board, a blank and the side on turn after a possible pass.
fn hash(game: &Match) -> String {
    let mark = game.turn.map_or('-', |side| ['O', 'X'][usize::from(side)]);
    let board = cells(&*game.game).replace('1', "X").replace('0', "O");
    let text = format!("{board} {mark}");
    let sum =
        text.bytes().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{sum:08x}")
}

#[test]
fn recorded_games() {
    for wanted in vectors("reversi_games.jsonl").into_iter().chain(vectors("reversi_games_random.jsonl")) {
        let mut game = Match::new(reversi());
        let mut hashes = vec![hash(&game)];
        for v in numbers(&wanted["moves"]) {
            game.play(v);
            hashes.push(hash(&game));
        }
        assert_eq!(Value::from(hashes), wanted["hashes"], "{wanted}");
        let passed: Vec<Value> =
            game.passes().iter().map(|&(at, side)| json!([at, if side == 0 { "O" } else { "X" }])).collect();
        assert_eq!(Value::from(passed), wanted["passes"], "{wanted}");
        let board = cells(&*game.game);
        let count = |mark: char| board.matches(mark).count();
        assert_eq!(
            json!([count('1'), count('0'), count('.')]),
            json!([wanted["x"], wanted["o"], wanted["empty"]]),
            "{wanted}"
        );
        assert_eq!(
            (board.as_str(), game.turn),
            (ours(&wanted["final"]).as_str(), side(&wanted["to_move"])),
            "{wanted}"
        );
        assert_eq!(game.outcome().is_some(), wanted["over"] == true, "{wanted}");
        if let Some(end) = game.outcome() {
            let score = [count('0') as u16, count('1') as u16];
            assert_eq!(
                (end.winner, end.score, end.line.len()),
                (side(&wanted["winner"]), Some(score), 0),
                "{wanted}"
            );
        }
    }
}

#[test]
fn recorded_positions() {
    for wanted in vectors("reversi_positions.jsonl") {
        let text = ours(&wanted["board"]);
        let board = Reversi::from_cells(&text).unwrap();
        let mine = side(&wanted["side"]).unwrap();
        let legal = board.moves(mine);
        assert_eq!(legal, numbers(&wanted["legal"]), "{wanted}");
        assert_eq!(legal.len(), wanted["flips"].as_object().unwrap().len(), "{wanted}");
        for &v in &legal {
            let mut then = board.clone();
            then.apply(v, mine);
            let then = cells(&then);
            let changed =
                (0..64).filter(|&at| text.as_bytes()[at] != then.as_bytes()[at]).map(|at| at as Move);
            let (turned, placed): (Vec<Move>, Vec<Move>) = changed.partition(|&at| at != v);
            assert_eq!(
                (&turned, placed),
                (&numbers(&wanted["flips"][v.to_string()]), vec![v]),
                "{v}: {wanted}"
            );
        }
        let theirs = board.moves(other(mine));
        assert_eq!(legal.is_empty() && !theirs.is_empty(), wanted["must_pass"] == true, "{wanted}");
        assert_eq!(legal.is_empty() && theirs.is_empty(), wanted["over"] == true, "{wanted}");
    }
}

/// Returns the squares with these names, letter and number. `a1` is at the top left.
fn squares(moves: &str) -> Vec<Move> {
    moves.split(' ').map(|at| (at.as_bytes()[1] - b'1') * 8 + at.as_bytes()[0] - b'a').collect()
}

#[test]
fn a_side_without_a_move_passes_and_the_game_goes_on() {
    let mut game = Match::new(reversi());
    game.play_all(&squares("e6 f6 c4 c5 c6 d6 g7 f4 g4 g6 e7 h8 h6 g5 g8 f8"));
    assert_eq!(game.steps.last().unwrap().next, Next::Side(0, Note::Pass));
    assert!((0..=u8::MAX).all(|v| !game.game.legal(v, 1)));
    let mut theirs = squares("b4 c3 g3");
    theirs.sort_unstable();
    assert_eq!(game.game.moves(0), theirs);
    let board = cells(&*game.game);
    assert_eq!((board.matches('1').count(), board.matches('0').count()), (17, 3));
}

#[test]
fn ends_before_the_board_is_full() {
    let mut wiped = Match::new(reversi());
    let end = wiped.play_all(&squares("e6 f4 e3 f6 g5 d6 e7 f5 c5")).outcome().unwrap();
    assert_eq!((end.winner, end.score), (Some(1), Some([0, 13])));

    let mut early = Match::new(reversi());
    early.play_all(&squares(
        "f5 f6 e6 d6 c6 g4 e7 d8 d3 c5 g7 b6 c4 d2 a6 d7 c7 g5 f7 b4 h5 a7 c3 e3 d1 g6 h7 c8 a5 f8 a8 f3 b8 c1 b5 \
         a4 b7 g8 e8 c2 b3 b1 a3 h6 h8 h4 h3 g3 e2 f2 f4 e1 g1 g2 h2 b2",
    ));
    assert_eq!(early.passes().last(), Some(&(55, 0)));
    let end = early.outcome().unwrap();
    assert_eq!((end.winner, end.score), (Some(1), Some([5, 55])));
}

#[test]
fn equal_counts_are_a_draw() {
    let mut game = Match::new(reversi());
    game.play_all(&squares(
        "d3 c5 f6 f5 f4 c3 c4 d2 e2 b4 d1 f3 b5 e3 f2 f1 a4 d6 e6 e7 f7 b6 e8 c6 b3 a5 d7 a3 e1 a6 g1 a2 c2 c7 b8 d8 c8 \
         g8 g6 h6 g5 h5 g4 h4 h3 g7 h8 f8 h7 a8 a7 b7 a1 b2 g3 g2 h2 h1 c1 b1",
    ));
    let end = game.outcome().unwrap();
    assert_eq!((end.winner, end.score), (None, Some([32, 32])));
    assert_eq!(game.passes(), [(58, 1)]);
}

#[test]
fn boards_from_text() {
    for text in ["", &".".repeat(63), &".".repeat(65), &"x".repeat(64), &"é".repeat(32)] {
        assert_eq!(Reversi::from_cells(text), None, "{text}");
    }
    let opening = Reversi::default();
    assert_eq!(Reversi::from_cells(&cells(&opening)), Some(opening));
}

#[test]
fn auto_move_beats_chance() {
    let won = auto_wins(reversi(), 2_000, &mut SmallRng::seed_from_u64(4));
    assert!(won >= 1_560, "{won} of 2,000");
}
