//! Plays random evenings of one room, its people, its TV and the time, each from a seed. After every event it checks every
//! invariant of the rule. A failing list of events is reduced to a short one.
//!
//! `EVENTS=10000000 cargo test --release --test simulation` plays ten million events. The default is shorter.

mod simulation {
    pub mod checks;
    pub mod play;
}

use doozer_box::rule::{Phase, WinnerStays};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use simulation::play::{Evening, Event};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Events of one evening.
const LENGTH: usize = 400;

fn events(seed: u64) -> Vec<Event> {
    let mut rng = StdRng::seed_from_u64(seed);
    // Some evenings are full and some nearly empty. In some, connections are often lost.
    let phones = rng.random_range(2..=11);
    let wild = rng.random_range(0..4);
    (0..LENGTH).map(|_| Event::random(&mut rng, phones, wild)).collect()
}

/// Returns an evening of few people, on which the House often plays against one guest and makes room for others.
fn lonely_events(seed: u64) -> Vec<Event> {
    let mut rng = StdRng::seed_from_u64(seed);
    let (phones, wild) = (rng.random_range(1..=3), rng.random_range(0..4));
    (0..LENGTH).map(|_| Event::lonely(&mut rng, phones, wild)).collect()
}

/// Plays a list of events.
///
/// # Errors
/// Returns the broken invariant and the event before it.
fn play(seed: u64, events: &[Event]) -> Result<(), String> {
    let mut evening = Evening::new(seed);
    let run = |evening: &mut Evening| {
        for (at, event) in events.iter().enumerate() {
            evening.step(event).map_err(|broken| format!("{broken}, after event {at}: {event:?}"))?;
        }
        evening.never_stuck()
    };
    match catch_unwind(AssertUnwindSafe(|| run(&mut evening))) {
        Ok(outcome) => outcome,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(format!("panic: {}", text.unwrap_or_default()))
        }
    }
}

/// Removes events for as long as the list still fails.
fn shortest(seed: u64, mut events: Vec<Event>) -> Vec<Event> {
    let mut size = events.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < events.len() {
            let mut fewer = events.clone();
            fewer.drain(at..(at + size).min(fewer.len()));
            if play(seed, &fewer).is_err() {
                events = fewer;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    events
}

fn check(seed: u64, events: Vec<Event>) {
    let Err(broken) = play(seed, &events) else { return };
    let events = shortest(seed, events);
    let list: String = events.iter().map(|event| format!("  {event:?}\n")).collect();
    let shortest = play(seed, &events).err().unwrap_or_default();
    panic!("seed {seed}: {broken}\nthe shortest list that still fails ({shortest}):\n{list}");
}

/// Checks evenings with `usual` events in all, or with `EVENTS` if that is set.
fn check_all(usual: usize, events: fn(u64) -> Vec<Event>) {
    let wanted = std::env::var("EVENTS").ok().map(|n| n.parse().expect("EVENTS is a number"));
    let evenings = wanted.unwrap_or(usual).div_ceil(LENGTH) as u64;
    let check_half =
        move |half| (0..evenings).filter(|seed| seed % 2 == half).for_each(|seed| check(seed, events(seed)));
    // Two threads, because the smallest machine for the tests has two cores.
    let halves: Vec<_> = (0..2).map(|half| std::thread::spawn(move || check_half(half))).collect();
    for half in halves {
        if let Err(panic) = half.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn thousands_of_evenings_keep_every_invariant() {
    check_all(400_000, events);
}

/// Tests among others that the House never has a seat that a present person could have.
#[test]
fn evenings_of_lone_guests_keep_every_invariant() {
    check_all(100_000, lonely_events);
}

#[test]
fn lone_guests_play_whole_games_against_the_house_and_are_interrupted() {
    let (mut results, mut interrupted, mut seats) = (0, 0, 0);
    for seed in 0..50 {
        let mut evening = Evening::new(seed);
        let mut was = (false, None);
        for event in lonely_events(seed) {
            evening.step(&event).unwrap();
            let rule = evening.room.rule();
            let now = (rule.is_some_and(WinnerStays::is_against_house), rule.map(WinnerStays::phase));
            seats += usize::from(now.0 && !was.0);
            results += usize::from(now == (true, Some(Phase::Result)) && was.1 == Some(Phase::Play));
            interrupted += usize::from(was.0 && now == (false, Some(Phase::Play)));
            was = now;
        }
    }
    println!(
        "the House sat down {seats} times, finished {results} games, and stepped aside {interrupted} times"
    );
    assert!(seats > 100 && results > 20 && interrupted > 30, "{seats} {results} {interrupted}");
}

#[test]
fn the_same_seed_gives_the_same_evening() {
    let run = |seed| {
        let mut evening = Evening::new(seed);
        events(seed).iter().for_each(|event| evening.step(event).unwrap());
        evening.fingerprint()
    };
    for seed in 0..20 {
        assert_eq!(run(seed), run(seed));
    }
}
