//! Prints responses to bytes, which are then shared.

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
    /// Whether it is an HTML page. A page is sent with a [`content_security_policy_line`] for its request's Host.
    pub page: bool,
}

/// A header line: name and value.
pub(super) type Header<'a> = (&'a str, &'a str);

/// Header lines of every response. There is no Date, since the board has no battery-backed clock, and a server without
/// a reliable clock must not send one (RFC 9110, 6.6.1).
const EVERY: [Header<'static>; 2] =
    [("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin")];

/// Forbids everything to a response that is not a page but that a browser may show as a document.
pub(super) const INERT: &[Header<'static>] =
    &[("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")];

/// Stops older browsers from framing a page, and all browsers from sending its address to other sites.
pub(super) const PAGE: &[Header<'static>] =
    &[("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer")];

/// Returns a response that must not be cached.
pub(super) fn uncached(status: u16, content_type: &str, extra: &[Header<'_>], body: String) -> Response {
    let headers = [("Content-Type", content_type), ("Cache-Control", "no-store")];
    let head = print_head(status, &[&headers, INERT, extra].concat(), Some(body.len()));
    Response { head, body: body.into(), page: false }
}

/// Returns the Content-Security-Policy line of a page requested with this Host, which must have been checked.
///
/// The Host is needed for Safari before 16, where 'self' does not include WebSockets
/// (<https://github.com/w3c/webappsec-csp/issues/7>).
pub(super) fn content_security_policy_line(host: &str) -> String {
    format!(
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         font-src 'self'; manifest-src 'self'; connect-src 'self' ws://{host}; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'\r\n"
    )
}

/// Prints the head of a response without the empty line at the end. `length` is the Content-Length in bytes.
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
