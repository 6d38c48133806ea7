//! Setting a box up that has no network: it makes a Wi-Fi of its own, over which its owner names the venue's.

use crate::admin::{Admin, Failure, Hotspot, Reply, Request, WifiCall};
use crate::endpoint::{Attempt, WifiSetup};
use rand::seq::IndexedRandom as _;
use smol::Timer;
use smol::channel::Receiver;
use smol::future::FutureExt as _;
use std::time::Duration;

/// Signs of the set-up Wi-Fi's password: none that is taken for another on a screen.
const PASSWORD_SIGNS: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";
/// Signs of it: about 49 bits, and the least that WPA2 takes is eight.
const PASSWORD_CHARS: usize = 10;

/// The durations of the set-up.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Without an address until the set-up Wi-Fi is made.
    pub patience: Duration,
    /// For which the set-up Wi-Fi is up until the known networks are tried again: after a power cut the venue's router
    /// needs longer than the box.
    pub retry: Duration,
    /// For which a network that the box has joined, or knows, has time to give an address.
    pub settle: Duration,
}

impl Times {
    /// Those of a box.
    pub const DEFAULT: Times = Times {
        patience: Duration::from_secs(60),
        retry: Duration::from_secs(300),
        settle: Duration::from_secs(30),
    };
}

/// What the set-up hears of.
pub struct Inputs {
    /// Whether the box has an address that guests reach, apart from one in the set-up Wi-Fi: at once, and when it changes.
    pub networked: Receiver<bool>,
    /// Requests for the networks in reach, and to join one.
    pub calls: Receiver<WifiCall>,
}

/// What ends a wait.
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

/// Runs until an input is closed. `publish` receives each change; `busy` returns whether somebody uses the box's pages.
pub async fn run(
    admin: Admin,
    times: Times,
    inputs: Inputs,
    publish: impl FnMut(WifiSetup),
    busy: impl Fn() -> bool,
) {
    // Until it is told better, the box has a network: it is told at once.
    let state = WifiSetup::default();
    let mut setup = Setup { admin, times, inputs, networked: true, state, publish, busy };
    // Ends by `None`.
    while setup.step().await.is_some() {}
}

impl<Publish: FnMut(WifiSetup), Busy: Fn() -> bool> Setup<Publish, Busy> {
    /// Waits for an input, for at most that long.
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

    /// Waits until there is a network, for at most that long. Returns whether there is; `None`: an input is closed.
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

    /// Waits until something is to be done, and does it.
    async fn step(&mut self) -> Option<()> {
        let limit = (!self.networked && self.admin.is_there()).then_some(self.times.patience);
        match self.next(limit).await {
            Wakeup::Closed => None,
            Wakeup::Networked(_) => Some(()),
            Wakeup::Call(call) => self.answer(call).await.map(drop),
            Wakeup::TimedOut => self.offer().await,
        }
    }

    fn change(&mut self, change: impl FnOnce(&mut WifiSetup)) {
        change(&mut self.state);
        (self.publish)(self.state.clone());
    }

    /// Carries out a request while the card is free. Returns whether the box has a network now.
    async fn answer(&mut self, WifiCall { request, reply }: WifiCall) -> Option<bool> {
        let answer = match &request {
            Request::WifiJoin { ssid, .. } => self.join(ssid.clone(), &request).await?.map(|()| Reply::Done),
            _ => self.admin.call(&request).await,
        };
        // Who asked may have gone.
        let _ = reply.try_send(answer);
        Some(self.networked)
    }

    /// Tries to join a network. Returns how it went.
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

    /// Makes the set-up Wi-Fi until there is a network.
    async fn offer(&mut self) -> Option<()> {
        let password = password();
        // A card that makes a Wi-Fi cannot look around.
        self.look().await;
        while !self.networked {
            if let Err(failure) = self.admin.call(&Request::Hotspot(Hotspot::Setup(password.clone()))).await {
                log::warn!(event = "wifi"; "There is no network, and no set-up Wi-Fi: {failure:?}");
                // A card may be plugged in, or a cable.
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
            // The card is needed.
            let _ = self.admin.call(&Request::Hotspot(Hotspot::Off)).await;
            self.change(|state| state.password = None);
            let networked = match call {
                Some(call) => self.answer(call).await?,
                None => self.settle().await?,
            };
            if !networked {
                self.look().await;
            }
        }
        self.change(|state| state.password = None);
        log::info!(event = "wifi"; "There is a network again");
        let _ = self.admin.call(&Request::Hotspot(Hotspot::Settings)).await;
        Some(())
    }

    /// Looks for networks in reach.
    async fn look(&mut self) {
        match self.admin.call(&Request::WifiList).await {
            Ok(Reply::Networks(networks)) => self.change(|state| state.networks = networks),
            other => log::warn!(event = "wifi"; "The networks in reach cannot be listed: {other:?}"),
        }
    }
}

/// Returns what the owner should know of the set-up: a line for the TV and `/healthz`.
pub fn problem(setup: &WifiSetup) -> Option<String> {
    let open = setup.password.is_some();
    let Some(Attempt { ssid, outcome }) = &setup.attempt else {
        return open.then(|| "No network: is the cable in? Is the password of the Wi-Fi right?".to_owned());
    };
    let wrong = match outcome {
        None => return Some(format!("Trying the Wi-Fi {ssid}")),
        // With a network there is nothing to mend; the page that asked has been told.
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

/// Returns a password for the set-up Wi-Fi.
fn password() -> String {
    let mut random = rand::rng();
    let signs = (0..PASSWORD_CHARS).filter_map(|_| PASSWORD_SIGNS.choose(&mut random));
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
