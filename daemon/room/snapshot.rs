//! The data of a room that survives a restart of the daemon.

use super::code::Code;
use super::{Room, Times};
use crate::limits::{Ms, NICK_BYTES_MAX, PEOPLE_MAX, REMOTE_AUTO_TURNS_MAX, SCAN_CHARS, TAKEN_OUT_MAX};
use crate::rule::WinnerStays;
use crate::rule::people::{People, Person, PersonId};
use crate::rule::snapshot::RuleSnapshot;
use serde::{Deserialize, Serialize};

/// A room as plain data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomSnapshot {
    /// The code.
    pub code: String,
    key: String,
    next_id: PersonId,
    turn_id: u64,
    scan: String,
    remote: Option<PersonId>,
    remote_auto_turns: u32,
    taken_out: Vec<String>,
    /// The number, nickname and key of each person, in the order in which they first came.
    people: Vec<(PersonId, String, String)>,
    rule: Option<RuleSnapshot>,
}

impl Room {
    /// Returns the data to store. It does not include presence: after a restart all people are away until they return.
    pub fn snapshot(&self) -> RoomSnapshot {
        RoomSnapshot {
            code: self.code.to_string(),
            key: self.key.clone(),
            next_id: self.next_id,
            turn_id: self.rule.as_ref().map_or(self.turn_id, WinnerStays::turn_id),
            scan: self.scan.clone(),
            remote: self.remote,
            remote_auto_turns: self.remote_auto_turns,
            taken_out: self.taken_out.clone(),
            people: self.people.iter().map(|p| (p.id, p.nick.clone(), p.key.clone())).collect(),
            rule: self.rule.as_ref().map(WinnerStays::snapshot),
        }
    }

    /// Restores a room with all people away from `now` on, or returns `None` if the data contradict themselves.
    pub fn restore(snapshot: RoomSnapshot, times: Times, now: Ms) -> Option<Room> {
        let mut room = Room::new(Code::parse(&snapshot.code)?, snapshot.key, snapshot.scan, times, now);
        let mut people = People::default();
        for (id, nick, key) in snapshot.people {
            let known = people.get(id).is_some() || id >= snapshot.next_id;
            let named = (1..=NICK_BYTES_MAX).contains(&nick.len());
            if known
                || !named
                || people.len() == PEOPLE_MAX
                || (key.is_empty() && snapshot.remote != Some(id))
            {
                return None;
            }
            people.push(Person { id, nick, key, connection: None, away: Some(now) });
        }
        // Numbers that no evening reaches, and that could overflow later.
        if snapshot.next_id > PersonId::MAX / 2 || snapshot.turn_id > u64::MAX / 2 {
            return None;
        }
        if snapshot.remote.is_some_and(|id| people.get(id).is_none()) || room.key.is_empty() {
            return None;
        }
        if room.scan.len() != SCAN_CHARS || snapshot.taken_out.len() > TAKEN_OUT_MAX {
            return None;
        }
        room.rule = match snapshot.rule {
            Some(rule) => Some(WinnerStays::restore(rule, times.rule, snapshot.turn_id, &people, now)?),
            None => None,
        };
        (room.people, room.next_id) = (people, snapshot.next_id);
        (room.turn_id, room.remote) = (snapshot.turn_id, snapshot.remote);
        room.remote_auto_turns = snapshot.remote_auto_turns.min(REMOTE_AUTO_TURNS_MAX - 1);
        room.taken_out = snapshot.taken_out;
        room.update_derived(now);
        Some(room)
    }
}
