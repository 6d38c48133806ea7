//! A client that sends exactly the given bytes, valid or not.

use super::server::{TestServer, WAIT};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{IpAddr, TcpStream};

/// A response to a request.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub lines: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn line(&self, name: &str) -> &str {
        self.lines.get(name).map_or("", String::as_str)
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// A received frame.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    Text(String),
    Ping,
    Pong,
    Close(u16),
    /// The connection has ended.
    End,
}

pub struct Client {
    pub stream: TcpStream,
    pub host: String,
    bytes: Vec<u8>,
}

impl Client {
    pub fn new(server: &TestServer) -> Client {
        Client::on(server, TcpStream::connect(server.address).unwrap())
    }

    /// Connects to that address of the machine.
    pub fn to(server: &TestServer, ip: IpAddr) -> Client {
        Client::on(server, TcpStream::connect((ip, server.address.port())).unwrap())
    }

    /// Connects from that loopback address.
    pub fn from(server: &TestServer, address: [u8; 4]) -> Client {
        let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
        socket.bind(&std::net::SocketAddr::from((address, 0)).into()).unwrap();
        socket.connect(&server.address.into()).unwrap();
        Client::on(server, socket.into())
    }

    fn on(server: &TestServer, stream: TcpStream) -> Client {
        stream.set_read_timeout(Some(WAIT)).unwrap();
        stream.set_write_timeout(Some(WAIT)).unwrap();
        Client { stream, host: server.address.to_string(), bytes: Vec::new() }
    }

    pub fn write(&mut self, bytes: impl AsRef<[u8]>) -> &mut Client {
        self.stream.write_all(bytes.as_ref()).unwrap();
        self
    }

    /// Sends a request. Each of the `lines` ends with CRLF.
    pub fn ask(&mut self, what: &str, lines: &str) -> Reply {
        let host = self.host.clone();
        self.write(format!("{what} HTTP/1.1\r\nHost: {host}\r\n{lines}\r\n"));
        self.reply(what.starts_with("HEAD"))
    }

    pub fn get(&mut self, path: &str) -> Reply {
        self.ask(&format!("GET {path}"), "")
    }

    pub fn reply(&mut self, bodiless: bool) -> Reply {
        let end = loop {
            if let Some(at) = self.bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            assert!(self.more().unwrap() > 0, "the connection ended in a head: {:?}", self.bytes);
        };
        let head = String::from_utf8(self.bytes.drain(..end).collect()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let lines: HashMap<_, _> = head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let length = lines.get("content-length").map_or(0, |n| n.parse().unwrap());
        let length = if bodiless || status == 304 || status == 101 { 0 } else { length };
        while self.bytes.len() < length {
            assert!(self.more().unwrap() > 0, "the connection ended in a body");
        }
        Reply { status, lines, body: self.bytes.drain(..length).collect() }
    }

    fn more(&mut self) -> io::Result<usize> {
        let mut piece = [0; 16_384];
        let n = self.stream.read(&mut piece)?;
        self.bytes.extend_from_slice(&piece[..n]);
        Ok(n)
    }

    /// Waits for the end of the connection. Returns whether it ended without further bytes.
    pub fn is_closed(&mut self) -> bool {
        match self.more() {
            Ok(0) => self.bytes.is_empty(),
            Ok(_) => false,
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        }
    }

    /// Requests a WebSocket upgrade.
    pub fn upgrade(&mut self, lines: &str) -> Reply {
        let all = "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        self.ask("GET /ws", &format!("{all}{lines}"))
    }

    /// Opens a WebSocket.
    pub fn socket(server: &TestServer) -> Client {
        let mut client = Client::new(server);
        assert_eq!(client.upgrade("").status, 101);
        client
    }

    /// Opens a WebSocket that the hub has seated.
    pub fn seated(server: &TestServer) -> Client {
        let mut client = Client::socket(server);
        client.send("seat");
        assert_eq!(client.read_text(), "seat");
        client
    }

    pub fn send(&mut self, text: &str) {
        self.write(frame(0x81, text.as_bytes()));
    }

    /// Reads the next frame, or the end.
    pub fn read_frame(&mut self) -> Frame {
        loop {
            if let Some((head, length)) = head_of(&self.bytes)
                && self.bytes.len() >= head + length
            {
                let payload = self.bytes[head..head + length].to_vec();
                let first = self.bytes[0];
                self.bytes.drain(..head + length);
                return match first {
                    0x81 => Frame::Text(String::from_utf8(payload).unwrap()),
                    0x89 => Frame::Ping,
                    0x8a => Frame::Pong,
                    0x88 => Frame::Close(u16::from_be_bytes([payload[0], payload[1]])),
                    _ => panic!("frame {first:x}"),
                };
            }
            match self.more() {
                Ok(0) => return Frame::End,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => panic!("nothing came"),
                Err(_) => return Frame::End,
            }
        }
    }

    pub fn read_text(&mut self) -> String {
        match self.read_frame() {
            Frame::Text(text) => text,
            other => panic!("{other:?}"),
        }
    }

    /// Reads until the close frame and the end. Returns the close code, and skips text before it.
    pub fn close_code(&mut self) -> u16 {
        loop {
            match self.read_frame() {
                Frame::Close(code) => {
                    assert_eq!(self.read_frame(), Frame::End);
                    return code;
                }
                Frame::End => panic!("the end came without a close"),
                _ => {}
            }
        }
    }
}

/// Returns the lengths of head and payload of the unmasked frame at the start, if its head is complete.
fn head_of(bytes: &[u8]) -> Option<(usize, usize)> {
    match *bytes.get(1)? {
        126 => Some((4, u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]).into())),
        127 => Some((10, u64::from_be_bytes(bytes.get(2..10)?.try_into().unwrap()) as usize)),
        short => Some((2, short.into())),
    }
}

/// Returns a masked frame. `first` holds FIN, the reserved bits and the opcode (RFC 6455, 5.2).
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = head(first, payload.len() as u64);
    bytes.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    bytes
}

const MASK: [u8; 4] = [1, 2, 3, 4];

/// Returns the head of a masked frame that declares that length.
pub fn head(first: u8, length: u64) -> Vec<u8> {
    let mut bytes = vec![first];
    match length {
        0..126 => bytes.push(0x80 | length as u8),
        126..65_536 => {
            bytes.push(0x80 | 126);
            bytes.extend((length as u16).to_be_bytes());
        }
        _ => {
            bytes.push(0x80 | 127);
            bytes.extend(length.to_be_bytes());
        }
    }
    bytes.extend(MASK);
    bytes
}
