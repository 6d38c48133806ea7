//! Runs the real binary.

use socket2::{Domain, Socket, Type};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longest wait for anything that must happen.
pub const WAIT: Duration = Duration::from_secs(60);

/// A running daemon. Dropping it kills it.
pub struct Daemon {
    child: Child,
    pub address: SocketAddr,
    /// The address of the status port.
    pub status_port: SocketAddr,
    log: Arc<Mutex<String>>,
}

impl Daemon {
    /// Starts the daemon on a free port.
    pub fn start(args: &[&str]) -> Daemon {
        Daemon::at(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), args)
    }

    /// Starts the daemon on that address, as soon as it is free.
    pub fn at(address: SocketAddr, args: &[&str]) -> Daemon {
        Daemon::by(Command::new(env!("CARGO_BIN_EXE_doozer-box")), address, args)
    }

    /// Starts the daemon with that command, to which the daemon's flags are added.
    pub fn by(mut command: Command, address: SocketAddr, args: &[&str]) -> Daemon {
        command.args(["--listen", &address.to_string(), "--status", "127.0.0.1:0", "--no-mdns"]).args(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        let (lines, into) = (BufReader::new(child.stderr.take().unwrap()), log.clone());
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                let mut log = into.lock().unwrap();
                log.push_str(&line);
                log.push('\n');
            }
        });
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut address_after = |start: &str| {
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            let Some(address) = line.trim().strip_prefix(start) else {
                panic!("it said {line:?} and {}", log.lock().unwrap());
            };
            address.parse().unwrap()
        };
        let address = address_after("listening on http://");
        let status_port = address_after("status on http://");
        std::thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
        Daemon { child, address, status_port, log }
    }

    /// Returns its log so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Kills it with SIGKILL.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops it with SIGTERM and waits for its end.
    pub fn term(&mut self) -> ExitStatus {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.child.wait().unwrap()
    }

    fn proc(&self, file: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{file}", self.child.id()))
    }

    /// Returns a number of `/proc/PID/status` (proc(5)), such as `VmRSS` and `VmHWM` in kB, or `Threads`.
    pub fn status(&self, field: &str) -> u64 {
        let status = std::fs::read_to_string(self.proc("status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        line.unwrap().split_whitespace().next().unwrap().parse().unwrap()
    }

    /// Returns the number of its open descriptors.
    pub fn descriptors(&self) -> usize {
        self.descriptors_below(usize::MAX)
    }

    /// Returns the number of its open descriptors below `limit`. A limit concerns the numbers of new descriptors,
    /// so older ones may be above it.
    pub fn descriptors_below(&self, limit: usize) -> usize {
        let names = std::fs::read_dir(self.proc("fd")).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_str().unwrap().parse::<usize>().unwrap() < limit).count()
    }

    /// Returns its processor time in hundredths of a second (USER_HZ, proc(5)).
    pub fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(self.proc("stat")).unwrap();
        let after_name = stat.rsplit_once(") ").unwrap().1;
        after_name.split(' ').skip(11).take(2).map(|n| n.parse::<u64>().unwrap()).sum()
    }

    /// Requests a page from an address of this machine. Returns its body, or an error in words.
    pub fn get(&self, path: &str, from: Ipv4Addr) -> Result<String, String> {
        Daemon::get_from(self.address, path, from)
    }

    /// Does the same as [`Daemon::get`] on another port.
    pub fn get_from(port: SocketAddr, path: &str, from: Ipv4Addr) -> Result<String, String> {
        let ask = || {
            let mut stream = connect(port, from)?;
            stream.set_read_timeout(Some(WAIT))?;
            write!(stream, "GET {path} HTTP/1.1\r\nHost: {port}\r\nConnection: close\r\n\r\n")?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer)?;
            Ok::<_, std::io::Error>(String::from_utf8_lossy(&answer).into_owned())
        };
        let answer = ask().map_err(|error| error.to_string())?;
        match answer.split_once("\r\n\r\n") {
            Some((head, body)) if head.starts_with("HTTP/1.1 200 ") => Ok(body.to_owned()),
            _ => Err(answer),
        }
    }

    /// Returns a sample of `/metrics` by its name with labels, or 0 if there is none.
    pub fn metric(&self, name: &str) -> f64 {
        let text = Daemon::get_from(self.status_port, "/metrics", Ipv4Addr::LOCALHOST).unwrap();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.map_or(0.0, |value| value.parse().unwrap())
    }

    /// Waits until the condition holds.
    pub fn until(&self, what: &str, holds: impl Fn(&Daemon) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < WAIT, "{what} did not come about");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the daemon's log:\n{}", self.log());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Opens a connection from that loopback address.
pub fn connect(to: SocketAddr, from: Ipv4Addr) -> std::io::Result<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::new(IpAddr::V4(from), 0).into())?;
    socket.connect_timeout(&to.into(), WAIT)?;
    let stream = TcpStream::from(socket);
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A directory for one test, removed when dropped.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("doozer-box-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        Scratch(dir)
    }

    pub fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Raises this process's limit of open files as far as possible, since attackers need two thousand.
pub fn many_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}
