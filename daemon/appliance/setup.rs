//! Sets up a box without a network: starts the set-up Wi-Fi, over which the owner can choose the venue's Wi-Fi.

use crate::admin::{Admin, Failure, Hotspot, Reply, Request, WifiCall};
use crate::endpoint::{Attempt, WifiSetup};
use rand::seq::IndexedRandom as _;
use smol::Timer;
use smol::channel::Receiver;
use smol::future::FutureExt as _;
use std::time::Duration;

/// Characters for the password of the set-up Wi-Fi, without those that look alike on a screen.
const PASSWORD_ALPHABET: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";
/// Characters of that password, which give about 49 bits. WPA2 needs at least eight characters.
const PASSWORD_CHARS: usize = 10;

/// The durations of the set-up.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The time without an address after which the set-up Wi-Fi starts.
    pub patience: Duration,
    /// The time after which the set-up Wi-Fi stops, so that the box can try the known networks again. After a power cut
    /// the venue's router needs longer to start than the box.
    pub retry: Duration,
    /// The time that a network has to give the box an address.
    pub settle: Duration,
}

impl Times {
    /// The durations of a real box.
    pub const DEFAULT: Times = Times {
        patience: Duration::from_secs(60),
        retry: Duration::from_secs(300),
        settle: Duration::from_secs(30),
    };
}

/// The events that the set-up waits for.
pub struct Inputs {
    /// Whether the box has an address that guests reach, not counting that in the set-up Wi-Fi. Sent at the start and after
    /// each change.
    pub networked: Receiver<bool>,
    /// Requests to list the networks in reach, or to join one.
    pub calls: Receiver<WifiCall>,
}

/// The reason for the end of a wait.
enum Wakeup {
    Networked(bool),
    Call(WifiCall),
    TimedOut,
    Closed,
}

/// The state of the set-up, and its connections to the rest.
struct Setup<Publish, Busy> {
    admin: Admin,
    times: Times,
    inputs: Inputs,
    networked: bool,
    state: WifiSetup,
    publish: Publish,
    busy: Busy,
}

/// Runs until an input is closed. Calls `publish` with each change. `busy` returns whether the box's pages are in use.
pub async fn run(
    admin: Admin,
    times: Times,
    inputs: Inputs,
    publish: impl FnMut(WifiSetup),
    busy: impl Fn() -> bool,
) {
    // The first input follows at once and says whether there really is a network.
    let state = WifiSetup::default();
    let mut setup = Setup { admin, times, inputs, networked: true, state, publish, busy };
    // A step returns `None` when an input is closed.
    while setup.step().await.is_some() {}
}

impl<Publish: FnMut(WifiSetup), Busy: Fn() -> bool> Setup<Publish, Busy> {
    /// Waits for an input, for at most `limit`.
    async fn next(&mut self, limit: Option<Duration>) -> Wakeup {
        let networked =
            async { self.inputs.networked.recv().await.map_or(Wakeup::Closed, Wakeup::Networked) };
        let call = async { self.inputs.calls.recv().await.map_or(Wakeup::Closed, Wakeup::Call) };
        let late = async {
            match limit {
                Some(limit) => Timer::after(limit).await,
                None => std::future::pending().await,
            };
            Wakeup::TimedOut
        };
        let wakeup = networked.or(call).or(late).await;
        if let Wakeup::Networked(is) = wakeup {
            self.networked = is;
        }
        wakeup
    }

    /// Waits for a network, for at most `times.settle`. Returns whether there is one, or `None` if an input is closed.
    async fn settle(&mut self) -> Option<bool> {
        let end = std::time::Instant::now() + self.times.settle;
        while !self.networked {
            let left = end.saturating_duration_since(std::time::Instant::now());
            match self.next(Some(left)).await {
                Wakeup::Closed => return None,
                Wakeup::TimedOut => break,
                Wakeup::Call(call) => {
                    let busy = "the box is trying a network already".to_owned();
                    let _ = call.reply.try_send(Err(Failure::Error(busy)));
                }
                Wakeup::Networked(_) => {}
            }
        }
        Some(self.networked)
    }

    /// Waits for an input and handles it, or starts the set-up Wi-Fi after a long time without a network. Returns `None` if
    /// an input is closed.
    async fn step(&mut self) -> Option<()> {
        let limit = (!self.networked && self.admin.is_there()).then_some(self.times.patience);
        match self.next(limit).await {
            Wakeup::Closed => None,
            Wakeup::Networked(_) => Some(()),
            Wakeup::Call(call) => self.answer(call).await.map(drop),
            Wakeup::TimedOut => self.run_setup_wifi().await,
        }
    }

    fn change(&mut self, change: impl FnOnce(&mut WifiSetup)) {
        change(&mut self.state);
        (self.publish)(self.state.clone());
    }

    /// Executes a request while the set-up Wi-Fi is down. Returns whether the box has a network now, or `None` if an input
    /// is closed.
    async fn answer(&mut self, WifiCall { request, reply }: WifiCall) -> Option<bool> {
        let answer = match &request {
            Request::WifiJoin { ssid, .. } => self.join(ssid.clone(), &request).await?.map(|()| Reply::Done),
            _ => self.admin.call(&request).await,
        };
        // Fails only if the page that sent the request is gone.
        let _ = reply.try_send(answer);
        Some(self.networked)
    }

