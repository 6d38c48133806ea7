//! WHO plays: winner stays. Champion, challenger, a line, a rematch, for any game.
//!
//! Pure: events and the time in, the next deadline out. Knows no game by name and no socket.
//!
//! | phase | next | because |
//! | --- | --- | --- |
//! | open | play | both seats can be taken |
//! | open | play | the champion, alone, plays the House |
//! | play | result | the game is over, or a player is gone |
//! | play, result | open, play | against the House: its champion ends it or is gone; somebody else can be seated |
//! | result | play, rematch, open | its time is up, or somebody seated leaves: settle |
//! | rematch | play | the asker asks, or somebody else gets in line (who plays first) |
//! | rematch | open | the asker declines, leaves or is out of time; or the champion goes, whose seat the asker takes |

mod current_match;
pub mod house;
pub mod people;
pub mod snapshot;
pub mod view;

use crate::games::{Entry, Move, Outcome, other};
use crate::limits::Ms;
use crate::refusal::Refusal;
use current_match::{GameEnd, Match, Player};
pub use current_match::{LastMove, Note};
use house::Handicap;
use people::{People, Person, PersonId};
use serde::Serialize;

/// The phases of a room with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Fewer than two people can be seated.
    Open,
    /// A game is on the board and one side is on turn.
    Play,
    /// The finished game, exactly as it was played.
    Result,
    /// The loser may ask for a rematch; the finished board stays.
    Rematch,
}

/// The durations of the rule, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// For a move.
    pub turn: Ms,
    /// For which a result is shown.
    pub result: Ms,
    /// In which a rematch can be asked for.
    pub rematch: Ms,
    /// For which a seat is held in a game, a result or a rematch.
    pub away: Ms,
    /// For which any other place is held, and a room without its TV.
    pub hold: Ms,
}

impl Times {
    /// The durations unless set otherwise.
    pub const DEFAULT: Times =
        Times { turn: 20_000, result: 6_000, rematch: 60_000, away: 30_000, hold: 600_000 };
}

impl Default for Times {
    fn default() -> Self {
        Times::DEFAULT
    }
}

/// Where somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// In seat 0.
    Champ,
    /// In seat 1.
    Chal,
    /// Waiting in line.
    Line,
    /// The loser who may ask for a rematch.
    #[serde(rename = "rematch")]
    Asker,
    /// Watching.
    Out,
}

/// The rule over one game of one room.
#[derive(Debug)]
pub struct WinnerStays {
    game: &'static Entry,
    times: Times,
    phase: Phase,
    seats: [Option<PersonId>; 2],
    line: Vec<PersonId>,
    asker: Option<PersonId>,
    /// Away when the game was picked: enlisted when they come back.
    pending_enlistment: Vec<PersonId>,
    streak: u32,
    turn_id: u64,
    /// The end of the turn, the result or the rematch that is on; set anew with each, so that none outlives its own.
    deadline: Option<Ms>,
    current_match: Option<Match>,
    handicap: Handicap,
}

impl WinnerStays {
    /// A new winner-stays with everyone present, in the order of first coming in. `turn_id`: the room's last one.
    pub fn new(game: &'static Entry, times: Times, turn_id: u64, people: &People, now: Ms) -> Self {
        let ids = |away: bool| people.iter().filter(|p| p.away.is_some() == away).map(|p| p.id).collect();
        let mut rule = WinnerStays {
            game,
            times,
            phase: Phase::Open,
            seats: [None; 2],
            line: ids(false),
            asker: None,
            pending_enlistment: ids(true),
            streak: 0,
            turn_id,
            deadline: None,
            current_match: None,
            handicap: Handicap::default(),
        };
        rule.refill(people, now);
        rule
    }

    /// The game that is on.
    pub fn game(&self) -> &'static Entry {
        self.game
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The id of the newest turn: rises for the life of the room.
    pub fn turn_id(&self) -> u64 {
        self.turn_id
    }

    /// When `tick` has something to do, if nothing else happens.
    pub fn deadline(&self) -> Option<Ms> {
        self.deadline
    }

