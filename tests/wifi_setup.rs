//! Tests the set-up of a box without a network, with a fake of the privileged helper.
#![allow(clippy::unwrap_used)]

mod common;

use common::helper::Helper;
use doozer_box::admin::{Admin, Failure, Reply, Request, Security, WifiCall, WifiNetwork};
use doozer_box::appliance::setup::{self, Inputs, Times};
use doozer_box::endpoint::{Attempt, WifiSetup};
use smol::channel::{Receiver, Sender, unbounded};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

const SOON: Duration = Duration::from_millis(1);
const NEVER: Duration = Duration::from_secs(600);

struct World {
    helper: Helper,
    networked: Sender<bool>,
    calls: Sender<WifiCall>,
    states: Receiver<WifiSetup>,
    busy: Rc<Cell<bool>>,
}

impl World {
    /// Returns the next state for which the predicate holds.
    async fn until(&self, fits: impl Fn(&WifiSetup) -> bool) -> WifiSetup {
        loop {
            let state = self.states.recv().await.unwrap();
            if fits(&state) {
                return state;
            }
        }
    }

    /// Sends a request, like an owner's page. The answer comes through the returned channel.
    async fn asks(&self, request: Request) -> Receiver<Result<Reply, Failure>> {
        let (reply, answer) = unbounded();
        self.calls.send(WifiCall { request, reply }).await.unwrap();
        answer
    }

    /// Sends a request to join a Wi-Fi.
    async fn wants(&self, ssid: &str) -> Receiver<Result<Reply, Failure>> {
        self.asks(Request::WifiJoin { ssid: ssid.into(), password: Some("guests welcome".into()) }).await
    }

    /// Reports that there is no network, and waits until the set-up Wi-Fi is up. Returns its password.
    async fn opens(&self) -> String {
        self.networked.send(false).await.unwrap();
        assert_eq!(self.helper.answers(Ok(Reply::Networks(vec![fox()]))).await, "wifi-list");
        let asked = self.helper.answers(Ok(Reply::Done)).await;
        let password = asked.strip_prefix("hotspot\tsetup\t").unwrap().to_owned();
        let state = self.until(|state| state.password.is_some()).await;
        assert_eq!(state.password.as_deref(), Some(password.as_str()));
        assert_eq!(state.networks, [fox()]);
        password
    }
}

fn fox() -> WifiNetwork {
    WifiNetwork { ssid: "The Fox".into(), signal: 60, security: Security::Password }
}

/// Runs a script together with the set-up. Fails if the script takes too long.
fn play<F: Future<Output = ()>>(name: &str, times: Times, script: impl FnOnce(World) -> F) {
    let helper = Helper::new(name);
    let (networked, changes) = unbounded();
    let (calls, called) = unbounded();
    let (published, states) = unbounded();
    let busy = Rc::new(Cell::new(false));
    let is_busy = busy.clone();
    let run = setup::run(
        Admin::new(Some(helper.path.clone())),
        times,
        Inputs { networked: changes, calls: called },
        move |state| published.try_send(state).unwrap(),
        move || is_busy.get(),
    );
    let script = script(World { helper, networked, calls, states, busy });
    let too_long = async {
        smol::Timer::after(Duration::from_secs(60)).await;
        panic!("the script takes too long");
    };
    let set_up = async {
        run.await;
        std::future::pending().await
    };
    smol::block_on(smol::future::or(script, smol::future::or(set_up, too_long)));
}

const AT_ONCE: Times = Times { patience: SOON, retry: NEVER, settle: NEVER };

