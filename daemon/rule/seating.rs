//! The seating order: the new places of winner, loser and line after a result, and the next person for an empty seat.

use super::people::{People, PersonId};
use super::{Phase, WinnerStays};
use crate::games::other;
use crate::limits::Ms;

impl WinnerStays {
    /// Ends the result: winner, loser and line get their new places. People who left have none already.
    pub(super) fn settle(&mut self, people: &People, now: Ms) {
        if self.is_against_house() {
            self.drop_house_game(people, now);
            return;
        }
        let Some(current) = &self.current_match else { return };
        let won = current.ended.as_ref().and_then(|ended| ended.outcome.winner);
        // After a draw the champion stays, and the challenger counts as the loser.
        let winner = won.unwrap_or(0);
        let here = |side: u8| {
            let seat = usize::from(side);
            self.seats[seat].filter(|_| current.players[seat].left.is_none())
        };
        let (winner, loser) = (here(winner), here(other(winner)));
        match won {
            Some(0) => self.streak += 1,
            Some(_) => self.streak = 1,
            None => {}
        }
        self.seats = [winner, None];
        if let Some(loser) = loser {
            if self.next_in_line(people).is_some() {
                self.line.push(loser);
            } else {
                self.asker = Some(loser);
            }
        }
        self.phase = Phase::Rematch;
        self.deadline = Some(now + self.times.rematch);
        self.refill(people, now);
    }

    /// Returns the index in line of the first present person.
    pub(super) fn next_in_line(&self, people: &People) -> Option<usize> {
        self.line.iter().position(|&id| people.is_present(id))
    }

    /// Takes the first present person out of the line.
    fn take_next(&mut self, people: &People) -> Option<PersonId> {
        self.next_in_line(people).map(|at| self.line.remove(at))
    }

    /// Fills empty seats between games. Only a game against the House, or its result, is ended for that.
    pub(super) fn refill_between_games(&mut self, people: &People, now: Ms) {
        match self.phase {
            Phase::Open | Phase::Rematch => self.refill(people, now),
            Phase::Play | Phase::Result => self.step_aside(people, now),
        }
    }

    /// Fills empty seats in the seating order: first seat 0 from the asker or else from the line, then seat 1 from the line.
    pub(super) fn refill(&mut self, people: &People, now: Ms) {
        if self.seats[0].is_none() {
            self.seats[0] = self.asker.take().or_else(|| self.take_next(people));
            self.streak = 0;
        }
        if self.seats[0].is_some() && self.seats[1].is_none() {
            self.seats[1] = self.take_next(people);
            if self.seats[1].is_some() {
                // A person who gets in line during a rematch plays first. The asker goes behind all who wait.
                self.line.extend(self.asker.take());
                self.begin(people, now);
                return;
            }
        }
        if self.asker.is_none() {
            self.phase = Phase::Open;
            self.deadline = None;
            self.current_match = None;
        }
    }
}
