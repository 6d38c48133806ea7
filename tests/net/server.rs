//! A listener on its own thread and port, with a hub that its clients control.

use doozer_box::clock::Clock;
use doozer_box::endpoint::GuestEndpoint;
use doozer_box::hub::{ConnectionId, Event, Peer};
use doozer_box::limits::EVENTS_MAX;
use doozer_box::net::{Assets, Budget, Listener, bind};
use doozer_box::outbox::Outbox;
use doozer_box::stats::Stats;
use smol::LocalExecutor;
use smol::channel::{Receiver, Sender, bounded, unbounded};
use smol::future::FutureExt as _;
use std::cell::RefCell;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Longest wait for anything that must happen.
pub const WAIT: Duration = Duration::from_secs(20);

/// An event that the hub has received.
#[derive(Debug)]
pub enum HubEvent {
    Connected(ConnectionId, Peer),
    Message(ConnectionId, String),
    Binary,
    Disconnected(ConnectionId),
}

/// The state on the listener's thread.
pub struct World {
    pub stats: Rc<Stats>,
    pub endpoint: Rc<RefCell<GuestEndpoint>>,
    pub clock: Clock,
    pub outboxes: HashMap<ConnectionId, Outbox>,
    /// The number of connections when the newest message arrived.
    pub connections_then: usize,
}

type Job = Box<dyn FnOnce(&mut World) + Send>;

pub struct TestServer {
    pub address: SocketAddr,
    pub received: mpsc::Receiver<HubEvent>,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub fn new() -> TestServer {
        TestServer::with(Budget::default(), None)
    }

    pub fn with(budget: Budget, www: Option<PathBuf>) -> TestServer {
        TestServer::at("127.0.0.1:0", budget, www)
    }

    pub fn at(address: &str, budget: Budget, www: Option<PathBuf>) -> TestServer {
        let listener = bind(address.parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let (jobs, job) = unbounded();
        let (tell, received) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let executor = Rc::new(LocalExecutor::new());
            let (stats, endpoint) = (Rc::<Stats>::default(), Rc::<RefCell<GuestEndpoint>>::default());
            let (events, event) = bounded(EVENTS_MAX);
            let clock = Clock::start();
            let listener = Listener {
                listener,
                events,
                stats: stats.clone(),
                assets: Rc::new(Assets::new(www)),
                endpoint: endpoint.clone(),
                name: "doozer".to_owned(),
                budget,
                clock,
            };
            let world = World { stats, endpoint, clock, outboxes: HashMap::new(), connections_then: 0 };
            let own = executor.clone();
            let accepting = executor.spawn(async move { listener.run(&own).await.unwrap() });
            let hub = executor.spawn(hub(world, event, job, tell));
            smol::block_on(executor.run(accepting.or(hub)));
        });
        TestServer { address, received, jobs: Some(jobs), thread: Some(thread) }
    }

    /// Runs `job` on the listener's thread, and waits for its result.
    pub fn on<T: Send + 'static>(&self, job: impl FnOnce(&mut World) -> T + Send + 'static) -> T {
        let (done, result) = mpsc::channel();
        let job: Job = Box::new(move |world| done.send(job(world)).unwrap());
        self.jobs.as_ref().unwrap().send_blocking(job).unwrap();
        result.recv_timeout(WAIT).unwrap()
    }

    /// Waits until the condition holds on the listener's thread.
    pub fn until(&self, what: &str, holds: impl Fn(&mut World) -> bool + Send + Copy + 'static) {
        let end = std::time::Instant::now() + WAIT;
        while !self.on(holds) {
            assert!(std::time::Instant::now() < end, "{what} did not come about");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn next(&self) -> HubEvent {
        self.received.recv_timeout(WAIT).expect("the hub received nothing")
    }

    /// Returns the next message, and skips other events.
    pub fn next_message(&self) -> String {
        loop {
            if let HubEvent::Message(_, text) = self.next() {
                return text;
            }
        }
    }

    /// Waits for the end of that connection.
    pub fn closed(&self, of: ConnectionId) {
        while !matches!(self.next(), HubEvent::Disconnected(connection) if connection == of) {}
    }

    pub fn counted(&self, reason: &'static str) -> u64 {
        self.on(move |world| world.stats.rejections.borrow().get(reason).copied().unwrap_or(0))
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.jobs = None;
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || std::thread::panicking(), "the listener's thread panicked");
    }
}

/// Repeats each message. `seat` seats the client, and `close N`, `big N` and `view N` ask for a close, a long
/// message and a long view.
async fn hub(
    mut world: World,
    events: Receiver<Event>,
    jobs: Receiver<Job>,
    reports: mpsc::Sender<HubEvent>,
) {
    enum Next {
        Event(Event),
        Job(Job),
    }
    loop {
        let event = async { events.recv().await.ok().map(Next::Event) };
        let job = async { jobs.recv().await.ok().map(Next::Job) };
        let Some(next) = event.or(job).await else { return };
        let report = match next {
            Next::Job(job) => {
                job(&mut world);
                continue;
            }
            Next::Event(Event::Connected { connection, peer, outbox }) => {
                world.outboxes.insert(connection, outbox);
                HubEvent::Connected(connection, peer)
            }
            Next::Event(Event::Message { connection, text, .. }) => {
                world.connections_then = world.stats.connections.get();
                answer(&world.outboxes[&connection], &text);
                HubEvent::Message(connection, text)
            }
            Next::Event(Event::Binary { .. }) => HubEvent::Binary,
            Next::Event(Event::Disconnected { connection }) => {
                assert!(
                    world.outboxes.remove(&connection).is_some(),
                    "{connection:?} was closed twice or never opened"
                );
                HubEvent::Disconnected(connection)
            }
            Next::Event(other) => panic!("{other:?} is no event of the listener"),
        };
        // Fails at the end of a test, when the receiver is dropped.
        let _ = reports.send(report);
    }
}

fn answer(outbox: &Outbox, text: &str) {
    outbox.seat(text == "seat");
    let number = |word: &str| text.strip_prefix(word).and_then(|n| n.trim().parse::<usize>().ok());
    if let Some(code) = number("close") {
        outbox.send("bye".into());
        outbox.close(code as u16);
    } else if let Some(length) = number("big") {
        outbox.send("x".repeat(length).into());
    } else if let Some(length) = number("view") {
        outbox.send_view("v".repeat(length).into());
    } else {
        outbox.send(text.into());
    }
}
