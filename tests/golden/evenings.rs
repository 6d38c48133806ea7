//! Plays evenings against the real daemon in which every kind of message occurs. The recorded shapes are the same
//! in each run: none of them depends on a move of the House or on the machine's speed.

use super::Seen;
use super::common::client::{Client, Cut};
use super::common::daemon::Daemon;
use super::common::table::Table;
use doozer_box::games::GAMES;
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// Plays all evenings at once. Returns the messages.
pub fn all() -> Seen {
    // All clients wait for each other, so no deadline is reached.
    let slow = Daemon::start(&["--result", "600", "--rematch", "600", "--attract", "600", "--turn", "600"]);
    // The move clock plays whole games, and their results are shown until all clients have seen them.
    let quick = ["--rematch", "600", "--attract", "600"];
    let people = Daemon::start(&[&quick[..], &["--turn", "0.03", "--result", "10"]].concat());
    let house = Daemon::start(&[&quick[..], &["--turn", "0.2", "--result", "2"]].concat());
    let [slow_at, people_at, house_at] = [&slow, &people, &house].map(|daemon| daemon.address);
    // An error is reported by the thread of its evening.
    let whole = |evening: Result<Seen, Cut>| evening.unwrap_or_else(|cut| panic!("{cut}"));
    std::thread::scope(|scope| {
        let mut parts =
            vec![scope.spawn(move || whole(doors(slow_at))), scope.spawn(move || whole(goodbyes()))];
        for game in GAMES {
            parts.push(scope.spawn(move || whole(games(slow_at, game.slug))));
            parts.push(scope.spawn(move || whole(results(people_at, game.slug))));
            parts.push(scope.spawn(move || whole(house_results(house_at, game.slug))));
        }
        let mut seen = Seen::default();
        for part in parts {
            seen.extend(part.join().unwrap());
        }
        seen
    })
}

/// Joins as a phone, and records all messages from the welcome on.
fn phone(to: SocketAddr, room: &str, nick: &str) -> Result<Client, Cut> {
    let mut phone = Client::open(to, HERE, json!({"t": "join", "room": room, "nick": nick}))?;
    phone.received = Some(Vec::new());
    phone.until("a welcome", |phone| !phone.view.is_null() || !phone.no.is_null())?;
    Ok(phone)
}

/// Waits until the condition holds for a client's view, and records the view.
fn look(seen: &mut Seen, page: &mut Client, what: &str, holds: impl Fn(&Value) -> bool) -> Result<(), Cut> {
    page.until(what, |page| holds(&page.view))?;
    seen.add(&page.view);
    Ok(())
}

/// Records the messages other than views.
fn note(seen: &mut Seen, page: &mut Client) {
    page.received.take().into_iter().flatten().for_each(|message| seen.add(&message));
}

fn is(field: &'static str, value: &'static str) -> impl Fn(&Value) -> bool {
    move |view| view[field] == value
}

/// Plays the page's turn with its first legal move. Returns the turn's id.
fn moves(page: &mut Client) -> Result<Value, Cut> {
    let (id, v) = (page.view["turn"]["id"].clone(), page.view["moves"][0].clone());
    page.send(json!({"t": "move", "v": v, "n": id}))?;
    Ok(id)
}

/// Plays the House: its first move, an answer, and its next move.
fn plays_the_house(seen: &mut Seen, page: &mut Client) -> Result<(), Cut> {
    look(seen, page, "the offer", |view| view["house"] == true)?;
    page.send(json!({"t": "house", "on": true}))?;
    look(seen, page, "the House", |view| view["turn"]["side"] == 1 && view["last"].is_null())?;
    // An extra turn of its own would have a note.
    look(seen, page, "its move", |view| view["turn"]["side"] == 0 && view["note"].is_null())
}

