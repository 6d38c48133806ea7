//! One page's WebSocket: frames in to the hub, the newest view out, until either side ends it.
//!
//! One task reads, writes and keeps the time. While a frame waits for a slow reader nothing is read from
//! it either; while the hub is behind, nothing is read from anyone: TCP makes both wait.

use super::door::House;
use super::line::{Line, hang_up, part, pause};
use super::pace::{Over, Pace};
use super::places::Place;
use crate::hub::{ConnectionId, Event, Peer};
use crate::limits::{FRAME_BYTES_MAX, READ_BUFFER_BYTES, WRITE_BUFFER_BYTES};
use crate::outbox::{Mailbox, Out, outbox};
use crate::stats::count;
use crate::wire::{HB, Why, kind, no};
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

/// How a connection ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// The other side has gone, is dead, or does not read.
    Gone,
    /// The other side has closed it, and has been answered.
    Closed,
    /// We close it, with this code.
    Close(u16),
}

/// What happens next.
enum Turn {
    Frame(Option<Result<Message, Error>>),
    Out(Out),
    Time,
}

struct Socket {
    house: Rc<House>,
    connection: ConnectionId,
    place: Place,
    ws: WebSocketStream<Line>,
    mailbox: Mailbox,
    pace: Pace,
    /// Has it said a first thing?
    spoken: bool,
    opened: Instant,
    heard: Instant,
    beaten: Instant,
}

