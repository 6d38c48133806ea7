//! Serves `/healthz` and `/metrics` on the status port, for the owner's tools and for `deploy/kiosk-watch`.
//!
//! tiny_http's server runs on its own threads and asks the executor for each text, so a fault in it reaches no game. The
//! port must be on loopback, because tiny_http has neither limits nor deadlines, and one client can block the others.

use crate::clock::Clock;
use crate::metrics::{self, HEALTH_TYPE, METRICS_TYPE};
use crate::power_supply::under_voltage;
use crate::stats::Stats;
use smol::channel::{Receiver, Sender, bounded};
use std::error::Error;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, Server};

/// Queries that may wait for the executor. The status thread sends one at a time.
const QUERIES_MAX: usize = 1;
/// Longest wait for the executor's answer. A daemon that takes longer is restarted by its watchdog.
const ANSWER_MAX: Duration = Duration::from_secs(2);
/// Pause before a server that has ended is started again.
const RESTART: Duration = Duration::from_secs(1);
/// Requests with a body after which the port is closed until a restart. Each of them costs a thread, see [`leak`].
const BODIES_MAX: usize = 4;

/// A text that the status port serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Page {
    Health,
    Metrics,
}

/// The status thread's request for a text.
struct Query {
    page: Page,
    reply: SyncSender<String>,
}

/// The executor's end of the status port.
pub struct Status {
    /// The bound address, with the port that the system has picked for port 0.
    pub address: SocketAddr,
    queries: Receiver<Query>,
}

impl Status {
    /// Opens the status port and serves it on a thread of its own.
    ///
    /// # Errors
    /// Returns the system's error if the address cannot be bound or no thread can be started.
    pub fn open(address: SocketAddr) -> io::Result<Status> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let (to_executor, queries) = bounded(QUERIES_MAX);
        thread::Builder::new().name("status".into()).spawn(move || run(&listener, &to_executor))?;
        Ok(Status { address, queries })
    }

    /// Answers the status thread's queries. Never returns.
    pub async fn serve(self, stats: &Stats, clock: Clock) {
        while let Ok(Query { page, reply }) = self.queries.recv().await {
            let text = match page {
                Page::Health => metrics::health(stats, clock),
                Page::Metrics => metrics::metrics(stats, clock, under_voltage()),
            };
            // Fails only if the thread has given up waiting.
            let _ = reply.try_send(text);
        }
        std::future::pending().await
    }
}

/// Runs tiny_http's server on the listener, and restarts it when it ends, which it does after one failed accept.
fn run(listener: &TcpListener, queries: &Sender<Query>) {
    let mut bodies = 0;
    loop {
        if let Err(error) = serve(listener, queries, &mut bodies) {
            log::warn!(event = "status"; "The status port failed: {error}");
        }
        if bodies >= BODIES_MAX {
            log::error!(event = "status"; "The status port is closed: {bodies} requests with bodies");
            return;
        }
        if queries.is_closed() {
            return;
        }
        thread::sleep(RESTART);
    }
}

fn serve(
    listener: &TcpListener,
    queries: &Sender<Query>,
    bodies: &mut usize,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let server = Server::from_listener(listener.try_clone()?, None)?;
    loop {
        let request = server.recv()?;
        if has_body(&request) {
            leak(request);
            *bodies += 1;
            if *bodies >= BODIES_MAX {
                return Ok(());
            }
            continue;
        }
        let response = respond(&request, queries);
        // Fails only for a client that has gone.
        let _ = request.respond(response);
    }
}

/// Returns whether tiny_http expects a body, which it would read when the request is dropped.
fn has_body(request: &Request) -> bool {
    let has = |name: &'static str| request.headers().iter().any(|header| header.field.equiv(name));
    request.body_length().is_some_and(|length| length > 0) || has("Transfer-Encoding") || has("Expect")
}

/// Answers a request that has a body, and never drops it. Its connection and its thread are never freed.
///
/// On drop tiny_http would allocate the declared length, which aborts the process at 10 TB, or wait for bytes that may
/// never arrive.
fn leak(request: Request) {
    let response = Response::from_string("The status port takes no uploads.\n").with_status_code(413);
    std::mem::forget(request.upgrade("close", response));
}

fn respond(request: &Request, queries: &Sender<Query>) -> Response<io::Cursor<Vec<u8>>> {
    let path = request.url().split('?').next().unwrap_or_default();
    let (page, content_type) = match path {
        "/healthz" => (Page::Health, HEALTH_TYPE),
        "/metrics" => (Page::Metrics, METRICS_TYPE),
        _ => return Response::from_string("There are /healthz and /metrics.\n").with_status_code(404),
    };
    if !matches!(request.method(), Method::Get | Method::Head) {
        return Response::from_string("The status port serves only GET and HEAD.\n").with_status_code(405);
    }
    let Some(text) = ask(page, queries) else {
        return Response::from_string("The daemon does not answer.\n").with_status_code(503);
    };
    let headers = [("Content-Type", content_type), ("Cache-Control", "no-store")];
    let headers = headers.iter().filter_map(|(name, value)| Header::from_bytes(*name, *value).ok());
    headers.fold(Response::from_string(text), Response::with_header)
}

/// Asks the executor for a text. Returns `None` if it does not answer in time.
fn ask(page: Page, queries: &Sender<Query>) -> Option<String> {
    let (reply, answer) = sync_channel(1);
    // If the queue is full, an earlier query still waits, and this one would as well.
    queries.try_send(Query { page, reply }).ok()?;
    answer.recv_timeout(ANSWER_MAX).ok()
}
