//! Compares Dots and Boxes with recorded games, and with a second, separate implementation of its rules.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::games::{Match, auto_wins, numbers, perft, recorded, side, vectors};
use doozer_box::games::dots::Dots;
use doozer_box::games::{Entry, Game, Move, Next, Note, Outcome, Side, find, other};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::{Value, json};
use std::cmp::Reverse;

const ALL_EDGES: u64 = (1 << 60) - 1;

fn dots() -> &'static Entry {
    find("dots").unwrap()
}

/// Returns the four edges of each box, as bits.
fn frames() -> [u64; 25] {
    let horizontal = |row, col| 1_u64 << (row * 5 + col);
    let vertical = |row, col| 1_u64 << (30 + row * 6 + col);
    std::array::from_fn(|square| {
        let (row, col) = (square / 5, square % 5);
        horizontal(row, col) | horizontal(row + 1, col) | vertical(row, col) | vertical(row, col + 1)
    })
}

/// The second implementation. For each side it has a bit per edge and a bit per box.
#[derive(Clone)]
struct Bits {
    frames: [u64; 25],
    edges: [u64; 2],
    boxes: [u32; 2],
}

impl Bits {
    fn new() -> Self {
        Bits { frames: frames(), edges: [0; 2], boxes: [0; 2] }
    }

    fn drawn(&self) -> u64 {
        self.edges[0] | self.edges[1]
    }

    fn moves(&self) -> Vec<Move> {
        (0..60).filter(|v| self.drawn() >> v & 1 == 0).collect()
    }

    /// Returns the boxes that are closed when these edges are drawn, as bits.
    fn closed(&self, drawn: u64) -> u32 {
        (0..25).filter(|&square| self.frames[square] & !drawn == 0).map(|square| 1 << square).sum()
    }

    fn apply(&mut self, v: Move, side: Side) -> Next {
        let before = self.closed(self.drawn());
        self.edges[usize::from(side)] |= 1 << v;
        let new = self.closed(self.drawn()) & !before;
        self.boxes[usize::from(side)] |= new;
        if self.drawn() == ALL_EDGES {
            let score = self.boxes.map(|boxes| boxes.count_ones() as u16);
            let winner = Some(Side::from(score[1] > score[0]));
            return Next::Over(Outcome { winner, line: Vec::new(), score: Some(score) });
        }
        if new == 0 { Next::Other } else { Next::Side(side, Note::Again) }
    }

    /// Returns the board in its form on the wire.
    fn fields(&self) -> Value {
        let text = |sets: [u64; 2], count: u32| -> String {
            let mark = |at: u32| match sets.map(|set| set >> at & 1) {
                [1, 0] => '0',
                [0, 1] => '1',
                [0, 0] => '.',
                _ => panic!("two sides hold {at}"),
            };
            (0..count).map(mark).collect()
        };
        let count = self.boxes.map(u32::count_ones);
        json!({ "edges": text(self.edges, 60), "boxes": text(self.boxes.map(u64::from), 25), "count": count })
    }

    /// Returns how many boxes an edge closes, and how many the other side can close after it. The other side closes every
    /// box with one open edge until there is none.
    fn worth(&self, v: Move) -> (u32, u32) {
        let mut drawn = self.drawn() | 1 << v;
        let taken = self.closed(drawn);
        let last_edge =
            |drawn: u64| self.frames.iter().map(|frame| frame & !drawn).find(|open| open.count_ones() == 1);
        while let Some(open) = last_edge(drawn) {
            drawn |= open;
        }
        let own = taken & !self.closed(self.drawn());
        (own.count_ones(), (self.closed(drawn) & !taken).count_ones())
    }

    /// Returns the moves that `auto_move` may play: those that close the most boxes, or else open the shortest chain.
    fn sensible(&self) -> Vec<Move> {
        let key = |&v: &Move| {
            let (taken, given) = self.worth(v);
            (Reverse(taken), if taken == 0 { given } else { 0 })
        };
        let moves = self.moves();
        let best = moves.iter().map(key).min().unwrap();
        moves.into_iter().filter(|v| key(v) == best).collect()
    }
}

