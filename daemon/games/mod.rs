//! WHAT is played. Pure: no clock, no I/O, no randomness, and no people.
//!
//! A game is a value that holds its board. Everything the house needs of it is the trait [`Game`];
//! everything it needs to be found is its `pub mod` here and one line in [`GAMES`]. What boards of cells
//! share, their text and straight lines over them, is in `grid`.

mod grid;

pub mod dots;
pub mod four;
pub mod mancala;
pub mod reversi;

use std::cmp::Ordering;

/// Who plays: 0 is the champion's side, 1 the challenger's. Side 1 moves first in every game.
pub type Side = u8;

/// One move, as it stands on the wire: what the number means is the game's own business.
pub type Move = u8;

/// Why the same side is on turn again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The other side has no legal move and passes.
    Pass,
    /// The move earned an extra turn.
    Again,
}

/// What comes after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The other side moves.
    Other,
    /// This side moves, and why.
    Side(Side, Note),
    /// The game is over.
    Over(Outcome),
}

/// How a finished game came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The side that won; `None` is a draw.
    pub winner: Option<Side>,
    /// Cells to light on the board, ascending; empty where a game has none.
    pub line: Vec<u8>,
    /// `[side 0, side 1]` where the game counts.
    pub score: Option<[u16; 2]>,
}

impl Outcome {
    /// Returns the outcome of a game that is counted: the side with the higher count wins, equal counts are a draw.
    pub fn by_score(score: [u16; 2]) -> Self {
        let winner = match score[0].cmp(&score[1]) {
            Ordering::Greater => Some(0),
            Ordering::Less => Some(1),
            Ordering::Equal => None,
        };
        Outcome { winner, line: Vec::new(), score: Some(score) }
    }
}

/// A board as pages are told of it: named fields in order, each text or numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board(pub Vec<(&'static str, Field)>);

/// One field of a [`Board`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A character a cell, row by row from the top left.
    Text(String),
    /// Counts, of whatever the game counts.
    Numbers(Vec<u16>),
}

/// Copies a board behind a `dyn Game`. Every game that is `Clone` has it.
pub trait BoxedClone {
    /// Returns a copy that shares nothing with the original.
    fn boxed_clone(&self) -> Box<dyn Game>;
}

impl<G: Game + Clone + 'static> BoxedClone for G {
    fn boxed_clone(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
}

/// The rules of one 1-on-1 game: a value that holds the board, and the four functions
/// (making it with `Default` is the first of them).
pub trait Game: BoxedClone + Send + std::fmt::Debug {
    /// May `side` play `v` now?
    fn legal(&self, v: Move, side: Side) -> bool;

    /// A sensible legal move for a player out of time and for the attract loop; the same board gives
    /// the same move. Asked only while `side` has a legal move.
    fn auto_move(&self, side: Side) -> Move;

    /// Plays a legal move and says what comes next. The side that comes on turn always has a legal move.
    fn apply(&mut self, v: Move, side: Side) -> Next;

    /// The legal moves of `side`, ascending. A game whose moves are few overrides the scan: searches ask often.
    fn moves(&self, side: Side) -> Vec<Move> {
        (0..=u8::MAX).filter(|&v| self.legal(v, side)).collect()
    }

    /// The board as pages are told of it.
    fn board(&self) -> Board;
}

/// What a game is called and how its opening position is made.
#[derive(Debug)]
pub struct Entry {
    /// The name on the wire and in addresses: lower-case letters.
    pub slug: &'static str,
    /// The name on screens.
    pub name: &'static str,
    /// The opening position.
    pub new_state: fn() -> Box<dyn Game>,
}

fn new<G: Game + Default + 'static>() -> Box<dyn Game> {
    Box::new(G::default())
}

/// Every game of the house, in the order of the menu.
#[rustfmt::skip]
pub static GAMES: &[Entry] = &[
    Entry { slug: "four", name: "Four in a Row", new_state: new::<four::Four> },
    Entry { slug: "reversi", name: "Reversi", new_state: new::<reversi::Reversi> },
    Entry { slug: "mancala", name: "Mancala", new_state: new::<mancala::Mancala> },
    Entry { slug: "dots", name: "Dots and Boxes", new_state: new::<dots::Dots> },
];

/// The game of that slug, compared to the letter.
pub fn find(slug: &str) -> Option<&'static Entry> {
    GAMES.iter().find(|entry| entry.slug == slug)
}

/// The side that sits across.
pub fn other(side: Side) -> Side {
    1 - side
}
