//! The House's player: a Monte Carlo tree search over any [`Game`].
//!
//! Pure: the board, the seed and the number of playouts in, a move out. The same three give the same move. Nothing here
//! knows a game: a position is judged by playing it to the end, partly at random and partly by the
//! game's own `auto_move`, and by proof where the tree reaches an end.
//!
//! The search is UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning", 2006) with proven wins, losses and
//! draws carried up the tree (Winands, Björnsson and Saito, "Monte-Carlo Tree Search Solver", 2008).

mod tree;

use crate::games::{Game, Move, Side};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde::{Deserialize, Serialize};
use tree::Tree;

/// How strongly the House plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Strength {
    /// Misses what a hurried guest misses.
    Weak,
    /// Plays better than `auto_move`.
    #[default]
    Middle,
    /// Plays as well as a move's time allows.
    Strong,
}

impl Strength {
    /// All strengths, ascending.
    pub const ALL: [Strength; 3] = [Strength::Weak, Strength::Middle, Strength::Strong];

    /// Returns the next weaker strength, or the weakest.
    pub fn weaker(self) -> Self {
        if self == Strength::Strong { Strength::Middle } else { Strength::Weak }
    }

    /// Returns the next stronger strength, or the strongest.
    pub fn stronger(self) -> Self {
        if self == Strength::Weak { Strength::Middle } else { Strength::Strong }
    }

    /// Returns the number of playouts of a move.
    pub fn playouts(self) -> u32 {
        match self {
            Strength::Weak => 6,
            Strength::Middle => 1_800,
            Strength::Strong => 10_000,
        }
    }
}

/// A search for one move.
#[derive(Debug)]
pub struct Search {
    tree: Tree,
    rng: SmallRng,
}

impl Search {
    /// Starts a search for `side`, which is on turn and has a legal move.
    pub fn new(game: Box<dyn Game>, side: Side, seed: u64) -> Self {
        Search { tree: Tree::new(game, side), rng: SmallRng::seed_from_u64(seed) }
    }

    /// Runs so many playouts more, or fewer if the best move is proven. Returns whether it is.
    pub fn run(&mut self, playouts: u32) -> bool {
        (0..playouts).any(|_| {
            self.tree.playout(&mut self.rng);
            self.tree.is_solved()
        })
    }

    /// Returns the best move found so far.
    pub fn best(&self) -> Move {
        self.tree.best()
    }
}

/// Returns the move that `playouts` playouts find best for `side`, which is on turn and has a legal move.
pub fn choose(game: &dyn Game, side: Side, playouts: u32, seed: u64) -> Move {
    let mut search = Search::new(game.boxed_clone(), side, seed);
    search.run(playouts);
    search.best()
}
