//! Tests the hub without sockets: sends it events, and reads the clients' mailboxes.

mod deadlines;
mod roles;

use super::*;
use crate::endpoint::GuestEndpoint;
use crate::games::{Board, Entry, Game, Move, Next, Side};
use crate::outbox::{Frame, Mailbox, Out, outbox};
use crate::room::names::WordFilter;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const LAN: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 20));

struct TestHub {
    hub: Hub,
    connections: u64,
    now: Ms,
}

struct TestClient {
    connection: ConnectionId,
    mail: Mailbox,
}

impl TestHub {
    fn new(state: Option<PathBuf>) -> Self {
        TestHub::with(state, Times::default())
    }

    fn with(state: Option<PathBuf>, times: Times) -> Self {
        let store = state.map(|dir| StateStore::open(&dir).unwrap());
        let endpoint =
            GuestEndpoint { ip: Some(LAN), name: Some("doozer.local".into()), ..GuestEndpoint::default() };
        let setup = Setup {
            port: 8080,
            build: "test",
            store,
            times,
            house: None,
            offers_house: true,
            tv: TvSettings::default(),
            owner: None,
            endpoint,
        };
        let rooms = Rooms::new(times, WordFilter::default(), StdRng::seed_from_u64(7));
        let hub = Hub::new(rooms, setup, Rc::new(Stats::default()), 1_000_000);
        TestHub { hub, connections: 0, now: 1_000_000 }
    }

    fn connect(&mut self) -> TestClient {
        self.connect_from(LAN)
    }

    fn connect_from(&mut self, ip: IpAddr) -> TestClient {
        self.connections += 1;
        let connection = ConnectionId(self.connections);
        let (outbox, mail) = outbox();
        let peer = Peer { ip, local: LAN };
        self.hub.handle(Event::Connected { connection, peer, outbox }, self.now);
        TestClient { connection, mail }
    }

    fn send(&mut self, client: &TestClient, text: &str) {
        let event = Event::Message { connection: client.connection, text: text.into(), at: Instant::now() };
        self.hub.handle(event, self.now);
    }

