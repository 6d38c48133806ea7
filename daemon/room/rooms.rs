//! All rooms: creates, reclaims and closes them, and lets phones join. Pure: time and randomness are arguments.

use super::code::Code;
use super::names::{self, WordFilter};
use super::quotas::Quotas;
use super::{Audience, Room, Times};
use crate::games::find;
use crate::limits::{Ms, ROOMS_MAX, SCAN_ALPHABET, SCAN_CHARS, UtcHour};
use crate::refusal::Refusal;
use crate::rule::people::{ConnectionId, PersonId};
use rand::RngExt;
use rand::rngs::StdRng;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// A TV's request for a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostRequest {
    /// The code of an earlier room.
    pub room: Option<String>,
    /// The key of that room.
    pub key: Option<String>,
    /// The slug of the game to open. Without one the room shows its menu.
    pub game: Option<String>,
    /// Whether the page claims to be the box's own kiosk. Believed only from this machine.
    pub kiosk: bool,
}

/// A phone's request to join a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinRequest {
    /// The room's code as typed.
    pub room: String,
    /// The nickname as typed.
    pub nick: String,
    /// The secret of an earlier welcome.
    pub key: Option<String>,
    /// The secret of the QR code, if the phone has scanned it.
    pub scan: Option<String>,
}

/// The origin and the time of a request.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// The connection of the page.
    pub connection: ConnectionId,
    /// The address of the page.
    pub ip: IpAddr,
    /// The monotonic time.
    pub now: Ms,
    /// The wall clock.
    pub hour: UtcHour,
}

/// The result of a TV's request: its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hosted {
    /// The room's code.
    pub code: Code,
    /// The connection that this one replaces.
    pub replaced: Option<ConnectionId>,
    /// Whether the room is new.
    pub new: bool,
    /// Whether the TV is the box's own kiosk, connected from this machine.
    pub kiosk: bool,
}

/// The result of a phone's request: its person and room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The room's code.
    pub code: Code,
    /// The person's number.
    pub id: PersonId,
    /// The connection that this one replaces.
    pub replaced: Option<ConnectionId>,
    /// Whether an absent person was removed to make room.
    pub evicted: bool,
}

/// All rooms.
#[derive(Debug)]
pub struct Rooms {
    rooms: BTreeMap<Code, Room>,
    /// The next deadline of each room that has one.
    due: BTreeSet<(Ms, Code)>,
    /// The deadline and the number of people of each room when it last changed.
    indexed: BTreeMap<Code, (Option<Ms>, usize)>,
    people: usize,
    quotas: Quotas,
    quotas_changed: bool,
    kiosk: Option<Code>,
    times: Times,
    words: WordFilter,
    rng: StdRng,
}

impl Rooms {
    /// Returns an empty collection. All randomness (codes, keys, the attract loop) comes from `rng`.
    pub fn new(times: Times, words: WordFilter, rng: StdRng) -> Self {
        Rooms {
            rooms: BTreeMap::new(),
            due: BTreeSet::new(),
            indexed: BTreeMap::new(),
            people: 0,
            quotas: Quotas::default(),
            quotas_changed: false,
            kiosk: None,
            times,
            words,
            rng,
        }
    }

    /// Changes the durations and the filter of nicknames, from now on. People in rooms keep their nicknames.
    pub fn set(&mut self, times: Times, words: WordFilter, now: Ms) {
        (self.times, self.words) = (times, words);
        for code in self.codes() {
            if let Some(room) = self.rooms.get_mut(&code) {
                room.set_times(times, now);
            }
            self.update_index(code);
        }
    }

    /// Returns the room with that code.
    pub fn get(&self, code: Code) -> Option<&Room> {
        self.rooms.get(&code)
    }

    /// Returns the room with that code mutably. Call [`Rooms::update_index`] afterwards.
    pub fn get_mut(&mut self, code: Code) -> Option<&mut Room> {
        self.rooms.get_mut(&code)
    }

    /// Returns the codes of all rooms.
    pub fn codes(&self) -> Vec<Code> {
        self.rooms.keys().copied().collect()
    }

