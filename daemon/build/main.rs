//! Prepares the files of www/ for the binary, each with its media type, hash and compressed form.

#[path = "../net/mime.rs"]
mod mime;
mod preload;
mod strip;

use preload::{File, fill_preload};
use sha1::{Digest, Sha1};
use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::{env, fs, io};
use strip::{strip_comments, strip_indentation};

fn main() -> io::Result<()> {
    let top = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let www = top.join("www");
    println!("cargo::rerun-if-changed=www");
    println!("cargo::rerun-if-changed=daemon/build");
    println!("cargo::rerun-if-changed=daemon/net/mime.rs");

    let mut files = Vec::new();
    read_files(&www, "", &mut files)?;
    files.sort();
    let mut all = Sha1::new();
    for (path, bytes) in &files {
        all.update(format!("{path}\n{}\n", bytes.len()));
        all.update(bytes);
    }
    // The build contains the hash, so that a page reloads itself after any change of www/.
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
            bytes = strip_indentation(&fill_preload(&page, &files)?).into_bytes();
        } else if path.ends_with(".js") || path.ends_with(".css") {
            bytes = strip_comments(&String::from_utf8_lossy(&bytes))?.into_bytes();
        }
        let hash = hex(&Sha1::digest(&bytes), 4);
        let plain = out.join(format!("{number}"));
        fs::write(&plain, &bytes)?;
        // A typeface is compressed already.
        let packed = if path.ends_with(".woff2") { None } else { Some(gzip(&bytes)?) };
        let gzip = if let Some(packed) = packed.filter(|packed| packed.len() < bytes.len()) {
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

/// Reads all files below a directory, with their paths below `www/`.
///
/// # Errors
/// Returns the system's error if a directory or file cannot be read.
fn read_files(dir: &Path, under: &str, files: &mut Vec<File>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = format!("{under}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            read_files(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.push((path, fs::read(entry.path())?));
        }
    }
    Ok(())
}

/// Compresses bytes to gzip, about as small as the format allows. This is slow, but happens only once per build.
fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    let options =
        zopfli::Options { iteration_count: NonZeroU64::MIN.saturating_add(14), ..Default::default() };
    zopfli::compress(options, zopfli::Format::Gzip, bytes, &mut packed)?;
    Ok(packed)
}

fn hex(hash: &[u8], bytes: usize) -> String {
    hash.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}
