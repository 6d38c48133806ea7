//! Kills and restarts the real binary in the middle of games. `KILLS=200 cargo test --release --test restart` kills it
//! more often than the default of ten times.

mod common;

use common::client::{Client, Cut};
use common::daemon::{Daemon, Scratch, WAIT};
use common::table::{Table, turn};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;
const NICKS: [&str; 8] = ["Wren", "Heron", "Owl", "Finch", "Robin", "Crane", "Swift", "Tern"];
/// Durations in which everyone can rejoin before a result clears.
const CLOCKS: [&str; 4] = ["--result", "1.5", "--rematch", "600"];

/// Returns a room's progress. Views of the same room are ordered by it.
fn progress(view: &Value) -> (u64, usize) {
    let phase = ["play", "result", "rematch"].iter().position(|phase| view["phase"] == *phase);
    (turn(view), phase.unwrap_or_else(|| panic!("{view}")))
}

/// Returns the parts of a view that a restart must not change: all except the absent people and the remaining time.
fn lasting(view: &Value) -> Value {
    let nick = |seat: &Value| json!([seat["nick"], seat["streak"]]);
    let seats: Vec<_> = view["seats"].as_array().unwrap().iter().map(nick).collect();
    let line: Vec<_> = view["line"].as_array().unwrap().iter().map(|waiting| &waiting["nick"]).collect();
    let result = ["winner", "how", "line", "score", "names"].map(|field| &view["result"][field]);
    let turn = [&view["turn"]["side"], &view["turn"]["id"]];
    json!([
        view["game"],
        view["phase"],
        seats,
        line,
        view["asker"],
        turn,
        view["state"],
        view["last"],
        view["note"],
        result
    ])
}

/// Returns everyone's seat or place after a result clears. A second, short implementation of the rule.
fn settled(view: &Value) -> Value {
    let nicks: Vec<_> = (0..2).map(|seat| view["seats"][seat]["nick"].clone()).collect();
    let mut line: Vec<_> = view["line"].as_array().unwrap().iter().map(|p| p["nick"].clone()).collect();
    let streak = view["seats"][0]["streak"].as_u64().unwrap();
    let (winner, streak) = match view["result"]["winner"].as_u64() {
        Some(0) => (0, streak + 1),
        Some(_) => (1, 1),
        None => (0, streak),
    };
    line.push(nicks[1 - winner].clone());
    let chal = line.remove(0);
    json!([nicks[winner], streak, chal, line])
}

fn places(view: &Value) -> Value {
    let line: Vec<_> = view["line"].as_array().unwrap().iter().map(|p| &p["nick"]).collect();
    json!([view["seats"][0]["nick"], view["seats"][0]["streak"], view["seats"][1]["nick"], line])
}

/// Asserts that the room continues from the shown view, or from one step later that was stored but not shown.
fn goes_on(shown: &Value, now: &Value) {
    let (was, is) = (progress(shown), progress(now));
    let cells = |view: &Value| view["state"]["cells"].as_str().unwrap_or_default().to_owned();
    match (was, is) {
        _ if was == is => assert_eq!(lasting(now), lasting(shown)),
        // One more move, which may have ended the game.
        ((n, 0), next) if next == (n + 1, 0) || next == (n, 1) => {
            let stays = cells(shown).chars().zip(cells(now).chars()).all(|(a, b)| a == '.' || b != '.');
            let count = |view: &Value| cells(view).chars().filter(|&sign| sign != '.').count();
            let one = stays && count(now) == count(shown) + 1 && now["last"]["id"] == n;
            assert!(one && now["last"]["auto"] == false, "{shown}\nbecame {now}");
            assert_eq!(places(now), places(shown));
        }
        // The result has cleared.
        ((n, 1), next) if next == (n + 1, 0) => assert_eq!(places(now), settled(shown)),
        _ => panic!("{shown}\nbecame {now}"),
    }
}

