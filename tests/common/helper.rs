//! A fake of the privileged helper, controlled by a test.

use doozer_box::admin::{Failure, Reply, Request, print_answer};
use smol::channel::{Receiver, Sender, unbounded};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::thread;

/// A fake helper on its own socket. Dropping it removes the socket.
pub struct Helper {
    pub path: PathBuf,
    /// The received requests. The test answers each of them.
    pub requests: Receiver<Request>,
    answers: Sender<Result<Reply, Failure>>,
}

impl Helper {
    pub fn new(name: &str) -> Helper {
        let path = std::env::temp_dir().join(format!("doozer-helper-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let listener = UnixListener::bind(&path).unwrap();
        let (received, requests) = unbounded();
        let (answers, answer) = unbounded();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut line = String::new();
                BufReader::new(stream.try_clone().unwrap()).read_line(&mut line).unwrap();
                received
                    .send_blocking(Request::parse(line.trim_end_matches('\n').as_bytes()).unwrap())
                    .unwrap();
                let Ok(answer) = answer.recv_blocking() else { return };
                let _ = stream.write_all(print_answer(&answer).as_bytes());
            }
        });
        Helper { path, requests, answers }
    }

    /// Waits for the next request, and answers it. Returns the request.
    pub async fn answers(&self, answer: Result<Reply, Failure>) -> String {
        let request = self.requests.recv().await.unwrap();
        self.answers.send(answer).await.unwrap();
        request.to_string()
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
