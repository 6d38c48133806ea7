//! Exchanges frames between one client's WebSocket and the hub, until either side ends it.
//!
//! One task reads, writes and checks the deadlines. While a frame waits for a slow reader, nothing is read from that
//! client. While the hub's queue is full, nothing is read from any client. TCP's flow control makes the senders wait.

use super::rate_limit::{Exceeded, RateLimiter};
use super::server::Server;
use super::slots::Slot;
use super::stream::{LimitedStream, abort, close_gracefully, sleep};
use crate::hub::{ConnectionId, Event, Peer};
use crate::limits::{FRAME_BYTES_MAX, READ_BUFFER_BYTES, WRITE_BUFFER_BYTES};
use crate::outbox::{Mailbox, Out, outbox};
use crate::refusal::Refusal;
use crate::stats::count;
use crate::wire;
use async_tungstenite::WebSocketStream;
use async_tungstenite::tungstenite::error::ProtocolError;
use async_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use async_tungstenite::tungstenite::{Bytes, Error, Message, Utf8Bytes};
use smol::future::FutureExt as _;
use smol::stream::StreamExt as _;
use smol::{Async, Timer};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use std::time::Instant;

/// Close codes (RFC 6455, 7.4.1).
const PROTOCOL: u16 = 1002;
const NOT_UTF8: u16 = 1007;
const POLICY: u16 = 1008;
const TOO_BIG: u16 = 1009;
const TRY_LATER: u16 = 1013;
/// Bytes of a control frame's head from a client, mask included (RFC 6455, 5.2).
const CONTROL_HEAD_BYTES: usize = 6;

/// A reason for ending a connection.
#[derive(Debug, PartialEq, Eq)]
enum CloseReason {
    /// The peer is gone or does not read.
    Gone,
    /// The peer has closed it and has been answered.
    Closed,
    /// We close it with this code.
    Close(u16),
}

/// An event that wakes the task up.
enum Wakeup {
    Frame(Option<Result<Message, Error>>),
    Out(Out),
    Tick,
}

struct Socket {
    server: Rc<Server>,
    connection: ConnectionId,
    slot: Slot,
    ws: WebSocketStream<LimitedStream>,
    mailbox: Mailbox,
    limiter: RateLimiter,
    /// Whether a first message has arrived.
    has_received: bool,
    opened: Instant,
    last_received: Instant,
    last_ping: Instant,
}

/// Runs an upgraded WebSocket until it ends, and reports the end to the hub. `rest` are the bytes after the
/// request head.
pub(super) async fn run(
    server: Rc<Server>,
    stream: Rc<Async<TcpStream>>,
    slot: Slot,
    peer: Peer,
    rest: Vec<u8>,
) {
    let connection = server.next_connection();
    let (outbox, mailbox) = outbox();
    if server.events.send(Event::Connected { connection, peer, outbox }).await.is_err() {
        return abort(&stream);
    }
    let limited = LimitedStream::new(stream.clone());
    let ws = WebSocketStream::from_partially_read(limited, rest, Role::Server, Some(config())).await;
    let now = Instant::now();
    let (limiter, events) = (RateLimiter::new(), server.events.clone());
    let mut socket = Socket {
        server,
        connection,
        slot,
        ws,
        mailbox,
        limiter,
        has_received: false,
        opened: now,
        last_received: now,
        last_ping: now,
    };
    let reason = match AssertUnwindSafe(socket.serve()).catch_unwind().await {
        Ok(reason) => reason,
        Err(panic) => {
            socket.server.on_panic(&*panic);
            CloseReason::Gone
        }
    };
    // Fails only if the hub has ended.
    let _ = events.send(Event::Disconnected { connection }).await;
    socket.slot.set_evictable(true);
    let time = socket.server.budget.goodbye;
    if reason == CloseReason::Gone {
        abort(&stream);
    } else {
        close_gracefully(&stream, time).await;
    }
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE_BUFFER_BYTES)
        .max_message_size(Some(FRAME_BYTES_MAX))
        .max_frame_size(Some(FRAME_BYTES_MAX))
}

impl Socket {
    async fn serve(&mut self) -> CloseReason {
        let reason = self.exchange().await.err().unwrap_or(CloseReason::Gone);
        if let CloseReason::Close(code) = reason {
            let frame = CloseFrame { code: code.into(), reason: Utf8Bytes::default() };
            if self.send(Message::Close(Some(frame))).await.is_err() {
                return CloseReason::Gone;
            }
        }
        reason
    }