#[test]
fn recorded_games() {
    let mut kinds = Vec::new();
    for wanted in vectors("dots_games.jsonl") {
        let mut game = Match::new(dots());
        let (mut again, mut closed, mut before) = (Vec::new(), Vec::new(), 0);
        for (ply, v) in (1_usize..).zip(numbers(&wanted["moves"])) {
            if matches!(game.play(v), Next::Side(_, Note::Again)) {
                again.push(ply);
            }
            let count =
                recorded(&*game.game)["count"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
            if count > before {
                closed.push((ply, count - before));
            }
            before = count;
        }
        let found = json!({ "again": again, "closed": closed });
        assert_eq!(found, json!({ "again": wanted["again"], "closed": wanted["closed"] }), "{wanted}");
        let end = game.outcome().unwrap_or_else(|| panic!("not over: {wanted}"));
        assert_eq!(end.winner, side(&wanted["winner"]), "{wanted}");
        assert_eq!(json!(end.score), wanted["final"]["count"], "{wanted}");
        assert_eq!(recorded(&*game.game), wanted["final"], "{wanted}");
        kinds.extend(serde_json::from_value::<Vec<String>>(wanted["kinds"].clone()).unwrap());
    }
    for kind in ["two at once", "ten in a turn", "13 to 12", "from behind", "none for the other"] {
        assert!(kinds.iter().any(|found| found == kind), "no game of the kind: {kind}");
    }
}

#[test]
fn the_bits_play_the_same_games() {
    for seed in 0..10_000 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut game, mut bits) = (Match::new(dots()), Bits::new());
        while let Some(side) = game.turn {
            assert_eq!(game.game.moves(side), bits.moves());
            game.play_any(&mut rng);
            let step = game.steps.last().unwrap();
            assert_eq!(step.next, bits.apply(step.v, side), "{:?}", game.steps);
            assert_eq!(recorded(&*game.game), bits.fields(), "{:?}", game.steps);
        }
        assert_eq!(game.steps.len(), 60);
        let score = game.outcome().unwrap().score.unwrap();
        assert_eq!(score[0] + score[1], 25);
    }
}

#[test]
fn lines_of_play() {
    for (depth, lines) in [(1, 60), (2, 60 * 59), (3, 60 * 59 * 58)] {
        assert_eq!(perft(&Dots::default(), 1, depth), lines, "depth {depth}");
    }
}

/// Returns how many of all lines of play from this position each side wins.
fn won<G: Clone>(
    game: &G,
    side: Side,
    moves: fn(&G) -> Vec<Move>,
    apply: fn(&mut G, Move, Side) -> Next,
) -> [u32; 2] {
    let mut sum = [0; 2];
    for v in moves(game) {
        let mut then = game.clone();
        let side = match apply(&mut then, v, side) {
            Next::Over(end) => {
                sum[usize::from(end.winner.unwrap())] += 1;
                continue;
            }
            Next::Other => other(side),
            Next::Side(again, _) => again,
        };
        let [champion, challenger] = won(&then, side, moves, apply);
        sum = [sum[0] + champion, sum[1] + challenger];
    }
    sum
}

#[test]
fn each_side_wins_as_many_of_all_lines_of_play() {
    for seed in 0..20 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut game, mut bits) = (Match::new(dots()), Bits::new());
        for _ in 0..53 {
            let side = game.turn.unwrap();
            game.play_any(&mut rng);
            bits.apply(game.steps.last().unwrap().v, side);
        }
        let Value::Object(fields) = recorded(&*game.game) else { panic!("fields") };
        let board =
            Dots::from_texts(fields["edges"].as_str().unwrap(), fields["boxes"].as_str().unwrap()).unwrap();
        let found =
            won(&board, game.turn.unwrap(), |board| board.moves(0), |board, v, side| board.apply(v, side));
        assert_eq!(found, won(&bits, game.turn.unwrap(), |bits| bits.moves(), Bits::apply), "seed {seed}");
        assert_eq!(found[0] + found[1], 5_040);
    }
}

/// Returns a board on which only these edges are open. Side 0 has drawn the others and owns the boxes.
fn all_but(open: &[usize]) -> Dots {
    let edges: String = (0..60).map(|edge| if open.contains(&edge) { '.' } else { '0' }).collect();
    let drawn: u64 = (0..60).filter(|edge| !open.contains(edge)).map(|edge| 1_u64 << edge).sum();
    let boxes = frames().map(|frame| if frame & !drawn == 0 { '0' } else { '.' });
    Dots::from_texts(&edges, &boxes.iter().collect::<String>()).unwrap()
}