/// Plays until the connection breaks, rejoins and compares the views, `kills` times.
fn evening(mut table: Table, seed: u64, kills: usize, back: &AtomicUsize) -> usize {
    let mut random = StdRng::seed_from_u64(seed);
    let mut taps = 0;
    for _ in 0..kills {
        loop {
            let choice = random.random_range(0..64);
            match table.tap(|moves| choice % moves.len()) {
                Ok(_) => taps += 1,
                Err(_) => break,
            }
            std::thread::sleep(Duration::from_millis(random.random_range(30..70)));
        }
        let ids: Vec<_> = table.phones.iter().map(|phone| phone.welcome["id"].clone()).collect();
        let helloes: Vec<_> = table.clients().map(|page| page.hello.clone()).collect();
        let mut shown = Value::Null;
        for page in table.clients() {
            page.drain();
            if shown.is_null() || progress(&page.view) > progress(&shown) {
                shown = page.view.clone();
            }
        }
        for page in table.clients() {
            comes_back(page);
        }
        // The first view after the restart, apart from people who have rejoined since.
        goes_on(&shown, &table.tv.view);
        let same: Vec<_> = table.phones.iter().map(|phone| phone.welcome["id"].clone()).collect();
        assert_eq!(same, ids);
        assert_eq!(table.clients().map(|page| page.hello.clone()).collect::<Vec<_>>(), helloes);
        table.tv.until("everybody", |tv| everybody(&tv.view)).unwrap();
        // The game must continue before the daemon is killed again.
        table.tap(|moves| moves.len() / 2).unwrap();
        taps += 1;
        back.fetch_add(1, SeqCst);
    }
    taps
}

fn everybody(view: &Value) -> bool {
    let all = view["seats"].as_array().into_iter().chain(view["line"].as_array()).flatten();
    all.into_iter().all(|person| person["away"] == false)
}

