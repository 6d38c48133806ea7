//! `doozer-admin`, the privileged helper. systemd starts it for one connection (`doozer-admin.socket`) on standard
//! input and output. It answers only the daemon's user, and executes one request of a fixed list
//! (`doozer_box::admin`).
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used)]

mod system;
mod tool;
mod wifi;

use doozer_box::admin::{Failure, REQUEST_BYTES_MAX, Reply, Request, print_answer};
use rustix::net::sockopt::{Timeout, set_socket_timeout, socket_peercred};
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

/// The unit whose user may send requests.
const DAEMON: &str = "doozer-box.service";
/// Longest wait for the complete request.
const REQUEST_WAIT: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    let answer = answer();
    if let Err(failure) = &answer {
        eprintln!("failed: {failure:?}");
    }
    match io::stdout().write_all(print_answer(&answer).as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn answer() -> Result<Reply, Failure> {
    let peer = socket_peercred(io::stdin()).map_err(|error| {
        Failure::Error(format!("standard input is no socket: {error}; systemd starts this for the daemon"))
    })?;
    let user = peer.uid.as_raw();
    if Some(user) != daemon_user() {
        eprintln!("user {user} is not the daemon's");
        return Err(Failure::Denied);
    }
    set_socket_timeout(io::stdin(), Timeout::Recv, Some(REQUEST_WAIT)).map_err(tool::error)?;
    let request = Request::parse(&line()?)?;
    // Only the kind is logged, since the arguments may contain a password.
    eprintln!("asked for: {}", request.to_string().split('\t').next().unwrap_or_default());
    match request {
        Request::WifiList => wifi::list().map(Reply::Networks),
        Request::WifiJoin { ssid, password } => wifi::join(&ssid, password.as_deref()).map(|()| Reply::Done),
        Request::Hotspot(hotspot) => system::hotspot(&hotspot).map(|()| Reply::Done),
        Request::Timezone(name) => system::timezone(&name).map(|()| Reply::Done),
        Request::Screen(screen) => system::screen(screen).map(|()| Reply::Done),
        Request::Restart => system::go_to("reboot.target").map(|()| Reply::Done),
        Request::PowerOff => system::go_to("poweroff.target").map(|()| Reply::Done),
    }
}

/// Returns the daemon's current user id. The user is dynamic, so only the service manager knows it.
fn daemon_user() -> Option<u32> {
    let shown = tool::run("systemctl", &["show", "--property=UID", "--value", DAEMON]).ok()?;
    shown.trim().parse().ok()
}

/// Reads the request's line without its line feed.
fn line() -> Result<Vec<u8>, Failure> {
    let mut line = Vec::new();
    for byte in io::stdin().lock().take(REQUEST_BYTES_MAX as u64 + 1).bytes() {
        match byte.map_err(|_| Failure::TimedOut)? {
            b'\n' => return Ok(line),
            byte => line.push(byte),
        }
    }
    // The line is too long, or its end has not arrived.
    Err(Failure::Malformed)
}
