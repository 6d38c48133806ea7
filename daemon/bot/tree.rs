//! The tree of a search: every node a position, judged by the playouts that went through it.

use crate::games::{Game, Move, Next, Outcome, Side, other};
use rand::RngExt;
use rand::rngs::SmallRng;
use std::ops::Range;

/// The weight of trying what was tried rarely, for values between 0 and 1.
const EXPLORATION: f64 = 0.8;
/// The part of a playout's moves that are the game's own `auto_move`: random moves alone misjudge games of long turns.
const GUIDED: f64 = 0.6;
/// The part of a value that the margin decides; the rest is who won.
const MARGIN: f64 = 0.1;
/// Moves of a playout before it counts as a draw: no game of the house is nearly as long.
const PLAYOUT_MOVES_MAX: usize = 1_000;

/// How a game ended, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Win(Side),
    Draw,
}

/// A position, and the move that led to it.
#[derive(Clone, Debug)]
struct Node {
    v: Move,
    /// The side that is on turn here; known after the first visit.
    turn: Side,
    visits: u32,
    /// Sum of the playouts' values for side 1.
    value: f64,
    /// The outcome of perfect play from here, once it is proven.
    proven: Option<End>,
    /// The positions that can follow, once they are in the tree.
    children: Range<u32>,
}

impl Node {
    fn new(v: Move) -> Self {
        Node { v, turn: 0, visits: 0, value: 0.0, proven: None, children: 0..0 }
    }

    /// Returns the mean value for `side`.
    fn mean(&self, side: Side) -> f64 {
        let of_1 = match self.proven {
            Some(End::Win(winner)) => f64::from(winner),
            Some(End::Draw) => 0.5,
            None => self.value / f64::from(self.visits.max(1)),
        };
        if side == 1 { of_1 } else { 1.0 - of_1 }
    }
}

/// The tree, its root first.
#[derive(Debug)]
pub(super) struct Tree {
    board: Box<dyn Game>,
    nodes: Vec<Node>,
}

impl Tree {
    /// Returns the tree of a position in which `side` is on turn.
    pub(super) fn new(board: Box<dyn Game>, side: Side) -> Self {
        Tree { board, nodes: vec![Node { turn: side, visits: 1, ..Node::new(0) }] }
    }

    /// Returns whether perfect play is known: more playouts change nothing.
    pub(super) fn is_solved(&self) -> bool {
        self.nodes[0].proven.is_some()
    }

    /// Plays one game from the root to its end: down the tree, one node further, and on at random.
    pub(super) fn playout(&mut self, rng: &mut SmallRng) {
        let mut board = self.board.boxed_clone();
        let mut path = vec![0];
        let mut at = 0;
        let value = loop {
            if let Some(end) = self.nodes[at].proven {
                break value_of_end(end);
            }
            if self.nodes[at].visits == 0 {
                break play_out(&mut *board, self.nodes[at].turn, rng);
            }
            if self.nodes[at].children.is_empty() {
                self.expand(at, &*board, rng);
            }
            let side = self.nodes[at].turn;
            at = self.select(at);
            path.push(at);
            let node = &mut self.nodes[at];
            match board.apply(node.v, side) {
                Next::Other => node.turn = other(side),
                Next::Side(again, _) => node.turn = again,
                Next::Over(outcome) => {
                    node.proven = Some(outcome.winner.map_or(End::Draw, End::Win));
                    break value_of(&outcome);
                }
            }
        };
        // A node can only become proven when the one below it has just been.
        let mut proven = true;
        for &at in path.iter().rev() {
            self.nodes[at].visits += 1;
            self.nodes[at].value += value;
            proven = proven && self.prove(at);
        }
    }

