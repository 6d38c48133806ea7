//! Attacks with WebSockets that send too much or wrong messages, or try to join without end.

use crate::attack::{Attack, amount, under_attack, under_attack_of};
use crate::bytes::upgrade;
use crate::common::client::Client;
use async_tungstenite::tungstenite::{Message, WebSocket};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// Sends bytes on a new WebSocket, and reads until it ends or stays silent for a while.
fn sends(attack: &Attack, bytes: &[u8]) {
    let Some(mut stream) = attack.connect(10) else { return };
    let _ = stream.write_all(&[upgrade(attack).as_bytes(), bytes].concat());
    stream.set_read_timeout(Some(Duration::from_millis(30))).unwrap();
    let mut end = [0; 4_096];
    while stream.read(&mut end).is_ok_and(|n| n > 0) {}
}

/// Returns a masked frame with a mask of zeros. `first` holds FIN, the reserved bits and the opcode (RFC 6455, 5.2).
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ 0..126 => bytes.push(0x80 | short as u8),
        long @ 126..65_536 => {
            bytes.push(0x80 | 126);
            bytes.extend((long as u16).to_be_bytes());
        }
        longer => {
            bytes.push(0x80 | 127);
            bytes.extend((longer as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

#[test]
fn ping_floods() {
    under_attack("ping floods", &[], |attack| {
        let pings = [frame(0x89, b"x"), frame(0x8a, b"x")].concat().repeat(2_000);
        attack.again(amount(100, 3_000), |_| sends(attack, &pings));
    });
}

/// Tests field report B58: fragmented, endless, too big, declared too big, malformed and binary messages.
#[test]
fn fragmented_oversized_and_broken_frames() {
    let deep = format!("{}1{}", r#"{"t":"join","a":"#.to_owned() + &"[".repeat(400), "]".repeat(400));
    let declared = [&[0x81, 0xff][..], &(15_u64 << 20).to_be_bytes(), &[0; 4], &[b'x'; 1_000]].concat();
    let cases = [
        [frame(0x01, b"{"), frame(0x00, b" ").repeat(5_000)].concat(),
        [frame(0x01, &[b'x'; 1_000]), frame(0x00, &[b'x'; 1_000])].concat(),
        frame(0x81, &[b'x'; 1 << 20]),
        frame(0x01, &[b'x'; 60_000]),
        declared,
        frame(0x81, b"\xff\xfe\xfd"),
        [frame(0x01, b"\xc3"), frame(0x80, b"\x28")].concat(),
        frame(0x82, &[0; 900]).repeat(40),
        frame(0xf1, b"reserved"),
        frame(0x83, b"reserved"),
        frame(0x81, deep.as_bytes()),
        vec![0x81, 0x05, b'h', b'e', b'l', b'l', b'o'],
    ];
    under_attack("fragmented, oversized and broken frames", &[], |attack| {
        attack.again(amount(120, 3_000), |n| sends(attack, &cases[n % cases.len()]));
    });
}

/// Tests ten thousand invalid messages, before a join and from a guest in a room.
#[test]
fn ten_thousand_messages_of_garbage() {
    const GARBAGE: [&str; 8] =
        ["", "garbage", "{", "[]", r#"{"t":7}"#, r#"{"t":"nonsense"}"#, r#"{"t":"move","v":256}"#, "\u{0}"];
    under_attack("10,000 messages of garbage", &[], |attack| {
        let burst: Vec<u8> = GARBAGE.iter().flat_map(|text| frame(0x81, text.as_bytes())).collect();
        let host = frame(0x81, br#"{"t":"host"}"#);
        // Each WebSocket is closed after ten invalid messages.
        attack.again(amount(1_000, 5_000), |n| {
            let first = if n % 100 == 0 { &host[..] } else { &[] };
            sends(attack, &[first, &burst, &burst].concat());
        });
    });
}

#[test]
fn guesses_of_the_code() {
    under_attack("guesses of the code", &[], |attack| {
        let guess = frame(0x81, br#"{"t":"join","room":"ZZZZ","nick":"Guess"}"#).repeat(25);
        attack.again(amount(200, 4_000), |_| sends(attack, &guess));
    });
}

/// Tests many joins of a full room, and as many new rooms as one address can have.
#[test]
fn floods_of_joins_and_rooms() {
    let eight = ["Wren", "Heron", "Owl", "Finch", "Robin", "Crane", "Swift", "Tern"];
    under_attack_of("floods of joins and rooms", &[], &eight, |attack| {
        let join = format!(r#"{{"t":"join","room":"{}","nick":"Cuckoo"}}"#, attack.room);
        let joins = frame(0x81, join.as_bytes()).repeat(20);
        let host = frame(0x81, br#"{"t":"host","game":"four"}"#);
        attack.again(amount(300, 5_000), |n| sends(attack, if n % 3 == 0 { &host } else { &joins }));
    });
}

/// Tests field report B59: seated clients that get many views and read hardly anything.
#[test]
fn slow_readers_of_views() {
    under_attack("200 readers of views that hardly read", &["--attract", "0.02"], |attack| {
        let mut open: Vec<WebSocket<TcpStream>> = Vec::new();
        let mut asked = 0;
        attack.again(amount(30, 300), |n| {
            open.retain_mut(|page| {
                page.get_mut().set_nonblocking(true).unwrap();
                let dead = n % 10 == 0 && page.get_mut().read(&mut [0; 1]).is_ok_and(|n| n == 0);
                page.get_mut().set_nonblocking(false).unwrap();
                !dead
            });
            while open.len() < 200 && asked < 2_000 && !attack.over() {
                asked += 1;
                let Some(mut page) = attack.socket(20) else { continue };
                let small = socket2::SockRef::from(page.get_ref()).set_recv_buffer_size(1_024);
                if small.is_ok() && page.send(Message::text(r#"{"t":"host","game":"four"}"#)).is_ok() {
                    open.push(page);
                }
            }
            std::thread::sleep(Duration::from_millis(100));
        });
    });
}

/// Tests that a guest with a key rejoins while an attacker guesses codes from the same address.
#[test]
fn a_guesser_behind_the_same_router_keeps_nobody_from_coming_back() {
    under_attack("guesses from behind the same router", &[], |attack| {
        let mut phone = Client::phone(attack.to, attack.address(1), &attack.room, "Owl").unwrap();
        phone.send(json!({"t": "line", "on": false})).unwrap();
        let guess = frame(0x81, br#"{"t":"join","room":"ZZZZ","nick":"Guess"}"#).repeat(12);
        attack.again(amount(10, 200), |_| {
            let mut guesser = attack.connect(1).unwrap();
            guesser.write_all(&[upgrade(attack).as_bytes(), &guess].concat()).unwrap();
            let mut some = [0; 512];
            guesser.read_exact(&mut some).unwrap();
            phone.reconnect().unwrap();
            assert!(phone.no.is_null(), "{}", phone.no);
        });
        phone.send(json!({"t": "leave"})).unwrap();
        assert_eq!(phone.closed(), Some(1000));
    });
}

/// Tests that a guest who scans the code joins while an attacker's wrong codes block their common address.
#[test]
fn a_guesser_behind_the_same_router_keeps_nobody_out_who_scans() {
    under_attack("guesses beside guests who scan", &[], |attack| {
        // A room of their own, since in the honest players' line they would get a seat.
        let mut tv = Client::tv(attack.to, attack.address(1), "reversi").unwrap();
        let room = tv.room().to_owned();
        let scan = tv.welcome["join"]["scan"].as_str().unwrap().to_owned();
        let join = |room: &str, scan: Option<&str>| {
            let mut join = json!({"t": "join", "room": room, "nick": "Owl"});
            if let Some(scan) = scan {
                join["scan"] = scan.into();
            }
            let mut phone = Client::open(attack.to, attack.address(1), join).unwrap();
            let answered = |phone: &Client| !phone.welcome.is_null() || !phone.no.is_null();
            phone.until("an answer", answered).unwrap();
            phone
        };
        attack.again(amount(10, 200), |_| {
            // The block must not end before the guest without the secret is refused.
            while join("ZZZZ", None).no["retry"].as_u64().is_none_or(|seconds| seconds < 10) {}
            assert_eq!(join(&room, None).no["why"], "busy");
            assert_eq!(join(&room, Some("0000")).no["why"], "busy");
            let mut phone = join(&room, Some(&scan));
            assert!(phone.no.is_null(), "{}", phone.no);
            tv.until("the guest on the TV", |tv| tv.view["seats"][0]["nick"] == "Owl").unwrap();
            phone.send(json!({"t": "leave"})).unwrap();
            assert_eq!(phone.closed(), Some(1000));
            tv.until("an empty seat", |tv| tv.view["seats"][0].is_null()).unwrap();
        });
    });
}
