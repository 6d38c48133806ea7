//! Compiles the pages in: every file of www/ with its kind, its hash, and its compressed form.

#[path = "net/kinds.rs"]
mod kinds;

use flate2::{Compression, write::GzEncoder};
use sha1::{Digest, Sha1};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// A path below www/ and what is in the file.
type File = (String, Vec<u8>);

fn main() -> io::Result<()> {
    let top = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let www = top.join("www");
    println!("cargo::rerun-if-changed=www");
    println!("cargo::rerun-if-changed=daemon/build.rs");
    println!("cargo::rerun-if-changed=daemon/net/kinds.rs");

    let mut files = Vec::new();
    walk(&www, "", &mut files)?;
    files.sort();
    let mut all = Sha1::new();
    for (path, bytes) in &files {
        all.update(format!("{path}\n{}\n", bytes.len()));
        all.update(bytes);
    }
    // A page from another build reloads itself: this is what tells the builds apart.
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let build = format!("{version}-{}", hex(&all.finalize(), 3));

    let mut table =
        format!("/// Names this build's pages: version and hash.\npub const BUILD: &str = {build:?};\n");
    table.push_str("static FILES: &[File] = &[\n");
    for (number, (path, bytes)) in files.iter().enumerate() {
        let mut bytes = bytes.clone();
        let Some(kind) = kinds::kind(path) else {
            println!("cargo::warning=www/{path} is of no kind that is served");
            continue;
        };
        if path.ends_with(".html") {
            let page = String::from_utf8_lossy(&bytes).replace("{{build}}", &build);
            bytes = page.replace("<!-- {{preload}} -->", &preload(&page, &files)?).into_bytes();
        } else if path.ends_with(".js") || path.ends_with(".css") {
            bytes = uncommented(&String::from_utf8_lossy(&bytes))?.into_bytes();
        }
        let hash = hex(&Sha1::digest(&bytes), 8);
        let plain = out.join(format!("{number}"));
        fs::write(&plain, &bytes)?;
        let packed = gzip(&bytes)?;
        let gzip = if packed.len() < bytes.len() {
            let file = out.join(format!("{number}.gz"));
            fs::write(&file, &packed)?;
            format!("Some(include_bytes!({file:?}))")
        } else {
            "None".to_owned()
        };
        let _ = writeln!(
            table,
            "File {{ path: {path:?}, kind: {kind:?}, hash: {hash:?}, bytes: include_bytes!({plain:?}), gzip: {gzip} }},"
        );
    }
    table.push_str("];\n");
    fs::write(out.join("pages.rs"), table)
}

fn walk(dir: &Path, under: &str, files: &mut Vec<File>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = format!("{under}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.push((path, fs::read(entry.path())?));
        }
    }
    Ok(())
}

/// The lines that ask for all modules of a page in one round trip: first those that its script imports, then those that
/// it imports while it runs already.
fn preload(page: &str, files: &[File]) -> io::Result<String> {
    let (_, script) = page.split_once("<script type=\"module\" src=\"/").unwrap_or_default();
    let script = script.split('"').next().unwrap_or_default();
    let (mut found, mut later) = (vec![script.to_owned()], Vec::new());
    imports(script, files, &mut found, &mut later)?;
    let first = found.len();
    while let Some(module) = later.pop() {
        if !found.contains(&module) {
            found.push(module.clone());
            imports(&module, files, &mut found, &mut later)?;
        }
    }
    let line = |(at, module): (usize, &String)| {
        let low = if at < first { "" } else { " fetchpriority=\"low\"" };
        format!("<link rel=\"modulepreload\" href=\"/{module}\"{low}>")
    };
    Ok(found.iter().enumerate().skip(1).map(line).collect::<Vec<_>>().join("\n    "))
}

/// Adds the modules that a module imports, and those that they import. `later`: those that it awaits.
fn imports(of: &str, files: &[File], found: &mut Vec<String>, later: &mut Vec<String>) -> io::Result<()> {
    let file = files.iter().find(|(path, _)| path == of);
    let (_, bytes) = file.ok_or_else(|| io::Error::other(format!("www/{of} is imported, but not there")))?;
    let code = uncommented(&String::from_utf8_lossy(bytes))?;
    let named = |before: &'static str| {
        let rest = code.split(before).skip(1);
        rest.filter_map(|rest| Some(beside(of, rest.split_once('"')?.0))).collect::<Vec<_>>()
    };
    later.extend(named("await import(\""));
    for module in named(" from \"") {
        if !found.contains(&module) {
            found.push(module.clone());
            imports(&module, files, found, later)?;
        }
    }
    Ok(())
}

/// The path that a module's relative address means.
fn beside(module: &str, address: &str) -> String {
    let mut parts: Vec<&str> = module.split('/').collect();
    parts.pop();
    for part in address.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The same code without what only its readers need: comments, and what lines are indented by. A third of what would
/// go over the Wi-Fi. The lines stay, so that what a browser says of an error fits the source;
/// `tests/browser/served.test.mjs` holds every word of it.
///
/// # Errors
/// Code behind the end of a comment of several lines, which would be lost with it.
fn uncommented(code: &str) -> io::Result<String> {
    let (mut comment, mut template) = (false, false);
    let mut left = String::with_capacity(code.len());
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
            left.push_str(&if inside || template { line.to_owned() } else { bare(text) });
        }
        left.push('\n');
    }
    Ok(left)
}

/// A line without the comments in it, which blanks set off. What stands in a quotation is none.
fn bare(line: &str) -> String {
    let told = |at: usize| ['"', '\'', '`'].iter().all(|&quote| line[..at].matches(quote).count() % 2 == 0);
    if let Some(at) = line.find(" // ").filter(|&at| told(at)) {
        return bare(line[..at].trim_end());
    }
    let open = line.find("/* ").or_else(|| line.find("/** ")).filter(|&at| told(at));
    let Some((at, end)) = open.and_then(|at| Some((at, at + line[at..].find("*/")? + 2))) else {
        return line.to_owned();
    };
    bare(&format!("{}{}", &line[..at], line[end..].trim_start()))
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn hex(hash: &[u8], bytes: usize) -> String {
    hash.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}
