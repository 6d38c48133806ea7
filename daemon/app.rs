//! Wires the parts together: logging, listener, hub, appliance, signals and the shutdown.

use crate::admin::Admin;
use crate::appliance::{self, Hotspot, Links, Network, hours, journal, lan::Overrides, setup};
use crate::auth::Phones;
use crate::clock::Clock;
use crate::endpoint::{GuestEndpoint, WifiSetup};
use crate::hub::{Event, Hub, LiveSettings, OwnerHandle, Setup};
use crate::limits::{
    CONNECTIONS_DEFAULT, EVENTS_MAX, FILES_BESIDE, GOODBYE_MS, OWNER_REQUESTS_MAX, QUESTIONS_MAX,
};
use crate::net::{self, Assets, Budget, Listener};
use crate::opening_hours::Schedule;
use crate::options::Options;
use crate::owner::{self, Context, OwnerService, Reload};
use crate::room::rooms::Rooms;
use crate::stats::Stats;
use crate::status::Status;
use crate::store::StateStore;
use crate::systemd;
use crate::thinker::Thinker;
use crate::version::BUILD;
use async_signal::{Signal, Signals};
use smol::channel::{Receiver, Sender, TrySendError, bounded};
use smol::future::FutureExt;
use smol::stream::StreamExt;
use smol::{LocalExecutor, Task, Timer};
use std::cell::RefCell;
use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

/// Interval at which the shutdown checks whether all connections have ended.
const SHUTDOWN_POLL: Duration = Duration::from_millis(10);

/// Runs the daemon until SIGTERM or SIGINT. `reload` reads the settings anew.
///
/// # Errors
/// Returns a message for the owner if the port cannot be opened or no connection can be accepted any more.
pub fn run(mut options: Options, reload: Reload) -> Result<(), String> {
    journal::init(log::LevelFilter::Info);
    std::panic::set_hook(Box::new(|panic| log::error!(event = "panic"; "{panic}")));
    for problem in &options.problems {
        log::warn!(event = "settings"; "{problem}");
    }
    let files = raise_file_limit();
    if let Some(problem) = refuse_connections(&mut options, files) {
        log::warn!(event = "settings"; "{problem}");
        options.problems.push(problem);
    }
    if let Some(problem) = refuse_timezone(&mut options, hours::has_zone) {
        log::warn!(event = "settings"; "{problem}");
        options.problems.push(problem);
    }
    let listener = bind(options.listen)?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    print_line(&format!("listening on http://{address}"));
    let status = options.status.and_then(open_status);
    let executor = Rc::new(LocalExecutor::new());
    let outcome =
        smol::block_on(executor.run(serve(options, listener, address, (status, reload), &executor)));
    journal::flush();
    outcome
}

/// Raises the limit of open files as far as the system allows, because each guest needs one and the default is often
/// 1,024. Returns the new limit, or `None` if there is none.
fn raise_file_limit() -> Option<u64> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        log::warn!("The limit of open files cannot be raised: {error}");
    }
    getrlimit(Resource::Nofile).current
}

/// Resets `connections` to its default if the limit of open files is too low for it. Returns the problem for the owner.
fn refuse_connections(options: &mut Options, files: Option<u64>) -> Option<String> {
    let files = files?;
    let wanted = options.connections;
    if wanted <= CONNECTIONS_DEFAULT || (wanted + FILES_BESIDE) as u64 <= files {
        return None;
    }
    options.connections = CONNECTIONS_DEFAULT;
    Some(format!(
        "connections = {wanted} is refused: the limit of open files is {files} (LimitNOFILE in the unit), \
         {CONNECTIONS_DEFAULT} are let in"
    ))
}

/// Ignores a `timezone` that the machine does not have. Returns the problem for the owner.
fn refuse_timezone(options: &mut Options, has_zone: impl Fn(&str) -> bool) -> Option<String> {
    let wanted = options.timezone.take_if(|zone| !has_zone(zone))?;
    Some(format!("timezone = {wanted:?} is no time zone that this box knows, like Europe/Berlin"))
}

