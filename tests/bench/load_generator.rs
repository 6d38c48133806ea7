//! Generates load: rooms with a TV, two players and watchers each, which play recorded games on the measured server.

use super::page::{Client, Frame};
use super::served::{Kind, Served};
use rustix::event::epoll;
use rustix::fs::Timespec;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// Phones in each room. The first two play, the others have left the line.
pub(crate) const PHONES: usize = 8;
/// The TV's index among the clients of a room. The phones follow.
const TV: usize = 0;
const PAGES: usize = 1 + PHONES;
/// Time between two moves in a room, so that no player sends more than ten messages a second.
const BREATH: Duration = Duration::from_millis(55);
const SOON: Duration = Duration::from_millis(1);
pub(crate) const GAMES: [&str; 2] = ["four", "reversi"];

/// A tap that has been sent, or should have been.
struct Tap {
    /// The id of the turn that it answers.
    id: u64,
    due: Instant,
    /// Whether all clients must see it before the next tap, or only the TV.
    all: bool,
    /// Number of clients that have not seen it yet.
    left: usize,
}

struct Room {
    game: usize,
    /// Recorded games to play. The last one is being played.
    games: Vec<Vec<u8>>,
    ply: usize,
    /// Side and id of the current turn.
    turn: Option<(usize, u64)>,
    /// The phone on each side.
    seats: [usize; 2],
    tap: Option<Tap>,
    due: Instant,
    taps: u64,
    /// The newest move that each client has seen, and the number of moves seen.
    seen: [(u64, u64); PAGES],
}

/// The measurements of one play.
#[derive(Default)]
pub(crate) struct Report {
    /// Times from the moment at which a tap was due to its view on the TV, in microseconds.
    pub(crate) us: Vec<f64>,
    pub(crate) moves: u64,
    /// Views of moves that were replaced by a newer one before they were sent.
    pub(crate) skipped: u64,
    /// Views that arrived after a newer one.
    pub(crate) reordered: u64,
    pub(crate) refused: Vec<String>,
}

pub(crate) struct LoadGenerator {
    kind: Kind,
    epoll: OwnedFd,
    rooms: Vec<Room>,
    pages: Vec<Client>,
    report: Report,
}

/// The pace of the taps.
#[derive(Clone, Copy)]
pub(crate) enum Pace {
    /// At a fixed interval in each room, whether or not they have been seen.
    Every(Duration),
    /// As soon as all clients have seen the last tap.
    Seen,
}

