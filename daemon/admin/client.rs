//! The daemon's side: one connection to the helper for one request.

use super::{ANSWER_BYTES_MAX, Failure, Reply, Request, parse_answer};
use smol::Timer;
use smol::channel::{Sender, bounded};
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
    /// Where requests about Wi-Fi go instead, if anywhere.
    wifi: Option<Sender<WifiCall>>,
}

/// A request about Wi-Fi, on its way to the part that knows what the card is used for.
#[derive(Debug)]
pub struct WifiCall {
    /// [`Request::WifiList`] or [`Request::WifiJoin`].
    pub request: Request,
    /// Takes the answer.
    pub reply: Sender<Result<Reply, Failure>>,
}

impl Admin {
    /// Returns the helper behind that socket. Nothing is opened before the first request.
    pub fn new(socket: Option<PathBuf>) -> Self {
        Admin { socket, wifi: None }
    }

    /// Returns the same helper, with requests about Wi-Fi going to `wifi` first: a card that makes a Wi-Fi itself must
    /// stop that before it joins one.
    pub fn with_wifi(self, wifi: Sender<WifiCall>) -> Self {
        Admin { wifi: Some(wifi), ..self }
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
    // One byte more, by which an answer that is too long is known.
    stream.take(ANSWER_BYTES_MAX as u64 + 1).read_to_end(&mut answer).await?;
    Ok(answer)
}
