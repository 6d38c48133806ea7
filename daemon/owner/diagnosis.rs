//! A text that tells an expert what is wrong with a box, to be copied into a message. It names no guest.

use crate::stats::Stats;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What the text tells.
pub(super) struct Facts<'a> {
    pub(super) version: &'a str,
    pub(super) address: Option<String>,
    pub(super) name: Option<String>,
    pub(super) wifi: Option<String>,
    /// Since the daemon's start.
    pub(super) running: Duration,
    /// Since the machine's start.
    pub(super) machine_up: Duration,
    pub(super) problems: &'a [String],
    pub(super) stats: &'a Stats,
    pub(super) machine: Machine,
    /// Whether the voltage is too low now, where the machine tells.
    pub(super) under_voltage: Option<bool>,
    pub(super) warnings: Vec<String>,
}

/// What the kernel tells of the machine's health.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Machine {
    /// The Raspberry Pi's firmware: what has limited the processor.
    throttled: Option<u32>,
    /// Errors of each ext4 file system by its device.
    card_errors: Vec<(String, u64)>,
}

/// The bits of the firmware's word that matter (Raspberry Pi documentation, `vcgencmd get_throttled`); each stands for
/// "now", and sixteen bits higher for "since the start".
const LIMITS: [(u32, &str); 4] =
    [(0, "under-voltage"), (1, "clock capped"), (2, "throttled"), (3, "too warm")];

impl Machine {
    /// Reads what there is below `root`, which is `/`.
    pub(super) fn read(root: &Path) -> Machine {
        let text = |path: &Path| fs::read_to_string(path).ok();
        let word = text(&root.join("sys/devices/platform/soc/soc:firmware/get_throttled"));
        let throttled =
            word.and_then(|word| u32::from_str_radix(word.trim().trim_start_matches("0x"), 16).ok());
        let systems = fs::read_dir(root.join("sys/fs/ext4")).into_iter().flatten().flatten();
        let errors = systems.filter_map(|entry| {
            let count = text(&entry.path().join("errors_count"))?.trim().parse().ok()?;
            Some((entry.file_name().into_string().ok()?, count))
        });
        let mut card_errors: Vec<_> = errors.collect();
        card_errors.sort();
        Machine { throttled, card_errors }
    }

    /// Returns a line on the power.
    fn power(&self) -> String {
        let Some(word) = self.throttled else { return "Power: this machine does not tell".to_owned() };
        let told = |shift: u32| -> Vec<&str> {
            LIMITS.iter().filter(|(bit, _)| word >> (bit + shift) & 1 == 1).map(|(_, name)| *name).collect()
        };
        let list = |names: Vec<&str>| if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        format!("Power: now {}; since the start {} (0x{word:x})", list(told(0)), list(told(16)))
    }

    /// Returns a line on the card.
    fn card(&self) -> String {
        if self.card_errors.is_empty() {
            return "Card: this machine does not tell".to_owned();
        }
        let errors: Vec<_> =
            self.card_errors.iter().map(|(device, count)| format!("{device} {count} errors")).collect();
        format!("Card: {}", errors.join(", "))
    }
}

impl Facts<'_> {
    /// Prints the text.
    pub(super) fn text(&self) -> String {
        let stats = self.stats;
        let or_none = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
        let supply = match self.under_voltage {
            Some(true) => "Power supply: too weak now",
            Some(false) => "Power supply: strong enough now",
            None => "Power supply: this machine does not tell",
        };
        let mut text = format!(
            "Doozer Box {}\nAddress: {}\nName: {}\nWi-Fi: {}\nRunning for {}, the machine for {}\n{supply}\n{}\n{}\n",
            self.version,
            or_none(&self.address),
            or_none(&self.name),
            or_none(&self.wifi),
            span(self.running),
            span(self.machine_up),
            self.machine.power(),
            self.machine.card(),
        );
        let _ = writeln!(
            text,
            "Rooms {}, people {}, TVs {}, kiosk {}, connections {}, faults {}",
            stats.rooms.get(),
            stats.people.get(),
            stats.tvs.get(),
            if stats.kiosks.get() > 0 { "there" } else { "not there" },
            stats.connections.get(),
            stats.panics.get(),
        );
        for (title, lines) in [("Problems", self.problems), ("Last warnings", &self.warnings)] {
            let none = if lines.is_empty() { " none" } else { "" };
            let _ = writeln!(text, "{title}:{none}");
            for line in lines {
                let _ = writeln!(text, "  {line}");
            }
        }
        text
    }
}

/// Prints a duration with its two largest units.
fn span(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    match (minutes / 1_440, minutes / 60 % 24, minutes % 60) {
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pi_tells_of_its_power_and_its_card() {
        let root = std::env::temp_dir().join(format!("doozer-box-diagnosis-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(Machine::read(&root), Machine::default());
        write("sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n");
        write("sys/fs/ext4/mmcblk0p2/errors_count", "3\n");
        write("sys/fs/ext4/features/lazy_itable_init", "supported\n");
        let machine = Machine::read(&root);
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(
            machine.power(),
            "Power: now under-voltage, throttled; since the start under-voltage, throttled (0x50005)"
        );
        assert_eq!(machine.card(), "Card: mmcblk0p2 3 errors");
        let facts = Facts {
            version: "1.2.3",
            address: Some("192.168.1.20".to_owned()),
            name: None,
            wifi: None,
            running: Duration::from_secs(3_700),
            machine_up: Duration::from_secs(200_000),
            problems: &["Settings, line 1".to_owned()],
            stats: &Stats::default(),
            machine: Machine::default(),
            under_voltage: Some(true),
            warnings: vec![],
        };
        let text = facts.text();
        for line in [
            "Doozer Box 1.2.3",
            "Address: 192.168.1.20",
            "Running for 1 h 1 min, the machine for 2 d 7 h",
            "Power supply: too weak now",
            "Power: this machine does not tell",
            "  Settings, line 1",
            "Last warnings: none",
        ] {
            assert!(text.lines().any(|other| other == line), "{line:?} is not in {text}");
        }
    }
}
