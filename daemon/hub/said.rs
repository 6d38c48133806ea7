//! What pages say: each message is read by what its page is, and answered.

use super::{Conn, Hub, Seated, words};
use crate::clock::utc_hour;
use crate::limits::{BAD_MAX, BAD_WINDOW_MS, JOIN_AGAIN_MS, Ms};
use crate::room::code::Code;
use crate::room::names::Words;
use crate::room::rooms::{Asking, Host, Join};
use crate::room::{Change, Refusal, Say, Who};
use crate::stats;
use crate::wire::{self, Bad, Bye, First, FromPhone, FromTv, Why};
use std::time::Instant;

impl Hub {
    pub(super) fn said(&mut self, conn: Conn, text: &str, at: Instant, now: Ms) {
        let Some(page) = self.pages.get(&conn) else { return };
        stats::count(&self.stats.messages, wire::kind(text).unwrap_or("other"));
        match page.seated {
            Seated::Parted => {}
            Seated::Nobody { .. } => match wire::first(text) {
                Ok(First::Join(ask)) => self.join(conn, &ask, now),
                Ok(First::Host(ask)) => self.host(conn, &ask, now),
                Err(bad) => self.bad(conn, bad, now),
            },
            Seated::Phone { code, id } => {
                self.stats.phone_seen.set(Some(now));
                match wire::from_phone(text) {
                    Ok(FromPhone::Hb) => self.tell(conn, wire::HB.into()),
                    Ok(FromPhone::Join(_)) => self.bad(conn, (Some("join"), Why::First), now),
                    Ok(FromPhone::Say(say)) => self.say(conn, code, Who::Phone(id), say, at, now),
                    Err(bad) => self.bad(conn, bad, now),
                }
            }
            Seated::Tv { code } => {
                self.stats.tv_seen.set(Some(now));
                match wire::from_tv(text) {
                    Ok(FromTv::Hb) => self.tell(conn, wire::HB.into()),
                    Ok(FromTv::Host(_)) => self.bad(conn, (Some("host"), Why::First), now),
                    Ok(FromTv::Say(say)) => self.say(conn, code, Who::Tv, say, at, now),
                    Err(bad) => self.bad(conn, bad, now),
                }
            }
        }
    }

    fn say(&mut self, conn: Conn, code: Code, who: Who, say: Say, at: Instant, now: Ms) {
        let tap = matches!(say, Say::Move { .. });
        let left = matches!((&say, who), (Say::Leave, Who::Phone(_)));
        let kind = words::kind(&say);
        self.guard(Some(code), |hub| {
            let Some(room) = hub.rooms.get_mut(code) else { return };
            match room.say(who, say, now) {
                Ok(()) => {
                    hub.rooms.changed(code);
                    if left {
                        hub.part(conn, Some(Bye::Left), 1000);
                    }
                    hub.show(code, Change::All, None, now);
                    if tap {
                        hub.stats.tap(at.elapsed().as_micros() as u64);
                    }
                }
                Err(refusal) => hub.refuse(conn, kind, refusal),
            }
        });
    }

    fn join(&mut self, conn: Conn, ask: &Join, now: Ms) {
        let Some(by) = self.asking(conn, now) else { return };
        self.guard(Code::parse(&ask.room), |hub| match hub.rooms.join(ask, by) {
            Ok(joined) => {
                if let Some(old) = joined.replaced {
                    hub.part(old, Some(Bye::Taken), 1000);
                }
                if joined.evicted {
                    stats::add(&hub.stats.evictions, 1);
                }
                let first_ever = hub.stats.phone_seen.replace(Some(now)).is_none();
                hub.seat(conn, Seated::Phone { code: joined.code, id: joined.id });
                hub.keep_room(joined.code);
                hub.welcome(conn, joined.code, joined.id, now);
                hub.display(joined.code, Change::All, Some(conn), now);
                if first_ever {
                    hub.tell_tvs();
                }
            }
            Err(refusal) => {
                if refusal == Refusal::Code {
                    hub.keep_rest();
                }
                hub.seat(conn, Seated::Nobody { by: Some(now + JOIN_AGAIN_MS) });
                hub.refuse(conn, "join", refusal);
            }
        });
    }

    fn host(&mut self, conn: Conn, ask: &Host, now: Ms) {
        let Some(by) = self.asking(conn, now) else { return };
        let code = ask.room.as_deref().and_then(Code::parse).or(self.rooms.kiosk());
        self.guard(code, |hub| match hub.rooms.host(ask, by) {
            Ok(hosted) => {
                if let Some(old) = hosted.replaced {
                    hub.part(old, Some(Bye::Taken), 1000);
                }
                if hosted.new {
                    log::info!(room:% = hosted.code, event = "new", count = hub.rooms.len(); "A room is made");
                }
                if hub.stats.tv_seen.replace(Some(now)).is_none() {
                    // Guests will follow: their first nickname must not keep the hub waiting for the word list.
                    std::thread::spawn(Words::load);
                }
                hub.seat(conn, Seated::Tv { code: hosted.code });
                hub.keep_rest();
                hub.keep_room(hosted.code);
                hub.tell_room(conn, hosted.code);
                hub.display(hosted.code, Change::All, None, now);
            }
            Err(refusal) => {
                hub.seat(conn, Seated::Nobody { by: Some(now + JOIN_AGAIN_MS) });
                hub.refuse(conn, "host", refusal);
            }
        });
    }

    fn asking(&self, conn: Conn, now: Ms) -> Option<Asking> {
        let page = self.pages.get(&conn)?;
        Some(Asking { page: conn, ip: page.peer.ip, now, hour: utc_hour() })
    }

    pub(super) fn bad(&mut self, conn: Conn, (re, why): Bad, now: Ms) {
        stats::count(&self.stats.refusals, words::name(why));
        let Some(page) = self.pages.get_mut(&conn).filter(|page| page.seated != Seated::Parted) else {
            return;
        };
        page.outbox.tell(wire::no(re, why, words::bad(why), None));
        if matches!(why, Why::Shape | Why::Kind) {
            page.bad.retain(|&at| now.saturating_sub(at) < BAD_WINDOW_MS);
            page.bad.push(now);
            if page.bad.len() >= BAD_MAX as usize {
                page.outbox.close(1008);
            }
        }
    }

    fn refuse(&mut self, conn: Conn, re: &'static str, refusal: Refusal) {
        let (why, say, retry) = words::refusal(re, refusal);
        stats::count(&self.stats.refusals, words::name(why));
        self.tell(conn, wire::no(Some(re), why, say, retry));
    }
}
