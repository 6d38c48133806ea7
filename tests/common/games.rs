//! Helpers for the tests of the games: recorded data, its notation of boards, and played games.

use doozer_box::games::{Board, Entry, Field, Game, Move, Next, Note, Outcome, Side, other};
use rand::RngExt;
use rand::rngs::SmallRng;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Moves after which a playout counts as endless.
pub(crate) const MOVES_MAX: usize = 1_000;

/// Returns the path of a file of the project.
pub(crate) fn path(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// Returns the records of a file of `tests/vectors/`, one per line.
pub(crate) fn vectors(file: &str) -> Vec<Value> {
    let text =
        std::fs::read_to_string(path("tests/vectors").join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Converts a record's list of small numbers.
pub(crate) fn numbers(list: &Value) -> Vec<u8> {
    serde_json::from_value(list.clone()).unwrap()
}

/// Converts a record's side: `X` is 1, `O` is 0, anything else is `None`.
pub(crate) fn side(mark: &Value) -> Option<Side> {
    ["O", "X"].iter().position(|side| mark == side).map(|side| side as Side)
}

/// Converts a record's board to our notation.
pub(crate) fn ours(board: &Value) -> String {
    board.as_str().unwrap().replace('X', "1").replace('O', "0")
}

/// Returns the text of a board's cells.
pub(crate) fn cells(game: &dyn Game) -> String {
    let Board(fields) = game.board();
    let texts = fields.into_iter().filter(|(name, _)| *name == "cells");
    texts.map(|(_, field)| if let Field::Text(text) = field { text } else { panic!("{field:?}") }).collect()
}

/// Returns a board in the records' notation: its cells as `X` and `O`, or all its fields if it has no cells.
pub(crate) fn recorded(game: &dyn Game) -> Value {
    let Board(fields) = game.board();
    if fields.iter().any(|(name, _)| *name == "cells") {
        return cells(game).replace('1', "X").replace('0', "O").into();
    }
    let value = |field| match field {
        Field::Text(text) => json!(text),
        Field::Numbers(numbers) => json!(numbers),
    };
    fields.into_iter().map(|(name, field)| (name.to_owned(), value(field))).collect::<Map<_, _>>().into()
}

/// Counts the lines of exactly `depth` moves. A pass is not a move, and a game that ends earlier does not count.
pub(crate) fn perft<G: Game + Clone>(game: &G, side: Side, depth: usize) -> u64 {
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

/// One move of a game, and its effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) v: Move,
    pub(crate) side: Side,
    pub(crate) next: Next,
    pub(crate) board: Board,
}

/// A game and the side on turn.
#[derive(Debug)]
pub(crate) struct Match {
    pub(crate) game: Box<dyn Game>,
    /// The side on turn, or `None` after the end.
    pub(crate) turn: Option<Side>,
    pub(crate) steps: Vec<Step>,
}

impl Match {
    pub(crate) fn new(entry: &Entry) -> Self {
        Match { game: (entry.new_state)(), turn: Some(1), steps: Vec::new() }
    }

    /// Plays for the side on turn.
    pub(crate) fn play(&mut self, v: Move) -> &Next {
        let side = self.turn.expect("it is over");
        assert!(self.game.legal(v, side), "move {v} of side {side} on {:?}", self.game.board());
        let next = self.game.apply(v, side);
        self.turn = match &next {
            Next::Other => Some(other(side)),
            Next::Side(again, _) => Some(*again),
            Next::Over(_) => None,
        };
        self.steps.push(Step { v, side, next, board: self.game.board() });
        &self.steps.last().unwrap().next
    }

    pub(crate) fn play_all(&mut self, moves: &[Move]) -> &mut Self {
        moves.iter().for_each(|&v| _ = self.play(v));
        self
    }

    /// Plays any legal move.
    pub(crate) fn play_any(&mut self, rng: &mut SmallRng) {
        let moves = self.game.moves(self.turn.expect("it is over"));
        self.play(moves[rng.random_range(0..moves.len())]);
    }

    /// Returns the outcome, if the game has ended.
    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        match &self.steps.last()?.next {
            Next::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Returns each pass as the number of moves before it, and the side.
    pub(crate) fn passes(&self) -> Vec<(usize, Side)> {
        let passed = |(at, step): (usize, &Step)| match step.next {
            Next::Side(again, Note::Pass) => Some((at + 1, other(again))),
            _ => None,
        };
        self.steps.iter().enumerate().filter_map(passed).collect()
    }
}

/// Returns how many games `auto_move` wins against random legal moves. It swaps sides after each game.
pub(crate) fn auto_wins(entry: &Entry, games: usize, rng: &mut SmallRng) -> usize {
    let wins = |round: &usize| {
        let mine = (round % 2) as Side;
        let mut game = Match::new(entry);
        while let Some(side) = game.turn {
            if side == mine { _ = game.play(game.game.auto_move(side)) } else { game.play_any(rng) }
        }
        game.outcome().unwrap().winner == Some(mine)
    };
    (0..games).filter(wins).count()
}
