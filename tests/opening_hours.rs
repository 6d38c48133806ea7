//! The TV is switched by the opening hours, through a stand-in for the privileged helper.
#![allow(clippy::unwrap_used)]

mod common;

use common::helper::Helper;
use doozer_box::admin::{Admin, Failure, Reply};
use doozer_box::appliance::hours::{Inputs, run};
use doozer_box::opening_hours::{OpeningHours, Schedule};
use smol::Timer;
use smol::future::or;
use std::cell::Cell;
use std::time::Duration;

const SOON: Duration = Duration::from_millis(1);
/// Longer after the start than the time in which a box can be set up, in milliseconds.
const LATE: u64 = 100_000_000;

/// Plays a script against a box with the hours 17:00 to 2:00. The script sets the minute and whether a game is on.
fn play<F: Future<Output = ()>>(name: &str, script: impl FnOnce(Helper, Wall) -> F) {
    let helper = Helper::new(name);
    let wall: Wall = Box::leak(Box::new((Cell::new(None), Cell::new(false))));
    let inputs = Inputs { minute: || wall.0.get(), playing: || wall.1.get(), now: || LATE };
    let schedule = Schedule::new(OpeningHours::parse("17:00-2:00").unwrap(), 0);
    let running = run(schedule, Admin::new(Some(helper.path.clone())), inputs, SOON, |_| {});
    let too_long = async {
        Timer::after(Duration::from_secs(60)).await;
        panic!("it waits for ever");
    };
    smol::block_on(or(script(helper, wall), or(running, too_long)));
}

/// The minute on the wall, and whether a game is on.
type Wall = &'static (Cell<Option<u16>>, Cell<bool>);

fn at(hour: u16, minute: u16) -> Option<u16> {
    Some(60 * hour + minute)
}

#[test]
fn the_tv_goes_off_after_the_last_game_and_on_at_opening() {
    play("hours", async |helper, (minute, playing)| {
        minute.set(at(1, 59));
        playing.set(true);
        Timer::after(20 * SOON).await;
        minute.set(at(2, 3));
        Timer::after(20 * SOON).await;
        assert!(helper.requests.is_empty(), "a game in progress is cut off");
        playing.set(false);
        assert_eq!(helper.answers(Ok(Reply::Done)).await, "screen\toff");
        minute.set(at(16, 59));
        Timer::after(20 * SOON).await;
        assert!(helper.requests.is_empty(), "the TV is switched while the venue is closed");
        minute.set(at(17, 0));
        assert_eq!(helper.answers(Ok(Reply::Done)).await, "screen\ton");
    });
}

#[test]
fn a_tv_that_could_not_be_switched_is_tried_again() {
    play("again", async |helper, (minute, _)| {
        minute.set(at(3, 0));
        assert_eq!(helper.answers(Err(Failure::TimedOut)).await, "screen\toff");
        assert_eq!(helper.answers(Ok(Reply::Done)).await, "screen\toff");
        Timer::after(20 * SOON).await;
        assert!(helper.requests.is_empty(), "it was switched, and is switched again");
    });
}
