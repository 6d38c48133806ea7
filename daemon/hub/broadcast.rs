//! What pages are told: views printed once for all who see the same, welcomes, and the way in.

use super::{ClientRole, ConnectionId, Hub, Peer};
use crate::limits::Ms;
use crate::outbox::Frame;
use crate::qr;
use crate::room::code::Code;
use crate::room::{Audience, Room};
use crate::rule::people::PersonId;
use crate::rule::view::PersonalView;
use crate::wire::{self, Sheet, Way};
use std::net::IpAddr;

impl Hub {
    /// Keeps a room that has changed, and shows it to everyone concerned but `except`.
    pub(super) fn persist_and_broadcast(
        &mut self,
        code: Code,
        change: Audience,
        except: Option<ConnectionId>,
        now: Ms,
    ) {
        if change == Audience::Everyone {
            self.persist_room(code);
        }
        self.broadcast(code, change, except, now);
    }

    /// Shows a room that is kept already: what anyone is shown is kept before it is shown.
    pub(super) fn broadcast(&mut self, code: Code, change: Audience, except: Option<ConnectionId>, now: Ms) {
        self.update_gauges();
        let Some(room) = self.rooms.get(code) else { return };
        if change == Audience::Nobody {
            return;
        }
        let sheet = Printed::of(room, now);
        if let Some(tv) = room.tv().and_then(|connection| self.clients.get(&connection)) {
            tv.outbox.view(sheet.for_tv(room));
        }
        if change == Audience::Tv {
            return;
        }
        // Those who see the same get the same frame.
        let mut printed: Vec<(PersonalView, Frame)> = Vec::new();
        for person in room.people().iter() {
            let Some(connection) = person.connection.filter(|&connection| Some(connection) != except) else {
                continue;
            };
            let Some(client) = self.clients.get(&connection) else { continue };
            let own = room.rule().map(|rule| rule.personal_view(person.id)).unwrap_or_default();
            let same = printed.iter().find(|(other, _)| *other == own);
            let frame = match same {
                Some((_, frame)) => frame.clone(),
                None => {
                    let frame = sheet.for_phone(&own);
                    printed.push((own, frame.clone()));
                    frame
                }
            };
            client.outbox.view(frame);
        }
    }

    /// The answer to a join, with the very first view in it.
    pub(super) fn welcome(&mut self, connection: ConnectionId, code: Code, id: PersonId, now: Ms) {
        let Some(room) = self.rooms.get(code) else { return };
        let Some(person) = room.people().get(id) else { return };
        let own = room.rule().map(|rule| rule.personal_view(id)).unwrap_or_default();
        let view = Printed::of(room, now).for_phone(&own);
        let (nick, key) = (&person.nick, &person.key);
        let welcome = wire::Welcome { id, nick, key, room: code.to_string(), build: self.setup.build };
        self.send(connection, wire::welcome(&welcome, &view));
    }

    /// The answer to a host, and the news that its way in has changed.
    pub(super) fn send_room(&self, connection: ConnectionId, code: Code) {
        let (Some(room), Some(client)) = (self.rooms.get(code), self.clients.get(&connection)) else {
            return;
        };
        let way = self.way(&client.peer, code);
        let qr = way.as_ref().and_then(|way| qr::code(&way.url));
        let message = wire::Room {
            room: code.to_string(),
            key: room.key(),
            build: self.setup.build,
            join: way.as_ref(),
            qr: qr.as_ref().map(drawn),
            wifi: self.setup.endpoint.wifi.as_deref(),
            hotspot: self.setup.endpoint.hotspot.as_ref().map(drawn),
            phones: self.stats.phone_seen.get().is_some(),
            problems: &self.setup.endpoint.problems,
        };
        self.send(connection, wire::room(&message));
    }

    /// Every TV is told anew how guests come in.
    pub(super) fn notify_tvs(&self) {
        for (&connection, client) in &self.clients {
            if let ClientRole::Tv { code } = client.role {
                self.send_room(connection, code);
            }
        }
    }

    pub(super) fn send(&self, connection: ConnectionId, frame: Frame) {
        if let Some(client) =
            self.clients.get(&connection).filter(|client| client.role != ClientRole::Disconnected)
        {
            client.outbox.tell(frame);
        }
    }

    pub(super) fn clients_of(&self, code: Code) -> Vec<ConnectionId> {
        let of = |role| match role {
            ClientRole::Phone { code, .. } | ClientRole::Tv { code } => Some(code),
            ClientRole::Pending { .. } | ClientRole::Disconnected => None,
        };
        self.clients
            .iter()
            .filter(|(_, client)| of(client.role) == Some(code))
            .map(|(&connection, _)| connection)
            .collect()
    }

    /// How guests come in. The box's own TV shows the address that guests reach; one on another machine shows
    /// the address that it came by, which has just been seen to work.
    fn way(&self, peer: &Peer, code: Code) -> Option<Way> {
        let endpoint = &self.setup.endpoint;
        let ip = if peer.ip.is_loopback() { endpoint.ip? } else { peer.local };
        let ip = match ip {
            IpAddr::V4(v4) => v4.to_string(),
            IpAddr::V6(v6) => format!("[{v6}]"),
        };
        let port = match self.setup.port {
            80 => String::new(),
            port => format!(":{port}"),
        };
        let host = endpoint.name.as_ref().map(|name| format!("{name}{port}"));
        let addr = format!("{ip}{port}");
        Some(Way { url: format!("http://{addr}/{code}"), host: host.unwrap_or_default(), addr })
    }
}

fn drawn(qr: &qr::Qr) -> wire::Qr<'_> {
    wire::Qr { size: qr.size, path: &qr.path }
}

/// A room's picture, printed for all who are about to see it.
enum Printed {
    Menu(Frame),
    Game(Sheet),
}

impl Printed {
    fn of(room: &Room, now: Ms) -> Self {
        let tv = room.tv().is_some();
        match room.shared_view(now) {
            Some(picture) => Printed::Game(wire::sheet(&picture, tv)),
            None => Printed::Menu(wire::menu(room.people().iter().map(|p| p.nick.as_str()), tv)),
        }
    }

    fn for_phone(&self, own: &PersonalView) -> Frame {
        match self {
            Printed::Menu(frame) => frame.clone(),
            Printed::Game(sheet) => sheet.view(own, false, None),
        }
    }

    fn for_tv(&self, room: &Room) -> Frame {
        match self {
            Printed::Menu(frame) => frame.clone(),
            Printed::Game(sheet) => sheet.view(&room.remote_view(), true, room.attract().as_ref()),
        }
    }
}