impl LoadGenerator {
    /// Opens that many rooms, half of them for each game. `bytes` are the sizes of the relay's frames to TV, player and
    /// watcher.
    pub(crate) fn open(served: &Served, rooms: usize, bytes: [usize; 3]) -> io::Result<LoadGenerator> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let report = Report::default();
        let mut load =
            LoadGenerator { kind: served.kind, epoll, rooms: Vec::new(), pages: Vec::new(), report };
        for number in 0..rooms {
            // Each room comes from its own address, since the new rooms of an address are limited.
            let [high, low] = (number as u16).to_be_bytes();
            let from = Ipv4Addr::new(127, 1 + high, low, 2);
            let pages = match served.kind {
                Kind::Daemon => daemon_pages(served, from, GAMES[number % 2])?,
                Kind::Relay => relay_pages(served, from, number, bytes)?,
            };
            for page in pages {
                page.watch(&load.epoll, load.pages.len())?;
                load.pages.push(page);
            }
            load.rooms.push(Room::new(number % 2, number / 2, served.kind));
        }
        Ok(load)
    }

    /// Plays at that pace until `time` is over or `moves` are seen. Returns the measurements.
    pub(crate) fn play(&mut self, pace: Pace, time: Duration, moves: u64) -> io::Result<Report> {
        self.report = Report::default();
        let start = Instant::now();
        let count = self.rooms.len() as u32;
        for (at, room) in self.rooms.iter_mut().enumerate() {
            let Pace::Every(every) = pace else { continue };
            room.due = start + every * at as u32 / count;
        }
        let before = self.seen();
        let mut next = start;
        while start.elapsed() < time && self.report.moves < moves {
            if next <= Instant::now() || matches!(pace, Pace::Seen) {
                next = self.tap_all(pace)?;
            }
            self.pump(next.saturating_duration_since(Instant::now()))?;
        }
        // No more taps. Waits for the views that are on their way.
        let end = Instant::now() + Duration::from_secs(2);
        while self.rooms.iter().any(|room| room.tap.is_some()) && Instant::now() < end {
            self.pump(Duration::from_millis(10))?;
        }
        self.pump(Duration::from_millis(10))?;
        let mut report = std::mem::take(&mut self.report);
        let taps: u64 = self.rooms.iter_mut().map(|room| std::mem::take(&mut room.taps)).sum();
        report.skipped = (taps * PAGES as u64).saturating_sub(self.seen() - before);
        Ok(report)
    }

    /// Only reads for that time, and answers pings.
    pub(crate) fn idle(&mut self, time: Duration) -> io::Result<()> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            self.pump(Duration::from_millis(50))?;
        }
        Ok(())
    }

    /// Returns the bytes so far per TV, player and watcher in the rooms of one game.
    pub(crate) fn bytes(&self, game: usize) -> [f64; 3] {
        let mut sums = [(0.0, 0.0); 3];
        for (at, page) in self.pages.iter().enumerate() {
            if self.rooms[at / PAGES].game == game {
                let sum = &mut sums[kind_of(at % PAGES)];
                *sum = (sum.0 + page.bytes as f64, sum.1 + 1.0);
            }
        }
        sums.map(|(bytes, pages)| bytes / pages)
    }

    /// Returns the moves seen so far by the TVs of one game's rooms.
    pub(crate) fn moves(&self, game: usize) -> f64 {
        let rooms: Vec<_> = self.rooms.iter().filter(|room| room.game == game).collect();
        rooms.iter().map(|room| room.seen[TV].1 as f64).sum::<f64>() / rooms.len() as f64
    }

    fn seen(&self) -> u64 {
        self.rooms.iter().flat_map(|room| &room.seen).map(|(_, views)| views).sum()
    }

    /// Sends the taps that are due. Returns the time of the next one.
    fn tap_all(&mut self, pace: Pace) -> io::Result<Instant> {
        let now = Instant::now();
        let mut next = now + Duration::from_millis(20);
        for (number, room) in self.rooms.iter_mut().enumerate() {
            if room.due <= now && room.tap.is_none() {
                if let Some((side, id)) = room.turn {
                    let v = room.games.last().and_then(|game| game.get(room.ply)).copied().unwrap_or(0);
                    let player = &mut self.pages[number * PAGES + 1 + room.seats[side]];
                    player.send(&format!(r#"{{"t":"move","v":{v},"n":{id}}}"#))?;
                    let all = matches!(pace, Pace::Seen);
                    let due = if all { now } else { room.due };
                    room.tap = Some(Tap { id, due, all, left: if all { PAGES } else { 1 } });
                    room.turn = None;
                    room.ply += 1;
                    room.taps += 1;
                }
                room.due = match pace {
                    Pace::Every(every) => room.due + every,
                    Pace::Seen => now + BREATH,
                };
            }
            // A late room, whose last tap has not been seen yet, is checked again soon.
            next = next.min(room.due.max(now + SOON));
        }
        Ok(next)
    }

    /// Reads everything that arrives within that time.
    fn pump(&mut self, time: Duration) -> io::Result<()> {
        let mut events = Vec::with_capacity(1_024);
        let time = Timespec::try_from(time).map_err(io::Error::other)?;
        epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), Some(&time))?;
        let mut piece = vec![0; 65_536];
        for event in events {
            let at = event.data.u64() as usize;
            let (number, place) = (at / PAGES, at % PAGES);
            let (room, report, kind) = (&mut self.rooms[number], &mut self.report, self.kind);
            let mut ask = None;
            self.pages[at].read(&mut piece, |frame| {
                if let Frame::Text(text) = frame {
                    ask = room.take(kind, place, text, report).or(ask);
                }
            })?;
            if let Some(phone) = ask {
                self.pages[number * PAGES + 1 + phone].send(r#"{"t":"rematch"}"#)?;
            }
        }
        Ok(())
    }
}

impl Room {
    fn new(game: usize, number: usize, kind: Kind) -> Room {
        let mut games = recorded(GAMES[game]);
        let begin = number * 7 % games.len();
        games.rotate_left(begin);
        let turn = if kind == Kind::Relay { Some((1, 1)) } else { None };
        let (seats, seen) = ([0, 1], [(0, 0); PAGES]);
        Room { game, games, ply: 0, turn, seats, tap: None, due: Instant::now(), taps: 0, seen }
    }

