//! The head of a request: read byte by byte with suspicion, then understood. Pure.
//!
//! `httparse` takes more than a page of ours ever sends (lines that end in LF alone, absolute addresses,
//! any bytes in a path), and what two parsers understand differently is how requests are smuggled. So
//! the scanner refuses such bytes before `httparse` sees them.

use super::pages::No;
use crate::limits::{HEAD_BYTES_MAX, HEADERS_MAX};
use async_tungstenite::tungstenite::http;

/// Looks for the end of a head while its bytes come in.
#[derive(Debug, Default)]
pub struct Scanner {
    seen: usize,
    line: usize,
}

impl Scanner {
    /// Looks at the new bytes of `bytes`, which holds all of the head so far. `Some`: where the head ends.
    ///
    /// # Errors
    /// The refusal, as soon as no further byte could make it right.
    pub fn scan(&mut self, bytes: &[u8]) -> Result<Option<usize>, No> {
        // No method begins otherwise; a TLS hello begins with 0x16.
        if bytes.first().is_some_and(|byte| !byte.is_ascii_uppercase()) {
            return Err(No::Malformed);
        }
        while let Some(&byte) = bytes.get(self.seen) {
            let after_cr = self.seen > 0 && bytes[self.seen - 1] == b'\r';
            let right = match byte {
                b'\n' => after_cr,
                _ if after_cr => false,
                b'\r' => true,
                b'\t' => self.line > 0,
                0..0x20 | 0x7f => false,
                0x80.. => self.line > 0,
                _ => true,
            };
            if !right {
                return Err(No::Malformed);
            }
            self.seen += 1;
            if self.seen > HEAD_BYTES_MAX {
                return Err(No::HeadTooBig);
            }
            if byte == b'\n' {
                if self.seen - self.line == 2 {
                    return Ok(Some(self.seen));
                }
                self.line = self.seen;
            }
        }
        Ok(None)
    }
}

/// What a request asks for.
#[derive(Debug)]
pub struct Head {
    /// HEAD instead of GET: the answer goes without its body.
    pub bodiless: bool,
    /// The path, undecoded, without the query.
    pub path: String,
    /// The one Host.
    pub host: String,
    /// The Origin: none, or one; several are none that could be right.
    pub origin: Option<String>,
    /// Does it take gzip?
    pub gzip: bool,
    /// If-None-Match.
    pub known: Option<String>,
    /// Is the connection over after the answer?
    pub last: bool,
    /// What makes a WebSocket of it, for tungstenite to judge.
    pub upgrade: http::Request<()>,
}

/// Understands a whole head, as the scanner has found it.
///
/// # Errors
/// The refusal.
pub fn parse(bytes: &[u8]) -> Result<Head, No> {
    let mut lines = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut request = httparse::Request::new(&mut lines);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => return Err(No::HeadTooBig),
        Ok(httparse::Status::Partial) | Err(_) => return Err(No::Malformed),
    }
    let target = request.path.filter(|path| path.starts_with('/')).ok_or(No::Malformed)?;
    let path = target.split_once(['?', '#']).map_or(target, |(path, _)| path);
    let http_1_1 = request.version == Some(1);
    let mut head = Head {
        bodiless: request.method == Some("HEAD"),
        path: path.to_owned(),
        host: String::new(),
        origin: None,
        gzip: false,
        known: None,
        last: !http_1_1,
        upgrade: http::Request::new(()),
    };
    let mut hosts = 0;
    let mut body = false;
    for line in request.headers.iter() {
        // What is no text equals nothing that is right below.
        let value = std::str::from_utf8(line.value).unwrap_or("\u{fffd}").trim_ascii();
        match line.name.to_ascii_lowercase().as_str() {
            "host" => {
                hosts += 1;
                head.host = value.to_owned();
            }
            "origin" => {
                // A second one makes a list that equals no Host.
                head.origin = Some(head.origin.map_or(value.to_owned(), |first| format!("{first} {value}")));
            }
            "content-length" => body |= value != "0",
            "transfer-encoding" => body = true,
            "connection" => head.last |= tokens(value).any(|token| token.eq_ignore_ascii_case("close")),
            "accept-encoding" => head.gzip |= tokens(value).any(takes_gzip),
            "if-none-match" => head.known = Some(value.to_owned()),
            _ => {}
        }
    }
    if hosts != 1 || head.host.is_empty() {
        return Err(No::Malformed);
    }
    if !matches!(request.method, Some("GET" | "HEAD")) {
        return Err(No::Method);
    }
    if body {
        return Err(No::Body);
    }
    head.upgrade = upgrade(&request, http_1_1);
    Ok(head)
}

/// The lines of the head that are about WebSockets, and nothing that a guest could fill memory with.
fn upgrade(request: &httparse::Request<'_, '_>, http_1_1: bool) -> http::Request<()> {
    let mut about = http::Request::new(());
    *about.version_mut() = if http_1_1 { http::Version::HTTP_11 } else { http::Version::HTTP_10 };
    if request.method == Some("HEAD") {
        *about.method_mut() = http::Method::HEAD;
    }
    for name in ["connection", "upgrade", "sec-websocket-version", "sec-websocket-key"] {
        let line = request.headers.iter().find(|line| line.name.eq_ignore_ascii_case(name));
        if let Some(value) = line.and_then(|line| http::HeaderValue::from_bytes(line.value).ok()) {
            about.headers_mut().insert(name, value);
        }
    }
    about
}

fn tokens(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim_ascii)
}

fn takes_gzip(token: &str) -> bool {
    let (coding, weight) = token.split_once(';').unwrap_or((token, ""));
    let refused =
        weight.trim_ascii().strip_prefix("q=").and_then(|q| q.parse().ok()).is_some_and(|q: f32| q <= 0.0);
    coding.trim_ascii().eq_ignore_ascii_case("gzip") && !refused
}
