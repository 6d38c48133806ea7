//! Controls the box's own Wi-Fi, the time zone, the TV and the power, each by a unit or a tool of the system.

use super::{tool, wifi};
use doozer_box::admin::{Failure, Hotspot, Screen};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The file that overrides the settings for `deploy/hotspot`: `off`, or `setup` and the password of the set-up
/// Wi-Fi. It is in memory, so that after a restart the settings apply again.
const HOTSPOT_WISH: &str = "/run/doozer-admin/hotspot";

/// Starts the box's own Wi-Fi, or stops it.
pub(super) fn hotspot(hotspot: &Hotspot) -> Result<(), Failure> {
    if matches!(hotspot, Hotspot::Setup(_)) {
        // A wish that cannot be met must not be there when a card is plugged in later.
        wifi::card()?;
    }
    let wish = Path::new(HOTSPOT_WISH);
    let written = match hotspot {
        Hotspot::Settings => match fs::remove_file(wish) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        },
        Hotspot::Setup(password) => tool::write_secret(wish, &format!("setup\n{password}\n")),
        Hotspot::Off => tool::write_secret(wish, "off\n"),
    };
    written.map_err(tool::error)?;
    tool::run("systemctl", &["restart", "doozer-hotspot.service"]).map(drop)
}

/// Sets the machine's time zone.
pub(super) fn timezone(name: &str) -> Result<(), Failure> {
    tool::run("timedatectl", &["set-timezone", name]).map(drop)
}

/// Switches the TV and the box's picture (`deploy/screen`).
pub(super) fn screen(screen: Screen) -> Result<(), Failure> {
    let unit = match screen {
        Screen::On => "doozer-screen@on.service",
        Screen::Off => "doozer-screen@off.service",
    };
    tool::run("systemctl", &["start", unit]).map(drop)
}

/// Restarts the machine or switches it off. Returns at once.
pub(super) fn go_to(target: &str) -> Result<(), Failure> {
    tool::run("systemctl", &["--no-block", "--job-mode=replace-irreversibly", "start", target]).map(drop)
}
