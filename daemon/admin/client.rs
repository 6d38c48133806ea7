//! The client of the privileged helper: one connection for each request.

use super::{ANSWER_BYTES_MAX, Failure, Reply, Request, parse_answer};
use smol::Timer;
use smol::channel::{Sender, bounded};
use smol::future::FutureExt as _;
use smol::io::{AsyncReadExt as _, AsyncWriteExt as _};
use smol::net::unix::UnixStream;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// A client of the privileged helper.
#[derive(Clone, Debug, Default)]
pub struct Admin {
    /// The helper's socket, or `None` if this machine has no helper.
    socket: Option<PathBuf>,
    /// Receives the requests about Wi-Fi instead of the helper, if set.
    wifi: Option<Sender<WifiCall>>,
}

/// A request about Wi-Fi, for the task that knows what the Wi-Fi card is used for.
#[derive(Debug)]
pub struct WifiCall {
    /// [`Request::WifiList`] or [`Request::WifiJoin`].
    pub request: Request,
    /// Receives the answer.
    pub reply: Sender<Result<Reply, Failure>>,
}

impl Admin {
    /// Returns a client of the helper on this socket. It connects at the first request.
    pub fn new(socket: Option<PathBuf>) -> Self {
        Admin { socket, wifi: None }
    }

    /// Returns a client that sends requests about Wi-Fi to `wifi` instead, since a card must stop its own Wi-Fi before it
    /// can join another.
    pub fn with_wifi(self, wifi: Sender<WifiCall>) -> Self {
        Admin { wifi: Some(wifi), ..self }
    }

    /// Returns whether the settings name a helper's socket.
    pub fn is_there(&self) -> bool {
        self.socket.is_some()
    }

    /// Sends a request to the helper and waits for its answer.
    ///
    /// # Errors
    /// Returns why the request was not carried out. After a timeout it may still be carried out later.
    pub async fn call(&self, request: &Request) -> Result<Reply, Failure> {
        let Some(socket) = &self.socket else { return Err(Failure::Unavailable) };
        if let (Some(wifi), Request::WifiList | Request::WifiJoin { .. }) = (&self.wifi, request) {
            let (reply, answer) = bounded(1);
            let call = WifiCall { request: request.clone(), reply };
            let _ = wifi.send(call).await;
            return answer.recv().await.unwrap_or(Err(Failure::Unavailable));
        }
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
    // One byte more than allowed, so that the parser notices an answer that is too long.
    stream.take(ANSWER_BYTES_MAX as u64 + 1).read_to_end(&mut answer).await?;
    Ok(answer)
}