    /// Where somebody of the room is.
    pub fn role(&self, id: PersonId) -> Role {
        match self.seats {
            [Some(champ), _] if champ == id => Role::Champ,
            [_, Some(chal)] if chal == id => Role::Chal,
            _ if self.asker == Some(id) => Role::Asker,
            _ if self.line.contains(&id) => Role::Line,
            _ => Role::Out,
        }
    }

    /// Returns the person on turn, in play.
    pub fn on_turn(&self) -> Option<PersonId> {
        let current = self.current_match.as_ref().filter(|_| self.phase == Phase::Play)?;
        self.seats[usize::from(current.on_turn)]
    }

    /// When somebody who is away is gone for good; `None` while present.
    pub fn expires_at(&self, person: &Person) -> Option<Ms> {
        let since = person.away?;
        let short = match self.role(person.id) {
            Role::Champ | Role::Chal => self.phase != Phase::Open,
            Role::Asker => true,
            Role::Line | Role::Out => false,
        };
        if !short {
            return Some(since + self.times.hold);
        }
        // For somebody seated while away the grace counts from the start of the game.
        let started = self.current_match.as_ref().map_or(0, |p| p.started);
        Some(since.max(started) + self.times.away)
    }

    /// Somebody new has come in, or somebody watching gets in line: a seat if one is free, else the back of the line.
    pub fn enlist(&mut self, id: PersonId, people: &People, now: Ms) {
        self.pending_enlistment.retain(|&other| other != id);
        self.line.push(id);
        self.refill_between_games(people, now);
    }

    /// Somebody who was away is present again (in `people` already).
    pub fn on_return(&mut self, id: PersonId, people: &People, now: Ms) {
        if self.pending_enlistment.contains(&id) {
            self.enlist(id, people, now);
        } else {
            self.refill_between_games(people, now);
        }
    }

    /// Somebody asks to be in line.
    pub fn join_line(&mut self, id: PersonId, people: &People, now: Ms) -> Result<(), Refusal> {
        match self.role(id) {
            Role::Out => self.enlist(id, people, now),
            Role::Asker => self.rematch(id, people, now)?,
            Role::Champ | Role::Chal | Role::Line => return Err(Refusal::When),
        }
        Ok(())
    }

    /// Somebody steps out: of the line, of asking, or of seat 0 while no game is on.
    pub fn leave_line(&mut self, id: PersonId, people: &People, now: Ms) -> Result<(), Refusal> {
        match self.role(id) {
            Role::Line => self.line.retain(|&other| other != id),
            Role::Asker => self.asker = None,
            Role::Champ if matches!(self.phase, Phase::Open | Phase::Rematch) => self.seats[0] = None,
            Role::Champ | Role::Chal | Role::Out => return Err(Refusal::When),
        }
        self.refill_between_games(people, now);
        Ok(())
    }

    /// The asker asks for the rematch and is challenger.
    pub fn rematch(&mut self, id: PersonId, people: &People, now: Ms) -> Result<(), Refusal> {
        if self.phase != Phase::Rematch || self.asker != Some(id) {
            return Err(Refusal::When);
        }
        self.seats[1] = self.asker.take();
        self.begin(people, now);
        Ok(())
    }

    /// Somebody plays `v`, in answer to turn `n` (`None`: whichever is on).
    pub fn play(&mut self, id: PersonId, v: Move, n: Option<u64>, now: Ms) -> Result<(), Refusal> {
        let Some(current) = self.current_match.as_ref().filter(|_| self.phase == Phase::Play) else {
            return Err(Refusal::Turn);
        };
        let side = current.on_turn;
        if self.seats[usize::from(side)] != Some(id) || n.is_some_and(|n| n != self.turn_id) {
            return Err(Refusal::Turn);
        }
        if !current.board.legal(v, side) {
            return Err(Refusal::Move);
        }
        self.apply(v, false, now);
        Ok(())
    }