/// Plays a lone guest with the remote and with a phone, a takeover, and a full room.
fn games(to: SocketAddr, game: &str) -> Result<Seen, Cut> {
    let mut seen = Seen::default();
    let mut tv = Client::tv(to, HERE, game)?;
    look(&mut seen, &mut tv, "nobody", |view| view["seats"][0].is_null())?;
    tv.send(json!({"t": "line", "on": true}))?;
    plays_the_house(&mut seen, &mut tv)?;
    let mut wren = phone(to, tv.room(), "Wren")?;
    for page in [&mut tv, &mut wren] {
        look(&mut seen, page, "Wren against the remote", |view| view["note"]["kind"] == "aside")?;
    }
    tv.send(json!({"t": "leave"}))?;
    for page in [&mut tv, &mut wren] {
        look(&mut seen, page, "a forfeit", is("phase", "result"))?;
    }
    wren.send(json!({"t": "leave"}))?;
    wren.drain();
    note(&mut seen, &mut wren);

    let mut wren = phone(to, tv.room(), "Wren")?;
    plays_the_house(&mut seen, &mut wren)?;
    wren.send(json!({"t": "house", "on": false}))?;
    look(&mut seen, &mut wren, "the end", is("phase", "open"))?;
    look(&mut seen, &mut tv, "Wren alone", |view| {
        view["phase"] == "open" && view["seats"][0]["nick"] == "Wren"
    })?;
    wren.send(json!({"t": "house", "on": true}))?;
    look(&mut seen, &mut tv, "the House", |view| {
        view["seats"][1]["house"] == true && view["last"].is_null()
    })?;
    let mut heron = phone(to, tv.room(), "Heron")?;
    for page in [&mut tv, &mut wren, &mut heron] {
        look(&mut seen, page, "Heron", |view| view["note"]["kind"] == "aside")?;
    }
    let mut robin = phone(to, tv.room(), "Robin")?;
    let mut finch = phone(to, tv.room(), "Finch")?;
    finch.send(json!({"t": "line", "on": false}))?;
    let is_full = |view: &Value| view["line"].as_array().is_some_and(|line| line.len() == 1);
    finch.until("to watch", |finch| finch.view["role"] == "out")?;
    for page in [&mut tv, &mut wren, &mut heron, &mut robin, &mut finch] {
        look(&mut seen, page, "a full room", is_full)?;
    }
    let id = moves(&mut heron)?;
    for page in [&mut tv, &mut wren, &mut heron, &mut robin, &mut finch] {
        look(&mut seen, page, "the move", |view| view["last"]["id"] == id)?;
        note(&mut seen, page);
    }
    Ok(seen)
}

/// Plays a whole game of two people, and the rematch.
fn results(to: SocketAddr, game: &'static str) -> Result<Seen, Cut> {
    let mut seen = Seen::default();
    // All clients join before the game starts.
    let mut tv = Client::open(to, HERE, json!({"t": "host"}))?;
    look(&mut seen, &mut tv, "the menu", is("t", "menu"))?;
    let join = |nick: &&str| Client::phone(to, HERE, tv.room(), nick);
    let phones = ["Wren", "Heron", "Robin", "Finch"].iter().map(join).collect::<Result<_, _>>()?;
    let mut table = Table { tv, phones };
    look(&mut seen, &mut table.phones[0], "the menu", is("t", "menu"))?;
    seen.add(&table.tv.welcome);
    table.phones[1].send(json!({"t": "pick", "game": game}))?;
    table.phones[3].until("the line", |finch| finch.view["role"] == "line")?;
    table.phones[3].send(json!({"t": "line", "on": false}))?;
    table.phones[3].until("to watch", |finch| finch.view["role"] == "out")?;
    for page in table.clients() {
        look(&mut seen, page, "a result", is("phase", "result"))?;
    }
    table.phones[2].send(json!({"t": "leave"}))?;
    table.phones.remove(2).drain();
    for page in table.clients() {
        look(&mut seen, page, "a rematch", is("phase", "rematch"))?;
    }
    Ok(seen)
}

/// Plays a whole game against the House, and repeats it after a draw, which has another shape.
fn house_results(to: SocketAddr, game: &str) -> Result<Seen, Cut> {
    let mut seen = Seen::default();
    let mut table = Table::open(to, HERE, game, &["Wren"])?;
    loop {
        table.phones[0].until("the offer", |wren| wren.view["house"] == true)?;
        table.phones[0].send(json!({"t": "house", "on": true}))?;
        for page in table.clients() {
            page.until("the game", is_phase("play"))?;
            page.until("a result", is_phase("result"))?;
        }
        if !table.tv.view["result"]["winner"].is_null() {
            table.clients().for_each(|page| seen.add(&page.view));
            return Ok(seen);
        }
    }
}

fn is_phase(phase: &'static str) -> impl Fn(&Client) -> bool {
    move |page| page.view["phase"] == phase
}

