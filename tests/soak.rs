//! Runs fifty rooms for a whole evening with short durations. Memory and descriptors must not grow.
//!
//! `SOAK=8 cargo test --release --test soak -- --nocapture` runs for eight minutes.

mod common;

use common::client::{Client, Cut};
use common::daemon::{Daemon, Scratch, many_files};
use common::table::Table;
use doozer_box::games::GAMES;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

const ROOMS: usize = 50;
/// Seconds of the short run.
const SHORT_S: u64 = 15;
/// Allowed growth of memory after the warm-up, in kB, for fragmentation.
const GROWTH: u64 = 4 << 10;
const CLOCKS: [&str; 10] =
    ["--turn", "20", "--result", "0.1", "--rematch", "1", "--hold", "2", "--attract", "0.05"];

/// Returns a new address for each room, since an address may open only twelve an hour.
fn fresh(next: &AtomicU32) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 1, 0, 1)) + next.fetch_add(1, Relaxed))
}

/// Runs one room from its creation until everyone has left.
fn room(
    to: SocketAddr,
    from: Ipv4Addr,
    random: &mut StdRng,
    taps: &AtomicUsize,
    end: Instant,
) -> Result<(), Cut> {
    let game = GAMES[random.random_range(0..GAMES.len())].slug;
    let mut table = Table::open(to, from, game, &["Wren", "Heron", "Owl", "Finch"])?;
    for _ in 0..random.random_range(40..200) {
        if Instant::now() > end {
            break;
        }
        let choice = random.random_range(0..64);
        table.tap(|moves| choice % moves.len())?;
        taps.fetch_add(1, Relaxed);
        let phone = random.random_range(0..table.phones.len());
        match random.random_range(0..60) {
            // A connection breaks, and another one is taken over.
            0 => table.phones[phone].reconnect()?,
            1 => table.tv.reconnect()?,
            // A person in line disconnects, and a new guest joins.
            2 if table.tv.view["phase"] == "play" && table.phones[phone].view["role"] == "line" => {
                drop(table.phones.remove(phone));
                table.phones.push(Client::phone(to, from, table.tv.room(), "Robin")?);
            }
            // A guest leaves, during a game or not, and the game continues.
            3 => {
                let mut leaver = table.phones.remove(phone);
                leaver.send(json!({"t": "leave"}))?;
                leaver.closed();
                let name = leaver.welcome["nick"].to_string();
                table.tv.until("a game without", |tv| !tv.view.to_string().contains(&name))?;
                table.phones.push(Client::phone(to, from, table.tv.room(), "Crane")?);
            }
            _ => {}
        }
        std::thread::sleep(Duration::from_millis(random.random_range(40..90)));
    }
    Ok(())
}

#[test]
fn an_evening_leaves_nothing_behind() {
    many_files();
    let minutes = std::env::var("SOAK").ok().map(|minutes| minutes.parse::<u64>().unwrap());
    let length = Duration::from_secs(minutes.map_or(SHORT_S, |minutes| minutes * 60));
    let dir = Scratch::new("soak");
    let daemon = Daemon::start(&[&CLOCKS[..], &["--state", dir.path()]].concat());
    // After a first response the daemon has opened all descriptors that it needs itself.
    daemon.get("/healthz", Ipv4Addr::LOCALHOST).unwrap();
    let idle = (daemon.descriptors(), daemon.status("Threads"));
    let (next, taps, rooms) = (AtomicU32::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let (begun, end) = (Instant::now(), Instant::now() + length);
    let mut memory = Vec::new();
    std::thread::scope(|scope| {
        let evenings: Vec<_> = (0..ROOMS as u64)
            .map(|seed| {
                let (daemon, next, taps, rooms) = (&daemon, &next, &taps, &rooms);
                scope.spawn(move || {
                    let mut random = StdRng::seed_from_u64(seed);
                    while Instant::now() < end {
                        room(daemon.address, fresh(next), &mut random, taps, end).unwrap();
                        rooms.fetch_add(1, Relaxed);
                    }
                })
            })
            .collect();
        while Instant::now() < end && !evenings.iter().any(|evening| evening.is_finished()) {
            std::thread::sleep(Duration::from_millis(500));
            let held = [daemon.status("VmRSS"), daemon.descriptors() as u64, daemon.status("Threads")];
            let files = std::fs::read_dir(&dir.0).unwrap().count();
            if memory.len() % 60 == 0 {
                println!(
                    "{:?}: {held:?} kB, files, threads; {files} in the state directory",
                    begun.elapsed()
                );
            }
            // A room has a TV and four phones. One of them may have been taken over just now, and others left behind.
            assert!(held[1] < (idle.0 + 7 * ROOMS) as u64 && files < 8 * ROOMS, "{held:?}, {files} files");
            assert!(held[2] <= idle.1 + 2, "{held:?}");
            memory.push(held[0]);
        }
    });
    let warm = memory.len() / 4;
    let (before, after) = (median(&memory[warm..2 * warm]), median(&memory[memory.len() - warm..]));
    println!(
        "{} taps in {} rooms, {length:?}: {before} kB when warm, {after} kB at the end",
        taps.into_inner(),
        rooms.into_inner(),
    );
    assert!(after < before + GROWTH, "{memory:?}");
    // After all guests have left, no room remains.
    daemon.until("the end of all rooms", |daemon| daemon.metric("doozer_rooms") == 0.0);
    daemon.until("the end of all connections", |daemon| daemon.descriptors() <= idle.0 + 1);
    assert_eq!(daemon.metric("doozer_people"), 0.0);
    assert_eq!(daemon.metric("doozer_panics_total"), 0.0);
    let left: Vec<_> = std::fs::read_dir(&dir.0).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["counts.json"]);
}

fn median(of: &[u64]) -> u64 {
    let mut sorted = of.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}
