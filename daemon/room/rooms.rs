//! All rooms: codes, making, reclaiming, joining, closing. Pure: time and randomness are handed in.

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

/// A TV that asks for a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostRequest {
    /// The code of an earlier room.
    pub room: Option<String>,
    /// The key of that room.
    pub key: Option<String>,
    /// The slug to open instead of the menu.
    pub game: Option<String>,
    /// The box's own kiosk says that it is.
    pub kiosk: bool,
}

/// A phone that asks to come in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinRequest {
    /// The code.
    pub room: String,
    /// The nickname as typed.
    pub nick: String,
    /// The secret of an earlier welcome.
    pub key: Option<String>,
    /// What the QR code held.
    pub scan: Option<String>,
}

/// Who asks, from where, and when.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// The connection.
    pub connection: ConnectionId,
    /// Its address.
    pub ip: IpAddr,
    /// The monotonic time.
    pub now: Ms,
    /// The wall clock.
    pub hour: UtcHour,
}

/// A room that has its TV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hosted {
    /// Which.
    pub code: Code,
    /// The page that it took over from.
    pub replaced: Option<ConnectionId>,
    /// Made just now.
    pub new: bool,
    /// It is the box's own kiosk, connected from this machine.
    pub kiosk: bool,
}

/// Somebody who is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joined {
    /// Which room.
    pub code: Code,
    /// Who.
    pub id: PersonId,
    /// The page that it took over from.
    pub replaced: Option<ConnectionId>,
    /// Somebody away made room.
    pub evicted: bool,
}

/// All rooms.
#[derive(Debug)]
pub struct Rooms {
    rooms: BTreeMap<Code, Room>,
    /// The next deadline of each room that has one.
    due: BTreeSet<(Ms, Code)>,
    /// What was indexed of each room when it last changed: its deadline, and how many are in it.
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
    /// Returns an empty collection. All randomness (codes, keys, the attract loop) is `rng`'s.
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

    /// Lets other durations and another filter of nicknames hold from now on. Names that are in stay.
    pub fn set(&mut self, times: Times, words: WordFilter, now: Ms) {
        (self.times, self.words) = (times, words);
        for code in self.codes() {
            if let Some(room) = self.rooms.get_mut(&code) {
                room.set_times(times, now);
            }
            self.update_index(code);
        }
    }

    /// Returns the room of that code.
    pub fn get(&self, code: Code) -> Option<&Room> {
        self.rooms.get(&code)
    }

    /// Returns the room of that code mutably. Call [`Rooms::update_index`] afterwards.
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

    /// Returns the number of people in all rooms. People who are away count.
    pub fn people(&self) -> usize {
        self.people
    }

    /// Returns the quotas.
    pub fn quotas(&self) -> &Quotas {
        &self.quotas
    }

    /// Returns whether the quotas have changed since this was last asked.
    pub fn take_quotas_changed(&mut self) -> bool {
        std::mem::take(&mut self.quotas_changed)
    }

    /// Returns the room of the box's own kiosk.
    pub fn kiosk(&self) -> Option<Code> {
        self.kiosk
    }

    /// Brings back what was kept.
    pub fn restore(&mut self, rooms: Vec<Room>, quotas: Quotas, kiosk: Option<Code>) {
        self.quotas = quotas;
        for room in rooms.into_iter().take(ROOMS_MAX) {
            let code = room.code();
            self.rooms.insert(code, room);
            self.update_index(code);
        }
        self.kiosk = kiosk.filter(|code| self.rooms.contains_key(code));
    }

    /// Connects a TV: to its room if it has the key of one, to the kiosk's if it is the kiosk, else to a new one.
    ///
    /// # Errors
    /// `Game`: no such game. `Rooms`: no more new rooms for this address in this hour.
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

    /// Connects a phone, as the person of its key or as a new one.
    ///
    /// # Errors
    /// `Busy`, `Code`, `Out`, `Nick` or `Full`, in this order.
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

    /// Notes a room's next deadline after it has changed.
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

    /// Returns the time at which the next room has something to do.
    pub fn deadline(&self) -> Option<Ms> {
        self.due.first().map(|&(at, _)| at)
    }

    /// Returns the first room that has something to do by `now`.
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

    /// Takes a room out for good.
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

    /// Makes a new room. The kiosk's is not counted, so a browser that crashes in a loop never uses up the twelve.
    fn make(&mut self, kiosk: bool, by: Caller) -> Result<Code, Refusal> {
        if self.rooms.len() >= ROOMS_MAX {
            return Err(Refusal::Busy(60));
        }
        if !kiosk {
            self.quotas.count_new_room(by.ip, by.hour, by.now).map_err(Refusal::Rooms)?;
            self.quotas_changed = true;
        }
        // At most 1,024 of 160,000 codes are in use: a free one is found at once.
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

    /// Draws the secret that only the QR code of a new room holds.
    fn scan(&mut self) -> String {
        let sign = |_| char::from(SCAN_ALPHABET[self.rng.random_range(0..SCAN_ALPHABET.len())]);
        (0..SCAN_CHARS).map(sign).collect()
    }
}
