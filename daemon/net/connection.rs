//! Serves HTTP on a connection, one request after the other, until it ends or becomes a WebSocket.

use super::rejection::Rejection;
use super::request::{HeadScanner, RequestHead, parse};
use super::response::{Response, content_security_policy_line, uncached};
use super::server::{Server, same_origin};
use super::slots::Slot;
use super::socket;
use super::stream::{abort, close_gracefully, sleep};
use crate::hub::Peer;
use crate::limits::{REQUEST_HEAD_BYTES_MAX, WRITE_STEP_BYTES};
use crate::metrics;
use crate::stats::count;
use async_tungstenite::tungstenite::handshake::server::{create_response, write_response};
use smol::Async;
use smol::future::FutureExt as _;
use smol::io::AsyncWrite as _;
use std::future::poll_fn;
use std::io::{self, IoSlice, Read as _};
use std::net::{IpAddr, TcpStream};
use std::pin::Pin;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// An accepted connection.
pub(super) struct HttpConnection {
    pub(super) server: Rc<Server>,
    pub(super) stream: Rc<Async<TcpStream>>,
    pub(super) slot: Slot,
    /// The peer's address.
    pub(super) ip: IpAddr,
    /// Our own address that the peer has connected to.
    pub(super) local: IpAddr,
}

/// The next step after a request.
enum NextStep {
    /// The next request.
    Continue,
    /// The end, after the response has arrived.
    Close,
    /// The end at once, because the peer is gone or does not read.
    Abort,
    /// The WebSocket.
    Upgrade(Peer),
}

impl HttpConnection {
    /// Serves requests until the connection ends or becomes a WebSocket. The WebSocket runs as a task of its own, so
    /// that the memory of this one is freed.
    pub(super) async fn serve(mut self) {
        let mut bytes = Vec::new();
        let mut first = true;
        loop {
            let head = self.read_head(&mut bytes, first).await;
            // No response to HEAD has a body, not even a rejection before the head is parsed (RFC 9110, 9.3.2).
            let is_head = bytes.starts_with(b"HEAD ");
            let next = match head {
                Ok(Some(length)) => {
                    self.slot.renew();
                    if !self.wait_for_turn().await {
                        return;
                    }
                    let head = parse(&bytes[..length]);
                    bytes.drain(..length);
                    self.handle(head, is_head).await
                }
                Ok(None) => return,
                Err(rejection) => self.reject(rejection, is_head).await,
            };
            match next {
                NextStep::Continue => {}
                NextStep::Close => {
                    return close_gracefully(&self.stream, self.server.budget.goodbye).await;
                }
                NextStep::Abort => return abort(&self.stream),
                NextStep::Upgrade(peer) => {
                    let server = self.server.clone();
                    return server.spawn(socket::run(self.server, self.stream, self.slot, peer, bytes));
                }
            }
            first = false;
            if bytes.is_empty() {
                bytes = Vec::new();
            }
        }
    }

    /// Reads until `bytes` starts with a complete head. Returns the length of the head, or `None` if the peer is gone or
    /// sends no further request.
    ///
    /// # Errors
    /// Returns the reason for rejecting the head.
    async fn read_head(&self, bytes: &mut Vec<u8>, first: bool) -> Result<Option<usize>, Rejection> {
        let budget = &self.server.budget;
        if !first && bytes.is_empty() {
            let more = async { read_more(&self.stream, bytes).await.unwrap_or(0) };
            let idle = async {
                sleep(budget.keep_alive).await;
                0
            };
            if more.or(idle).await == 0 {
                return Ok(None);
            }
        }
        let mut scanner = HeadScanner::default();
        let complete = async {
            loop {
                if let Some(length) = scanner.scan(bytes)? {
                    return Ok(Some(length));
                }
                if read_more(&self.stream, bytes).await.unwrap_or(0) == 0 {
                    return Ok(None);
                }
            }
        };
        let late = async {
            sleep(budget.half_open).await;
            Err(Rejection::Late)
        };
        match complete.or(late).await {
            // Browsers open connections in advance. A connection without a request needs no response.
            Err(Rejection::Late) if bytes.is_empty() => Ok(None),
            head => head,
        }
    }

    /// Waits until the request may be answered. Returns whether the connection is still there.
    async fn wait_for_turn(&self) -> bool {
        let turn = async {
            self.server.requests.wait(self.slot.network(), self.server.clock).await;
            true
        };
        let evicted = async {
            self.slot.evicted().await;
            false
        };
        turn.or(evicted).await
    }

