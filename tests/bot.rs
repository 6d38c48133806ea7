//! Tests the House's player: its moves are legal in every game, the same seed gives the same game, and it sees every
//! win and block in one move.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::games::{Match, numbers, ours, side, vectors};
use doozer_box::bot::{Search, Strength, choose};
use doozer_box::games::four::Four;
use doozer_box::games::{GAMES, Game};

/// Plays a whole game of the player against itself, and returns the moves.
fn game(entry: &'static doozer_box::games::Entry, playouts: u32, seed: u64) -> Vec<u8> {
    let mut game = Match::new(entry);
    while let Some(side) = game.turn {
        game.play(choose(&*game.game, side, playouts, seed + game.steps.len() as u64));
    }
    game.steps.iter().map(|step| step.v).collect()
}

#[test]
fn whole_games_of_every_kind_are_legal_and_repeat_from_their_seed() {
    for entry in GAMES {
        for playouts in [0, 1, 6, 60] {
            let played = game(entry, playouts, 7);
            assert_eq!(played, game(entry, playouts, 7), "{}", entry.slug);
        }
        assert_ne!(game(entry, 60, 7), game(entry, 60, 8), "{}: the seed changes nothing", entry.slug);
    }
}

#[test]
fn a_search_leaves_the_board_as_it_was() {
    for entry in GAMES {
        let board = (entry.new_state)();
        let before = board.board();
        choose(&*board, 1, 100, 1);
        assert_eq!(board.board(), before, "{}", entry.slug);
    }
}

#[test]
fn a_search_in_parts_is_the_same_search() {
    for entry in GAMES {
        let mut search = Search::new((entry.new_state)(), 1, 3);
        (0..10).for_each(|_| _ = search.run(20));
        assert_eq!(search.best(), choose(&*(entry.new_state)(), 1, 200, 3), "{}", entry.slug);
    }
}

#[test]
fn the_strongest_never_misses_a_win_or_a_block_in_one() {
    let mut looked_at = 0;
    for position in vectors("four_positions.jsonl") {
        let (wins, blocks) = (numbers(&position["win"]), numbers(&position["block"]));
        if position["over"] == true || (wins.is_empty() && blocks.is_empty()) {
            continue;
        }
        let board = Four::from_cells(&ours(&position["board"])).unwrap();
        let v = choose(&board, side(&position["to_move"]).unwrap(), Strength::Strong.playouts(), 1);
        let wanted = if wins.is_empty() { &blocks } else { &wins };
        assert!(wanted.contains(&v), "{v} instead of one of {wanted:?}: {position}");
        looked_at += 1;
    }
    assert!(looked_at > 50, "only {looked_at} positions have a win or a block");
}

#[test]
fn a_proven_win_ends_the_search() {
    let board = Four::from_cells("......................................111.").unwrap();
    assert!(board.legal(6, 1));
    let mut search = Search::new(Box::new(board), 1, 1);
    assert!(search.run(100));
    assert_eq!(search.best(), 6);
}
