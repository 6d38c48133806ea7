//! What the tests of the games share: recorded data, its way to write boards, and games played out.

use doozer_box::games::{Board, Entry, Field, Game, Move, Next, Note, Outcome, Side, other};
use rand::RngExt;
use rand::rngs::SmallRng;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Moves that no playout of any game may need.
pub(crate) const MOVES_MAX: usize = 1_000;

/// A file of the project, by its path from the top.
pub(crate) fn path(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// The records of a file of `tests/vectors/`, one a line.
pub(crate) fn vectors(file: &str) -> Vec<Value> {
    let text =
        std::fs::read_to_string(path("tests/vectors").join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A list of small numbers in a record.
pub(crate) fn numbers(list: &Value) -> Vec<u8> {
    serde_json::from_value(list.clone()).unwrap()
}

/// A record's side: `X` is 1, `O` is 0; anything else is nobody.
pub(crate) fn side(mark: &Value) -> Option<Side> {
    ["O", "X"].iter().position(|side| mark == side).map(|side| side as Side)
}

/// A record's board, as our boards are written.
pub(crate) fn ours(board: &Value) -> String {
    board.as_str().unwrap().replace('X', "1").replace('O', "0")
}

/// The text of a board's cells.
pub(crate) fn cells(game: &dyn Game) -> String {
    let Board(fields) = game.board();
    let texts = fields.into_iter().filter(|(name, _)| *name == "cells");
    texts.map(|(_, field)| if let Field::Text(text) = field { text } else { panic!("{field:?}") }).collect()
}

/// A board as records keep it: its cells as `X` and `O`, or all its fields if it has no cells.
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

/// Lines of exactly `depth` moves; a pass takes none, and a game that ends earlier counts nothing.
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

/// One move of a line of play, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) v: Move,
    pub(crate) side: Side,
    pub(crate) next: Next,
    pub(crate) board: Board,
}

/// A game with whose turn it is.
#[derive(Debug)]
pub(crate) struct Match {
    pub(crate) game: Box<dyn Game>,
    /// The side on turn; `None` once it is over.
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

    /// How it came out, once it is over.
    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        match &self.steps.last()?.next {
            Next::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Who passed, and after how many moves.
    pub(crate) fn passes(&self) -> Vec<(usize, Side)> {
        let passed = |(at, step): (usize, &Step)| match step.next {
            Next::Side(again, Note::Pass) => Some((at + 1, other(again))),
            _ => None,
        };
        self.steps.iter().enumerate().filter_map(passed).collect()
    }
}

/// Of so many games against somebody who plays any legal move, how many `auto_move` wins; it takes either side in turn.
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
