//! The people of one room, in the order in which they first came in.

use crate::limits::Ms;

/// A person's number in the room. Numbers rise and are never used again.
pub type PersonId = u32;

/// A connection's number, unique until the daemon ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// A person in the room: a phone, or the TV's remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The number in the room.
    pub id: PersonId,
    /// The nickname, cleaned and unique in the room.
    pub nick: String,
    /// The secret that proves the person's return. Empty for the remote, which belongs to its TV.
    pub key: String,
    /// The connection of a present person. `None` while away, and for the remote, which uses the TV's.
    pub connection: Option<ConnectionId>,
    /// The time at which the person went away, or `None` while present.
    pub away: Option<Ms>,
}

/// All people of a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People(Vec<Person>);

impl People {
    /// Returns the people in the order in which they first came.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Person> {
        self.0.iter()
    }

    /// Returns the people mutably, in the order in which they first came.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Person> {
        self.0.iter_mut()
    }

    /// Returns the person with that number.
    pub fn get(&self, id: PersonId) -> Option<&Person> {
        self.0.iter().find(|p| p.id == id)
    }

    /// Returns the person with that number mutably.
    pub fn get_mut(&mut self, id: PersonId) -> Option<&mut Person> {
        self.0.iter_mut().find(|p| p.id == id)
    }

    /// Returns whether that person is in the room and not away.
    pub fn is_present(&self, id: PersonId) -> bool {
        self.get(id).is_some_and(|p| p.away.is_none())
    }

    /// Adds a person as the last in the order.
    pub fn push(&mut self, person: Person) {
        self.0.push(person);
    }

    /// Removes a person. Returns it.
    pub fn remove(&mut self, id: PersonId) -> Option<Person> {
        let at = self.0.iter().position(|p| p.id == id)?;
        Some(self.0.remove(at))
    }

    /// Returns the number of people, including those who are away.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no people.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
