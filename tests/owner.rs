//! The owner's phone and the kiosk's remote against the real binary: pairing, what can be set, and what somebody who
//! listens to all of it can do with it.

mod common;

use common::client::{Client, Cut};
use common::daemon::{Daemon, Scratch};
use doozer_box::auth::{self, From, Hello, Sealed, Secret, Session};
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt as _;

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// A box with its kiosk.
struct Box {
    daemon: Daemon,
    kiosk: Client,
    scratch: Scratch,
    asked: u64,
}

impl Box {
    fn start(name: &str) -> Result<Box, Cut> {
        Box::with(Scratch::new(name))
    }

    fn with(scratch: Scratch) -> Result<Box, Cut> {
        let (file, state) = (scratch.0.join("owner.toml"), scratch.0.join("state"));
        let daemon = Daemon::start(&["--owner", file.to_str().unwrap(), "--state", state.to_str().unwrap()]);
        let mut kiosk = Client::open(daemon.address, HERE, json!({"t": "host", "kiosk": true}))?;
        kiosk.until("a room", |kiosk| !kiosk.view.is_null())?;
        Ok(Box { daemon, kiosk, scratch, asked: 0 })
    }

    /// Ends the daemon without a word, and starts it again.
    fn again(mut self) -> Result<Box, Cut> {
        self.daemon.kill();
        Box::with(self.scratch)
    }

    /// Asks by the kiosk's remote.
    fn ask(&mut self, ask: Value) -> Result<Value, Cut> {
        self.asked += 1;
        let n = self.asked;
        self.kiosk.send(json!({"t": "do", "n": n, "ask": ask}))?;
        self.kiosk.until("an answer", |kiosk| kiosk.done["n"] == n)?;
        Ok(self.kiosk.done["answer"].clone())
    }

    /// Shows the code that pairs a phone, and scans it.
    fn secret(&mut self) -> Result<Secret, Cut> {
        let pair = self.ask(json!({"do": "pair", "on": true}))?["pair"].clone();
        assert_eq!(pair["url"], format!("http://{}/owner", self.daemon.address));
        let text = common::qr::read(&pair["qr"]);
        let (url, secret) = text.split_once('#').unwrap();
        assert_eq!(pair["url"], url);
        Ok(Secret::parse(secret).unwrap())
    }

    fn phone(&self, secret: &Secret, name: &str) -> Result<Phone, Cut> {
        Phone::open(&self.daemon, secret, name)
    }

    fn file(&self) -> String {
        std::fs::read_to_string(self.scratch.0.join("owner.toml")).unwrap_or_default()
    }
}

/// The owner's phone. It notes all that crosses the network.
struct Phone {
    client: Client,
    session: Session,
    asked: u64,
    recorded: Vec<Value>,
}

impl Phone {
    fn open(daemon: &Daemon, secret: &Secret, name: &str) -> Result<Phone, Cut> {
        let hello = Hello { id: secret.id(), nonce: "0f".repeat(16), name: name.to_owned() };
        let first = json!({"t": "owner", "id": hello.id, "nonce": hello.nonce, "name": hello.name});
        let mut client = Client::open(daemon.address, HERE, first.clone())?;
        client.until("the box's number", |client| !client.welcome.is_null() || !client.no.is_null())?;
        let nonce = client.welcome["nonce"].as_str().unwrap_or_default();
        let session = Session::new(secret, hello, nonce);
        let recorded = vec![first, client.welcome.clone()];
        Ok(Phone { client, session, asked: 0, recorded })
    }

    fn ask(&mut self, ask: Value) -> Result<Value, Cut> {
        self.asked += 1;
        let n = self.asked;
        let Sealed { body, mac, .. } = auth::seal(&self.session.key(), From::Phone, n, &ask.to_string());
        let message = json!({"t": "do", "n": n, "body": body, "mac": mac});
        self.recorded.push(message.clone());
        self.client.send(message)?;
        self.client.until("an answer", |client| client.done["n"] == n || !client.no.is_null())?;
        self.recorded.push(self.client.done.clone());
        let part = |name: &str| self.client.done[name].as_str().unwrap_or_default().to_owned();
        let sealed = Sealed { n, body: part("body"), mac: part("mac") };
        let text =
            auth::open(&self.session.key(), From::Box, &sealed).ok_or("no answer that is the box's")?;
        Ok(serde_json::from_str(&text)?)
    }
}

