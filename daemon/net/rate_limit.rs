//! The rate limit of a WebSocket. Every frame counts, control frames too.

use super::token_bucket::TokenBucket;
use crate::limits::{BUSY_MAX, FRAMES_BURST, FRAMES_PER_SECOND, Ms};

/// Largest number of our pings whose pongs are still free.
const PONGS_OWED_MAX: u32 = 3;

/// The rate limit of one connection.
#[derive(Debug)]
pub(super) struct RateLimiter {
    bucket: TokenBucket,
    busy: u32,
    pongs_owed: u32,
}

/// A reason for not passing a frame on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exceeded {
    /// The frame is refused. Holds the whole seconds until the next one would pass.
    Busy(u64),
    /// Too many frames have been refused, so the connection must be closed.
    Flood,
}

impl RateLimiter {
    pub(super) fn new() -> RateLimiter {
        RateLimiter { bucket: TokenBucket::new(FRAMES_PER_SECOND, FRAMES_BURST), busy: 0, pongs_owed: 0 }
    }

    /// Records a ping of ours, whose pong is free.
    pub(super) fn pinged(&mut self) {
        self.pongs_owed = (self.pongs_owed + 1).min(PONGS_OWED_MAX);
    }

    /// Counts a pong, unless it answers a ping of ours.
    ///
    /// # Errors
    /// The same as for [`RateLimiter::frame`].
    pub(super) fn pong(&mut self, now: Ms) -> Result<(), Exceeded> {
        if self.pongs_owed > 0 {
            self.pongs_owed -= 1;
            return Ok(());
        }
        self.frame(now)
    }

    /// Counts any other frame.
    ///
    /// # Errors
    /// Returns the reason for not passing the frame on.
    pub(super) fn frame(&mut self, now: Ms) -> Result<(), Exceeded> {
        if self.bucket.full(now) {
            self.busy = 0;
        }
        match self.bucket.take(now) {
            Ok(()) => Ok(()),
            Err(_) if self.busy >= BUSY_MAX => Err(Exceeded::Flood),
            Err(wait) => {
                self.busy += 1;
                Err(Exceeded::Busy(wait.div_ceil(1_000).max(1)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(limiter: &mut RateLimiter, now: Ms, frames: u32) -> u32 {
        (0..frames).filter(|_| limiter.frame(now).is_err()).count() as u32
    }

    #[test]
    fn a_burst_passes_and_then_ten_a_second() {
        let mut limiter = RateLimiter::new();
        assert_eq!(refused(&mut limiter, 5_000, FRAMES_BURST), 0);
        assert_eq!(limiter.frame(5_000), Err(Exceeded::Busy(1)));
        assert_eq!(refused(&mut limiter, 6_000, FRAMES_PER_SECOND + 1), 1);
    }

    #[test]
    fn sixty_refusals_and_then_the_end() {
        let mut limiter = RateLimiter::new();
        assert_eq!(refused(&mut limiter, 0, FRAMES_BURST + BUSY_MAX), BUSY_MAX);
        assert_eq!(limiter.frame(0), Err(Exceeded::Flood));
    }

    #[test]
    fn refusals_are_forgiven_once_the_bucket_has_been_full() {
        let mut limiter = RateLimiter::new();
        refused(&mut limiter, 0, FRAMES_BURST + BUSY_MAX);
        assert_eq!(limiter.frame(1_000), Ok(()));
        refused(&mut limiter, 1_000, FRAMES_PER_SECOND - 1);
        assert_eq!(limiter.frame(1_000), Err(Exceeded::Flood), "half full forgives nothing");
        assert_eq!(refused(&mut limiter, 3_000, FRAMES_BURST + BUSY_MAX), BUSY_MAX);
    }

    #[test]
    fn only_owed_pongs_are_free() {
        let mut limiter = RateLimiter::new();
        refused(&mut limiter, 0, FRAMES_BURST);
        limiter.pinged();
        assert_eq!(limiter.pong(0), Ok(()));
        assert_eq!(limiter.pong(0), Err(Exceeded::Busy(1)));
        (0..100).for_each(|_| limiter.pinged());
        assert_eq!((0..100).filter(|_| limiter.pong(0).is_ok()).count() as u32, PONGS_OWED_MAX);
    }
}
