//! Attacks with connections that send nothing, send too slowly or too much, or never read.

use crate::attack::{Attack, amount, under_attack};
use crate::common::daemon::{Daemon, many_files};
use crate::common::table::Table;
use crate::pages::frame;
use doozer_box::limits::PER_ADDRESS_DEFAULT;
use rustix::net::sockopt::set_ipv6_freebind;
use socket2::{Domain, Socket, Type};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::process::Command;
use std::time::Duration;

/// Returns an upgrade request as the box's own page sends it.
pub fn upgrade(attack: &Attack) -> String {
    upgrade_to(attack.to)
}

fn upgrade_to(to: SocketAddr) -> String {
    format!(
        "GET /ws HTTP/1.1\r\nHost: {to}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
}

/// Reads what has arrived. Returns whether the connection has ended.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let mut bytes = [0; 4_096];
    let read = loop {
        match stream.read(&mut bytes) {
            Ok(n) if n > 0 => {}
            other => break other,
        }
    };
    stream.set_nonblocking(false).unwrap();
    !read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

/// Keeps that many connections open until it is over. Each sends `begin` at first and is then handled by `keep`.
fn hold(
    attack: &Attack,
    many: usize,
    of: u32,
    begin: impl Fn(usize) -> Vec<u8>,
    keep: impl Fn(usize, &mut TcpStream),
) {
    let mut open: Vec<TcpStream> = Vec::new();
    attack.again(amount(10, 150), |n| {
        open.retain_mut(|stream| !is_closed(stream));
        while open.len() < many && !attack.over() {
            let Some(mut stream) = attack.connect(of) else { continue };
            // A connection that is closed at once is opened again.
            if stream.write_all(&begin(open.len())).is_ok() {
                open.push(stream);
            }
        }
        open.iter_mut().for_each(|stream| keep(n, stream));
        std::thread::sleep(Duration::from_millis(100));
    });
}

/// Tests field report B54: silence from the start, half a head, silence after a page, and silence after the upgrade.
#[test]
fn two_thousand_idle_connections() {
    under_attack("2,000 idle connections", &[], |attack| {
        let begin = |n: usize| match n % 4 {
            0 => Vec::new(),
            1 => b"GET / HTTP/1.1\r\nHost:".to_vec(),
            2 => format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", attack.to).into_bytes(),
            _ => upgrade(attack).into_bytes(),
        };
        hold(attack, 2_000, 10, begin, |_, _| {});
    });
}

/// Tests WebSockets of one laptop, from one address and from eight, whose messages are refused. None holds a slot.
#[test]
fn two_thousand_sockets_that_say_rubbish() {
    for addresses in [1, 8] {
        under_attack(&format!("2,048 sockets of {addresses} addresses"), &[], |attack| {
            let begin = |_: usize| [upgrade(attack).as_bytes(), &frame(0x81, br#"{"t":"hb"}"#)].concat();
            hold(attack, 2_048, addresses, begin, |_, _| {});
        });
    }
}

/// Tests that the addresses of one IPv6 network have one quota, however many they are.
#[test]
#[ignore = "needs root and a network of its own; tests/run runs it"]
fn two_thousand_sockets_of_one_ipv6_network() {
    many_files();
    let routed = Command::new("ip").args("-6 route add local fd00:77::/64 dev lo".split(' ')).status();
    assert!(routed.unwrap().success());
    let daemon = Daemon::at(SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0)), &["--result", "0.2"]);
    let port = daemon.address.port();
    let to = SocketAddr::from((Ipv6Addr::LOCALHOST, port));
    let begin = [upgrade_to(to).as_bytes(), &frame(0x81, br#"{"t":"hb"}"#)].concat();
    let crowd: Vec<_> = (0..2_048_u16)
        .map(|n| {
            let from = Ipv6Addr::new(0xfd00, 0x77, 0, 0, n, 0, 0, 1);
            let socket = Socket::new(Domain::IPV6, Type::STREAM, None).unwrap();
            // The route delivers to these addresses, but no interface has them.
            set_ipv6_freebind(&socket, true).unwrap();
            socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
            socket.connect(&to.into()).unwrap();
            let mut stream = TcpStream::from(socket);
            // The daemon may have closed it already.
            let _ = stream.write_all(&begin);
            stream
        })
        .collect();
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut table = Table::open(here, Ipv4Addr::LOCALHOST, "four", &["Wren", "Heron"]).unwrap();
    table.tap(|moves| moves.len() / 2).unwrap();
    let held = daemon.metric(r#"doozer_connections{role="other"}"#);
    assert!(held <= (PER_ADDRESS_DEFAULT + 1) as f64, "one network holds {held} connections");
    drop(crowd);
}

/// Tests the same from the address of the honest players, who must not be evicted.
#[test]
fn idle_connections_from_behind_the_same_router() {
    under_attack("1,000 idle connections from the honest address", &[], |attack| {
        let mut open: Vec<TcpStream> = Vec::new();
        attack.again(amount(4, 40), |_| {
            open.retain_mut(|stream| !is_closed(stream));
            open.extend((open.len()..1_000).filter_map(|_| TcpStream::connect(attack.to).ok()));
            std::thread::sleep(Duration::from_millis(50));
        });
    });
}

#[test]
fn heads_at_one_byte_a_second() {
    under_attack("heads at one byte a second", &[], |attack| {
        // A pass over all connections takes a tenth of a second.
        let keep = |n: usize, stream: &mut TcpStream| {
            if n % 10 == 9 {
                let _ = stream.write_all(b"G");
            }
        };
        hold(attack, amount(500, 1_500), 10, |_| b"GET /ABC".to_vec(), keep);
    });
}

/// Tests complete requests without end whose responses are never read.
#[test]
fn readers_that_never_read() {
    under_attack("300 readers that never read", &[], |attack| {
        let asked = format!("GET /js/tv/main.js HTTP/1.1\r\nHost: {}\r\n\r\n", attack.to).repeat(40);
        let mut open: Vec<TcpStream> = Vec::new();
        attack.again(amount(10, 150), |n| {
            if n % 60 == 59 {
                open.clear();
            }
            while open.len() < 300 && !attack.over() {
                let Some(stream) = attack.connect(10) else { continue };
                stream.set_nonblocking(true).unwrap();
                open.push(stream);
            }
            for mut stream in &open {
                let _ = stream.write(asked.as_bytes());
            }
            std::thread::sleep(Duration::from_millis(100));
        });
    });
}

/// Tests responses that are read at a few bytes a second.
#[test]
fn slow_readers_of_pages() {
    under_attack("300 slow readers of pages", &[], |attack| {
        let asked = format!("GET /tv HTTP/1.1\r\nHost: {}\r\n\r\n", attack.to).repeat(20);
        let mut open: Vec<TcpStream> = Vec::new();
        attack.again(amount(10, 150), |_| {
            while open.len() < 300 && !attack.over() {
                let Some(mut stream) = attack.connect(10) else { continue };
                if stream.write_all(asked.as_bytes()).is_ok() {
                    stream.set_nonblocking(true).unwrap();
                    open.push(stream);
                }
            }
            open.retain_mut(|stream| {
                let read = stream.read(&mut [0; 3]);
                !matches!(read, Ok(0)) && !read.is_err_and(|e| e.kind() != ErrorKind::WouldBlock)
            });
            std::thread::sleep(Duration::from_millis(100));
        });
    });
}

/// Tests connections that are opened and reset, or opened and closed, as fast as one thread can.
#[test]
fn connections_that_come_and_go() {
    under_attack("connections that come and go", &[], |attack| {
        attack.again(amount(1_000, 20_000), |n| {
            let Some(mut stream) = attack.connect(10) else { return };
            let _ = match n % 3 {
                0 => Ok(()),
                1 => stream.write_all(b"GET / HT"),
                _ => stream.write_all(upgrade(attack).as_bytes()),
            };
            if n % 2 == 0 {
                let _ = socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO));
            }
        });
    });
}
