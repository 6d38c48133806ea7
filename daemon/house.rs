//! The house put together: journal, doors open, the hub in the middle, signals, and the way out.

use crate::appliance::{self, Hotspot, Network, journal, lan::Pin};
use crate::clock::Clock;
use crate::endpoint::GuestEndpoint;
use crate::hub::{Event, Hub, Setup};
use crate::limits::{EVENTS_MAX, GOODBYE_MS};
use crate::net::{self, BUILD, Budget, Door, Pages};
use crate::options::Options;
use crate::room::{Times, names::WordFilter, rooms::Rooms};
use crate::rule;
use crate::stats::Stats;
use crate::store::StateStore;
use crate::systemd;
use async_signal::{Signal, Signals};
use smol::channel::{Sender, bounded};
use smol::future::FutureExt;
use smol::stream::StreamExt;
use smol::{LocalExecutor, Timer};
use std::cell::RefCell;
use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, TcpListener};
use std::rc::Rc;
use std::time::Duration;

/// How often the way out looks whether everybody has heard the goodbye.
const LOOK: Duration = Duration::from_millis(10);

/// Is the box until a signal ends it.
///
/// # Errors
/// In words: the port cannot be had, or the door is shut for good.
pub fn run(options: Options) -> Result<(), String> {
    journal::init(log::LevelFilter::Info);
    std::panic::set_hook(Box::new(|panic| log::error!(event = "panic"; "{panic}")));
    for problem in &options.problems {
        log::warn!(event = "settings"; "{problem}");
    }
    open_files();
    let listener = listener(options.listen)?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    say(&format!("listening on http://{address}"));
    let executor = Rc::new(LocalExecutor::new());
    let outcome = smol::block_on(executor.run(serve(options, listener, address, &executor)));
    journal::flush();
    outcome
}

/// As many open files as the system lets us have: each guest is one, and many systems give 1,024 to who does not ask.
fn open_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        log::warn!("The limit of open files stays as it is: {error}");
    }
}

/// A line on standard output, where tools and people read it. That it is closed is no reason not to serve.
fn say(line: &str) {
    let mut out = io::stdout();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn listener(address: SocketAddr) -> Result<TcpListener, String> {
    let given =
        systemd::listener().map_err(|error| format!("the socket handed over is of no use: {error}"))?;
    given.map_or_else(|| net::bind(address), Ok).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            format!("port {} is in use: another program, or another doozer-box, has it", address.port())
        }
        ErrorKind::PermissionDenied => format!("port {} needs more rights than this", address.port()),
        ErrorKind::AddrNotAvailable => format!("{} is not an address of this machine", address.ip()),
        _ => format!("{address} cannot be listened on: {error}"),
    })
}

async fn serve(
    options: Options,
    listener: TcpListener,
    address: SocketAddr,
    executor: &Rc<LocalExecutor<'static>>,
) -> Result<(), String> {
    let clock = Clock::start();
    let stats = Rc::new(Stats::default());
    let reach = Rc::new(RefCell::new(GuestEndpoint::default()));
    let (events, inbox) = bounded(EVENTS_MAX);
    let (stop, stopped) = bounded(1);
    let told = telling(events.clone(), reach.clone(), address.port());
    let appliance = executor.spawn(appliance::run(network(&options, address), stopped, told));
    let hub = hub(&options, address.port(), stats.clone(), clock);
    let door = Door {
        listener,
        events: events.clone(),
        stats: stats.clone(),
        pages: Rc::new(Pages::new(options.www)),
        reach,
        name: options.name,
        budget: Budget {
            connections: options.connections,
            per_address: options.per_address,
            ..Budget::default()
        },
        clock,
    };
    systemd::ready();
    // The hub ends when it is told to; if the door ends, nobody gets in, and only a new start helps.
    let served = async {
        hub.run(inbox, clock).or(obey_signals(events)).await;
        Ok(())
    };
    let shut = async { door.run(executor).await.map_err(|error| format!("the door is shut: {error}")) };
    let outcome = served.or(shut).await;

    systemd::stopping();
    drop(stop);
    let goodbyes = async {
        appliance.await;
        while stats.connections.get() > 0 {
            Timer::after(LOOK).await;
        }
    };
    let patience = async {
        Timer::after(Duration::from_millis(GOODBYE_MS)).await;
    };
    goodbyes.or(patience).await;
    outcome
}

fn hub(options: &Options, port: u16, stats: Rc<Stats>, clock: Clock) -> Hub {
    let times = Times {
        rule: rule::Times {
            turn: options.turn,
            result: options.result,
            rematch: options.rematch,
            away: options.away,
            hold: options.hold,
        },
        attract: options.attract,
    };
    let keep = options.state.as_deref().and_then(|dir| {
        let kept = StateStore::open(dir);
        kept.inspect_err(|error| log::warn!("Rooms are not kept over a restart: {error}")).ok()
    });
    let words = WordFilter::new(&options.words_add, &options.words_exempt);
    let rooms = Rooms::new(times, words, rand::make_rng());
    let setup =
        Setup { port, build: BUILD, keep, times, house: options.house, endpoint: GuestEndpoint::default() };
    Hub::new(rooms, setup, stats, clock.now())
}

fn network(options: &Options, address: SocketAddr) -> Network {
    // A box that listens on one address only is reached there and nowhere else.
    let only = (!address.ip().is_unspecified()).then(|| address.ip());
    Network {
        pin: Pin { address: options.address.or(only), interface: options.interface.clone() },
        name: options.mdns.then(|| options.name.clone()),
        wifi: options.wifi.clone(),
        hotspot: options
            .hotspot
            .clone()
            .map(|name| Hotspot { name, password: options.hotspot_password.clone() }),
        port: address.port(),
    }
}

/// Tells everyone concerned how guests reach the box, whenever that changes.
fn telling(
    events: Sender<Event>,
    reach: Rc<RefCell<GuestEndpoint>>,
    port: u16,
) -> impl FnMut(GuestEndpoint) + 'static {
    let mut said = None;
    move |news: GuestEndpoint| {
        if said != Some(news.ip) {
            said = Some(news.ip);
            let guests = news.ip.map(|ip| format!("http://{}", SocketAddr::new(ip, port)));
            let guests = guests.unwrap_or_else(|| "no network yet".to_owned());
            say(&format!("the TV: http://localhost:{port}/tv   guests: {guests}"));
        }
        reach.replace(news.clone());
        // The inbox holds thousands; if it is full, the hub has other worries, and the next change tells it.
        let _ = events.try_send(Event::Endpoint(news));
    }
}

/// Tells the hub to stop when the service manager or the terminal says so; never ends by itself.
async fn obey_signals(events: Sender<Event>) {
    if let Ok(mut signals) = Signals::new([Signal::Term, Signal::Int]) {
        while signals.next().await.is_some() {
            let _ = events.send(Event::Shutdown).await;
        }
    }
    std::future::pending().await
}
