//! Plays the events of an evening in one room: its people, their phones and its TV.

use super::checks::{Before, Watch};
use doozer_box::games::GAMES;
use doozer_box::limits::Ms;
use doozer_box::refusal::Refusal;
use doozer_box::room::code::Code;
use doozer_box::room::house::Question;
use doozer_box::room::{Command, Room, Sender, Times};
use doozer_box::rule;
use doozer_box::rule::Phase;
use doozer_box::rule::people::{ConnectionId, PersonId};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The durations of every evening, in milliseconds.
pub const TIMES: Times = Times::DEFAULT;

/// An event. `who` is the number of a phone, whose person may be in the room or not.
#[derive(Clone, Debug)]
pub enum Event {
    /// A phone opens its page. It returns as its person if it has a key, and joins as a new person otherwise.
    Come {
        who: usize,
    },
    /// A phone that has lost its key opens its page.
    ComeAnew {
        who: usize,
    },
    /// A second page of the same phone takes over from the first.
    TakeOver {
        who: usize,
    },
    /// A phone loses its connection.
    Drop {
        who: usize,
    },
    /// A phone sends a command. A move is often legal, and sometimes of an earlier turn or random.
    Command {
        who: usize,
        intent: Intent,
    },
    /// The TV or its remote sends a command.
    Tv {
        intent: Intent,
    },
    /// The kiosk takes a phone's person out of the room. With `keep` the person cannot return.
    TakeOut {
        who: usize,
        keep: bool,
    },
    TvComes,
    TvDrops,
    /// These milliseconds pass in one step.
    Time(Ms),
    /// Time passes until the next deadline plus these milliseconds, which may be negative.
    Due(i64),
    /// The daemon is killed and started again.
    Restart,
}

#[derive(Clone, Debug)]
pub enum Intent {
    /// The legal move with this index, for the current turn.
    Legal(usize),
    Wild {
        v: u8,
        n: Option<u64>,
    },
    Stale,
    Rematch,
    Line(bool),
    House(bool),
    Pick(usize),
    Home,
    Leave,
}

impl Event {
    pub fn random(rng: &mut StdRng, phones: usize, wild: u32) -> Event {
        let who = rng.random_range(0..phones);
        match rng.random_range(0..100_u32) {
            0..8 => Event::Come { who },
            8 if wild > 1 => Event::ComeAnew { who },
            9 => Event::TakeOver { who },
            10..14 if wild > 0 => Event::Drop { who },
            14 => Event::TvDrops,
            15..17 => Event::TvComes,
            17..23 => Event::Tv { intent: Intent::random(rng) },
            23..30 => Event::Due(rng.random_range(-2..=2)),
            30..34 => Event::Time(rng.random_range(0..8_000)),
            34 if wild > 2 => Event::Time(rng.random_range(0..200_000_000)),
            35 if wild > 1 => Event::Time(rng.random_range(0..700_000)),
            36 if wild > 2 => Event::Restart,
            37 if wild > 1 => Event::TakeOut { who, keep: rng.random() },
            _ => Event::Command { who, intent: Intent::random(rng) },
        }
    }
}

impl Event {
    /// Returns an event of an evening with few people, on which they often start games against the House.
    pub fn lonely(rng: &mut StdRng, phones: usize, wild: u32) -> Event {
        let who = rng.random_range(0..phones);
        let command = |intent| Event::Command { who, intent };
        match rng.random_range(0..160_u32) {
            0..16 => command(Intent::House(true)),
            16..20 => Event::Tv { intent: Intent::House(true) },
            20..24 => Event::Come { who },
            24 => command(Intent::Leave),
            25..100 => command(Intent::Legal(rng.random_range(0..64))),
            // The House's move is played when it is due.
            100..150 => Event::Due(0),
            _ => Event::random(rng, phones, wild),
        }
    }
}

impl Intent {
    fn random(rng: &mut StdRng) -> Intent {
        match rng.random_range(0..60_u32) {
            0 => Intent::Leave,
            1..4 => Intent::Line(false),
            4..8 => Intent::Line(true),
            8..11 => Intent::Rematch,
            11 => Intent::Home,
            12..15 => Intent::Pick(rng.random_range(0..=GAMES.len())),
            15..17 => Intent::Stale,
            17..19 => {
                Intent::Wild { v: rng.random(), n: rng.random_bool(0.5).then(|| rng.random_range(0..50)) }
            }
            19..23 => Intent::House(true),
            23 => Intent::House(false),
            _ => Intent::Legal(rng.random_range(0..64)),
        }
    }
}

