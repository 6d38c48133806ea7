//! Tests thousands of mangled request heads: the result does not depend on the pieces, and nothing panics.

use doozer_box::limits::REQUEST_HEAD_BYTES_MAX;
use doozer_box::net::{HeadScanner, Rejection, parse};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// Scans a head in pieces of that many bytes. Returns its length, or the rejection.
fn scan(bytes: &[u8], piece: usize) -> Result<Option<usize>, Rejection> {
    let mut scanner = HeadScanner::default();
    let mut end = 0;
    while end < bytes.len() {
        end = bytes.len().min(end + piece);
        if let Some(length) = scanner.scan(&bytes[..end])? {
            return Ok(Some(length));
        }
    }
    Ok(None)
}

fn mangle(random: &mut StdRng, bytes: &mut Vec<u8>) {
    const TOKENS: [&[u8]; 14] = [
        b"\r\n",
        b"\n",
        b"\r",
        b"\0",
        b" ",
        b"\t",
        b":",
        b"Host: a\r\n",
        b"Content-Length: 1\r\n",
        b"\xff",
        b"Transfer-Encoding: chunked\r\n",
        b"GET / HTTP/1.1\r\n",
        b"/../",
        b"\r\n\r\n",
    ];
    for _ in 0..random.random_range(0..4) {
        let at = random.random_range(0..=bytes.len());
        match random.random_range(0..4) {
            0 if at < bytes.len() => bytes[at] = random.random(),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.truncate(at),
            _ => drop(bytes.splice(at..at, TOKENS[random.random_range(0..TOKENS.len())].iter().copied())),
        }
    }
}

#[test]
fn a_head_in_pieces_gives_the_same_result() {
    const SEEDS: [&[u8]; 3] = [
        b"GET /js/wire.js HTTP/1.1\r\nHost: 192.168.1.20\r\nUser-Agent: caf\xc3\xa9\r\nAccept-Encoding: gzip\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nHost: doozer.local\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nOrigin: http://x\r\n\r\n",
        b"HEAD /?a=b HTTP/1.0\r\nHost: a\r\nContent-Length: 0\r\nIf-None-Match: \"x\"\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    ];
    let mut random = StdRng::seed_from_u64(7);
    let (mut passed, mut refused) = (0, 0);
    for round in 0..30_000 {
        let mut bytes = SEEDS[round % SEEDS.len()].to_vec();
        mangle(&mut random, &mut bytes);
        let whole = scan(&bytes, usize::MAX / 2);
        for piece in [1, 2, 3, 7, 64] {
            assert_eq!(
                scan(&bytes, piece),
                whole,
                "in pieces of {piece}: {:?}",
                bytes.escape_ascii().to_string()
            );
        }
        let Ok(Some(length)) = whole else { continue };
        assert!(bytes[..length].ends_with(b"\r\n\r\n") && length <= REQUEST_HEAD_BYTES_MAX);
        match parse(&bytes[..length]) {
            Ok(head) => {
                passed += 1;
                assert!(head.path.starts_with('/') && head.path.is_ascii() && !head.host.is_empty());
                let text = bytes[..length].to_ascii_lowercase();
                let hosts = text.windows(7).filter(|seven| seven == b"\r\nhost:").count();
                let chunked = text.windows(20).any(|line| line == b"\r\ntransfer-encoding:");
                assert!(hosts == 1 && !chunked, "{:?}", bytes.escape_ascii().to_string());
            }
            Err(_) => refused += 1,
        }
    }
    assert!(
        passed > 3_000 && refused > 1_000,
        "{passed} passed and {refused} were refused: mangle otherwise"
    );
}

#[test]
fn the_longest_head_passes_and_a_longer_one_does_not() {
    let head = |length: usize| {
        let (start, end) = ("GET / HTTP/1.1\r\nHost: a\r\nA: ", "\r\n\r\n");
        format!("{start}{}{end}", "x".repeat(length - start.len() - end.len())).into_bytes()
    };
    assert_eq!(scan(&head(REQUEST_HEAD_BYTES_MAX), 1_000), Ok(Some(REQUEST_HEAD_BYTES_MAX)));
    assert_eq!(scan(&head(REQUEST_HEAD_BYTES_MAX + 1), 1_000), Err(Rejection::HeadTooBig));
}
