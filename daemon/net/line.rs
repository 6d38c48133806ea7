//! One guest's TCP stream, and the ways to end it.

use crate::limits::{LINGER_BYTES_MAX, MESSAGE_WIRE_BYTES_MAX};
use smol::Async;
use smol::future::FutureExt as _;
use smol::io::{AsyncRead, AsyncWrite};
use socket2::SockRef;
use std::io::{self, Read as _};
use std::net::{Shutdown, TcpStream};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// The stream under a WebSocket. It counts what is read for one message, since tungstenite tells of a
/// fragmented message only when it is whole: endless fragments would be read for ever, and unseen.
#[derive(Debug)]
pub(super) struct Line {
    stream: Rc<Async<TcpStream>>,
    read: usize,
    dry: bool,
}

impl Line {
    pub(super) fn new(stream: Rc<Async<TcpStream>>) -> Line {
        Line { stream, read: 0, dry: false }
    }

    /// A message is whole: the next may be read.
    pub(super) fn whole(&mut self) {
        self.read = 0;
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        if self.read > MESSAGE_WIRE_BYTES_MAX {
            return Poll::Ready(Err(io::ErrorKind::FileTooLarge.into()));
        }
        // Nothing was there and no event has come since: no need to ask the kernel again on every view sent.
        if self.dry {
            ready!(self.stream.poll_readable(cx))?;
            self.dry = false;
        }
        let read = Pin::new(&mut &*self.stream).poll_read(cx, bytes);
        match read {
            Poll::Pending => self.dry = true,
            Poll::Ready(Ok(n)) => self.read += n,
            Poll::Ready(Err(_)) => {}
        }
        read
    }
}

impl AsyncWrite for Line {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut &*self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut &*self.stream).poll_flush(cx)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut &*self.stream).poll_close(cx)
    }
}

/// Ends a connection without another word and without waiting: what is unsent is dropped. Whoever reads
/// or writes it finds out.
pub(super) fn hang_up(stream: &Async<TcpStream>) {
    // Fails only on a connection that is over already.
    let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
    let _ = stream.get_ref().shutdown(Shutdown::Both);
}

/// Ends a connection so that its last words arrive. A socket closed with bytes unread is reset, and a
/// reset takes unread words away from the other side; so the rest is read, within bounds.
pub(super) async fn part(stream: &Async<TcpStream>, patience: Duration) {
    if stream.get_ref().shutdown(Shutdown::Write).is_err() {
        return;
    }
    let drained = async {
        let mut left = LINGER_BYTES_MAX;
        while left > 0 && stream.readable().await.is_ok() {
            let mut bytes = [0; 4_096];
            match stream.get_ref().read(&mut bytes) {
                Ok(0) => return,
                Ok(n) => left = left.saturating_sub(n),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => return,
            }
        }
    };
    drained.or(pause(patience)).await;
}

/// Waits.
pub(super) async fn pause(time: Duration) {
    smol::Timer::after(time).await;
}
