//! The games. Pure: no clock, no I/O, no randomness, and no people.
//!
//! A game is a value that holds its board and implements [`Game`]. A new game needs its `pub mod` here and one line in
//! [`GAMES`]. `grid` converts boards of cells between text and sets.

mod grid;

pub mod dots;
pub mod four;
pub mod mancala;
pub mod reversi;

use std::cmp::Ordering;

/// A side: 0 is the champion's, 1 the challenger's. Side 1 moves first in every game.
pub type Side = u8;

/// One move, as on the wire. Each game gives the number its own meaning.
pub type Move = u8;

/// Why the same side is on turn again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The other side has no legal move and passes.
    Pass,
    /// The move earned an extra turn.
    Again,
}

/// The turn after a move, or the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The other side moves.
    Other,
    /// This side moves, for that reason.
    Side(Side, Note),
    /// The game is over.
    Over(Outcome),
}

/// The outcome of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The side that won. `None` is a draw.
    pub winner: Option<Side>,
    /// The cells to highlight on the board, ascending. Empty in games without lines.
    pub line: Vec<u8>,
    /// The score of side 0 and side 1, in games that count.
    pub score: Option<[u16; 2]>,
}

impl Outcome {
    /// Returns the outcome by score: the side with the higher score wins, and equal scores are a draw.
    pub fn by_score(score: [u16; 2]) -> Self {
        let winner = match score[0].cmp(&score[1]) {
            Ordering::Greater => Some(0),
            Ordering::Less => Some(1),
            Ordering::Equal => None,
        };
        Outcome { winner, line: Vec::new(), score: Some(score) }
    }
}

/// A board in the form for pages: named fields in order, each a text or numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board(pub Vec<(&'static str, Field)>);

/// One field of a [`Board`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// One character per cell, row by row from the top left.
    Text(String),
    /// Counts of seeds, stones or boxes.
    Numbers(Vec<u16>),
}

/// Copies a board behind a `dyn Game`. Implemented for every game that is `Clone`.
pub trait BoxedClone {
    /// Returns a copy that shares nothing with the original.
    fn boxed_clone(&self) -> Box<dyn Game>;
}

impl<G: Game + Clone + 'static> BoxedClone for G {
    fn boxed_clone(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
}

/// The rules of one game for two sides. A value is a board, and `Default` returns the opening position.
///
/// ```
/// use doozer_box::games::{Next, find};
///
/// let mut game = (find("four").ok_or("no such game")?.new_state)();
/// // Side 1 fills a column, side 0 another one.
/// for (side, v) in [(1, 3), (0, 0), (1, 3), (0, 0), (1, 3), (0, 0)] {
///     assert!(game.legal(v, side));
///     assert_eq!(game.apply(v, side), Next::Other);
/// }
/// assert_eq!(game.moves(1), [0, 1, 2, 3, 4, 5, 6]);
/// assert_eq!(game.auto_move(1), 3);
/// let Next::Over(outcome) = game.apply(3, 1) else { return Err("the game goes on") };
/// assert_eq!((outcome.winner, outcome.line), (Some(1), vec![17, 24, 31, 38]));
/// # Ok::<(), &str>(())
/// ```
pub trait Game: BoxedClone + Send + std::fmt::Debug {
    /// Returns whether `side` may play `v` now.
    fn legal(&self, v: Move, side: Side) -> bool;

    /// Returns a sensible legal move, for a player whose time is up and for the attract loop. The result depends only
    /// on the board. `side` must have a legal move.
    fn auto_move(&self, side: Side) -> Move;

    /// Plays a legal move. Returns what follows it. The side that is then on turn has a legal move.
    fn apply(&mut self, v: Move, side: Side) -> Next;

    /// Returns the legal moves of `side`, ascending. Games override this scan of all numbers, because searches call it
    /// often.
    fn moves(&self, side: Side) -> Vec<Move> {
        (0..=u8::MAX).filter(|&v| self.legal(v, side)).collect()
    }

    /// Returns the board in the form for pages.
    fn board(&self) -> Board;
}

/// A game's names and its opening position.
#[derive(Debug)]
pub struct Entry {
    /// The name on the wire and in addresses, in lower-case letters.
    pub slug: &'static str,
    /// The name on screens.
    pub name: &'static str,
    /// Returns a board with the opening position.
    pub new_state: fn() -> Box<dyn Game>,
}

fn new<G: Game + Default + 'static>() -> Box<dyn Game> {
    Box::new(G::default())
}

/// All games, in the order of the menu.
#[rustfmt::skip]
pub static GAMES: &[Entry] = &[
    Entry { slug: "four", name: "Four in a Row", new_state: new::<four::Four> },
    Entry { slug: "reversi", name: "Reversi", new_state: new::<reversi::Reversi> },
    Entry { slug: "mancala", name: "Mancala", new_state: new::<mancala::Mancala> },
    Entry { slug: "dots", name: "Dots and Boxes", new_state: new::<dots::Dots> },
];

/// Returns the game with exactly that slug.
pub fn find(slug: &str) -> Option<&'static Entry> {
    GAMES.iter().find(|entry| entry.slug == slug)
}

/// Returns the other side.
pub fn other(side: Side) -> Side {
    1 - side
}
