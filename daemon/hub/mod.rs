//! The one task that owns all rooms: events in, the newest view to each outbox, the next deadline.
//!
//! Only the hub changes rooms. It waits for nothing but the next event or deadline.

mod event;
mod said;
mod show;
mod words;

pub use event::{Conn, Event, Peer};

use crate::clock::Clock;
use crate::endpoint::GuestEndpoint;
use crate::limits::{JOIN_AGAIN_MS, Ms};
use crate::outbox::Outbox;
use crate::room::code::Code;
use crate::room::rooms::Rooms;
use crate::room::{Change, Room, Times};
use crate::rule::people::Id;
use crate::stats::{self, Stats};
use crate::store::{SharedState, StateStore};
use crate::systemd;
use crate::wire::{self, Bye, Why};
use smol::channel::Receiver;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Who a page is to its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seated {
    /// Nobody yet; closed by then unless it joins or hosts.
    Nobody {
        by: Option<Ms>,
    },
    Phone {
        code: Code,
        id: Id,
    },
    Tv {
        code: Code,
    },
    /// Told goodbye: nothing that it still says is heard.
    Parted,
}

#[derive(Debug)]
struct Page {
    peer: Peer,
    outbox: Outbox,
    seated: Seated,
    /// When the newest refusals of `shape` and `kind` were.
    bad: Vec<Ms>,
}

/// What the hub needs to know at its start.
#[derive(Debug)]
pub struct Setup {
    /// The port that the box serves on.
    pub port: u16,
    /// The build of the pages.
    pub build: &'static str,
    /// Where rooms are kept.
    pub keep: Option<StateStore>,
    /// The durations.
    pub times: Times,
    /// Whether a lone champion may play the House.
    pub house: bool,
    /// How guests reach the box, until it is told anew.
    pub endpoint: GuestEndpoint,
}

/// The hub.
#[derive(Debug)]
pub struct Hub {
    rooms: Rooms,
    pages: HashMap<Conn, Page>,
    /// Pages that are nobody yet, by the time at which they are closed.
    nobodies: BTreeSet<(Ms, Conn)>,
    stats: Rc<Stats>,
    setup: Setup,
}

impl Hub {
    /// A hub with the rooms that were kept.
    pub fn new(rooms: Rooms, setup: Setup, stats: Rc<Stats>, now: Ms) -> Self {
        let pages = HashMap::new();
        let mut hub = Hub { rooms, pages, nobodies: BTreeSet::new(), stats, setup };
        if let Some(keep) = &hub.setup.keep {
            let (kept, rest) = keep.load();
            let mut rooms = Vec::new();
            for room in kept {
                let code = room.code.clone();
                match Room::restore(room, hub.setup.times, now) {
                    Some(room) => rooms.push(room),
                    None => keep.set_aside(&code),
                }
            }
            if !rooms.is_empty() {
                log::info!(event = "restore", count = rooms.len(); "Rooms are back");
            }
            let kiosk = rest.kiosk.as_deref().and_then(Code::parse);
            hub.rooms.restore(rooms, rest.counts, kiosk);
        }
        hub.gauge();
        hub
    }

    /// Runs until it is told to stop.
    pub async fn run(mut self, events: Receiver<Event>, clock: Clock) {
        let feed_ms = systemd::watchdog_interval().map(|every| every.as_millis() as Ms);
        let mut feed = feed_ms.map(|_| clock.now());
        // Set anew only for what is due earlier: every move puts a deadline off, and setting a timer costs more than
        // one look too many when it fires.
        let mut alarm = (Ms::MAX, smol::Timer::never());
        loop {
            let due = self.deadline().into_iter().chain(feed).min().unwrap_or(Ms::MAX);
            if due < alarm.0 {
                alarm = (due, smol::Timer::at(clock.instant(due)));
            }
            let next = async { Some(events.recv().await.unwrap_or(Event::Stop)) };
            let timer = async {
                (&mut alarm.1).await;
                None
            };
            let event = smol::future::or(next, timer).await;
            if event.is_none() {
                alarm = (Ms::MAX, smol::Timer::never());
            }
            let now = clock.now();
            match event {
                Some(Event::Stop) => break self.goodbye(),
                Some(event) => self.handle(event, now),
                None => {}
            }
            self.tick(now);
            self.stats.queue.set(events.len());
            if feed.is_some_and(|at| at <= now) {
                systemd::watchdog();
                feed = feed_ms.map(|every| now + every);
            }
        }
    }

    /// When `tick` has something to do, if nothing else happens.
    pub fn deadline(&self) -> Option<Ms> {
        let nobody = self.nobodies.first().map(|&(at, _)| at);
        self.rooms.deadline().into_iter().chain(nobody).min()
    }

