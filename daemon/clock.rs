//! The daemon's clocks, read at the edge only and handed inward.

use crate::limits::{Ms, UtcHour};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since the machine was booted: they never jump, and go on over a restart of the daemon.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    /// The machine's uptime at `start`.
    base: Ms,
}

impl Clock {
    /// Begins at the machine's uptime (`/proc/uptime`, seconds), or at zero where there is none.
    pub fn start() -> Self {
        let uptime = std::fs::read_to_string("/proc/uptime").ok();
        let seconds = uptime.as_deref().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
        let base = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or_default();
        Clock { start: Instant::now(), base: ms(base) }
    }

    /// Now.
    pub fn now(&self) -> Ms {
        self.base + ms(self.start.elapsed())
    }

    /// When `at` is.
    pub fn instant(&self, at: Ms) -> Instant {
        self.start + Duration::from_millis(at.saturating_sub(self.base))
    }

    /// How long the daemon has been running.
    pub fn running(&self) -> Duration {
        self.start.elapsed()
    }
}

/// The wall clock, for the twelve new rooms an hour and nothing else. Before 1970 it stands at zero.
pub fn utc_hour() -> UtcHour {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    UtcHour { hour: seconds / 3_600, left_s: 3_600 - seconds % 3_600 }
}

fn ms(time: Duration) -> Ms {
    Ms::try_from(time.as_millis()).unwrap_or(Ms::MAX)
}
