//! Seeded random evenings: one room, its people, its TV and the time, with everything that the rule
//! promises checked after every event. A seed that fails is cut down to the shortest list of events.
//!
//! `EVENTS=10000000 cargo test --release --test simulation` plays ten million; the default is shorter.

mod simulation {
    pub mod checks;
    pub mod play;
}

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use simulation::play::{Evening, Event};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Events of one evening.
const LENGTH: usize = 400;

fn events(seed: u64) -> Vec<Event> {
    let mut rng = StdRng::seed_from_u64(seed);
    // Some evenings are full, some nearly empty, some with links that come and go.
    let crowd = rng.random_range(2..=11);
    let wild = rng.random_range(0..4);
    (0..LENGTH).map(|_| Event::random(&mut rng, crowd, wild)).collect()
}

/// Plays a list of events; the error says which invariant was broken, and after which event.
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

/// Takes out whatever can be taken out with the list still failing.
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

fn check(seed: u64) {
    let events = events(seed);
    let Err(broken) = play(seed, &events) else { return };
    let events = shortest(seed, events);
    let list: String = events.iter().map(|event| format!("  {event:?}\n")).collect();
    let shortest = play(seed, &events).err().unwrap_or_default();
    panic!("seed {seed}: {broken}\nthe shortest list that still fails ({shortest}):\n{list}");
}

#[test]
fn thousands_of_evenings_keep_every_invariant() {
    let wanted = std::env::var("EVENTS").ok().map(|n| n.parse().expect("EVENTS is a number"));
    let evenings = wanted.unwrap_or(400_000_usize).div_ceil(LENGTH) as u64;
    // Two threads: the smallest machine that tests run on has two cores.
    let halves: Vec<_> = (0..2)
        .map(|half| std::thread::spawn(move || (0..evenings).filter(|s| s % 2 == half).for_each(check)))
        .collect();
    for half in halves {
        if let Err(panic) = half.join() {
            std::panic::resume_unwind(panic);
        }
    }
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