    /// Handles a message to a client of this room. Returns the phone that must ask for a rematch, if there is one.
    fn take(&mut self, kind: Kind, place: usize, text: &str, report: &mut Report) -> Option<usize> {
        if text.starts_with(r#"{"t":"no""#) {
            report.refused.push(text.to_owned());
        }
        let id = match kind {
            Kind::Daemon if text.starts_with(r#"{"t":"ws""#) => number_in(text, r#""last":{"#, r#""id":"#),
            Kind::Relay => number_in(text, r#"{"t":"move""#, r#""n":"#),
            Kind::Daemon => return None,
        };
        if let Some(id) = id {
            self.saw(place, id, report);
        }
        if place != TV {
            return None;
        }
        if kind == Kind::Relay {
            let id = id? + 1;
            self.turn = Some(((id % 2) as usize, id));
            return None;
        }
        self.look(text)
    }

    fn saw(&mut self, place: usize, id: u64, report: &mut Report) {
        let (newest, views) = &mut self.seen[place];
        if id < *newest {
            report.reordered += 1;
        }
        // After a change of the phase the view shows the same move again.
        if id <= *newest {
            return;
        }
        (*newest, *views) = (id, *views + 1);
        let Some(tap) = self.tap.as_mut().filter(|tap| tap.id == id) else { return };
        if place == TV {
            report.us.push(tap.due.elapsed().as_secs_f64() * 1e6);
            report.moves += 1;
        }
        if place == TV || tap.all {
            tap.left -= 1;
        }
        if tap.left == 0 {
            self.tap = None;
        }
    }

    /// Reads the turn from the TV's view. Returns the phone that must ask for a rematch, if there is one.
    fn look(&mut self, text: &str) -> Option<usize> {
        #[derive(Deserialize)]
        struct View<'a> {
            #[serde(borrow)]
            seats: [Option<Seat<'a>>; 2],
            asker: Option<&'a str>,
            turn: Option<Turn>,
            last: Option<IgnoredAny>,
        }
        #[derive(Deserialize)]
        struct Seat<'a> {
            nick: &'a str,
        }
        #[derive(Deserialize)]
        struct Turn {
            side: usize,
            id: u64,
        }
        let view: View = serde_json::from_str(text).ok()?;
        for (side, seat) in view.seats.iter().enumerate() {
            if let Some(phone) = seat.as_ref().and_then(|seat| phone(seat.nick)) {
                self.seats[side] = phone;
            }
        }
        if view.turn.is_some() && view.last.is_none() && self.ply > 0 {
            self.games.rotate_right(1);
            self.ply = 0;
        }
        self.turn = view.turn.map(|turn| (turn.side, turn.id));
        view.asker.and_then(phone)
    }
}

/// Returns 0 for the TV, 1 for a player and 2 for a watcher.
fn kind_of(place: usize) -> usize {
    match place {
        TV => 0,
        1 | 2 => 1,
        _ => 2,
    }
}

/// Returns the phone with that nickname.
fn phone(nick: &str) -> Option<usize> {
    nick.strip_prefix("Guest ")?.parse().ok()
}

fn number_in(text: &str, after: &str, name: &str) -> Option<u64> {
    let text = &text[text.find(after)? + after.len()..];
    let text = &text[text.find(name)? + name.len()..];
    text[..text.find(|c: char| !c.is_ascii_digit())?].parse().ok()
}

fn daemon_pages(served: &Served, from: Ipv4Addr, game: &str) -> io::Result<Vec<Client>> {
    let mut tv = Client::open(served.address, from, "/ws")?;
    tv.send(&format!(r#"{{"t":"host","game":"{game}"}}"#))?;
    let room = tv.wait_for("room")?;
    let code = room.split(r#""room":""#).nth(1).and_then(|rest| rest.get(..4)).unwrap_or_default();
    let mut pages = vec![tv];
    for number in 0..PHONES {
        let mut phone = Client::open(served.address, from, "/ws")?;
        phone.send(&format!(r#"{{"t":"join","room":"{code}","nick":"Guest {number}"}}"#))?;
        phone.wait_for("welcome")?;
        if number >= 2 {
            phone.send(r#"{"t":"line","on":false}"#)?;
        }
        pages.push(phone);
    }
    Ok(pages)
}

fn relay_pages(served: &Served, from: Ipv4Addr, room: usize, bytes: [usize; 3]) -> io::Result<Vec<Client>> {
    let path = |place| format!("/{room}/{}", bytes[kind_of(place)]);
    (0..PAGES).map(|place| Client::open(served.address, from, &path(place))).collect()
}

/// Returns the moves of the recorded games of that name that were played to their end.
fn recorded(game: &str) -> Vec<Vec<u8>> {
    #[derive(Deserialize)]
    struct Recorded {
        moves: Vec<u8>,
        winner: Option<IgnoredAny>,
    }
    let text = match game {
        "four" => include_str!("../vectors/four_games.jsonl"),
        _ => include_str!("../vectors/reversi_games.jsonl"),
    };
    let games = text.lines().filter_map(|line| serde_json::from_str::<Recorded>(line).ok());
    games.filter(|game| game.winner.is_some()).map(|game| game.moves).collect()
}