    /// Takes one event in.
    pub fn handle(&mut self, event: Event, now: Ms) {
        match event {
            Event::Opened { conn, peer, outbox } => {
                let page = Page { peer, outbox, seated: Seated::Nobody { by: None }, bad: Vec::new() };
                self.pages.insert(conn, page);
                self.seat(conn, Seated::Nobody { by: Some(now + JOIN_AGAIN_MS) });
            }
            Event::Said { conn, text, at } => self.said(conn, &text, at, now),
            Event::Binary { conn } => self.bad(conn, (None, Why::Shape), now),
            Event::Closed { conn } => self.closed(conn, now),
            Event::Endpoint(endpoint) => {
                if self.setup.endpoint != endpoint {
                    self.setup.endpoint = endpoint;
                    self.tell_tvs();
                }
            }
            Event::Stop => self.goodbye(),
        }
    }

    /// Does everything that is due.
    pub fn tick(&mut self, now: Ms) {
        while let Some(&(_, conn)) = self.nobodies.first().filter(|&&(at, _)| at <= now) {
            self.part(conn, None, 1008);
        }
        // As many rooms as there are: one that is due again at once has its turn at the next tick.
        for _ in 0..self.rooms.len() {
            let Some(code) = self.rooms.due(now) else { break };
            self.guard(Some(code), |hub| match hub.rooms.tick(code, now) {
                None => hub.close_room(code, "its time without a TV is up"),
                Some(change) => hub.show(code, change, None, now),
            });
        }
    }

    fn closed(&mut self, conn: Conn, now: Ms) {
        let Some(page) = self.pages.get(&conn) else { return };
        let seated = page.seated;
        self.seat(conn, Seated::Parted);
        self.pages.remove(&conn);
        if let Seated::Phone { code, .. } | Seated::Tv { code } = seated {
            self.guard(Some(code), |hub| {
                let change = hub.rooms.get_mut(code).map(|room| room.lost(conn, now));
                hub.rooms.changed(code);
                hub.show(code, change.unwrap_or(Change::Nothing), None, now);
            });
        }
    }

    /// A page is told goodbye and closed; its person or TV is dealt with already.
    fn part(&mut self, conn: Conn, bye: Option<Bye>, close: u16) {
        if let Some(bye) = bye {
            self.tell(conn, wire::bye(bye));
        }
        self.seat(conn, Seated::Parted);
        if let Some(page) = self.pages.get(&conn) {
            page.outbox.close(close);
        }
    }

    fn close_room(&mut self, code: Code, why: &str) {
        log::info!(room:% = code, event = "closed", count = self.rooms.len(); "A room is closed: {why}");
        for conn in self.pages_of(code) {
            self.part(conn, Some(Bye::Closed), 1000);
        }
        self.rooms.close(code);
        if let Some(keep) = &mut self.setup.keep {
            keep.forget(code);
        }
        self.gauge();
    }

    fn goodbye(&mut self) {
        let conns: Vec<Conn> = self.pages.keys().copied().collect();
        for conn in conns {
            self.part(conn, Some(Bye::Restart), 1000);
        }
    }

    /// A panic while handling a room closes that room and no other.
    fn guard(&mut self, code: Option<Code>, handle: impl FnOnce(&mut Self)) {
        if catch_unwind(AssertUnwindSafe(|| handle(self))).is_ok() {
            return;
        }
        stats::add(&self.stats.panics, 1);
        match code {
            Some(code) => {
                log::error!(room:% = code, event = "panic"; "A fault in a room: it is closed, the others go on");
                self.close_room(code, "a fault");
            }
            None => log::error!(event = "panic"; "A fault in making a room"),
        }
    }

    fn keep_room(&mut self, code: Code) {
        if let (Some(keep), Some(room)) = (&mut self.setup.keep, self.rooms.get(code)) {
            keep.room(&room.keep());
        }
    }

    fn keep_rest(&mut self) {
        if let Some(keep) = &mut self.setup.keep {
            let kiosk = self.rooms.kiosk().map(|code| code.to_string());
            keep.rest(&SharedState { counts: self.rooms.counts().clone(), kiosk });
        }
    }

    /// Says who a page is from now on, and keeps the books.
    fn seat(&mut self, conn: Conn, seated: Seated) {
        let Some(page) = self.pages.get_mut(&conn) else { return };
        let before = std::mem::replace(&mut page.seated, seated);
        let count = |seated: Seated, tvs: &mut usize, phones: &mut usize, n: isize| match seated {
            Seated::Tv { .. } => *tvs = tvs.saturating_add_signed(n),
            Seated::Phone { .. } => *phones = phones.saturating_add_signed(n),
            Seated::Nobody { .. } | Seated::Parted => {}
        };
        let (mut tvs, mut phones) = (self.stats.tvs.get(), self.stats.phones.get());
        count(before, &mut tvs, &mut phones, -1);
        count(seated, &mut tvs, &mut phones, 1);
        self.stats.tvs.set(tvs);
        self.stats.phones.set(phones);
        if let Seated::Nobody { by: Some(by) } = before {
            self.nobodies.remove(&(by, conn));
        }
        if let Seated::Nobody { by: Some(by) } = seated {
            self.nobodies.insert((by, conn));
        }
    }

    fn gauge(&self) {
        self.stats.rooms.set(self.rooms.len());
        self.stats.people.set(self.rooms.people());
    }
}

#[cfg(test)]
mod tests;
