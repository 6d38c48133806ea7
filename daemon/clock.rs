//! The daemon's clocks. The pure modules read no clock. They get times as arguments.

use crate::limits::{Ms, UtcHour};
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A clock of the time since boot. It never jumps, and continues over a restart of the daemon.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    /// The time since boot at `start`.
    base: Ms,
}

impl Clock {
    /// Starts the clock at the machine's uptime from clock_gettime(2), since the unit's sandbox hides `/proc/uptime`.
    pub fn start() -> Self {
        let uptime = Duration::try_from(clock_gettime(ClockId::Boottime)).unwrap_or_default();
        Clock { start: Instant::now(), base: ms(uptime) }
    }

    /// Returns the milliseconds since boot.
    pub fn now(&self) -> Ms {
        self.base + ms(self.start.elapsed())
    }

    /// Converts a time of this clock for timers.
    pub fn instant(&self, at: Ms) -> Instant {
        self.start + Duration::from_millis(at.saturating_sub(self.base))
    }

    /// Returns how long the daemon has been running.
    pub fn running(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Returns the wall clock's hour. Only the limit of new rooms per hour needs it. A time before 1970 counts as 1970.
pub fn utc_hour() -> UtcHour {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    UtcHour { hour: seconds / 3_600, left_s: 3_600 - seconds % 3_600 }
}

fn ms(time: Duration) -> Ms {
    Ms::try_from(time.as_millis()).unwrap_or(Ms::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_clock_goes_on_where_the_machine_is() {
        let uptime = || {
            let text = std::fs::read_to_string("/proc/uptime").unwrap();
            ms(Duration::from_secs_f64(text.split(' ').next().unwrap().parse().unwrap()))
        };
        let before = uptime();
        let now = Clock::start().now();
        // The file has hundredths of a second.
        assert!((before..=uptime() + 10).contains(&now), "{now}");
    }
}