    /// Returns the number of rooms.
    pub fn len(&self) -> usize {
        self.rooms.len()
    }

    /// Returns whether there are no rooms.
    pub fn is_empty(&self) -> bool {
        self.rooms.is_empty()
    }

    /// Returns the number of people in all rooms, including those who are away.
    pub fn people(&self) -> usize {
        self.people
    }

    /// Returns the quotas.
    pub fn quotas(&self) -> &Quotas {
        &self.quotas
    }

    /// Returns whether the quotas have changed since the last call.
    pub fn take_quotas_changed(&mut self) -> bool {
        std::mem::take(&mut self.quotas_changed)
    }

    /// Returns the room of the box's own kiosk.
    pub fn kiosk(&self) -> Option<Code> {
        self.kiosk
    }

    /// Restores stored rooms, quotas and the code of the kiosk's room.
    pub fn restore(&mut self, rooms: Vec<Room>, quotas: Quotas, kiosk: Option<Code>) {
        self.quotas = quotas;
        for room in rooms.into_iter().take(ROOMS_MAX) {
            let code = room.code();
            self.rooms.insert(code, room);
            self.update_index(code);
        }
        self.kiosk = kiosk.filter(|code| self.rooms.contains_key(code));
    }

    /// Connects a TV: the kiosk to the kiosk's room, a TV with the key of a room to that room, and any other to a new one.
    ///
    /// # Errors
    /// Returns `Game` if there is no such game, `Rooms` if the address has had its new rooms of this hour, and `Busy` if
    /// there are [`ROOMS_MAX`] rooms.
    pub fn host(&mut self, ask: &HostRequest, by: Caller) -> Result<Hosted, Refusal> {
        let game = match &ask.game {
            Some(slug) => Some(find(slug).ok_or(Refusal::Game)?),
            None => None,
        };
        let kiosk = ask.kiosk && by.ip.is_loopback();
        let own = self.kiosk.filter(|_| kiosk).or_else(|| self.by_key(ask));
        let (code, new) = match own {
            Some(code) => (code, false),
            None => (self.make(kiosk, by)?, true),
        };
        if kiosk {
            self.kiosk = Some(code);
        }
        let room = self.rooms.get_mut(&code).ok_or(Refusal::Code)?;
        let replaced = room.host(by.connection, by.now);
        let other = |slug| room.rule().is_none_or(|rule| rule.game().slug != slug);
        if let Some(game) = game.filter(|game| other(game.slug)) {
            room.open(game, by.now);
        }
        self.update_index(code);
        Ok(Hosted { code, replaced, new, kiosk })
    }

    /// Connects a phone as the person with its key, or as a new person.
    ///
    /// # Errors
    /// Returns the first that applies: `Busy` after too many wrong codes, `Code` if there is no such room, `Out` if the
    /// person was taken out, `Nick` if the nickname is refused, and `Full` if nobody can make room.
    pub fn join(&mut self, ask: &JoinRequest, by: Caller) -> Result<Joined, Refusal> {
        let code = Code::parse(&ask.room).filter(|code| self.rooms.contains_key(code));
        let room = code.and_then(|code| self.rooms.get(&code));
        let known = ask.key.as_deref().and_then(|key| room?.by_key(key)).map(|person| person.id);
        let scan = ask.scan.as_deref().map(|scan| room.is_some_and(|room| room.scan() == scan));
        let taken_out = room.zip(ask.key.as_deref()).is_some_and(|(room, key)| room.is_taken_out(key));
        if known.is_none() {
            let blocked_for = self.quotas.blocked_for(by.ip, by.now).filter(|_| scan != Some(true));
            if let Some(retry) = blocked_for {
                return Err(Refusal::Busy(retry));
            }
            if code.is_none() || scan == Some(false) {
                self.quotas.count_wrong_code(by.ip, by.now);
                self.quotas_changed = true;
            }
        }
        let code = code.ok_or(Refusal::Code)?;
        if taken_out {
            return Err(Refusal::Out);
        }
        let nick = names::clean(&ask.nick).filter(|nick| self.words.allows(nick)).ok_or(Refusal::Nick)?;
        let key = self.key();
        let room = self.rooms.get_mut(&code).ok_or(Refusal::Code)?;
        let joined = match known {
            Some(id) => {
                let replaced = room.rejoin(id, &nick, by.connection, by.now);
                Joined { code, id, replaced, evicted: false }
            }
            None => {
                let (id, evicted) = room.join(&nick, key, Some(by.connection), by.now)?;
                Joined { code, id, replaced: None, evicted: evicted.is_some() }
            }
        };
        self.update_index(code);
        Ok(joined)
    }

