//! Attacks with requests that are too big, wrong, or too many.

use crate::attack::{amount, under_attack};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

/// Returns the status of the first response, or 0 if the connection was aborted.
fn status(stream: &mut TcpStream) -> u16 {
    let mut bytes = [0; 64];
    let mut read = 0;
    while read < 12 {
        match stream.read(&mut bytes[read..]) {
            Ok(n) if n > 0 => read += n,
            _ => return 0,
        }
    }
    std::str::from_utf8(&bytes[9..12]).ok().and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// Tests a head of a megabyte, in one line and in many.
#[test]
fn heads_of_a_megabyte() {
    under_attack("1 MB heads", &[], |attack| {
        let start = format!("GET / HTTP/1.1\r\nHost: {}\r\n", attack.to);
        let heads = [
            format!("GET /{} HTTP/1.1\r\n", "a".repeat(1 << 20)),
            format!("{start}A: {}\r\n\r\n", "b".repeat(1 << 20)),
            format!("{start}{}\r\n", "A: b\r\n".repeat(175_000)),
        ];
        attack.again(amount(60, 1_500), |n| {
            let Some(mut stream) = attack.connect(10) else { return };
            let _ = stream.write_all(heads[n % heads.len()].as_bytes());
            let status = status(&mut stream);
            assert!(matches!(status, 0 | 431), "{status}");
        });
    });
}

/// Tests field report B53: bodies that arrive, and bodies that are declared and never arrive.
#[test]
fn bodies_of_a_megabyte_and_of_any_length() {
    under_attack("1 MB bodies", &[], |attack| {
        let body = "x".repeat(1 << 20);
        let lengths =
            ["1000000000", "10000000000000", "9223372036854775808", "18446744073709551615", "-1", "x"];
        let mut held = Vec::new();
        attack.again(amount(60, 1_500), |n| {
            let Some(mut stream) = attack.connect(10) else { return };
            let (method, path) = (["POST", "GET", "PUT"][n % 3], ["/", "/nowhere", "/ws", "/healthz"][n % 4]);
            let expect = if n % 2 == 0 { "Expect: 100-continue\r\n" } else { "" };
            let length = lengths.get(n % 8).copied().unwrap_or("1048576");
            let head = format!(
                "{method} {path} HTTP/1.1\r\nHost: {}\r\n{expect}Content-Length: {length}\r\n\r\n",
                attack.to
            );
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.write_all(if length == "1048576" { body.as_bytes() } else { b"abc" });
            let status = status(&mut stream);
            assert!(matches!(status, 0 | 405 | 413), "{method} {path} {length}: {status}");
            held.push(stream);
            if held.len() > 200 {
                held.clear();
            }
        });
    });
}

#[test]
fn pipelined_requests() {
    under_attack("pipelined requests", &[], |attack| {
        let many = format!("GET /js/tv/main.js HTTP/1.1\r\nHost: {}\r\n\r\n", attack.to).repeat(2_000);
        attack.again(amount(4, 60), |_| {
            let Some(stream) = attack.connect(10) else { return };
            let mut reader = stream.try_clone().unwrap();
            let answers = std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
            let _ = (&stream).write_all(many.as_bytes());
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let _ = answers.join();
        });
    });
}

#[test]
fn malformed_requests() {
    under_attack("malformed requests", &[], |attack| {
        let right =
            format!("GET /js/link.js HTTP/1.1\r\nHost: {}\r\nAccept: */*\r\n\r\n", attack.to).into_bytes();
        let mut random = StdRng::seed_from_u64(7);
        attack.again(amount(1_000, 20_000), |n| {
            let Some(mut stream) = attack.connect(10) else { return };
            let mut bytes = match n % 4 {
                0 => (0..500).map(|_| random.random()).collect(),
                1 => b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
                _ => right.clone(),
            };
            for _ in 0..3 {
                let at = random.random_range(0..bytes.len());
                bytes[at] = random.random();
            }
            let _ = stream.write_all(&bytes);
        });
    });
}