/// Rejoins as soon as the daemon accepts connections.
fn comes_back(client: &mut Client) {
    let begun = Instant::now();
    while let Err(error) = client.reconnect() {
        assert!(begun.elapsed() < WAIT, "no way back: {error}");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(client.no.is_null(), "{}", client.no);
}

#[test]
fn a_kill_loses_nothing_that_was_shown() {
    let kills = std::env::var("KILLS").map_or(10, |kills| kills.parse().unwrap());
    let dir = Scratch::new("kills");
    let args = [&CLOCKS[..], &["--state", dir.path()]].concat();
    let mut daemon = Daemon::start(&args);
    let to = daemon.address;
    let mut random = StdRng::seed_from_u64(11);
    let back = [const { AtomicUsize::new(0) }; 3];
    let tables = ["reversi", "four", "reversi"].map(|game| Table::open(to, HERE, game, &NICKS[..4]).unwrap());
    let taps: usize = std::thread::scope(|scope| {
        let played = tables.into_iter().zip(&back).enumerate();
        let rooms: Vec<_> = played
            .map(|(seed, (table, back))| scope.spawn(move || evening(table, seed as u64, kills, back)))
            .collect();
        for kill in 1..=kills {
            std::thread::sleep(Duration::from_millis(random.random_range(100..900)));
            daemon.kill();
            daemon = Daemon::at(to, &args);
            while !back.iter().all(|back| back.load(SeqCst) >= kill) {
                let failed = rooms
                    .iter()
                    .zip(&back)
                    .any(|(room, back)| room.is_finished() && back.load(SeqCst) < kill);
                if failed {
                    // Otherwise the other rooms would play without end.
                    daemon.kill();
                    panic!("lost after {kill} kills");
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        rooms.into_iter().map(|room| room.join().unwrap()).sum()
    });
    println!("{kills} kills, {taps} taps in 3 rooms");
    assert!(!daemon.log().contains("set aside"), "{}", daemon.log());
}

/// Tests SIGTERM: all clients get a goodbye, the exit code is 0, the port is free at once, and the room is restored.
#[test]
fn a_polite_end_sends_a_goodbye() -> Result<(), Cut> {
    let dir = Scratch::new("polite");
    let args = ["--state", dir.path()];
    let mut daemon = Daemon::start(&args);
    let mut table = Table::open(daemon.address, HERE, "four", &NICKS[..3])?;
    table.tap(|_| 3)?;
    assert!(daemon.term().success());
    for page in table.clients() {
        assert_eq!((page.closed(), page.bye.as_str()), (Some(1000), Some("restart")));
    }
    let free = TcpListener::bind(daemon.address);
    assert!(free.is_ok(), "{free:?}");
    drop(free);
    let daemon = Daemon::at(daemon.address, &args);
    table.clients().for_each(comes_back);
    table.tap(|_| 3)?;
    drop(daemon);
    Ok(())
}

/// Tests that a kill in a game against the House keeps board, seats and side on turn, whichever side is on turn, and that
/// the House goes on.
#[test]
fn a_game_against_the_house_goes_on_after_a_kill() -> Result<(), Cut> {
    let dir = Scratch::new("house");
    let args = ["--state", dir.path(), "--turn", "600"];
    let mut daemon = Daemon::start(&args);
    let mut table = Table::open(daemon.address, HERE, "four", &["Wren"])?;
    table.phones[0].send(json!({"t": "house", "on": true}))?;
    let is_guests_turn = |page: &Client| page.view["turn"]["side"] == 0;
    for house_is_on_turn in [false, true, true, false] {
        let phone = &mut table.phones[0];
        phone.until("the House's move", is_guests_turn)?;
        assert_eq!((&phone.view["last"]["side"], &phone.view["last"]["auto"]), (&json!(1), &json!(false)));
        if house_is_on_turn {
            let (id, v) = (phone.view["turn"]["id"].clone(), phone.view["moves"][0].clone());
            phone.send(json!({"t": "move", "v": v, "n": id}))?;
            phone.until("the move", |phone| phone.view["last"]["id"] == id)?;
        }
        daemon.kill();
        table.clients().for_each(Client::drain);
        let shown = table.phones[0].view.clone();
        daemon = Daemon::at(daemon.address, &args);
        table.clients().for_each(comes_back);
        goes_on(&shown, &table.tv.view);
        assert_eq!(table.tv.view["seats"][1]["house"], true, "{}", table.tv.view);
    }
    table.phones[0].until("the House's move", is_guests_turn)?;
    drop(daemon);
    Ok(())
}

/// Tests that eight phones regain their places by their keys as soon as the daemon accepts connections.
#[test]
fn eight_phones_are_back_at_once() -> Result<(), Cut> {
    let dir = Scratch::new("eight");
    let args = ["--state", dir.path()];
    let mut daemon = Daemon::start(&args);
    let mut table = Table::open(daemon.address, HERE, "four", &NICKS)?;
    table.tap(|_| 3)?;
    let before = lasting(&table.tv.view);
    daemon.kill();
    table.clients().for_each(Client::drain);
    let daemon = Daemon::at(daemon.address, &args);
    let begun = Instant::now();
    std::thread::scope(|scope| table.clients().for_each(|page| _ = scope.spawn(|| comes_back(page))));
    table.tv.until("all eight", |tv| everybody(&tv.view))?;
    println!("eight phones and the TV are back {:?} after the port", begun.elapsed());
    assert_eq!(lasting(&table.tv.view), before);
    drop(daemon);
    Ok(())
}

/// Tests a directory with broken files: valid ones are restored, others are quarantined once and logged.
#[test]
fn damaged_and_foreign_files_are_quarantined() -> Result<(), Cut> {
    let dir = Scratch::new("foreign");
    let args = ["--state", dir.path()];
    let mut daemon = Daemon::start(&args);
    let mut tables = ["four"; 4].map(|game| Table::open(daemon.address, HERE, game, &NICKS[..2]).unwrap());
    tables[0].tap(|_| 3)?;
    let file = |table: &Table| dir.0.join(format!("room-{}.json", table.tv.room()));
    daemon.kill();
    let text = std::fs::read(file(&tables[1]))?;
    std::fs::write(file(&tables[1]), &text[..text.len() - 9])?;
    let text = std::fs::read_to_string(file(&tables[2]))?;
    std::fs::write(file(&tables[2]), text.replacen(r#""version":1"#, r#""version":2"#, 1))?;
    std::fs::write(file(&tables[3]), vec![b' '; 5 << 20])?;
    std::fs::write(dir.0.join("counts.json"), b"{\"version\":1,\"kept\":[]}")?;
    std::fs::write(dir.0.join("notes.txt"), b"mine")?;
    std::fs::write(dir.0.join("room-BBBB.json.new"), b"half")?;
    std::fs::create_dir(dir.0.join("room-CCCC.json"))?;
    std::os::unix::fs::symlink("/dev/zero", dir.0.join("room-DDDD.json"))?;
    // Reading this pipe would block until another process writes to it.
    let pipe = dir.0.join("room-FFFF.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status()?.success());

    let mut daemon = Daemon::at(daemon.address, &args);
    tables[0].clients().for_each(comes_back);
    tables[0].tap(|_| 3)?;
    let log = daemon.log();
    assert_eq!(log.matches("set aside").count(), 7, "{log}");
    assert!(!log.contains("Wren"), "{log}");
    for table in &mut tables[1..] {
        table.tv.reconnect()?;
        assert_ne!(table.tv.room(), "");
    }
    let kept = |path: &Path| std::fs::read(path).ok();
    assert_eq!(kept(&dir.0.join("notes.txt")).as_deref(), Some(&b"mine"[..]));
    // The next start logs nothing about them.
    assert!(daemon.term().success());
    let daemon = Daemon::at(daemon.address, &args);
    daemon.get("/healthz", HERE).map(drop)?;
    assert!(!daemon.log().contains("set aside"), "{}", daemon.log());
    Ok(())
}

/// Starts the daemon with the restricted /proc of the unit's `ProcSubset=pid`.
fn in_the_sandbox(address: SocketAddr, args: &[&str]) -> Daemon {
    let mut command = Command::new("unshare");
    let script = "mount -t proc -o subset=pid proc /proc && exec \"$0\" \"$@\"";
    command.args(["--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_doozer-box")]);
    Daemon::by(command, address, args)
}

#[test]
#[ignore = "needs root, to mount; tests/run runs it"]
fn times_and_counts_go_on_in_the_units_sandbox() -> Result<(), Cut> {
    let state = Scratch::new("sandbox");
    let args = ["--state", state.path(), "--result", "0.2", "--rematch", "600"];
    let mut daemon = in_the_sandbox(SocketAddr::from((HERE, 0)), &args);
    let address = daemon.address;
    let mut table = Table::open(address, HERE, "four", &["Wren", "Heron"])?;
    // Twelve rooms an hour, including the table's. A new hour may begin meanwhile, which allows twelve more.
    while Client::tv(address, HERE, "four")?.no["why"] != "rooms" {}
    let guess = |address| Client::phone(address, HERE, "ZZZZ", "Guess").map(|guess| guess.no["why"].clone());
    while guess(address)? == "code" {}
    assert_eq!(guess(address)?, "busy");
    while table.tv.view["phase"] != "rematch" {
        if table.tv.view["phase"] == "play" {
            table.tap(|_| 0)?;
        } else {
            table.tv.next()?;
        }
    }
    let left = |view: &Value| view["left"].as_u64().unwrap();
    let before = left(&table.tv.view);
    let begun = Instant::now();
    daemon.until("some of the rematch's time to pass", |_| begun.elapsed() > Duration::from_secs(2));
    daemon.kill();
    drop(daemon);

    let daemon = in_the_sandbox(address, &args);
    table.tv.reconnect()?;
    let passed = begun.elapsed().as_millis() as u64;
    let after = left(&table.tv.view);
    assert!(after <= before - 2_000, "{before} ms before, {after} ms after {passed} ms");
    assert!(after + passed + 1_000 >= before, "{before} ms before, {after} ms after {passed} ms");
    assert_eq!(guess(address)?, "busy", "wrong codes are forgotten");
    assert_eq!(Client::tv(address, HERE, "four")?.no["why"], "rooms", "new rooms are forgotten");
    drop(daemon);
    Ok(())
}

#[test]
fn every_page_gets_a_goodbye_before_the_daemon_ends() -> Result<(), Cut> {
    let mut daemon = Daemon::start(&[]);
    let tv = Client::tv(daemon.address, HERE, "four")?;
    let mut pages = (0..7)
        .map(|n| Client::phone(daemon.address, HERE, tv.room(), &format!("Wren{n}")))
        .collect::<Result<Vec<_>, _>>()?;
    pages.push(tv);
    assert!(daemon.term().success());
    for page in &mut pages {
        assert_eq!((page.closed(), &page.bye), (Some(1000), &json!("restart")));
    }
    Ok(())
}
