//! Small files that are replaced as a whole, so that a kill at any moment leaves the old one or the new one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Whether a file outlives the power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It is in memory and is gone with the power.
    InMemory,
    /// It is on a disk: it is there for good once [`replace`] returns, which takes the time of the disk.
    OnDisk,
}

/// Replaces a file's content as a whole, or leaves the file as it was. Only this user can read it.
///
/// # Errors
/// If it cannot be written.
pub fn replace(path: &Path, content: &[u8], keep: Keep) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    let written = create(&new).and_then(|mut file| {
        file.write_all(content)?;
        if keep == Keep::OnDisk {
            file.sync_all()?;
        }
        fs::rename(&new, path)
    });
    written.inspect_err(|_| _ = fs::remove_file(&new))?;
    match path.parent() {
        // The new name is in the directory, which is a file of its own (fsync(2)).
        Some(folder) if keep == Keep::OnDisk => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// Creates a file that only this user can read. One that is there, or a link of that name, is removed first, so that
/// nothing is ever written through it.
///
/// # Errors
/// If it cannot be made.
pub fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}
