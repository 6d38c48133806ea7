//! How much a page may say: every frame counts, pings too.

use super::token_bucket::TokenBucket;
use crate::limits::{BUSY_MAX, FRAMES_BURST, FRAMES_PER_SECOND, Ms};

/// Pings of ours whose pongs may still come.
const PONGS_OWED_MAX: u32 = 3;

/// The pace of one connection.
#[derive(Debug)]
pub(super) struct Pace {
    bucket: TokenBucket,
    busy: u32,
    pongs_owed: u32,
}

/// A frame is over the pace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// It is refused; whole seconds until the next would pass.
    Busy(u64),
    /// It was one too many.
    Flood,
}

impl Pace {
    pub(super) fn new() -> Pace {
        Pace { bucket: TokenBucket::new(FRAMES_PER_SECOND, FRAMES_BURST), busy: 0, pongs_owed: 0 }
    }

    /// A ping goes out, to be answered for free.
    pub(super) fn pinged(&mut self) {
        self.pongs_owed = (self.pongs_owed + 1).min(PONGS_OWED_MAX);
    }

    /// A pong has come: free if it is owed.
    pub(super) fn pong(&mut self, now: Ms) -> Result<(), Over> {
        if self.pongs_owed > 0 {
            self.pongs_owed -= 1;
            return Ok(());
        }
        self.frame(now)
    }

    /// Any other frame has come.
    pub(super) fn frame(&mut self, now: Ms) -> Result<(), Over> {
        if self.bucket.full(now) {
            self.busy = 0;
        }
        match self.bucket.take(now) {
            Ok(()) => Ok(()),
            Err(_) if self.busy >= BUSY_MAX => Err(Over::Flood),
            Err(wait) => {
                self.busy += 1;
                Err(Over::Busy(wait.div_ceil(1_000).max(1)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(pace: &mut Pace, now: Ms, frames: u32) -> u32 {
        (0..frames).filter(|_| pace.frame(now).is_err()).count() as u32
    }

    #[test]
    fn a_burst_passes_and_then_ten_a_second() {
        let mut pace = Pace::new();
        assert_eq!(refused(&mut pace, 5_000, FRAMES_BURST), 0);
        assert_eq!(pace.frame(5_000), Err(Over::Busy(1)));
        assert_eq!(refused(&mut pace, 6_000, FRAMES_PER_SECOND + 1), 1);
    }

    #[test]
    fn sixty_refusals_and_then_the_end() {
        let mut pace = Pace::new();
        assert_eq!(refused(&mut pace, 0, FRAMES_BURST + BUSY_MAX), BUSY_MAX);
        assert_eq!(pace.frame(0), Err(Over::Flood));
    }

    #[test]
    fn refusals_are_forgiven_once_the_bucket_has_been_full() {
        let mut pace = Pace::new();
        refused(&mut pace, 0, FRAMES_BURST + BUSY_MAX);
        assert_eq!(pace.frame(1_000), Ok(()));
        refused(&mut pace, 1_000, FRAMES_PER_SECOND - 1);
        assert_eq!(pace.frame(1_000), Err(Over::Flood), "half full forgives nothing");
        assert_eq!(refused(&mut pace, 3_000, FRAMES_BURST + BUSY_MAX), BUSY_MAX);
    }

    #[test]
    fn only_owed_pongs_are_free() {
        let mut pace = Pace::new();
        refused(&mut pace, 0, FRAMES_BURST);
        pace.pinged();
        assert_eq!(pace.pong(0), Ok(()));
        assert_eq!(pace.pong(0), Err(Over::Busy(1)));
        (0..100).for_each(|_| pace.pinged());
        assert_eq!((0..100).filter(|_| pace.pong(0).is_ok()).count() as u32, PONGS_OWED_MAX);
    }
}
