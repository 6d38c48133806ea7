//! Stores rooms so that they survive a restart of the daemon. Each room is a small file in a directory in memory
//! (systemd's runtime directory), so nothing is written to a disk or survives a power cut.
//!
//! A new file is written beside the old one and renamed, so that a kill at any moment leaves one of them complete. If
//! writing fails, the old file is removed as well. Otherwise a room could return with an older board or turn id than
//! the pages have shown.

use crate::files::{Keep, create, replace};
use crate::limits::STATE_BYTES_MAX;
use crate::room::code::Code;
use crate::room::quotas::Quotas;
use crate::room::snapshot::RoomSnapshot;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// The version of the files. Files of another version are quarantined.
const VERSION: u32 = 1;
const SHARED: &str = "counts.json";

/// State that is stored beside the rooms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedState {
    /// The counts per address.
    pub quotas: Quotas,
    /// The code of the kiosk's room.
    pub kiosk: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    version: u32,
    #[serde(rename = "kept")]
    state: T,
}

/// The state directory.
#[derive(Debug)]
pub struct StateStore {
    dir: PathBuf,
    /// Whether the last write failed. The failure is logged once, not at every move.
    failing: bool,
}

impl StateStore {
    /// Opens the directory, and creates it if it is missing. Only this user can read it, because it holds people's
    /// keys.
    ///
    /// # Errors
    /// Returns the system's error if it cannot be created or written to.
    pub fn open(dir: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        let probe = dir.join("probe.new");
        create(&probe)?;
        fs::remove_file(&probe)?;
        Ok(StateStore { dir: dir.to_owned(), failing: false })
    }

    /// Reads all stored state. Files that cannot be read are quarantined and logged.
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
                // Left over from a write that a kill has interrupted.
                let _ = fs::remove_file(&path);
            }
        }
        let shared = self.dir.join(SHARED);
        let shared = if shared.exists() { read(&shared) } else { None };
        (rooms, shared.unwrap_or_default())
    }

    /// Stores a room as it is now.
    pub fn save_room(&mut self, room: &RoomSnapshot) {
        let name = room_file(&room.code);
        self.write(&name, room);
    }

    /// Removes a room's file.
    pub fn remove_room(&mut self, code: Code) {
        let _ = fs::remove_file(self.dir.join(room_file(&code.to_string())));
    }

    /// Renames the file of a room that was read but is not consistent.
    pub fn quarantine(&self, code: &str) {
        quarantine(&self.dir.join(room_file(code)), "it does not hold together");
    }

    /// Stores the state beside the rooms.
    pub fn save_shared(&mut self, shared: &SharedState) {
        self.write(SHARED, shared);
    }

    fn write(&mut self, name: &str, state: &impl Serialize) {
        let path = self.dir.join(name);
        let text = serde_json::to_vec(&Versioned { version: VERSION, state });
        match text.map_err(io::Error::from).and_then(|text| replace(&path, &text, Keep::InMemory)) {
            Ok(()) => self.failing = false,
            Err(error) => {
                let _ = fs::remove_file(&path);
                if !self.failing {
                    log::warn!(event = "keep"; "Rooms are not kept over a restart now: {error}");
                }
                self.failing = true;
            }
        }
    }
}

fn room_file(code: &str) -> String {
    format!("room-{code}.json")
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let bytes = match read_bytes(path) {
        Ok(text) => text,
        Err(error) => {
            quarantine(path, &error.to_string());
            return None;
        }
    };
    match parse(&bytes) {
        Ok(state) => Some(state),
        Err(why) => {
            quarantine(path, &why);
            None
        }
    }
}

/// Reads a file's bytes.
///
/// # Errors
/// Returns an error for anything but a short regular file, because reading that might never end.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let about = fs::symlink_metadata(path)?;
    if !about.is_file() || about.len() > STATE_BYTES_MAX {
        return Err(io::Error::other("it is not a short regular file"));
    }
    fs::read(path)
}

/// Parses one state file's bytes.
///
/// # Errors
/// Returns what is wrong with the bytes, as a text for the log.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let Version { version } = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if version != VERSION {
        return Err(format!("it is of version {version}, not {VERSION}"));
    }
    let file: Versioned<T> = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    Ok(file.state)
}

fn quarantine(path: &Path, why: &str) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    log::warn!(event = "keep"; "A state file is set aside ({why}): {name}.bad");
    let _ = fs::rename(path, path.with_extension("json.bad"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Ms;
    use crate::room::{Room, Times};
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    /// A directory for one test, removed when dropped.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let dir = std::env::temp_dir().join(format!("doozer-box-store-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&dir);
            Scratch(dir)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn room(people: usize) -> RoomSnapshot {
        const NOW: Ms = 1_000;
        let code = Code::parse("BCDF").unwrap();
        let mut room = Room::new(code, "key".into(), "x7Kq".into(), Times::default(), NOW);
        for n in 0..people {
            room.join(&format!("Wren {n}"), format!("key {n}"), None, NOW).unwrap();
        }
        room.snapshot()
    }

    #[test]
    fn only_the_daemon_can_read_stored_files() {
        let dir = Scratch::new("mode");
        let mut store = StateStore::open(&dir.0).unwrap();
        store.save_room(&room(2));
        store.save_shared(&SharedState::default());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&dir.0), 0o700);
        assert_eq!(mode(&dir.0.join("room-BCDF.json")), 0o600);
        assert_eq!(mode(&dir.0.join(SHARED)), 0o600);
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let dir = Scratch::new("link");
        let mut store = StateStore::open(&dir.0).unwrap();
        let other = dir.0.join("notes.txt");
        fs::write(&other, "mine").unwrap();
        symlink(&other, dir.0.join("room-BCDF.json.new")).unwrap();
        symlink(&other, dir.0.join("room-BCDF.json")).unwrap();
        store.save_room(&room(2));
        assert_eq!(fs::read(&other).unwrap(), b"mine");
        assert_eq!(store.load().0, [room(2)]);
    }

    #[test]
    fn a_room_that_cannot_be_stored_is_removed_and_never_restored_older() {
        let dir = Scratch::new("full");
        let mut store = StateStore::open(&dir.0).unwrap();
        store.save_room(&room(1));
        // A directory of the new file's name blocks the write, even for root.
        let blocked = dir.0.join("room-BCDF.json.new");
        fs::create_dir(&blocked).unwrap();
        store.save_room(&room(2));
        assert_eq!(store.load().0, []);
        fs::remove_dir(&blocked).unwrap();
        store.save_room(&room(3));
        assert_eq!(store.load().0, [room(3)]);
    }

    #[test]
    fn a_reader_never_sees_half_a_file() {
        let dir = Scratch::new("half");
        let mut store = StateStore::open(&dir.0).unwrap();
        let (small, large) = (room(0), room(8));
        store.save_room(&small);
        let (path, done) = (dir.0.join("room-BCDF.json"), AtomicBool::new(false));
        let reads = std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let mut reads = 0;
                while !done.load(SeqCst) {
                    let read: RoomSnapshot = parse(&fs::read(&path).unwrap()).unwrap();
                    assert!(read == small || read == large);
                    reads += 1;
                }
                reads
            });
            for n in 0..1_000 {
                store.save_room(if n % 2 == 0 { &large } else { &small });
            }
            done.store(true, SeqCst);
            reader.join().unwrap()
        });
        assert!(reads > 0, "only {reads} reads");
    }
}
