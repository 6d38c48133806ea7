//! Runs an attack beside honest players.

use crate::common::client::{Client, upgraded};
use crate::common::daemon::{Daemon, connect, many_files};
use crate::common::table::Table;
use async_tungstenite::tungstenite::WebSocket;
use serde_json::json;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// The address of the honest players.
const HONEST: Ipv4Addr = Ipv4Addr::LOCALHOST;
/// The address of newcomers during the attack.
const NEWCOMER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// Most memory that the daemon may ever use, in kB.
const MEMORY_MAX: u64 = 64 << 10;
/// Growth of memory that is allowed after an attack, in kB. The allocator does not return all freed memory at once.
const MEMORY_LEFT: u64 = 10 << 10;
/// Time between two honest taps. Each of the two phones may send ten messages a second.
const PACE: Duration = Duration::from_millis(60);

/// Returns whether this is the long run.
pub fn full() -> bool {
    std::env::var("ABUSE").is_ok_and(|abuse| abuse == "full")
}

/// Returns `long` in the long run, and `short` otherwise.
pub fn amount(short: usize, long: usize) -> usize {
    if full() { long } else { short }
}

/// An attacker's view of the daemon, and its progress.
pub struct Attack {
    pub to: SocketAddr,
    /// The honest players' room.
    pub room: String,
    reached: AtomicBool,
    over: AtomicBool,
    newcomers: AtomicU32,
    next: AtomicU32,
}

impl Attack {
    /// Records that the attack has reached its aim. It continues until it is `over`.
    pub fn reached(&self) {
        self.reached.store(true, Relaxed);
    }

    pub fn over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Returns an attacker's address, 127.0.1.1 and up. Calls cycle through `of` addresses.
    pub fn address(&self, of: u32) -> Ipv4Addr {
        let n = self.next.fetch_add(1, Relaxed) % of;
        Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 0, 1, 1)) + n)
    }

    /// Opens a connection, trying until there is one.
    pub fn connect(&self, of: u32) -> Option<TcpStream> {
        let stream = connect(self.to, self.address(of)).ok()?;
        stream.set_read_timeout(Some(Duration::from_millis(500))).ok()?;
        stream.set_write_timeout(Some(Duration::from_millis(500))).ok()?;
        Some(stream)
    }

    /// Opens a WebSocket without a first message, trying until there is one.
    pub fn socket(&self, of: u32) -> Option<WebSocket<TcpStream>> {
        upgraded(self.to, self.address(of)).ok()
    }

    /// Repeats `attack` until it is over. The aim is reached after `times` repetitions.
    pub fn again(&self, times: usize, mut attack: impl FnMut(usize)) {
        for n in 0.. {
            if n >= times {
                self.reached();
            }
            if self.over() {
                return;
            }
            attack(n);
        }
    }
}

/// Attacks a daemon started with `args`, and checks the honest players. `run` must return soon after it is over.
pub fn under_attack(name: &str, args: &[&str], run: impl Fn(&Attack) + Sync) {
    under_attack_of(name, args, &["Wren", "Heron"], run);
}

/// Does the same as [`under_attack`] with these honest phones.
pub fn under_attack_of(name: &str, args: &[&str], phones: &[&str], run: impl Fn(&Attack) + Sync) {
    many_files();
    let args = [&["--result", "0.2", "--turn", "60"], args].concat();
    let daemon = Daemon::start(&args);
    let mut table = Table::open(daemon.address, HONEST, "four", phones).unwrap();
    let mut calm = taps(&mut table, amount(10, 100), |_| false);
    let before = daemon.status("VmRSS");
    let attack = Attack {
        to: daemon.address,
        room: table.tv.room().to_owned(),
        reached: AtomicBool::new(false),
        over: AtomicBool::new(false),
        newcomers: AtomicU32::new(0),
        next: AtomicU32::new(0),
    };
    let mut attacked = std::thread::scope(|scope| {
        let attackers = scope.spawn(|| run(&attack));
        let newcomers = scope.spawn(|| newcomers(&daemon, &attack));
        let goes_on = |_: usize| !attack.reached.load(Relaxed) && !attackers.is_finished();
        let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            taps(&mut table, amount(25, 250), goes_on)
        }));
        attack.over.store(true, Relaxed);
        attackers.join().unwrap();
        newcomers.join().unwrap();
        played.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    let (peak, newcomers) = (daemon.status("VmHWM"), attack.newcomers.load(Relaxed));
    println!(
        "{name}: taps {} ms in calm, {} ms attacked; memory {:.1} MB, at most {:.1} MB; {newcomers} newcomers",
        quantiles(&mut calm),
        quantiles(&mut attacked),
        before as f64 / 1024.0,
        peak as f64 / 1024.0,
    );
    assert!(peak < MEMORY_MAX, "{name}: it took {peak} kB");
    assert!(newcomers > 0, "{name}: nobody new got in");
    // After the attackers only three pages are left, and the connection that asks.
    let honest = |daemon: &Daemon| daemon.metric(r#"doozer_connections{role="other"}"#) <= 1.0;
    daemon.until("the end of the attackers' connections", honest);
    daemon.until(&format!("the memory's return after {name} from {peak} kB to {before} kB"), |daemon| {
        daemon.status("VmRSS") < before + MEMORY_LEFT
    });
    taps(&mut table, 2, |_| false);
    assert_eq!(daemon.metric("doozer_panics_total"), 0.0);
    assert!(!daemon.log().contains("panicked"), "{}", daemon.log());
}

/// Taps at least `least` times and while `goes_on`. Returns the time of each tap.
fn taps(table: &mut Table, least: usize, goes_on: impl Fn(usize) -> bool) -> Vec<Duration> {
    let mut took = Vec::new();
    while took.len() < least || goes_on(took.len()) {
        took.push(table.tap(|moves| took.len() * 7 % moves.len()).unwrap());
        std::thread::sleep(PACE);
    }
    took
}

/// Loads the page, joins a room with a new guest and leaves it, until the attack is over.
fn newcomers(daemon: &Daemon, attack: &Attack) {
    let mut tv = Client::tv(attack.to, NEWCOMER, "reversi").unwrap();
    while !attack.over() {
        let page = daemon.get(&format!("/{}", tv.room()), NEWCOMER).unwrap();
        assert!(page.starts_with("<!doctype html>"), "{page}");
        let mut phone = Client::phone(attack.to, NEWCOMER, tv.room(), "Robin").unwrap();
        assert_eq!(phone.view["role"], "champ", "{}", phone.no);
        tv.until("the newcomer", |tv| tv.view["seats"][0]["nick"] == "Robin").unwrap();
        phone.send(json!({"t": "leave"})).unwrap();
        assert_eq!(phone.closed(), Some(1000));
        tv.until("an empty seat", |tv| tv.view["seats"][0].is_null()).unwrap();
        attack.newcomers.fetch_add(1, Relaxed);
        std::thread::sleep(PACE);
    }
}

/// Prints the times as `p50/p99/most` in milliseconds.
fn quantiles(took: &mut [Duration]) -> String {
    took.sort();
    let at = |part: f64| took[((took.len() - 1) as f64 * part).round() as usize].as_secs_f64() * 1_000.0;
    format!("{:.2}/{:.2}/{:.2}", at(0.5), at(0.99), at(1.0))
}