    /// Somebody is gone for good, and out of `people` already.
    pub fn on_left(&mut self, person: &Person, people: &People, now: Ms) {
        self.pending_enlistment.retain(|&id| id != person.id);
        self.line.retain(|&id| id != person.id);
        if self.asker == Some(person.id) {
            self.asker = None;
        }
        if let Some(seat) = self.seats.iter().position(|&id| id == Some(person.id)) {
            match (self.phase, &mut self.current_match) {
                (Phase::Play | Phase::Result, Some(current)) if current.is_against_house() => {
                    self.seats[seat] = None;
                    self.drop_house_game(people, now);
                }
                (Phase::Play, Some(current)) => {
                    current.players[seat].left = Some(person.nick.clone());
                    let winner = Some(if seat == 0 { 1 } else { 0 });
                    self.finish(Outcome { winner, ..Outcome::default() }, true, now);
                }
                (Phase::Result, Some(current)) => {
                    current.players[seat].left = Some(person.nick.clone());
                    self.settle(people, now);
                }
                _ => self.seats[seat] = None,
            }
        }
        self.refill_between_games(people, now);
    }

    /// Does what is due: one step, so that several overdue things happen one after another.
    pub fn tick(&mut self, people: &People, now: Ms) {
        if self.deadline.is_none_or(|until| now < until) {
            return;
        }
        match (self.phase, &self.current_match) {
            (Phase::Play, Some(current)) => {
                let v = current.board.auto_move(current.on_turn);
                self.apply(v, true, now);
            }
            (Phase::Result, _) => self.settle(people, now),
            _ => {
                self.asker = None;
                self.refill(people, now);
            }
        }
    }

    fn apply(&mut self, v: Move, auto: bool, now: Ms) {
        let Some(current) = &mut self.current_match else { return };
        match current.apply(v, auto, self.turn_id) {
            None => self.new_turn(now),
            Some(outcome) => self.finish(outcome, false, now),
        }
    }

    fn new_turn(&mut self, now: Ms) {
        self.turn_id += 1;
        self.deadline = Some(now + self.times.turn);
    }

    fn begin(&mut self, people: &People, now: Ms) {
        let [Some(champ), Some(chal)] = self.seats else { return };
        let players = [champ, chal].map(|id| Player::person(id, people));
        self.start(Match::new(self.game, players, now), now);
    }

    fn start(&mut self, new: Match, now: Ms) {
        self.current_match = Some(new);
        self.phase = Phase::Play;
        self.new_turn(now);
    }

    fn finish(&mut self, outcome: Outcome, forfeit: bool, now: Ms) {
        self.record_house_game(outcome.winner);
        if let Some(current) = &mut self.current_match {
            current.ended = Some(GameEnd { outcome, forfeit });
        }
        self.phase = Phase::Result;
        self.deadline = Some(now + self.times.result);
    }

    /// The result clears: winner, loser and line take their new places. Those who left are out already.
    fn settle(&mut self, people: &People, now: Ms) {
        if self.is_against_house() {
            self.drop_house_game(people, now);
            return;
        }
        let Some(current) = &self.current_match else { return };
        let won = current.ended.as_ref().and_then(|ended| ended.outcome.winner);
        // A draw keeps the champion; the challenger counts as the loser.
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

    fn next_in_line(&self, people: &People) -> Option<usize> {
        self.line.iter().position(|&id| people.is_present(id))
    }

    fn take_next(&mut self, people: &People) -> Option<PersonId> {
        self.next_in_line(people).map(|at| self.line.remove(at))
    }

    fn refill_between_games(&mut self, people: &People, now: Ms) {
        match self.phase {
            Phase::Open | Phase::Rematch => self.refill(people, now),
            Phase::Play | Phase::Result => self.step_aside(people, now),
        }
    }

    /// The seating order: seat 0 first, from the asker, then from the line; then seat 1 from the line.
    fn refill(&mut self, people: &People, now: Ms) {
        if self.seats[0].is_none() {
            self.seats[0] = self.asker.take().or_else(|| self.take_next(people));
            self.streak = 0;
        }
        if self.seats[0].is_some() && self.seats[1].is_none() {
            self.seats[1] = self.take_next(people);
            if self.seats[1].is_some() {
                // Whoever gets in line during a rematch plays first; the asker is behind all who wait.
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
