//! Properties that hold for any input: a message, a request head, nicknames, a state file, the helper's requests.
//!
//! The fuzzer checks them with generated inputs, and `cargo test` with a small corpus.

use doozer_box::admin::{self, ANSWER_BYTES_MAX, Failure, REQUEST_BYTES_MAX, Request};
use doozer_box::games::{GAMES, find};
use doozer_box::limits::UtcHour;
use doozer_box::limits::{NICK_BYTES_MAX, NICK_CHARS_MAX, PEOPLE_MAX, REQUEST_HEAD_BYTES_MAX};
use doozer_box::net::{HeadScanner, Rejection, parse};
use doozer_box::refusal::Refusal;
use doozer_box::room::code::Code;
use doozer_box::room::names::{self, WordFilter};
use doozer_box::room::rooms::{Caller, HostRequest, JoinRequest, Rooms};
use doozer_box::room::snapshot::RoomSnapshot;
use doozer_box::room::{Command, Room, Sender, Times};
use doozer_box::rule::people::ConnectionId;
use doozer_box::store::{self, SharedState};
use doozer_box::wire::{self, Kind, RoomMessage};
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::LazyLock;
use unicode_segmentation::UnicodeSegmentation as _;

const TIMES: Times = Times::DEFAULT;
const NOW: u64 = 1_000_000;
const LAN: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 20));

static WORDS: LazyLock<WordFilter> = LazyLock::new(WordFilter::default);

/// Checks that any frame is refused or executed in every role, and that the room can still print all views.
pub fn wire(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let kind = wire::parse_kind(text);
    let refused = |of: Option<Kind>, refusal: Refusal| {
        assert!(matches!(refusal, Refusal::First | Refusal::Shape | Refusal::Kind));
        assert_eq!(of, kind, "{text}");
        prints(wire::refusal(of, refusal, text).as_str());
    };
    let first = wire::parse_first(text);
    match first.request {
        Ok(_) => {
            let again = [wire::parse_phone(text), wire::parse_tv(text, true)].map(|parsed| parsed.request);
            assert_eq!(again, [Err(Refusal::First), Err(Refusal::First)], "{text}");
        }
        Err(refusal) => refused(first.kind, refusal),
    }
    let mut room = Room::new(Code::parse("BCDF").unwrap(), "key".into(), "scan".into(), TIMES, NOW);
    room.host(ConnectionId(1), NOW);
    for (at, nick) in (0..).zip(["Wren", "Heron", "Owl"]) {
        room.join(nick, format!("key {nick}"), Some(ConnectionId(2 + at)), NOW).unwrap();
    }
    // The room shows the menu or one of the games.
    if let Some(game) = GAMES.get(bytes.len() % (GAMES.len() + 1)) {
        room.open(game, NOW);
    }
    let phone = wire::parse_phone(text);
    match phone.request {
        Ok(RoomMessage::Command(command)) => {
            [1, 2, 3].into_iter().for_each(|id| execute(&mut room, Sender::Phone(id), &command));
        }
        Ok(RoomMessage::Do(_)) => panic!("a guest's phone may not ask as the owner"),
        Ok(RoomMessage::Heartbeat) => {}
        Err(refusal) => refused(phone.kind, refusal),
    }
    let tv = wire::parse_tv(text, true);
    match tv.request {
        Ok(RoomMessage::Command(command)) => execute(&mut room, Sender::Tv, &command),
        Ok(RoomMessage::Do(request)) => _ = wire::owner::parse_request(&request.ask),
        Ok(RoomMessage::Heartbeat) => {}
        Err(refusal) => refused(tv.kind, refusal),
    }
}

/// Executes a command, and checks that a refused one changes nothing.
fn execute(room: &mut Room, sender: Sender, command: &Command) {
    let before = room.snapshot();
    if room.execute(sender, command.clone(), NOW).is_err() {
        assert_eq!(room.snapshot(), before, "a refused {command:?} of {sender:?} changed something");
    }
    shown(room, NOW);
}

/// Checks that any first bytes of a connection give the same result in any pieces, and that each accepted head has only
/// one meaning.
pub fn head(bytes: &[u8]) {
    let whole = scan(bytes, usize::MAX);
    for piece in [1, 5] {
        assert_eq!(scan(bytes, piece), whole, "in pieces of {piece}");
    }
    let Ok(Some(length)) = whole else { return };
    let text = &bytes[..length];
    assert!(text.ends_with(b"\r\n\r\n") && length <= REQUEST_HEAD_BYTES_MAX);
    if let Ok(head) = parse(text) {
        assert!(head.path.starts_with('/') && head.path.is_ascii() && !head.path.contains(['?', '#', ' ']));
        assert!(!head.host.is_empty() && !head.host.contains(['\r', '\n']));
        let lower = text.to_ascii_lowercase();
        let lines = |name: &[u8]| lower.windows(name.len()).filter(|&line| line == name).count();
        assert_eq!(lines(b"\r\nhost:"), 1);
        assert_eq!(lines(b"\r\ntransfer-encoding:"), 0);
        assert!(head.upgrade.headers().len() <= 4);
    }
}

fn scan(bytes: &[u8], piece: usize) -> Result<Option<usize>, Rejection> {
    let mut scanner = HeadScanner::default();
    let mut end = 0;
    while end < bytes.len() {
        end = bytes.len().min(end.saturating_add(piece));
        if let Some(length) = scanner.scan(&bytes[..end])? {
            return Ok(Some(length));
        }
    }
    Ok(None)
}

