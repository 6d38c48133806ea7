//! A connected page: its WebSocket, its key, and the newest view.

use super::daemon::{WAIT, connect};
use async_tungstenite::tungstenite::{self, Error, Message, WebSocket};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Instant;

/// The link is lost, or could not be made.
pub type Cut = Box<dyn std::error::Error>;

pub struct Client {
    pub socket: WebSocket<TcpStream>,
    /// The first message; holds the key from the first answer on.
    pub hello: Value,
    /// What it was welcomed with, or its room.
    pub welcome: Value,
    /// The newest view; null before the first.
    pub view: Value,
    /// The newest refusal and goodbye.
    pub no: Value,
    pub bye: Value,
    to: SocketAddr,
    from: Ipv4Addr,
}

impl Client {
    /// Connects and says hello.
    pub fn open(to: SocketAddr, from: Ipv4Addr, hello: Value) -> Result<Client, Cut> {
        let socket = upgraded(to, from)?;
        let [welcome, view, no, bye] = [const { Value::Null }; 4];
        let mut page = Client { socket, hello, welcome, view, no, bye, to, from };
        page.say(page.hello.clone())?;
        Ok(page)
    }

    pub fn tv(to: SocketAddr, from: Ipv4Addr, game: &str) -> Result<Client, Cut> {
        let mut page = Client::open(to, from, json!({"t": "host", "game": game}))?;
        page.until("a room", |page| !page.view.is_null() || !page.no.is_null())?;
        Ok(page)
    }

    /// A phone that is in, or has been refused.
    pub fn phone(to: SocketAddr, from: Ipv4Addr, room: &str, nick: &str) -> Result<Client, Cut> {
        let mut page = Client::open(to, from, json!({"t": "join", "room": room, "nick": nick}))?;
        page.until("a welcome", |page| !page.view.is_null() || !page.no.is_null())?;
        Ok(page)
    }

    /// Comes back over a new connection, as who it was.
    pub fn back(&mut self) -> Result<(), Cut> {
        let mut page = Client::open(self.to, self.from, self.hello.clone())?;
        page.until("a way back", |page| !page.view.is_null() || !page.no.is_null())?;
        *self = page;
        Ok(())
    }

    pub fn say(&mut self, message: Value) -> Result<(), Cut> {
        Ok(self.socket.send(Message::text(message.to_string()))?)
    }

    pub fn room(&self) -> &str {
        self.hello["room"].as_str().unwrap()
    }

    /// Takes in one message.
    pub fn next(&mut self) -> Result<(), Cut> {
        let text = match self.socket.read()? {
            Message::Text(text) => text,
            _ => return Ok(()),
        };
        let mut message: Value = serde_json::from_str(&text)?;
        match message["t"].as_str().unwrap() {
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
            "hb" => {}
            other => panic!("{other} is not of the wire"),
        }
        Ok(())
    }

    /// Takes messages in until that holds; panics if it never does.
    pub fn until(&mut self, what: &str, holds: impl Fn(&Client) -> bool) -> Result<(), Cut> {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < WAIT, "{what} did not come: {} {}", self.view, self.no);
            self.next()?;
        }
        Ok(())
    }

    /// Takes in what has come until the link is over: the newest view is then what this page last showed.
    pub fn drain(&mut self) {
        while self.next().is_ok() {}
    }

    /// The close code, once the link is over; `None`: it was cut.
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

/// A WebSocket on which nothing is said yet.
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
