//! `/healthz` for the owner, `/metrics` for Prometheus and the kiosk's watch.

use super::pages::BUILD;
use crate::clock::Clock;
use crate::limits::Ms;
use crate::stats::{Stats, TAP_BOUNDS_US};
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

/// The body of `/healthz`: one JSON object. Ages are in whole seconds, null before the first.
pub(super) fn health(stats: &Stats, clock: Clock) -> String {
    let now = clock.now();
    let age = |seen: Option<Ms>| match seen {
        Some(at) => (now.saturating_sub(at) / 1_000).to_string(),
        None => "null".to_owned(),
    };
    format!(
        r#"{{"ok":true,"rooms":{},"people":{},"tv_seen_s":{},"phone_seen_s":{},"uptime_s":{},"version":"{}","build":"{BUILD}"}}"#,
        stats.rooms.get(),
        stats.people.get(),
        age(stats.tv_seen.get()),
        age(stats.phone_seen.get()),
        clock.running().as_secs(),
        env!("CARGO_PKG_VERSION"),
    )
}

/// The Content-Type of [`metrics`].
pub(super) const METRICS_KIND: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The body of `/metrics`, in the text format
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
pub(super) fn metrics(stats: &Stats, clock: Clock) -> String {
    let now = clock.now();
    let mut text = Text(String::with_capacity(4_096));
    text.about("doozer_build_info", "gauge", "Always 1; the build is in the label.");
    text.line("doozer_build_info", "build", BUILD, 1);
    text.one(
        "doozer_uptime_seconds",
        "gauge",
        "Seconds since the daemon's start.",
        clock.running().as_secs(),
    );
    text.one("doozer_rooms", "gauge", "Rooms.", stats.rooms.get());
    text.one("doozer_people", "gauge", "People in all rooms, the away ones too.", stats.people.get());
    let connections = stats.connections.get();
    let (tvs, phones) = (stats.tvs.get(), stats.phones.get());
    text.about(
        "doozer_connections",
        "gauge",
        "Connections by role; other: pages being loaded or not joined yet.",
    );
    text.line("doozer_connections", "role", "tv", tvs);
    text.line("doozer_connections", "role", "phone", phones);
    text.line("doozer_connections", "role", "other", connections.saturating_sub(tvs + phones));
    for (name, what, seen) in [
        ("doozer_tv_seen_seconds", "Seconds since a TV page was heard.", stats.tv_seen.get()),
        ("doozer_phone_seen_seconds", "Seconds since a phone was heard.", stats.phone_seen.get()),
    ] {
        if let Some(at) = seen {
            text.one(name, "gauge", what, now.saturating_sub(at) / 1_000);
        }
    }
    text.one("doozer_hub_queue", "gauge", "Events that wait for the hub.", stats.queue.get());
    text.one(
        "doozer_evictions_total",
        "counter",
        "People who made room for a newcomer.",
        stats.evictions.get(),
    );
    text.one("doozer_panics_total", "counter", "Panics that were contained.", stats.panics.get());
    text.kinds(
        "doozer_door_refused_total",
        "Connections and requests refused at the door.",
        &stats.door.borrow(),
    );
    text.kinds("doozer_messages_total", "Messages from pages.", &stats.messages.borrow());
    text.kinds("doozer_refusals_total", "Messages refused.", &stats.refusals.borrow());
    text.taps(stats);
    text.0
}

struct Text(String);

impl Text {
    fn about(&mut self, name: &str, kind: &str, what: &str) {
        let _ = writeln!(self.0, "# HELP {name} {what}\n# TYPE {name} {kind}");
    }

    fn one(&mut self, name: &str, kind: &str, what: &str, value: impl Display) {
        self.about(name, kind, what);
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn line(&mut self, name: &str, label: &str, of: &str, value: impl Display) {
        let _ = writeln!(self.0, "{name}{{{label}=\"{of}\"}} {value}");
    }

    fn kinds(&mut self, name: &str, what: &str, counts: &BTreeMap<&'static str, u64>) {
        self.about(name, "counter", what);
        for (kind, count) in counts {
            self.line(name, "kind", kind, count);
        }
    }

    fn taps(&mut self, stats: &Stats) {
        let name = "doozer_tap_seconds";
        self.about(name, "histogram", "From a tap read to the views of it handed on.");
        let taps = stats.taps.borrow();
        let mut below = 0;
        for (bound, count) in TAP_BOUNDS_US.iter().zip(taps.iter()) {
            below += count;
            self.line(&format!("{name}_bucket"), "le", &seconds(*bound), below);
        }
        let all: u64 = taps.iter().sum();
        self.line(&format!("{name}_bucket"), "le", "+Inf", all);
        let _ = writeln!(self.0, "{name}_sum {}\n{name}_count {all}", seconds(stats.taps_us.get()));
    }
}

fn seconds(us: u64) -> String {
    format!("{}.{:06}", us / 1_000_000, us % 1_000_000)
}