    /// Exchanges frames until there is a reason to end.
    ///
    /// # Errors
    /// Returns that reason.
    async fn exchange(&mut self) -> Result<(), CloseReason> {
        let mut timer = Timer::at(self.next_tick());
        let mut frames_first = false;
        loop {
            self.slot.set_evictable(!self.mailbox.is_seated());
            let wakeup = {
                let frame = async { Wakeup::Frame(self.ws.next().await) };
                let out = async { Wakeup::Out(self.mailbox.next().await) };
                let tick = async {
                    (&mut timer).await;
                    Wakeup::Tick
                };
                // The order alternates, so that neither direction starves the other.
                frames_first = !frames_first;
                if frames_first { frame.or(out).or(tick).await } else { out.or(frame).or(tick).await }
            };
            match wakeup {
                Wakeup::Frame(Some(Ok(message))) => {
                    self.receive(message).await?;
                    // A client that always has a next frame would occupy the executor, which has no budget per task.
                    smol::future::yield_now().await;
                }
                Wakeup::Frame(Some(Err(error))) => return Err(reason_of(&error)),
                Wakeup::Frame(None) => return Err(CloseReason::Gone),
                Wakeup::Out(Out::Frame(frame)) => self.send(Message::Text(frame)).await?,
                Wakeup::Out(Out::Close(code)) => return Err(CloseReason::Close(code)),
                Wakeup::Tick => {
                    self.tick().await?;
                    timer.set_at(self.next_tick());
                }
            }
        }
    }

    /// Handles one message from the client.
    async fn receive(&mut self, message: Message) -> Result<(), CloseReason> {
        let at = Instant::now();
        self.last_received = at;
        match &message {
            Message::Ping(payload) | Message::Pong(payload) => {
                self.ws.get_mut().give_back(CONTROL_HEAD_BYTES + payload.len());
            }
            _ => self.ws.get_mut().reset_budget(),
        }
        let now = self.server.clock.now();
        let allowed = match message {
            Message::Pong(_) => self.limiter.pong(now),
            Message::Close(_) => {
                // tungstenite has queued the reply, and the next read sends it. The time for that is limited.
                let replied = async { drop(self.ws.next().await) };
                replied.or(sleep(self.server.budget.goodbye)).await;
                return Err(CloseReason::Closed);
            }
            _ => self.limiter.frame(now),
        };
        match allowed {
            Ok(()) => {}
            Err(Exceeded::Busy(retry)) => {
                count(&self.server.stats.refusals, "busy");
                let re = if let Message::Text(text) = &message { wire::parse_kind(text) } else { None };
                let busy = wire::refusal(re, Refusal::Busy(retry), "Not so fast.");
                return self.send(Message::Text(busy)).await;
            }
            Err(Exceeded::Flood) => {
                count(&self.server.stats.rejections, "flood");
                return Err(CloseReason::Close(POLICY));
            }
        }
        let connection = self.connection;
        let event = match message {
            Message::Text(text) => Event::Message { connection, text: text.as_str().to_owned(), at },
            Message::Binary(_) => Event::Binary { connection },
            _ => return Ok(()),
        };
        self.has_received |= matches!(event, Event::Message { .. });
        self.server.events.send(event).await.map_err(|_| CloseReason::Gone)
    }

    /// Sends one frame. Gives up on a reader that accepts nothing for too long, or for a shorter time while it is being
    /// closed.
    async fn send(&mut self, message: Message) -> Result<(), CloseReason> {
        let budget = &self.server.budget;
        let (ws, mailbox) = (&mut self.ws, &self.mailbox);
        let sent = async { ws.send(message).await.map_err(|_| CloseReason::Gone) };
        let slow = async {
            sleep(budget.slow_reader).await;
            Err(CloseReason::Gone)
        };
        let closing = async {
            mailbox.closing().await;
            sleep(budget.goodbye).await;
            Err(CloseReason::Gone)
        };
        sent.or(slow).or(closing).await
    }

    /// Closes a silent or dead connection, or sends a heartbeat if one is due.
    async fn tick(&mut self) -> Result<(), CloseReason> {
        let now = Instant::now();
        let budget = &self.server.budget;
        if !self.has_received && now >= self.opened + budget.half_open {
            count(&self.server.stats.rejections, "silent");
            return Err(CloseReason::Close(TRY_LATER));
        }
        if now >= self.last_received + budget.dead_peer {
            count(&self.server.stats.rejections, "dead");
            return Err(CloseReason::Gone);
        }
        if now >= self.last_ping + budget.heartbeat {
            self.last_ping = now;
            self.send(Message::Text(Utf8Bytes::from_static(wire::HEARTBEAT))).await?;
            self.limiter.pinged();
            self.send(Message::Ping(Bytes::new())).await?;
        }
        Ok(())
    }

    fn next_tick(&self) -> Instant {
        let budget = &self.server.budget;
        let next = (self.last_ping + budget.heartbeat).min(self.last_received + budget.dead_peer);
        if self.has_received { next } else { next.min(self.opened + budget.half_open) }
    }
}

/// Returns the reason for ending a connection after a failed read.
fn reason_of(error: &Error) -> CloseReason {
    match error {
        Error::Capacity(_) => CloseReason::Close(TOO_BIG),
        // The limit of `LimitedStream`.
        Error::Io(error) if error.kind() == ErrorKind::FileTooLarge => CloseReason::Close(TOO_BIG),
        Error::Utf8(_) => CloseReason::Close(NOT_UTF8),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => CloseReason::Gone,
        Error::Protocol(_) => CloseReason::Close(PROTOCOL),
        _ => CloseReason::Gone,
    }
}
