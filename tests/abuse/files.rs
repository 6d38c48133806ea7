//! Tests field report B55: a daemon that runs out of file descriptors.

use crate::common::client::Client;
use crate::common::daemon::{Daemon, connect, many_files};
use crate::common::table::Table;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;
use std::time::{Duration, Instant};

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;
/// The daemon's limit of descriptors, as with `LimitNOFILE=64`. Each number must be below it.
const FILES: usize = 64;
/// Seconds for which it has no free descriptor.
const WITHOUT_S: u64 = 3;

/// Returns that many other addresses.
fn addresses(many: u32) -> impl Iterator<Item = Ipv4Addr> {
    (0..many).map(|n| Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 0, 2, 1)) + n))
}

#[test]
fn out_of_descriptors_and_back() {
    many_files();
    let mut command = Command::new("sh");
    command.args([
        "-c",
        &format!("ulimit -n {FILES} && exec \"$0\" \"$@\""),
        env!("CARGO_BIN_EXE_doozer-box"),
    ]);
    let daemon = Daemon::by(command, SocketAddr::from((HERE, 0)), &["--result", "0.2"]);
    let mut table = Table::open(daemon.address, HERE, "four", &["Wren", "Heron"]).unwrap();

    // More silent connections than descriptors evict each other, and make room for requests.
    let idle: Vec<_> = addresses(100).filter_map(|from| connect(daemon.address, from).ok()).collect();
    for _ in 0..20 {
        table.tap(|moves| moves.len() / 2).unwrap();
    }
    drop(idle);
    assert!(daemon.get("/healthz", HERE).is_ok());

    // With as many TVs as descriptors no connection can be accepted, and none is evicted. The last number is in use but
    // not visible: accept(2) reserves it while the status port's thread waits in it.
    let mut tvs = Vec::new();
    while daemon.descriptors_below(FILES) < FILES - 1 {
        tvs.push(Client::tv(daemon.address, Ipv4Addr::new(127, 0, 3, tvs.len() as u8 + 1), "four").unwrap());
    }
    let waiting: Vec<_> = addresses(50).filter_map(|from| connect(daemon.address, from).ok()).collect();
    let (begun, ticks) = (Instant::now(), daemon.ticks());
    while begun.elapsed() < Duration::from_secs(WITHOUT_S) {
        table.tap(|moves| moves.len() / 2).unwrap();
        std::thread::sleep(Duration::from_millis(50));
    }
    let used = daemon.ticks() - ticks;
    println!("out of descriptors: {used} hundredths of processor time in {:?}", begun.elapsed());
    // The daemon's own processor time is small, so it does not call accept(2) in a loop.
    assert!(used < 100 * WITHOUT_S / 2, "{used} hundredths of a second");
    assert!(daemon.log().matches("accepting failed").count() <= 2, "{}", daemon.log());
    drop((tvs, waiting));
    assert!(daemon.get("/healthz", HERE).is_ok());
    table.tap(|moves| moves.len() / 2).unwrap();
    assert_eq!(daemon.metric("doozer_panics_total"), 0.0);
}
