//! Strips comments and indentation from what is served. They would be a third of a first load.
//!
//! The code works line by line and relies on the formatter's layout, which puts blanks around a comment in a line.
//! `tests/browser/served.test.mjs` compares each stripped file with its source by a real parser.

use std::io;

/// Returns the code without comments and indentation. Lines keep their numbers, so that a browser's messages match the
/// source.
///
/// # Errors
/// Returns an error if code follows a comment of several lines on its last line, because it would be lost.
pub(crate) fn strip_comments(code: &str) -> io::Result<String> {
    let (mut comment, mut template) = (false, false);
    let mut stripped = String::with_capacity(code.len());
    for line in code.lines() {
        let text = line.trim();
        let end = text.find("*/").map(|at| at + 2);
        if comment {
            comment = end.is_none();
            if end.is_some_and(|end| end < text.len()) {
                return Err(io::Error::other(format!("code behind a comment: {text}")));
            }
        } else if !template && text.starts_with("/*") && end.is_none() {
            comment = true;
        } else if template || !(text.starts_with("//") || text.starts_with("/*") && end == Some(text.len())) {
            let inside = template;
            template ^= line.matches('`').count() % 2 == 1;
            stripped.push_str(&if inside || template { line.to_owned() } else { strip_line(text) });
        }
        stripped.push('\n');
    }
    Ok(stripped)
}

/// Returns a page without indentation. Browsers show a line break and the blanks behind it as one blank.
pub(crate) fn strip_indentation(page: &str) -> String {
    page.lines().map(str::trim_start).collect::<Vec<_>>().join("\n")
}

/// Returns a line without the comments in it. Comment signs in quotes are kept.
fn strip_line(line: &str) -> String {
    let outside_quotes =
        |at: usize| ['"', '\'', '`'].iter().all(|&quote| line[..at].matches(quote).count() % 2 == 0);
    if let Some(at) = line.find(" // ").filter(|&at| outside_quotes(at)) {
        return strip_line(line[..at].trim_end());
    }
    let open = line.find("/* ").or_else(|| line.find("/** ")).filter(|&at| outside_quotes(at));
    let Some((at, end)) = open.and_then(|at| Some((at, at + line[at..].find("*/")? + 2))) else {
        return line.to_owned();
    };
    strip_line(&format!("{}{}", &line[..at], line[end..].trim_start()))
}
