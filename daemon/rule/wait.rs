//! The time that a person in line still waits, estimated from the last games.

use super::{Phase, WinnerStays};
use crate::limits::{LAST_GAMES_MAX, Ms};
use serde::{Deserialize, Serialize};

/// The durations of the last games that people played to their end, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LastGames(Vec<Ms>);

impl LastGames {
    /// Adds a game, in place of the oldest one if there are many.
    pub(super) fn add(&mut self, duration: Ms) {
        if self.0.len() >= LAST_GAMES_MAX {
            self.0.remove(0);
        }
        self.0.push(duration);
    }

    /// Returns whether there are no more games than are kept.
    pub(super) fn is_bounded(&self) -> bool {
        self.0.len() <= LAST_GAMES_MAX
    }

    /// Returns the median, the longer of two, or `None` without a game.
    fn median(&self) -> Option<Ms> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    }
}

/// The time until seats are given, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The milliseconds until the first present person in line plays.
    rest: Ms,
    /// The milliseconds of one more game with its result.
    game: Ms,
}

impl Wait {
    /// Returns the minutes until somebody plays who has this many present people ahead in line. At least 1.
    pub(super) fn minutes(self, ahead: usize) -> u64 {
        let games = self.game.saturating_mul(ahead as u64);
        (self.rest.saturating_add(games).saturating_add(30_000) / 60_000).max(1)
    }
}

impl WinnerStays {
    /// Returns how long people in line wait, or `None` before a first game is over and between games.
    pub(super) fn wait(&self, now: Ms) -> Option<Wait> {
        let game = self.last_games.median()?.saturating_add(self.times.result);
        let current = self.current_match.as_ref().filter(|current| !current.is_against_house())?;
        let rest = match self.phase {
            Phase::Play => game.saturating_sub(now.saturating_sub(current.started)),
            Phase::Result => self.deadline?.saturating_sub(now),
            Phase::Open | Phase::Rematch => return None,
        };
        Some(Wait { rest, game })
    }
}
