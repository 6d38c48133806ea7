//! A guest's TCP stream, and the ways to end it.

use crate::limits::{LINGER_BYTES_MAX, MESSAGE_WIRE_BYTES_MAX};
use smol::Async;
use smol::future::FutureExt as _;
use smol::io::{AsyncRead, AsyncWrite};
use socket2::SockRef;
use std::io::{self, Read as _};
use std::net::{Shutdown, TcpStream};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

/// The stream under a WebSocket, with a limit on the bytes read for one message.
///
/// tungstenite reports a fragmented message only when it is complete. Without the limit it would read endless
/// fragments unnoticed.
#[derive(Debug)]
pub(super) struct LimitedStream {
    stream: Rc<Async<TcpStream>>,
    read: usize,
}

impl LimitedStream {
    pub(super) fn new(stream: Rc<Async<TcpStream>>) -> LimitedStream {
        LimitedStream { stream, read: 0 }
    }

    /// Allows the bytes of the next message, after one is complete.
    pub(super) fn reset_budget(&mut self) {
        self.read = 0;
    }

    /// Returns the bytes of a control frame to the budget, because it may be between the fragments of a message.
    pub(super) fn give_back(&mut self, bytes: usize) {
        self.read = self.read.saturating_sub(bytes);
    }
}

impl AsyncRead for LimitedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        if self.read > MESSAGE_WIRE_BYTES_MAX {
            return Poll::Ready(Err(io::ErrorKind::FileTooLarge.into()));
        }
        // Reads at each wakeup. `Async::poll_readable` could miss an event while two threads run the reactor,
        // because it waits for an event of a later tick than the one in which it was registered.
        let read = Pin::new(&mut &*self.stream).poll_read(cx, bytes);
        if let Poll::Ready(Ok(n)) = read {
            self.read += n;
        }
        read
    }
}

impl AsyncWrite for LimitedStream {
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

/// Ends a connection at once. Unsent bytes are dropped, and a task that reads or writes the stream gets an error.
pub(super) fn abort(stream: &Async<TcpStream>) {
    // Both fail only on a connection that has ended already.
    let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
    let _ = stream.get_ref().shutdown(Shutdown::Both);
}

/// Ends a connection so that the bytes sent last arrive (a lingering close).
///
/// If a socket is closed with unread bytes, the kernel resets it, and the reset discards what the peer has not read yet.
/// So the remaining bytes are read first, for at most `time` and [`LINGER_BYTES_MAX`].
pub(super) async fn close_gracefully(stream: &Async<TcpStream>, time: Duration) {
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
    drained.or(sleep(time)).await;
}

/// Sleeps for that time.
pub(super) async fn sleep(time: Duration) {
    smol::Timer::after(time).await;
}
