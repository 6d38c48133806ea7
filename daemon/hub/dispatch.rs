//! Dispatches a client's message by the client's role, and answers it.

use super::client::ClientRole;
use super::{ConnectionId, Hub, messages};
use crate::clock::utc_hour;
use crate::limits::{BAD_MAX, BAD_WINDOW_MS, JOIN_AGAIN_MS, Ms};
use crate::refusal::Refusal;
use crate::room::code::Code;
use crate::room::rooms::{Caller, HostRequest, JoinRequest};
use crate::room::{Audience, Command, Sender};
use crate::stats;
use crate::wire::{self, ByeReason, FirstMessage, Kind, Parsed, RoomMessage};
use std::time::Instant;

impl Hub {
    pub(super) fn dispatch(&mut self, connection: ConnectionId, text: &str, at: Instant, now: Ms) {
        let Some(role) = self.clients.get(&connection).map(|client| client.role) else { return };
        match role {
            ClientRole::Disconnected => {}
            ClientRole::Pending { .. } => {
                let Parsed { kind, request } = wire::parse_first(text);
                self.count_message(kind);
                match request {
                    Ok(FirstMessage::Join(request)) => self.join(connection, &request, now),
                    Ok(FirstMessage::Host(request)) => self.host(connection, &request, now),
                    Ok(FirstMessage::Owner(hello)) => self.owner_hello(connection, hello, now),
                    Err(refusal) => self.protocol_error(connection, kind, refusal, now),
                }
            }
            ClientRole::Owner { .. } => self.owner_message(connection, text, now),
            ClientRole::Phone { code, id } => {
                self.stats.phone_seen.set(Some(now));
                self.in_room(connection, code, Sender::Phone(id), wire::parse_phone(text), at, now);
            }
            ClientRole::Tv { code, kiosk } => {
                self.stats.tv_seen.set(Some(now));
                if kiosk {
                    self.stats.kiosk_seen.set(Some(now));
                }
                self.in_room(connection, code, Sender::Tv, wire::parse_tv(text, kiosk), at, now);
            }
        }
    }

    pub(super) fn count_message(&self, kind: Option<Kind>) {
        stats::count(&self.stats.messages, kind.map_or("other", Kind::as_str));
    }

    /// Handles a message of a client that is in a room.
    fn in_room(
        &mut self,
        connection: ConnectionId,
        code: Code,
        sender: Sender,
        message: Parsed<RoomMessage>,
        at: Instant,
        now: Ms,
    ) {
        let Parsed { kind, request } = message;
        self.count_message(kind);
        match request {
            Ok(RoomMessage::Heartbeat) => self.send(connection, wire::HEARTBEAT.into()),
            Ok(RoomMessage::Do(request)) => self.kiosk_request(connection, request),
            Ok(RoomMessage::Command(command)) => {
                let tap = matches!(command, Command::Move { .. });
                self.guard(Some(code), |hub| {
                    let done = hub.execute(connection, code, sender, (kind, command), now);
                    if tap && done {
                        hub.stats.tap(at.elapsed().as_micros() as u64);
                    }
                });
            }
            Err(refusal) => self.protocol_error(connection, kind, refusal, now),
        }
    }

    /// Executes a command in its room, and answers it. Returns whether it was accepted.
    fn execute(
        &mut self,
        connection: ConnectionId,
        code: Code,
        sender: Sender,
        (kind, command): (Option<Kind>, Command),
        now: Ms,
    ) -> bool {
        if command == Command::House(true) && !self.is_house_offered() {
            self.refuse(connection, kind, Refusal::When);
            return false;
        }
        match self.perform(code, sender, command, now) {
            Ok(()) => true,
            Err(refusal) => {
                self.refuse(connection, kind, refusal);
                false
            }
        }
    }

    /// Carries out a command in its room, says goodbye to the person who has left by it, and shows what has changed.
    pub(super) fn perform(
        &mut self,
        code: Code,
        sender: Sender,
        command: Command,
        now: Ms,
    ) -> Result<(), Refusal> {
        let room = self.rooms.get_mut(code).ok_or(Refusal::Code)?;
        let bye = if let Command::TakeOut { .. } = command { ByeReason::Out } else { ByeReason::Left };
        let left = room.execute(sender, command, now)?;
        self.rooms.update_index(code);
        if let Some(left) = left {
            self.disconnect(left, Some(bye), 1000);
        }
        self.persist_and_broadcast(code, Audience::Everyone, now);
        Ok(())
    }

