//! Reads `/metrics` as Prometheus does, and checks that the samples exist and change.

mod common;

use common::client::{Client, Cut};
use common::daemon::{Daemon, connect};
use common::table::Table;
use serde_json::json;
use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::Ipv4Addr;

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// Returns every sample by its name with labels, and checks that its family was described once before it
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
fn samples(daemon: &Daemon) -> HashMap<String, f64> {
    let text = Daemon::get_from(daemon.status_port, "/metrics", HERE).unwrap();
    assert!(text.ends_with('\n'));
    let (mut samples, mut kinds, mut helped) = (HashMap::new(), HashMap::new(), Vec::new());
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, words) = help.split_once(' ').unwrap();
            assert!(!words.is_empty() && !helped.contains(&name), "{line}");
            helped.push(name);
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert!(helped.contains(&name) && ["counter", "gauge", "histogram"].contains(&kind), "{line}");
            assert!(kinds.insert(name, kind).is_none(), "{line}");
        } else {
            let (name, value) = line.rsplit_once(' ').unwrap();
            let family = name.split('{').next().unwrap();
            let parts = ["_bucket", "_sum", "_count"].iter().find_map(|part| family.strip_suffix(part));
            let family = parts.filter(|family| kinds.get(family) == Some(&"histogram")).unwrap_or(family);
            let kind = kinds.get(family).unwrap_or_else(|| panic!("not described: {line}"));
            assert_eq!(*kind == "counter", family.ends_with("_total"), "{line}");
            let value: f64 = value.parse().unwrap();
            assert!(samples.insert(name.to_owned(), value).is_none(), "twice: {line}");
        }
    }
    samples
}

#[test]
fn everything_is_there_and_moves() -> Result<(), Cut> {
    let daemon = Daemon::start(&[]);
    let before = samples(&daemon);
    for name in
        ["doozer_rooms", "doozer_people", "doozer_hub_queue", "doozer_evictions_total", "doozer_panics_total"]
    {
        assert_eq!(before[name], 0.0, "{name}");
    }
    let nicks = ["Wren", "Heron", "Owl", "Finch", "Robin", "Crane", "Swift", "Tern"];
    let mut table = Table::open(daemon.address, HERE, "four", &nicks)?;
    for _ in 0..5 {
        table.tap(|_| 3)?;
    }
    table.phones[0].send(json!({"t": "move", "v": 250, "n": 1}))?;
    table.phones[0].until("a refusal", |phone| phone.no["why"] == "turn")?;
    table.phones[7].send(json!({"t": "nonsense"}))?;
    table.phones[7].until("a refusal", |phone| phone.no["why"] == "kind")?;
    let full = Client::phone(daemon.address, HERE, table.tv.room(), "Cuckoo")?;
    assert_eq!(full.no["why"], "full");
    drop(full);
    // A person in line disconnects and is evicted for a newcomer.
    drop(table.phones.pop());
    table.tv.until("an absence", |tv| tv.view["line"].to_string().contains("true"))?;
    let newcomer = Client::phone(daemon.address, HERE, table.tv.room(), "Dove")?;
    assert!(newcomer.no.is_null());
    let mut wrong = connect(daemon.address, HERE)?;
    wrong.write_all(b"POST / HTTP/1.1\r\nHost: a\r\n\r\n")?;
    wrong.read_to_end(&mut Vec::new())?;

    daemon.until("the end of who was refused", |d| d.metric(r#"doozer_connections{role="other"}"#) == 0.0);
    let now = samples(&daemon);
    let expected = [
        ("doozer_rooms", 1.0),
        ("doozer_people", 8.0),
        (r#"doozer_connections{role="tv"}"#, 1.0),
        (r#"doozer_connections{role="phone"}"#, 8.0),
        (r#"doozer_messages_total{kind="host"}"#, 1.0),
        (r#"doozer_messages_total{kind="join"}"#, 10.0),
        (r#"doozer_messages_total{kind="move"}"#, 6.0),
        (r#"doozer_messages_total{kind="other"}"#, 1.0),
        (r#"doozer_refusals_total{kind="turn"}"#, 1.0),
        (r#"doozer_refusals_total{kind="kind"}"#, 1.0),
        (r#"doozer_refusals_total{kind="full"}"#, 1.0),
        (r#"doozer_rejected_total{kind="method"}"#, 1.0),
        ("doozer_evictions_total", 1.0),
        ("doozer_panics_total", 0.0),
        ("doozer_tap_seconds_count", 5.0),
        (r#"doozer_tap_seconds_bucket{le="+Inf"}"#, 5.0),
    ];
    for (name, value) in expected {
        assert_eq!(now.get(name), Some(&value), "{name} of {now:?}");
    }
    assert!(now["doozer_tap_seconds_sum"] > 0.0 && now["doozer_tap_seconds_sum"] < 5.0);
    let mut buckets: Vec<_> = now
        .iter()
        .filter_map(|(name, count)| {
            let bound = name.strip_prefix(r#"doozer_tap_seconds_bucket{le=""#)?.strip_suffix(r#""}"#)?;
            Some((bound.parse::<f64>().unwrap(), *count))
        })
        .collect();
    buckets.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(buckets.len() > 4 && buckets.is_sorted_by_key(|bucket| bucket.1), "{buckets:?}");
    assert!(now["doozer_uptime_seconds"] >= before["doozer_uptime_seconds"]);
    assert!(now.contains_key("doozer_tv_seen_seconds") && now.contains_key("doozer_phone_seen_seconds"));
    Ok(())
}
