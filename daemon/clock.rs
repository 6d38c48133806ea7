//! The daemon's clocks. Only the edges read them; the core gets times as arguments.

use crate::limits::{Ms, UtcHour};
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The time since the machine was booted, in milliseconds. It never jumps, and goes on over a restart of the daemon.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    /// The time since boot at `start`.
    base: Ms,
}

impl Clock {
    /// Starts at the machine's uptime. The kernel is asked (clock_gettime(2)), since the sandbox hides `/proc/uptime`.
    pub fn start() -> Self {
        let uptime = Duration::try_from(clock_gettime(ClockId::Boottime)).unwrap_or_default();
        Clock { start: Instant::now(), base: ms(uptime) }
    }

    /// Returns the time now.
    pub fn now(&self) -> Ms {
        self.base + ms(self.start.elapsed())
    }

    /// Returns the time `at` for timers.
    pub fn instant(&self, at: Ms) -> Instant {
        self.start + Duration::from_millis(at.saturating_sub(self.base))
    }

    /// Returns how long the daemon has been running.
    pub fn running(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Returns the wall clock's hour, which the limit of new rooms an hour alone needs. A time before 1970 counts as zero.
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
