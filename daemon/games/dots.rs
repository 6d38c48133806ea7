//! Dots and Boxes on 5 × 5 boxes. A move is an edge, 0..=59. The 30 horizontal edges come first, row by row from the top
//! left (row × 5 + column, rows 0..=5), then the 30 vertical ones (30 + row × 6 + column, rows 0..=4).
//!
//! A side that draws the last open edge of a box owns the box and moves again. One edge can close two boxes. The game is
//! over when all edges are drawn, and the side with more boxes wins. There is no draw, because there are 25 boxes.

use super::grid::{self, bits};
use super::{Board, Field, Game, Move, Next, Note, Outcome, Side};

/// Boxes along a side of the board.
const SPAN: usize = 5;
const BOXES: usize = SPAN * SPAN;
/// The number of horizontal edges, and so the number of the first vertical edge.
const HORIZONTAL: usize = SPAN * (SPAN + 1);
const EDGES: usize = 2 * HORIZONTAL;

/// A set of edges: bit n is edge n. A search plays a hundred thousand moves per second on such sets.
type Edges = u64;
/// A set of boxes: bit n is box n.
type Boxes = u64;

const ALL_EDGES: Edges = (1 << EDGES) - 1;
const ALL_BOXES: Boxes = (1 << BOXES) - 1;

/// The four edges of each box.
const FRAMES: [Edges; BOXES] = frames();
/// The boxes on both sides of each edge. An edge at the rim has only one.
const BESIDE: [Boxes; EDGES] = beside();

/// The distance between two edges in the order in which equally good edges are drawn. It reaches each edge once. In
/// their own order the edges would fill the board row by row.
const SCATTER: usize = 23;

const fn frames() -> [Edges; BOXES] {
    let mut frames = [0; BOXES];
    let mut square = 0;
    while square < BOXES {
        let left = HORIZONTAL + square / SPAN * (SPAN + 1) + square % SPAN;
        frames[square] = 1 << square | 1 << (square + SPAN) | 1 << left | 1 << (left + 1);
        square += 1;
    }
    frames
}

const fn beside() -> [Boxes; EDGES] {
    let mut beside = [0; EDGES];
    let mut at = 0;
    while at < EDGES * BOXES {
        let (edge, square) = (at / BOXES, at % BOXES);
        if FRAMES[square] >> edge & 1 == 1 {
            beside[edge] |= 1 << square;
        }
        at += 1;
    }
    beside
}

/// The board. A box has the number row × 5 + column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dots {
    /// The edges that each side drew.
    edges: [Edges; 2],
    /// The boxes that each side owns.
    boxes: [Boxes; 2],
}

impl Dots {
    /// Parses a board from its two texts, in the form of [`Game::board`]. Returns `None` if a text has another form,
    /// if a box with an open edge has an owner, or if a closed box has none.
    pub fn from_texts(edges: &str, boxes: &str) -> Option<Self> {
        let board = Dots {
            edges: grid::sets(&grid::parse::<EDGES>(edges)?),
            boxes: grid::sets(&grid::parse::<BOXES>(boxes)?),
        };
        let is_sound =
            |square: usize| (board.owned() >> square & 1 == 1) == (FRAMES[square] & board.open() == 0);
        (0..BOXES).all(is_sound).then_some(board)
    }

    /// Returns the edges that are not drawn yet.
    fn open(&self) -> Edges {
        ALL_EDGES & !(self.edges[0] | self.edges[1])
    }

    /// Returns the boxes that have an owner.
    fn owned(&self) -> Boxes {
        self.boxes[0] | self.boxes[1]
    }

    /// Returns the number of boxes of each side.
    fn count(&self) -> [u16; 2] {
        self.boxes.map(|boxes| boxes.count_ones() as u16)
    }
}

/// Returns the length of the chain that opens when `edge` is drawn: the number of boxes that the other side can then
/// close one after another. Stops counting at `most`.
fn chain(mut open: Edges, edge: usize, most: u32) -> u32 {
    open &= !(1 << edge);
    let mut closed = 0;
    let mut ends = BESIDE[edge];
    while ends != 0 && closed < most {
        let square = ends.trailing_zeros() as usize;
        ends &= ends - 1;
        let last = FRAMES[square] & open;
        if last.count_ones() == 1 {
            // Drawing a box's last edge can leave the box behind that edge with one open edge as well.
            open &= !last;
            let behind = BESIDE[last.trailing_zeros() as usize] & !(1 << square);
            closed += 1 + u32::from(behind != 0 && FRAMES[behind.trailing_zeros() as usize] & open == 0);
            ends |= behind;
        }
    }
    closed
}

/// Returns the edge to draw out of a set of equally good ones.
fn scattered(edges: Edges) -> Move {
    bits(edges).max_by_key(|edge| edge * SCATTER % EDGES).unwrap_or_default() as Move
}

impl Game for Dots {
    fn legal(&self, v: Move, _side: Side) -> bool {
        usize::from(v) < EDGES && self.open() >> v & 1 == 1
    }

    /// Returns the edge that closes the most boxes, or else one after which the other side can close no box, preferably
    /// beside boxes without a drawn edge, or else the one that opens the shortest chain.
    fn auto_move(&self, _side: Side) -> Move {
        let open = self.open();
        let (mut closing, mut closing_two, mut giving, mut beside_drawn) = (0, 0, 0, 0);
        for frame in FRAMES {
            let left = frame & open;
            match left.count_ones() {
                1 => (closing, closing_two) = (closing | left, closing_two | closing & left),
                2 => giving |= left,
                3 => beside_drawn |= left,
                _ => {}
            }
        }
        let best = [closing_two, closing, open & !giving & !beside_drawn, open & !giving];
        if let Some(best) = best.into_iter().find(|&edges| edges != 0) {
            return scattered(best);
        }
        let (mut shortest, mut edges) = (u32::MAX, 0);
        for edge in bits(open) {
            let length = chain(open, edge, shortest.saturating_add(1));
            if length < shortest {
                (shortest, edges) = (length, 0);
            }
            if length == shortest {
                edges |= 1 << edge;
            }
        }
        scattered(edges)
    }

    fn apply(&mut self, v: Move, side: Side) -> Next {
        let edge = usize::from(v);
        self.edges[usize::from(side)] |= 1 << edge;
        let open = self.open();
        let closed = bits(BESIDE[edge]).filter(|&square| FRAMES[square] & open == 0);
        let closed = closed.fold(0, |set, square| set | 1 << square);
        self.boxes[usize::from(side)] |= closed;
        if closed == 0 {
            return Next::Other;
        }
        // The last edge of a game always closes a box.
        if self.owned() == ALL_BOXES {
            Next::Over(Outcome::by_score(self.count()))
        } else {
            Next::Side(side, Note::Again)
        }
    }

    fn moves(&self, _side: Side) -> Vec<Move> {
        bits(self.open()).map(|edge| edge as Move).collect()
    }

    fn board(&self) -> Board {
        Board(vec![
            ("edges", grid::text(&grid::cells::<EDGES>(self.edges))),
            ("boxes", grid::text(&grid::cells::<BOXES>(self.boxes))),
            ("count", Field::Numbers(self.count().to_vec())),
        ])
    }
}
