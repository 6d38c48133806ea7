//! The one task that owns all rooms. It handles events and deadlines, and puts the newest view into each outbox.
//!
//! Only the hub changes rooms. It waits only for the next event or deadline.

mod broadcast;
mod client;
mod dispatch;
mod event;
mod messages;
mod owner;

use client::Client;
pub use event::{ConnectionId, Event, LiveSettings, OwnerCall, Peer, TvSettings};
pub use owner::OwnerHandle;

use crate::clock::Clock;
use crate::endpoint::GuestEndpoint;
use crate::limits::{JOIN_AGAIN_MS, Ms};
use crate::refusal::Refusal;
use crate::room::code::Code;
use crate::room::rooms::Rooms;
use crate::room::{Room, Times};
use crate::rule::Phase;
use crate::stats::{self, Stats};
use crate::store::{SharedState, StateStore};
use crate::systemd;
use crate::thinker::{Answer, Thinker};
use crate::wire::ByeReason;
use smol::channel::Receiver;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// The hub's parameters.
#[derive(Debug)]
pub struct Setup {
    /// The port that the box serves on.
    pub port: u16,
    /// The build of the pages.
    pub build: &'static str,
    /// The store of rooms. With `None` rooms do not survive a restart.
    pub store: Option<StateStore>,
    /// The durations of turns, results and held places.
    pub times: Times,
    /// The House's player. With `None` the House cannot be played.
    pub house: Option<Thinker>,
    /// Whether a lone champion is let play the House.
    pub offers_house: bool,
    /// What a TV is told of the settings.
    pub tv: TvSettings,
    /// Where the owner's requests are carried out; `None`: nowhere.
    pub owner: Option<OwnerHandle>,
    /// How guests reach the box, until the next [`Event::Endpoint`].
    pub endpoint: GuestEndpoint,
}

/// The hub.
#[derive(Debug)]
pub struct Hub {
    rooms: Rooms,
    clients: HashMap<ConnectionId, Client>,
    /// Clients without a role yet, by the time at which they are closed.
    pending: BTreeSet<(Ms, ConnectionId)>,
    stats: Rc<Stats>,
    setup: Setup,
}

impl Hub {
    /// Returns a hub with the rooms that were stored.
    pub fn new(rooms: Rooms, setup: Setup, stats: Rc<Stats>, now: Ms) -> Self {
        let clients = HashMap::new();
        let mut hub = Hub { rooms, clients, pending: BTreeSet::new(), stats, setup };
        if let Some(store) = &hub.setup.store {
            let (stored, shared) = store.load();
            let mut rooms = Vec::new();
            for room in stored {
                let code = room.code.clone();
                match Room::restore(room, hub.setup.times, now) {
                    Some(room) => rooms.push(room),
                    None => store.quarantine(&code),
                }
            }
            if !rooms.is_empty() {
                log::info!(event = "restore", count = rooms.len(); "Rooms are back");
            }
            let kiosk = shared.kiosk.as_deref().and_then(Code::parse);
            hub.rooms.restore(rooms, shared.quotas, kiosk);
        }
        for code in hub.rooms.codes() {
            hub.ask_house(code, now);
        }
        hub.update_gauges();
        hub
    }

