//! Jumps of the wall clock during a game must change nothing except the hourly count of new rooms.
//!
//! The daemon runs under `libfaketime` (Debian's `faketime`), which leaves the monotonic clock alone. Not every system
//! has it, so a plain `cargo test` reports these tests as ignored. `tests/run` runs them, and fails without it.

mod common;

use common::client::{Client, Cut};
use common::daemon::Daemon;
use common::table::Table;
use serde_json::json;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::Command;

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;
/// New rooms per hour and address.
const ROOMS: usize = 12;

fn library() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let found = folders.chain(["/usr/lib".into()]).map(|folder| folder.join("faketime/libfaketime.so.1"));
    found.into_iter().find(|path| path.exists())
}

/// A daemon whose wall clock is controlled by a file.
struct Clock {
    daemon: Daemon,
    scratch: common::daemon::Scratch,
}

impl Clock {
    /// Starts a daemon at a time in faketime's notation.
    fn start(name: &str, time: &str) -> Clock {
        let library = library().expect("Debian's package faketime is not installed");
        let scratch = common::daemon::Scratch::new(name);
        let file = scratch.0.join("time");
        std::fs::write(&file, time).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_doozer-box"));
        command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", &file);
        command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        let port = SocketAddr::from((HERE, 0));
        let daemon = Daemon::by(command, port, &["--result", "0.2", "--rematch", "60"]);
        Clock { daemon, scratch }
    }

    fn set(&self, time: &str) {
        let file = self.scratch.0.join("time");
        let new = file.with_extension("new");
        std::fs::write(&new, time).unwrap();
        std::fs::rename(new, file).unwrap();
    }

    /// Returns the number of new rooms that the address gets, and the seconds in the refusal after them.
    fn rooms(&self, from: Ipv4Addr) -> (usize, u64) {
        for made in 0..=2 * ROOMS {
            let tv = Client::tv(self.daemon.address, from, "four").unwrap();
            if tv.no["why"] == "rooms" {
                return (made, tv.no["retry"].as_u64().unwrap());
            }
        }
        panic!("rooms without end");
    }
}

#[test]
#[ignore = "needs libfaketime; tests/run runs it"]
fn a_jumping_clock_changes_nothing_but_the_count_of_the_hour() -> Result<(), Cut> {
    let clock = Clock::start("jumps", "+0");
    let mut table = Table::open(clock.daemon.address, HERE, "four", &["Wren", "Heron"])?;
    table.tap(|_| 0)?;
    assert_eq!(clock.rooms(HERE).0, ROOMS - 1);
    assert_eq!(clock.rooms(HERE).0, 0);
    for time in ["-10y", "+3y", "@1970-01-01 00:00:10", "@2001-02-03 04:59:59", "-2h", "+200y", "+0"] {
        clock.set(time);
        // No turn ends early or late.
        let Table { tv, phones } = &mut table;
        let before = tv.view["turn"].clone();
        phones[0].reconnect()?;
        let turn = &phones[0].view["turn"];
        if !before.is_null() && !turn.is_null() {
            assert_eq!(turn["id"], before["id"], "at {time}");
            assert!(
                turn["left"].as_u64() <= before["left"].as_u64() && turn["left"].as_u64() > Some(0),
                "at {time}"
            );
        }
        table.tap(|moves| moves.len() - 1)?;
        let (made, retry) = clock.rooms(HERE);
        assert_eq!(made, ROOMS, "at {time}");
        assert!((1..=3_600).contains(&retry), "{retry} s at {time}");
        assert_eq!(clock.rooms(HERE).0, 0, "at {time}");
    }
    Ok(())
}

#[test]
#[ignore = "needs libfaketime; tests/run runs it"]
fn a_rematch_and_an_absence_keep_their_durations() -> Result<(), Cut> {
    let clock = Clock::start("rematch", "+0");
    let mut table = Table::open(clock.daemon.address, HERE, "four", &["Wren", "Heron"])?;
    // The first player fills one column, and the other does not block it.
    for _ in 0..4 {
        table.tap(|_| 0)?;
        if table.tv.view["phase"] == "play" {
            table.tap(|moves| moves.len() - 1)?;
        }
    }
    table.tv.until("the rematch", |tv| tv.view["phase"] == "rematch")?;
    for time in ["+5y", "-5y", "@1970-01-01 00:00:00"] {
        clock.set(time);
        // A reconnect makes the daemon read its clocks.
        table.phones[0].reconnect()?;
        let left = table.phones[0].view["left"].as_u64();
        assert!(Some(0) < left && left <= Some(60_000), "{left:?} at {time}");
    }
    table.play()?;
    // The time of an absent player is counted on the monotonic clock.
    table.phones[1].send(json!({"t": "hb"}))?;
    drop(table.phones[1].socket.get_ref().shutdown(std::net::Shutdown::Both));
    table.tv.until("an absence", |tv| tv.view["seats"].to_string().contains("true"))?;
    clock.set("+9y");
    table.phones[0].send(json!({"t": "hb"}))?;
    table.phones[1].reconnect()?;
    assert_eq!(table.phones[1].welcome["nick"], "Heron");
    table.tv.until("both", |tv| !tv.view["seats"].to_string().contains("true"))?;
    table.tap(|_| 0)?;
    Ok(())
}

/// Tests start times of boxes without a clock chip, and of one with a clock that is far off.
#[test]
#[ignore = "needs libfaketime; tests/run runs it"]
fn a_box_may_start_at_any_time() -> Result<(), Cut> {
    for time in ["@1970-01-01 00:00:00", "@1969-12-31 20:00:00", "@2037-12-31 23:59:58"] {
        let clock = Clock::start("any-time", time);
        let mut table = Table::open(clock.daemon.address, HERE, "reversi", &["Wren", "Heron"])?;
        for _ in 0..3 {
            table.tap(|_| 0)?;
        }
        let elsewhere = Ipv4Addr::new(127, 0, 0, 3);
        let (made, retry) = clock.rooms(elsewhere);
        // A new hour may begin between two rooms.
        assert!(
            (ROOMS..=2 * ROOMS).contains(&made) && (1..=3_600).contains(&retry),
            "{made} {retry} at {time}"
        );
        let health = clock.daemon.get("/healthz", HERE)?;
        assert!(health.contains(r#""uptime_s":"#) && !health.contains("null,\"uptime"), "{health}");
    }
    Ok(())
}
