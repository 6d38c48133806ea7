//! The daemon's side: one connection to the helper for one request.

use super::{ANSWER_BYTES_MAX, Failure, Reply, Request, parse_answer};
use smol::Timer;
use smol::future::FutureExt as _;
use smol::io::{AsyncReadExt as _, AsyncWriteExt as _};
use smol::net::unix::UnixStream;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The helper, as the daemon reaches it.
#[derive(Clone, Debug, Default)]
pub struct Admin {
    /// Its socket; `None`: this machine has none.
    socket: Option<PathBuf>,
}

impl Admin {
    /// Returns the helper behind that socket. Nothing is opened before the first request.
    pub fn new(socket: Option<PathBuf>) -> Self {
        Admin { socket }
    }

    /// Returns whether this machine has a helper, as far as the settings say.
    pub fn is_there(&self) -> bool {
        self.socket.is_some()
    }

    /// Asks the helper for something and waits until it is done, or has failed.
    ///
    /// # Errors
    /// Returns why it was not done. A request that has timed out may still be carried out.
    pub async fn call(&self, request: &Request) -> Result<Reply, Failure> {
        let Some(socket) = &self.socket else { return Err(Failure::Unavailable) };
        let exchange = async {
            let mut stream = UnixStream::connect(socket).await.map_err(|_| Failure::Unavailable)?;
            let answer = exchange(&mut stream, request).await;
            parse_answer(&answer.map_err(|error| Failure::Error(format!("the helper: {error}")))?)
        };
        let deadline = async {
            Timer::after(Duration::from_secs(request.seconds_max())).await;
            Err(Failure::TimedOut)
        };
        exchange.or(deadline).await
    }
}

async fn exchange(stream: &mut UnixStream, request: &Request) -> io::Result<Vec<u8>> {
    stream.write_all(format!("{request}\n").as_bytes()).await?;
    let mut answer = Vec::new();
    // One byte more, by which an answer that is too long is known.
    stream.take(ANSWER_BYTES_MAX as u64 + 1).read_to_end(&mut answer).await?;
    Ok(answer)
}