/// The memory of a phone.
#[derive(Clone, Debug, Default)]
struct Phone {
    key: Option<String>,
    connection: Option<ConnectionId>,
    /// The number of the phone's person in its last welcome.
    id: Option<PersonId>,
}

/// One evening.
pub struct Evening {
    pub room: Room,
    pub now: Ms,
    phones: Vec<Phone>,
    connections: u64,
    keys: u32,
    rng: StdRng,
    watch: Watch,
}

impl Evening {
    pub fn new(seed: u64) -> Self {
        let mut room = Room::new(Code::parse("BCDF").unwrap(), "tv".into(), "scan".into(), TIMES, 1_000_000);
        room.host(ConnectionId(1), 1_000_000);
        room.execute(Sender::Tv, Command::Pick(GAMES[seed as usize % GAMES.len()].slug.into()), 1_000_000)
            .unwrap();
        Evening {
            room,
            now: 1_000_000,
            phones: vec![Phone::default(); 12],
            connections: 1,
            keys: 0,
            rng: StdRng::seed_from_u64(seed ^ 0x5eed),
            watch: Watch::default(),
        }
    }

    /// Executes one event, and checks all invariants.
    ///
    /// # Errors
    /// Returns the broken invariant.
    pub fn step(&mut self, event: &Event) -> Result<(), String> {
        let before = Before::of(&self.room, self.now);
        let refused = self.happen(event);
        self.think();
        self.watch.check(&before, &self.room, self.now, event, refused)
    }

    /// Answers most of the questions to the House. For the others the move clock plays.
    fn think(&mut self) {
        if let Some(Question { ticket, board, side, .. }) = self.room.question() {
            let moves = board.moves(side);
            if self.rng.random_bool(0.9) {
                self.room.answer(ticket, moves[self.rng.random_range(0..moves.len())]);
            }
        }
    }

    /// Checks that the room goes on when only time passes.
    ///
    /// # Errors
    /// Returns the broken invariant.
    pub fn never_stuck(&mut self) -> Result<(), String> {
        let rule = TIMES.rule;
        let end = self.now + rule.turn * 64 + rule.result + rule.rematch + rule.away;
        loop {
            let settled = self.room.rule().is_none_or(|rule| {
                let present =
                    |role| self.room.people().iter().any(|p| p.away.is_none() && rule.role(p.id) == role);
                match rule.phase() {
                    Phase::Open => true,
                    Phase::Play => {
                        present(rule::Role::Champ) && (rule.is_against_house() || present(rule::Role::Chal))
                    }
                    _ => false,
                }
            });
            if settled {
                return Ok(());
            }
            let due = self.room.deadline().filter(|&at| at <= end).ok_or("the room is stuck")?;
            self.step(&Event::Time(due.saturating_sub(self.now)))?;
        }
    }

    /// Returns the room's complete state, for a comparison of two runs.
    pub fn fingerprint(&self) -> String {
        format!("{:?} {:?} {:?}", self.room.snapshot(), self.room.people(), self.room.attract())
    }

    fn connect(&mut self) -> ConnectionId {
        self.connections += 1;
        ConnectionId(self.connections)
    }

    /// Executes one event. Returns the refusal, if there was one.
    fn happen(&mut self, event: &Event) -> Option<Refusal> {
        match event {
            Event::Come { who } => return self.come(*who),
            Event::ComeAnew { who } => {
                self.drop_link(*who);
                self.phones[*who] = Phone::default();
                return self.come(*who);
            }
            Event::TakeOver { who } => {
                self.phones[*who].connection = None;
                return self.come(*who);
            }
            Event::Drop { who } => self.drop_link(*who),
            Event::Command { who, intent } => {
                let phone = &self.phones[*who];
                let (Some(id), Some(connection)) = (phone.id, phone.connection) else { return None };
                // As in the hub, only the person's current connection can send commands.
                if self.room.people().get(id).is_none_or(|p| p.connection != Some(connection)) {
                    return None;
                }
                return self.command(Sender::Phone(id), intent);
            }
            Event::Tv { intent } => {
                self.room.tv()?;
                return self.command(Sender::Tv, intent);
            }
            Event::TakeOut { who, keep } => return self.take_out(*who, *keep),
            Event::TvComes => {
                let connection = self.connect();
                self.room.host(connection, self.now);
            }
            Event::TvDrops => {
                if let Some(connection) = self.room.tv() {
                    self.room.on_disconnect(connection, self.now);
                }
            }
            Event::Time(ms) => self.time(*ms),
            Event::Due(off) => {
                let due = self.room.deadline()?;
                self.time(due.saturating_add_signed(*off).saturating_sub(self.now));
            }
            Event::Restart => {
                let kept = self.room.snapshot();
                self.room =
                    Room::restore(kept.clone(), TIMES, self.now).expect("a stored room can be restored");
                assert_eq!(keys(&self.room.snapshot()), keys(&kept), "nothing is lost by a restart");
                self.phones.iter_mut().for_each(|phone| phone.connection = None);
            }
        }
        None
    }

