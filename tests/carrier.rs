//! Tests that an interface with an address but without a carrier is not used, as after a cable was unplugged.
#![allow(clippy::unwrap_used)]

use doozer_box::appliance::lan::interfaces;
use std::process::Command;
use std::time::{Duration, Instant};

fn ip(args: &str) {
    assert!(Command::new("ip").args(args.split(' ')).status().unwrap().success(), "ip {args}");
}

/// Waits until the interface is listed, or until it is no longer listed.
fn until_listed(listed: bool) {
    let begun = Instant::now();
    while interfaces().unwrap().iter().any(|link| link.name == "cable0") != listed {
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "cable0 stays {}",
            if listed { "out" } else { "in" }
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "needs root and a network of its own; tests/run runs it"]
fn an_interface_without_a_carrier_is_not_used() {
    ip("link add cable0 type veth peer name cable1");
    ip("address add 192.0.2.1/24 dev cable0");
    ip("link set cable0 up");
    ip("link set cable1 up");
    until_listed(true);
    ip("link set cable1 down");
    until_listed(false);
    ip("link set cable1 up");
    until_listed(true);
    ip("link set cable0 down");
    until_listed(false);
    ip("link delete cable0");
}
