//! The media types of served files. Shared with the build script.

/// Returns the Content-Type of a file by its extension, or `None` for a file that is never served.
pub(crate) fn content_type(path: &str) -> Option<&'static str> {
    if path.ends_with(".d.ts") || path.split('/').any(|part| part.starts_with('.')) {
        return None;
    }
    Some(match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        // No charset, to save bytes in each of a page's many files. A module is always UTF-8 (HTML, "fetch a single module
        // script"), and a classic script or style sheet has the encoding of its page.
        "css" => "text/css",
        "js" => "text/javascript",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" => "text/plain; charset=utf-8",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        _ => return None,
    })
}
