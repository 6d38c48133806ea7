//! One client's connection as raw bytes, because the load generator must cost less than the server.

use rustix::event::epoll;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::fd::AsFd;
use std::time::Duration;

/// Longest wait for an answer while a client is being set up.
const WAIT: Duration = Duration::from_secs(20);

pub(crate) struct Client {
    stream: TcpStream,
    /// The bytes read of an incomplete frame.
    rest: Vec<u8>,
    /// Bytes of all frames so far, including their heads.
    pub(crate) bytes: u64,
}

/// A frame from the server.
pub(crate) enum Frame<'a> {
    Text(&'a str),
    Ping,
    End,
}

impl Client {
    /// Opens a WebSocket at `path` from that loopback address. `wait_for` reads the first frames.
    pub(crate) fn open(to: SocketAddr, from: Ipv4Addr, path: &str) -> io::Result<Client> {
        let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None)?;
        socket.bind(&SocketAddr::from((from, 0)).into())?;
        socket.connect(&to.into())?;
        socket.set_tcp_nodelay(true)?;
        let mut stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(WAIT))?;
        let ask = format!(
            "GET {path} HTTP/1.1\r\nHost: {to}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(ask.as_bytes())?;
        let mut rest = Vec::new();
        let end = loop {
            if let Some(at) = rest.windows(4).position(|four| four == b"\r\n\r\n") {
                break at + 4;
            }
            more(&mut stream, &mut rest)?;
        };
        if !rest.starts_with(b"HTTP/1.1 101") {
            return Err(io::Error::other(String::from_utf8_lossy(&rest[..end]).into_owned()));
        }
        rest.drain(..end);
        Ok(Client { stream, rest, bytes: 0 })
    }

    /// Waits for the text frame of that kind, and skips others.
    pub(crate) fn wait_for(&mut self, kind: &str) -> io::Result<String> {
        let begins = format!(r#"{{"t":"{kind}""#);
        loop {
            while let Some((length, frame)) = frame_of(&self.rest) {
                let text = match frame {
                    Frame::Text(text) => text.to_owned(),
                    Frame::Ping => String::new(),
                    Frame::End => return Err(ErrorKind::UnexpectedEof.into()),
                };
                self.rest.drain(..length);
                if text.starts_with(&begins) {
                    return Ok(text);
                }
                if text.starts_with(r#"{"t":"no""#) {
                    return Err(io::Error::other(text));
                }
            }
            more(&mut self.stream, &mut self.rest)?;
        }
    }

    /// Registers the connection with `epoll`. `mark` identifies it in the event.
    pub(crate) fn watch(&self, epoll: impl AsFd, mark: usize) -> io::Result<()> {
        self.stream.set_nonblocking(true)?;
        let mark = epoll::EventData::new_u64(mark as u64);
        Ok(epoll::add(epoll, &self.stream, mark, epoll::EventFlags::IN)?)
    }

    /// Sends a text. Short frames always fit into the kernel's buffer.
    pub(crate) fn send(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(&masked(0x81, text.as_bytes()))
    }

    /// Reads once and passes each complete frame to `take`.
    pub(crate) fn read(&mut self, piece: &mut [u8], mut take: impl FnMut(&Frame<'_>)) -> io::Result<()> {
        let n = match self.stream.read(piece) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => n,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error),
        };
        let mut rest = std::mem::take(&mut self.rest);
        let bytes = if rest.is_empty() {
            &piece[..n]
        } else {
            rest.extend_from_slice(&piece[..n]);
            &rest[..]
        };
        let mut at = 0;
        while let Some((length, frame)) = frame_of(&bytes[at..]) {
            self.bytes += length as u64;
            at += length;
            match frame {
                Frame::Ping => self.stream.write_all(&masked(0x8a, b""))?,
                Frame::End => return Err(ErrorKind::UnexpectedEof.into()),
                Frame::Text(_) => take(&frame),
            }
        }
        self.rest = bytes[at..].to_vec();
        Ok(())
    }
}

fn more(stream: &mut TcpStream, rest: &mut Vec<u8>) -> io::Result<()> {
    let mut piece = [0; 8_192];
    match stream.read(&mut piece)? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        n => {
            rest.extend_from_slice(&piece[..n]);
            Ok(())
        }
    }
}

/// Returns the frame at the start, if it is complete, and its length including its head.
fn frame_of(bytes: &[u8]) -> Option<(usize, Frame<'_>)> {
    let (head, length) = match *bytes.get(1)? {
        126 => (4, u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]).into()),
        127 => (10, u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?) as usize),
        short => (2, short.into()),
    };
    let payload = bytes.get(head..head + length)?;
    let frame = match bytes[0] {
        0x81 => Frame::Text(std::str::from_utf8(payload).unwrap_or_default()),
        0x89 => Frame::Ping,
        _ => Frame::End,
    };
    Some((head + length, frame))
}

/// Returns a client's frame with a mask of zeros, which changes nothing (RFC 6455, 5.3).
fn masked(first: u8, payload: &[u8]) -> Vec<u8> {
    debug_assert!(payload.len() < 126);
    let mut bytes = vec![first, 0x80 | payload.len() as u8, 0, 0, 0, 0];
    bytes.extend_from_slice(payload);
    bytes
}
