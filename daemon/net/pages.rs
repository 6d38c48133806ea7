//! The files of www/, compiled in, and every answer that is the same for all: printed once, then shared.
//!
//! Answers are tiny_http's `Response`s. Its server is not used (see `door`).

use super::head::Head;
use super::kinds::kind;
use crate::games;
use async_tungstenite::tungstenite::Bytes;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};
use tiny_http::{HTTPVersion, Header, Response, StatusCode};

/// A file of www/.
struct File {
    path: &'static str,
    kind: &'static str,
    hash: &'static str,
    bytes: &'static [u8],
    gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The letters of a room's code, which is also a path.
const CODE_LETTERS: &str = "BCDFGHJKLMNPQRSTVWXZ";

/// One answer, printed. Cloning it copies nothing.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status line and the header lines, without the empty line at the end.
    pub head: Bytes,
    /// The body; not sent in answer to HEAD.
    pub body: Bytes,
    /// Is it a page, which gets a Content-Security-Policy with the Host that it came by?
    pub page: bool,
}

/// Why a request is not answered with what it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum No {
    /// No request, or not one that we take.
    Malformed,
    /// A page of somewhere else wants to speak to the box.
    Origin,
    /// For this machine only.
    Local,
    /// Nothing there.
    Missing,
    /// Neither GET nor HEAD.
    Method,
    /// The head took too long.
    Late,
    /// It has a body.
    Body,
    /// Meant for another host.
    Host,
    /// Too many connections from its address.
    Crowd,
    /// The head is too long.
    HeadTooBig,
}

impl No {
    const ALL: [No; 10] = [
        No::Malformed,
        No::Origin,
        No::Local,
        No::Missing,
        No::Method,
        No::Late,
        No::Body,
        No::Host,
        No::Crowd,
        No::HeadTooBig,
    ];

    /// HTTP status, name in the metrics, and the words on the phone.
    fn told(self) -> (u16, &'static str, &'static str) {
        match self {
            No::Malformed => (400, "malformed", "This is not a request that the box understands."),
            No::Origin => (403, "origin", "Only the box's own pages may do this."),
            No::Local => (403, "local", "This is for the box itself only."),
            No::Missing => (404, "missing", "There is nothing here. Scan the code on the TV."),
            No::Method => (405, "method", "The box only shows pages."),
            No::Late => (408, "late", "That took too long."),
            No::Body => (413, "body", "The box takes no uploads."),
            No::Host => (421, "host", "This is not an address of the box. Scan the code on the TV."),
            No::Crowd => {
                (429, "crowd", "Too many connections from your address. Close some pages and try again.")
            }
            No::HeadTooBig => (431, "head", "This request is too long."),
        }
    }

    /// Its name in the metrics.
    pub fn name(self) -> &'static str {
        self.told().1
    }
}

/// All pages, and the refusals.
#[derive(Debug)]
pub struct Pages {
    files: HashMap<&'static str, Prepared>,
    disk: Option<PathBuf>,
    refusals: HashMap<No, Answer>,
}

#[derive(Debug)]
struct Prepared {
    plain: Answer,
    gzip: Option<Answer>,
    same: Answer,
    hash: String,
}

impl Pages {
    /// The pages that are compiled in or, for working on them, those of a directory, read anew each time.
    pub fn new(disk: Option<PathBuf>) -> Pages {
        let prepare = |file: &File| {
            let (bytes, gzip) = (Bytes::from_static(file.bytes), file.gzip.map(Bytes::from_static));
            (file.path, prepare(file.kind, file.hash.to_owned(), bytes, gzip))
        };
        let refusals = No::ALL.into_iter().map(|no| (no, refusal(no))).collect();
        Pages { files: FILES.iter().map(prepare).collect(), disk, refusals }
    }

    /// The answer to a GET or HEAD that has passed all checks, if there is such a page.
    pub fn get(&self, head: &Head) -> Option<Answer> {
        let file = route(&head.path)?;
        let Some(disk) = &self.disk else {
            return self.files.get(file).map(|prepared| prepared.answer(head));
        };
        let bytes = fs::read(find(disk, "", file)?).ok()?;
        let bytes = if file.ends_with(".html") {
            String::from_utf8_lossy(&bytes).replace("{{build}}", BUILD).into_bytes()
        } else {
            bytes
        };
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        Some(prepare(kind(file)?, format!("{:016x}", hasher.finish()), bytes.into(), None).answer(head))
    }

    /// The answer that refuses.
    pub fn refuse(&self, no: No) -> Answer {
        self.refusals.get(&no).cloned().unwrap_or_else(|| refusal(no))
    }
}

impl Prepared {
    fn answer(&self, head: &Head) -> Answer {
        let known = head.known.as_deref().is_some_and(|known| names(known, &self.hash));
        let answer = match (&self.gzip, known) {
            (_, true) => &self.same,
            (Some(gzip), false) if head.gzip => gzip,
            _ => &self.plain,
        };
        answer.clone()
    }
}

