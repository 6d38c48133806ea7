//! The durations of the rule, and their change during a game.

use super::{Phase, WinnerStays};
use crate::limits::Ms;

/// The durations of the rule, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The time for a move.
    pub turn: Ms,
    /// The time for which a result is shown.
    pub result: Ms,
    /// The time in which a rematch can be asked for.
    pub rematch: Ms,
    /// The time for which a seat is held in a game, a result or a rematch.
    pub away: Ms,
    /// The time for which any other place is held, and for which a room without its TV is kept.
    pub hold: Ms,
}

impl Times {
    /// The default durations.
    pub const DEFAULT: Times =
        Times { turn: 20_000, result: 6_000, rematch: 60_000, away: 30_000, hold: 600_000 };
}

impl Default for Times {
    fn default() -> Self {
        Times::DEFAULT
    }
}

impl WinnerStays {
    /// Changes the durations, from now on. The current phase ends no later than a new one would.
    pub fn set_times(&mut self, times: Times, now: Ms) {
        self.times = times;
        let most = match self.phase() {
            Phase::Open => return,
            Phase::Play => times.turn,
            Phase::Result => times.result,
            Phase::Rematch => times.rematch,
        };
        self.deadline = self.deadline.map(|at| at.min(now + most));
    }
}
