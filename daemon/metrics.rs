//! Prints the texts of `/healthz` and `/metrics`.

use crate::clock::Clock;
use crate::limits::Ms;
use crate::stats::{Stats, TAP_BOUNDS_US};
use crate::version::BUILD;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

/// The Content-Type of [`health`].
pub const HEALTH_TYPE: &str = "application/json";
/// The Content-Type of [`metrics`].
pub const METRICS_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Prints the body of `/healthz`, one JSON object. Ages are whole seconds, or null before the first event.
pub fn health(stats: &Stats, clock: Clock) -> String {
    let now = clock.now();
    let age = |seen: Option<Ms>| seen.map(|at| now.saturating_sub(at) / 1_000);
    json!({
        "ok": true,
        "rooms": stats.rooms.get(),
        "people": stats.people.get(),
        "tv_seen_s": age(stats.tv_seen.get()),
        "kiosk": stats.kiosks.get() > 0,
        "kiosk_seen_s": age(stats.kiosk_seen.get()),
        "phone_seen_s": age(stats.phone_seen.get()),
        "problems": *stats.problems.borrow(),
        "uptime_s": clock.running().as_secs(),
        "version": env!("CARGO_PKG_VERSION"),
        "build": BUILD,
    })
    .to_string()
}

/// Prints the body of `/metrics` in Prometheus' text format
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/>). `under_voltage` is whether the power supply is too weak
/// now, if the machine has a sensor for it.
pub fn metrics(stats: &Stats, clock: Clock, under_voltage: Option<bool>) -> String {
    let now = clock.now();
    let mut text = Exposition(String::with_capacity(4_096));
    text.describe("doozer_build_info", "gauge", "Always 1; the build is in the label.");
    text.sample("doozer_build_info", "build", BUILD, 1);
    let uptime_s = clock.running().as_secs();
    text.single("doozer_uptime_seconds", "gauge", "Seconds since the daemon's start.", uptime_s);
    text.single("doozer_rooms", "gauge", "Rooms.", stats.rooms.get());
    text.single("doozer_people", "gauge", "People in all rooms, the away ones too.", stats.people.get());
    let problems = stats.problems.borrow().len();
    text.single("doozer_problems", "gauge", "Mistakes in the settings: what /healthz lists.", problems);
    if let Some(low) = under_voltage {
        let help = "1 while the power supply is too weak, on a Raspberry Pi.";
        text.single("doozer_under_voltage", "gauge", help, u8::from(low));
    }
    let connections = stats.connections.get();
    let (tvs, phones) = (stats.tvs.get(), stats.phones.get());
    let name = "doozer_connections";
    text.describe(name, "gauge", "Connections by role; other: pages being loaded or not joined yet.");
    text.sample(name, "role", "tv", tvs);
    text.sample(name, "role", "phone", phones);
    text.sample(name, "role", "other", connections.saturating_sub(tvs + phones));
    let kiosks = stats.kiosks.get();
    text.single("doozer_kiosk", "gauge", "Pages of the box's own kiosk: 1, or 0 while it is down.", kiosks);
    let opened = stats.kiosks_opened.get();
    text.single("doozer_kiosk_pages_total", "counter", "Pages that the box's own kiosk has opened.", opened);
    for (name, help, seen) in [
        ("doozer_kiosk_seen_seconds", "Seconds since the kiosk's page sent a frame.", stats.kiosk_seen.get()),
        ("doozer_tv_seen_seconds", "Seconds since a TV page sent a frame.", stats.tv_seen.get()),
        ("doozer_phone_seen_seconds", "Seconds since a phone sent a frame.", stats.phone_seen.get()),
    ] {
        if let Some(at) = seen {
            text.single(name, "gauge", help, now.saturating_sub(at) / 1_000);
        }
    }
    text.single("doozer_hub_queue", "gauge", "Events that wait for the hub.", stats.queue.get());
    let evictions = stats.evictions.get();
    text.single(
        "doozer_evictions_total",
        "counter",
        "People removed to make room for a newcomer.",
        evictions,
    );
    text.single("doozer_panics_total", "counter", "Panics that were contained.", stats.panics.get());
    let rejections = &stats.rejections.borrow();
    text.by_kind("doozer_rejected_total", "Connections and requests rejected or aborted.", rejections);
    text.by_kind("doozer_messages_total", "Messages from pages.", &stats.messages.borrow());
    text.by_kind("doozer_refusals_total", "Messages refused.", &stats.refusals.borrow());
    text.taps(stats);
    text.0
}

/// The text of all metric families so far, in the exposition format.
struct Exposition(String);

impl Exposition {
    fn describe(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn single(&mut self, name: &str, kind: &str, help: &str, value: impl Display) {
        self.describe(name, kind, help);
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn sample(&mut self, name: &str, label: &str, label_value: &str, value: impl Display) {
        let _ = writeln!(self.0, "{name}{{{label}=\"{label_value}\"}} {value}");
    }

    fn by_kind(&mut self, name: &str, help: &str, counts: &BTreeMap<&'static str, u64>) {
        self.describe(name, "counter", help);
        for (kind, count) in counts {
            self.sample(name, "kind", kind, count);
        }
    }

    fn taps(&mut self, stats: &Stats) {
        let name = "doozer_tap_seconds";
        self.describe(name, "histogram", "Time from reading a tap to queueing its views.");
        let taps = stats.taps.borrow();
        let mut below = 0;
        for (bound, count) in TAP_BOUNDS_US.iter().zip(taps.iter()) {
            below += count;
            self.sample(&format!("{name}_bucket"), "le", &seconds(*bound), below);
        }
        let all: u64 = taps.iter().sum();
        self.sample(&format!("{name}_bucket"), "le", "+Inf", all);
        let _ = writeln!(self.0, "{name}_sum {}\n{name}_count {all}", seconds(stats.taps_us.get()));
    }
}

/// Prints microseconds as decimal seconds.
fn seconds(us: u64) -> String {
    format!("{}.{:06}", us / 1_000_000, us % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_printed_by_name_and_label() {
        let stats = Stats::default();
        stats.rooms.set(2);
        stats.connections.set(1);
        crate::stats::count(&stats.rejections, "missing");
        for us in [70, 400, 9_000_000] {
            stats.tap(us);
        }
        let text = metrics(&stats, Clock::start(), Some(true));
        for line in [
            "# TYPE doozer_rooms gauge",
            "doozer_rooms 2",
            "doozer_problems 0",
            "doozer_under_voltage 1",
            "doozer_kiosk_pages_total 0",
            "doozer_connections{role=\"other\"} 1",
            "# TYPE doozer_rejected_total counter",
            "doozer_rejected_total{kind=\"missing\"} 1",
            "# TYPE doozer_tap_seconds histogram",
            "doozer_tap_seconds_bucket{le=\"0.000050\"} 0",
            "doozer_tap_seconds_bucket{le=\"0.000100\"} 1",
            "doozer_tap_seconds_bucket{le=\"0.000500\"} 2",
            "doozer_tap_seconds_bucket{le=\"0.100000\"} 2",
            "doozer_tap_seconds_bucket{le=\"+Inf\"} 3",
            "doozer_tap_seconds_sum 9.000470",
            "doozer_tap_seconds_count 3",
        ] {
            assert!(text.lines().any(|l| l == line), "{line:?} is not in\n{text}");
        }
        assert!(!metrics(&stats, Clock::start(), None).contains("voltage"));
    }
}