    /// Tries to join a network. Returns the outcome, or `None` if an input is closed.
    async fn join(&mut self, ssid: String, request: &Request) -> Option<Result<(), Failure>> {
        log::info!(event = "wifi"; "A Wi-Fi is tried");
        self.change(|state| state.attempt = Some(Attempt { ssid: ssid.clone(), outcome: None }));
        let mut outcome = self.admin.call(request).await.map(drop);
        if outcome.is_ok() && !self.settle().await? {
            outcome = Err(Failure::NoAddress);
        }
        match &outcome {
            Ok(()) => log::info!(event = "wifi"; "The Wi-Fi is joined"),
            Err(failure) => log::warn!(event = "wifi"; "The Wi-Fi is not joined: {failure:?}"),
        }
        self.change(|state| state.attempt = Some(Attempt { ssid, outcome: Some(outcome.clone()) }));
        Some(outcome)
    }

    /// Runs the set-up Wi-Fi until there is a network. Returns `None` if an input is closed.
    async fn run_setup_wifi(&mut self) -> Option<()> {
        let password = password();
        // The Wi-Fi card cannot scan while it runs the set-up Wi-Fi.
        self.scan().await;
        while !self.networked {
            if let Err(failure) = self.admin.call(&Request::Hotspot(Hotspot::Setup(password.clone()))).await {
                log::warn!(event = "wifi"; "There is no network, and no set-up Wi-Fi: {failure:?}");
                // Later there may be a card or a cable.
                return match self.next(Some(self.times.retry)).await {
                    Wakeup::Closed => None,
                    _ => Some(()),
                };
            }
            log::info!(event = "wifi"; "There is no network: the set-up Wi-Fi is up");
            self.change(|state| state.password = Some(password.clone()));
            let call = loop {
                match self.next(Some(self.times.retry)).await {
                    Wakeup::Closed => return None,
                    Wakeup::Networked(false) => {}
                    Wakeup::TimedOut if (self.busy)() => {}
                    Wakeup::Networked(true) | Wakeup::TimedOut => break None,
                    Wakeup::Call(call) if call.request == Request::WifiList => {
                        let _ = call.reply.try_send(Ok(Reply::Networks(self.state.networks.clone())));
                    }
                    Wakeup::Call(call) => break Some(call),
                }
            };
            if self.networked {
                break;
            }
            // The card is needed to join a network.
            let _ = self.admin.call(&Request::Hotspot(Hotspot::Off)).await;
            self.change(|state| state.password = None);
            let networked = match call {
                Some(call) => self.answer(call).await?,
                None => self.settle().await?,
            };
            if !networked {
                self.scan().await;
            }
        }
        self.change(|state| state.password = None);
        log::info!(event = "wifi"; "There is a network again");
        let _ = self.admin.call(&Request::Hotspot(Hotspot::Settings)).await;
        Some(())
    }

    /// Updates the list of networks in reach.
    async fn scan(&mut self) {
        match self.admin.call(&Request::WifiList).await {
            Ok(Reply::Networks(networks)) => self.change(|state| state.networks = networks),
            other => log::warn!(event = "wifi"; "The networks in reach cannot be listed: {other:?}"),
        }
    }
}

/// Returns the problem with the set-up that the owner should know, as a line for the TV and `/healthz`.
pub fn problem(setup: &WifiSetup) -> Option<String> {
    let open = setup.password.is_some();
    let Some(Attempt { ssid, outcome }) = &setup.attempt else {
        return open.then(|| "No network: is the cable in? Is the password of the Wi-Fi right?".to_owned());
    };
    let wrong = match outcome {
        None => return Some(format!("Trying the Wi-Fi {ssid}")),
        // With a network there is nothing to repair, and the page that sent the request has its answer.
        Some(Err(_)) if !open => return None,
        Some(Ok(())) => return None,
        Some(Err(failure)) => match failure {
            Failure::WrongPassword => "did not let the box in: is the password right?",
            Failure::OutOfReach => "is not in reach",
            Failure::NoAddress => "let the box in, but gave it no address",
            Failure::Unsupported => "wants more than a password, which the box cannot give",
            _ => "could not be joined",
        },
    };
    Some(format!("The Wi-Fi {ssid} {wrong}"))
}

/// Returns a new random password for the set-up Wi-Fi.
fn password() -> String {
    let mut random = rand::rng();
    let signs = (0..PASSWORD_CHARS).filter_map(|_| PASSWORD_ALPHABET.choose(&mut random));
    signs.map(|sign| char::from(*sign)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_reads_why_the_wifi_was_not_joined() {
        let line = |outcome: Option<Result<(), Failure>>| {
            let attempt = Some(Attempt { ssid: "The Fox".into(), outcome });
            problem(&WifiSetup { attempt, password: Some("winnerstays".into()), ..WifiSetup::default() })
        };
        assert_eq!(problem(&WifiSetup::default()), None);
        let open = WifiSetup { password: Some("winnerstays".into()), ..WifiSetup::default() };
        assert!(problem(&open).unwrap().starts_with("No network"));
        assert_eq!(line(None).as_deref(), Some("Trying the Wi-Fi The Fox"));
        let wrong = line(Some(Err(Failure::WrongPassword)));
        assert_eq!(
            wrong.as_deref(),
            Some("The Wi-Fi The Fox did not let the box in: is the password right?")
        );
        let far = line(Some(Err(Failure::OutOfReach)));
        assert_eq!(far.as_deref(), Some("The Wi-Fi The Fox is not in reach"));
        assert_eq!(line(Some(Ok(()))), None);
        let attempt = Some(Attempt { ssid: "The Fox".into(), outcome: Some(Err(Failure::OutOfReach)) });
        assert_eq!(problem(&WifiSetup { attempt, ..WifiSetup::default() }), None, "the cable is in");
    }
}
