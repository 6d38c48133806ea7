//! One room: its people, their keys and presence, the TV and its remote, the menu or a game.
//!
//! Pure: takes commands, their senders and the time, and returns what has changed.

pub mod attract;
pub mod code;
mod command;
pub mod house;
pub mod names;
pub mod quotas;
pub mod rooms;
pub mod snapshot;

pub use command::{Command, REMOTE, Sender};

use crate::games::{Board, Entry};
use crate::limits::{Ms, PEOPLE_MAX, REMOTE_AUTO_TURNS_MAX};
use crate::refusal::Refusal;
use crate::rule::people::{ConnectionId, People, Person, PersonId};
use crate::rule::view::{PersonalView, SharedView};
use crate::rule::{self, HOUSE, Phase, Role, WinnerStays};
use attract::Attract;
use code::Code;
use rand::rngs::StdRng;

/// All durations of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The durations of the rule.
    pub rule: rule::Times,
    /// The time between two moves of the attract loop, in milliseconds.
    pub attract: Ms,
}

impl Times {
    /// The default durations.
    pub const DEFAULT: Times = Times { rule: rule::Times::DEFAULT, attract: 2_000 };
}

impl Default for Times {
    fn default() -> Self {
        Times::DEFAULT
    }
}

/// The clients for which a change makes a new view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// No client.
    Nobody,
    /// The TV, for its attract board.
    Tv,
    /// All clients of the room.
    Everyone,
}

/// One room.
#[derive(Debug)]
pub struct Room {
    code: Code,
    key: String,
    /// The secret that only the QR code contains.
    scan: String,
    times: Times,
    people: People,
    next_id: PersonId,
    tv: Option<ConnectionId>,
    /// The time at which the room lost its TV.
    tv_away: Ms,
    remote: Option<PersonId>,
    /// The number of turns in a row that the clock has played for the remote.
    remote_auto_turns: u32,
    /// The refused keys of people who were taken out, the oldest first.
    taken_out: Vec<String>,
    rule: Option<WinnerStays>,
    /// The newest turn's id while no game is chosen.
    turn_id: u64,
    attract: Option<(Attract, Ms)>,
    /// The current turn of the House.
    reply: Option<house::Reply>,
}

impl Room {
    /// Returns a new room that shows its menu, without people and without a TV.
    pub fn new(code: Code, key: String, scan: String, times: Times, now: Ms) -> Self {
        Room {
            code,
            key,
            scan,
            times,
            people: People::default(),
            next_id: 1,
            tv: None,
            tv_away: now,
            remote: None,
            remote_auto_turns: 0,
            taken_out: Vec::new(),
            rule: None,
            turn_id: 0,
            attract: None,
            reply: None,
        }
    }

    /// Changes the durations, from now on.
    pub fn set_times(&mut self, times: Times, now: Ms) {
        self.times = times;
        if let Some(rule) = &mut self.rule {
            rule.set_times(times.rule, now);
        }
        if let Some((_, next)) = &mut self.attract {
            *next = (*next).min(now + times.attract);
        }
        self.update_derived(now);
    }

    /// Returns the room's code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the secret of the room's TV.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the secret that only the QR code contains. It proves that the guest sees the TV.
    pub fn scan(&self) -> &str {
        &self.scan
    }

    /// Returns whether the person with that key was taken out for as long as the room exists.
    pub fn is_taken_out(&self, key: &str) -> bool {
        self.taken_out.iter().any(|other| other == key)
    }

    /// Returns all people, in the order in which they first came.
    pub fn people(&self) -> &People {
        &self.people
    }

    /// Returns the TV's connection while it is connected.
    pub fn tv(&self) -> Option<ConnectionId> {
        self.tv
    }

    /// Returns the rule while a game is chosen.
    pub fn rule(&self) -> Option<&WinnerStays> {
        self.rule.as_ref()
    }