    fn host(&mut self, game: &str) -> (TestClient, Code) {
        let tv = self.connect();
        self.send(&tv, &format!(r#"{{"t":"host","game":"{game}"}}"#));
        let room = tv.messages().into_iter().find(|m| m["t"] == "room").unwrap();
        (tv, Code::parse(room["room"].as_str().unwrap()).unwrap())
    }

    fn join(&mut self, code: Code, nick: &str) -> TestClient {
        let phone = self.connect();
        self.send(&phone, &format!(r#"{{"t":"join","room":"{code}","nick":"{nick}"}}"#));
        phone
    }
}

impl TestClient {
    fn frames(&self) -> Vec<Frame> {
        std::iter::from_fn(|| match self.mail.take() {
            Some(Out::Frame(frame)) => Some(frame),
            _ => None,
        })
        .collect()
    }

    fn messages(&self) -> Vec<Value> {
        self.frames().iter().map(|frame| serde_json::from_str(frame.as_str()).unwrap()).collect()
    }

    fn newest(&self) -> Value {
        self.messages().pop().unwrap()
    }

    fn closed(&self) -> Option<u16> {
        match self.mail.take() {
            Some(Out::Close(code)) => Some(code),
            _ => None,
        }
    }
}

/// A game that panics.
#[derive(Clone, Debug, Default)]
struct Faulty;

impl Game for Faulty {
    fn legal(&self, v: Move, _: Side) -> bool {
        v == 3
    }
    fn auto_move(&self, _: Side) -> Move {
        panic!("a fault in auto_move")
    }
    fn apply(&mut self, _: Move, _: Side) -> Next {
        panic!("a fault in apply")
    }
    fn board(&self) -> Board {
        Board(Vec::new())
    }
}

static FAULTY: Entry = Entry { slug: "faulty", name: "Faulty", new_state: || Box::new(Faulty) };

#[test]
fn a_fault_in_one_room_closes_that_room_alone() {
    let mut test = TestHub::new(None);
    let (tv, bad) = test.host("four");
    let (_, good) = test.host("four");
    let phones = ["Wren", "Heron"].map(|nick| test.join(bad, nick));
    let others = ["Wren", "Heron"].map(|nick| test.join(good, nick));
    test.hub.rooms.get_mut(bad).unwrap().open(&FAULTY, test.now);
    test.send(&phones[1], r#"{"t":"move","v":3}"#);
    for client in [&phones[0], &phones[1], &tv] {
        assert_eq!(client.newest(), serde_json::json!({"t": "bye", "why": "closed"}));
        assert_eq!(client.closed(), Some(1000));
    }
    assert!(test.hub.rooms.get(bad).is_none());
    assert_eq!(test.hub.stats.panics.get(), 1);
    others[0].frames();
    test.send(&others[1], r#"{"t":"move","v":3}"#);
    assert_eq!(others[0].newest()["last"]["v"], 3);
}

#[test]
fn a_fault_of_the_clock_does_not_come_again_for_ever() {
    let mut test = TestHub::new(None);
    let (_, code) = test.host("four");
    let _phones = ["Wren", "Heron"].map(|nick| test.join(code, nick));
    test.hub.rooms.get_mut(code).unwrap().open(&FAULTY, test.now);
    test.hub.rooms.update_index(code);
    test.now += 20_000;
    test.hub.tick(test.now);
    assert!(test.hub.rooms.is_empty());
    assert_eq!((test.hub.deadline(), test.hub.stats.people.get()), (None, 0));
}

/// Tests the hub's own timer by several moves of the move clock in a row.
#[test]
fn the_hubs_own_loop_handles_one_deadline_after_another() {
    let mut times = Times::default();
    times.rule.turn = 2;
    let mut test = TestHub::with(None, times);
    let clock = Clock::start();
    test.now = clock.now();
    let (tv, code) = test.host("four");
    let _players = ["Wren", "Heron"].map(|nick| test.join(code, nick));
    let (_events, received) = smol::channel::bounded(1);
    let moves = async {
        while let Out::Frame(frame) = tv.mail.next().await {
            let view: Value = serde_json::from_str(frame.as_str()).unwrap();
            if view["last"]["id"].as_u64() >= Some(4) {
                return;
            }
        }
    };
    let too_long = async {
        smol::Timer::after(Duration::from_secs(60)).await;
        panic!("the hub's timer has stopped");
    };
    smol::block_on(smol::future::or(test.hub.run(received, clock), smol::future::or(moves, too_long)));
}

#[test]
fn people_with_equal_views_share_one_frame() {
    let mut test = TestHub::new(None);
    let (_, code) = test.host("four");
    let phones = ["A", "B", "C", "D"].map(|nick| test.join(code, nick));
    for phone in &phones[2..] {
        test.send(phone, r#"{"t":"line","on":false}"#);
    }
    phones.iter().for_each(|phone| drop(phone.frames()));
    test.send(&phones[1], r#"{"t":"move","v":3}"#);
    let frames: Vec<Frame> = phones.iter().map(|phone| phone.frames().pop().unwrap()).collect();
    assert!(std::ptr::eq(frames[2].as_str(), frames[3].as_str()));
    assert_ne!(frames[0], frames[1]);
}

#[test]
fn a_page_that_never_joins_is_closed() {
    let mut test = TestHub::new(None);
    let (_tv, code) = test.host("four");
    let silent = test.connect();
    let late = test.join(code, "");
    assert_eq!(late.newest()["why"], "nick");
    let phone = test.join(code, "Wren");
    test.now += JOIN_AGAIN_MS;
    test.hub.tick(test.now);
    assert_eq!(silent.closed(), Some(1008));
    assert_eq!(late.closed(), Some(1008));
    assert_eq!(phone.newest()["t"], "welcome");
}

#[test]
fn every_tv_is_sent_a_new_address() {
    let mut test = TestHub::new(None);
    let (tv, code) = test.host("four");
    tv.frames();
    let endpoint =
        GuestEndpoint { ip: Some(LAN), name: Some("doozer-2.local".into()), ..GuestEndpoint::default() };
    test.hub.handle(Event::Endpoint(endpoint.clone()), test.now);
    let room = tv.newest();
    assert_eq!(room["join"]["host"], "doozer-2.local:8080");
    assert_eq!(room["join"]["url"], format!("http://192.168.1.20:8080/{code}"));
    test.hub.handle(Event::Endpoint(endpoint), test.now);
    assert!(tv.frames().is_empty());
}

#[test]
fn a_kiosk_without_a_network_gets_no_join_address() {
    let mut test = TestHub::new(None);
    test.hub.handle(Event::Endpoint(GuestEndpoint::default()), test.now);
    let (outbox, mail) = outbox();
    let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let peer = Peer { ip: here, local: here };
    test.hub.handle(Event::Connected { connection: ConnectionId(99), peer, outbox }, test.now);
    let tv = TestClient { connection: ConnectionId(99), mail };
    test.send(&tv, r#"{"t":"host","kiosk":true}"#);
    let room = tv.messages().remove(0);
    assert!(room["join"].is_null() && room["qr"].is_null());
    test.hub.handle(Event::Endpoint(GuestEndpoint { ip: Some(LAN), ..GuestEndpoint::default() }), test.now);
    assert_eq!(tv.newest()["join"]["addr"], "192.168.1.20:8080");
}

/// A directory for one test, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("doozer-box-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        Scratch(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_shown_state_is_restored_after_a_kill() {
    let dir = Scratch::new("kill");
    let mut test = TestHub::new(Some(dir.0.clone()));
    let (_tv, code) = test.host("four");
    let phones = ["Wren", "Heron", "Owl"].map(|nick| test.join(code, nick));
    let key = phones[1].messages()[0]["key"].as_str().unwrap().to_owned();
    test.send(&phones[1], r#"{"t":"move","v":3}"#);
    let shown = phones[2].newest();
    // The hub gets no shutdown event.
    drop(test);
    let mut test = TestHub::new(Some(dir.0.clone()));
    let again = test.connect();
    test.send(&again, &format!(r#"{{"t":"join","room":"{code}","nick":"Heron","key":"{key}"}}"#));
    let welcome = again.newest();
    let view = &welcome["view"];
    assert_eq!(welcome["id"], 2);
    for same in ["state", "last", "line", "game", "phase"] {
        if same != "line" {
            assert_eq!(view[same], shown[same], "{same}");
        }
    }
    assert_eq!(view["line"], serde_json::json!([{"nick": "Owl", "away": true}]));
    assert_eq!((&view["turn"]["left"], &view["role"]), (&20_000.into(), &"chal".into()));
    assert_eq!(view["seats"][0], serde_json::json!({"nick": "Wren", "away": true, "streak": 0}));
}

#[test]
fn the_file_of_a_closed_room_is_removed() {
    let dir = Scratch::new("closed");
    let mut test = TestHub::new(Some(dir.0.clone()));
    let (tv, _) = test.host("four");
    test.hub.handle(Event::Disconnected { connection: tv.connection }, test.now);
    test.now += 600_000;
    test.hub.tick(test.now);
    drop(test);
    assert!(TestHub::new(Some(dir.0.clone())).hub.rooms.is_empty());
}

#[test]
fn damaged_files_are_quarantined_and_the_others_restored() {
    let dir = Scratch::new("damaged");
    let mut test = TestHub::new(Some(dir.0.clone()));
    let codes = [0; 5].map(|_| test.host("reversi").1);
    test.join(codes[4], "Wren");
    drop(test);
    let file = |code: Code| dir.0.join(format!("room-{code}.json"));
    let text = std::fs::read_to_string(file(codes[0])).unwrap();
    std::fs::write(file(codes[0]), &text[..text.len() / 2]).unwrap();
    std::fs::write(file(codes[1]), text.replace("\"version\":1", "\"version\":2")).unwrap();
    std::fs::write(file(codes[2]), b"\xff\xfe\0").unwrap();
    // The JSON is valid, but an unknown person has a seat.
    let lie = std::fs::read_to_string(file(codes[3])).unwrap();
    std::fs::write(file(codes[3]), lie.replace("\"seats\":[null", "\"seats\":[77")).unwrap();
    let test = TestHub::new(Some(dir.0.clone()));
    assert_eq!(test.hub.rooms.len(), 1);
    assert!(test.hub.rooms.get(codes[4]).is_some());
    for code in &codes[..4] {
        assert!(file(*code).with_extension("json.bad").exists() && !file(*code).exists());
    }
}
