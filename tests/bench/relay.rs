//! The bare relay: it sends each message of a client to all clients of its room, and does nothing else. It has the
//! daemon's crates and settings, so its performance is the daemon's upper limit.

use async_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use async_tungstenite::tungstenite::protocol::WebSocketConfig;
use async_tungstenite::tungstenite::{Message, Utf8Bytes};
use async_tungstenite::{WebSocketSender, accept_hdr_async_with_config};
use doozer_box::limits::{FRAME_BYTES_MAX, READ_BUFFER_BYTES, SEND_BUFFER_BYTES, WRITE_BUFFER_BYTES};
use smol::lock::Mutex;
use smol::stream::StreamExt as _;
use smol::{Async, LocalExecutor};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::net::TcpStream;
use std::rc::Rc;

/// A client: the size of its frames in bytes, and its sender.
type Client = (usize, Rc<Mutex<WebSocketSender<Async<TcpStream>>>>);
type Rooms = Rc<RefCell<HashMap<String, Vec<Client>>>>;

/// Serves until it is killed. A client's path is `/ROOM/BYTES`.
pub(crate) fn run() -> io::Result<()> {
    let listener = doozer_box::net::bind(([127, 0, 0, 1], 0).into())?;
    println!("listening on http://{}", listener.local_addr()?);
    let listener = Async::new(listener)?;
    let rooms = Rooms::default();
    let executor = LocalExecutor::new();
    smol::block_on(executor.run(async {
        loop {
            let (stream, _) = listener.accept().await?;
            stream.get_ref().set_nodelay(true)?;
            socket2::SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER_BYTES)?;
            executor.spawn(serve(stream, rooms.clone())).detach();
        }
    }))
}

async fn serve(stream: Async<TcpStream>, rooms: Rooms) -> Option<()> {
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE_BUFFER_BYTES)
        .max_message_size(Some(FRAME_BYTES_MAX))
        .max_frame_size(Some(FRAME_BYTES_MAX));
    let mut path = String::new();
    #[allow(clippy::result_large_err, reason = "the crate's own type")]
    let note = |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
        path = request.uri().path().to_owned();
        Ok(response)
    };
    let ws = accept_hdr_async_with_config(stream, note, Some(config)).await.ok()?;
    let (room, bytes) = path.strip_prefix('/')?.split_once('/')?;
    let (sender, mut receiver) = ws.split();
    let page = (bytes.parse().ok()?, Rc::new(Mutex::new(sender)));
    rooms.borrow_mut().entry(room.to_owned()).or_default().push(page);
    while let Some(Ok(Message::Text(text))) = receiver.next().await {
        let pages = rooms.borrow().get(room)?.clone();
        let mut printed: Vec<(usize, Utf8Bytes)> = Vec::new();
        for (bytes, page) in pages {
            let frame = match printed.iter().find(|(of, _)| *of == bytes) {
                Some((_, frame)) => frame.clone(),
                None => {
                    let frame = Utf8Bytes::from(format!("{text:bytes$}", text = text.as_str()));
                    printed.push((bytes, frame.clone()));
                    frame
                }
            };
            let _ = page.lock().await.send(Message::Text(frame)).await;
        }
    }
    None
}
