//! Sends rooms to their clients: views, welcomes, and the join address. Equal views are printed once.

use super::client::ClientRole;
use super::{ConnectionId, Hub, Peer};
use crate::limits::Ms;
use crate::outbox::Frame;
use crate::qr;
use crate::room::code::Code;
use crate::room::{Audience, Room};
use crate::rule::people::PersonId;
use crate::rule::view::{PersonalView, SharedView};
use crate::wire::{self, JoinAddress, SerializedView};
use std::net::IpAddr;

impl Hub {
    /// Stores a room that has changed, then sends it to its audience.
    pub(super) fn persist_and_broadcast(&mut self, code: Code, audience: Audience, now: Ms) {
        if audience == Audience::Everyone {
            self.persist_room(code);
        }
        self.broadcast(code, audience, None, now);
    }

    /// Sends a room to its audience, except to `except`. The room must be stored first, so that no view shows more than a
    /// restart would restore.
    pub(super) fn broadcast(
        &mut self,
        code: Code,
        audience: Audience,
        except: Option<ConnectionId>,
        now: Ms,
    ) {
        self.update_gauges();
        if audience != Audience::Nobody {
            self.ask_house(code, now);
        }
        let Some(room) = self.rooms.get(code).filter(|_| audience != Audience::Nobody) else { return };
        let shared = room.shared_view(now);
        let view = self.room_view(room, shared.as_ref());
        if let Some(tv) = room.tv().and_then(|connection| self.clients.get(&connection)) {
            tv.outbox.send_view(view.for_tv(room));
        }
        if audience == Audience::Tv {
            return;
        }
        // Equal views share one frame.
        let mut frames: Vec<(PersonalView, Frame)> = Vec::new();
        for person in room.people().iter() {
            let Some(connection) = person.connection.filter(|&other| Some(other) != except) else { continue };
            let Some(client) = self.clients.get(&connection) else { continue };
            let own = room.personal_view(person.id);
            let frame = match frames.iter().find(|(other, _)| *other == own) {
                Some((_, frame)) => frame.clone(),
                None => {
                    let frame = view.for_phone(&own);
                    frames.push((own, frame.clone()));
                    frame
                }
            };
            client.outbox.send_view(frame);
        }
    }

    /// Prints the shared parts of a room's view.
    fn room_view<'a>(&self, room: &Room, shared: Option<&'a SharedView<'a>>) -> RoomView<'a> {
        let tv = room.tv().is_some();
        match shared {
            Some(shared) => RoomView::Game(wire::serialize(shared, tv, self.is_house_offered())),
            None => RoomView::Menu(wire::menu(room.people().iter().map(|p| p.nick.as_str()), tv)),
        }
    }

    /// Answers a join. The answer contains the first view.
    pub(super) fn welcome(&mut self, connection: ConnectionId, code: Code, id: PersonId, now: Ms) {
        let Some(room) = self.rooms.get(code) else { return };
        let Some(person) = room.people().get(id) else { return };
        let shared = room.shared_view(now);
        let view = self.room_view(room, shared.as_ref()).for_phone(&room.personal_view(id));
        let welcome = wire::Welcome {
            id,
            nick: &person.nick,
            key: &person.key,
            room: &code.to_string(),
            build: self.setup.build,
        };
        self.send(connection, wire::welcome(&welcome, &view));
    }

    /// Sends a TV its room and its join address.
    pub(super) fn send_room(&self, connection: ConnectionId, code: Code) {
        let (Some(room), Some(client)) = (self.rooms.get(code), self.clients.get(&connection)) else {
            return;
        };
        let join = self.join_address(&client.peer, room);
        let qr = join.as_ref().and_then(|join| qr::code(&format!("{}#{}", join.url, join.scan)));
        let message = wire::Room {
            room: code.to_string(),
            key: room.key(),
            build: self.setup.build,
            join: join.as_ref(),
            qr: qr.as_ref().map(to_wire),
            wifi: self.setup.endpoint.wifi.as_deref(),
            hotspot: self.setup.endpoint.hotspot.as_ref().map(to_wire),
            phones: self.stats.phone_seen.get().is_some(),
            problems: &self.setup.endpoint.problems,
            sound: self.setup.tv.sound,
            kiosk: matches!(client.role, ClientRole::Tv { kiosk: true, .. }),
            venue: self.setup.tv.venue.as_deref(),
            language: &self.setup.tv.language,
        };
        self.send(connection, wire::room(&message));
    }

    /// Sends every TV its join address again.
    pub(super) fn notify_tvs(&self) {
        for (&connection, client) in &self.clients {
            if let ClientRole::Tv { code, .. } = client.role {
                self.send_room(connection, code);
            }
        }
    }

    /// Returns a room's join address, or `None` without a network.
    ///
    /// The box's own TV shows the address that guests reach. A TV on another machine shows the address that it has used
    /// itself, which is known to work.
    fn join_address(&self, peer: &Peer, room: &Room) -> Option<JoinAddress> {
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
        let addr = format!("{ip}{port}");
        Some(JoinAddress {
            url: format!("http://{addr}/{}", room.code()),
            host: endpoint.name.as_ref().map(|name| format!("{name}{port}")).unwrap_or_default(),
            addr,
            scan: room.scan().to_owned(),
        })
    }
}

/// Converts a QR code to its form on the wire.
fn to_wire(qr: &qr::Qr) -> wire::Qr<'_> {
    wire::Qr { size: qr.size, path: &qr.path }
}

/// The view of a room. The parts that its clients share are printed once.
enum RoomView<'a> {
    Menu(Frame),
    Game(SerializedView<'a>),
}

impl RoomView<'_> {
    /// Returns the frame for the phones of all people with this personal view.
    fn for_phone(&self, own: &PersonalView) -> Frame {
        match self {
            RoomView::Menu(frame) => frame.clone(),
            RoomView::Game(view) => view.for_phone(own),
        }
    }

    /// Returns the frame for the room's TV.
    fn for_tv(&self, room: &Room) -> Frame {
        match self {
            RoomView::Menu(frame) => frame.clone(),
            RoomView::Game(view) => view.for_tv(&room.remote_view(), room.attract().as_ref()),
        }
    }
}
