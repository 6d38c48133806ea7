//! Compiles the pages in: every file of www/ with its kind, its hash, and its compressed form.

#[path = "net/kinds.rs"]
mod kinds;

use flate2::{Compression, write::GzEncoder};
use sha1::{Digest, Sha1};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

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
    for (number, (path, mut bytes)) in files.into_iter().enumerate() {
        let Some(kind) = kinds::kind(&path) else {
            println!("cargo::warning=www/{path} is of no kind that is served");
            continue;
        };
        if path.ends_with(".html") {
            bytes = String::from_utf8_lossy(&bytes).replace("{{build}}", &build).into_bytes();
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

fn walk(dir: &Path, under: &str, files: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
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

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn hex(hash: &[u8], bytes: usize) -> String {
    hash.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}
