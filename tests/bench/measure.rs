//! Measures the daemon against a bare relay of the same crates in the same run: `cargo bench`.
//!
//! `cargo bench -- taps rooms memory` runs only these tables.

mod house;
mod load_generator;
mod page;
mod relay;
mod served;
mod spread;

use doozer_box::limits;
use load_generator::{LoadGenerator, PHONES, Pace};
use served::{Kind, Served, busy};
use spread::{Spread, percentile};
use std::io;
use std::time::{Duration, Instant};

/// Time between two moves, faster than people play.
const EVERY: Duration = Duration::from_millis(100);
/// Taps of one measurement of [`taps`], and measurements of each side, in turns.
const TAPS: u64 = 1_000;
const ROUNDS: usize = 5;
/// Rooms during these taps, as in a busy bar.
const TAP_ROOMS: usize = 12;
/// The largest 99th percentile from tap to TV, in milliseconds, for which a number of rooms counts as served.
const P99_MS: f64 = 50.0;
/// Time for which each number of rooms is tried.
const TRY: Duration = Duration::from_secs(3);
/// The smallest number of rooms tried. Each further one is a twentieth larger.
const ROOMS_FROM: f64 = 60.0;
const ROOMS_STEP: f64 = 1.05;
/// The largest number of rooms. The relay's clients then need 18,000 descriptors.
const ROOMS_MOST: usize = 2_000;
const BOTH: [Kind; 2] = [Kind::Daemon, Kind::Relay];

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if args.first().is_some_and(|arg| arg == "relay") {
        return relay::run();
    }
    let wanted = |name: &str| args.is_empty() || args.iter().any(|arg| arg == name);
    println!("{}\n", machine());
    let bytes = bytes(wanted("bytes"))?;
    if wanted("taps") {
        taps(bytes)?;
    }
    if wanted("house") {
        house::house()?;
    }
    if wanted("rooms") {
        rooms(bytes)?;
    }
    if wanted("memory") {
        memory()?;
    }
    if wanted("start") {
        start()?;
    }
    Ok(())
}

/// Describes the machine in words.
fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    format!("{}, {cores} cores, load {load} at the start", model.unwrap_or(std::env::consts::ARCH))
}

/// Plays whole games and returns the bytes per view of TV, player and watcher.
fn bytes(tell: bool) -> io::Result<[usize; 3]> {
    let served = Served::start(Kind::Daemon)?;
    let mut load = LoadGenerator::open(&served, TAP_ROOMS, [0; 3])?;
    let before = [0, 1].map(|game| (load.bytes(game), load.moves(game)));
    load.play(Pace::Seen, Duration::from_secs(60), TAPS)?;
    let each = [0, 1].map(|game| {
        let (bytes, moves) = (load.bytes(game), load.moves(game) - before[game].1);
        [0, 1, 2].map(|page| (bytes[page] - before[game].0[page]) / moves)
    });
    if tell {
        println!("| bytes a move, frame heads included | to the TV | to a player | to a watcher |");
        println!("| --- | --: | --: | --: |");
        for (game, [tv, player, watcher]) in load_generator::GAMES.iter().zip(each) {
            println!("| {game} | {tv:.0} | {player:.0} | {watcher:.0} |");
        }
        println!();
    }
    Ok([0, 1, 2].map(|page| ((each[0][page] + each[1][page]) / 2.0) as usize - 4))
}

/// Measures the time from tap to TV.
fn taps(bytes: [usize; 3]) -> io::Result<()> {
    let mut p50 = [vec![], vec![]];
    let mut p99 = [vec![], vec![]];
    let mut cpu = [vec![], vec![]];
    let served = [Served::start_on_one_core(BOTH[0])?, Served::start_on_one_core(BOTH[1])?];
    let mut loads = [
        LoadGenerator::open(&served[0], TAP_ROOMS, bytes)?,
        LoadGenerator::open(&served[1], TAP_ROOMS, bytes)?,
    ];
    for round in 0..=ROUNDS {
        for side in 0..BOTH.len() {
            // Handles heartbeats that have come while the other side was measured.
            loads[1 - side].idle(Duration::from_millis(1))?;
            let before = served[side].busy()?;
            let mut report = loads[side].play(Pace::Every(EVERY), Duration::from_secs(60), TAPS)?;
            let busy = (served[side].busy()? - before).as_secs_f64() * 1e6 / report.moves as f64;
            // The first round warms up.
            if round > 0 {
                p50[side].push(percentile(&mut report.us, 50.0));
                p99[side].push(percentile(&mut report.us, 99.0));
                cpu[side].push(busy);
            }
        }
    }
    println!(
        "| tap to TV, {TAP_ROOMS} rooms, {} moves each | ratio | daemon | bare relay |",
        TAPS as usize * ROUNDS
    );
    println!("| --- | --: | --: | --: |");
    for (name, of) in [("median, µs", p50), ("99 of 100, µs", p99), ("core time a move, µs", cpu)] {
        println!(
            "| {name} | {} | {} | {} |",
            Spread::ratio(&of[0], &of[1]),
            Spread::of(&of[0]),
            Spread::of(&of[1])
        );
    }
    println!();
    Ok(())
}

