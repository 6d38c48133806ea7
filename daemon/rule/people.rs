//! The people of one room, in the order in which they first came in.

use crate::limits::Ms;

/// A person's number in the room: rises, and is never given twice.
pub type PersonId = u32;

/// A connection's number, unique for the life of the daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// Somebody in the room: a phone, or the TV's remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Number in the room.
    pub id: PersonId,
    /// Nickname, cleaned and unique in the room.
    pub nick: String,
    /// The secret by which the same person comes back. Empty for the remote, which comes with its TV.
    pub key: String,
    /// The connection that the person is present on; `None` while away, and for the remote, who is on the TV's.
    pub connection: Option<ConnectionId>,
    /// Since when the person is away; `None`: present.
    pub away: Option<Ms>,
}

/// Everyone in a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People(Vec<Person>);

impl People {
    /// In the order of first coming in.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Person> {
        self.0.iter()
    }

    /// The same, to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Person> {
        self.0.iter_mut()
    }

    /// The person of that number.
    pub fn get(&self, id: PersonId) -> Option<&Person> {
        self.0.iter().find(|p| p.id == id)
    }

    /// The same, to change.
    pub fn get_mut(&mut self, id: PersonId) -> Option<&mut Person> {
        self.0.iter_mut().find(|p| p.id == id)
    }

    /// Is that person in the room and not away?
    pub fn is_present(&self, id: PersonId) -> bool {
        self.get(id).is_some_and(|p| p.away.is_none())
    }

    /// Adds somebody new, last in the order.
    pub fn push(&mut self, person: Person) {
        self.0.push(person);
    }

    /// Takes somebody out for good.
    pub fn remove(&mut self, id: PersonId) -> Option<Person> {
        let at = self.0.iter().position(|p| p.id == id)?;
        Some(self.0.remove(at))
    }

    /// How many, the away ones too.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is nobody there?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
