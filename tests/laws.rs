//! Tests the laws that hold for every game. The tests play all games of the list, so a new game needs no change here.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::games::{MOVES_MAX, Match, path};
use doozer_box::games::{Entry, Field, GAMES, Next, Note, other};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::fs;

/// Random games per game of the list.
const GAMES_PLAYED: u64 = 10_000;
/// The number of those in which each position is checked with all moves 0..=255.
const GAMES_CHECKED_FULLY: u64 = 300;
/// The pages' list of games.
const LIST: &str = "www/js/games/index.js";

/// The advice for a game that has no record yet.
const RECORD_HELP: &str = "Best are games by a second program that shares nothing with daemon/games. \
    This one is by auto_move and repeats whatever the rules do wrong, so it proves nothing by itself: \
    replay it by hand, and check each move against the board before it, each extra turn and pass, \
    the move that ends it, the last board and the winner.";

/// Checks the laws for a position in which a side is on turn. With `all_moves` it checks all of 0..=255.
fn check_position(entry: &Entry, at: &Match, all_moves: bool) {
    let side = at.turn.unwrap();
    let moves = at.game.moves(side);
    assert!(!moves.is_empty(), "{}: on turn without a move: {at:?}", entry.slug);
    assert!(moves.is_sorted_by(|a, b| a < b), "{}: {moves:?}", entry.slug);
    let auto = at.game.auto_move(side);
    assert!(moves.contains(&auto), "{}: auto_move {auto} is not legal: {at:?}", entry.slug);
    if all_moves {
        let legal = |v: &u8| at.game.legal(*v, side);
        assert_eq!((0..=u8::MAX).filter(legal).collect::<Vec<_>>(), moves, "{}: {at:?}", entry.slug);
        assert_eq!(at.game.auto_move(side), auto, "{}: {at:?}", entry.slug);
    }
}

/// Checks the laws for the result of the last move.
fn check_step(entry: &Entry, at: &Match) {
    let slug = entry.slug;
    match &at.steps.last().unwrap().next {
        Next::Other => {}
        Next::Side(again, Note::Pass) => {
            assert!(at.game.moves(other(*again)).is_empty(), "{slug}: passed with a move to play: {at:?}");
        }
        Next::Side(again, Note::Again) => assert!(*again < 2, "{slug}"),
        Next::Over(end) => {
            assert!(end.winner.is_none_or(|side| side < 2), "{slug}: {end:?}");
            assert!(end.line.is_sorted_by(|a, b| a < b), "{slug}: {end:?}");
            assert!(at.game.moves(0).is_empty() && at.game.moves(1).is_empty(), "{slug}: played on: {at:?}");
        }
    }
}

#[test]
fn random_games_keep_the_laws_and_end() {
    for entry in GAMES {
        for seed in 0..GAMES_PLAYED {
            let mut rng = SmallRng::seed_from_u64(seed);
            let mut game = Match::new(entry);
            while game.turn.is_some() {
                check_position(entry, &game, seed < GAMES_CHECKED_FULLY);
                game.play_any(&mut rng);
                check_step(entry, &game);
                assert!(game.steps.len() <= MOVES_MAX, "{}: no end in sight", entry.slug);
            }
        }
    }
}

#[test]
fn the_same_moves_make_the_same_game() {
    for entry in GAMES {
        for seed in 0..200 {
            let mut rng = SmallRng::seed_from_u64(seed);
            let (mut game, opening) = (Match::new(entry), Match::new(entry));
            while game.turn.is_some() {
                game.play_any(&mut rng);
            }
            let moves: Vec<u8> = game.steps.iter().map(|step| step.v).collect();
            assert_eq!(Match::new(entry).play_all(&moves).steps, game.steps, "{}", entry.slug);
            assert_eq!(
                opening.game.board(),
                Match::new(entry).game.board(),
                "{}: games share a board",
                entry.slug
            );
        }
    }
}

#[test]
fn auto_move_plays_itself_to_the_end() {
    for entry in GAMES {
        assert!(auto_game(entry).outcome().is_some(), "{}", entry.slug);
    }
}

fn auto_game(entry: &Entry) -> Match {
    let mut game = Match::new(entry);
    while let Some(side) = game.turn {
        game.play(game.game.auto_move(side));
        assert!(game.steps.len() <= MOVES_MAX, "{}: no end in sight", entry.slug);
    }
    game
}