/// Sends a message, and waits for its refusal.
fn refused(page: &mut Client, message: Value, why: &str) -> Result<(), Cut> {
    page.send(message)?;
    page.until(why, |page| page.no["why"] == why)
}

/// Sends refused commands, takes clients over, and asks for a heartbeat.
fn doors(to: SocketAddr) -> Result<Seen, Cut> {
    let mut seen = Seen::default();
    let mut tv = Client::open(to, HERE, json!({"t": "host", "kiosk": true}))?;
    tv.until("the menu", |tv| tv.view["t"] == "menu")?;
    let mut wren = phone(to, tv.room(), "Wren")?;
    refused(&mut wren, json!({"t": "pick", "game": "chess"}), "game")?;
    wren.send(json!({"t": "pick", "game": GAMES[0].slug}))?;
    wren.until("the game", |wren| wren.view["t"] == "ws")?;
    let mut heron = phone(to, tv.room(), "Heron")?;
    refused(&mut heron, json!({"t": "move", "v": 200}), "move")?;
    refused(&mut wren, json!({"t": "move", "v": 0, "n": 9_999}), "turn")?;
    refused(&mut wren, json!({"t": "nonsense"}), "kind")?;
    refused(&mut wren, json!({"t": "move"}), "shape")?;
    refused(&mut wren, json!({"t": "rematch"}), "when")?;
    let hello = wren.hello.clone();
    refused(&mut wren, hello.clone(), "first")?;
    wren.send(json!({"t": "hb"}))?;
    let is_beat = |message: &Value| message["t"] == "hb";
    wren.until("a heartbeat", |wren| {
        wren.received.as_ref().is_some_and(|received| received.iter().any(is_beat))
    })?;

    let again = |hello: &Value| -> Result<Client, Cut> {
        let mut again = Client::open(to, HERE, hello.clone())?;
        again.received = Some(Vec::new());
        again.until("an answer", |again| !again.view.is_null() || !again.no.is_null())?;
        Ok(again)
    };
    let mut taken_over = again(&hello)?;
    wren.drain();
    tv.send(json!({"t": "out", "nick": "Wren", "keep": true}))?;
    taken_over.drain();
    let mut out = again(&hello)?;
    assert_eq!(out.no["why"], "out");

    let mut others =
        (0..7).map(|n| phone(to, tv.room(), &format!("Owl {n}"))).collect::<Result<Vec<_>, _>>()?;
    let mut ninth = phone(to, tv.room(), "Swift")?;
    let mut nobody = phone(to, tv.room(), " ")?;
    let mut lost = phone(to, "ZZZZ", "Crane")?;
    assert_eq!([&ninth.no["why"], &nobody.no["why"], &lost.no["why"]], ["full", "nick", "code"]);
    // From other addresses, so that the limits affect no other client.
    let mut hosts = (0..13)
        .map(|_| Client::tv(to, Ipv4Addr::new(127, 9, 0, 1), "four"))
        .collect::<Result<Vec<_>, _>>()?;
    let last = hosts.pop().unwrap();
    assert_eq!(last.no["why"], "rooms");
    seen.add(&last.no);
    let guess = || Client::phone(to, Ipv4Addr::new(127, 9, 0, 2), "ZZZZ", "Crane");
    let busy = (0..21).map(|_| guess()).collect::<Result<Vec<_>, _>>()?.pop().unwrap();
    assert_eq!(busy.no["why"], "busy");
    seen.add(&busy.no);
    let pages = [&mut wren, &mut heron, &mut taken_over, &mut out, &mut ninth, &mut nobody, &mut lost];
    pages.into_iter().chain(&mut others).for_each(|page| note(&mut seen, page));
    Ok(seen)
}

/// Closes a room whose TV does not return, and ends the daemon.
fn goodbyes() -> Result<Seen, Cut> {
    let mut seen = Seen::default();
    let mut daemon = Daemon::start(&["--hold", "0.2"]);
    let tv = Client::tv(daemon.address, HERE, "four")?;
    let mut closed = phone(daemon.address, tv.room(), "Wren")?;
    drop(tv);
    closed.drain();
    let tv = Client::tv(daemon.address, HERE, "four")?;
    let mut restart = phone(daemon.address, tv.room(), "Wren")?;
    assert!(daemon.term().success());
    restart.drain();
    assert_eq!([&closed.bye, &restart.bye], ["closed", "restart"]);
    note(&mut seen, &mut closed);
    note(&mut seen, &mut restart);
    Ok(seen)
}