/// Measures the number of rooms that one core serves.
fn rooms(bytes: [usize; 3]) -> io::Result<()> {
    let mut most = [vec![], vec![]];
    for _ in 0..3 {
        for (side, kind) in BOTH.into_iter().enumerate() {
            most[side].push(most_rooms(kind, bytes)? as f64);
        }
    }
    let name = format!(
        "rooms of a TV and {PHONES} phones on one core, a move every 100 ms, 99 of 100 under {P99_MS} ms"
    );
    println!("| {name} | ratio | daemon | bare relay |");
    println!("| --- | --: | --: | --: |");
    println!(
        "| rooms | {} | {} | {} |",
        Spread::ratio(&most[0], &most[1]),
        Spread::of(&most[0]),
        Spread::of(&most[1])
    );
    println!();
    Ok(())
}

/// Finds the highest number of rooms that is served, by bisection.
fn most_rooms(kind: Kind, bytes: [usize; 3]) -> io::Result<usize> {
    let most = if kind == Kind::Daemon { limits::ROOMS_MAX } else { ROOMS_MOST };
    let nth = |n: i32| ((ROOMS_FROM * ROOMS_STEP.powi(n)) as usize).min(most);
    let (mut served, mut not) = (0, ((most as f64 / ROOMS_FROM).ln() / ROOMS_STEP.ln()).ceil() as i32 + 1);
    while not - served > 1 {
        let middle = (served + not) / 2;
        let server = Served::start_on_one_core(kind)?;
        let mut load = LoadGenerator::open(&server, nth(middle), bytes)?;
        load.play(Pace::Every(EVERY), TRY / 3, u64::MAX)?;
        let (began, before, own) = (Instant::now(), server.busy()?, busy(std::process::id())?);
        let mut report = load.play(Pace::Every(EVERY), TRY, u64::MAX)?;
        let share = |time: Duration| 100.0 * time.as_secs_f64() / began.elapsed().as_secs_f64();
        let (core, driver) = (share(server.busy()? - before), share(busy(std::process::id())? - own));
        assert!(report.refused.is_empty(), "a recorded game was refused: {:?}", report.refused.first());
        let p99 = percentile(&mut report.us, 99.0) / 1e3;
        let asked = nth(middle) as f64 * TRY.as_secs_f64() / EVERY.as_secs_f64();
        eprintln!(
            "  {kind:?}, {} rooms: 99 of 100 in {p99:.1} ms, {} moves of {asked}, {} views skipped, {core:.0}% of its core, driver {driver:.0}%",
            nth(middle),
            report.moves,
            report.skipped
        );
        // There is a pause between two games.
        if p99 < P99_MS && report.moves as f64 > 0.9 * asked { served = middle } else { not = middle }
    }
    Ok(nth(served))
}

/// Measures the memory at rest and per idle client. The first guest makes the daemon build its lists of nickname words.
fn memory() -> io::Result<()> {
    println!(
        "| memory, MB resident | daemon | bare relay | daemon, KB a page more | relay, KB a page more |"
    );
    println!("| --- | --: | --: | --: | --: |");
    let mut first = [0.0; 2];
    for rooms in [0, 1, 112, 556] {
        let mut mb = [0.0; 2];
        for (side, kind) in BOTH.into_iter().enumerate() {
            let served = Served::start(kind)?;
            let mut load = LoadGenerator::open(&served, rooms, [600; 3])?;
            // Waits for one heartbeat and its answer, after which every buffer has been used.
            load.idle(Duration::from_secs(if rooms > 1 { 12 } else { 1 }))?;
            mb[side] = served.kib("VmRSS")? * 1.024 / 1_000.0;
        }
        if rooms == 1 {
            first = mb;
        }
        let each = [0, 1].map(|side| match rooms {
            0 | 1 => String::new(),
            _ => format!("{:.1}", (mb[side] - first[side]) * 1_000.0 / ((rooms - 1) * (PHONES + 1)) as f64),
        });
        println!(
            "| {} pages | {:.1} | {:.1} | {} | {} |",
            rooms * (PHONES + 1),
            mb[0],
            mb[1],
            each[0],
            each[1]
        );
    }
    println!();
    Ok(())
}

/// Measures the time from exec to the first page.
fn start() -> io::Result<()> {
    println!("| from exec to | ms |");
    println!("| --- | --: |");
    for (name, path) in [("the pad", "/"), ("the TV's page", "/tv")] {
        let times = (0..21).map(|_| Ok(Served::start(Kind::Daemon)?.first_page(path)?.as_secs_f64() * 1e3));
        let times = times.collect::<io::Result<Vec<f64>>>()?;
        println!("| {name} | {} |", Spread::of(&times));
    }
    println!();
    Ok(())
}
