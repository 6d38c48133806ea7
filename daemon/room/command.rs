//! The commands of people and the TV to their room.

use super::Room;
use crate::games::find;
use crate::limits::{Ms, TAKEN_OUT_MAX};
use crate::refusal::Refusal;
use crate::rule::people::{ConnectionId, PersonId};
use crate::rule::{Phase, Role};

/// The nickname of the TV's remote.
pub const REMOTE: &str = "Remote";

/// A command to a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Plays `v` in turn `n`.
    Move {
        /// The move, in the game's own numbers.
        v: u8,
        /// The turn that the move answers. `None` is the current one.
        n: Option<u64>,
    },
    /// Asks for the rematch.
    Rematch,
    /// Gets in line (`true`) or leaves it.
    Line(bool),
    /// Starts (`true`) or ends a game against the House.
    House(bool),
    /// Chooses the game with that slug on the menu.
    Pick(String),
    /// Returns to the menu.
    Home,
    /// Leaves the room.
    Leave,
    /// Takes the person with that nickname out of the room, as if that person had left.
    TakeOut {
        /// The nickname as shown.
        nick: String,
        /// Whether the person's key is refused from then on, for as long as the room exists.
        keep: bool,
    },
}

/// The sender of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// A phone, for its person.
    Phone(PersonId),
    /// The TV, for itself or for its remote.
    Tv,
}

impl Room {
    /// Executes a command. Returns the connection of a person who has left by it, so that it can get a goodbye.
    ///
    /// # Errors
    /// Returns the reason for refusing the command. Nothing has changed then.
    pub fn execute(
        &mut self,
        sender: Sender,
        command: Command,
        now: Ms,
    ) -> Result<Option<ConnectionId>, Refusal> {
        let mut left = None;
        match (command, sender) {
            (Command::Pick(slug), _) => self.pick(&slug, now)?,
            (Command::Home, _) => self.home(sender)?,
            (Command::TakeOut { nick, keep }, _) => left = self.take_out(&nick, keep, now)?,
            (Command::Line(true), Sender::Tv) if self.remote.is_none() => self.enter_remote(now)?,
            (command, sender) => {
                let id = match sender {
                    Sender::Phone(id) => id,
                    Sender::Tv => self.remote.ok_or(Refusal::When)?,
                };
                left = self.execute_as(id, command, now)?;
            }
        }
        self.update_derived(now);
        Ok(left)
    }

    fn execute_as(
        &mut self,
        id: PersonId,
        command: Command,
        now: Ms,
    ) -> Result<Option<ConnectionId>, Refusal> {
        if command == Command::Leave {
            return Ok(self.remove(id, now).and_then(|person| person.connection));
        }
        let rule = self.rule.as_mut().ok_or(Refusal::When)?;
        let people = &self.people;
        match command {
            Command::Move { v, n } => {
                rule.play(id, v, n, now)?;
                if self.remote == Some(id) {
                    self.remote_auto_turns = 0;
                }
            }
            Command::Rematch => rule.rematch(id, people, now)?,
            Command::Line(true) => rule.join_line(id, people, now)?,
            Command::Line(false) => rule.leave_line(id, people, now)?,
            Command::House(true) => rule.house_on(id, people, now)?,
            Command::House(false) => rule.house_off(id, people, now)?,
            Command::Pick(_) | Command::Home | Command::Leave | Command::TakeOut { .. } => {}
        }
        Ok(None)
    }

    /// Takes a person out of the room. With `keep` their key is refused from now on.
    fn take_out(&mut self, nick: &str, keep: bool, now: Ms) -> Result<Option<ConnectionId>, Refusal> {
        let id = self.people.iter().find(|p| p.nick == nick).map(|p| p.id).ok_or(Refusal::When)?;
        let Some(person) = self.remove(id, now) else { return Ok(None) };
        if keep && !person.key.is_empty() {
            if self.taken_out.len() == TAKEN_OUT_MAX {
                self.taken_out.remove(0);
            }
            self.taken_out.push(person.key);
        }
        Ok(person.connection)
    }

    fn pick(&mut self, slug: &str, now: Ms) -> Result<(), Refusal> {
        if self.rule.is_some() {
            return Err(Refusal::When);
        }
        self.open(find(slug).ok_or(Refusal::Game)?, now);
        Ok(())
    }

    fn home(&mut self, sender: Sender) -> Result<(), Refusal> {
        if let Sender::Phone(id) = sender {
            let rule = self.rule.as_ref().ok_or(Refusal::When)?;
            let may = match rule.phase() {
                Phase::Open => true,
                Phase::Rematch => matches!(rule.role(id), Role::Champ | Role::Asker),
                Phase::Play | Phase::Result => rule.is_against_house(),
            };
            if !may {
                return Err(Refusal::When);
            }
        }
        self.close_game();
        Ok(())
    }

    /// Adds the remote to the room as a person, at its first request to be in line.
    fn enter_remote(&mut self, now: Ms) -> Result<(), Refusal> {
        if self.rule.is_none() {
            return Err(Refusal::When);
        }
        let (id, _) = self.join(REMOTE, String::new(), None, now)?;
        self.remote = Some(id);
        Ok(())
    }
}
