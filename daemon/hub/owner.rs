//! The requests of the owner's phone and of the kiosk's remote: authenticates them, and sends the answers.

use super::client::ClientRole;
use super::{ConnectionId, Hub, LiveSettings, OwnerCall};
use crate::auth::{Hello, Phones, Session};
use crate::limits::{JOIN_AGAIN_MS, Ms};
use crate::refusal::Refusal;
use crate::room::{Audience, Command, Sender};
use crate::wire::{self, Kind, KioskRequest, OwnerMessage, Parsed, owner};
use std::cell::RefCell;
use std::rc::Rc;

/// The hub's handle on the service that carries out the owner's requests.
#[derive(Clone, Debug)]
pub struct OwnerHandle {
    /// The queue of requests.
    pub calls: smol::channel::Sender<OwnerCall>,
    /// The owner's phones.
    pub phones: Rc<RefCell<Phones>>,
}

impl Hub {
    /// Answers the first message of an owner's phone with the box's random number, which its sealed messages must depend on.
    pub(super) fn owner_hello(&mut self, connection: ConnectionId, hello: Hello, now: Ms) {
        let secret = self.setup.owner.as_ref().and_then(|owner| owner.phones.borrow().secret(&hello.id, now));
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

    /// Handles a further message of an owner's phone.
    pub(super) fn owner_message(&mut self, connection: ConnectionId, text: &str, now: Ms) {
        let Parsed { kind, request } = wire::parse_owner(text);
        self.count_message(kind);
        let sealed = match request {
            Ok(OwnerMessage::Sealed(sealed)) => sealed,
            Ok(OwnerMessage::Heartbeat) => return self.send(connection, wire::HEARTBEAT.into()),
            Err(refusal) => return self.protocol_error(connection, kind, refusal, now),
        };
        // Refused unopened, so that the phone may send it again at the same place.
        if self.setup.owner.as_ref().is_some_and(|owner| owner.calls.is_full()) {
            return self.refuse(connection, Some(Kind::Do), Refusal::Busy(1));
        }
        let session = self.clients.get_mut(&connection).and_then(|client| client.session.as_mut());
        let opened = session.and_then(|session| Some((session.open(&sealed)?, session.hello.clone())));
        let owner = self.setup.owner.as_ref();
        // Since its first message the phone may have been removed, or its secret used by another phone.
        let proved = opened.zip(owner).and_then(|((text, hello), owner)| {
            let paired = owner.phones.borrow_mut().authenticate(&hello.id, &hello.name, now)?;
            Some((text, hello.id, paired))
        });
        let Some((text, id, paired)) = proved else {
            // Forged, or the numbers of both sides differ: either way the connection ends.
            self.refuse(connection, Some(Kind::Do), Refusal::Pair);
            return self.disconnect(connection, None, 1008);
        };
        self.set_role(connection, ClientRole::Owner { until: None });
        self.submit(connection, sealed.n, text, Some(id), paired);
    }

    /// Handles a request of the kiosk.
    pub(super) fn kiosk_request(&mut self, connection: ConnectionId, request: KioskRequest) {
        self.submit(connection, request.n, request.ask, None, false);
    }

    fn submit(
        &mut self,
        connection: ConnectionId,
        n: u64,
        text: String,
        phone: Option<String>,
        paired: bool,
    ) {
        let room = self.rooms.kiosk().and_then(|code| self.rooms.get(code));
        let people = room.map(|room| room.people().iter().map(|person| person.nick.clone()).collect());
        let call = OwnerCall { connection, n, text, phone, paired, people: people.unwrap_or_default() };
        let accepted = self.setup.owner.as_ref().is_some_and(|owner| owner.calls.try_send(call).is_ok());
        if !accepted {
            self.refuse(connection, Some(Kind::Do), Refusal::Busy(1));
        }
    }

    /// Sends an answer of the owner service, sealed for a phone.
    pub(super) fn answer_owner(&mut self, connection: ConnectionId, n: u64, text: &str) {
        let Some(client) = self.clients.get(&connection) else { return };
        let frame = match &client.session {
            Some(session) => owner::sealed(&session.seal(n, text)),
            None => owner::plain(n, text),
        };
        self.send(connection, frame);
    }

    /// Takes a person out of the kiosk's room. Returns whether there was such a person.
    pub(super) fn take_out(&mut self, nick: String, keep: bool, now: Ms) -> bool {
        let Some(code) = self.rooms.kiosk() else { return false };
        let mut done = false;
        self.guard(Some(code), |hub| {
            done = hub.perform(code, Sender::Tv, Command::TakeOut { nick, keep }, now).is_ok();
        });
        done
    }

    /// Applies changed settings, also in the existing rooms.
    pub(super) fn apply_settings(&mut self, settings: LiveSettings, now: Ms) {
        let LiveSettings { times, words, house, tv } = settings;
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
