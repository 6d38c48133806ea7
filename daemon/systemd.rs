//! The service manager's side: a socket handed over, ready, the watchdog, stopping. Without a
//! service manager all of it does nothing.

use sd_notify::NotifyState;
use std::io;
use std::net::TcpListener;
use std::time::Duration;

/// The first listening socket that the service manager holds for us, non-blocking; `None` when
/// the daemon was started by hand. Call once, early: it takes the handed-over descriptors.
///
/// # Errors
/// When something was handed over that is no TCP listener.
pub fn listener() -> io::Result<Option<TcpListener>> {
    let listener = listenfd::ListenFd::from_env().take_tcp_listener(0)?;
    if let Some(listener) = &listener {
        listener.set_nonblocking(true)?;
    }
    Ok(listener)
}

/// The daemon serves: the unit is active from now on.
pub fn ready() {
    if let Err(error) = sd_notify::notify(&[NotifyState::Ready]) {
        log::warn!(event = "notify"; "The service manager cannot be told: {error}");
    }
}

/// The hub turns. Fed by the hub itself, every [`watchdog_interval`]: a hub that hangs is restarted.
pub fn watchdog() {
    tell(NotifyState::Watchdog);
}

/// The daemon is on its way out.
pub fn stopping() {
    tell(NotifyState::Stopping);
}

/// How often the watchdog must be fed: half of the time after which the service manager gives up
/// on the daemon (`WatchdogSec=`). `None`: there is no watchdog.
pub fn watchdog_interval() -> Option<Duration> {
    sd_notify::watchdog_enabled().map(|limit| limit / 2).filter(|half| !half.is_zero())
}

/// A service manager that does not hear draws its own conclusions; the log need not repeat it.
fn tell(state: NotifyState<'_>) {
    let _ = sd_notify::notify(&[state]);
}
