//! Compares Mancala with recorded games, and with a second, separate implementation of its rules.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::games::{MOVES_MAX, Match, auto_wins, numbers, perft, recorded, side, vectors};
use doozer_box::games::mancala::Mancala;
use doozer_box::games::{Entry, Field, Game, Move, Next, Note, Outcome, Side, find, other};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::{Value, json};

fn mancala() -> &'static Entry {
    find("mancala").unwrap()
}

/// The second implementation: a ring of fourteen places, with each side's store after its pits.
#[derive(Clone)]
struct Ring([u16; 14]);

impl Ring {
    const STORES: [usize; 2] = [6, 13];

    fn new() -> Self {
        Ring([4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0])
    }

    /// Returns the places of a side's pits.
    fn pits(side: Side) -> std::ops::Range<usize> {
        if side == 0 { 0..6 } else { 7..13 }
    }

    fn left(&self, side: Side) -> u16 {
        self.0[Ring::pits(side)].iter().sum()
    }

    fn moves(&self, side: Side) -> Vec<Move> {
        (0..6).filter(|&v| self.0[Ring::pits(side).start + usize::from(v)] > 0).collect()
    }

    fn apply(&mut self, v: Move, side: Side) -> Next {
        let mut at = Ring::pits(side).start + usize::from(v);
        let mine = Ring::STORES[usize::from(side)];
        let theirs = Ring::STORES[usize::from(other(side))];
        let mut seeds = self.0[at];
        self.0[at] = 0;
        while seeds > 0 {
            at = (at + 1) % 14;
            if at != theirs {
                self.0[at] += 1;
                seeds -= 1;
            }
        }
        // The numbers of opposite pits add up to twelve.
        if Ring::pits(side).contains(&at) && self.0[at] == 1 && self.0[12 - at] > 0 {
            self.0[mine] += 1 + self.0[12 - at];
            self.0[at] = 0;
            self.0[12 - at] = 0;
        }
        if self.left(0) > 0 && self.left(1) > 0 {
            return if at == mine { Next::Side(side, Note::Again) } else { Next::Other };
        }
        for side in [0, 1] {
            self.0[Ring::STORES[usize::from(side)]] += self.left(side);
            self.0[Ring::pits(side)].fill(0);
        }
        let score = Ring::STORES.map(|store| self.0[store]);
        let winner = (score[0] != score[1]).then_some(Side::from(score[1] > score[0]));
        Next::Over(Outcome { winner, line: Vec::new(), score: Some(score) })
    }

    /// Returns the board in its form on the wire.
    fn fields(&self) -> Value {
        let pits = [&self.0[Ring::pits(0)], &self.0[Ring::pits(1)]].concat();
        json!({ "pits": pits, "stores": Ring::STORES.map(|store| self.0[store]) })
    }

    /// Returns the number of lines of exactly `depth` moves.
    fn lines(&self, side: Side, depth: usize) -> u64 {
        let mut sum = 0;
        for v in self.moves(side) {
            let mut then = self.clone();
            sum += match then.apply(v, side) {
                _ if depth == 1 => 1,
                Next::Other => then.lines(other(side), depth - 1),
                Next::Side(again, _) => then.lines(again, depth - 1),
                Next::Over(_) => 0,
            };
        }
        sum
    }
}

#[test]
fn recorded_games() {
    let mut kinds = Vec::new();
    for wanted in vectors("mancala_games.jsonl") {
        let mut game = Match::new(mancala());
        let (mut again, mut stores) = (Vec::new(), Vec::new());
        for (ply, v) in (1..).zip(numbers(&wanted["moves"])) {
            if matches!(game.play(v), Next::Side(_, Note::Again)) {
                again.push(ply);
            }
            stores.push(recorded(&*game.game)["stores"].clone());
        }
        assert_eq!(
            (json!(again), json!(stores)),
            (wanted["again"].clone(), wanted["stores"].clone()),
            "{wanted}"
        );
        let end = game.outcome().unwrap_or_else(|| panic!("not over: {wanted}"));
        assert_eq!(end.winner, side(&wanted["winner"]), "{wanted}");
        assert_eq!(json!(end.score), wanted["final"]["stores"], "{wanted}");
        assert_eq!(recorded(&*game.game), wanted["final"], "{wanted}");
        kinds
            .extend(wanted["kinds"].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap().to_owned()));
    }
    for kind in
        ["lap", "draw", "nothing opposite", "over on an extra turn", "over on a capture", "the mover sweeps"]
    {
        assert!(kinds.iter().any(|found| found == kind), "no game of the kind: {kind}");
    }
}

#[test]
fn the_ring_plays_the_same_games() {
    for seed in 0..2_000 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut game, mut ring) = (Match::new(mancala()), Ring::new());
        while let Some(side) = game.turn {
            assert_eq!(game.game.moves(side), ring.moves(side));
            game.play_any(&mut rng);
            let step = game.steps.last().unwrap();
            assert_eq!(step.next, ring.apply(step.v, side), "{:?}", game.steps);
            assert_eq!(recorded(&*game.game), ring.fields(), "{:?}", game.steps);
            assert!(game.steps.len() < MOVES_MAX);
        }
    }
}

#[test]
fn there_are_always_48_seeds() {
    for seed in 0..10_000 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut game = Match::new(mancala());
        while game.turn.is_some() {
            game.play_any(&mut rng);
        }
        for step in &game.steps {
            let fields = step.board.0.iter().map(|(_, field)| match field {
                Field::Numbers(numbers) => numbers.iter().sum::<u16>(),
                Field::Text(text) => panic!("{text}"),
            });
            assert_eq!(fields.sum::<u16>(), 48, "{:?}", step.board);
        }
        let score = game.outcome().unwrap().score.unwrap();
        assert_eq!(score[0] + score[1], 48);
    }
}

