//! Searches the House's moves on a separate thread, so that no tap waits for a search.
//!
//! If several rooms ask at once, each gets an equal share of the time that is left. The moves come as fast as before,
//! from fewer playouts.

use crate::bot::Search;
use crate::games::Move;
use crate::limits::{Ms, PLAYOUTS_AT_ONCE, QUESTIONS_MAX};
use crate::room::code::Code;
use crate::room::house::{Question, Ticket};
use smol::channel::{Receiver, Sender, TrySendError, bounded};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A move that the House has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The room that asked.
    pub code: Code,
    /// The position that it asked about.
    pub ticket: Ticket,
    /// The move.
    pub v: Move,
}

/// A question in the queue.
#[derive(Debug)]
struct Task {
    code: Code,
    question: Question,
    /// The time at which the answer is due.
    by: Instant,
}

/// The House's player. Dropping it ends its thread.
#[derive(Debug)]
pub struct Thinker {
    tasks: Sender<Task>,
    thread: Option<JoinHandle<()>>,
}

impl Thinker {
    /// Starts the thread, which calls `deliver` with each answer and ends when that returns `false`.
    ///
    /// # Errors
    /// Returns the system's error if no thread can be started.
    pub fn start(deliver: impl Fn(Answer) -> bool + Send + 'static) -> io::Result<Self> {
        let (tasks, waiting) = bounded(QUESTIONS_MAX);
        let thread = std::thread::Builder::new().name("house".to_owned());
        let thread = thread.spawn(move || think(&waiting, &deliver))?;
        Ok(Thinker { tasks, thread: Some(thread) })
    }

    /// Queues a question. If too many wait, returns the game's `auto_move` as the answer at once.
    pub fn ask(&self, code: Code, question: Question, now: Ms) -> Option<Answer> {
        // The games of people come first. Without an answer the attract loop plays `auto_move`.
        if matches!(question.ticket, Ticket::Attract(_)) && !self.tasks.is_empty() {
            return None;
        }
        let by = Instant::now() + Duration::from_millis(question.due.saturating_sub(now));
        match self.tasks.try_send(Task { code, question, by }) {
            Ok(()) => None,
            Err(TrySendError::Full(task) | TrySendError::Closed(task)) => {
                let Question { ticket, board, side, .. } = task.question;
                Some(Answer { code, ticket, v: board.auto_move(side) })
            }
        }
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.tasks.close();
        if let Some(thread) = self.thread.take() {
            // The panic hook has logged a panic of the thread.
            let _ = thread.join();
        }
    }
}

fn think(waiting: &Receiver<Task>, deliver: &dyn Fn(Answer) -> bool) {
    let seeds = RandomState::new();
    let mut seed = 0_u64;
    while let Ok(Task { code, question, by }) = waiting.recv_blocking() {
        if waiting.is_closed() {
            break;
        }
        seed += 1;
        let ticket = question.ticket;
        // A panic in a game loses only this answer. The move clock plays instead.
        let found = catch_unwind(AssertUnwindSafe(|| search(question, by, seeds.hash_one(seed), waiting)));
        let answer = found.ok().flatten().map(|v| Answer { code, ticket, v });
        if answer.is_some_and(|answer| !deliver(answer)) {
            break;
        }
    }
}

/// Searches until the playouts or this question's share of the time are used up. Returns `None` if the thread has to
/// end.
fn search(question: Question, by: Instant, seed: u64, waiting: &Receiver<Task>) -> Option<Move> {
    let share = by.saturating_duration_since(Instant::now()) / (waiting.len() as u32 + 1);
    let until = Instant::now() + share;
    let playouts = question.strength.playouts();
    let mut search = Search::new(question.board, question.side, seed);
    let mut run = 0;
    while run < playouts {
        let next = PLAYOUTS_AT_ONCE.min(playouts - run);
        let solved = search.run(next);
        run += next;
        if solved || Instant::now() >= until {
            break;
        }
        if waiting.is_closed() {
            return None;
        }
    }
    Some(search.best())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::Strength;
    use crate::games::GAMES;
    use std::sync::mpsc;

    fn question(turn: u64, due: Ms) -> Question {
        let board = (GAMES[0].new_state)();
        Question { ticket: Ticket::Turn(turn), board, side: 1, strength: Strength::Strong, due }
    }

    fn code() -> Code {
        Code::parse("BCDF").unwrap()
    }

    #[test]
    fn every_question_is_answered_in_order_even_those_that_are_late() {
        let (answers, got) = mpsc::channel();
        let thinker = Thinker::start(move |answer| answers.send(answer).is_ok()).unwrap();
        for turn in 0..20 {
            assert_eq!(thinker.ask(code(), question(turn, 1_000), 1_000), None);
        }
        for turn in 0..20 {
            let answer = got.recv().unwrap();
            assert_eq!((answer.ticket, answer.v < 7), (Ticket::Turn(turn), true));
        }
    }

    #[test]
    fn beyond_the_queue_auto_move_answers_and_the_end_does_not_wait_for_it() {
        let (gate, closed) = mpsc::channel::<()>();
        let thinker = Thinker::start(move |_| closed.recv().is_ok()).unwrap();
        let asked = (0..=QUESTIONS_MAX as u64 + 1).map(|turn| thinker.ask(code(), question(turn, 0), 0));
        let at_once: Vec<Answer> = asked.flatten().collect();
        assert!(!at_once.is_empty() && at_once.iter().all(|answer| answer.v == 3));
        drop(gate);
        drop(thinker);
    }
}
