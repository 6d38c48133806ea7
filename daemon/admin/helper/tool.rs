//! Runs the system's own tools.

use doozer_box::admin::Failure;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The search path of the tools.
const PATH: &str = "/usr/sbin:/usr/bin:/sbin:/bin";

/// Runs a tool to its end, and returns its output. The unit's `RuntimeMaxSec=` is its deadline.
///
/// # Errors
/// Returns the tool's own message if it fails, or the system's if it cannot be started.
pub(super) fn run(program: &str, args: &[&str]) -> Result<String, Failure> {
    let output = Command::new(program)
        .args(args)
        .env_clear()
        .envs([("PATH", PATH), ("LC_ALL", "C.UTF-8")])
        .stdin(Stdio::null())
        .output()
        .map_err(|cause| Failure::Error(format!("{program}: {cause}")))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    Err(Failure::Error(format!("{program}: {}", words.trim())))
}

/// Returns a failure with the message of an error.
pub(super) fn error(cause: impl Display) -> Failure {
    Failure::Error(cause.to_string())
}

/// Writes a file that only root can read, and syncs it to the disk.
pub(super) fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let new = path.with_extension("new");
    let _ = fs::remove_file(&new);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    fs::File::open(folder)?.sync_all()
}