#[test]
fn boards_are_named_fields() {
    for entry in GAMES {
        let fields = Match::new(entry).game.board().0;
        let mut names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        assert!(!names.is_empty() && names.is_sorted_by(|a, b| a < b), "{}: {names:?}", entry.slug);
        for (name, field) in fields {
            assert!(
                !matches!(&field, Field::Text(text) if text.is_empty()),
                "{}: {name} is empty",
                entry.slug
            );
        }
    }
}

#[test]
fn every_game_has_whole_games_on_record() {
    for entry in GAMES {
        let file = format!("{}_games.jsonl", entry.slug);
        assert!(
            path("tests/vectors").join(&file).exists(),
            "{}: tests/vectors/{file} is missing. {}\n{}",
            entry.slug,
            RECORD_HELP,
            record(&auto_game(entry))
        );
        let games = common::games::vectors(&file);
        assert!(games.iter().any(|game| !game["winner"].is_null()), "{file}: no whole game");
        for wanted in games {
            let mut game = Match::new(entry);
            game.play_all(&common::games::numbers(&wanted["moves"]));
            assert_eq!(common::games::recorded(&*game.game), wanted["final"], "{file}: {wanted}");
            match game.outcome() {
                Some(end) => {
                    assert_eq!(end.winner, common::games::side(&wanted["winner"]), "{file}: {wanted}")
                }
                None => assert!(wanted["winner"].is_null(), "{file}: {wanted}"),
            }
        }
    }
}

/// Returns a game in the form of the records in `tests/vectors/`.
fn record(game: &Match) -> serde_json::Value {
    let moves: Vec<u8> = game.steps.iter().map(|step| step.v).collect();
    let winner = game.outcome().and_then(|end| end.winner).map_or("=", |side| ["O", "X"][usize::from(side)]);
    serde_json::json!({ "moves": moves, "winner": winner, "final": common::games::recorded(&*game.game) })
}

#[test]
fn every_game_has_its_files() {
    let lacks = GAMES.iter().flat_map(|Entry { slug, name, .. }| {
        let wanted = [
            ("its rules", format!("daemon/games/{slug}.rs"), "impl Game for ".to_owned()),
            ("tests of its rules", format!("tests/{slug}.rs"), "#[test]".to_owned()),
            ("a whole game on record", format!("tests/vectors/{slug}_games.jsonl"), "\"moves\"".to_owned()),
            (
                "the row of its record",
                "tests/vectors/README.md".to_owned(),
                format!("\n| `{slug}_games.jsonl` | "),
            ),
            ("its page module", format!("www/js/games/{slug}.js"), format!("export const {slug} = {{")),
            ("its slug", format!("www/js/games/{slug}.js"), format!("slug: \"{slug}\"")),
            ("its name", format!("www/js/games/lang/{slug}.js"), format!("name: \"{name}\"")),
            (
                "its line in the list",
                LIST.to_owned(),
                format!("\n    {slug}: () => import(\"./{slug}.js\"),\n"),
            ),
        ];
        let lacks = wanted
            .into_iter()
            .filter(|(_, file, text)| !fs::read_to_string(path(file)).unwrap_or_default().contains(text));
        lacks.map(move |(what, file, text)| format!("\n{slug} lacks {what}: {file} with `{}`", text.trim()))
    });
    let lacks: String = lacks.collect();
    assert!(lacks.is_empty(), "{lacks}");
}

#[test]
fn every_game_with_a_file_is_in_the_list() {
    for (folder, sign) in [("daemon/games", "impl Game for "), ("www/js/games", "slug: \"")] {
        for file in fs::read_dir(path(folder)).unwrap() {
            let file = file.unwrap().path();
            if file.is_dir() {
                continue;
            }
            let stem = file.file_stem().unwrap().to_str().unwrap();
            let is_game = fs::read_to_string(&file).unwrap().contains(sign);
            assert!(
                !is_game || doozer_box::games::find(stem).is_some(),
                "{stem} is not in GAMES, daemon/games/mod.rs"
            );
        }
    }
}

#[test]
fn names_and_addresses_of_games_are_sound() {
    for (i, entry) in GAMES.iter().enumerate() {
        assert!(
            !entry.slug.is_empty() && entry.slug.bytes().all(|b| b.is_ascii_lowercase()),
            "{}",
            entry.slug
        );
        assert!(!entry.name.trim().is_empty(), "{}", entry.slug);
        assert!(GAMES[..i].iter().all(|other| other.slug != entry.slug), "{} twice", entry.slug);
        assert!(std::ptr::eq(doozer_box::games::find(entry.slug).unwrap(), entry));
    }
    assert!(doozer_box::games::find("nothing").is_none());
}
