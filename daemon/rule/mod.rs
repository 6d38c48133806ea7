//! The rule "winner stays", for any game: decides who is champion, challenger, in line or the asker.
//!
//! Pure: takes events and the time, and returns the next deadline. Knows no game by name and no socket.
//!
//! | phase | next phase | cause |
//! | --- | --- | --- |
//! | open | play | there are people for both seats |
//! | open | play | a champion who is alone starts a game against the House |
//! | play | result | the game is over, or a player has left |
//! | play, result | open, play | against the House: the champion ends the game or has left, or another person can be seated |
//! | result | play, rematch, open | its time is up, or a seated person leaves: `settle` |
//! | rematch | play | the asker asks for it, or another person gets in line, who then plays first |
//! | rematch | open | the asker declines, leaves or is out of time, or takes the seat of a champion who leaves |

mod current_match;
pub mod house;
pub mod people;
mod seating;
pub mod snapshot;
mod times;
pub mod view;
pub mod wait;

use crate::games::{Entry, Move, Outcome};
use crate::limits::Ms;
use crate::refusal::Refusal;
use current_match::{GameEnd, Match, Player};
pub use current_match::{HOUSE, LastMove, Note};
use house::Handicap;
use people::{People, Person, PersonId};
use serde::Serialize;
pub use times::Times;
use wait::LastGames;

/// The phases of a room with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Fewer than two people can be seated.
    Open,
    /// A game is on the board and one side is on turn.
    Play,
    /// The finished game is shown with its result.
    Result,
    /// The loser may ask for a rematch. The finished board is still shown.
    Rematch,
}

/// A person's place in the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The champion, in seat 0.
    Champ,
    /// The challenger, in seat 1.
    Chal,
    /// Waiting in line.
    Line,
    /// The loser who may ask for a rematch.
    #[serde(rename = "rematch")]
    Asker,
    /// Watching.
    Out,
}

/// The state of the rule for one room and game.
#[derive(Debug)]
pub struct WinnerStays {
    game: &'static Entry,
    times: Times,
    phase: Phase,
    seats: [Option<PersonId>; 2],
    line: Vec<PersonId>,
    asker: Option<PersonId>,
    /// People who were away when the game was picked. They get a place when they return.
    pending_enlistment: Vec<PersonId>,
    streak: u32,
    turn_id: u64,
    /// The end of the current turn, result or rematch. Each phase sets its own, so none is left from an earlier phase.
    deadline: Option<Ms>,
    current_match: Option<Match>,
    handicap: Handicap,
    last_games: LastGames,
}