#[test]
fn lines_of_play() {
    for depth in 1..=8 {
        assert_eq!(perft(&Mancala::default(), 1, depth), Ring::new().lines(1, depth), "depth {depth}");
    }
    // Counted by hand: each of the six pits can be sown. Pit 2 earns an extra turn, in which it is empty.
    assert_eq!(perft(&Mancala::default(), 1, 2), 5 * 6 + 5);
}

/// Plays one move on a board. Returns what follows, and the board.
fn after(pits: [u16; 12], stores: [u16; 2], v: Move, side: Side) -> (Next, Value) {
    let mut game = Mancala::from_seeds(pits, stores).unwrap();
    assert!(game.legal(v, side));
    (game.apply(v, side), recorded(&game))
}

#[test]
fn sowing_goes_round_past_the_others_store() {
    let (next, board) = after([4, 4, 4, 4, 4, 10, 0, 4, 4, 4, 4, 2], [0, 0], 5, 0);
    assert_eq!(board, json!({ "pits": [5, 5, 5, 4, 4, 0, 1, 5, 5, 5, 5, 3], "stores": [1, 0] }));
    assert_eq!(next, Next::Other);
}

#[test]
fn a_last_seed_in_ones_own_store_moves_again() {
    for side in [0, 1] {
        let mut game = Mancala::default();
        assert_eq!(game.apply(2, side), Next::Side(side, Note::Again));
        let mut stores = [0, 0];
        stores[usize::from(side)] = 1;
        assert_eq!(recorded(&game)["stores"], json!(stores));
    }
}

#[test]
fn a_last_seed_in_an_empty_pit_captures_it_with_the_opposite_one() {
    // Side 1's pit 0 has one seed, and its pit 1 is empty. Opposite is side 0's pit 4.
    let (next, board) = after([2, 2, 2, 2, 7, 2, 1, 0, 3, 3, 3, 3], [8, 10], 0, 1);
    assert_eq!(board, json!({ "pits": [2, 2, 2, 2, 0, 2, 0, 0, 3, 3, 3, 3], "stores": [8, 18] }));
    assert_eq!(next, Next::Other);
    // A last seed captures nothing in the other side's empty pit, nor in an own pit that was not empty.
    let (_, board) = after([0, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 2], [8, 8], 5, 1);
    assert_eq!(board["stores"], json!([8, 9]));
}

#[test]
fn nothing_is_captured_without_seeds_opposite() {
    let (next, board) = after([2, 2, 2, 2, 0, 2, 1, 0, 3, 3, 3, 3], [15, 10], 0, 1);
    assert_eq!(board, json!({ "pits": [2, 2, 2, 2, 0, 2, 0, 1, 3, 3, 3, 3], "stores": [15, 10] }));
    assert_eq!(next, Next::Other);
}

#[test]
fn thirteen_seeds_go_all_round_and_capture() {
    let (_, board) = after([1, 1, 1, 1, 1, 1, 13, 1, 1, 1, 1, 1], [12, 12], 0, 1);
    // One of the seeds fell into the opposite pit. It is captured together with the last one.
    assert_eq!(board["stores"], json!([12, 12 + 1 + 3]));
    assert_eq!((&board["pits"][6], &board["pits"][5]), (&json!(0), &json!(0)));
}

#[test]
fn a_side_without_seeds_ends_the_game_and_the_other_sweeps() {
    // By a move into the own store, which earns no extra turn then.
    let (next, board) = after([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [20, 24], 5, 1);
    let score = Some([23, 25]);
    assert_eq!(next, Next::Over(Outcome { winner: Some(1), line: Vec::new(), score }));
    assert_eq!(board, json!({ "pits": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "stores": [23, 25] }));
    // By a capture of the other side's last seeds. The side that moved sweeps.
    let (next, _) = after([0, 0, 0, 0, 4, 0, 1, 0, 2, 0, 0, 0], [20, 21], 0, 1);
    assert_eq!(next, Next::Over(Outcome { winner: Some(1), line: Vec::new(), score: Some([20, 28]) }));
    let (next, _) = after([0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0], [23, 22], 5, 0);
    assert_eq!(next, Next::Over(Outcome { winner: None, line: Vec::new(), score: Some([24, 24]) }));
}

#[test]
fn auto_move_earns_a_turn_or_else_captures_or_else_prevents_a_capture() {
    let auto = |pits, stores, side| Mancala::from_seeds(pits, stores).unwrap().auto_move(side);
    // Pits 3 and 5 both earn an extra turn, and 5 is nearer to the store. Pit 0 would capture nine.
    assert_eq!(auto([1, 1, 1, 1, 9, 1, 1, 0, 0, 3, 0, 1], [15, 14], 1), 5);
    // Pit 0 captures nine and one, pit 2 only two.
    assert_eq!(auto([1, 1, 1, 1, 9, 1, 1, 0, 1, 0, 4, 4], [12, 12], 1), 0);
    // Pits 0 and 4 have more seeds, but only after pit 2 the other side cannot capture.
    assert_eq!(auto([1, 1, 1, 0, 0, 2, 3, 1, 1, 1, 3, 0], [17, 17], 1), 2);
}

#[test]
fn a_board_has_exactly_48_seeds() {
    assert_eq!(Mancala::from_seeds([4; 12], [0, 1]), None);
    assert_eq!(Mancala::from_seeds([u16::MAX; 12], [0, 0]), None);
    assert_eq!(Mancala::from_seeds([4; 12], [0, 0]), Some(Mancala::default()));
}

#[test]
fn auto_move_beats_chance() {
    let won = auto_wins(mancala(), 2_000, &mut SmallRng::seed_from_u64(4));
    assert!(won >= 1_900, "{won} of 2,000");
}
