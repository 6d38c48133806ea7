//! Tests the status port: its texts, and that a crash or hang of it harms no game.
#![allow(clippy::unwrap_used)]

mod common;

use common::client::Client;
use common::daemon::{Daemon, connect};
use common::table::Table;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

fn health(daemon: &Daemon) -> Value {
    serde_json::from_str(&Daemon::get_from(daemon.status_port, "/healthz", HERE).unwrap()).unwrap()
}

fn ask(daemon: &Daemon, request: &str) -> (TcpStream, String) {
    let mut stream = connect(daemon.status_port, HERE).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = [0; 12];
    let read = stream.read(&mut bytes).unwrap_or(0);
    (stream, String::from_utf8_lossy(&bytes[..read]).into_owned())
}

#[test]
fn it_serves_health_and_metrics_and_nothing_else() {
    let daemon = Daemon::start(&[]);
    assert_eq!(health(&daemon)["ok"], true);
    assert!(daemon.get("/metrics", HERE).unwrap_err().starts_with("HTTP/1.1 404"));
    for (request, status) in [
        ("GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 404"),
        ("HEAD /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 200"),
        ("DELETE /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405"),
        ("GET /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "HTTP/1.1 413"),
    ] {
        assert_eq!(ask(&daemon, request).1, status, "{request}");
    }
}

/// Tests that a second TV in the bar does not hide a missing kiosk page.
#[test]
fn the_kiosks_page_is_counted_apart_from_other_tvs() {
    let daemon = Daemon::start(&[]);
    let kiosk_hello = json!({"t": "host", "kiosk": true});
    let (none, other) = (health(&daemon), Client::tv(daemon.address, HERE, "four").unwrap());
    assert_eq!((&none["kiosk"], &none["kiosk_seen_s"]), (&json!(false), &Value::Null));
    assert_eq!(daemon.metric(r#"doozer_connections{role="tv"}"#), 1.0);
    assert_eq!(health(&daemon)["kiosk"], false, "a TV page of a browser beside the kiosk");
    let mut kiosk = Client::open(daemon.address, HERE, kiosk_hello.clone()).unwrap();
    kiosk.until("a view", |kiosk| !kiosk.view.is_null()).unwrap();
    assert_eq!((daemon.metric("doozer_kiosk"), &health(&daemon)["kiosk_seen_s"]), (1.0, &json!(0)));
    let mut second = Client::open(daemon.address, HERE, kiosk_hello).unwrap();
    second.until("a view", |kiosk| !kiosk.view.is_null()).unwrap();
    assert_eq!(kiosk.closed(), Some(1000));
    drop(kiosk);
    assert_eq!(daemon.metric("doozer_kiosk"), 1.0, "it was taken over, not lost");
    drop(second);
    daemon.until("the kiosk's end", |daemon| daemon.metric("doozer_kiosk") == 0.0);
    assert_eq!(daemon.metric(r#"doozer_connections{role="tv"}"#), 1.0);
    drop(other);
}

/// Tests requests that kill or hang tiny_http's server: a length that cannot be allocated, bodies that never arrive,
/// clients that never read, and heads without end.
#[test]
fn what_kills_it_harms_no_game() {
    let daemon = Daemon::start(&["--result", "0.2"]);
    let mut table = Table::open(daemon.address, HERE, "four", &["Wren", "Heron"]).unwrap();
    let mut held = Vec::new();
    let never_read = b"GET /metrics HTTP/1.1\r\n\r\n".repeat(2_000);
    for bytes in [never_read.as_slice(), &[b'a'; 100_000]] {
        for _ in 0..8 {
            let mut stream = connect(daemon.status_port, HERE).unwrap();
            stream.set_nonblocking(true).unwrap();
            let _ = stream.write(bytes);
            held.push(stream);
        }
        table.tap(|moves| moves.len() / 2).unwrap();
    }
    drop(held);
    let lengths = ["10000000000000", "9223372036854775808", "18446744073709551615", "100000"];
    for end in ["\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"] {
        for length in lengths {
            // The port is closed after a few of them.
            let Ok(mut stream) = connect(daemon.status_port, HERE) else { continue };
            let _ = write!(stream, "POST /metrics HTTP/1.1\r\nContent-Length: {length}{end}");
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            let _ = stream.read(&mut [0; 64]);
            table.tap(|moves| moves.len() / 2).unwrap();
        }
    }
    daemon.until("the end of the status port", |daemon| connect(daemon.status_port, HERE).is_err());
    let health = daemon.get("/healthz", HERE).unwrap();
    assert!(health.contains(r#""people":2"#), "{health}");
    assert!(!daemon.log().contains("panicked"), "{}", daemon.log());
}
