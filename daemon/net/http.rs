//! One connection while it speaks HTTP: heads in, answers out, in order, until it ends or becomes a
//! WebSocket.

use super::door::{House, same_origin};
use super::head::{Head, Scanner, parse};
use super::line::{hang_up, part, pause};
use super::pages::{Answer, No, fresh, policy};
use super::places::Place;
use super::{health, socket};
use crate::hub::Peer;
use crate::limits::{HEAD_BYTES_MAX, WRITE_STEP_BYTES};
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

/// A connection that has been let in.
pub(super) struct Guest {
    pub(super) house: Rc<House>,
    pub(super) stream: Rc<Async<TcpStream>>,
    pub(super) place: Place,
    pub(super) ip: IpAddr,
    pub(super) local: IpAddr,
}

/// What becomes of the connection after a request.
enum After {
    /// The next request.
    Next,
    /// It ends, so that the answer arrives.
    Part,
    /// It ends at once: the other side has gone or does not read.
    HangUp,
    /// It is a WebSocket.
    Socket(Peer),
}

impl Guest {
    /// Serves requests until the connection ends or is a WebSocket, which goes on as a task of its own so
    /// that nothing of this one takes memory meanwhile.
    pub(super) async fn serve(mut self) {
        let mut bytes = Vec::new();
        let mut first = true;
        loop {
            let after = match self.head(&mut bytes, first).await {
                Ok(Some(length)) => {
                    self.place.spare(false);
                    let head = parse(&bytes[..length]);
                    bytes.drain(..length);
                    self.handle(head).await
                }
                Ok(None) => return,
                Err(no) => self.refuse(no).await,
            };
            match after {
                After::Next => {}
                After::Part => {
                    self.place.spare(true);
                    return part(&self.stream, self.house.budget.goodbye).await;
                }
                After::HangUp => return hang_up(&self.stream),
                After::Socket(peer) => {
                    let house = self.house.clone();
                    return house.spawn(socket::run(self.house, self.stream, self.place, peer, bytes));
                }
            }
            first = false;
            self.place.spare(true);
            if bytes.is_empty() {
                bytes = Vec::new();
            }
            // Pipelined requests must not keep others waiting.
            smol::future::yield_now().await;
        }
    }

    /// Reads until `bytes` begins with a whole head: its length. `None`: the other side has gone, or has
    /// had nothing more to ask for.
    async fn head(&self, bytes: &mut Vec<u8>, first: bool) -> Result<Option<usize>, No> {
        let budget = &self.house.budget;
        if !first && bytes.is_empty() {
            let more = async { fill(&self.stream, bytes).await.unwrap_or(0) };
            if more
                .or(async {
                    pause(budget.keep_alive).await;
                    0
                })
                .await
                == 0
            {
                return Ok(None);
            }
        }
        let mut scanner = Scanner::default();
        let whole = async {
            loop {
                if let Some(length) = scanner.scan(bytes)? {
                    return Ok(Some(length));
                }
                if fill(&self.stream, bytes).await.unwrap_or(0) == 0 {
                    return Ok(None);
                }
            }
        };
        let in_time = whole
            .or(async {
                pause(budget.half_open).await;
                Err(No::Late)
            })
            .await;
        match in_time {
            // Browsers open connections in advance: one that has asked nothing is owed no answer.
            Err(No::Late) if bytes.is_empty() => Ok(None),
            in_time => in_time,
        }
    }

    async fn handle(&mut self, head: Result<Head, No>) -> After {
        let answered = head.and_then(|head| {
            let answer = self.answer(&head)?;
            Ok((head, answer))
        });
        match answered {
            Ok((head, Some(answer))) => self.send(&answer, &head.host, head.bodiless, head.last).await,
            Ok((head, None)) => self.upgrade(head).await,
            Err(no) => self.refuse(no).await,
        }
    }

    /// The answer; `None`: a WebSocket is wanted, and may be had.
    fn answer(&self, head: &Head) -> Result<Option<Answer>, No> {
        let house = &self.house;
        if self.place.over {
            return Err(No::Crowd);
        }
        if !house.is_ours(&head.host, self.local) {
            return house.sign_in(self.local).map(Some).ok_or(No::Host);
        }
        Ok(Some(match head.path.as_str() {
            "/ws" if !head.origin.as_deref().is_none_or(|origin| same_origin(origin, &head.host)) => {
                return Err(No::Origin);
            }
            "/ws" => return Ok(None),
            "/healthz" => fresh(200, "application/json", &[], health::health(&house.stats, house.clock)),
            "/metrics" if !self.ip.is_loopback() => return Err(No::Local),
            "/metrics" => fresh(200, health::METRICS_KIND, &[], health::metrics(&house.stats, house.clock)),
            _ => house.pages.get(head).unwrap_or_else(|| {
                count(&house.stats.door, No::Missing.name());
                house.pages.refuse(No::Missing)
            }),
        }))
    }

    async fn upgrade(&mut self, head: Head) -> After {
        let mut answer = Vec::new();
        let made = create_response(&head.upgrade).and_then(|response| write_response(&mut answer, &response));
        if made.is_err() {
            return self.refuse(No::Malformed).await;
        }
        match self.write(&mut [IoSlice::new(&answer)]).await {
            Ok(()) => After::Socket(Peer { ip: self.ip, local: self.local }),
            Err(_) => After::HangUp,
        }
    }

    /// Refuses and ends the connection: it is not sure where the next request would begin, or not wanted.
    async fn refuse(&self, no: No) -> After {
        count(&self.house.stats.door, no.name());
        self.send(&self.house.pages.refuse(no), "", false, true).await
    }

    async fn send(&self, answer: &Answer, host: &str, bodiless: bool, last: bool) -> After {
        let policy = if answer.page { policy(host) } else { String::new() };
        let end: &[u8] = if last { b"Connection: close\r\n\r\n" } else { b"\r\n" };
        let body: &[u8] = if bodiless { b"" } else { &answer.body };
        let mut parts = [&answer.head, policy.as_bytes(), end, body].map(IoSlice::new);
        match self.write(&mut parts).await {
            Ok(()) if last => After::Part,
            Ok(()) => After::Next,
            Err(_) => After::HangUp,
        }
    }

    /// Writes all, in steps that each have their time.
    async fn write(&self, mut parts: &mut [IoSlice<'_>]) -> io::Result<()> {
        let mut step = 0;
        let mut began = Instant::now();
        IoSlice::advance_slices(&mut parts, 0);
        while !parts.is_empty() {
            let left = self.house.budget.write.saturating_sub(began.elapsed());
            let wrote = poll_fn(|cx| Pin::new(&mut &*self.stream).poll_write_vectored(cx, parts));
            let n = wrote.or(late(left)).await?;
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

async fn late<T>(time: Duration) -> io::Result<T> {
    pause(time).await;
    Err(io::ErrorKind::TimedOut.into())
}

/// Reads once what is there, at most as much as a head may hold; 0 at the end of the stream.
async fn fill(stream: &Async<TcpStream>, bytes: &mut Vec<u8>) -> io::Result<usize> {
    loop {
        match take(stream.get_ref(), bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => stream.readable().await?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Apart from `fill`, so that no waiting connection holds a buffer.
fn take(mut stream: &TcpStream, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let mut piece = [0; 2_048];
    let room = (HEAD_BYTES_MAX + 1).saturating_sub(bytes.len()).clamp(1, piece.len());
    let n = stream.read(&mut piece[..room])?;
    bytes.extend_from_slice(&piece[..n]);
    Ok(n)
}
