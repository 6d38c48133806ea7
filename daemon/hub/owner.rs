//! The owner's phone and the kiosk's remote: who may ask, what the rooms do of it, and the answers.

use super::client::ClientRole;
use super::{Ask, ConnectionId, Hub, Live};
use crate::auth::{Hello, Phones, Session};
use crate::limits::{JOIN_AGAIN_MS, Ms};
use crate::refusal::Refusal;
use crate::room::{Audience, Command, Sender};
use crate::wire::{self, Kind, KioskRequest, OwnerMessage, Parsed, owner};
use std::cell::RefCell;
use std::rc::Rc;

/// Where the owner's requests are carried out.
#[derive(Clone, Debug)]
pub struct OwnerDesk {
    /// Takes the requests.
    pub asks: smol::channel::Sender<Ask>,
    /// The owner's phones.
    pub phones: Rc<RefCell<Phones>>,
}

impl Hub {
    /// Answers a phone that says it is the owner's with a number of the box, under which it must prove that.
    pub(super) fn greet_owner(&mut self, connection: ConnectionId, hello: Hello, now: Ms) {
        let secret = self.setup.owner.as_ref().and_then(|desk| desk.phones.borrow().secret(&hello.id, now));
        let Some(secret) = secret else {
            return self.refuse_entry(connection, Kind::Owner, Refusal::Pair, now);
        };
        let nonce = format!("{:032x}", rand::random::<u128>());
        let session = Session::new(&secret, hello, &nonce);
        self.set_role(connection, ClientRole::Owner { until: Some(now + JOIN_AGAIN_MS) });
        if let Some(client) = self.clients.get_mut(&connection) {
            client.session = Some(Box::new(session));
        }
        self.send(connection, owner::greeting(&nonce));
    }

    /// Takes a message of a phone that says it is the owner's.
    pub(super) fn owner_message(&mut self, connection: ConnectionId, text: &str, now: Ms) {
        let Parsed { kind, request } = wire::parse_owner(text);
        self.count_message(kind);
        let sealed = match request {
            Ok(OwnerMessage::Sealed(sealed)) => sealed,
            Ok(OwnerMessage::Heartbeat) => return self.send(connection, wire::HEARTBEAT.into()),
            Err(refusal) => return self.protocol_error(connection, kind, refusal, now),
        };
        // Refused unopened, so that the phone may send it again at the same place.
        if self.setup.owner.as_ref().is_some_and(|desk| desk.asks.is_full()) {
            return self.refuse(connection, Some(Kind::Do), Refusal::Busy(1));
        }
        let session = self.clients.get_mut(&connection).and_then(|client| client.session.as_mut());
        let opened = session.and_then(|session| Some((session.open(&sealed)?, session.hello.clone())));
        let desk = self.setup.owner.as_ref();
        // A phone may have been struck out, or its secret used by another, since it said who it is.
        let proved = opened.zip(desk).and_then(|((text, hello), desk)| {
            let paired = desk.phones.borrow_mut().prove(&hello.id, &hello.name, now)?;
            Some((text, hello.id, paired))
        });
        let Some((text, id, paired)) = proved else {
            // The seal's places are out of step now, or it is a forger: either way this connection is over.
            self.refuse(connection, Some(Kind::Do), Refusal::Pair);
            return self.disconnect(connection, None, 1008);
        };
        self.set_role(connection, ClientRole::Owner { until: None });
        self.ask(connection, sealed.n, text, Some(id), paired);
    }

    /// Takes a request of the kiosk.
    pub(super) fn ask_as_kiosk(&mut self, connection: ConnectionId, request: KioskRequest) {
        self.ask(connection, request.n, request.ask, None, false);
    }

    fn ask(&mut self, connection: ConnectionId, n: u64, text: String, phone: Option<String>, paired: bool) {
        let room = self.rooms.kiosk().and_then(|code| self.rooms.get(code));
        let people = room.map(|room| room.people().iter().map(|person| person.nick.clone()).collect());
        let ask = Ask { connection, n, text, phone, paired, people: people.unwrap_or_default() };
        let taken = self.setup.owner.as_ref().is_some_and(|desk| desk.asks.try_send(ask).is_ok());
        if !taken {
            self.refuse(connection, Some(Kind::Do), Refusal::Busy(1));
        }
    }

    /// Sends an answer of the desk, sealed for a phone.
    pub(super) fn answer_owner(&mut self, connection: ConnectionId, n: u64, text: &str) {
        let Some(client) = self.clients.get(&connection) else { return };
        let frame = match &client.session {
            Some(session) => owner::sealed(&session.seal(n, text)),
            None => owner::plain(n, text),
        };
        self.send(connection, frame);
    }

    /// Takes a person out of the kiosk's room, and returns whether there was such a person.
    pub(super) fn take_out(&mut self, nick: String, keep: bool, now: Ms) -> bool {
        let Some(code) = self.rooms.kiosk() else { return false };
        let mut done = false;
        self.guard(Some(code), |hub| {
            done = hub.perform(code, Sender::Tv, Command::TakeOut { nick, keep }, now).is_ok();
        });
        done
    }

    /// Lets other settings hold from now on, in the rooms that there are as well.
    pub(super) fn set_live(&mut self, live: Live, now: Ms) {
        let Live { times, words, house, tv } = live;
        self.setup.offers_house = house;
        self.setup.times = times;
        self.rooms.set(times, words, now);
        if self.setup.tv != tv {
            self.setup.tv = tv;
            self.notify_tvs();
        }
        for code in self.rooms.codes() {
            self.guard(Some(code), |hub| hub.persist_and_broadcast(code, Audience::Everyone, now));
        }
    }
}