fn setting(state: &Value, name: &str) -> Value {
    let settings = state["state"]["settings"].as_array().unwrap();
    settings.iter().find(|setting| setting["name"] == name).unwrap().clone()
}

#[test]
fn a_paired_phone_sets_what_holds_at_once_and_over_a_restart() -> Result<(), Cut> {
    let mut house = Box::start("owner-set")?;
    let secret = house.secret()?;
    let mut phone = house.phone(&secret, "Wren's phone")?;
    let state = phone.ask(json!({"do": "state"}))?;
    assert_eq!(state["state"]["phones"][0]["name"], "Wren's phone");
    assert_eq!(state["state"]["phones"][0]["me"], true);
    for (name, value) in [("venue", "The Fox"), ("turn", "7.5"), ("language", "de,en")] {
        assert_eq!(phone.ask(json!({"do": "set", "name": name, "value": value}))?["ok"], true, "{name}");
    }
    house.kiosk.until("all of it on the TV", |kiosk| kiosk.welcome["language"] == json!(["de", "en"]))?;
    let told = ["venue", "kiosk"].map(|name| house.kiosk.welcome[name].clone());
    assert_eq!(told, [json!("The Fox"), json!(true)]);
    let wrong = phone.ask(json!({"do": "set", "name": "turn", "value": "soon"}))?;
    assert!(wrong["ok"] == false && wrong["say"].as_str().unwrap().contains("seconds"), "{wrong}");
    assert_eq!(phone.ask(json!({"do": "set", "name": "listen", "value": "0.0.0.0:1"}))?["ok"], false);
    let word = json!({"do": "word", "list": "add", "word": "Heron", "on": true});
    assert_eq!(phone.ask(word)?["ok"], true);
    let guest = Client::phone(house.daemon.address, HERE, house.kiosk.room(), "Heron")?;
    assert_eq!(guest.no["why"], "nick");
    let mode = std::fs::metadata(house.scratch.0.join("owner.toml"))?.permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let mut house = house.again()?;
    assert_eq!(house.kiosk.welcome["venue"], "The Fox");
    let mut phone = house.phone(&secret, "Wren's phone")?;
    let state = phone.ask(json!({"do": "state"}))?;
    assert_eq!(setting(&state, "turn"), json!({"name": "turn", "value": "7.5", "own": true}));
    assert_eq!(state["state"]["add"], json!(["Heron"]));
    assert_eq!(phone.ask(json!({"do": "set", "name": "turn", "value": null}))?["ok"], true);
    assert_eq!(setting(&phone.ask(json!({"do": "state"}))?, "turn")["value"], "20");
    let later = phone.ask(json!({"do": "set", "name": "name", "value": "fox"}))?;
    assert_eq!((&later["ok"], &later["why"]), (&json!(true), &json!("later")), "{later}");
    assert_eq!(house.ask(json!({"do": "unpair", "id": secret.id()}))?["ok"], true);
    assert!(phone.ask(json!({"do": "state"})).is_err(), "struck out while it is connected");
    assert_eq!(house.phone(&secret, "Wren's phone")?.client.no["why"], "pair");
    assert!(!house.file().contains(&secret.text()), "{}", house.file());
    Ok(())
}

#[test]
fn a_turn_that_is_on_ends_by_the_new_time() -> Result<(), Cut> {
    let mut house = Box::start("owner-turn")?;
    house.kiosk.send(json!({"t": "pick", "game": "four"}))?;
    house.ask(json!({"do": "set", "name": "turn", "value": "600"}))?;
    let room = house.kiosk.room().to_owned();
    let mut phones =
        ["Wren", "Heron"].map(|nick| Client::phone(house.daemon.address, HERE, &room, nick).unwrap());
    phones[0].until("a game", |phone| phone.view["phase"] == "play")?;
    house.ask(json!({"do": "set", "name": "turn", "value": "0.2"}))?;
    phones[0].until("a move by the clock", |phone| phone.view["last"]["auto"] == true)?;
    Ok(())
}

