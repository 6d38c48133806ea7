//! Tests WebSockets: sizes, rates, closing, and clients that do not read.

use super::client::{Client, Frame, frame, head};
use super::server::{HubEvent, TestServer};
use doozer_box::limits::{BUSY_MAX, FRAME_BYTES_MAX, FRAMES_BURST};
use doozer_box::net::Budget;
use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
use socket2::SockRef;
use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

fn budget(change: impl FnOnce(&mut Budget)) -> Budget {
    let mut budget = Budget::default();
    change(&mut budget);
    budget
}

#[test]
fn a_message_reaches_the_hub_and_its_answer_the_page() {
    let server = TestServer::new();
    let mut page = Client::socket(&server);
    let HubEvent::Connected(connection, peer) = server.next() else { panic!() };
    assert_eq!((peer.ip.to_string(), peer.local.to_string()), ("127.0.0.1".into(), "127.0.0.1".into()));
    page.send("hello");
    assert!(matches!(server.next(), HubEvent::Message(of, text) if of == connection && text == "hello"));
    assert_eq!(page.read_text(), "hello");
    page.write(frame(0x89, b"x"));
    assert_eq!(page.read_frame(), Frame::Pong);
    page.write(frame(0x88, &1000_u16.to_be_bytes()));
    assert_eq!(page.close_code(), 1000);
    server.closed(connection);
}

#[test]
fn the_hub_sends_a_goodbye_and_closes() {
    let server = TestServer::new();
    let mut page = Client::socket(&server);
    page.send("close 1000");
    assert_eq!(page.read_text(), "bye");
    assert_eq!(page.close_code(), 1000);
}

#[test]
fn a_lost_connection_is_reported_once() {
    let server = TestServer::new();
    let page = Client::socket(&server);
    let HubEvent::Connected(connection, _) = server.next() else { panic!() };
    drop(page);
    server.closed(connection);
}

/// Tests field report B58: the longest frame passes, and one byte more closes the connection with 1009.
#[test]
fn too_big_is_closed_with_1009() {
    let server = TestServer::new();
    let mut page = Client::socket(&server);
    let longest = "a".repeat(FRAME_BYTES_MAX);
    page.send(&longest);
    assert_eq!(page.read_text(), longest);
    let halves = [frame(0x01, &[b'a'; 512]), frame(0x80, &[b'b'; 512])].concat();
    page.write(halves);
    assert_eq!(page.read_text().len(), FRAME_BYTES_MAX);

    let too_long = vec![b'a'; FRAME_BYTES_MAX + 1];
    let fragments = [frame(0x01, &[b'a'; 600]), frame(0x00, &[b'a'; 600])].concat();
    let unfinished = [frame(0x01, b"a"), frame(0x00, b"").repeat(2_000)].concat();
    // Pings between the fragments change nothing, as long as their rate is allowed.
    let part = [frame(0x00, b"").repeat(60), frame(0x89, b"")].concat();
    let with_pings = [frame(0x01, b"a"), part.repeat(FRAMES_BURST as usize - 2)].concat();
    let cases = [
        with_pings,
        frame(0x81, &too_long),
        frame(0x82, &too_long),
        fragments,
        unfinished,
        head(0x81, 15 << 20),
        head(0x81, 1 << 62),
        [head(0x81, 1_000_000), vec![b'{'; 200_000]].concat(),
    ];
    for bytes in cases {
        let mut page = Client::socket(&server);
        let _ = page.stream.write_all(&bytes);
        assert_eq!(page.close_code(), 1009, "{:?}", &bytes[..8]);
    }
}

