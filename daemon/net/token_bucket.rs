//! A token bucket, with time as an argument.

use crate::limits::Ms;

/// Thousandths in a token. One token a second is one thousandth a millisecond, so integers suffice.
const TOKEN: u64 = 1_000;

/// A bucket that is full at first. Each `take` removes one token, and tokens return at a steady rate up to the burst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenBucket {
    /// Tokens a second, which is thousandths a millisecond.
    rate: u64,
    /// Thousandths in a full bucket.
    capacity: u64,
    /// Thousandths in the bucket at `since`.
    level: u64,
    /// The latest time of a call.
    since: Ms,
}

impl TokenBucket {
    /// Returns a full bucket for `per_second` tokens a second and `burst` at once, each at least one.
    pub fn new(per_second: u32, burst: u32) -> Self {
        let capacity = u64::from(burst.max(1)) * TOKEN;
        TokenBucket { rate: u64::from(per_second.max(1)), capacity, level: capacity, since: 0 }
    }

    /// Takes a token.
    ///
    /// # Errors
    /// Returns the milliseconds until there is a token.
    pub fn take(&mut self, now: Ms) -> Result<(), Ms> {
        self.level = self.level_at(now);
        self.since = self.since.max(now);
        match self.level.checked_sub(TOKEN) {
            Some(left) => {
                self.level = left;
                Ok(())
            }
            None => Err((TOKEN - self.level).div_ceil(self.rate)),
        }
    }

    /// Returns whether the bucket is full, as if it had never been used.
    pub fn full(&self, now: Ms) -> bool {
        self.level_at(now) == self.capacity
    }

    /// Returns the level at that time. A time before the latest one changes nothing.
    fn level_at(&self, now: Ms) -> u64 {
        let gained = now.saturating_sub(self.since).saturating_mul(self.rate);
        self.level.saturating_add(gained).min(self.capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(bucket: &mut TokenBucket, times: impl IntoIterator<Item = Ms>) -> usize {
        times.into_iter().filter(|&now| bucket.take(now).is_ok()).count()
    }

    #[test]
    fn a_burst_then_the_rate() {
        let mut bucket = TokenBucket::new(10, 20);
        assert_eq!(taken(&mut bucket, [5; 50]), 20);
        assert_eq!(taken(&mut bucket, 6..=1_005), 10);
        assert_eq!(taken(&mut bucket, 1_006..=61_005), 600);
    }

    #[test]
    fn the_wait_it_names_is_exact() {
        for per_second in [1, 3, 7, 10, 999, 1_000, 5_000] {
            let mut bucket = TokenBucket::new(per_second, 1);
            assert_eq!(bucket.take(0), Ok(()));
            let wait = bucket.take(0).unwrap_err();
            assert_eq!(wait, 1_000_u64.div_ceil(per_second.into()));
            assert!(wait == 1 || bucket.take(wait - 1).is_err());
            assert_eq!(bucket.take(wait), Ok(()), "{per_second} a second");
        }
    }

    #[test]
    fn refused_tries_cost_nothing() {
        let mut bucket = TokenBucket::new(1, 1);
        assert_eq!(bucket.take(0), Ok(()));
        assert_eq!((0..1_000).map(|now| bucket.take(now).unwrap_err()).min(), Some(1));
        assert_eq!(bucket.take(1_000), Ok(()));
    }

    #[test]
    fn a_clock_that_stands_or_goes_backwards_gives_nothing() {
        let mut bucket = TokenBucket::new(10, 2);
        assert_eq!(taken(&mut bucket, [1_000, 1_000, 1_000, 500, 0, 999, 1_000]), 2);
        assert_eq!(bucket.take(1_100), Ok(()));
        assert_eq!(bucket.take(200), Err(100));
    }

    #[test]
    fn full_again_after_the_quiet_time() {
        let mut bucket = TokenBucket::new(10, 20);
        assert!(bucket.full(0));
        assert_eq!(taken(&mut bucket, [0; 20]), 20);
        assert!(!bucket.full(1_999));
        assert!(bucket.full(2_000));
    }

    #[test]
    fn no_number_is_too_big() {
        let mut bucket = TokenBucket::new(u32::MAX, u32::MAX);
        assert_eq!(taken(&mut bucket, [0, Ms::MAX, 1, Ms::MAX]), 4);
        let mut none = TokenBucket::new(0, 0);
        assert_eq!((none.take(0), none.take(0)), (Ok(()), Err(1_000)));
    }
}