/// Checks that any lines can be joined with as nicknames of one room.
pub fn names(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut taken: Vec<String> = Vec::new();
    for said in text.lines().take(PEOPLE_MAX) {
        let Some(nick) = names::clean(said) else { continue };
        fits(&nick);
        assert_eq!(names::clean(&nick).as_deref(), Some(nick.as_str()), "cleaning {said:?} twice");
        // Both results are right, but it must not panic.
        let _ = WORDS.allows(&nick);
        let own = names::unique(&nick, taken.iter().map(String::as_str));
        fits(&own);
        assert!(!taken.contains(&own), "{own:?} is taken");
        taken.push(own);
    }
}

fn fits(nick: &str) {
    let signs = nick.graphemes(true).count();
    assert!((1..=NICK_CHARS_MAX).contains(&signs) && nick.len() <= NICK_BYTES_MAX, "{nick:?}");
    assert!(!nick.chars().any(char::is_control) && nick.trim() == nick, "{nick:?}");
}

/// Checks that any line to the privileged helper, and any answer from it, is refused or has only one meaning, and
/// contains nothing that a tool could read as an option or another field.
pub fn admin(bytes: &[u8]) {
    match Request::parse(bytes) {
        Ok(request) => {
            assert!(bytes.len() <= REQUEST_BYTES_MAX);
            assert_eq!(request.to_string().as_bytes(), bytes, "{request:?} can be asked for in two ways");
            if let Request::Timezone(name) = &request {
                assert!(!name.starts_with(['-', '/']) && !name.contains(".."), "{name:?}");
            }
        }
        Err(failure) => assert_eq!(failure, Failure::Malformed),
    }
    let answer = admin::parse_answer(bytes);
    let printed = admin::print_answer(&answer);
    assert!(printed.len() <= ANSWER_BYTES_MAX && printed.ends_with('\n'), "{printed:?}");
    if answer.is_ok() {
        assert_eq!(admin::parse_answer(printed.as_bytes()), answer);
    }
}

/// Checks that any state file is rejected, or restores a room that can be played and stored again.
pub fn state(bytes: &[u8]) {
    let rest = store::parse::<SharedState>(bytes).unwrap_or_default();
    let room = store::parse::<RoomSnapshot>(bytes).ok().and_then(|kept| Room::restore(kept, TIMES, NOW));
    let mut rooms = Rooms::new(TIMES, WORDS.clone(), StdRng::seed_from_u64(7));
    let code = room.as_ref().map(Room::code);
    if let Some(room) = &room {
        let again = Room::restore(room.snapshot(), TIMES, NOW).expect("what was restored can be restored");
        assert_eq!(again.snapshot(), room.snapshot());
        shown(room, NOW);
    }
    rooms.restore(room.into_iter().collect(), rest.quotas, rest.kiosk.as_deref().and_then(Code::parse));
    let hour = UtcHour { hour: 1, left_s: 1 };
    let by = |connection, now| Caller { connection: ConnectionId(connection), ip: LAN, now, hour };
    let wrong = JoinRequest { room: "ZZZZ".into(), nick: "Wren".into(), ..JoinRequest::default() };
    let _ = rooms.join(&wrong, by(1, NOW));
    let _ = rooms.host(&HostRequest::default(), by(2, NOW));
    if let Some(code) = code {
        evening(&mut rooms, code, by);
    }
}

/// Lets a guest join, everyone move, and time pass.
fn evening(rooms: &mut Rooms, code: Code, by: impl Fn(u64, u64) -> Caller) {
    let mut now = NOW;
    let key = rooms.get(code).map(|room| room.key().to_owned());
    let _ =
        rooms.host(&HostRequest { room: Some(code.to_string()), key, ..HostRequest::default() }, by(3, now));
    let keys: Vec<_> =
        rooms.get(code).iter().flat_map(|r| r.people().iter()).map(|p| p.key.clone()).collect();
    for (page, key) in keys.into_iter().map(Some).chain([None, None]).enumerate() {
        let ask = JoinRequest { room: code.to_string(), nick: format!("N{page}"), key, scan: None };
        let _ = rooms.join(&ask, by(10 + page as u64, now));
    }
    for step in 0..12_u64 {
        let Some(room) = rooms.get_mut(code) else { return };
        let ids: Vec<_> = room.people().iter().map(|p| p.id).collect();
        let moves = room.shared_view(now).and_then(|picture| picture.moves).unwrap_or_default();
        for id in ids {
            let _ = room.execute(Sender::Phone(id), Command::Rematch, now);
            for &v in moves.iter().take(1) {
                let _ = room.execute(Sender::Phone(id), Command::Move { v, n: None }, now);
            }
        }
        if step == 8 {
            let _ = room.execute(Sender::Tv, Command::Home, now);
            let _ = room.execute(
                Sender::Tv,
                Command::Pick(find("four").map_or("", |game| game.slug).into()),
                now,
            );
            let _ = room.execute(Sender::Tv, Command::Line(true), now);
        }
        shown(room, now);
        if step % 4 == 3 {
            let kept = room.snapshot();
            assert!(Room::restore(kept, TIMES, now).is_some(), "an evening goes on that cannot be kept");
        }
        rooms.update_index(code);
        now += 7_000;
        if rooms.tick(code, now).is_none() {
            return;
        }
    }
}

/// Checks that every view prints as one JSON object.
fn shown(room: &Room, now: u64) {
    let Some(shared) = room.shared_view(now) else {
        return prints(wire::menu(room.people().iter().map(|p| p.nick.as_str()), true).as_str());
    };
    let view = wire::serialize(&shared, room.tv().is_some(), true);
    prints(view.for_tv(&room.remote_view(), room.attract().as_ref()).as_str());
    for person in room.people().iter() {
        prints(view.for_phone(&room.personal_view(person.id)).as_str());
    }
}

fn prints(frame: &str) {
    let object: serde_json::Value = serde_json::from_str(frame).unwrap();
    assert!(object["t"].is_string(), "{frame}");
}
