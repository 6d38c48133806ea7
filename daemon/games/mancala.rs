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

/// Pits of a side.
const PITS: usize = 6;
const SEEDS: u16 = 4;

/// Where a seed can fall, counted from one's own pit 0: one's own pits, then one's own store, then the other's pits.
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

/// What came of sowing a pit.
struct Sown {
    /// Where the last seed fell, in the round of the side that sowed.
    last: usize,
    captured: u16,
}

impl Mancala {
    /// The board with so many seeds in side 0's pits and side 1's, and in their stores; `None` if it is not all 48.
    pub fn from_seeds(pits: [u16; 2 * PITS], stores: [u16; 2]) -> Option<Self> {
        let all = pits.iter().chain(&stores).try_fold(0_u16, |sum, &seeds| sum.checked_add(seeds));
        (all == Some(SEEDS * 2 * PITS as u16)).then_some(Mancala { pits, stores })
    }

    /// The six pits of a side.
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

    /// Takes what the last seed, which fell into this pit, captures; gives how many.
    fn capture(&mut self, pit: usize) -> u16 {
        let opposite = self.pits.len() - 1 - pit;
        if self.pits[pit] != 1 || self.pits[opposite] == 0 {
            return 0;
        }
        std::mem::take(&mut self.pits[pit]) + std::mem::take(&mut self.pits[opposite])
    }

    /// Can this side capture with its next move?
    fn threatens(&self, side: Side) -> bool {
        self.moves(side).into_iter().any(|v| self.clone().sow(v, side).captured > 0)
    }

    /// Each side's seeds into its own store: who won.
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

    /// An extra turn if there is one, by the pit nearest to the store, which keeps the others for later; else the
    /// largest capture; else the fullest pit after which the other side cannot capture; else the fullest.
    fn auto_move(&self, side: Side) -> Move {
        let worth = |&v: &Move| {
            let mut then = self.clone();
            let Sown { last, captured } = then.sow(v, side);
            let again = (last == STORE).then_some(v);
            (again, captured, !then.threatens(other(side)), self.own(side)[usize::from(v)], v)
        };
        self.moves(side).into_iter().max_by_key(worth).unwrap_or_default()
    }

    fn apply(&mut self, v: Move, side: Side) -> Next {
        let Sown { last, .. } = self.sow(v, side);
        if [0, 1].into_iter().any(|side| self.moves(side).is_empty()) {
            return Next::Over(self.sweep());
        }
        if last == STORE { Next::Side(side, Note::Again) } else { Next::Other }
    }

    fn moves(&self, side: Side) -> Vec<Move> {
        (0..PITS as Move).filter(|&v| self.legal(v, side)).collect()
    }

    fn board(&self) -> Board {
        Board(vec![
            ("pits", Field::Numbers(self.pits.to_vec())),
            ("stores", Field::Numbers(self.stores.to_vec())),
        ])
    }
}