#[test]
fn a_wrong_password_and_a_network_out_of_reach_are_reported_and_then_one_is_joined() {
    play("joins", AT_ONCE, async |world| {
        let password = world.opens().await;
        let listed = world.asks(Request::WifiList).await.recv().await.unwrap();
        assert_eq!(
            listed,
            Ok(Reply::Networks(vec![fox()])),
            "as they were before the card was a Wi-Fi itself"
        );
        for failure in [Failure::WrongPassword, Failure::OutOfReach] {
            let answer = world.wants("The Fox").await;
            assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "hotspot\toff");
            let state =
                world.until(|state| state.attempt.as_ref().is_some_and(|a| a.outcome.is_none())).await;
            assert_eq!(state.password, None, "there is no code for a Wi-Fi that is down");
            assert_eq!(
                world.helper.answers(Err(failure.clone())).await,
                "wifi-join\tThe Fox\tguests welcome"
            );
            assert_eq!(world.helper.answers(Ok(Reply::Networks(vec![]))).await, "wifi-list");
            // The password is the same, so the owner's phone reconnects.
            assert_eq!(world.helper.answers(Ok(Reply::Done)).await, format!("hotspot\tsetup\t{password}"));
            let state = world.until(|state| state.password.is_some()).await;
            let told = Attempt { ssid: "The Fox".into(), outcome: Some(Err(failure)) };
            assert_eq!(state.attempt, Some(told.clone()));
            assert_eq!(answer.recv().await.unwrap().map(drop), told.outcome.unwrap());
        }
        let answer = world.wants("The Fox").await;
        assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "hotspot\toff");
        assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "wifi-join\tThe Fox\tguests welcome");
        world.networked.send(true).await.unwrap();
        assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "hotspot\tsettings");
        let state =
            world.until(|state| state.attempt.as_ref().is_some_and(|a| a.outcome == Some(Ok(())))).await;
        assert_eq!(state.password, None);
        assert_eq!(answer.recv().await.unwrap(), Ok(Reply::Done));
    });
}

#[test]
fn a_wifi_that_lets_the_box_in_and_gives_no_address_is_reported() {
    play("address", Times { settle: SOON, ..AT_ONCE }, async |world| {
        world.opens().await;
        let _answer = world.wants("The Fox").await;
        assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "hotspot\toff");
        assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "wifi-join\tThe Fox\tguests welcome");
        assert_eq!(world.helper.answers(Ok(Reply::Networks(vec![]))).await, "wifi-list");
        let state = world.until(|state| state.attempt.as_ref().is_some_and(|a| a.outcome.is_some())).await;
        assert_eq!(state.attempt.unwrap().outcome, Some(Err(Failure::NoAddress)));
    });
}

#[test]
fn a_cable_ends_the_set_up() {
    play("cable", AT_ONCE, async |world| {
        world.opens().await;
        world.networked.send(true).await.unwrap();
        assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "hotspot\tsettings");
        world.until(|state| state.password.is_none()).await;
        // The next set-up Wi-Fi has another password.
        let first = world.opens().await;
        world.networked.send(true).await.unwrap();
        assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "hotspot\tsettings");
        assert_ne!(world.opens().await, first);
    });
}

#[test]
fn a_router_that_comes_late_is_found_unless_the_pages_are_in_use() {
    play("late", Times { retry: SOON, ..AT_ONCE }, async |world| {
        world.busy.set(true);
        world.opens().await;
        // While a page is open, no request is sent to the helper.
        for _ in 0..50 {
            smol::Timer::after(SOON).await;
            assert!(world.helper.requests.is_empty(), "the Wi-Fi goes down during the owner's set-up");
        }
        world.busy.set(false);
        assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "hotspot\toff");
        world.networked.send(true).await.unwrap();
        assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "hotspot\tsettings");
        world.until(|state| state.password.is_none()).await;
    });
}

#[test]
fn another_wifi_is_joined_while_there_is_a_network() {
    play("another", Times { patience: NEVER, ..AT_ONCE }, async |world| {
        world.networked.send(true).await.unwrap();
        let _answer = world.wants("The Fox").await;
        assert_eq!(world.helper.answers(Ok(Reply::Done)).await, "wifi-join\tThe Fox\tguests welcome");
        let state = world.until(|state| state.attempt.as_ref().is_some_and(|a| a.outcome.is_some())).await;
        assert_eq!(state.attempt.unwrap().outcome, Some(Ok(())));
        assert_eq!(state.password, None);
    });
}

#[test]
fn a_box_without_a_card_goes_on_trying() {
    play("card", Times { retry: SOON, ..AT_ONCE }, async |world| {
        world.networked.send(false).await.unwrap();
        for _ in 0..2 {
            assert_eq!(world.helper.answers(Err(Failure::NoCard)).await, "wifi-list");
            assert!(world.helper.answers(Err(Failure::NoCard)).await.starts_with("hotspot\tsetup\t"));
        }
        assert!(world.states.is_empty(), "a Wi-Fi is shown that is not there");
    });
}
