//! Dots and Boxes on 5 × 5 boxes. A move is an edge, 0..=59: the 30 horizontal ones row by row from the top left
//! (row × 5 + column, rows 0..=5), then the 30 vertical ones (30 + row × 6 + column, rows 0..=4).
//!
//! A side that draws the last open edge of a box owns the box and moves again; one edge can close two boxes. The game
//! is over when all edges are drawn. The most boxes win, and 25 of them leave no draw.

use super::grid::{self, EMPTY, stone};
use super::{Board, Field, Game, Move, Next, Note, Outcome, Side, other};
use std::cmp::Reverse;

/// Boxes along a side of the board.
const SPAN: usize = 5;
const BOXES: usize = SPAN * SPAN;
/// Edges of one direction; the vertical ones are numbered after the horizontal ones.
const HORIZONTAL: usize = SPAN * (SPAN + 1);
const EDGES: usize = 2 * HORIZONTAL;

/// A step that reaches every edge before it repeats one: equally good edges are taken all over the board and not row
/// by row, which would fill it like a page of writing.
const SCATTER: usize = 23;

/// The board. A box has the number row × 5 + column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dots {
    /// The side that drew each edge.
    edges: [u8; EDGES],
    /// The side that owns each box.
    boxes: [u8; BOXES],
}

impl Default for Dots {
    fn default() -> Self {
        Dots { edges: [EMPTY; EDGES], boxes: [EMPTY; BOXES] }
    }
}

impl Dots {
    /// Parses a board from its two texts, as [`Game::board`] writes them. Returns `None` when one of them is no such
    /// text, or when a box is owned with an open edge or closed without an owner.
    pub fn from_texts(edges: &str, boxes: &str) -> Option<Self> {
        let board = Dots { edges: grid::read(edges)?, boxes: grid::read(boxes)? };
        let is_sound = |square| (board.boxes[square] == EMPTY) == board.open_edges(square).next().is_some();
        (0..BOXES).all(is_sound).then_some(board)
    }

    /// Returns the edges of a box that are not drawn yet.
    fn open_edges(&self, square: usize) -> impl Iterator<Item = usize> {
        edges_of(square).into_iter().filter(|&edge| self.edges[edge] == EMPTY)
    }

    /// Returns the only open edge of a box, or `None` when more or none are open.
    fn last_open_edge(&self, square: usize) -> Option<usize> {
        let mut open = self.open_edges(square);
        open.next().filter(|_| open.next().is_none())
    }

    /// Returns how many edges are open of the box beside `edge` that has the fewest.
    fn fewest_open(&self, edge: usize) -> usize {
        boxes_beside(edge).map(|square| self.open_edges(square).count()).min().unwrap_or_default()
    }

    /// Draws an edge. Returns how many boxes it closed, which belong to `side` then.
    fn draw(&mut self, edge: usize, side: Side) -> usize {
        self.edges[edge] = stone(side);
        let mut closed = 0;
        for square in boxes_beside(edge) {
            if self.open_edges(square).next().is_none() {
                self.boxes[square] = stone(side);
                closed += 1;
            }
        }
        closed
    }

    /// Returns the length of the chain that drawing `edge` opens: the boxes that the other side can then close one
    /// after another.
    fn chain(mut self, edge: usize, side: Side) -> usize {
        self.draw(edge, side);
        let mut closed = 0;
        // Closing a box draws its last edge, which can leave the box behind that edge with one open edge as well.
        let mut ends: Vec<usize> = boxes_beside(edge).collect();
        while let Some(square) = ends.pop() {
            if let Some(last) = self.last_open_edge(square) {
                closed += self.draw(last, other(side));
                ends.extend(boxes_beside(last));
            }
        }
        closed
    }

    /// Returns the number of boxes of each side.
    fn count(&self) -> [u16; 2] {
        [0, 1].map(|side| self.boxes.iter().filter(|&&owner| owner == stone(side)).count() as u16)
    }
}

/// Returns the four edges of a box: top, bottom, left and right.
fn edges_of(square: usize) -> [usize; 4] {
    let left = HORIZONTAL + square / SPAN * (SPAN + 1) + square % SPAN;
    [square, square + SPAN, left, left + 1]
}

/// Returns the boxes on both sides of an edge; an edge at the rim has one.
fn boxes_beside(edge: usize) -> impl Iterator<Item = usize> {
    let (before, behind) = match edge.checked_sub(HORIZONTAL) {
        None => (edge.checked_sub(SPAN), (edge < BOXES).then_some(edge)),
        Some(vertical) => {
            let (row, col) = (vertical / (SPAN + 1), vertical % (SPAN + 1));
            let square = row * SPAN + col;
            ((col > 0).then(|| square - 1), (col < SPAN).then_some(square))
        }
    };
    before.into_iter().chain(behind)
}

impl Game for Dots {
    fn legal(&self, v: Move, _side: Side) -> bool {
        self.edges.get(usize::from(v)) == Some(&EMPTY)
    }

    /// Closes the most boxes that one edge can close; else draws an edge that gives none away, where the fewest are
    /// drawn already; else opens the shortest chain.
    fn auto_move(&self, side: Side) -> Move {
        let worth = |&v: &Move| {
            let edge = usize::from(v);
            let closed = self.clone().draw(edge, side);
            let given = if closed == 0 { self.clone().chain(edge, side) } else { 0 };
            (closed, Reverse(given), self.fewest_open(edge), edge * SCATTER % EDGES)
        };
        self.moves(side).into_iter().max_by_key(worth).unwrap_or_default()
    }

    fn apply(&mut self, v: Move, side: Side) -> Next {
        if self.draw(usize::from(v), side) == 0 {
            return Next::Other;
        }
        // The last edge of all always closes a box.
        if self.boxes.contains(&EMPTY) {
            Next::Side(side, Note::Again)
        } else {
            Next::Over(Outcome::by_score(self.count()))
        }
    }

    fn moves(&self, side: Side) -> Vec<Move> {
        (0..EDGES as Move).filter(|&v| self.legal(v, side)).collect()
    }

    fn board(&self) -> Board {
        Board(vec![
            ("edges", grid::text(&self.edges)),
            ("boxes", grid::text(&self.boxes)),
            ("count", Field::Numbers(self.count().to_vec())),
        ])
    }
}
