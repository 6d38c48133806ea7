//! Measures the cost of the House's searches for people who play each other meanwhile.

use super::load_generator::{LoadGenerator, Pace};
use super::page::{Client, Frame};
use super::served::{Kind, Served};
use super::spread::{Spread, percentile};
use rustix::event::epoll;
use rustix::fs::Timespec;
use serde::Deserialize;
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Rooms in which the House plays.
const HOUSE_ROOMS: usize = 20;
/// Taps of one measurement, and measurements of each side, in turns.
const TAPS: u64 = 400;
const ROUNDS: usize = 3;
/// Moves after which a guest starts again, because the House searches less against a guest who has lost.
const MOVES: usize = 6;
const GAMES: [&str; 4] = ["four", "reversi", "mancala", "dots"];

/// Prints the table: taps in a room of two people, while the House thinks in others and while it does not.
pub(crate) fn house() -> io::Result<()> {
    let served = Served::start_on_one_core(Kind::Daemon)?;
    let mut people = LoadGenerator::open(&served, 1, [0; 3])?;
    let mut guests = Guests::open(&served)?;
    let (plays, ends, moves) = (AtomicBool::new(false), AtomicBool::new(false), AtomicU64::new(0));
    let (mut p50, mut p99) = ([vec![], vec![]], [vec![], vec![]]);
    std::thread::scope(|scope| {
        let driver = scope.spawn(|| guests.run(&plays, &ends, &moves));
        let mut measure = || {
            for round in 0..=ROUNDS {
                for (side, thinks) in [true, false].into_iter().enumerate() {
                    plays.store(thinks, Relaxed);
                    // Waits for the views that are on their way.
                    people.idle(Duration::from_secs(2))?;
                    let mut report = people.play(Pace::Seen, Duration::from_secs(60), TAPS)?;
                    // The first round warms up.
                    if round > 0 {
                        p50[side].push(percentile(&mut report.us, 50.0));
                        p99[side].push(percentile(&mut report.us, 99.0));
                    }
                }
            }
            Ok::<_, io::Error>(())
        };
        let measured = measure();
        ends.store(true, Relaxed);
        let driven = driver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        measured.and(driven)
    })?;
    let moves = moves.into_inner();
    println!(
        "| tap to TV of two people, {HOUSE_ROOMS} rooms beside them | ratio | the House thinks | it does not |"
    );
    println!("| --- | --: | --: | --: |");
    for (name, of) in [("median, µs", p50), ("99 of 100, µs", p99)] {
        println!(
            "| {name} | {} | {} | {} |",
            Spread::ratio(&of[0], &of[1]),
            Spread::of(&of[0]),
            Spread::of(&of[1])
        );
    }
    println!("\nThe House made {moves} moves meanwhile.\n");
    Ok(())
}

/// Guests that each play the House in a separate room.
struct Guests {
    epoll: OwnedFd,
    /// A TV and a phone for each room.
    clients: Vec<Client>,
    guests: Vec<Guest>,
}

/// A guest's next messages, and the progress of its game.
#[derive(Default)]
struct Guest {
    says: Option<String>,
    moves: usize,
}

impl Guests {
    fn open(served: &Served) -> io::Result<Guests> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let (mut clients, mut guests) = (Vec::new(), Vec::new());
        for number in 0..HOUSE_ROOMS {
            // Other addresses than the people's, since the new rooms of an address are limited.
            let from = Ipv4Addr::new(127, 100, number as u8, 2);
            let mut tv = Client::open(served.address, from, "/ws")?;
            tv.send(&format!(r#"{{"t":"host","game":"{}"}}"#, GAMES[number % GAMES.len()]))?;
            let room = tv.wait_for("room")?;
            let code = room.split(r#""room":""#).nth(1).and_then(|rest| rest.get(..4)).unwrap_or_default();
            let mut phone = Client::open(served.address, from, "/ws")?;
            phone.send(&format!(r#"{{"t":"join","room":"{code}","nick":"Guest"}}"#))?;
            phone.wait_for("welcome")?;
            guests.push(Guest { says: Some(r#"{"t":"house","on":true}"#.into()), moves: 0 });
            for client in [tv, phone] {
                client.watch(&epoll, clients.len())?;
                clients.push(client);
            }
        }
        Ok(Guests { epoll, clients, guests })
    }

    /// Answers each move of the House at once while `plays`, until `ends`.
    fn run(&mut self, plays: &AtomicBool, ends: &AtomicBool, moves: &AtomicU64) -> io::Result<()> {
        let tick = Timespec::try_from(Duration::from_millis(20)).map_err(io::Error::other)?;
        let mut piece = vec![0; 65_536];
        while !ends.load(Relaxed) {
            let mut events = Vec::with_capacity(256);
            epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), Some(&tick))?;
            for event in events {
                let at = event.data.u64() as usize;
                let guest = &mut self.guests[at / 2];
                let is_phone = at % 2 == 1;
                self.clients[at].read(&mut piece, |frame| {
                    if let (Frame::Text(text), true) = (frame, is_phone) {
                        guest.look(text, moves);
                    }
                })?;
            }
            if !plays.load(Relaxed) {
                continue;
            }
            for (guest, phone) in self.guests.iter_mut().zip(self.clients.iter_mut().skip(1).step_by(2)) {
                if let Some(text) = guest.says.take() {
                    phone.send(&text)?;
                }
            }
        }
        Ok(())
    }
}

impl Guest {
    /// Handles a view of the phone, and chooses the answer.
    fn look(&mut self, text: &str, moves: &AtomicU64) {
        #[derive(Deserialize)]
        struct View<'a> {
            phase: &'a str,
            turn: Option<Turn>,
            moves: Option<Vec<u8>>,
            house: Option<bool>,
        }
        #[derive(Deserialize)]
        struct Turn {
            id: u64,
        }
        let Ok(view) = serde_json::from_str::<View>(text) else { return };
        self.says = match (view.turn, view.moves) {
            (Some(_), Some(_)) if self.moves == MOVES => {
                self.moves = 0;
                Some(r#"{"t":"house","on":false}"#.into())
            }
            (Some(Turn { id }), Some(legal)) => {
                self.moves += 1;
                moves.fetch_add(1, Relaxed);
                let v = legal[id as usize * 7 % legal.len()];
                Some(format!(r#"{{"t":"move","v":{v},"n":{id}}}"#))
            }
            _ if view.phase == "open" && view.house == Some(true) => {
                Some(r#"{"t":"house","on":true}"#.into())
            }
            _ => None,
        };
    }
}