/// Prints a line on standard output for tools and people. Errors are ignored, because the output may be closed.
fn print_line(line: &str) {
    let mut out = io::stdout();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Opens the status port. The box works without one, so a failure is only logged.
fn open_status(address: SocketAddr) -> Option<Status> {
    match Status::open(address) {
        Ok(status) => {
            print_line(&format!("status on http://{}", status.address));
            Some(status)
        }
        Err(error) => {
            log::error!(event = "status"; "There is no status port, {address} cannot be listened on: {error}");
            None
        }
    }
}

/// Returns the socket passed by systemd, or else one bound to that address.
fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    let inherited =
        systemd::listener().map_err(|error| format!("the socket handed over is unusable: {error}"))?;
    inherited.map_or_else(|| net::bind(address), Ok).map_err(|error| match error.kind() {
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
    (status, reload): (Option<Status>, Reload),
    executor: &Rc<LocalExecutor<'static>>,
) -> Result<(), String> {
    let clock = Clock::start();
    let (connections, per_address) = (options.connections, options.per_address);
    let budget = Budget { connections, per_address, ..Budget::default() };
    let stats = Rc::new(Stats::default());
    let endpoint = Rc::new(RefCell::new(GuestEndpoint::default()));
    let (events, inbox) = bounded(EVENTS_MAX);
    let (stop, stopped) = bounded(1);
    let publish = publisher(events.clone(), endpoint.clone(), address.port());
    let (links, admin) = links(&options, &stats, clock, executor);
    let appliance = executor.spawn(appliance::run(network(&options, address), links, stopped, publish));
    let context = Context {
        phones: Rc::new(RefCell::new(Phones::parse(&options.phones))),
        endpoint: endpoint.clone(),
        stats: stats.clone(),
        clock,
        port: address.port(),
        admin,
        reload,
        warnings: journal::warnings,
        executor: Rc::downgrade(executor),
        events: events.clone(),
    };
    let parts = (thinker(events.clone(), executor), owner_service(&options, context, executor));
    let hub = hub(&options, address.port(), stats.clone(), clock, parts);
    let listener = Listener {
        listener,
        events: events.clone(),
        stats: stats.clone(),
        assets: Rc::new(Assets::new(options.www)),
        endpoint,
        name: options.name,
        budget,
        clock,
    };
    systemd::ready();
    // The hub ends on request. Without the listener no guest can connect, so its end must end the daemon.
    let served = async {
        hub.run(inbox, clock).or(forward_signals(events)).await;
        Ok(())
    };
    let accepted = async {
        listener.run(executor).await.map_err(|error| format!("connections cannot be accepted: {error}"))
    };
    let status_served = async {
        match status {
            Some(status) => status.serve(&stats, clock).await,
            None => std::future::pending().await,
        }
        Ok(())
    };
    let outcome = served.or(accepted).or(status_served).await;

    systemd::stopping();
    drop(stop);
    shut_down(appliance, &stats).await;
    outcome
}

/// Waits until the name on the network is withdrawn and all connections have ended, for at most [`GOODBYE_MS`].
async fn shut_down(appliance: Task<()>, stats: &Stats) {
    let goodbyes = async {
        appliance.await;
        while stats.connections.get() > 0 {
            Timer::after(SHUTDOWN_POLL).await;
        }
    };
    let too_long = async {
        Timer::after(Duration::from_millis(GOODBYE_MS)).await;
    };
    goodbyes.or(too_long).await;
}

/// Starts the House's player, even if the owner has turned the House off, who may turn it on later.
fn thinker(events: Sender<Event>, executor: &Rc<LocalExecutor<'static>>) -> Option<Thinker> {
    let (answers, found) = bounded(QUESTIONS_MAX);
    let forward = async move {
        while let Ok(answer) = found.recv().await {
            let _ = events.send(Event::House(answer)).await;
        }
    };
    executor.spawn(forward).detach();
    // The thread never blocks on the hub, because the hub joins the thread when it ends. For an answer that is lost
    // here, the move clock plays.
    let deliver = move |answer| !matches!(answers.try_send(answer), Err(TrySendError::Closed(_)));
    Thinker::start(deliver).inspect_err(|error| log::warn!("Nobody can play the House: {error}")).ok()
}

/// Starts the tasks that use the privileged helper. Returns the helper for all others.
fn links(
    options: &Options,
    stats: &Rc<Stats>,
    clock: Clock,
    executor: &LocalExecutor<'static>,
) -> (Links, Admin) {
    let admin = Admin::new(options.admin.clone());
    let hours = opening_hours(options, admin.clone(), stats.clone(), clock, executor);
    let (networked, state, admin) = wifi_setup(admin, stats.clone(), executor);
    (Links { networked, state, hours }, admin)
}

/// Lets the opening hours switch the TV, if there are any. Returns the problem that they have.
fn opening_hours(
    options: &Options,
    admin: Admin,
    stats: Rc<Stats>,
    clock: Clock,
    executor: &LocalExecutor<'static>,
) -> Receiver<Option<String>> {
    let (reports, problem) = bounded(1);
    if let Some(hours) = options.open {
        let zone = options.timezone.clone();
        let inputs = hours::Inputs {
            minute: move || {
                let known = hours::knows_time(Path::new("/"));
                known.then(|| hours::minute_of_day(zone.as_deref(), SystemTime::now())).flatten()
            },
            playing: move || stats.kiosk_plays.get(),
            now: move || clock.now(),
        };
        let report = move |problem| {
            let _ = reports.force_send(problem);
        };
        let schedule = Schedule::new(hours, clock.now());
        executor.spawn(hours::run(schedule, admin, inputs, hours::INTERVAL, report)).detach();
    }
    problem
}

/// Starts the set-up of the box's Wi-Fi. Returns its ends for the appliance, and the helper for all others, whose requests
/// about Wi-Fi go by the set-up.
fn wifi_setup(
    admin: Admin,
    stats: Rc<Stats>,
    executor: &LocalExecutor<'static>,
) -> (Sender<bool>, Receiver<WifiSetup>, Admin) {
    let (networked, changes) = bounded(1);
    let (states, state) = bounded(1);
    let (calls, called) = bounded(1);
    let inputs = setup::Inputs { networked: changes, calls: called };
    let publish = move |changed| {
        let _ = states.force_send(changed);
    };
    // Of the box's own pages there is the TV's.
    let busy = move || stats.connections.get() > stats.tvs.get();
    executor.spawn(setup::run(admin.clone(), setup::Times::DEFAULT, inputs, publish, busy)).detach();
    (networked, state, admin.with_wifi(calls))
}

/// Starts the owner service.
fn owner_service(options: &Options, context: Context, executor: &LocalExecutor<'static>) -> OwnerHandle {
    let (calls, inbox) = bounded(OWNER_REQUESTS_MAX);
    let phones = context.phones.clone();
    executor.spawn(OwnerService::new(options.clone(), context).run(inbox)).detach();
    OwnerHandle { calls, phones }
}

fn hub(
    options: &Options,
    port: u16,
    stats: Rc<Stats>,
    clock: Clock,
    (house, owner): (Option<Thinker>, OwnerHandle),
) -> Hub {
    let LiveSettings { times, words, house: offers_house, tv } = owner::live_settings(options);
    let store = options.state.as_deref().and_then(|dir| {
        let opened = StateStore::open(dir);
        opened.inspect_err(|error| log::warn!("Rooms are not kept over a restart: {error}")).ok()
    });
    let rooms = Rooms::new(times, words, rand::make_rng());
    let setup = Setup {
        port,
        build: BUILD,
        store,
        times,
        house,
        offers_house,
        tv,
        owner: Some(owner),
        endpoint: GuestEndpoint::default(),
    };
    Hub::new(rooms, setup, stats, clock.now())
}

fn network(options: &Options, address: SocketAddr) -> Network {
    // A box that listens on a single address can be reached only there.
    let only = (!address.ip().is_unspecified()).then(|| address.ip());
    Network {
        overrides: Overrides { address: options.address.or(only), interface: options.interface.clone() },
        name: options.mdns.then(|| options.name.clone()),
        wifi: options.wifi.clone(),
        wifi_password: options.wifi_password.clone(),
        hotspot: options
            .hotspot
            .clone()
            .map(|name| Hotspot { name, password: options.hotspot_password.clone() }),
        problems: options.problems.clone(),
        port: address.port(),
    }
}

/// Returns a function that publishes how guests reach the box: on standard output, to the listener and to the hub.
fn publisher(
    events: Sender<Event>,
    endpoint: Rc<RefCell<GuestEndpoint>>,
    port: u16,
) -> impl FnMut(GuestEndpoint) + 'static {
    let mut printed = None;
    move |changed: GuestEndpoint| {
        if printed != Some(changed.ip) {
            printed = Some(changed.ip);
            let guests = changed.ip.map(|ip| format!("http://{}", SocketAddr::new(ip, port)));
            let guests = guests.unwrap_or_else(|| "no network yet".to_owned());
            print_line(&format!("the TV: http://localhost:{port}/tv   guests: {guests}"));
        }
        endpoint.replace(changed.clone());
        // If the queue is full this update is dropped. The next change sends the full state.
        let _ = events.try_send(Event::Endpoint(changed));
    }
}

/// Asks the hub to shut down on SIGTERM and SIGINT. Never returns.
async fn forward_signals(events: Sender<Event>) {
    if let Ok(mut signals) = Signals::new([Signal::Term, Signal::Int]) {
        while signals.next().await.is_some() {
            let _ = events.send(Event::Shutdown).await;
        }
    }
    std::future::pending().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_zone_that_is_unknown_is_refused_in_words() {
        let mut options = Options { timezone: Some("Europe/Berln".into()), ..Options::default() };
        assert_eq!(refuse_timezone(&mut options, |_| true), None);
        let problem = refuse_timezone(&mut options, |_| false).unwrap();
        assert!(problem.contains("Europe/Berln"), "{problem}");
        assert_eq!((options.timezone.clone(), refuse_timezone(&mut options, |_| false)), (None, None));
    }

    #[test]
    fn connections_that_the_limit_of_files_cannot_carry_are_refused_in_words() {
        let mut options = Options { connections: 10_000, ..Options::default() };
        let problem = refuse_connections(&mut options, Some(4_096)).unwrap();
        assert!(problem.contains("10000") && problem.contains("4096"), "{problem}");
        assert_eq!(options.connections, CONNECTIONS_DEFAULT);
        for (connections, files) in
            [(10_000, Some(20_000)), (10_000, None), (4_000, Some(4_096)), (CONNECTIONS_DEFAULT, Some(64))]
        {
            let mut options = Options { connections, ..Options::default() };
            assert_eq!(refuse_connections(&mut options, files), None, "{connections} of {files:?}");
            assert_eq!(options.connections, connections);
        }
    }
}
