//! Mancala, by the common rules of six pits a side and four seeds in each. A move is a pit of the side on turn,
//! 0..=5 in the order in which seeds are sown: counter-clockwise, and from pit 5 into one's own store.
//!
//! Sowing drops one seed each into what follows: the rest of one's own pits, one's own store, the other's pits 0..=5,
//! and one's own again; never into the other's store. A last seed in one's own store earns an extra turn. A last seed in
//! an empty pit of one's own captures, together with what lies opposite, into one's own store. Where nothing lies
//! opposite nothing is captured: some houses take the lone seed, but the rules as they are mostly written down
//! (Wikipedia, "Kalah") want seeds there. As soon as a side has no seeds the game is over, and the other sweeps its own
//! into its store; the fuller store wins.

use super::{Board, Field, Game, Move, Next, Note, Outcome, Side, other};
use std::cmp::Ordering;

/// The number of a side's pits.
const PITS: usize = 6;
const SEEDS: u16 = 4;

/// The number of places that a seed can fall to, counted from one's own pit 0: one's own pits, one's own store, the
/// other's pits.
const ROUND: usize = 2 * PITS + 1;
const STORE: usize = PITS;

/// The board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mancala {
    /// Seeds in each pit: side 0's six, then side 1's.
    pits: [u16; 2 * PITS],
    stores: [u16; 2],
}

impl Default for Mancala {
    fn default() -> Self {
        Mancala { pits: [SEEDS; 2 * PITS], stores: [0; 2] }
    }
}

/// The outcome of sowing a pit.
struct Sown {
    /// The place of the last seed, in the round of the side that sowed.
    last: usize,
    captured: u16,
}

impl Mancala {
    /// Returns the board with so many seeds in side 0's pits, side 1's, and their stores, or `None` if they are not
    /// 48 in all.
    pub fn from_seeds(pits: [u16; 2 * PITS], stores: [u16; 2]) -> Option<Self> {
        let all = pits.iter().chain(&stores).try_fold(0_u16, |sum, &seeds| sum.checked_add(seeds));
        (all == Some(SEEDS * 2 * PITS as u16)).then_some(Mancala { pits, stores })
    }

    /// Returns the six pits of a side.
    fn own(&self, side: Side) -> &[u16] {
        &self.pits[usize::from(side) * PITS..][..PITS]
    }

    /// Sows a pit that is not empty, and captures.
    fn sow(&mut self, v: Move, side: Side) -> Sown {
        let (first, from) = (usize::from(side) * PITS, usize::from(v));
        let hand = std::mem::take(&mut self.pits[first + from]);
        let place = |step| (from + usize::from(step)) % ROUND;
        for at in (1..=hand).map(place) {
            match at.cmp(&STORE) {
                Ordering::Less => self.pits[first + at] += 1,
                Ordering::Equal => self.stores[usize::from(side)] += 1,
                Ordering::Greater => self.pits[usize::from(other(side)) * PITS + at - STORE - 1] += 1,
            }
        }
        let last = place(hand);
        let captured = if last < STORE { self.capture(first + last) } else { 0 };
        self.stores[usize::from(side)] += captured;
        Sown { last, captured }
    }

    /// Captures with the last seed, which fell into this pit. Returns the number of seeds captured.
    fn capture(&mut self, pit: usize) -> u16 {
        let opposite = self.pits.len() - 1 - pit;
        if self.pits[pit] != 1 || self.pits[opposite] == 0 {
            return 0;
        }
        std::mem::take(&mut self.pits[pit]) + std::mem::take(&mut self.pits[opposite])
    }

    /// Returns the pits of a side that are not empty.
    fn playable(&self, side: Side) -> impl Iterator<Item = Move> {
        (0..PITS as Move).filter(move |&v| self.own(side)[usize::from(v)] > 0)
    }

    /// Returns whether this side can capture with its next move.
    fn threatens(&self, side: Side) -> bool {
        self.playable(side).any(|v| self.clone().sow(v, side).captured > 0)
    }

    /// Puts each side's seeds into its own store. Returns the outcome.
    fn sweep(&mut self) -> Outcome {
        for side in [0, 1] {
            self.stores[usize::from(side)] += self.own(side).iter().sum::<u16>();
        }
        self.pits.fill(0);
        Outcome::by_score(self.stores)
    }
}

impl Game for Mancala {
    fn legal(&self, v: Move, side: Side) -> bool {
        self.own(side).get(usize::from(v)).is_some_and(|&seeds| seeds > 0)
    }

    /// Takes an extra turn if there is one, by the pit nearest to the store, which keeps the others for later; else the
    /// largest capture; else the fullest pit after which the other side cannot capture; else the fullest.
    fn auto_move(&self, side: Side) -> Move {
        let seeds = |v: Move| self.own(side)[usize::from(v)];
        let earns_a_turn = |&v: &Move| (usize::from(v) + usize::from(seeds(v))) % ROUND == STORE;
        let worth = |&v: &Move| {
            let mut then = self.clone();
            let captured = then.sow(v, side).captured;
            (captured, !then.threatens(other(side)), seeds(v), v)
        };
        let again = self.playable(side).filter(earns_a_turn).last();
        again.or_else(|| self.playable(side).max_by_key(worth)).unwrap_or_default()
    }

    fn apply(&mut self, v: Move, side: Side) -> Next {
        let Sown { last, .. } = self.sow(v, side);
        if [0, 1].into_iter().any(|side| self.playable(side).next().is_none()) {
            return Next::Over(self.sweep());
        }
        if last == STORE { Next::Side(side, Note::Again) } else { Next::Other }
    }

    fn moves(&self, side: Side) -> Vec<Move> {
        self.playable(side).collect()
    }

    fn board(&self) -> Board {
        Board(vec![
            ("pits", Field::Numbers(self.pits.to_vec())),
            ("stores", Field::Numbers(self.stores.to_vec())),
        ])
    }
}