#[test]
fn guests_are_taken_out_and_the_house_is_turned_off() -> Result<(), Cut> {
    let mut house = Box::start("owner-out")?;
    let secret = house.secret()?;
    let mut phone = house.phone(&secret, "")?;
    let room = house.kiosk.room().to_owned();
    let mut wren = Client::phone(house.daemon.address, HERE, &room, "Wren")?;
    let state = phone.ask(json!({"do": "state"}))?;
    assert_eq!(state["state"]["people"], json!(["Wren"]));
    assert_eq!(phone.ask(json!({"do": "out", "nick": "Heron"}))?["say"], "Nobody in the room has that name.");
    assert_eq!(phone.ask(json!({"do": "out", "nick": "Wren", "keep": true}))?["ok"], true);
    assert_eq!(wren.closed(), Some(1000));
    assert_eq!(wren.bye, "out");
    wren.reconnect()?;
    assert_eq!(wren.no["why"], "out");
    assert_eq!(phone.ask(json!({"do": "set", "name": "house", "value": "false"}))?["ok"], true);
    house.kiosk.send(json!({"t": "pick", "game": "four"}))?;
    let mut heron = Client::phone(house.daemon.address, HERE, &room, "Heron")?;
    heron.until("the game", |heron| heron.view["role"] == "champ")?;
    heron.send(json!({"t": "house", "on": true}))?;
    heron.until("a refusal", |heron| heron.no["why"] == "when")?;
    Ok(())
}

#[test]
fn guests_and_other_tvs_get_nothing() -> Result<(), Cut> {
    let mut house = Box::start("owner-guests")?;
    let ask = json!({"t": "do", "n": 1, "ask": {"do": "state"}});
    let mut tv = Client::tv(house.daemon.address, HERE, "four")?;
    assert_eq!(tv.welcome["kiosk"], false);
    let mut guest = Client::phone(house.daemon.address, HERE, house.kiosk.room(), "Wren")?;
    for client in [&mut tv, &mut guest] {
        client.send(ask.clone())?;
        client.until("a refusal", |client| client.no["why"] == "kind")?;
        client.send(json!({"t": "owner", "id": "x", "nonce": "x", "name": "x"}))?;
        client.until("a refusal", |client| client.no["why"] == "first")?;
    }
    let mut nobody = Client::open(house.daemon.address, HERE, ask)?;
    nobody.until("a refusal", |nobody| nobody.no["why"] == "first")?;
    let secret = house.secret()?;
    assert_eq!(house.phone(&Secret::new(5), "a guess")?.client.no["why"], "pair");
    let mut liar = house.phone(&secret, "another name")?;
    liar.session = Session::new(&Secret::new(5), liar.session.hello.clone(), "");
    assert!(liar.ask(json!({"do": "state"})).is_err(), "the id alone pairs nobody");
    assert_eq!(liar.client.no["why"], "pair");
    assert_eq!(liar.client.closed(), Some(1008));
    let mut first = house.phone(&secret, "the first")?;
    let mut second = house.phone(&secret, "the second")?;
    assert_eq!(second.ask(json!({"do": "state"}))?["ok"], true, "both have scanned it");
    assert_eq!(first.ask(json!({"do": "state"}))?["state"]["phones"].as_array().map(Vec::len), Some(1));
    assert_eq!(first.ask(json!({"do": "pair", "on": true}))?["ok"], false, "phones pair no phones");
    house.secret()?;
    house.ask(json!({"do": "pair", "on": false}))?;
    assert_eq!(house.phone(&Secret::new(5), "late")?.client.no["why"], "pair");
    Ok(())
}

