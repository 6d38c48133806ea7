//! Reasons for rejecting a request, and the responses for them.

use super::response::{Header, Response, uncached};

/// A reason for rejecting a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rejection {
    /// The bytes are not an HTTP request, or one of an unsupported form.
    Malformed,
    /// The WebSocket belongs to a page of another site.
    Origin,
    /// There is nothing at that path.
    Missing,
    /// The method is neither GET nor HEAD.
    Method,
    /// The head was not complete in time.
    Late,
    /// The request has a body.
    Body,
    /// The Host is not one of the box's names and addresses.
    Host,
    /// The address has too many connections.
    TooManyConnections,
    /// The head is too long.
    HeadTooBig,
}

impl Rejection {
    /// Returns the HTTP status, the label in the metrics, and the text for the guest.
    fn status_label_and_text(self) -> (u16, &'static str, &'static str) {
        match self {
            Rejection::Malformed => (400, "malformed", "This is not a request that the box understands."),
            Rejection::Origin => (403, "origin", "Only the box's own pages may do this."),
            Rejection::Missing => (404, "missing", "There is nothing here. Scan the code on the TV."),
            Rejection::Method => (405, "method", "The box only shows pages."),
            Rejection::Late => (408, "late", "That took too long."),
            Rejection::Body => (413, "body", "The box takes no uploads."),
            Rejection::Host => (421, "host", "This is not an address of the box. Scan the code on the TV."),
            Rejection::TooManyConnections => {
                (429, "crowd", "Too many connections from your address. Close some pages and try again.")
            }
            Rejection::HeadTooBig => (431, "head", "This request is too long."),
        }
    }

    /// Returns the label in the metrics.
    pub fn label(self) -> &'static str {
        self.status_label_and_text().1
    }

    /// Returns the response with that status and text.
    pub(super) fn response(self) -> Response {
        let (status, _, text) = self.status_label_and_text();
        let extra: &[Header<'_>] = match self {
            Rejection::Method => &[("Allow", "GET, HEAD")],
            Rejection::TooManyConnections => &[("Retry-After", "5")],
            // Names the supported version to WebSocket clients of another version (RFC 6455, 4.4).
            Rejection::Malformed => &[("Sec-WebSocket-Version", "13")],
            _ => &[],
        };
        uncached(status, "text/plain; charset=utf-8", extra, format!("{text}\n"))
    }
}
