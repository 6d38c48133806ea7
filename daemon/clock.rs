//! The daemon's clocks. Only the edges read them; the core gets times as arguments.

use crate::limits::{Ms, UtcHour};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The time since the machine was booted, in milliseconds. It never jumps, and goes on over a restart of the daemon.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    /// The time since boot at `start`.
    base: Ms,
}

impl Clock {
    /// Starts at the machine's uptime (`/proc/uptime`, seconds), or at zero where there is none.
    pub fn start() -> Self {
        let uptime = std::fs::read_to_string("/proc/uptime").ok();
        let seconds = uptime.as_deref().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
        let base = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or_default();
        Clock { start: Instant::now(), base: ms(base) }
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
