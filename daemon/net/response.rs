//! Responses, printed to bytes once and shared.

use async_tungstenite::tungstenite::Bytes;
use async_tungstenite::tungstenite::http::StatusCode;
use std::fmt::Write as _;

/// A printed response. Cloning it copies no bytes.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status line and the header lines, without the empty line at the end.
    pub head: Bytes,
    /// The body, not sent in response to HEAD.
    pub body: Bytes,
    /// Whether it is an HTML page. A page is sent with the [`content_security_policy`] of its request's Host.
    pub page: bool,
}

/// A header line: name and value.
pub(super) type Header<'a> = (&'a str, &'a str);

/// Header lines of every response. The board has no clock of its own, and a server without one must not send a Date
/// (RFC 9110, 6.6.1).
const EVERY: [Header<'static>; 2] =
    [("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin")];

/// Forbids everything to a response that a browser shows as a document but that is no page.
pub(super) const INERT: &[Header<'static>] =
    &[("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")];

/// Forbids older browsers to frame a page, and all browsers to tell other sites where a guest comes from.
pub(super) const PAGE: &[Header<'static>] =
    &[("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer")];

/// Returns a response that no cache keeps.
pub(super) fn uncached(status: u16, content_type: &str, extra: &[Header<'_>], body: String) -> Response {
    let headers = [("Content-Type", content_type), ("Cache-Control", "no-store")];
    let head = print_head(status, &[&headers, INERT, extra].concat(), Some(body.len()));
    Response { head, body: body.into(), page: false }
}

/// Returns the Content-Security-Policy line of a page that was asked for by this Host, which must be checked already.
///
/// The Host is there for Safari before 16, in which 'self' covers no WebSocket
/// (<https://github.com/w3c/webappsec-csp/issues/7>).
pub(super) fn content_security_policy(host: &str) -> String {
    format!(
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         font-src 'self'; manifest-src 'self'; connect-src 'self' ws://{host}; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'\r\n"
    )
}

/// Prints the head of a response without the empty line at its end. `length` is the Content-Length in bytes.
pub(super) fn print_head(status: u16, headers: &[Header<'_>], length: Option<usize>) -> Bytes {
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    let mut head = format!("HTTP/1.1 {status} {}\r\n", reason.unwrap_or_default());
    // Writing to a string cannot fail.
    for (name, value) in EVERY.iter().chain(headers) {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    if let Some(length) = length {
        let _ = write!(head, "Content-Length: {length}\r\n");
    }
    head.into()
}