impl WinnerStays {
    /// Starts the rule with all present people, in the order in which they first came. `turn_id` is the room's last
    /// turn id.
    ///
    /// ```
    /// use doozer_box::games::find;
    /// use doozer_box::rule::people::{ConnectionId, People, Person};
    /// use doozer_box::rule::{Phase, Role, Times, WinnerStays};
    ///
    /// let mut people = People::default();
    /// for (id, nick) in [(1, "Wren"), (2, "Heron")] {
    ///     let connection = Some(ConnectionId(u64::from(id)));
    ///     people.push(Person { id, nick: nick.into(), key: nick.into(), connection, away: None });
    /// }
    /// let game = find("four").ok_or("no such game")?;
    /// let mut rule = WinnerStays::new(game, Times::DEFAULT, 0, &people, 0);
    /// assert_eq!((rule.phase(), rule.role(1), rule.role(2)), (Phase::Play, Role::Champ, Role::Chal));
    ///
    /// // The challenger moves first, and wins with a column of four.
    /// for (id, v) in [(2, 3), (1, 0), (2, 3), (1, 0), (2, 3), (1, 0), (2, 3)] {
    ///     rule.play(id, v, None, 1_000).map_err(|refusal| refusal.as_str())?;
    /// }
    /// assert_eq!(rule.phase(), Phase::Result);
    ///
    /// // The winner takes seat 0 when the result clears, and the loser may ask for a rematch.
    /// rule.tick(&people, 1_000 + Times::DEFAULT.result);
    /// assert_eq!((rule.phase(), rule.role(2), rule.role(1)), (Phase::Rematch, Role::Champ, Role::Asker));
    /// # Ok::<(), &str>(())
    /// ```
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
            last_games: LastGames::default(),
        };
        rule.refill(people, now);
        rule
    }

    /// Returns the current game.
    pub fn game(&self) -> &'static Entry {
        self.game
    }

    /// Returns the phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the id of the newest turn. Ids rise for as long as the room exists.
    pub fn turn_id(&self) -> u64 {
        self.turn_id
    }

    /// Returns the time at which `tick` has something to do if nothing else happens.
    pub fn deadline(&self) -> Option<Ms> {
        self.deadline
    }

    /// Returns a person's place.
    pub fn role(&self, id: PersonId) -> Role {
        match self.seats {
            [Some(champ), _] if champ == id => Role::Champ,
            [_, Some(chal)] if chal == id => Role::Chal,
            _ if self.asker == Some(id) => Role::Asker,
            _ if self.line.contains(&id) => Role::Line,
            _ => Role::Out,
        }
    }

    /// Returns the person on turn, or `None` outside of play and in a turn of the House.
    pub fn on_turn(&self) -> Option<PersonId> {
        let current = self.current_match.as_ref().filter(|_| self.phase == Phase::Play)?;
        self.seats[usize::from(current.on_turn)]
    }

    /// Returns the time at which a person who is away loses their place for good, or `None` while they are present.
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
        // For a person who was seated while away, the time counts from the start of the game.
        let started = self.current_match.as_ref().map_or(0, |p| p.started);
        Some(since.max(started) + self.times.away)
    }

    /// Gives a new or watching person a free seat or the last place in line.
    pub fn enlist(&mut self, id: PersonId, people: &People, now: Ms) {
        self.pending_enlistment.retain(|&other| other != id);
        self.line.push(id);
        self.refill_between_games(people, now);
    }

    /// Handles a person's return, which `people` shows already.
    pub fn on_return(&mut self, id: PersonId, people: &People, now: Ms) {
        if self.pending_enlistment.contains(&id) {
            self.enlist(id, people, now);
        } else {
            self.refill_between_games(people, now);
        }
    }

    /// Puts a watching person in line. The asker gets the rematch.
    ///
    /// # Errors
    /// Returns `When` if the person has a seat or is in line already.
    pub fn join_line(&mut self, id: PersonId, people: &People, now: Ms) -> Result<(), Refusal> {
        match self.role(id) {
            Role::Out => self.enlist(id, people, now),
            Role::Asker => self.rematch(id, people, now)?,
            Role::Champ | Role::Chal | Role::Line => return Err(Refusal::When),
        }
        Ok(())
    }

    /// Takes a person out of the line, out of asking, or out of seat 0 while there is no game.
    ///
    /// # Errors
    /// Returns `When` if the person is playing, or watches already.
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

    /// Starts the rematch, with the asker as challenger.
    ///
    /// # Errors
    /// Returns `When` in another phase, or for another person than the asker.
    pub fn rematch(&mut self, id: PersonId, people: &People, now: Ms) -> Result<(), Refusal> {
        if self.phase != Phase::Rematch || self.asker != Some(id) {
            return Err(Refusal::When);
        }
        self.seats[1] = self.asker.take();
        self.begin(people, now);
        Ok(())
    }

    /// Plays a person's move `v` in turn `n`, or in the current turn if `n` is `None`.
    ///
    /// # Errors
    /// Returns `Turn` if it is not this person's turn or turn `n` is over, and `Move` if the move is not legal.
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

    /// Handles the leaving of a person, who is no longer in `people`.
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

    /// Does one step if it is due. Each overdue step needs a call of its own.
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
            if !forfeit && !current.is_against_house() {
                self.last_games.add(now.saturating_sub(current.started));
            }
            current.ended = Some(GameEnd { outcome, forfeit });
        }
        self.phase = Phase::Result;
        self.deadline = Some(now + self.times.result);
    }
}
