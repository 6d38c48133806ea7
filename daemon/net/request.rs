//! Scans request heads byte by byte, then parses them. Pure.
//!
//! `httparse` accepts more than browsers send, such as lines that end with LF only and any bytes in a path. Requests
//! that two parsers read differently can be used for request smuggling. The scanner rejects such bytes before
//! `httparse` sees them.

use super::rejection::Rejection;
use crate::limits::{HEADERS_MAX, REQUEST_HEAD_BYTES_MAX};
use async_tungstenite::tungstenite::http;

/// Finds the end of a head while its bytes arrive.
#[derive(Debug, Default)]
pub struct HeadScanner {
    seen: usize,
    line: usize,
}

impl HeadScanner {
    /// Scans the new bytes of `bytes`, which holds all of the head so far. Returns the length of a complete head.
    ///
    /// # Errors
    /// Returns the rejection as soon as the head cannot become valid any more.
    pub fn scan(&mut self, bytes: &[u8]) -> Result<Option<usize>, Rejection> {
        // Every method starts with a letter. A TLS ClientHello starts with 0x16.
        if bytes.first().is_some_and(|byte| !byte.is_ascii_uppercase()) {
            return Err(Rejection::Malformed);
        }
        while let Some(&byte) = bytes.get(self.seen) {
            let after_cr = self.seen > 0 && bytes[self.seen - 1] == b'\r';
            let valid = match byte {
                b'\n' => after_cr,
                _ if after_cr => false,
                b'\r' => true,
                b'\t' => self.line > 0,
                0..0x20 | 0x7f => false,
                0x80.. => self.line > 0,
                _ => true,
            };
            if !valid {
                return Err(Rejection::Malformed);
            }
            self.seen += 1;
            if self.seen > REQUEST_HEAD_BYTES_MAX {
                return Err(Rejection::HeadTooBig);
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

/// A parsed request head.
#[derive(Debug)]
pub struct RequestHead {
    /// Whether the method is HEAD instead of GET: the response is sent without its body.
    pub is_head: bool,
    /// The path, not decoded, without the query.
    pub path: String,
    /// The Host.
    pub host: String,
    /// The Origin, if there is one. Several are joined, which equals no Host.
    pub origin: Option<String>,
    /// Whether the client accepts gzip.
    pub gzip: bool,
    /// The If-None-Match header.
    pub if_none_match: Option<String>,
    /// Whether the connection ends after the response.
    pub close: bool,
    /// The headers of a WebSocket upgrade, for tungstenite to check.
    pub upgrade: http::Request<()>,
}

/// Parses a complete head, as found by [`HeadScanner`].
///
/// # Errors
/// Returns the reason for rejecting the request.
pub fn parse(bytes: &[u8]) -> Result<RequestHead, Rejection> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => return Err(Rejection::HeadTooBig),
        Ok(httparse::Status::Partial) | Err(_) => return Err(Rejection::Malformed),
    }
    let (authority, target) = split_target(request.path.unwrap_or_default()).ok_or(Rejection::Malformed)?;
    let path = target.split_once(['?', '#']).map_or(target, |(path, _)| path);
    let http_1_1 = request.version == Some(1);
    let mut head = RequestHead {
        is_head: request.method == Some("HEAD"),
        path: if path.is_empty() { "/" } else { path }.to_owned(),
        host: String::new(),
        origin: None,
        gzip: false,
        if_none_match: None,
        close: !http_1_1,
        upgrade: http::Request::new(()),
    };
    let mut hosts = 0;
    let mut body = false;
    for header in request.headers.iter() {
        // Bytes that are not UTF-8 match nothing below.
        let value = std::str::from_utf8(header.value).unwrap_or("\u{fffd}").trim_ascii();
        match header.name.to_ascii_lowercase().as_str() {
            "host" => {
                hosts += 1;
                head.host = value.to_owned();
            }
            "origin" => {
                // Two joined Origins equal no Host.
                head.origin = Some(head.origin.map_or(value.to_owned(), |first| format!("{first} {value}")));
            }
            "content-length" => body |= value != "0",
            "transfer-encoding" => body = true,
            "connection" => head.close |= tokens(value).any(|token| token.eq_ignore_ascii_case("close")),
            "accept-encoding" => head.gzip |= tokens(value).any(accepts_gzip),
            "if-none-match" => head.if_none_match = Some(value.to_owned()),
            _ => {}
        }
    }
    if hosts != 1 || head.host.is_empty() {
        return Err(Rejection::Malformed);
    }
    if let Some(authority) = authority {
        head.host = authority.to_owned();
    }
    if !matches!(request.method, Some("GET" | "HEAD")) {
        return Err(Rejection::Method);
    }
    if body {
        return Err(Rejection::Body);
    }
    head.upgrade = upgrade_request(&request, http_1_1);
    Ok(head)
}

/// Splits a request target into its authority and the rest.
///
/// The absolute form has an authority, which replaces the Host (RFC 9112, 3.2.2), and the origin form has none. Returns
/// `None` for any other form.
fn split_target(target: &str) -> Option<(Option<&str>, &str)> {
    if target.starts_with('/') {
        return Some((None, target));
    }
    let (scheme, rest) = target.split_once("://")?;
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    (scheme.eq_ignore_ascii_case("http") && !authority.is_empty()).then_some((Some(authority), rest))
}

/// Returns only the WebSocket headers, so that a guest cannot fill memory with others.
fn upgrade_request(request: &httparse::Request<'_, '_>, http_1_1: bool) -> http::Request<()> {
    let mut upgrade = http::Request::new(());
    *upgrade.version_mut() = if http_1_1 { http::Version::HTTP_11 } else { http::Version::HTTP_10 };
    if request.method == Some("HEAD") {
        *upgrade.method_mut() = http::Method::HEAD;
    }
    for name in ["connection", "upgrade", "sec-websocket-version", "sec-websocket-key"] {
        let header = request.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        if let Some(value) = header.and_then(|header| http::HeaderValue::from_bytes(header.value).ok()) {
            upgrade.headers_mut().insert(name, value);
        }
    }
    upgrade
}

fn tokens(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim_ascii)
}

fn accepts_gzip(token: &str) -> bool {
    let (coding, weight) = token.split_once(';').unwrap_or((token, ""));
    let refused =
        weight.trim_ascii().strip_prefix("q=").and_then(|q| q.parse().ok()).is_some_and(|q: f32| q <= 0.0);
    coding.trim_ascii().eq_ignore_ascii_case("gzip") && !refused
}
