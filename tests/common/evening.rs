//! An evening of one room without a daemon, told by nicknames.

use doozer_box::limits::Ms;
use doozer_box::room::code::Code;
use doozer_box::room::{Command, Room, Sender, Times};
use doozer_box::rule::Role;
use doozer_box::rule::people::{ConnectionId, PersonId};
use doozer_box::rule::view::How;
use rand::SeedableRng;
use rand::rngs::StdRng;

/// The durations of every evening.
pub const TIMES: Times = Times::DEFAULT;
/// A game of Four in a Row that the challenger wins, who moves first, and one that the champion wins.
pub const CHAL_WINS: [u8; 7] = [3, 0, 3, 0, 3, 0, 3];
pub const CHAMP_WINS: [u8; 8] = [0, 3, 0, 3, 1, 3, 1, 3];

/// A room, its people by nickname, and the time.
pub struct Evening {
    pub room: Room,
    pub now: Ms,
    connections: u64,
    rng: StdRng,
}

impl Evening {
    /// Opens Four in a Row for people who come in that order.
    pub fn with(nicks: &[&str]) -> Self {
        let mut room = Room::new(Code::parse("BCDF").unwrap(), "tv".into(), "scan".into(), TIMES, 0);
        room.host(ConnectionId(1), 0);
        room.execute(Sender::Tv, Command::Pick("four".into()), 0).unwrap();
        let mut evening = Evening { room, now: 0, connections: 1, rng: StdRng::seed_from_u64(1) };
        nicks.iter().for_each(|nick| evening.comes(nick));
        evening
    }

    /// Returns a new connection.
    pub fn connect(&mut self) -> ConnectionId {
        self.connections += 1;
        ConnectionId(self.connections)
    }

    /// Lets somebody new scan in.
    pub fn comes(&mut self, nick: &str) {
        let connection = self.connect();
        self.room.join(nick, format!("key of {nick}"), Some(connection), self.now).unwrap();
    }

    /// Returns the person of that nickname.
    pub fn id(&self, nick: &str) -> PersonId {
        self.room.people().iter().find(|p| p.nick == nick).map(|p| p.id).expect("is in the room")
    }

    /// Takes a person's connection away.
    pub fn disconnect(&mut self, nick: &str) {
        let connection =
            self.room.people().get(self.id(nick)).and_then(|p| p.connection).expect("is present");
        self.room.on_disconnect(connection, self.now);
    }

    /// Brings a person back.
    pub fn reconnect(&mut self, nick: &str) {
        let connection = self.connect();
        self.room.rejoin(self.id(nick), nick, connection, self.now);
    }

    /// Carries out a command of a person, which must not be refused.
    pub fn command(&mut self, nick: &str, command: Command) {
        self.room.execute(Sender::Phone(self.id(nick)), command, self.now).unwrap();
    }

    /// Plays moves for whoever is on turn.
    pub fn play(&mut self, moves: &[u8]) {
        for &v in moves {
            let side = self.room.shared_view(self.now).unwrap().turn.unwrap().side;
            let seat = [Role::Champ, Role::Chal][usize::from(side)];
            let rule = self.room.rule().unwrap();
            let id = self.room.people().iter().find(|p| rule.role(p.id) == seat).unwrap().id;
            self.room.execute(Sender::Phone(id), Command::Move { v, n: None }, self.now).unwrap();
        }
    }

    /// Plays the House's move, as if its thread had found it.
    pub fn play_house(&mut self, v: u8) {
        let ticket = self.room.question().expect("the House is on turn").ticket;
        self.room.answer(ticket, v);
        let due = self.room.deadline().expect("the House's move is due");
        self.advance(due - self.now);
    }

    /// Lets the champion Wren watch how the House fills a column and wins.
    pub fn lose_to_house(&mut self) {
        for v in [6, 5, 4] {
            self.play_house(0);
            self.command("Wren", Command::Move { v, n: None });
        }
        self.play_house(0);
        assert_eq!(self.ending().0, Some(1));
    }

    /// Lets time pass in one step.
    pub fn advance(&mut self, ms: Ms) {
        self.now += ms;
        self.room.tick(self.now, &mut self.rng);
    }

    /// Lets time pass step by step through every deadline on the way.
    pub fn advance_stepwise(&mut self, ms: Ms) {
        let end = self.now + ms;
        while let Some(at) = self.room.deadline().filter(|&at| at <= end) {
            self.advance(at.saturating_sub(self.now));
        }
        self.now = end;
    }

    /// Returns `PHASE champion(streak) - challenger | line | ?asker`, the away ones with a star.
    pub fn summary(&self) -> String {
        let picture = self.room.shared_view(self.now).unwrap();
        let mark = |away: bool| if away { "*" } else { "" };
        let seat = |at: usize| match &picture.seats[at] {
            Some(s) => {
                format!("{}{}{}", s.nick, mark(s.away), s.streak.map_or(String::new(), |n| format!("({n})")))
            }
            None => "nobody".into(),
        };
        let line: Vec<String> = picture.line.iter().map(|p| format!("{}{}", p.nick, mark(p.away))).collect();
        let asker = picture.asker.map_or(String::new(), |nick| format!(" ?{nick}"));
        format!("{:?} {} - {} | {}{asker}", picture.phase, seat(0), seat(1), line.join(" "))
    }

    /// Returns the winner, whether it was a forfeit, and the names.
    pub fn ending(&self) -> (Option<u8>, bool, [String; 2]) {
        let picture = self.room.shared_view(self.now).unwrap();
        let end = picture.end.unwrap();
        (end.winner, end.how == How::Forfeit, end.names.map(str::to_owned))
    }
}