    /// Updates the next deadline and the number of people of a room. Call it after each change of the room.
    pub fn update_index(&mut self, code: Code) {
        if let Some((due, people)) = self.indexed.remove(&code) {
            self.people -= people;
            if let Some(at) = due {
                self.due.remove(&(at, code));
            }
        }
        let Some(room) = self.rooms.get(&code) else { return };
        let (due, people) = (room.deadline(), room.people().len());
        self.indexed.insert(code, (due, people));
        self.people += people;
        if let Some(at) = due {
            self.due.insert((at, code));
        }
    }

    /// Returns the earliest deadline of all rooms.
    pub fn deadline(&self) -> Option<Ms> {
        self.due.first().map(|&(at, _)| at)
    }

    /// Returns the room with the earliest deadline, if that has come by `now`.
    pub fn due(&self, now: Ms) -> Option<Code> {
        self.due.first().filter(|&&(at, _)| at <= now).map(|&(_, code)| code)
    }

    /// Does everything that is due in one room. Returns `None` if the room is to be closed for lack of a TV.
    pub fn tick(&mut self, code: Code, now: Ms) -> Option<Audience> {
        let room = self.rooms.get_mut(&code)?;
        if room.closes_at().is_some_and(|at| at <= now) {
            return None;
        }
        let change = room.tick(now, &mut self.rng);
        self.update_index(code);
        Some(change)
    }

    /// Removes a room. Returns it.
    pub fn close(&mut self, code: Code) -> Option<Room> {
        let room = self.rooms.remove(&code);
        self.update_index(code);
        if self.kiosk == Some(code) {
            self.kiosk = None;
        }
        room
    }

    fn by_key(&self, ask: &HostRequest) -> Option<Code> {
        let code = Code::parse(ask.room.as_deref()?)?;
        let room = self.rooms.get(&code)?;
        (ask.key.as_deref() == Some(room.key())).then_some(code)
    }

    /// Creates a room. The kiosk's room is not counted, so a browser that crashes in a loop cannot use up the quota.
    ///
    /// # Errors
    /// Returns `Busy` if there are [`ROOMS_MAX`] rooms, or `Rooms` if the address has had its new rooms of this hour.
    fn make(&mut self, kiosk: bool, by: Caller) -> Result<Code, Refusal> {
        if self.rooms.len() >= ROOMS_MAX {
            return Err(Refusal::Busy(60));
        }
        if !kiosk {
            self.quotas.count_new_room(by.ip, by.hour, by.now).map_err(Refusal::Rooms)?;
            self.quotas_changed = true;
        }
        // At most 1,024 of 160,000 codes are in use, so this ends soon.
        let code = loop {
            let code = Code::random(&mut self.rng);
            if !self.rooms.contains_key(&code) {
                break code;
            }
        };
        let (key, scan) = (self.key(), self.scan());
        self.rooms.insert(code, Room::new(code, key, scan, self.times, by.now));
        Ok(code)
    }

    /// Draws a secret of 128 bits.
    fn key(&mut self) -> String {
        format!("{:032x}", self.rng.random::<u128>())
    }

    /// Draws the secret of a new room that only its QR code contains.
    fn scan(&mut self) -> String {
        let sign = |_| char::from(SCAN_ALPHABET[self.rng.random_range(0..SCAN_ALPHABET.len())]);
        (0..SCAN_CHARS).map(sign).collect()
    }
}
