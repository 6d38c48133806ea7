//! Serves the files of www/, which are compiled in. Their responses are printed once.

use super::Rejection;
use super::mime::content_type;
use super::request::RequestHead;
use super::response::{Header, INERT, PAGE, Response, print_head};
use crate::games;
use crate::room::code::Code;
use crate::version::BUILD;
use async_tungstenite::tungstenite::Bytes;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// A file of www/, as the build script writes it.
struct File {
    path: &'static str,
    content_type: &'static str,
    hash: &'static str,
    bytes: &'static [u8],
    gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The files to serve, and the responses to rejected requests.
#[derive(Debug)]
pub struct Assets {
    files: HashMap<&'static str, Prepared>,
    disk: Option<PathBuf>,
    /// The responses to rejected requests so far, each printed once.
    rejections: RefCell<HashMap<Rejection, Response>>,
}

/// The responses of one file.
#[derive(Debug)]
struct Prepared {
    plain: Response,
    gzip: Option<Response>,
    not_modified: Response,
    hash: String,
}

impl Assets {
    /// Returns the compiled-in files. With a directory, its files are read at each request instead, for work on the
    /// pages.
    pub fn new(disk: Option<PathBuf>) -> Assets {
        let prepare = |file: &File| {
            let (bytes, gzip) = (Bytes::from_static(file.bytes), file.gzip.map(Bytes::from_static));
            (file.path, prepare(file.content_type, file.hash.to_owned(), bytes, gzip))
        };
        Assets { files: FILES.iter().map(prepare).collect(), disk, rejections: RefCell::default() }
    }

    /// Returns the response to a request that has passed all checks, or `None` if there is no such file.
    pub fn get(&self, head: &RequestHead) -> Option<Response> {
        let file = route(&head.path)?;
        let Some(disk) = &self.disk else {
            return self.files.get(file).map(|prepared| prepared.response(head));
        };
        let bytes = fs::read(find(disk, "", file)?).ok()?;
        let bytes = if file.ends_with(".html") {
            String::from_utf8_lossy(&bytes).replace("{{build}}", BUILD).into_bytes()
        } else {
            bytes
        };
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let hash = format!("{:016x}", hasher.finish());
        Some(prepare(content_type(file)?, hash, bytes.into(), None).response(head))
    }

    /// Returns the response to a rejected request.
    pub fn reject(&self, rejection: Rejection) -> Response {
        self.rejections.borrow_mut().entry(rejection).or_insert_with(|| rejection.response()).clone()
    }
}

impl Prepared {
    fn response(&self, head: &RequestHead) -> Response {
        let known = head.if_none_match.as_deref().is_some_and(|tags| matches(tags, &self.hash));
        let response = match (&self.gzip, known) {
            (_, true) => &self.not_modified,
            (Some(gzip), false) if head.gzip => gzip,
            _ => &self.plain,
        };
        response.clone()
    }
}

/// Returns the file for a path. The path is neither decoded nor joined, so it cannot lead out of the table of files.
fn route(path: &str) -> Option<&str> {
    let name = path.strip_prefix('/')?;
    let page = name.strip_suffix('/').unwrap_or(name);
    let is_tv = page == "tv" || page.strip_prefix("tv/").is_some_and(|slug| games::find(slug).is_some());
    match name {
        "" => Some("pad.html"),
        "owner" | "owner/" => Some("owner.html"),
        _ if Code::parse(page).is_some() => Some("pad.html"),
        _ if is_tv => Some("tv.html"),
        "favicon.ico" => Some("icon.svg"),
        _ if name.ends_with(".html") => None,
        _ => Some(name),
    }
}

/// Returns the file with that name below a directory. Searches recursively and follows no links.
fn find(dir: &Path, under: &str, wanted: &str) -> Option<PathBuf> {
    fs::read_dir(dir).ok()?.flatten().find_map(|entry| {
        let path = format!("{under}{}", entry.file_name().to_str()?);
        let file_type = entry.file_type().ok()?;
        if file_type.is_dir() && wanted.starts_with(&format!("{path}/")) {
            find(&entry.path(), &format!("{path}/"), wanted)
        } else {
            (file_type.is_file() && path == wanted).then(|| entry.path())
        }
    })
}

/// Returns whether an If-None-Match contains that hash, by weak comparison (RFC 9110, 13.1.2).
fn matches(tags: &str, hash: &str) -> bool {
    tags.split(',').map(str::trim_ascii).any(|tag| {
        let tag = tag.strip_prefix("W/").unwrap_or(tag);
        tag == "*" || tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')) == Some(hash)
    })
}

/// Prints the responses of a file.
fn prepare(content_type: &str, hash: String, bytes: Bytes, gzip: Option<Bytes>) -> Prepared {
    // A weak tag, because the compressed and the plain form share it.
    let tag = format!("W/\"{hash}\"");
    let headers = [
        ("Content-Type", content_type),
        ("ETag", &tag),
        ("Cache-Control", "no-cache"),
        ("Vary", "Accept-Encoding"),
    ];
    let page = content_type.starts_with("text/html");
    let policy = match content_type.split(';').next() {
        Some("text/html") => PAGE,
        // Browsers do not show these as documents, and a page would repeat the headers dozens of times.
        Some("text/css" | "text/javascript") => &[],
        _ => INERT,
    };
    let print = |status, extra: &[Header<'_>], length, body: Bytes| {
        let head = print_head(status, &[&headers, policy, extra].concat(), length);
        Response { head, body, page }
    };
    Prepared {
        // Without a Content-Length, because that of the 200 depends on the client's Accept-Encoding (RFC 9110, 8.6).
        not_modified: print(304, &[], None, Bytes::new()),
        gzip: gzip.map(|gzip| print(200, &[("Content-Encoding", "gzip")], Some(gzip.len()), gzip)),
        plain: print(200, &[], Some(bytes.len()), bytes),
        hash,
    }
}