    /// Returns the root's best move.
    pub(super) fn best(&self) -> Move {
        let side = self.nodes[0].turn;
        let children = self.children(0);
        let proven = |end| children.clone().find(|node| node.proven == Some(end));
        if let Some(won) = proven(End::Win(side)) {
            return won.v;
        }
        let open = children.clone().filter(|node| node.proven.is_none()).max_by_key(|node| node.visits);
        let draw = proven(End::Draw).filter(|_| open.is_none_or(|open| open.mean(side) < 0.5));
        // Where every move loses, the game's own idea of a sensible move looks less like giving up.
        draw.or(open).map_or_else(|| self.board.auto_move(side), |node| node.v)
    }

    fn children(&self, at: usize) -> impl Iterator<Item = &Node> + Clone {
        let Range { start, end } = self.nodes[at].children;
        self.nodes[start as usize..end as usize].iter()
    }

    /// Adds the positions that can follow, in random order.
    fn expand(&mut self, at: usize, board: &dyn Game, rng: &mut SmallRng) {
        let mut moves = board.moves(self.nodes[at].turn);
        for i in (1..moves.len()).rev() {
            moves.swap(i, rng.random_range(0..=i));
        }
        let start = self.nodes.len() as u32;
        self.nodes.extend(moves.into_iter().map(Node::new));
        self.nodes[at].children = start..self.nodes.len() as u32;
    }

    /// Returns the child to try next: one not tried yet, else the one with the highest upper confidence bound.
    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let explore = EXPLORATION * f64::from(node.visits).ln().sqrt();
        let bound = |child: &Node| match child.visits {
            0 => f64::INFINITY,
            visits => child.mean(node.turn) + explore / f64::from(visits).sqrt(),
        };
        let mut best = (node.children.start as usize, f64::NEG_INFINITY);
        for at in node.children.clone() {
            let child = &self.nodes[at as usize];
            if child.proven.is_none() && bound(child) > best.1 {
                best = (at as usize, bound(child));
            }
        }
        best.0
    }

    /// Notes what perfect play leads to, if the children prove it: a win if one of them wins, else the best if all are
    /// proven. Returns whether it is known.
    fn prove(&mut self, at: usize) -> bool {
        let node = &self.nodes[at];
        if node.proven.is_some() || node.children.is_empty() {
            return node.proven.is_some();
        }
        let rank = |node_end: Option<End>, side| match node_end {
            Some(End::Win(winner)) if winner == side => 3,
            None => 2,
            Some(End::Draw) => 1,
            Some(End::Win(_)) => 0,
        };
        let side = node.turn;
        let best = self.children(at).map(|child| child.proven).max_by_key(|&end| rank(end, side));
        self.nodes[at].proven = best.flatten();
        self.nodes[at].proven.is_some()
    }
}

/// Plays to the end, partly at random. Returns the value for side 1.
fn play_out(board: &mut dyn Game, mut side: Side, rng: &mut SmallRng) -> f64 {
    for _ in 0..PLAYOUT_MOVES_MAX {
        let moves = board.moves(side);
        if moves.is_empty() {
            break;
        }
        let guided = rng.random_bool(GUIDED);
        let v = if guided { board.auto_move(side) } else { moves[rng.random_range(0..moves.len())] };
        match board.apply(v, side) {
            Next::Other => side = other(side),
            Next::Side(again, _) => side = again,
            Next::Over(outcome) => return value_of(&outcome),
        }
    }
    value_of_end(End::Draw)
}

fn value_of_end(end: End) -> f64 {
    match end {
        End::Win(winner) => f64::from(winner),
        End::Draw => 0.5,
    }
}

/// Returns the value of an outcome for side 1, from 0 to 1: who won, and a little of by how much.
fn value_of(outcome: &Outcome) -> f64 {
    let won = value_of_end(outcome.winner.map_or(End::Draw, End::Win));
    let Some([of_0, of_1]) = outcome.score else { return won };
    let share = f64::from(of_1) / f64::from((of_0 + of_1).max(1));
    (1.0 - MARGIN) * won + MARGIN * share
}