/// Somebody records every frame of a pairing and of all that follows, in both directions.
#[test]
fn who_listens_can_neither_pair_nor_replay_nor_forge_nor_read() -> Result<(), Cut> {
    let mut house = Box::start("owner-listener")?;
    let secret = house.secret()?;
    let mut phone = house.phone(&secret, "Wren's phone")?;
    phone.ask(json!({"do": "set", "name": "wifi", "value": "Joe's Bar"}))?;
    phone.ask(json!({"do": "set", "name": "wifi-password", "value": "guests welcome"}))?;
    phone.ask(json!({"do": "set", "name": "venue", "value": "The Fox"}))?;
    phone.ask(json!({"do": "state"}))?;
    let recorded = phone.recorded.clone();
    let text: String = recorded.iter().map(Value::to_string).collect();
    for hidden in [secret.text().as_str(), "guests welcome", "Joe's Bar", "The Fox", "venue"] {
        assert!(!text.contains(hidden), "{hidden} crosses the network");
    }
    house.ask(json!({"do": "set", "name": "venue", "value": "The Hound"}))?;

    let requests: Vec<&Value> = recorded.iter().filter(|message| message["t"] == "do").collect();
    let answers: Vec<&Value> = recorded.iter().filter(|message| message["t"] == "done").collect();
    assert_eq!((requests.len(), answers.len()), (4, 4));
    let attacks: Vec<Vec<Value>> = vec![
        requests.iter().map(|&request| request.clone()).collect(),
        vec![requests[2].clone()],
        vec![with(requests[2], "n", json!(1))],
        vec![as_request(answers[0])],
        vec![with(requests[0], "body", requests[2]["body"].clone())],
        vec![with(requests[0], "mac", json!("00".repeat(32)))],
        vec![json!({"t": "do", "n": 1, "ask": {"do": "set", "name": "venue", "value": "Mine"}})],
        vec![json!({"t": "do", "n": 1, "body": "", "mac": ""})],
    ];
    for attack in attacks {
        let mut attacker = Client::open(house.daemon.address, HERE, recorded[0].clone())?;
        attacker.until("the box's number", |attacker| !attacker.welcome.is_null())?;
        assert_ne!(
            attacker.welcome["nonce"], recorded[1]["nonce"],
            "a number of its own for each connection"
        );
        attacker.send(attack[0].clone())?;
        attacker.until("a refusal", |attacker| !attacker.no.is_null())?;
        assert!(attacker.done.is_null(), "{attack:?} was answered");
        assert!(attacker.done.is_null(), "{attack:?} was answered");
        if attacker.no["why"] == "pair" {
            // The connection is over: nobody reads what follows.
            attack[1..].iter().for_each(|message| _ = attacker.send(message.clone()));
            attacker.drain();
        }
        assert!(attacker.done.is_null(), "{attack:?} was answered");
    }
    let id = recorded[0]["id"].clone();
    let mut pairing = Client::open(
        house.daemon.address,
        HERE,
        json!({"t": "owner", "id": id, "nonce": "00", "name": "Mallory"}),
    )?;
    pairing.until("the box's number", |pairing| !pairing.welcome.is_null())?;
    let state = phone.ask(json!({"do": "state"}))?;
    assert_eq!(setting(&state, "venue")["value"], "The Hound", "nothing was replayed");
    let phones = state["state"]["phones"].as_array().unwrap();
    assert!(phones.len() == 1 && phones[0]["name"] == "Wren's phone", "{phones:?}");
    Ok(())
}

fn with(message: &Value, field: &str, value: Value) -> Value {
    let mut message = message.clone();
    message[field] = value;
    message
}

fn as_request(answer: &Value) -> Value {
    with(answer, "t", json!("do"))
}

#[test]
fn what_needs_the_helper_says_so_without_it() -> Result<(), Cut> {
    let mut house = Box::start("owner-helper")?;
    for ask in [
        json!({"do": "wifi-list"}),
        json!({"do": "wifi-join", "ssid": "Joe's Bar", "password": "guests welcome"}),
        json!({"do": "screen", "on": false}),
        json!({"do": "restart"}),
        json!({"do": "power-off"}),
    ] {
        let answer = house.ask(ask.clone())?;
        assert_eq!(
            (&answer["ok"], &answer["why"]),
            (&json!(false), &json!("unavailable")),
            "{ask}: {answer}"
        );
    }
    let told = house.ask(json!({"do": "diagnostics"}))?["text"].as_str().unwrap().to_owned();
    for part in ["Doozer Box 1.", "Power: ", "Card: ", "kiosk there", "Last warnings:"] {
        assert!(told.contains(part), "{part:?} is not in {told}");
    }
    assert_eq!(house.ask(json!({"do": "dance"}))?["ok"], false);
    Ok(())
}

#[test]
fn a_disk_that_takes_nothing_changes_nothing() -> Result<(), Cut> {
    let mut house = Box::start("owner-disk")?;
    // No file can be made here now: as on a full disk, but for root too.
    std::fs::create_dir_all(house.scratch.0.join("owner.toml.new/x"))?;
    let answer = house.ask(json!({"do": "set", "name": "venue", "value": "The Fox"}))?;
    assert!(
        answer["ok"] == false && answer["say"].as_str().unwrap().contains("Nothing has changed"),
        "{answer}"
    );
    assert_eq!(house.kiosk.welcome["venue"], Value::Null);
    std::fs::remove_dir_all(house.scratch.0.join("owner.toml.new"))?;
    assert_eq!(house.ask(json!({"do": "set", "name": "venue", "value": "The Fox"}))?["ok"], true);
    Ok(())
}
