//! Rooms survive a restart of the daemon: a small file each in a directory that is in memory
//! (systemd's runtime directory), so that nothing outlives the power and no disk is touched.
//!
//! A file is written beside and renamed, so that a kill at any moment leaves the old or the new one.

use crate::limits::STATE_BYTES_MAX;
use crate::room::code::Code;
use crate::room::quotas::Quotas;
use crate::room::snapshot::RoomSnapshot;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The version of the files. Those of another are set aside.
const VERSION: u32 = 1;
const COUNTS: &str = "counts.json";

/// What is kept beside the rooms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedState {
    /// What is counted per address.
    pub quotas: Quotas,
    /// The code of the kiosk's room.
    pub kiosk: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct File<T> {
    version: u32,
    kept: T,
}

/// The directory.
#[derive(Debug)]
pub struct StateStore {
    dir: PathBuf,
    /// The last write failed: said once, not at every move.
    failing: bool,
}

impl StateStore {
    /// Opens the directory, making it if need be.
    ///
    /// # Errors
    /// When it cannot be made or written to.
    pub fn open(dir: &Path) -> io::Result<Self> {
        fs::create_dir_all(dir)?;
        let probe = dir.join("probe.new");
        fs::write(&probe, "")?;
        fs::remove_file(&probe)?;
        Ok(StateStore { dir: dir.to_owned(), failing: false })
    }

    /// Reads everything that is there. What cannot be read is set aside with a log line.
    pub fn load(&self) -> (Vec<RoomSnapshot>, SharedState) {
        let mut rooms = Vec::new();
        let entries = fs::read_dir(&self.dir).into_iter().flatten().filter_map(Result::ok);
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.starts_with("room-") && name.ends_with(".json") {
                rooms.extend(read::<RoomSnapshot>(&path));
            } else if name.ends_with(".new") {
                // A write that a kill cut short.
                let _ = fs::remove_file(&path);
            }
        }
        let rest = self.dir.join(COUNTS);
        let rest = if rest.exists() { read(&rest) } else { None };
        (rooms, rest.unwrap_or_default())
    }

    /// Keeps a room as it is now.
    pub fn save_room(&mut self, room: &RoomSnapshot) {
        let name = room_file(&room.code);
        self.write(&name, room);
    }

    /// Forgets a room.
    pub fn remove_room(&mut self, code: Code) {
        let _ = fs::remove_file(self.dir.join(room_file(&code.to_string())));
    }

    /// Sets a room's file aside that was read but does not hold together.
    pub fn quarantine(&self, code: &str) {
        quarantine(&self.dir.join(room_file(code)), "it does not hold together");
    }

    /// Keeps what is beside the rooms.
    pub fn save_shared(&mut self, rest: &SharedState) {
        self.write(COUNTS, rest);
    }

    fn write(&mut self, name: &str, kept: &impl Serialize) {
        let new = self.dir.join(format!("{name}.new"));
        let text = serde_json::to_vec(&File { version: VERSION, kept });
        let written = text
            .map_err(io::Error::from)
            .and_then(|text| fs::write(&new, text))
            .and_then(|()| fs::rename(&new, self.dir.join(name)));
        match written {
            Ok(()) => self.failing = false,
            Err(error) if !self.failing => {
                self.failing = true;
                log::warn!(event = "keep"; "Rooms are not kept over a restart now: {error}");
            }
            Err(_) => {}
        }
    }
}

fn room_file(code: &str) -> String {
    format!("room-{code}.json")
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let text = match text(path) {
        Ok(text) => text,
        Err(error) => {
            quarantine(path, &error.to_string());
            return None;
        }
    };
    match parse(&text) {
        Ok(kept) => Some(kept),
        Err(why) => {
            quarantine(path, &why);
            None
        }
    }
}

/// A file's bytes, if it is a file, and no longer than ours are: reading from anything else might never end.
fn text(path: &Path) -> io::Result<Vec<u8>> {
    let about = fs::symlink_metadata(path)?;
    if !about.is_file() || about.len() > STATE_BYTES_MAX {
        return Err(io::Error::other("it is none of ours"));
    }
    fs::read(path)
}

/// Reads one state file's bytes; an error says in words what is wrong with them.
pub fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let Version { version } = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    if version != VERSION {
        return Err(format!("it is of version {version}, not {VERSION}"));
    }
    let file: File<T> = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    Ok(file.kept)
}

fn quarantine(path: &Path, why: &str) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    log::warn!(event = "keep"; "A state file is set aside ({why}): {name}.bad");
    let _ = fs::rename(path, path.with_extension("json.bad"));
}