    fn time(&mut self, ms: Ms) {
        self.now += ms;
        // The hub would close a room without its TV. Here the TV returns, so that the checks can go on.
        if self.room.closes_at().is_some_and(|at| at <= self.now) {
            let connection = self.connect();
            self.room.host(connection, self.now);
        }
        self.room.tick(self.now, &mut self.rng);
    }

    fn come(&mut self, who: usize) -> Option<Refusal> {
        let phone = &self.phones[who];
        let is_live =
            |id: &PersonId| self.room.people().get(*id).is_some_and(|p| p.connection == phone.connection);
        if phone.connection.is_some() && phone.id.as_ref().is_some_and(is_live) {
            return None;
        }
        let nick = format!("N{}", who % 9);
        let known = phone.key.as_deref().and_then(|key| self.room.by_key(key)).map(|p| p.id);
        let connection = self.connect();
        let id = match known {
            Some(id) => {
                self.room.rejoin(id, &nick, connection, self.now);
                id
            }
            None => {
                self.keys += 1;
                let key = format!("key{}", self.keys);
                match self.room.join(&nick, key.clone(), Some(connection), self.now) {
                    Ok((id, _)) => {
                        self.phones[who].key = Some(key);
                        id
                    }
                    Err(refusal) => return Some(refusal),
                }
            }
        };
        self.phones[who].id = Some(id);
        self.phones[who].connection = Some(connection);
        None
    }

    /// Takes a phone's person out of the room, and checks that the person is unknown then. Returns the refusal, if there
    /// was one.
    fn take_out(&mut self, who: usize, keep: bool) -> Option<Refusal> {
        let person = self.phones[who].id.and_then(|id| self.room.people().get(id));
        let nick = person.map_or_else(|| "Nobody".to_owned(), |p| p.nick.clone());
        let (id, connection) = person.map(|p| (p.id, p.connection)).unzip();
        let out = self.room.execute(Sender::Tv, Command::TakeOut { nick, keep }, self.now);
        if let (Some(id), Ok(left)) = (id, &out) {
            assert_eq!(Some(*left), connection, "the page gets a goodbye");
            let key = self.phones[who].key.take().unwrap_or_default();
            assert!(self.room.people().get(id).is_none() && self.room.by_key(&key).is_none());
            assert_eq!(self.room.is_taken_out(&key), keep && !key.is_empty());
            self.phones[who] = Phone::default();
        }
        out.err()
    }

    fn drop_link(&mut self, who: usize) {
        if let Some(connection) = self.phones[who].connection.take() {
            self.room.on_disconnect(connection, self.now);
        }
    }

    fn command(&mut self, sender: Sender, intent: &Intent) -> Option<Refusal> {
        let turn = self.room.shared_view(self.now).and_then(|p| Some((p.turn?, p.moves?)));
        let command = match intent {
            Intent::Legal(at) => match turn {
                Some((turn, moves)) => Command::Move { v: moves[at % moves.len()], n: Some(turn.id) },
                None => Command::Move { v: 3, n: None },
            },
            Intent::Wild { v, n } => Command::Move { v: *v, n: *n },
            Intent::Stale => Command::Move { v: 3, n: turn.map(|(turn, _)| turn.id - 1) },
            Intent::Rematch => Command::Rematch,
            Intent::Line(on) => Command::Line(*on),
            Intent::House(on) => Command::House(*on),
            Intent::Pick(at) => Command::Pick(GAMES.get(*at).map_or("chess", |game| game.slug).into()),
            Intent::Home => Command::Home,
            Intent::Leave => Command::Leave,
        };
        self.room.execute(sender, command, self.now).err()
    }
}

/// Returns the stored data without the deadlines, which a restart sets anew.
fn keys(kept: &doozer_box::room::snapshot::RoomSnapshot) -> String {
    let text = format!("{kept:?}");
    let cut = |text: &str| {
        let at = text.find("deadline: ")?;
        let end = text[at..].find(", current").map(|n| at + n)?;
        Some(format!("{}{}", &text[..at], &text[end..]))
    };
    cut(&text).unwrap_or(text)
}
