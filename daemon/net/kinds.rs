//! What kinds of files are pages. Shared with the build script.

/// The Content-Type of a file by its name's end; `None`: not a file that is ever served.
pub(crate) fn kind(path: &str) -> Option<&'static str> {
    if path.ends_with(".d.ts") || path.split('/').any(|part| part.starts_with('.')) {
        return None;
    }
    Some(match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" => "text/plain; charset=utf-8",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        _ => return None,
    })
}
