//! Tests deadlines by `tick` alone, the messages that each client may send, and the claims that the hub believes.

use super::*;
use crate::limits::{BAD_MAX, BAD_WINDOW_MS, WRONG_CODES_PER_MINUTE};
use serde_json::json;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
pub(super) const CHAL_WINS: [u8; 7] = [3, 0, 3, 0, 3, 0, 3];

impl TestHub {
    /// Lets time pass from one deadline to the next, as `run` does.
    pub(super) fn pass(&mut self, ms: Ms) {
        let end = self.now + ms;
        while let Some(at) = self.hub.deadline().filter(|&at| at <= end) {
            self.now = self.now.max(at);
            self.hub.tick(self.now);
        }
        self.now = end;
    }

    fn lose(&mut self, client: &TestClient) {
        self.hub.handle(Event::Disconnected { connection: client.connection }, self.now);
    }

    pub(super) fn play(&mut self, players: [&TestClient; 2], moves: &[u8]) {
        for (at, v) in moves.iter().enumerate() {
            self.send(players[(at + 1) % 2], &format!(r#"{{"t":"move","v":{v}}}"#));
        }
    }

    pub(super) fn refusal(&mut self, client: &TestClient, text: &str) -> Value {
        client.frames();
        self.send(client, text);
        client.messages().into_iter().find(|m| m["t"] == "no").map_or(Value::Null, |no| no["why"].clone())
    }
}

/// Returns a TV elsewhere in the network, and the phones of a champion, a challenger and a person in line.
fn three(test: &mut TestHub) -> (TestClient, [TestClient; 3]) {
    let (tv, code) = test.host("four");
    (tv, ["Wren", "Heron", "Owl"].map(|nick| test.join(code, nick)))
}

#[test]
fn a_lost_link_is_a_forfeit_after_its_grace() {
    let mut test = TestHub::new(None);
    let (tv, [wren, heron, _owl]) = three(&mut test);
    test.lose(&heron);
    test.pass(29_999);
    assert_eq!((&tv.newest()["phase"], &wren.newest()["phase"]), (&json!("play"), &json!("play")));
    test.pass(1);
    let view = wren.newest();
    assert_eq!(
        (&view["phase"], &view["result"]["how"], &view["result"]["winner"]),
        (&json!("result"), &json!("forfeit"), &json!(0))
    );
}

#[test]
fn a_lost_link_alone_sets_a_deadline() {
    let mut test = TestHub::new(None);
    let tv = test.connect();
    test.send(&tv, r#"{"t":"host"}"#);
    let code = Code::parse(tv.messages()[0]["room"].as_str().unwrap()).unwrap();
    let [_wren, heron] = ["Wren", "Heron"].map(|nick| test.join(code, nick));
    assert_eq!(test.hub.deadline(), None, "nothing is due on the menu");
    test.lose(&heron);
    assert_eq!(test.hub.deadline(), Some(test.now + 600_000));
    tv.frames();
    test.pass(600_000);
    assert_eq!(tv.newest()["people"], json!(["Wren"]));
    test.lose(&tv);
    test.pass(600_000);
    assert!(test.hub.rooms.is_empty());
}

#[test]
fn every_deadline_of_a_room_rings_by_itself() {
    let mut test = TestHub::new(None);
    let (tv, [wren, heron, owl]) = three(&mut test);
    test.pass(19_999);
    assert_eq!(tv.newest()["last"], json!(null));
    test.pass(1);
    assert_eq!(tv.newest()["last"]["auto"], true, "a turn");
    test.send(&owl, r#"{"t":"leave"}"#);
    test.send(&heron, r#"{"t":"leave"}"#);
    assert_eq!(wren.newest()["phase"], "result");
    test.pass(5_999);
    assert!(wren.frames().is_empty());
    test.pass(1);
    assert_eq!(wren.newest()["phase"], "open", "a result");
    tv.frames();
    test.pass(1_999);
    assert!(tv.frames().is_empty());
    test.pass(1);
    assert_eq!(
        (&tv.newest()["attract"], wren.frames().len()),
        (&json!(true), 0),
        "the attract loop is the TV's"
    );
    test.lose(&tv);
    wren.frames();
    test.pass(599_999);
    assert_eq!(wren.frames().len(), 0);
    test.pass(1);
    assert_eq!(wren.newest(), json!({"t": "bye", "why": "closed"}), "a room without its TV");
    assert!(test.hub.rooms.is_empty());
}

#[test]
fn a_rematch_can_be_asked_for_a_minute_long() {
    let mut test = TestHub::new(None);
    let (_tv, [wren, heron, owl]) = three(&mut test);
    test.send(&owl, r#"{"t":"leave"}"#);
    test.play([&wren, &heron], &CHAL_WINS);
    test.pass(6_000);
    assert_eq!(wren.newest()["role"], "rematch");
    test.pass(59_999);
    assert!(wren.frames().is_empty());
    test.pass(1);
    assert_eq!((&wren.newest()["phase"], &heron.newest()["phase"]), (&json!("open"), &json!("open")));
}

#[test]
fn the_remote_is_away_when_its_tv_is() {
    let mut test = TestHub::new(None);
    let (tv, code) = test.host("four");
    test.send(&tv, r#"{"t":"line","on":true}"#);
    let wren = test.join(code, "Wren");
    assert_eq!(wren.newest()["view"]["seats"][0], json!({"nick": "Remote", "away": false, "streak": 0}));
    test.lose(&tv);
    let view = wren.newest();
    assert_eq!((&view["seats"][0]["away"], &view["tv"]), (&json!(true), &json!(false)));
    test.pass(30_000);
    assert_eq!(wren.newest()["result"]["how"], "forfeit");
}

#[test]
fn the_person_who_has_been_away_longest_makes_room() {
    let mut test = TestHub::new(None);
    let (_tv, code) = test.host("four");
    let people: Vec<_> = (0..8).map(|n| test.join(code, &format!("N{n}"))).collect();
    test.lose(&people[5]);
    test.now += 1_000;
    test.lose(&people[3]);
    test.now += 1_000;
    let owl = test.join(code, "Owl");
    let line: Vec<_> =
        owl.newest()["view"]["line"].as_array().unwrap().iter().map(|p| p["nick"].clone()).collect();
    assert_eq!(line, ["N2", "N3", "N4", "N6", "N7", "Owl"]);
}

#[test]
fn only_this_machine_s_kiosk_is_the_kiosk() {
    let mut test = TestHub::new(None);
    let kiosk = test.connect_from(HERE);
    test.send(&kiosk, r#"{"t":"host","kiosk":true}"#);
    let own = kiosk.messages()[0]["room"].clone();
    let other = test.connect_from(LAN);
    test.send(&other, r#"{"t":"host","kiosk":true}"#);
    assert_ne!(other.messages()[0]["room"], own, "believed from another address");
    assert_eq!(kiosk.closed(), None);
    assert_eq!(test.refusal(&other, r#"{"t":"out","nick":"Wren"}"#), "kind");
    assert_eq!(test.refusal(&kiosk, r#"{"t":"out","nick":"Wren"}"#), "when", "nobody of that name");
    let again = test.connect_from(HERE);
    test.send(&again, r#"{"t":"host","kiosk":true}"#);
    assert_eq!(again.messages()[0]["room"], own);
    assert_eq!(kiosk.newest(), json!({"t": "bye", "why": "taken"}));
    assert_eq!(kiosk.closed(), Some(1000), "the TV page taken over is closed");
}

#[test]
fn the_legal_moves_are_sent_to_the_tv_and_to_the_person_on_turn() {
    let mut test = TestHub::new(None);
    let (tv, [wren, heron, owl]) = three(&mut test);
    test.play([&wren, &heron], &[3]);
    let sent = [&tv, &wren, &heron, &owl].map(|client| client.newest()["moves"].is_array());
    assert_eq!(sent, [true, true, false, false]);
}

#[test]
fn ten_messages_that_are_none_close_a_client_and_nine_do_not() {
    let mut test = TestHub::new(None);
    let (_tv, [wren, heron, _owl]) = three(&mut test);
    for _ in 1..BAD_MAX {
        assert_eq!(test.refusal(&wren, "garbage"), "shape");
        assert_eq!(test.refusal(&heron, r#"{"t":"url"}"#), "kind");
    }
    assert_eq!((wren.closed(), heron.closed()), (None, None));
    test.send(&wren, "garbage");
    wren.frames();
    assert_eq!(wren.closed(), Some(1008));
    test.now += BAD_WINDOW_MS;
    test.send(&heron, r#"{"t":"url"}"#);
    heron.frames();
    assert_eq!(heron.closed(), None, "a minute later they are forgiven");
}

#[test]
fn wrong_codes_are_still_counted_after_a_restart() {
    let dir = Scratch::new("codes");
    let mut test = TestHub::new(Some(dir.0.clone()));
    let (_tv, code) = test.host("four");
    for _ in 0..WRONG_CODES_PER_MINUTE {
        let guess = test.connect();
        assert_eq!(test.refusal(&guess, r#"{"t":"join","room":"ZZZZ","nick":"Knock"}"#), "code");
    }
    let scan = test.hub.rooms.get(code).unwrap().scan().to_owned();
    drop(test);
    let mut test = TestHub::new(Some(dir.0.clone()));
    let join = |more: &str| format!(r#"{{"t":"join","room":"{code}","nick":"Wren"{more}}}"#);
    let guest = test.connect();
    assert_eq!(test.refusal(&guest, &join("")), "busy");
    assert_eq!(test.refusal(&guest, &join(r#","scan":"wrong""#)), "busy");
    assert_eq!(
        test.refusal(&guest, &join(&format!(r#","scan":"{scan}""#))),
        json!(null),
        "whoever scans gets in"
    );
}

#[test]
fn the_qr_code_of_the_longest_address_has_29_modules() {
    let mut test = TestHub::new(None);
    let ip = "192.168.100.200".parse().ok();
    test.hub.handle(Event::Endpoint(GuestEndpoint { ip, ..GuestEndpoint::default() }), test.now);
    let tv = test.connect_from(HERE);
    test.send(&tv, r#"{"t":"host"}"#);
    let room = tv.messages().remove(0);
    assert_eq!(room["qr"]["size"], 29 + 8);
    assert_eq!(room["join"]["scan"].as_str().map(str::len), Some(4));
}

#[test]
fn a_person_taken_out_for_the_evening_stays_out_over_a_restart() {
    let dir = Scratch::new("out");
    let mut test = TestHub::new(Some(dir.0.clone()));
    let kiosk = test.connect_from(HERE);
    test.send(&kiosk, r#"{"t":"host","kiosk":true,"game":"four"}"#);
    let code = Code::parse(kiosk.messages()[0]["room"].as_str().unwrap()).unwrap();
    let [wren, heron, owl] = ["Wren", "Heron", "Owl"].map(|nick| test.join(code, nick));
    let key = owl.newest()["key"].as_str().unwrap().to_owned();
    test.send(&kiosk, r#"{"t":"out","nick":"Owl","keep":true}"#);
    assert_eq!((owl.newest(), owl.closed()), (json!({"t": "bye", "why": "out"}), Some(1000)));
    assert_eq!(wren.newest()["line"], json!([]));
    test.send(&kiosk, r#"{"t":"out","nick":"Heron"}"#);
    assert_eq!(wren.newest()["result"]["how"], "forfeit");
    assert_eq!(heron.newest()["why"], "out");
    drop(test);
    let mut test = TestHub::new(Some(dir.0.clone()));
    let back = test.connect();
    let join = format!(r#"{{"t":"join","room":"{code}","nick":"Owl","key":"{key}"}}"#);
    assert_eq!(test.refusal(&back, &join), "out");
}