#[test]
fn a_box_belongs_to_the_side_that_draws_its_last_edge() {
    // The first, the middle and the last box, with the numbers of their edges on the wire.
    for (square, frame) in [(0, [0, 5, 30, 31]), (12, [12, 17, 44, 45]), (24, [24, 29, 58, 59])] {
        let mut game = Dots::default();
        for v in &frame[..3] {
            assert_eq!(game.apply(*v, 0), Next::Other);
        }
        assert_eq!(game.apply(frame[3], 1), Next::Side(1, Note::Again));
        let board = recorded(&game);
        assert_eq!(board["boxes"].as_str().unwrap().find('1'), Some(square));
        assert_eq!(board["count"], json!([0, 1]));
        assert!(!game.legal(frame[3], 0) && !game.legal(frame[3], 1));
    }
}

#[test]
fn one_edge_closes_two_boxes() {
    for middle in [7, 44] {
        let mut game = all_but(&[middle, 0]);
        let before = recorded(&game)["count"][0].as_u64().unwrap();
        assert_eq!(before, 25 - 3);
        assert_eq!(game.apply(middle as Move, 1), Next::Side(1, Note::Again));
        assert_eq!(recorded(&game)["count"], json!([before, 2]));
    }
}

#[test]
fn the_last_edge_ends_the_game() {
    let mut game = all_but(&[31]);
    let score = Some([23, 2]);
    assert_eq!(game.apply(31, 1), Next::Over(Outcome { winner: Some(0), line: Vec::new(), score }));
    assert_eq!((game.moves(0), game.moves(1)), (Vec::new(), Vec::new()));
    assert!(!(0..=u8::MAX).any(|v| game.legal(v, 0)));
}

#[test]
fn auto_move_closes_boxes_or_else_opens_none_or_else_the_shortest_chain() {
    let mut kinds = [0; 3];
    for seed in 0..2_000 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut game, mut bits) = (Match::new(dots()), Bits::new());
        while let Some(side) = game.turn {
            let auto = game.game.auto_move(side);
            assert!(bits.sensible().contains(&auto), "{auto} on {:?}", game.game.board());
            kinds[match bits.worth(auto) {
                (0, 0) => 0,
                (0, _) => 1,
                _ => 2,
            }] += 1;
            // In half of the games `auto_move` plays. Only it leads to boards on which every edge opens a chain.
            if seed % 2 == 0 && game.steps.len() > 6 {
                _ = game.play(auto)
            } else {
                game.play_any(&mut rng)
            }
            bits.apply(game.steps.last().unwrap().v, side);
        }
    }
    assert!(kinds.iter().all(|&count| count > 1_000), "{kinds:?}");
}

#[test]
fn auto_move_counts_chains_to_their_end() {
    // A chain of three boxes in the first row, open at its left end and at the top of its third box, and a chain of two
    // boxes in the last row.
    let (three, two) = ([30, 31, 32, 2], [28, 58, 59]);
    assert!(two.contains(&all_but(&[&three[..], &two].concat()).auto_move(1).into()));
    // A ring of four boxes, a tail of five boxes at one of them, and a chain of four boxes at the right side. A side that
    // closes the ring can go on into the tail, although only three boxes of the ring have two open edges.
    let (ring, tail, four) = ([5, 6, 31, 37], [11, 16, 21, 56, 57, 28], [4, 9, 14, 19, 53]);
    assert!(four.contains(&all_but(&[&ring[..], &tail, &four].concat()).auto_move(1).into()));
}

#[test]
fn impossible_boards_are_not_parsed() {
    let (edges, boxes) = (".".repeat(60), ".".repeat(25));
    assert_eq!(Dots::from_texts(&edges, &boxes), Some(Dots::default()));
    let owned = format!("1{}", &boxes[1..]);
    let closed = recorded(&all_but(&[31]))["edges"].as_str().unwrap().to_owned();
    for (edges, boxes) in [(&edges[1..], &*boxes), (&edges, &boxes[1..]), (&edges, &owned), (&closed, &boxes)]
    {
        assert_eq!(Dots::from_texts(edges, boxes), None, "{edges} {boxes}");
    }
    assert_eq!(Dots::from_texts(&"2".repeat(60), &boxes), None);
}

#[test]
fn auto_move_beats_chance() {
    let won = auto_wins(dots(), 2_000, &mut SmallRng::seed_from_u64(4));
    println!("{won} of 2,000");
    assert!(won >= 1_900, "{won} of 2,000");
}
