//! Tests mistakes in the settings of the real binary: the other lines count, and the TV shows the mistake.

mod common;

use common::client::{Client, Cut};
use common::daemon::{Daemon, Scratch};
use serde_json::{Value, json};
use std::net::Ipv4Addr;

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

#[test]
fn mistakes_are_shown_on_the_tv_and_in_the_health() -> Result<(), Cut> {
    let scratch = Scratch::new("settings");
    let file = scratch.0.join("doozer-box.toml");
    std::fs::write(&file, "trun = 5\nwifi = \"Joe's Bar\"\ninterface = \"none7\"\nresult = soon\n")?;
    let daemon = Daemon::start(&["--config", file.to_str().unwrap()]);
    let told = json!([
        "Settings, line 1: `trun` is unknown",
        "Settings, line 4: `result` wants a number, like result = 6",
        "Settings: `interface` none7 is not there, or without a network now",
    ]);
    daemon.until("the settings are looked at", |daemon| {
        daemon.get("/healthz", HERE).is_ok_and(|health| health.contains("none7"))
    });
    let health: Value = serde_json::from_str(&daemon.get("/healthz", HERE)?)?;
    assert_eq!(health["problems"], told);
    let tv = Client::tv(daemon.address, HERE, "four")?;
    assert_eq!(tv.welcome["problems"], told);
    assert_eq!(tv.welcome["wifi"], "Joe's Bar");
    let log = daemon.log();
    for problem in told.as_array().unwrap() {
        assert_eq!(log.matches(problem.as_str().unwrap()).count(), 1, "{problem} in {log}");
    }
    Ok(())
}

#[test]
fn without_mistakes_nothing_is_shown() -> Result<(), Cut> {
    let daemon = Daemon::start(&["--turn", "5"]);
    let tv = Client::tv(daemon.address, HERE, "four")?;
    assert_eq!(tv.welcome["problems"], json!([]));
    assert!(daemon.get("/healthz", HERE)?.contains("\"problems\":[]"));
    Ok(())
}
