//! The House in seat 1: a champion who is alone can play against the box, until another person can be seated.
//!
//! The House is not a person: it has no id and no streak, and is never in line. A match is against the House if its
//! second player has no id. No person has seat 1 then.

use super::current_match::{Match, Note, Player};
use super::people::{People, PersonId};
use super::{Phase, WinnerStays};
use crate::bot::Strength;
use crate::games::{Game, Move, Side};
use crate::limits::Ms;
use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};

/// The side that the House plays.
pub const HOUSE_SIDE: Side = 1;

/// A turn of the House.
#[derive(Debug)]
pub struct HouseTurn<'a> {
    /// The turn's id.
    pub id: u64,
    /// The board.
    pub board: &'a dyn Game,
    /// The strength against this guest.
    pub strength: Strength,
}

/// The House's strength against its newest guest, which depends on that guest's results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Handicap {
    guest: Option<PersonId>,
    strength: Strength,
    /// The number of games that the guest has lost in a row at this strength.
    lost: u32,
}

impl Handicap {
    /// Records a game's outcome. The strength goes up by one after a win of the guest, and down by one after two losses in
    /// a row.
    fn record(&mut self, winner: Option<Side>) {
        self.lost = if winner == Some(HOUSE_SIDE) { self.lost + 1 } else { 0 };
        match winner {
            Some(HOUSE_SIDE) if self.lost == 2 => {
                self.strength = self.strength.weaker();
                self.lost = 0;
            }
            Some(HOUSE_SIDE) | None => {}
            Some(_) => self.strength = self.strength.stronger(),
        }
    }
}

impl WinnerStays {
    /// Returns whether the game on the board is against the House.
    pub fn is_against_house(&self) -> bool {
        self.current_match.as_ref().is_some_and(Match::is_against_house)
    }

    /// Seats the House against the champion if the champion is alone.
    ///
    /// # Errors
    /// Returns `When` in another phase than `open`, or if this person is not the champion or is away.
    pub fn house_on(&mut self, id: PersonId, people: &People, now: Ms) -> Result<(), Refusal> {
        if self.phase != Phase::Open || self.seats[0] != Some(id) || !people.is_present(id) {
            return Err(Refusal::When);
        }
        if self.handicap.guest != Some(id) {
            self.handicap = Handicap { guest: Some(id), ..Handicap::default() };
        }
        let players = [Player::person(id, people), Player::house()];
        self.start(Match::new(self.game, players, now), now);
        Ok(())
    }

    /// Ends the game against the House without a result.
    ///
    /// # Errors
    /// Returns `When` if there is no such game, or if this person is not its champion.
    pub fn house_off(&mut self, id: PersonId, people: &People, now: Ms) -> Result<(), Refusal> {
        if !self.is_against_house() || self.seats[0] != Some(id) {
            return Err(Refusal::When);
        }
        self.drop_house_game(people, now);
        Ok(())
    }

    /// Returns the current turn if it is the House's.
    pub fn house_turn(&self) -> Option<HouseTurn<'_>> {
        let current = self.current_match.as_ref().filter(|_| self.phase == Phase::Play)?;
        let due = current.is_against_house() && current.on_turn == HOUSE_SIDE;
        due.then_some(HouseTurn {
            id: self.turn_id,
            board: &*current.board,
            strength: self.handicap.strength,
        })
    }

    /// Plays the House's move `v` in turn `n`.
    ///
    /// # Errors
    /// Returns `Turn` if that turn is over, and `Move` if the move is not legal.
    pub fn play_house(&mut self, v: Move, n: u64, now: Ms) -> Result<(), Refusal> {
        let turn = self.house_turn().filter(|turn| turn.id == n).ok_or(Refusal::Turn)?;
        if !turn.board.legal(v, HOUSE_SIDE) {
            return Err(Refusal::Move);
        }
        self.apply(v, false, now);
        Ok(())
    }

    /// Ends a game against the House if there is a present person in line, who then plays at once.
    pub(super) fn step_aside(&mut self, people: &People, now: Ms) {
        if !self.is_against_house() || self.next_in_line(people).is_none() {
            return;
        }
        self.drop_house_game(people, now);
        if let Some(current) = &mut self.current_match {
            current.note = Some((Note::Aside, HOUSE_SIDE));
        }
    }

    /// Drops the game against the House without a winner. The champion keeps the seat and the streak.
    pub(super) fn drop_house_game(&mut self, people: &People, now: Ms) {
        self.current_match = None;
        self.phase = Phase::Open;
        self.deadline = None;
        self.refill(people, now);
    }

    /// Records the outcome if the game was against the House.
    pub(super) fn record_house_game(&mut self, winner: Option<Side>) {
        if self.is_against_house() {
            self.handicap.record(winner);
        }
    }
}