/// Which file is at a path. Only the table of files decides whether there is one: nothing is decoded,
/// joined or cleaned, so nothing climbs out.
fn route(path: &str) -> Option<&str> {
    let name = path.strip_prefix('/')?;
    let page = name.strip_suffix('/').unwrap_or(name);
    let is_code = page.len() == 4 && page.chars().all(|c| CODE_LETTERS.contains(c.to_ascii_uppercase()));
    let is_tv = page == "tv" || page.strip_prefix("tv/").is_some_and(|slug| games::find(slug).is_some());
    match name {
        "" => Some("pad.html"),
        _ if is_code => Some("pad.html"),
        _ if is_tv => Some("tv.html"),
        "favicon.ico" => Some("icon.svg"),
        _ if name.ends_with(".html") => None,
        _ => Some(name),
    }
}

/// The file of that name, found by walking the directory: only what is in it, no links.
fn find(dir: &Path, under: &str, wanted: &str) -> Option<PathBuf> {
    fs::read_dir(dir).ok()?.flatten().find_map(|entry| {
        let path = format!("{under}{}", entry.file_name().to_str()?);
        let what = entry.file_type().ok()?;
        if what.is_dir() && wanted.starts_with(&format!("{path}/")) {
            find(&entry.path(), &format!("{path}/"), wanted)
        } else {
            (what.is_file() && path == wanted).then(|| entry.path())
        }
    })
}

/// Does an If-None-Match name that hash? Compared weakly (RFC 9110, 13.1.2).
fn names(known: &str, hash: &str) -> bool {
    known.split(',').map(str::trim_ascii).any(|tag| {
        let tag = tag.strip_prefix("W/").unwrap_or(tag);
        tag == "*" || tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')) == Some(hash)
    })
}

fn prepare(kind: &str, hash: String, bytes: Bytes, gzip: Option<Bytes>) -> Prepared {
    // Weak: the compressed and the plain form are the same page.
    let tag = format!("W/\"{hash}\"");
    let lines =
        [("Content-Type", kind), ("ETag", &tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")];
    let page = kind.starts_with("text/html");
    let guard = match kind.split(';').next() {
        Some("text/html") => PAGE,
        // No browser runs these as a document, and a page has dozens of them.
        Some("text/css" | "text/javascript") => &[],
        _ => INERT,
    };
    let make = |status, extra: &[(&str, &str)], length: usize, body: Bytes| {
        let head = print(status, &[&lines, guard, extra].concat(), length);
        Answer { head, body, page }
    };
    Prepared {
        same: make(304, &[], bytes.len(), Bytes::new()),
        gzip: gzip.map(|gzip| make(200, &[("Content-Encoding", "gzip")], gzip.len(), gzip)),
        plain: make(200, &[], bytes.len(), bytes),
        hash,
    }
}

fn refusal(no: No) -> Answer {
    let (status, _, words) = no.told();
    let extra: &[(&str, &str)] = match no {
        No::Method => &[("Allow", "GET, HEAD")],
        No::Crowd => &[("Retry-After", "5")],
        // What a WebSocket of another version needs to know (RFC 6455, 4.4).
        No::Malformed => &[("Sec-WebSocket-Version", "13")],
        _ => &[],
    };
    fresh(status, "text/plain; charset=utf-8", extra, format!("{words}\n"))
}

/// An answer of this moment, not to be kept by anyone.
pub(super) fn fresh(status: u16, kind: &str, extra: &[(&str, &str)], body: String) -> Answer {
    let lines = [("Content-Type", kind), ("Cache-Control", "no-store")];
    let head = print(status, &[&lines, INERT, extra].concat(), body.len());
    Answer { head, body: body.into(), page: false }
}

/// Header lines of every answer.
const ALWAYS: [(&str, &str); 4] = [
    ("Server", ""),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Date", ""),
];

/// What anything else that a browser shows may do there: nothing.
const INERT: &[(&str, &str)] = &[("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")];
/// What a page has instead, beside its [`policy`]: nobody may frame it, which older browsers learn here, and nobody is
/// told where a guest comes from.
const PAGE: &[(&str, &str)] = &[("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer")];

/// The Content-Security-Policy line of a page, ready to send. The Host has passed the door's check, so it
/// is a name or address of ours. It is there for Safari before 16, to which 'self' is no WebSocket
/// (https://github.com/w3c/webappsec-csp/issues/7).
pub(super) fn policy(host: &str) -> String {
    format!(
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         font-src 'self'; manifest-src 'self'; connect-src 'self' ws://{host}; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'\r\n"
    )
}

/// Prints the head of an answer, without the empty line at its end.
fn print(status: u16, lines: &[(&str, &str)], length: usize) -> Bytes {
    let lines = ALWAYS.iter().chain(lines);
    let headers = lines.filter_map(|(name, value)| Header::from_bytes(*name, *value).ok()).collect();
    let response = Response::new(StatusCode(status), headers, io::empty(), Some(length), None)
        .with_chunked_threshold(usize::MAX);
    let mut head = Vec::new();
    // Into memory: cannot fail.
    let _ = response.raw_print(&mut head, HTTPVersion(1, 1), &[], true, None);
    // The board has no clock of its own, and who has none must not send a Date (RFC 9110, 6.6.1); what software
    // this is helps no browser, and would be half a kilobyte of each page. tiny_http always sends both.
    let text = String::from_utf8_lossy(&head).replacen("Date: \r\n", "", 1).replacen("Server: \r\n", "", 1);
    text.strip_suffix("\r\n").unwrap_or(&text).to_owned().into()
}
