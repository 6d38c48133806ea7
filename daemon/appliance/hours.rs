//! Switches the TV by the venue's opening hours.

use crate::admin::{Admin, Request, Screen};
use crate::limits::Ms;
use crate::opening_hours::Schedule;
use smol::Timer;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Interval at which a box looks at its clock.
pub const INTERVAL: Duration = Duration::from_secs(10);
/// The year 2026 in seconds since 1970. A clock that shows an earlier time was never set.
const EARLIEST: u64 = 1_767_225_600;

/// Time after the start in which a box usually finds a time server.
const CLOCK_MS: Ms = 300_000;
/// The problem of a box that does not know the time.
const NO_TIME: &str =
    "The opening hours wait: this box does not know the time. It needs the Internet for a moment.";

/// What the TV's state depends on.
pub struct Inputs<Minute, Playing, Now> {
    /// Returns the minute of the day by the clock on the venue's wall, or `None` while it is unknown.
    pub minute: Minute,
    /// Returns whether a game is in progress on the box's own TV.
    pub playing: Playing,
    /// Returns the time since boot.
    pub now: Now,
}

/// Switches the TV through the privileged helper. Never returns. `report` receives the problem for the owner when it
/// begins, and `None` when it ends.
pub async fn run(
    mut schedule: Schedule,
    admin: Admin,
    inputs: Inputs<impl Fn() -> Option<u16>, impl Fn() -> bool, impl Fn() -> Ms>,
    interval: Duration,
    mut report: impl FnMut(Option<String>),
) {
    let start = (inputs.now)();
    let mut reported = false;
    loop {
        let (minute, now) = ((inputs.minute)(), (inputs.now)());
        let unknown = minute.is_none() && (reported || now >= start + CLOCK_MS);
        if unknown != reported {
            reported = unknown;
            report(unknown.then(|| NO_TIME.to_owned()));
        }
        if let Some(on) = schedule.next(minute, (inputs.playing)(), now) {
            let (screen, state) = if on { (Screen::On, "on") } else { (Screen::Off, "off") };
            match admin.call(&Request::Screen(screen)).await {
                Ok(_) => {
                    log::info!(event = "hours"; "The TV is {state}, by the opening hours");
                    schedule.switched();
                }
                Err(failure) => {
                    log::warn!(event = "hours"; "The TV could not be switched {state}: {}", failure.as_str());
                }
            }
        }
        Timer::after(interval).await;
    }
}

/// Returns whether this box can know the time: it has a clock chip, or has heard of a time server since it started
/// (systemd-timesyncd.service(8), `/run/systemd/timesync/synchronized`). `root` is the root of the file system.
pub fn knows_time(root: &Path) -> bool {
    ["run/systemd/timesync/synchronized", "sys/class/rtc/rtc0"].iter().any(|path| root.join(path).exists())
}

/// Returns whether this machine's tz database has the zone.
pub fn has_zone(name: &str) -> bool {
    tz::TimeZone::from_posix_tz(name).is_ok()
}

/// Returns the minute of the day in a zone of the tz database, or in the machine's own, or `None` if the time is unknown.
pub fn minute_of_day(zone: Option<&str>, now: SystemTime) -> Option<u16> {
    let seconds = now.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let zone = zone.map_or_else(tz::TimeZone::local, tz::TimeZone::from_posix_tz).ok()?;
    let unix = i64::try_from(seconds).ok().filter(|_| seconds >= EARLIEST)?;
    let offset = zone.find_local_time_type(unix).ok()?.ut_offset();
    let minute = (unix + i64::from(offset)).rem_euclid(24 * 3_600) / 60;
    u16::try_from(minute).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn the_minute_is_that_of_the_zone_in_summer_and_winter() {
        // 2026-07-01 and 2026-12-01, 12:30 UTC.
        let (summer, winter) = (at(1_782_909_000), at(1_796_128_200));
        let hour = |zone, now| minute_of_day(Some(zone), now).map(|minute| (minute / 60, minute % 60));
        assert_eq!(hour("Europe/Berlin", summer), Some((14, 30)));
        assert_eq!(hour("Europe/Berlin", winter), Some((13, 30)));
        assert_eq!(hour("Asia/Kolkata", winter), Some((18, 0)));
        assert_eq!(hour("Pacific/Kiritimati", winter), Some((2, 30)), "the next day");
        assert_eq!(hour("America/Los_Angeles", winter), Some((4, 30)));
        assert_eq!(hour("Europe/Nowhere", winter), None);
        assert!(minute_of_day(None, winter).is_some(), "the machine's own zone");
    }

    #[test]
    fn a_clock_that_was_never_set_tells_no_time() {
        assert_eq!(minute_of_day(Some("Europe/Berlin"), at(3_600)), None);
        assert_eq!(minute_of_day(Some("Europe/Berlin"), UNIX_EPOCH - Duration::from_secs(1)), None);
    }

    #[test]
    fn zones_are_those_of_the_machine() {
        assert!(has_zone("Europe/Berlin") && has_zone("UTC"));
        assert!(!has_zone("Europe/Berln"));
    }

    #[test]
    fn a_box_knows_the_time_by_a_chip_or_a_server() {
        let root = std::env::temp_dir().join(format!("doozer-time-{}", std::process::id()));
        let timesync = root.join("run/systemd/timesync");
        std::fs::create_dir_all(&timesync).unwrap();
        assert!(!knows_time(&root));
        std::fs::write(timesync.join("synchronized"), "").unwrap();
        assert!(knows_time(&root));
        std::fs::remove_dir_all(&root).unwrap();
        std::fs::create_dir_all(root.join("sys/class/rtc/rtc0")).unwrap();
        assert!(knows_time(&root));
        std::fs::remove_dir_all(&root).unwrap();
    }
}