    /// Runs until [`Event::Shutdown`].
    pub async fn run(mut self, events: Receiver<Event>, clock: Clock) {
        let feed_ms = systemd::watchdog_interval().map(|every| every.as_millis() as Ms);
        let mut feed = feed_ms.map(|_| clock.now());
        // The timer is set only for an earlier deadline. Every move postpones one, and setting a timer costs more than
        // one tick too early.
        let mut alarm = (Ms::MAX, smol::Timer::never());
        loop {
            let due = self.deadline().into_iter().chain(feed).min().unwrap_or(Ms::MAX);
            if due < alarm.0 {
                alarm = (due, smol::Timer::at(clock.instant(due)));
            }
            let next = async { Some(events.recv().await.unwrap_or(Event::Shutdown)) };
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
                Some(Event::Shutdown) => break self.shutdown(),
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

    /// Returns the time at which `tick` must be called, if no event comes before.
    pub fn deadline(&self) -> Option<Ms> {
        let pending = self.pending.first().map(|&(at, _)| at);
        self.rooms.deadline().into_iter().chain(pending).min()
    }

    /// Handles one event.
    pub fn handle(&mut self, event: Event, now: Ms) {
        match event {
            Event::Connected { connection, peer, outbox } => {
                self.add_client(connection, peer, outbox, now + JOIN_AGAIN_MS);
            }
            Event::Message { connection, text, at } => self.dispatch(connection, &text, at, now),
            Event::Binary { connection } => self.protocol_error(connection, None, Refusal::Shape, now),
            Event::Disconnected { connection } => self.on_disconnect(connection, now),
            Event::Endpoint(endpoint) => {
                if self.setup.endpoint != endpoint {
                    self.stats.problems.replace(endpoint.problems.clone());
                    self.setup.endpoint = endpoint;
                    self.notify_tvs();
                }
            }
            Event::Answer { connection, n, text } => self.answer_owner(connection, n, &text),
            Event::TakeOut { nick, keep, done } => {
                let _ = done.try_send(self.take_out(nick, keep, now));
            }
            Event::Settings(settings) => self.apply_settings(*settings, now),
            Event::House(answer) => self.take_answer(answer),
            Event::Shutdown => self.shutdown(),
        }
    }

    /// Returns whether a lone guest may play the House: the owner allows it, and its thread runs.
    fn is_house_offered(&self) -> bool {
        self.setup.offers_house && self.setup.house.is_some()
    }

    /// Asks the House for a move, if the room needs one.
    fn ask_house(&mut self, code: Code, now: Ms) {
        let Some(thinker) = &self.setup.house else { return };
        let Some(question) = self.rooms.get_mut(code).and_then(Room::question) else { return };
        if let Some(answer) = thinker.ask(code, question, now) {
            self.take_answer(answer);
        }
    }

    fn take_answer(&mut self, Answer { code, ticket, v }: Answer) {
        if let Some(room) = self.rooms.get_mut(code) {
            room.answer(ticket, v);
            self.rooms.update_index(code);
        }
    }

    /// Does everything that is due.
    pub fn tick(&mut self, now: Ms) {
        while let Some(&(_, connection)) = self.pending.first().filter(|&&(at, _)| at <= now) {
            self.disconnect(connection, None, 1008);
        }
        // At most once per room, so that a room that is due again at once waits for the next tick.
        for _ in 0..self.rooms.len() {
            let Some(code) = self.rooms.due(now) else { break };
            self.guard(Some(code), |hub| match hub.rooms.tick(code, now) {
                None => hub.close_room(code, "its time without a TV is up"),
                Some(audience) => hub.persist_and_broadcast(code, audience, now),
            });
        }
    }

    fn close_room(&mut self, code: Code, why: &str) {
        log::info!(room:% = code, event = "closed", count = self.rooms.len(); "A room is closed: {why}");
        for connection in self.clients_of(code) {
            self.disconnect(connection, Some(ByeReason::Closed), 1000);
        }
        self.rooms.close(code);
        if let Some(store) = &mut self.setup.store {
            store.remove_room(code);
        }
        self.update_gauges();
    }

    fn shutdown(&mut self) {
        let connections: Vec<ConnectionId> = self.clients.keys().copied().collect();
        for connection in connections {
            self.disconnect(connection, Some(ByeReason::Restart), 1000);
        }
    }

    /// Runs `handle`. A panic in it closes that room and no other.
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

    fn persist_room(&mut self, code: Code) {
        if let (Some(store), Some(room)) = (&mut self.setup.store, self.rooms.get(code)) {
            store.save_room(&room.snapshot());
        }
    }

    fn persist_shared(&mut self) {
        if let Some(store) = &mut self.setup.store {
            let kiosk = self.rooms.kiosk().map(|code| code.to_string());
            store.save_shared(&SharedState { quotas: self.rooms.quotas().clone(), kiosk });
        }
    }

    fn update_gauges(&self) {
        self.stats.rooms.set(self.rooms.len());
        self.stats.people.set(self.rooms.people());
        let rule = self.rooms.kiosk().and_then(|code| self.rooms.get(code)?.rule());
        let plays = rule.is_some_and(|rule| matches!(rule.phase(), Phase::Play | Phase::Result));
        self.stats.kiosk_plays.set(plays);
    }
}

#[cfg(test)]
mod tests;