    fn join(&mut self, connection: ConnectionId, request: &JoinRequest, now: Ms) {
        let Some(by) = self.caller(connection, now) else { return };
        self.guard(Code::parse(&request.room), |hub| {
            let joined = hub.rooms.join(request, by);
            if hub.rooms.take_quotas_changed() {
                hub.persist_shared();
            }
            match joined {
                Ok(joined) => {
                    if let Some(old) = joined.replaced {
                        hub.disconnect(old, Some(ByeReason::Taken), 1000);
                    }
                    if joined.evicted {
                        stats::add(&hub.stats.evictions, 1);
                    }
                    let first_ever = hub.stats.phone_seen.replace(Some(now)).is_none();
                    hub.set_role(connection, ClientRole::Phone { code: joined.code, id: joined.id });
                    hub.persist_room(joined.code);
                    hub.welcome(connection, joined.code, joined.id, now);
                    hub.broadcast(joined.code, Audience::Everyone, Some(connection), now);
                    if first_ever {
                        hub.notify_tvs();
                    }
                }
                Err(refusal) => hub.refuse_entry(connection, Kind::Join, refusal, now),
            }
        });
    }

    fn host(&mut self, connection: ConnectionId, request: &HostRequest, now: Ms) {
        let Some(by) = self.caller(connection, now) else { return };
        let code = request.room.as_deref().and_then(Code::parse).or(self.rooms.kiosk());
        self.guard(code, |hub| match hub.rooms.host(request, by) {
            Ok(hosted) => {
                let code = hosted.code;
                if let Some(old) = hosted.replaced {
                    hub.disconnect(old, Some(ByeReason::Taken), 1000);
                }
                if hosted.new {
                    log::info!(room:% = code, event = "new", count = hub.rooms.len(); "A room is made");
                }
                hub.stats.tv_seen.set(Some(now));
                hub.set_role(connection, ClientRole::Tv { code, kiosk: hosted.kiosk });
                if hosted.kiosk {
                    hub.stats.kiosk_seen.set(Some(now));
                    stats::add(&hub.stats.kiosks_opened, 1);
                }
                hub.persist_shared();
                hub.persist_room(code);
                hub.send_room(connection, code);
                hub.broadcast(code, Audience::Everyone, None, now);
            }
            Err(refusal) => hub.refuse_entry(connection, Kind::Host, refusal, now),
        });
    }

    fn caller(&self, connection: ConnectionId, now: Ms) -> Option<Caller> {
        let client = self.clients.get(&connection)?;
        Some(Caller { connection, ip: client.peer.ip, now, hour: utc_hour() })
    }

    /// Refuses a message that violates the protocol, and closes a client that sends too many of them.
    pub(super) fn protocol_error(
        &mut self,
        connection: ConnectionId,
        kind: Option<Kind>,
        refusal: Refusal,
        now: Ms,
    ) {
        self.refuse(connection, kind, refusal);
        if !matches!(refusal, Refusal::Shape | Refusal::Kind) {
            return;
        }
        let Some(client) = self.clients.get_mut(&connection) else { return };
        client.bad.retain(|&at| now.saturating_sub(at) < BAD_WINDOW_MS);
        client.bad.push(now);
        if client.bad.len() >= BAD_MAX as usize {
            client.outbox.close(1008);
        }
    }

    /// Refuses a join or host. The client may try again for [`JOIN_AGAIN_MS`].
    pub(super) fn refuse_entry(&mut self, connection: ConnectionId, kind: Kind, refusal: Refusal, now: Ms) {
        self.set_role(connection, ClientRole::Pending { until: now + JOIN_AGAIN_MS });
        self.refuse(connection, Some(kind), refusal);
    }

    pub(super) fn refuse(&mut self, connection: ConnectionId, kind: Option<Kind>, refusal: Refusal) {
        stats::count(&self.stats.refusals, refusal.as_str());
        self.send(connection, wire::refusal(kind, refusal, messages::refusal(kind, refusal)));
    }
}