    async fn handle(&mut self, head: Result<RequestHead, Rejection>, is_head: bool) -> NextStep {
        let responded = head.and_then(|head| {
            let response = self.respond(&head)?;
            Ok((head, response))
        });
        match responded {
            Ok((head, Some(response))) => self.send(&response, &head.host, is_head, head.close).await,
            Ok((head, None)) => self.upgrade(head).await,
            Err(rejection) => self.reject(rejection, is_head).await,
        }
    }

    /// Returns the response, or `None` for a WebSocket upgrade that passes all checks.
    ///
    /// # Errors
    /// Returns the reason for rejecting the request.
    fn respond(&self, head: &RequestHead) -> Result<Option<Response>, Rejection> {
        let server = &self.server;
        if self.slot.over_quota {
            return Err(Rejection::TooManyConnections);
        }
        if !server.is_own_host(&head.host, self.local) {
            return server.captive_portal(self.local).map(Some).ok_or(Rejection::Host);
        }
        let (stats, clock) = (&server.stats, server.clock);
        Ok(Some(match head.path.as_str() {
            "/ws" if !head.origin.as_deref().is_none_or(|origin| same_origin(origin, &head.host)) => {
                return Err(Rejection::Origin);
            }
            "/ws" => return Ok(None),
            "/healthz" => uncached(200, metrics::HEALTH_TYPE, &[], metrics::health(stats, clock)),
            _ => server.assets.get(head).unwrap_or_else(|| {
                count(&stats.rejections, Rejection::Missing.label());
                server.assets.reject(Rejection::Missing)
            }),
        }))
    }

    async fn upgrade(&mut self, head: RequestHead) -> NextStep {
        let mut response = Vec::new();
        let printed = create_response(&head.upgrade).and_then(|made| write_response(&mut response, &made));
        if printed.is_err() {
            return self.reject(Rejection::Malformed, head.is_head).await;
        }
        match self.write(&mut [IoSlice::new(&response)]).await {
            Ok(()) => NextStep::Upgrade(Peer { ip: self.ip, local: self.local }),
            Err(_) => NextStep::Abort,
        }
    }

    /// Rejects the request and ends the connection, since the start of a further request may be unknown.
    async fn reject(&self, rejection: Rejection, is_head: bool) -> NextStep {
        count(&self.server.stats.rejections, rejection.label());
        self.send(&self.server.assets.reject(rejection), "", is_head, true).await
    }

    async fn send(&self, response: &Response, host: &str, is_head: bool, close: bool) -> NextStep {
        let policy = if response.page { content_security_policy_line(host) } else { String::new() };
        let end: &[u8] = if close { b"Connection: close\r\n\r\n" } else { b"\r\n" };
        let body: &[u8] = if is_head { b"" } else { &response.body };
        let mut parts = [&response.head, policy.as_bytes(), end, body].map(IoSlice::new);
        match self.write(&mut parts).await {
            Ok(()) if close => NextStep::Close,
            Ok(()) => NextStep::Continue,
            Err(_) => NextStep::Abort,
        }
    }

    /// Writes all parts in steps of [`WRITE_STEP_BYTES`], each with the budget's time.
    ///
    /// # Errors
    /// Returns the system's error, or `TimedOut`.
    async fn write(&self, mut parts: &mut [IoSlice<'_>]) -> io::Result<()> {
        let mut step = 0;
        let mut began = Instant::now();
        IoSlice::advance_slices(&mut parts, 0);
        while !parts.is_empty() {
            let left = self.server.budget.write.saturating_sub(began.elapsed());
            let written = poll_fn(|cx| Pin::new(&mut &*self.stream).poll_write_vectored(cx, parts));
            let n = written.or(time_out(left)).await?;
            if n == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            IoSlice::advance_slices(&mut parts, n);
            step += n;
            if step >= WRITE_STEP_BYTES {
                (step, began) = (0, Instant::now());
            }
        }
        Ok(())
    }
}

async fn time_out<T>(time: Duration) -> io::Result<T> {
    sleep(time).await;
    Err(io::ErrorKind::TimedOut.into())
}

/// Reads once, up to the largest size of a head. Returns the number of bytes read, 0 at the end of the stream.
async fn read_more(stream: &Async<TcpStream>, bytes: &mut Vec<u8>) -> io::Result<usize> {
    loop {
        match try_read(stream.get_ref(), bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => stream.readable().await?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Reads the available bytes. Separate from [`read_more`], so that a waiting connection holds no buffer.
fn try_read(mut stream: &TcpStream, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let mut buffer = [0; 2_048];
    let room = (REQUEST_HEAD_BYTES_MAX + 1).saturating_sub(bytes.len()).clamp(1, buffer.len());
    let n = stream.read(&mut buffer[..room])?;
    bytes.extend_from_slice(&buffer[..n]);
    Ok(n)
}
