//! What of a room is kept over a restart of the daemon: plain data, and the way back from it.

use super::code::Code;
use super::{Room, Times};
use crate::limits::{Ms, NICK_BYTES_MAX, PEOPLE_MAX};
use crate::rule::WinnerStays;
use crate::rule::kept::Kept;
use crate::rule::people::{Id, People, Person};
use serde::{Deserialize, Serialize};

/// A room as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRoom {
    /// The code.
    pub code: String,
    key: String,
    next_id: Id,
    turn_id: u64,
    remote: Option<Id>,
    /// Number, nickname and key of each, in the order of first coming in.
    people: Vec<(Id, String, String)>,
    rule: Option<Kept>,
}

impl Room {
    /// What is kept of it. Presence is not: after a restart everyone is away until they are back.
    pub fn keep(&self) -> KeptRoom {
        KeptRoom {
            code: self.code.to_string(),
            key: self.key.clone(),
            next_id: self.next_id,
            turn_id: self.rule.as_ref().map_or(self.turn_id, WinnerStays::turn_id),
            remote: self.remote,
            people: self.people.iter().map(|p| (p.id, p.nick.clone(), p.key.clone())).collect(),
            rule: self.rule.as_ref().map(WinnerStays::keep),
        }
    }

    /// The way back, with everyone away from now on. `None` if it does not hold together.
    pub fn restore(kept: KeptRoom, times: Times, now: Ms) -> Option<Room> {
        let mut room = Room::new(Code::parse(&kept.code)?, kept.key, times, now);
        let mut people = People::default();
        for (id, nick, key) in kept.people {
            let known = people.get(id).is_some() || id >= kept.next_id;
            let named = (1..=NICK_BYTES_MAX).contains(&nick.len());
            if known || !named || people.len() == PEOPLE_MAX || (key.is_empty() && kept.remote != Some(id)) {
                return None;
            }
            people.push(Person { id, nick, key, connection: None, away: Some(now) });
        }
        // No evening counts that far.
        if kept.next_id > Id::MAX / 2 || kept.turn_id > u64::MAX / 2 {
            return None;
        }
        if kept.remote.is_some_and(|id| people.get(id).is_none()) || room.key.is_empty() {
            return None;
        }
        room.rule = match kept.rule {
            Some(rule) => Some(WinnerStays::restore(rule, times.rule, kept.turn_id, &people, now)?),
            None => None,
        };
        (room.people, room.next_id) = (people, kept.next_id);
        (room.turn_id, room.remote) = (kept.turn_id, kept.remote);
        Some(room)
    }
}
