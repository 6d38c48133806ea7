//! Counts how many lines of play there are of each length. One wrong rule anywhere shows in the sum.

use doozer_box::games::{Four, Game, Next, Reversi, Side, other};

/// Lines of exactly `depth` moves; a pass takes none, and a game that ends earlier counts nothing.
fn perft<G: Game + Clone>(game: &G, side: Side, depth: usize) -> u64 {
    let moves = game.moves(side);
    if depth == 1 {
        return moves.len() as u64;
    }
    let then = |&v: &u8| {
        let mut game = game.clone();
        match game.apply(v, side) {
            Next::Other => perft(&game, other(side), depth - 1),
            Next::Side(again, _) => perft(&game, again, depth - 1),
            Next::Over(_) => 0,
        }
    };
    moves.iter().map(then).sum()
}

/// Counts from the opening: of depth 1, 2, 3 and so on.
fn check<G: Game + Clone + Default>(published: &[u64]) {
    for (depth, &count) in (1..).zip(published) {
        assert_eq!(perft(&G::default(), 1, depth), count, "depth {depth}");
    }
}

#[test]
fn four() {
    check::<Four>(&[7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn reversi() {
    check::<Reversi>(&[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_320]);
}

/// Minutes in debug: `cargo test --release --test perft -- --ignored`.
#[test]
#[ignore = "long"]
fn reversi_deeper() {
    let deeper = [10, 11].map(|depth| perft(&Reversi::default(), 1, depth));
    assert_eq!(deeper, [24_571_192, 212_260_296]);
}
