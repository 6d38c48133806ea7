//! Compiles www/ in: each file with its media type, hash and compressed form.

#[path = "../net/mime.rs"]
mod mime;
mod strip;

use flate2::{Compression, write::GzEncoder};
use sha1::{Digest, Sha1};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};
use strip::strip_comments;

/// A path below www/, and the file's bytes.
type File = (String, Vec<u8>);

fn main() -> io::Result<()> {
    let top = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let www = top.join("www");
    println!("cargo::rerun-if-changed=www");
    println!("cargo::rerun-if-changed=daemon/build");
    println!("cargo::rerun-if-changed=daemon/net/mime.rs");

    let mut files = Vec::new();
    walk(&www, "", &mut files)?;
    files.sort();
    let mut all = Sha1::new();
    for (path, bytes) in &files {
        all.update(format!("{path}\n{}\n", bytes.len()));
        all.update(bytes);
    }
    // A page of another build reloads itself.
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let build = format!("{version}-{}", hex(&all.finalize(), 3));

    println!("cargo::rustc-env=DOOZER_BUILD={build}");

    let mut table = "static FILES: &[File] = &[\n".to_owned();
    for (number, (path, bytes)) in files.iter().enumerate() {
        let mut bytes = bytes.clone();
        let Some(content_type) = mime::content_type(path) else {
            println!("cargo::warning=www/{path} has no media type that is served");
            continue;
        };
        if path.ends_with(".html") {
            let page = String::from_utf8_lossy(&bytes).replace("{{build}}", &build);
            bytes = page.replace("<!-- {{preload}} -->", &preload(&page, &files)?).into_bytes();
        } else if path.ends_with(".js") || path.ends_with(".css") {
            bytes = strip_comments(&String::from_utf8_lossy(&bytes))?.into_bytes();
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
            "File {{ path: {path:?}, content_type: {content_type:?}, hash: {hash:?}, bytes: include_bytes!({plain:?}), gzip: {gzip} }},"
        );
    }
    table.push_str("];\n");
    fs::write(out.join("assets.rs"), table)
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

/// Returns the lines that load all modules of a page in one round trip: first the static imports of its script, then the
/// modules that the script itself imports dynamically. What other modules import dynamically is loaded when it is needed.
fn preload(page: &str, files: &[File]) -> io::Result<String> {
    let (_, script) = page.split_once("<script type=\"module\" src=\"/").unwrap_or_default();
    let script = script.split('"').next().unwrap_or_default();
    let mut found = vec![script.to_owned()];
    imports(script, files, &mut found)?;
    let first = found.len();
    for module in named(script, "import(\"", files)? {
        if !found.contains(&module) {
            found.push(module.clone());
            imports(&module, files, &mut found)?;
        }
    }
    let line = |(at, module): (usize, &String)| {
        let low = if at < first { "" } else { " fetchpriority=\"low\"" };
        format!("<link rel=\"modulepreload\" href=\"/{module}\"{low}>")
    };
    Ok(found.iter().enumerate().skip(1).map(line).collect::<Vec<_>>().join("\n    "))
}

/// Adds the modules that a module imports statically to `found`, recursively.
///
/// # Errors
/// Returns an error for a module that is not there.
fn imports(of: &str, files: &[File], found: &mut Vec<String>) -> io::Result<()> {
    for module in named(of, " from \"", files)? {
        if !found.contains(&module) {
            found.push(module.clone());
            imports(&module, files, found)?;
        }
    }
    Ok(())
}

/// Returns the modules that a module names behind `before`.
///
/// # Errors
/// Returns an error for a module that is not there.
fn named(of: &str, before: &str, files: &[File]) -> io::Result<Vec<String>> {
    let file = files.iter().find(|(path, _)| path == of);
    let (_, bytes) = file.ok_or_else(|| io::Error::other(format!("www/{of} is imported, but not there")))?;
    let code = strip_comments(&String::from_utf8_lossy(bytes))?;
    let rest = code.split(before).skip(1);
    Ok(rest.filter_map(|rest| Some(resolve(of, rest.split_once('"')?.0))).collect())
}

/// Resolves a relative import of a module.
fn resolve(module: &str, address: &str) -> String {
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

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn hex(hash: &[u8], bytes: usize) -> String {
    hash.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}
