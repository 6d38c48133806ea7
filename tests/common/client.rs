//! A client of the daemon: its WebSocket, its key, and the newest view.

use super::daemon::{WAIT, connect};
use async_tungstenite::tungstenite::{self, Error, Message, WebSocket};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Instant;

/// The error of a connection that is lost or could not be made.
pub type Cut = Box<dyn std::error::Error>;

pub struct Client {
    pub socket: WebSocket<TcpStream>,
    /// The first message. It contains the key after the first answer.
    pub hello: Value,
    /// The welcome of a phone, or the room message of a TV.
    pub welcome: Value,
    /// The newest view, or null before the first.
    pub view: Value,
    /// The newest refusal and goodbye.
    pub no: Value,
    pub bye: Value,
    /// The newest answer to the owner.
    pub done: Value,
    /// All messages but views, as they came; kept for a test that asks for them.
    pub received: Option<Vec<Value>>,
    to: SocketAddr,
    from: Ipv4Addr,
}

impl Client {
    /// Connects and sends the first message.
    pub fn open(to: SocketAddr, from: Ipv4Addr, hello: Value) -> Result<Client, Cut> {
        let socket = upgraded(to, from)?;
        let [welcome, view, no, bye, done] = [const { Value::Null }; 5];
        let mut page = Client { socket, hello, welcome, view, no, bye, done, received: None, to, from };
        page.send(page.hello.clone())?;
        Ok(page)
    }

    pub fn tv(to: SocketAddr, from: Ipv4Addr, game: &str) -> Result<Client, Cut> {
        let mut page = Client::open(to, from, json!({"t": "host", "game": game}))?;
        page.until("a room", |page| !page.view.is_null() || !page.no.is_null())?;
        Ok(page)
    }

    /// Opens a phone and waits until it is in the room or refused.
    pub fn phone(to: SocketAddr, from: Ipv4Addr, room: &str, nick: &str) -> Result<Client, Cut> {
        let mut page = Client::open(to, from, json!({"t": "join", "room": room, "nick": nick}))?;
        page.until("a welcome", |page| !page.view.is_null() || !page.no.is_null())?;
        Ok(page)
    }

    /// Reconnects as the same person or TV.
    pub fn reconnect(&mut self) -> Result<(), Cut> {
        let mut page = Client::open(self.to, self.from, self.hello.clone())?;
        page.until("a way back", |page| !page.view.is_null() || !page.no.is_null())?;
        *self = page;
        Ok(())
    }

    pub fn send(&mut self, message: Value) -> Result<(), Cut> {
        Ok(self.socket.send(Message::text(message.to_string()))?)
    }

    pub fn room(&self) -> &str {
        self.hello["room"].as_str().unwrap()
    }

    /// Reads one message.
    pub fn next(&mut self) -> Result<(), Cut> {
        let text = match self.socket.read()? {
            Message::Text(text) => text,
            _ => return Ok(()),
        };
        let mut message: Value = serde_json::from_str(&text)?;
        let kind = message["t"].as_str().unwrap().to_owned();
        if let (Some(received), false) = (&mut self.received, kind == "ws" || kind == "menu") {
            received.push(message.clone());
        }
        match kind.as_str() {
            "welcome" | "room" => {
                for kept in ["room", "key"] {
                    self.hello[kept] = message[kept].clone();
                }
                if message["t"] == "welcome" {
                    self.view = message["view"].take();
                }
                self.welcome = message;
            }
            "ws" | "menu" => self.view = message,
            "no" => self.no = message,
            "bye" => self.bye = message["why"].take(),
            "owner" => self.welcome = message,
            "done" => self.done = message,
            "hb" => {}
            other => panic!("{other} is not of the wire"),
        }
        Ok(())
    }

    /// Reads messages until the condition holds.
    ///
    /// # Panics
    /// Panics if it does not hold within [`WAIT`].
    pub fn until(&mut self, what: &str, holds: impl Fn(&Client) -> bool) -> Result<(), Cut> {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < WAIT, "{what} did not come: {} {}", self.view, self.no);
            self.next()?;
        }
        Ok(())
    }

    /// Reads everything until the connection ends. The newest view is then the last one that was sent.
    pub fn drain(&mut self) {
        while self.next().is_ok() {}
    }

    /// Reads until the connection ends. Returns the close code, or `None` if there was no close frame.
    pub fn closed(&mut self) -> Option<u16> {
        loop {
            match self.socket.read() {
                Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                Ok(Message::Text(text)) if text.contains(r#""t":"bye""#) => {
                    self.bye = serde_json::from_str::<Value>(&text).unwrap()["why"].take();
                }
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}

/// Opens a WebSocket without sending a first message.
pub fn upgraded(to: SocketAddr, from: Ipv4Addr) -> Result<WebSocket<TcpStream>, Cut> {
    let stream = connect(to, from)?;
    stream.set_read_timeout(Some(WAIT))?;
    stream.set_write_timeout(Some(WAIT))?;
    let url = format!("ws://{to}/ws");
    Ok(tungstenite::client(url, stream)
        .map_err(|error| match error {
            tungstenite::HandshakeError::Failure(error) => error,
            tungstenite::HandshakeError::Interrupted(_) => Error::ConnectionClosed,
        })?
        .0)
}
