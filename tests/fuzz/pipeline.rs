//! What must hold of any bytes that a client sends to the listener over a real socket: each request is answered once, in
//! order and whole, with the status that its head alone deserves; after the last answer comes the end, and nothing else.

use doozer_box::clock::Clock;
use doozer_box::hub::Event;
use doozer_box::net::{Assets, Budget, HeadScanner, Listener, Rejection, bind, parse};
use doozer_box::stats::Stats;
use smol::LocalExecutor;
use smol::future::FutureExt as _;
use socket2::{Domain, Socket, Type};
use std::cell::RefCell;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::rc::Rc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// Stands in the input for the listener's address, which is another one each time.
const ADDRESS: &[u8] = b"@";
/// The longest wait for an answer.
const WAIT: Duration = Duration::from_secs(20);
/// The addresses that clients come from in turn, since each has a budget of requests.
const CLIENTS: u32 = 1_000;

static SERVER: LazyLock<SocketAddr> = LazyLock::new(serve);

/// The answer that a request deserves.
#[derive(Debug)]
enum Deserved {
    /// A rejection, and then the end.
    Rejected(Rejection),
    /// An answer to a head that is right.
    Answer { own_host: bool, socket: bool, close: bool },
}

/// Sends the bytes, the first of which says in pieces of how many, and checks what comes back.
pub fn pipeline(bytes: &[u8]) {
    let Some((&piece, bytes)) = bytes.split_first() else { return };
    let address = SERVER.to_string();
    let request = bytes.split(|byte| [*byte] == ADDRESS).collect::<Vec<_>>().join(address.as_bytes());
    let pieces = request.chunks(if piece == 0 { usize::MAX } else { usize::from(piece) * 8 });
    let answers = exchange(pieces);
    let mut left = &answers[..];
    for (is_head, deserved) in deserved(&request, &address) {
        let context = || format!("{} for {}", answers.escape_ascii(), request.escape_ascii());
        let (status, close, after) =
            answer(left, is_head).unwrap_or_else(|| panic!("{deserved:?} is not answered: {}", context()));
        left = after;
        match deserved {
            Deserved::Rejected(rejection) => {
                assert_eq!((status, close), (status_of(rejection), true), "{rejection:?}: {}", context());
            }
            // Frames follow.
            Deserved::Answer { socket: true, .. } if status == 101 => return,
            Deserved::Answer { own_host, socket, close: asked, .. } => {
                let fits = match status {
                    421 => !own_host && close,
                    400 | 403 => socket && close,
                    200 | 304 | 404 => close == asked,
                    _ => false,
                };
                assert!(fits, "{status}: {}", context());
            }
        }
        if close {
            break;
        }
    }
    assert!(left.is_empty(), "{} is too much for {}", left.escape_ascii(), request.escape_ascii());
}

/// The answers that these bytes deserve, and whether they are to be without a body. The last ones may be left out: an
/// answer can end the connection.
fn deserved(mut bytes: &[u8], address: &str) -> Vec<(bool, Deserved)> {
    let mut all = Vec::new();
    loop {
        let is_head = bytes.starts_with(b"HEAD ");
        let head = match HeadScanner::default().scan(bytes) {
            Ok(Some(length)) => {
                let head = parse(&bytes[..length]);
                bytes = &bytes[length..];
                head
            }
            Ok(None) => return all,
            Err(rejection) => Err(rejection),
        };
        match head {
            Ok(head) => {
                let (own_host, socket) = (head.host == address, head.path == "/ws");
                all.push((is_head, Deserved::Answer { own_host, socket, close: head.close }));
            }
            Err(rejection) => {
                all.push((is_head, Deserved::Rejected(rejection)));
                return all;
            }
        }
    }
}

fn status_of(rejection: Rejection) -> u16 {
    match rejection {
        Rejection::Malformed => 400,
        Rejection::Method => 405,
        Rejection::Body => 413,
        Rejection::HeadTooBig => 431,
        other => panic!("{other:?} is no rejection of a head"),
    }
}

/// The status of the answer that the bytes begin with, whether it ends the connection, and what is behind it.
fn answer(bytes: &[u8], bodiless: bool) -> Option<(u16, bool, &[u8])> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    let line = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
    let length = match status {
        101 | 304 => 0,
        _ if bodiless => 0,
        _ => line("Content-Length: ")?.parse().ok()?,
    };
    Some((status, line("Connection: close").is_some(), bytes.get(end + length..)?))
}

/// Sends the pieces and returns all that comes back until the end.
fn exchange<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let from = Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 1, 0, 1)) + NEXT.fetch_add(1, Relaxed) % CLIENTS);
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
    socket.connect(&(*SERVER).into()).unwrap();
    let mut stream = TcpStream::from(socket);
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(WAIT)).unwrap();
    stream.set_write_timeout(Some(WAIT)).unwrap();
    for piece in pieces {
        // The listener may have ended it already.
        if stream.write_all(piece).is_err() {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Write);
    let mut answers = Vec::new();
    let ended = stream.read_to_end(&mut answers);
    assert!(ended.is_ok(), "{ended:?} after {}", answers.escape_ascii());
    // No state of an ended connection is kept, of which there would be thousands.
    socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
    answers
}

/// Serves the pages on a thread of their own, before a hub that says nothing.
fn serve() -> SocketAddr {
    let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let executor = Rc::new(LocalExecutor::new());
        let (events, heard) = smol::channel::unbounded();
        let stats = Rc::new(Stats::default());
        let listener = Listener {
            listener,
            events,
            stats: stats.clone(),
            assets: Rc::new(Assets::new(None)),
            endpoint: Rc::new(RefCell::default()),
            name: "doozer".to_owned(),
            budget: Budget::default(),
            clock: Clock::start(),
        };
        let hub = async {
            let mut outboxes = std::collections::HashMap::new();
            while let Ok(event) = heard.recv().await {
                match event {
                    Event::Connected { connection, outbox, .. } => drop(outboxes.insert(connection, outbox)),
                    Event::Disconnected { connection } => drop(outboxes.remove(&connection)),
                    _ => {}
                }
            }
        };
        let own = executor.clone();
        let served = async move { listener.run(&own).await.unwrap() };
        smol::block_on(executor.run(served.or(hub)));
    });
    address
}
