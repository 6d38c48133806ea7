//! Guests for the boot test: a TV and two phones that play Four in a Row over the wire and reconnect after restarts of
//! the daemon.
//!
//!     guest game HOST:PORT    plays one game to its end
//!     guest stay HOST:PORT    starts a game, then executes commands from standard input:
//!         move    plays one more move
//!         back    waits until all three have reconnected to the same game after a restart
//!         at IP   waits until the TV's join address has this IP address (`none`: no network)
//!         end     leaves

use async_tungstenite::tungstenite::{self, Message, WebSocket};
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, ErrorKind, stdin};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{TryRecvError, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

type Res<T> = Result<T, Box<dyn Error>>;

/// Longest wait for anything that must arrive.
const WAIT: Duration = Duration::from_secs(40);

/// Longest wait of one read on a silent socket.
const SOON: Duration = Duration::from_millis(20);

/// A client: its socket, its key and the newest view.
struct Client {
    address: String,
    hello: Value,
    socket: WebSocket<TcpStream>,
    /// The newest join address that the TV has received.
    join: Value,
    view: Value,
}

impl Client {
    fn open(address: &str, hello: Value) -> Res<Self> {
        let socket = connect(address, &mut 0)?;
        let mut page = Self { address: address.into(), hello, socket, join: Value::Null, view: Value::Null };
        page.greet()?;
        Ok(page)
    }

    /// Sends the first message, waits for the first view, and keeps the key for the next time.
    fn greet(&mut self) -> Res<()> {
        self.view = Value::Null;
        self.send(self.hello.clone())?;
        self.until(|view| !view.is_null())
    }

    fn send(&mut self, message: Value) -> Res<()> {
        Ok(self.socket.send(Message::text(message.to_string()))?)
    }

    /// Reads one message, if one arrives soon. Returns an error if the connection is lost.
    fn next(&mut self) -> Res<()> {
        let text = match self.socket.read() {
            Ok(Message::Text(text)) => text,
            Ok(_) => return Ok(()),
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
            {
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        let mut message: Value = serde_json::from_str(&text)?;
        match message["t"].as_str() {
            Some("welcome" | "room") => {
                for kept in ["room", "key"] {
                    self.hello[kept] = message[kept].clone();
                }
                self.join = message["join"].take();
                let view = message["view"].take();
                if !view.is_null() {
                    self.view = view;
                }
            }
            Some("ws" | "menu") => self.view = message,
            Some("no") => return Err(format!("refused: {message}").into()),
            _ => {}
        }
        Ok(())
    }

    fn until(&mut self, seen: impl Fn(&Value) -> bool) -> Res<()> {
        self.wait(|page| seen(&page.view))
    }

    fn wait(&mut self, seen: impl Fn(&Self) -> bool) -> Res<()> {
        let start = Instant::now();
        while !seen(self) {
            if start.elapsed() > WAIT {
                return Err(format!("waited in vain at {} {}", self.join, self.view).into());
            }
            self.next()?;
        }
        Ok(())
    }

    /// Reads everything until the connection ends, and closes it as a browser does. A daemon that shuts down waits for
    /// that.
    fn read_to_end(&mut self) {
        while self.next().is_ok() {}
        let _ = self.socket.get_ref().shutdown(Shutdown::Both);
    }

    /// Reconnects. Returns how often the connection was refused.
    fn reconnect(&mut self) -> Res<u32> {
        let mut refused = 0;
        let start = Instant::now();
        loop {
            // The daemon may still be shutting down.
            if let Ok(socket) = connect(&self.address, &mut refused) {
                self.socket = socket;
                if self.greet().is_ok() {
                    return Ok(refused);
                }
            }
            if start.elapsed() > WAIT {
                return Err("did not get back in".into());
            }
            sleep(SOON);
        }
    }
}

fn connect(address: &str, refused: &mut u32) -> Res<WebSocket<TcpStream>> {
    let stream = TcpStream::connect(address).inspect_err(|error| {
        *refused += u32::from(error.kind() == ErrorKind::ConnectionRefused);
    })?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(WAIT))?;
    let (socket, _) =
        tungstenite::client(format!("ws://{address}/ws"), stream).map_err(|error| error.to_string())?;
    socket.get_ref().set_read_timeout(Some(SOON))?;
    Ok(socket)
}

/// A TV with a game and two seated players.
struct Evening {
    tv: Client,
    phones: [Client; 2],
}

impl Evening {
    fn start(address: &str) -> Res<Self> {
        let tv = Client::open(address, json!({"t": "host", "game": "four"}))?;
        let room = tv.hello["room"].clone();
        let join = |nick: &str| Client::open(address, json!({"t": "join", "room": room, "nick": nick}));
        let mut evening = Self { phones: [join("Wren")?, join("Heron")?], tv };
        evening.tv.until(|view| view["phase"] == "play")?;
        Ok(evening)
    }

    /// Drops a disc for the player on turn, into a column of that player. Returns whether the game has ended.
    fn play(&mut self) -> Res<bool> {
        let before = self.tv.view["turn"]["id"].clone();
        let side = self.tv.view["turn"]["side"].as_u64().ok_or("nobody is on turn")?;
        let on_turn = |view: &Value| view["turn"]["id"] == before;
        for phone in &mut self.phones {
            phone.until(on_turn)?;
        }
        let phone = self.phones.iter_mut().find(|phone| phone.view["side"] == side).ok_or("no such side")?;
        phone.send(json!({"t": "move", "v": side, "n": before}))?;
        self.tv.until(|view| view["phase"] != "play" || view["turn"]["id"] != before)?;
        Ok(self.tv.view["phase"] != "play")
    }

    /// Returns the parts of the view that a restart must restore.
    fn game(&self) -> Value {
        let view = &self.tv.view;
        let names: Vec<_> =
            view["seats"].as_array().into_iter().flatten().map(|seat| &seat["nick"]).collect();
        json!([self.tv.hello["room"], view["game"], view["phase"], view["state"], view["last"], names])
    }

    fn everyone_back(&mut self) -> Res<String> {
        let before = self.game();
        // Meanwhile the phones answer pings. Their connections are restored next.
        while self.tv.next().is_ok() {
            let _ = self.phones.iter_mut().try_for_each(Client::next);
        }
        let start = Instant::now();
        self.tv.read_to_end();
        self.phones.iter_mut().for_each(Client::read_to_end);
        let mut refused = self.tv.reconnect()?;
        let tv = start.elapsed();
        for phone in &mut self.phones {
            refused += phone.reconnect()?;
        }
        self.tv.until(|view| {
            view["seats"].as_array().is_some_and(|s| s.iter().all(|seat| seat["away"] == false))
        })?;
        if self.game() != before {
            return Err(format!("another game: {} was {before}", self.game()).into());
        }
        Ok(format!("the same game {} ms after the cut, {refused} connections refused", tv.as_millis()))
    }
}

fn game(address: &str) -> Res<()> {
    let mut evening = Evening::start(address)?;
    let mut moves = 1;
    while !evening.play()? {
        moves += 1;
    }
    let result = &evening.tv.view["result"];
    let winner = result["winner"].as_u64().filter(|_| result["how"] == "play");
    let winner = winner.ok_or_else(|| format!("nobody has won by playing: {result}"))?;
    println!(
        "a whole game: {moves} moves, {} wins, line {}",
        result["names"][winner as usize], result["line"]
    );
    Ok(())
}

fn stay(address: &str) -> Res<()> {
    let mut evening = Evening::start(address)?;
    for _ in 0..3 {
        evening.play()?;
    }
    println!("playing in room {}", evening.tv.hello["room"]);
    let (order, orders) = channel();
    spawn(move || stdin().lock().lines().map_while(Result::ok).try_for_each(|line| order.send(line)));
    loop {
        let line = match orders.try_recv() {
            Ok(line) => line,
            // Without a command only pings are answered. `back` restores a lost connection.
            Err(TryRecvError::Empty) => {
                evening
                    .tv
                    .next()
                    .and_then(|()| evening.phones.iter_mut().try_for_each(Client::next))
                    .unwrap_or_else(|_| sleep(SOON));
                continue;
            }
            Err(TryRecvError::Disconnected) => break,
        };
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("move", _) => {
                evening.play()?;
                println!("moved: {}", evening.tv.view["state"]["cells"]);
            }
            ("back", _) => println!("{}", evening.everyone_back()?),
            ("at", ip) => {
                let start = Instant::now();
                evening.tv.wait(|tv| tv.join["addr"].as_str().unwrap_or("none") == ip)?;
                println!("the code says {} after {} ms", evening.tv.join, start.elapsed().as_millis());
            }
            _ => break,
        }
    }
    Ok(())
}

fn main() -> Res<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["game", address] => game(address),
        ["stay", address] => stay(address),
        _ => Err("guest game|stay HOST:PORT".into()),
    }
}