/// Speaks with a page whose upgrade has been answered. `rest`: what came behind the request's head.
/// However it ends, the hub is told that it has.
pub(super) async fn run(
    house: Rc<House>,
    stream: Rc<Async<TcpStream>>,
    mut place: Place,
    peer: Peer,
    rest: Vec<u8>,
) {
    place.spare(true);
    let connection = house.next_connection();
    let (outbox, mailbox) = outbox();
    if house.events.send(Event::Connected { connection, peer, outbox }).await.is_err() {
        return hang_up(&stream);
    }
    let line = Line::new(stream.clone());
    let ws = WebSocketStream::from_partially_read(line, rest, Role::Server, Some(config())).await;
    let now = Instant::now();
    let (pace, events) = (Pace::new(), house.events.clone());
    let mut socket = Socket {
        house,
        connection,
        place,
        ws,
        mailbox,
        pace,
        spoken: false,
        opened: now,
        heard: now,
        beaten: now,
    };
    let end = match AssertUnwindSafe(socket.speak()).catch_unwind().await {
        Ok(end) => end,
        Err(panic) => {
            socket.house.contained(&*panic);
            End::Gone
        }
    };
    // Fails only without a hub, and then there is nobody to tell.
    let _ = events.send(Event::Disconnected { connection }).await;
    socket.place.spare(true);
    let patience = socket.house.budget.goodbye;
    if end == End::Gone {
        hang_up(&stream);
    } else {
        part(&stream, patience).await;
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
    async fn speak(&mut self) -> End {
        let end = self.converse().await.err().unwrap_or(End::Gone);
        if let End::Close(code) = end {
            let frame = CloseFrame { code: code.into(), reason: Utf8Bytes::default() };
            if self.send(Message::Close(Some(frame))).await.is_err() {
                return End::Gone;
            }
        }
        end
    }

    /// Goes on until an end, which is the error.
    async fn converse(&mut self) -> Result<(), End> {
        let mut timer = Timer::at(self.next_tick());
        let mut frames_first = false;
        loop {
            let turn = {
                let frame = async { Turn::Frame(self.ws.next().await) };
                let out = async { Turn::Out(self.mailbox.next().await) };
                let time = async {
                    (&mut timer).await;
                    Turn::Time
                };
                // By turns, so that neither side keeps the other from being heard.
                frames_first = !frames_first;
                if frames_first { frame.or(out).or(time).await } else { out.or(frame).or(time).await }
            };
            match turn {
                Turn::Frame(Some(Ok(message))) => {
                    self.take(message).await?;
                    // The executor has no budget of its own: a page that always has more to say would keep it.
                    smol::future::yield_now().await;
                }
                Turn::Frame(Some(Err(error))) => return Err(ended(&error)),
                Turn::Frame(None) => return Err(End::Gone),
                Turn::Out(Out::Frame(frame)) => self.send(Message::Text(frame)).await?,
                Turn::Out(Out::Close(code)) => return Err(End::Close(code)),
                Turn::Time => {
                    self.tick().await?;
                    timer.set_at(self.next_tick());
                }
            }
        }
    }

    async fn take(&mut self, message: Message) -> Result<(), End> {
        let at = Instant::now();
        self.heard = at;
        self.ws.get_mut().whole();
        let now = self.house.clock.now();
        let paced = match message {
            Message::Pong(_) => self.pace.pong(now),
            Message::Close(_) => {
                // The reply is queued; asking on sends it.
                let _ = self.ws.next().await;
                return Err(End::Closed);
            }
            _ => self.pace.frame(now),
        };
        match paced {
            Ok(()) => {}
            Err(Over::Busy(retry)) => {
                count(&self.house.stats.refusals, "busy");
                let re = if let Message::Text(text) = &message { kind(text) } else { None };
                let busy = no(re, Why::Busy, "Not so fast.", Some(retry));
                return self.send(Message::Text(busy)).await;
            }
            Err(Over::Flood) => {
                count(&self.house.stats.door, "flood");
                return Err(End::Close(POLICY));
            }
        }
        let connection = self.connection;
        let event = match message {
            Message::Text(text) => Event::Message { connection, text: text.as_str().to_owned(), at },
            Message::Binary(_) => Event::Binary { connection },
            _ => return Ok(()),
        };
        if !self.spoken && matches!(event, Event::Message { .. }) {
            self.spoken = true;
            self.place.spare(false);
        }
        self.house.events.send(event).await.map_err(|_| End::Gone)
    }

    /// Sends one frame. A reader that takes none of it for too long, or is being closed and does not
    /// even take that in, is given up.
    async fn send(&mut self, message: Message) -> Result<(), End> {
        let budget = &self.house.budget;
        let (ws, mailbox) = (&mut self.ws, &self.mailbox);
        let sent = async { ws.send(message).await.map_err(|_| End::Gone) };
        let slow = async {
            pause(budget.slow_reader).await;
            Err(End::Gone)
        };
        let closing = async {
            mailbox.closing().await;
            pause(budget.goodbye).await;
            Err(End::Gone)
        };
        sent.or(slow).or(closing).await
    }

    async fn tick(&mut self) -> Result<(), End> {
        let now = Instant::now();
        let budget = &self.house.budget;
        if !self.spoken && now >= self.opened + budget.half_open {
            count(&self.house.stats.door, "silent");
            return Err(End::Close(TRY_LATER));
        }
        if now >= self.heard + budget.dead_peer {
            count(&self.house.stats.door, "dead");
            return Err(End::Gone);
        }
        if now >= self.beaten + budget.heartbeat {
            self.beaten = now;
            self.send(Message::Text(Utf8Bytes::from_static(HB))).await?;
            self.pace.pinged();
            self.send(Message::Ping(Bytes::new())).await?;
        }
        Ok(())
    }

    fn next_tick(&self) -> Instant {
        let budget = &self.house.budget;
        let next = (self.beaten + budget.heartbeat).min(self.heard + budget.dead_peer);
        if self.spoken { next } else { next.min(self.opened + budget.half_open) }
    }
}

/// What a failed read means: the code to close with, if there is still somebody to tell.
fn ended(error: &Error) -> End {
    match error {
        Error::Capacity(_) => End::Close(TOO_BIG),
        // Too much for one message, as `Line` counts.
        Error::Io(error) if error.kind() == ErrorKind::FileTooLarge => End::Close(TOO_BIG),
        Error::Utf8(_) => End::Close(NOT_UTF8),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => End::Gone,
        Error::Protocol(_) => End::Close(PROTOCOL),
        _ => End::Gone,
    }
}
