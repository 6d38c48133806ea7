//! What pages say: each message is read by what its page is, and answered.

use super::{ClientRole, ConnectionId, Hub, messages};
use crate::clock::utc_hour;
use crate::limits::{BAD_MAX, BAD_WINDOW_MS, JOIN_AGAIN_MS, Ms};
use crate::room::code::Code;
use crate::room::names::WordFilter;
use crate::room::rooms::{Caller, HostRequest, JoinRequest};
use crate::room::{Audience, Command, Refusal, Sender};
use crate::stats;
use crate::wire::{self, Bad, Bye, First, FromPhone, FromTv, Why};
use std::time::Instant;

impl Hub {
    pub(super) fn dispatch(&mut self, connection: ConnectionId, text: &str, at: Instant, now: Ms) {
        let Some(client) = self.clients.get(&connection) else { return };
        stats::count(&self.stats.messages, wire::kind(text).unwrap_or("other"));
        match client.role {
            ClientRole::Disconnected => {}
            ClientRole::Pending { .. } => match wire::first(text) {
                Ok(First::Join(ask)) => self.join(connection, &ask, now),
                Ok(First::Host(ask)) => self.host(connection, &ask, now),
                Err(bad) => self.protocol_error(connection, bad, now),
            },
            ClientRole::Phone { code, id } => {
                self.stats.phone_seen.set(Some(now));
                match wire::from_phone(text) {
                    Ok(FromPhone::Hb) => self.send(connection, wire::HB.into()),
                    Ok(FromPhone::Join(_)) => {
                        self.protocol_error(connection, (Some("join"), Why::First), now)
                    }
                    Ok(FromPhone::Command(say)) => {
                        self.execute(connection, code, Sender::Phone(id), say, at, now)
                    }
                    Err(bad) => self.protocol_error(connection, bad, now),
                }
            }
            ClientRole::Tv { code } => {
                self.stats.tv_seen.set(Some(now));
                match wire::from_tv(text) {
                    Ok(FromTv::Hb) => self.send(connection, wire::HB.into()),
                    Ok(FromTv::Host(_)) => self.protocol_error(connection, (Some("host"), Why::First), now),
                    Ok(FromTv::Command(say)) => self.execute(connection, code, Sender::Tv, say, at, now),
                    Err(bad) => self.protocol_error(connection, bad, now),
                }
            }
        }
    }

    fn execute(
        &mut self,
        connection: ConnectionId,
        code: Code,
        sender: Sender,
        say: Command,
        at: Instant,
        now: Ms,
    ) {
        let tap = matches!(say, Command::Move { .. });
        let left = matches!((&say, sender), (Command::Leave, Sender::Phone(_)));
        let kind = messages::kind(&say);
        self.guard(Some(code), |hub| {
            let Some(room) = hub.rooms.get_mut(code) else { return };
            match room.execute(sender, say, now) {
                Ok(()) => {
                    hub.rooms.update_index(code);
                    if left {
                        hub.disconnect(connection, Some(Bye::Left), 1000);
                    }
                    hub.persist_and_broadcast(code, Audience::Everyone, None, now);
                    if tap {
                        hub.stats.tap(at.elapsed().as_micros() as u64);
                    }
                }
                Err(refusal) => hub.refuse(connection, kind, refusal),
            }
        });
    }

    fn join(&mut self, connection: ConnectionId, ask: &JoinRequest, now: Ms) {
        let Some(by) = self.caller(connection, now) else { return };
        self.guard(Code::parse(&ask.room), |hub| match hub.rooms.join(ask, by) {
            Ok(joined) => {
                if let Some(old) = joined.replaced {
                    hub.disconnect(old, Some(Bye::Taken), 1000);
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
            Err(refusal) => {
                if refusal == Refusal::Code {
                    hub.persist_shared();
                }
                hub.set_role(connection, ClientRole::Pending { until: Some(now + JOIN_AGAIN_MS) });
                hub.refuse(connection, "join", refusal);
            }
        });
    }

    fn host(&mut self, connection: ConnectionId, ask: &HostRequest, now: Ms) {
        let Some(by) = self.caller(connection, now) else { return };
        let code = ask.room.as_deref().and_then(Code::parse).or(self.rooms.kiosk());
        self.guard(code, |hub| match hub.rooms.host(ask, by) {
            Ok(hosted) => {
                if let Some(old) = hosted.replaced {
                    hub.disconnect(old, Some(Bye::Taken), 1000);
                }
                if hosted.new {
                    log::info!(room:% = hosted.code, event = "new", count = hub.rooms.len(); "A room is made");
                }
                if hub.stats.tv_seen.replace(Some(now)).is_none() {
                    // Guests will follow: their first nickname must not keep the hub waiting for the word list.
                    std::thread::spawn(WordFilter::load);
                }
                hub.set_role(connection, ClientRole::Tv { code: hosted.code });
                hub.persist_shared();
                hub.persist_room(hosted.code);
                hub.send_room(connection, hosted.code);
                hub.broadcast(hosted.code, Audience::Everyone, None, now);
            }
            Err(refusal) => {
                hub.set_role(connection, ClientRole::Pending { until: Some(now + JOIN_AGAIN_MS) });
                hub.refuse(connection, "host", refusal);
            }
        });
    }

    fn caller(&self, connection: ConnectionId, now: Ms) -> Option<Caller> {
        let client = self.clients.get(&connection)?;
        Some(Caller { connection, ip: client.peer.ip, now, hour: utc_hour() })
    }

    pub(super) fn protocol_error(&mut self, connection: ConnectionId, (re, why): Bad, now: Ms) {
        stats::count(&self.stats.refusals, messages::name(why));
        let Some(client) =
            self.clients.get_mut(&connection).filter(|client| client.role != ClientRole::Disconnected)
        else {
            return;
        };
        client.outbox.tell(wire::no(re, why, messages::protocol_error(why), None));
        if matches!(why, Why::Shape | Why::Kind) {
            client.bad.retain(|&at| now.saturating_sub(at) < BAD_WINDOW_MS);
            client.bad.push(now);
            if client.bad.len() >= BAD_MAX as usize {
                client.outbox.close(1008);
            }
        }
    }

    fn refuse(&mut self, connection: ConnectionId, re: &'static str, refusal: Refusal) {
        let (why, say, retry) = messages::refusal(re, refusal);
        stats::count(&self.stats.refusals, messages::name(why));
        self.send(connection, wire::no(Some(re), why, say, retry));
    }
}
