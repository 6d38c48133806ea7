//! What people and the TV say to their room, and what that does.

use super::{Refusal, Room};
use crate::games::find;
use crate::limits::Ms;
use crate::rule::people::Id;
use crate::rule::{Phase, Role};

/// The nickname of the TV's remote.
pub const REMOTE: &str = "Remote";

/// What a person or the TV may say to its room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    /// Play `v`, in answer to turn `n`.
    Move {
        /// The move, as the game reads it.
        v: u8,
        /// The turn that it answers; `None`: the one that is on.
        n: Option<u64>,
    },
    /// Ask for the rematch.
    Rematch,
    /// Get in line (`true`) or step out.
    Line(bool),
    /// Choose the game of that slug on the menu.
    Pick(String),
    /// Back to the menu.
    Home,
    /// Leave for good.
    Leave,
}

/// Who says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A phone's person.
    Phone(Id),
    /// The TV: the room's own doings, and the remote's.
    Tv,
}

impl Room {
    /// Something was said. An error changes nothing.
    pub fn say(&mut self, who: Who, say: Say, now: Ms) -> Result<(), Refusal> {
        match (say, who) {
            (Say::Pick(slug), _) => self.pick(&slug, now)?,
            (Say::Home, _) => self.home(who)?,
            (Say::Line(true), Who::Tv) if self.remote.is_none() => self.enter_remote(now)?,
            (say, who) => {
                let id = match who {
                    Who::Phone(id) => id,
                    Who::Tv => self.remote.ok_or(Refusal::When)?,
                };
                self.say_as(id, say, now)?;
            }
        }
        self.set_stage(now);
        Ok(())
    }

    fn say_as(&mut self, id: Id, say: Say, now: Ms) -> Result<(), Refusal> {
        if say == Say::Leave {
            self.remove(id, now);
            return Ok(());
        }
        let rule = self.rule.as_mut().ok_or(Refusal::When)?;
        let people = &self.people;
        match say {
            Say::Move { v, n } => rule.play(id, v, n, now)?,
            Say::Rematch => rule.rematch(id, people, now)?,
            Say::Line(true) => rule.line_on(id, people, now)?,
            Say::Line(false) => rule.line_off(id, people, now)?,
            Say::Pick(_) | Say::Home | Say::Leave => {}
        }
        Ok(())
    }

    fn pick(&mut self, slug: &str, now: Ms) -> Result<(), Refusal> {
        if self.rule.is_some() {
            return Err(Refusal::When);
        }
        self.open(find(slug).ok_or(Refusal::Game)?, now);
        Ok(())
    }

    fn home(&mut self, who: Who) -> Result<(), Refusal> {
        if let Who::Phone(id) = who {
            let rule = self.rule.as_ref().ok_or(Refusal::When)?;
            let may = match rule.phase() {
                Phase::Open => true,
                Phase::Rematch => matches!(rule.role(id), Role::Champ | Role::Asker),
                Phase::Play | Phase::Result => false,
            };
            if !may {
                return Err(Refusal::When);
            }
        }
        self.close_game();
        Ok(())
    }

    /// The remote comes into the room as a person, with its first wish to be in line.
    fn enter_remote(&mut self, now: Ms) -> Result<(), Refusal> {
        if self.rule.is_none() {
            return Err(Refusal::When);
        }
        let (id, _) = self.join(REMOTE, String::new(), None, now)?;
        self.remote = Some(id);
        Ok(())
    }
}
