//! Checks the responses to any bytes that a client sends over a real socket: each request gets one complete response, in
//! order, with the status that its head alone deserves, and after the last one comes the end.

use doozer_box::clock::Clock;
use doozer_box::hub::Event;
use doozer_box::net::{Assets, Budget, HeadScanner, Listener, Rejection, bind, parse};
use doozer_box::stats::Stats;
use smol::LocalExecutor;
use smol::future::FutureExt as _;
use socket2::{Domain, Socket, Type};
use std::cell::RefCell;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::rc::Rc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// The placeholder in the input for the listener's address, which differs in each run.
const ADDRESS: &[u8] = b"@";
/// Longest wait for a response.
const WAIT: Duration = Duration::from_secs(20);
/// Number of the clients' addresses, used in turn, since each has a budget of requests.
const CLIENTS: u32 = 1_000;

static SERVER: LazyLock<SocketAddr> = LazyLock::new(serve);

/// The expected response to a request.
#[derive(Debug)]
enum Deserved {
    /// A rejection, and then the end.
    Rejected(Rejection),
    /// A response to a valid head.
    Answer { own_host: bool, socket: bool, close: bool },
}

/// Sends the bytes in pieces, whose size is in the first byte, and checks the responses.
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

/// Returns the expected responses to these bytes, and whether each has no body. The last ones may be missing, since a
/// response can end the connection.
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

/// Returns the status of the first response, whether it ends the connection, and the bytes after it.
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

/// Sends the pieces, and returns all received bytes.
fn exchange<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let from = Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 1, 0, 1)) + NEXT.fetch_add(1, Relaxed) % CLIENTS);
    let mut stream = connect(from);
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(WAIT)).unwrap();
    stream.set_write_timeout(Some(WAIT)).unwrap();
    for piece in pieces {
        // The listener may have closed the connection already.
        if stream.write_all(piece).is_err() {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Write);
    let mut answers = Vec::new();
    let ended = stream.read_to_end(&mut answers);
    assert!(ended.is_ok(), "{ended:?} after {}", answers.escape_ascii());
    // With this setting the kernel keeps no state of closed connections, of which there would be thousands.
    socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
    answers
}

/// Connects from that address. Retries when the fuzzer's timer interrupts it.
fn connect(from: Ipv4Addr) -> TcpStream {
    loop {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
        match socket.connect(&(*SERVER).into()) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            connected => {
                connected.unwrap();
                return socket.into();
            }
        }
    }
}

/// Serves the pages on a separate thread, with a hub that sends nothing.
fn serve() -> SocketAddr {
    let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let executor = Rc::new(LocalExecutor::new());
        let (events, received) = smol::channel::unbounded();
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
            while let Ok(event) = received.recv().await {
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