#[test]
fn broken_frames_are_closed_with_their_code() {
    let server = TestServer::new();
    let cases = [
        (1007, frame(0x81, b"\xff\xfe")),
        (1007, [frame(0x01, b"\xc3"), frame(0x80, b"\x28")].concat()),
        (1002, vec![0x81, 0x01, b'a']),
        (1002, frame(0xc1, b"reserved bit")),
        (1002, frame(0x83, b"reserved kind")),
        (1002, frame(0x8b, b"reserved control")),
        (1002, frame(0x80, b"nothing to go on with")),
        (1002, [frame(0x01, b"a"), frame(0x81, b"b")].concat()),
        (1002, frame(0x09, b"a ping in parts")),
        (1002, frame(0x89, &[0; 126])),
        (1002, frame(0x88, b"x")),
    ];
    for (code, bytes) in cases {
        let mut page = Client::socket(&server);
        page.write(&bytes);
        assert_eq!(page.close_code(), code, "{bytes:?}");
    }
    let mut page = Client::socket(&server);
    page.write(frame(0x82, b"binary"));
    while !matches!(server.next(), HubEvent::Binary) {}
    page.send("still here");
    assert_eq!(page.read_text(), "still here");
}

#[test]
fn a_flood_is_refused_as_busy_and_then_closed() {
    for first in [0x81, 0x82, 0x89, 0x8a] {
        let server = TestServer::new();
        let mut page = Client::socket(&server);
        let _ = page.stream.write_all(&frame(first, b"x").repeat(10_000));
        let mut busy = 0;
        loop {
            match page.read_frame() {
                Frame::Text(text) if text.contains(r#""why":"busy""#) => {
                    assert!(text.contains(r#""retry":1"#), "{text}");
                    busy += 1;
                }
                Frame::Close(code) => break assert_eq!(code, 1008),
                Frame::End => panic!("no close came"),
                _ => {}
            }
        }
        assert_eq!(busy, BUSY_MAX);
        let mut said = 0;
        loop {
            match server.next() {
                HubEvent::Message(..) | HubEvent::Binary => said += 1,
                HubEvent::Disconnected(_) => break,
                HubEvent::Connected(..) => {}
            }
        }
        let passed = if matches!(first, 0x81 | 0x82) { FRAMES_BURST as usize } else { 0 };
        assert!((passed..passed + 5).contains(&said), "{said} passed of kind {first:x}");
    }
}

#[test]
fn silence_after_the_upgrade_is_closed_and_pings_are_no_first_message() {
    let server = TestServer::with(budget(|b| b.half_open = Duration::from_secs(1)), None);
    let mut page = Client::socket(&server);
    page.write(frame(0x89, b""));
    assert_eq!(page.close_code(), 1013);
    let mut page = Client::socket(&server);
    page.send("hello");
    assert_eq!(page.read_text(), "hello");
    server.until("the silent one is gone", |world| world.outboxes.len() == 1);
    page.send("still here");
    assert_eq!(page.read_text(), "still here");
}

#[test]
fn a_client_without_answers_to_heartbeats_counts_as_dead() {
    let quick = budget(|b| {
        b.heartbeat = Duration::from_millis(20);
        b.dead_peer = Duration::from_millis(1_500);
    });
    let server = TestServer::with(quick, None);
    let mut page = Client::socket(&server);
    page.send("hello");
    // Pongs that answer our pings are free, even beyond the rate limit of frames.
    let (mut pings, mut texts) = (0, Vec::new());
    while pings < FRAMES_BURST * 5 {
        match page.read_frame() {
            Frame::Ping => {
                pings += 1;
                page.write(frame(0x8a, b""));
            }
            Frame::Text(text) => texts.push(text),
            other => panic!("{other:?}"),
        }
    }
    // On a busy machine a heartbeat may come before the answer.
    assert_eq!(texts.iter().filter(|text| *text == "hello").count(), 1);
    assert_eq!(texts.iter().filter(|text| *text == r#"{"t":"hb"}"#).count() + 1, texts.len(), "{texts:?}");
    assert!(texts.len() > 2, "heartbeats come as messages too");
    while page.read_frame() != Frame::End {}
    assert_eq!(server.counted("dead"), 1);
}

/// Tests field report B59: a client that never reads is closed, and holds no more than its buffers and one view.
#[test]
fn a_client_that_never_reads_is_cut() {
    let server = TestServer::with(budget(|b| b.slow_reader = Duration::from_millis(300)), None);
    let mut page = Client::socket(&server);
    let HubEvent::Connected(connection, _) = server.next() else { panic!() };
    page.send("hello");
    assert_eq!(server.next_message(), "hello");
    // More than the kernel's buffers of both ends hold.
    for _ in 0..200 {
        server.on(move |world| world.outboxes.get(&connection).map(|o| o.send("x".repeat(100_000).into())));
    }
    server.closed(connection);
}

#[test]
fn a_stuck_reader_does_not_hold_up_its_own_end() {
    let server = TestServer::with(
        budget(|b| {
            (b.goodbye, b.slow_reader) = (Duration::from_millis(100), Duration::from_secs(3_600));
        }),
        None,
    );
    let mut page = Client::socket(&server);
    let HubEvent::Connected(connection, _) = server.next() else { panic!() };
    page.send("hello");
    assert_eq!(server.next_message(), "hello");
    for _ in 0..60 {
        server.on(move |world| world.outboxes[&connection].send("x".repeat(100_000).into()));
    }
    server.on(move |world| world.outboxes[&connection].close(1000));
    server.closed(connection);
}

/// Returns the listener's end of that client's connection.
fn listeners_end(client: &Client) -> TcpStream {
    let this = pidfd_open(getpid(), PidfdFlags::empty()).unwrap();
    let numbers = std::fs::read_dir("/proc/self/fd").unwrap().map(|entry| entry.unwrap().file_name());
    let files = numbers.filter_map(|number| {
        let number = number.to_str()?.parse().ok()?;
        pidfd_getfd(&this, number, PidfdGetfdFlags::empty()).ok()
    });
    let wanted = client.stream.local_addr().unwrap();
    let mut streams = files.map(TcpStream::from);
    streams.find(|stream| stream.peer_addr().is_ok_and(|peer| peer == wanted)).unwrap()
}

/// Fills the kernel's buffers of both ends. Bytes that arrive make room again, so it ends only after many failed writes.
fn fill(stream: &mut TcpStream) {
    let mut refused = 0;
    while refused < 20 {
        if stream.write(&[0; 4_096]).is_ok() {
            refused = 0;
        } else {
            refused += 1;
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Tests that the answer to a close has a deadline too, when there is no room for it and nothing else is being sent.
#[test]
fn a_close_is_given_up_for_a_client_that_never_reads() {
    let patient = |b: &mut Budget| {
        (b.slow_reader, b.dead_peer, b.heartbeat) = [3_600; 3].map(Duration::from_secs).into();
        b.goodbye = Duration::from_millis(100);
    };
    let server = TestServer::with(budget(patient), None);
    let mut page = Client::socket(&server);
    let HubEvent::Connected(connection, _) = server.next() else { panic!() };
    page.send("hello");
    assert_eq!(page.read_text(), "hello");
    SockRef::from(&page.stream).set_recv_buffer_size(4_096).unwrap();
    fill(&mut listeners_end(&page));
    page.write(frame(0x88, &1000_u16.to_be_bytes()));
    server.closed(connection);
    server.until("its slot is free", |world| world.stats.connections.get() == 0);
}

#[test]
fn an_address_has_its_share_and_reads_so_in_words() {
    let server = TestServer::with(budget(|b| b.per_address = 4), None);
    let mut pages: Vec<_> = (0..4).map(|_| Client::seated(&server)).collect();
    let mut fifth = Client::new(&server);
    assert_eq!(fifth.upgrade("").status, 429);
    assert!(fifth.is_closed());
    let mut other = Client::from(&server, [127, 0, 0, 9]);
    assert_eq!(other.upgrade("").status, 101);
    drop(pages.pop());
    server.until("a place is free", |world| world.outboxes.len() == 4);
    assert_eq!(Client::new(&server).upgrade("").status, 101);
}

#[test]
fn the_oldest_that_is_not_seated_makes_room() {
    let server = TestServer::with(budget(|b| b.connections = 3), None);
    let mut page = Client::seated(&server);
    let (mut half, mut silent) = (Client::new(&server), Client::from(&server, [127, 0, 0, 2]));
    half.write("GET / HTTP/1.1\r\nHost:");
    assert_eq!(silent.upgrade("").status, 101);
    let mut late = Client::from(&server, [127, 0, 0, 3]);
    assert_eq!(late.get("/healthz").status, 200);
    assert!(half.is_closed(), "the half request is the oldest");
    assert_eq!(Client::from(&server, [127, 0, 0, 4]).get("/healthz").status, 200);
    assert_eq!(silent.read_frame(), Frame::End, "then who said nothing");
    page.send("still here");
    assert_eq!(page.read_text(), "still here");
}

/// Tests field report B65: a panic ends one connection, and the hub receives its end.
#[test]
fn a_panic_costs_one_connection() {
    let server = TestServer::new();
    let (mut page, mut victim) = (Client::socket(&server), Client::socket(&server));
    victim.send("hello");
    assert_eq!(victim.read_text(), "hello");
    // Counting while a counter is borrowed is the only panic that a test can cause from outside.
    server.on(|world| {
        let stats = Box::leak(Box::new(world.stats.clone()));
        std::mem::forget((stats.refusals.borrow_mut(), stats.rejections.borrow_mut()));
    });
    let _ = victim.stream.write_all(&frame(0x81, b"x").repeat(FRAMES_BURST as usize + 5));
    while victim.read_frame() != Frame::End {}
    let HubEvent::Connected(..) = server.next() else { panic!() };
    server.until("the victim is closed", |world| world.outboxes.len() == 1);
    let mut asker = Client::new(&server);
    asker.write("nonsense");
    assert!(asker.is_closed());
    server.until("both are counted", |world| world.stats.panics.get() == 2);
    page.send("still here");
    assert_eq!(page.read_text(), "still here");
}

/// Tests that messages do not protect a connection: those of one address with invalid messages are evicted.
#[test]
fn only_a_seated_client_keeps_its_slot() {
    let server = TestServer::with(budget(|b| (b.connections, b.per_address) = (8, 6)), None);
    let mut person = Client::seated(&server);
    let mut crowd: Vec<_> = (0..6).map(|_| Client::from(&server, [127, 0, 0, 7])).collect();
    for rubbish in &mut crowd {
        assert_eq!(rubbish.upgrade("").status, 101);
        rubbish.send("rubbish");
        assert_eq!(rubbish.read_text(), "rubbish");
    }
    let mut guests: Vec<_> = (10..14).map(|n| Client::from(&server, [127, 0, 0, n])).collect();
    for guest in &mut guests {
        assert_eq!(guest.upgrade("").status, 101);
        guest.send("seat");
        assert_eq!(guest.read_text(), "seat");
    }
    person.send("still here");
    assert_eq!(person.read_text(), "still here");
}

/// Tests that hundreds of simultaneous newcomers do not delay seated clients.
#[test]
fn many_newcomers_wait_for_seated_clients() {
    const CROWD: usize = 300;
    let server = TestServer::with(budget(|b| b.per_address = 2 * CROWD), None);
    let mut page = Client::seated(&server);
    let address = server.address;
    let say = frame(0x81, b"hello");
    let mut stream = page.stream.try_clone().unwrap();
    // While the listener's thread is busy with this, the kernel queues all connections.
    let crowd = server.on(move |_| {
        let crowd: Vec<_> = (0..CROWD).map(|_| std::net::TcpStream::connect(address).unwrap()).collect();
        stream.write_all(&say).unwrap();
        crowd
    });
    assert_eq!(page.read_text(), "hello");
    let then = server.on(|world| world.connections_then);
    assert!(then < CROWD, "{then} connections were accepted before one frame was read");
    drop(crowd);
}