    /// Returns the view that all people share, or `None` on the menu.
    pub fn shared_view(&self, now: Ms) -> Option<SharedView<'_>> {
        self.rule.as_ref().map(|rule| rule.shared_view(&self.people, now))
    }

    /// Returns one person's own part of the view. It is empty on the menu.
    pub fn personal_view(&self, id: PersonId) -> PersonalView {
        self.rule.as_ref().map(|rule| rule.personal_view(id)).unwrap_or_default()
    }

    /// Returns the remote's own part of the view. It is empty while the remote is not in the room.
    pub fn remote_view(&self) -> PersonalView {
        self.remote.map(|id| self.personal_view(id)).unwrap_or_default()
    }

    /// Returns the attract board while the TV shows one.
    pub fn attract(&self) -> Option<Board> {
        self.attract.as_ref().map(|(attract, _)| attract.board())
    }

    /// Returns the person with that key.
    pub fn by_key(&self, key: &str) -> Option<&Person> {
        self.people.iter().find(|p| !key.is_empty() && p.key == key)
    }

    /// Connects the TV's page, the first time or again. Returns the connection that it replaces.
    pub fn host(&mut self, connection: ConnectionId, now: Ms) -> Option<ConnectionId> {
        let replaced = self.tv.replace(connection).filter(|&old| old != connection);
        if let Some(id) = self.remote {
            self.mark_present(id, None, now);
        }
        self.update_derived(now);
        replaced
    }

    /// Opens a game. A match in progress ends without a result, and the people stay.
    pub fn open(&mut self, game: &'static Entry, now: Ms) {
        self.close_game();
        self.rule = Some(WinnerStays::new(game, self.times.rule, self.turn_id, &self.people, now));
        self.update_derived(now);
    }

    /// Returns the nickname, with a number appended if another person or the House has it.
    fn unique_nick(&self, nick: &str, of: Option<PersonId>) -> String {
        let others = self.people.iter().filter(|p| Some(p.id) != of).map(|p| p.nick.as_str());
        names::unique(nick, others.chain([HOUSE]))
    }

    /// Adds a new person, in a free seat or at the end of the line. Returns the person's number, and the absent person
    /// who was removed to make room.
    ///
    /// # Errors
    /// Returns `Full` if the room is full and nobody can be removed.
    pub fn join(
        &mut self,
        nick: &str,
        key: String,
        connection: Option<ConnectionId>,
        now: Ms,
    ) -> Result<(PersonId, Option<Person>), Refusal> {
        let evicted = self.make_room(now)?;
        let id = self.next_id;
        self.next_id += 1;
        let nick = self.unique_nick(nick, None);
        self.people.push(Person { id, nick, key, connection, away: None });
        if let Some(rule) = &mut self.rule {
            rule.enlist(id, &self.people, now);
        }
        self.update_derived(now);
        Ok((id, evicted))
    }

    /// Reconnects a person, under a nickname that may be new. Returns the connection that this one replaces.
    pub fn rejoin(
        &mut self,
        id: PersonId,
        nick: &str,
        connection: ConnectionId,
        now: Ms,
    ) -> Option<ConnectionId> {
        let nick = self.unique_nick(nick, Some(id));
        let person = self.people.get_mut(id)?;
        person.nick = nick;
        let replaced = person.connection.filter(|&old| old != connection);
        self.mark_present(id, Some(connection), now);
        self.update_derived(now);
        replaced
    }

    /// Records that a client's connection is lost. Its place is held. Returns the clients that have a new view to see.
    pub fn on_disconnect(&mut self, connection: ConnectionId, now: Ms) -> Audience {
        if self.tv == Some(connection) {
            self.tv = None;
            self.tv_away = now;
            if let Some(remote) = self.remote.and_then(|id| self.people.get_mut(id)) {
                remote.away = Some(now);
            }
        } else if let Some(person) = self.people.iter_mut().find(|p| p.connection == Some(connection)) {
            person.connection = None;
            person.away = Some(now);
        } else {
            return Audience::Nobody;
        }
        self.update_derived(now);
        Audience::Everyone
    }

    /// Returns the time at which `tick` has something to do if nothing else happens.
    pub fn deadline(&self) -> Option<Ms> {
        let gone = self.people.iter().filter_map(|p| self.expires_at(p));
        let attract = self.attract.as_ref().map(|(_, next)| *next);
        let rule = self.rule.as_ref().and_then(WinnerStays::deadline);
        let reply = self.reply.as_ref().and_then(house::Reply::deadline);
        gone.chain(attract).chain(rule).chain(reply).chain(self.closes_at()).min()
    }

    /// Returns the time at which a room without its TV is closed.
    pub fn closes_at(&self) -> Option<Ms> {
        self.tv.is_none().then(|| self.tv_away + self.times.rule.hold)
    }

    /// Does everything that is due, the earliest first. Returns the clients that have a new view to see.
    pub fn tick(&mut self, now: Ms, rng: &mut StdRng) -> Audience {
        let mut change = Audience::Nobody;
        loop {
            // A known move of the House was due before the turn's end, so it is played before the move clock's.
            if self.play_reply(now) {
                change = Audience::Everyone;
                self.update_reply(now);
            }
            let rule = self.rule.as_ref().and_then(WinnerStays::deadline).filter(|&at| at <= now);
            let gone = self.people.iter().filter_map(|p| Some((self.expires_at(p)?, p.id))).min();
            match (rule, gone.filter(|&(at, _)| at <= now)) {
                (due, Some((at, id))) if due.is_none_or(|due| at < due) => {
                    self.remove(id, now);
                }
                (Some(_), _) => self.tick_rule(now),
                (None, _) => break,
            }
            change = Audience::Everyone;
        }
        self.update_derived(now);
        if let Some((attract, next)) = self.attract.as_mut().filter(|(_, next)| *next <= now) {
            attract.step(rng);
            *next = now + self.times.attract;
            change = change.max(Audience::Tv);
        }
        change
    }

    /// Does one step of the rule. Removes the remote if the move clock has played for it too often.
    fn tick_rule(&mut self, now: Ms) {
        let Some(rule) = &mut self.rule else { return };
        let on_turn = rule.on_turn();
        rule.tick(&self.people, now);
        let Some(remote) = self.remote.filter(|&id| on_turn == Some(id)) else { return };
        self.remote_auto_turns += 1;
        if self.remote_auto_turns >= REMOTE_AUTO_TURNS_MAX {
            self.remove(remote, now);
        }
    }

    /// Updates what follows from the rule: the House's turn and the attract loop.
    fn update_derived(&mut self, now: Ms) {
        self.update_reply(now);
        self.update_attract_mode(now);
    }

    fn close_game(&mut self) {
        if let Some(rule) = self.rule.take() {
            self.turn_id = rule.turn_id();
        }
        self.attract = None;
        self.reply = None;
    }

    fn mark_present(&mut self, id: PersonId, connection: Option<ConnectionId>, now: Ms) {
        let Some(person) = self.people.get_mut(id) else { return };
        person.connection = connection;
        person.away = None;
        if let Some(rule) = &mut self.rule {
            rule.on_return(id, &self.people, now);
        }
    }

    fn remove(&mut self, id: PersonId, now: Ms) -> Option<Person> {
        let person = self.people.remove(id)?;
        if self.remote == Some(id) {
            self.remote = None;
            self.remote_auto_turns = 0;
        }
        if let Some(rule) = &mut self.rule {
            rule.on_left(&person, &self.people, now);
        }
        Some(person)
    }

    fn expires_at(&self, person: &Person) -> Option<Ms> {
        match &self.rule {
            Some(rule) => rule.expires_at(person),
            None => person.away.map(|since| since + self.times.rule.hold),
        }
    }

    /// Makes room for one more person. If the room is full, it removes and returns the person who has been away longest
    /// among those in line and those who watch.
    ///
    /// # Errors
    /// Returns `Full` if there is no such person.
    fn make_room(&mut self, now: Ms) -> Result<Option<Person>, Refusal> {
        if self.people.len() < PEOPLE_MAX {
            return Ok(None);
        }
        let held = |p: &Person| match &self.rule {
            Some(rule) => !matches!(rule.role(p.id), Role::Line | Role::Out),
            None => false,
        };
        let away = self.people.iter().filter(|p| !held(p)).filter_map(|p| Some((p.away?, p.id)));
        let (_, id) = away.min().ok_or(Refusal::Full)?;
        Ok(self.remove(id, now))
    }

    /// Starts or ends the attract loop, which runs while the room is open and the TV is connected.
    fn update_attract_mode(&mut self, now: Ms) {
        let open = self.rule.as_ref().filter(|rule| rule.phase() == Phase::Open && self.tv.is_some());
        match (open, &self.attract) {
            (Some(rule), None) => {
                self.attract = Some((Attract::new(rule.game()), now + self.times.attract));
            }
            (None, Some(_)) => self.attract = None,
            _ => {}
        }
    }
}
