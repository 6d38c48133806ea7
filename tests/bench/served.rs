//! The measured server, the daemon or the bare relay, as a process.

use rustix::thread::{CpuSet, sched_setaffinity};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Daemon,
    Relay,
}

pub(crate) struct Served {
    pub(crate) kind: Kind,
    pub(crate) address: SocketAddr,
    started: Instant,
    child: Child,
}

impl Served {
    /// Starts it on a free port, without anything that happens by itself during the measurement.
    pub(crate) fn start(kind: Kind) -> io::Result<Served> {
        let mut command = match kind {
            Kind::Daemon => {
                let mut command = Command::new(env!("CARGO_BIN_EXE_doozer-box"));
                let args = "--listen 127.0.0.1:0 --no-mdns --turn 600 --result 0.05 --rematch 600 --attract 600 \
                            --connections 16384 --per-address 16384";
                command.args(args.split(' '));
                command
            }
            Kind::Relay => {
                let mut command = Command::new(std::env::current_exe()?);
                command.arg("relay");
                command
            }
        };
        let started = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut line = String::new();
        // The rest of the output is not read, it fits into the pipe.
        BufReader::new(child.stdout.as_mut().ok_or(io::ErrorKind::BrokenPipe)?).read_line(&mut line)?;
        let address = line.trim().strip_prefix("listening on http://").and_then(|text| text.parse().ok());
        let address = address.ok_or_else(|| io::Error::other(format!("unexpected first line: {line:?}")))?;
        Ok(Served { kind, address, started, child })
    }

    /// Does the same on the first core, and moves this process to the other cores.
    pub(crate) fn start_on_one_core(kind: Kind) -> io::Result<Served> {
        let cores = std::thread::available_parallelism()?.get().max(2);
        let only = |cores: std::ops::Range<usize>| {
            let mut set = CpuSet::new();
            cores.for_each(|core| set.set(core));
            sched_setaffinity(None, &set)
        };
        only(0..1)?;
        let served = Served::start(kind)?;
        only(1..cores)?;
        Ok(served)
    }

    /// Returns the time from exec to the end of the first page.
    pub(crate) fn first_page(&self, path: &str) -> io::Result<Duration> {
        let mut stream = TcpStream::connect(self.address)?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address)?;
        let mut page = Vec::new();
        stream.read_to_end(&mut page)?;
        assert!(page.starts_with(b"HTTP/1.1 200") && page.ends_with(b"</html>\n"), "that is no page");
        Ok(self.started.elapsed())
    }

    /// Returns the processor time so far.
    pub(crate) fn busy(&self) -> io::Result<Duration> {
        busy(self.child.id())
    }

    /// Returns a value of /proc/PID/status in KiB.
    pub(crate) fn kib(&self, name: &str) -> io::Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        kib.ok_or_else(|| io::Error::other(format!("no {name} in its status")))
    }
}

/// Returns the processor time of all threads of a process so far.
pub(crate) fn busy(process: u32) -> io::Result<Duration> {
    let mut ns = 0;
    for task in fs::read_dir(format!("/proc/{process}/task"))? {
        let text = fs::read_to_string(task?.path().join("schedstat"))?;
        ns += text.split(' ').next().and_then(|ns| ns.parse::<u64>().ok()).unwrap_or(0);
    }
    Ok(Duration::from_nanos(ns))
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
