//! Mancala, by the common rules with six pits per side and four seeds in each pit. A move is a pit of the side on turn.
//! Its pits 0..=5 are in the order of sowing: counter-clockwise, with the side's own store after pit 5.
//!
//! A move takes all seeds out of a pit and drops one into each following place: the side's own pits, its own store, the
//! other side's pits 0..=5, and its own pits again. It leaves out the other side's store. If the last seed falls into the
//! own store, the side gets an extra turn. If it falls into an empty pit of the own side, it is captured together with
//! the seeds in the opposite pit, and all of them go into the own store. Without seeds in the opposite pit nothing is
//! captured. Some players capture the last seed even then, but most written rules do not (Wikipedia, "Kalah").
//!
//! The game is over as soon as a side has no seeds in its pits. The other side then moves its remaining seeds into its
//! own store. The side with more seeds in its store wins.

use super::{Board, Field, Game, Move, Next, Note, Outcome, Side, other};
use std::cmp::Ordering;

/// The number of a side's pits.
const PITS: usize = 6;
const SEEDS: u16 = 4;

/// The number of places into which a side can sow: its own pits, its own store, and the other side's pits, counted from
/// its own pit 0.
const ROUND: usize = 2 * PITS + 1;
const STORE: usize = PITS;

/// The board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mancala {
    /// The seeds in each pit: the six of side 0, then the six of side 1.
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
    /// The place of the last seed, counted as for [`ROUND`].
    last: usize,
    captured: u16,
}

impl Mancala {
    /// Returns the board with these seeds in the pits of side 0, those of side 1, and the stores, or `None` if there are
    /// not 48 seeds in all.
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
        let seeds = std::mem::take(&mut self.pits[first + from]);
        let place = |step| (from + usize::from(step)) % ROUND;
        for at in (1..=seeds).map(place) {
            match at.cmp(&STORE) {
                Ordering::Less => self.pits[first + at] += 1,
                Ordering::Equal => self.stores[usize::from(side)] += 1,
                Ordering::Greater => self.pits[usize::from(other(side)) * PITS + at - STORE - 1] += 1,
            }
        }
        let last = place(seeds);
        let captured = if last < STORE { self.capture(first + last) } else { 0 };
        self.stores[usize::from(side)] += captured;
        Sown { last, captured }
    }

    /// Captures the seed that was sown last, into this pit, and those opposite, if the pit was empty and there are any
    /// opposite. Returns the number of seeds captured.
    fn capture(&mut self, pit: usize) -> u16 {
        let opposite = self.pits.len() - 1 - pit;
        if self.pits[pit] != 1 || self.pits[opposite] == 0 {
            return 0;
        }
        std::mem::take(&mut self.pits[pit]) + std::mem::take(&mut self.pits[opposite])
    }

    /// Returns a side's pits with seeds.
    fn playable(&self, side: Side) -> impl Iterator<Item = Move> {
        (0..PITS as Move).filter(move |&v| self.own(side)[usize::from(v)] > 0)
    }

    /// Returns whether this side can capture with its next move.
    fn threatens(&self, side: Side) -> bool {
        self.playable(side).any(|v| self.clone().sow(v, side).captured > 0)
    }

    /// Moves the remaining seeds into the stores of their sides. Returns the outcome.
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

    /// Returns the pit nearest to the store that earns an extra turn, so that pits farther away can still earn one later.
    /// Without one it returns the pit with the largest capture, or else the fullest pit after which the other side
    /// cannot capture, or else the fullest pit.
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
