//! Communicates with the service manager, if there is one: socket activation, readiness, watchdog, stopping.

use sd_notify::NotifyState;
use std::io;
use std::net::TcpListener;
use std::time::Duration;

/// Returns the first listening socket passed by the service manager (sd_listen_fds(3)), set to non-blocking, or
/// `None` if the daemon was started by hand.
///
/// Must be called once and early, since it takes ownership of the passed descriptors.
///
/// # Errors
/// Returns an error if the passed descriptor is not a TCP listener.
pub fn listener() -> io::Result<Option<TcpListener>> {
    let listener = listenfd::ListenFd::from_env().take_tcp_listener(0)?;
    if let Some(listener) = &listener {
        listener.set_nonblocking(true)?;
    }
    Ok(listener)
}

/// Returns whether a service manager runs the daemon, and would restart it.
pub fn is_managing() -> bool {
    std::env::var_os("NOTIFY_SOCKET").is_some()
}

/// Reports that the daemon is ready, which makes the unit active.
pub fn ready() {
    if let Err(error) = sd_notify::notify(&[NotifyState::Ready]) {
        log::warn!(event = "notify"; "The service manager cannot be told: {error}");
    }
}

/// Feeds the watchdog. The hub calls it every [`watchdog_interval`], so that a hub that hangs is restarted.
pub fn watchdog() {
    notify(NotifyState::Watchdog);
}

/// Reports that the daemon is stopping.
pub fn stopping() {
    notify(NotifyState::Stopping);
}

/// Returns the interval at which the watchdog must be fed, half of `WatchdogSec=` as sd_watchdog_enabled(3) advises,
/// or `None` if there is no watchdog.
pub fn watchdog_interval() -> Option<Duration> {
    sd_notify::watchdog_enabled().map(|limit| limit / 2).filter(|half| !half.is_zero())
}

/// Notifies the service manager. Errors are ignored, because the service manager's timeouts will act.
fn notify(state: NotifyState<'_>) {
    let _ = sd_notify::notify(&[state]);
}
