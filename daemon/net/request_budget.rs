//! Limits page requests: a few hundred a second per network, and one for each turn of the executor.

use super::stream::sleep;
use super::token_bucket::TokenBucket;
use crate::clock::Clock;
use crate::limits::{ADDRESSES_MAX, PAGE_REQUESTS_BURST, PAGE_REQUESTS_PER_SECOND};
use smol::lock::{Mutex, Semaphore};
use std::cell::RefCell;
use std::collections::HashMap;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::Duration;

/// The bucket of one network. Requests that wait for a token queue for its lock.
type Queue = Rc<Mutex<TokenBucket>>;

/// The budget that all connections share.
pub(super) struct RequestBudget {
    networks: RefCell<HashMap<IpAddr, Queue>>,
    /// Held by the request that is answered in this turn of the executor, so that a frame waits for one request at
    /// most.
    turn: Semaphore,
}

impl RequestBudget {
    pub(super) fn new() -> RequestBudget {
        RequestBudget { networks: RefCell::default(), turn: Semaphore::new(1) }
    }

    /// Waits until a request of that network may be answered. Requests beyond the budget wait in order.
    pub(super) async fn wait(&self, network: IpAddr, clock: Clock) {
        let queue = self.queue(network, clock);
        let mut bucket = queue.lock().await;
        while let Err(wait_ms) = bucket.take(clock.now()) {
            sleep(Duration::from_millis(wait_ms)).await;
        }
        drop(bucket);
        let _turn = self.turn.acquire().await;
        // Every task that is ready now runs first.
        smol::future::yield_now().await;
    }

    fn queue(&self, network: IpAddr, clock: Clock) -> Queue {
        let mut networks = self.networks.borrow_mut();
        if networks.len() >= ADDRESSES_MAX && !networks.contains_key(&network) {
            let now = clock.now();
            // A full bucket without waiting requests is equal to a new one.
            networks.retain(|_, queue| queue.try_lock().is_none_or(|bucket| !bucket.full(now)));
        }
        let new = || Rc::new(Mutex::new(TokenBucket::new(PAGE_REQUESTS_PER_SECOND, PAGE_REQUESTS_BURST)));
        if networks.len() >= ADDRESSES_MAX {
            return networks.get(&network).cloned().unwrap_or_else(new);
        }
        networks.entry(network).or_insert_with(new).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::time::Instant;

    #[test]
    fn a_burst_passes_and_what_is_beyond_it_waits() {
        let (budget, clock) = (RequestBudget::new(), Clock::start());
        let begun = Instant::now();
        let beyond = 40;
        smol::block_on(async {
            for _ in 0..PAGE_REQUESTS_BURST + beyond {
                budget.wait(Ipv4Addr::LOCALHOST.into(), clock).await;
            }
        });
        let least = Duration::from_millis(u64::from(beyond) * 1_000 / u64::from(PAGE_REQUESTS_PER_SECOND));
        assert!(begun.elapsed() >= least, "{:?} for {beyond} beyond the burst", begun.elapsed());
    }

    #[test]
    fn networks_are_remembered_up_to_a_limit() {
        let (budget, clock) = (RequestBudget::new(), Clock::start());
        smol::block_on(async {
            for n in 0..2 * ADDRESSES_MAX as u32 {
                budget.wait(Ipv4Addr::from(n).into(), clock).await;
            }
        });
        assert!(budget.networks.borrow().len() <= ADDRESSES_MAX);
    }
}
