//! Connected clients and their roles.

use super::{ConnectionId, Hub, Peer};
use crate::auth::Session;
use crate::limits::Ms;
use crate::outbox::{Frame, Outbox};
use crate::room::code::Code;
use crate::rule::people::PersonId;
use crate::wire::{self, ByeReason};

/// The role of a client in its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClientRole {
    /// No role yet. The client is closed at `until` unless it joins or hosts.
    Pending { until: Ms },
    /// A person's phone.
    Phone { code: Code, id: PersonId },
    /// The owner's phone. It is closed at `until` unless it has proved by then that it is.
    Owner { until: Option<Ms> },
    /// A room's TV. With `kiosk` it is the box's own, connected from this machine.
    Tv { code: Code, kiosk: bool },
    /// The client has been disconnected. Its further messages are ignored.
    Disconnected,
}

impl ClientRole {
    fn room(self) -> Option<Code> {
        match self {
            ClientRole::Phone { code, .. } | ClientRole::Tv { code, .. } => Some(code),
            ClientRole::Pending { .. } | ClientRole::Owner { .. } | ClientRole::Disconnected => None,
        }
    }

    /// Returns when the client is closed unless it is somebody by then.
    fn until(self) -> Option<Ms> {
        match self {
            ClientRole::Pending { until } => Some(until),
            ClientRole::Owner { until } => until,
            ClientRole::Phone { .. } | ClientRole::Tv { .. } | ClientRole::Disconnected => None,
        }
    }
}

/// A connected page.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) peer: Peer,
    pub(super) outbox: Outbox,
    pub(super) role: ClientRole,
    /// The session of the owner's phone.
    pub(super) session: Option<Box<Session>>,
    /// The times at which its newest messages were refused as `shape` or `kind`.
    pub(super) bad: Vec<Ms>,
}

impl Hub {
    /// Adds a client that has no role yet.
    pub(super) fn add_client(&mut self, connection: ConnectionId, peer: Peer, outbox: Outbox, until: Ms) {
        let client =
            Client { peer, outbox, role: ClientRole::Pending { until }, session: None, bad: Vec::new() };
        self.clients.insert(connection, client);
        self.pending.insert((until, connection));
    }

    /// Gives a client another role, and updates the counters and deadlines.
    pub(super) fn set_role(&mut self, connection: ConnectionId, role: ClientRole) {
        let Some(client) = self.clients.get_mut(&connection) else { return };
        let before = std::mem::replace(&mut client.role, role);
        for (role, n) in [(before, -1), (role, 1)] {
            let gauge = match role {
                ClientRole::Tv { .. } => &self.stats.tvs,
                ClientRole::Phone { .. } => &self.stats.phones,
                ClientRole::Pending { .. } | ClientRole::Owner { .. } | ClientRole::Disconnected => continue,
            };
            gauge.set(gauge.get().saturating_add_signed(n));
            if matches!(role, ClientRole::Tv { kiosk: true, .. }) {
                self.stats.kiosks.set(self.stats.kiosks.get().saturating_add_signed(n));
            }
        }
        client.outbox.seat(role.room().is_some() || role == ClientRole::Owner { until: None });
        if let Some(until) = before.until() {
            self.pending.remove(&(until, connection));
        }
        if let Some(until) = role.until() {
            self.pending.insert((until, connection));
        }
    }

    /// Sends a client a frame that is not a view.
    pub(super) fn send(&self, connection: ConnectionId, frame: Frame) {
        if let Some(client) = self.clients.get(&connection).filter(|c| c.role != ClientRole::Disconnected) {
            client.outbox.send(frame);
        }
    }

    /// Sends a client the goodbye and closes it with that code (RFC 6455, 7.4.1). The caller removes its person or
    /// TV from the room.
    pub(super) fn disconnect(&mut self, connection: ConnectionId, bye: Option<ByeReason>, code: u16) {
        if let Some(bye) = bye {
            self.send(connection, wire::bye(bye));
        }
        self.set_role(connection, ClientRole::Disconnected);
        if let Some(client) = self.clients.get(&connection) {
            client.outbox.close(code);
        }
    }

    /// Returns the connections of a room's clients.
    pub(super) fn clients_of(&self, code: Code) -> Vec<ConnectionId> {
        let of_room = |client: &Client| client.role.room() == Some(code);
        self.clients.iter().filter(|(_, client)| of_room(client)).map(|(&connection, _)| connection).collect()
    }

    /// Removes a client whose connection has ended. The place of its person is held.
    pub(super) fn on_disconnect(&mut self, connection: ConnectionId, now: Ms) {
        let Some(role) = self.clients.get(&connection).map(|client| client.role) else { return };
        self.set_role(connection, ClientRole::Disconnected);
        self.clients.remove(&connection);
        let Some(code) = role.room() else { return };
        self.guard(Some(code), |hub| {
            let Some(room) = hub.rooms.get_mut(code) else { return };
            let audience = room.on_disconnect(connection, now);
            hub.rooms.update_index(code);
            hub.persist_and_broadcast(code, audience, now);
        });
    }
}
