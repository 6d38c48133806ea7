//! The owner service: carries out the requests of the owner's phone and of the kiosk, which the hub has authenticated.

mod diagnosis;
mod layer;

use crate::admin::{Admin, Failure, Hotspot, Reply, Request, Screen};
use crate::auth::{Phones, Secret};
use crate::clock::Clock;
use crate::endpoint::GuestEndpoint;
use crate::files::{Keep, replace};
use crate::hub::{Event, LiveSettings, OwnerCall, TvSettings};
use crate::limits::PAIRING_MS;
use crate::options::Options;
use crate::power_supply;
use crate::qr;
use crate::room::Times;
use crate::room::names::WordFilter;
use crate::rule;
use crate::stats::Stats;
use crate::systemd;
use crate::version::BUILD;
use crate::wire::Qr;
use crate::wire::owner::{
    NetworkView, OwnerAnswer, OwnerRequest, OwnerState, PairView, PhoneView, SettingView, answer,
    parse_request,
};
use diagnosis::{Facts, Machine};
use layer::Layer;
use smol::channel::{Receiver, Sender, bounded};
use smol::{LocalExecutor, Timer};
use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::path::Path;
use std::rc::{Rc, Weak};
use std::time::Duration;

/// Time between the answer to a change and the restart that it needs: the answer is on the screen by then.
const RESTART_DELAY: Duration = Duration::from_millis(700);
/// The refusal of a change that cannot be saved.
const NOT_KEPT: &str = "This box keeps no settings: it was started without a file for them (--owner).";

/// Returns the options with this text as the owner's file.
pub type Reload = Box<dyn Fn(&Path, &str) -> Result<Options, String>>;

/// The parts of the daemon that the service uses.
pub struct Context {
    /// The owner's phones, which the hub calls.
    pub phones: Rc<RefCell<Phones>>,
    /// How guests reach the box.
    pub endpoint: Rc<RefCell<GuestEndpoint>>,
    /// The counters.
    pub stats: Rc<Stats>,
    /// The daemon's clock.
    pub clock: Clock,
    /// The port of the pages.
    pub port: u16,
    /// The helper that has the system's rights.
    pub admin: Admin,
    /// Reads the settings again.
    pub reload: Reload,
    /// Returns the last warnings of the log.
    pub warnings: fn() -> Vec<String>,
    /// Runs tasks that take long.
    pub executor: Weak<LocalExecutor<'static>>,
    /// The hub's queue of events.
    pub events: Sender<Event>,
}

/// The owner service.
pub struct OwnerService {
    context: Context,
    options: Options,
    layer: Layer,
    /// Whether the helper is at work. It carries out one request at a time.
    busy: Rc<Cell<bool>>,
}

/// Returns the settings that may change while the daemon runs.
pub fn live_settings(options: &Options) -> LiveSettings {
    let rule = rule::Times {
        turn: options.turn,
        result: options.result,
        rematch: options.rematch,
        away: options.away,
        hold: options.hold,
    };
    LiveSettings {
        times: Times { rule, attract: options.attract },
        words: WordFilter::new(&options.words_add, &options.words_exempt),
        house: options.house,
        tv: TvSettings {
            venue: options.venue.clone(),
            sound: options.sound,
            language: options.language.clone(),
        },
    }
}

/// Returns whether a change needs a restart of the daemon.
fn needs_restart(before: &Options, after: &Options) -> bool {
    let lasting = Options {
        venue: before.venue.clone(),
        sound: before.sound,
        language: before.language.clone(),
        house: before.house,
        turn: before.turn,
        result: before.result,
        rematch: before.rematch,
        away: before.away,
        hold: before.hold,
        attract: before.attract,
        words_add: before.words_add.clone(),
        words_exempt: before.words_exempt.clone(),
        phones: before.phones.clone(),
        problems: before.problems.clone(),
        connections: before.connections,
        ..after.clone()
    };
    lasting != *before
}

fn done<'a>() -> OwnerAnswer<'a> {
    OwnerAnswer { ok: true, ..OwnerAnswer::default() }
}

fn failed<'a>(say: impl Into<String>) -> OwnerAnswer<'a> {
    OwnerAnswer { say: Some(say.into()), ..OwnerAnswer::default() }
}

/// Describes a failure of the helper in words.
fn describe(failure: &Failure) -> String {
    match failure {
        Failure::Unavailable => "This box cannot do that: its helper (doozer-admin) is not there.",
        Failure::Denied => "The helper does not answer this program.",
        Failure::Malformed => "The helper does not understand that.",
        Failure::WrongPassword => "The Wi-Fi did not let the box in. Is the password right?",
        Failure::OutOfReach => "No Wi-Fi of that name is in reach.",
        Failure::NoAddress => "The Wi-Fi let the box in, but gave it no address.",
        Failure::NoCard => "This box has no Wi-Fi card.",
        Failure::Unsupported => "That Wi-Fi wants a user name, or is of a kind that is not safe.",
        Failure::TimedOut => "It took too long.",
        Failure::Error(words) => return format!("It did not work: {words}"),
    }
    .to_owned()
}

impl OwnerService {
    /// Returns the service of a daemon that runs with these options.
    pub fn new(options: Options, context: Context) -> OwnerService {
        let text = options.owner.as_deref().and_then(|path| std::fs::read_to_string(path).ok());
        let layer = Layer::parse(&text.unwrap_or_default());
        OwnerService { context, options, layer, busy: Rc::default() }
    }

    /// Carries out requests, one after the other, until the hub is gone.
    pub async fn run(mut self, calls: Receiver<OwnerCall>) {
        while let Ok(call) = calls.recv().await {
            if call.paired {
                log::info!(event = "paired"; "A phone of the owner is paired");
                self.save_phones().await;
            }
            if let Some(text) = self.handle(&call).await {
                let answer = Event::Answer { connection: call.connection, n: call.n, text };
                let _ = self.context.events.send(answer).await;
            }
        }
    }

    /// Carries out a request. Returns the answer's text, or `None` if it comes later.
    async fn handle(&mut self, call: &OwnerCall) -> Option<String> {
        let Some(request) = parse_request(&call.text) else {
            return Some(answer(&failed("The box does not know that. Load the page anew.")));
        };
        let task = match request {
            OwnerRequest::State => return Some(self.state(call)),
            OwnerRequest::Diagnostics => return Some(self.diagnostics()),
            OwnerRequest::Pair { on } => return Some(self.pair(on, call)),
            OwnerRequest::Set { name, value } => {
                let mut layer = self.layer.clone();
                let set = layer.set(&name, value.as_deref());
                return Some(answer(&match set {
                    Ok(()) => self.change(layer, Some((&name, value.as_deref()))).await,
                    Err(right) => failed(right),
                }));
            }
            OwnerRequest::Word { list, word, on } => {
                let mut layer = self.layer.clone();
                let set = layer.set_word(list, &word, on);
                return Some(answer(&match set {
                    Ok(()) => self.change(layer, None).await,
                    Err(right) => failed(right),
                }));
            }
            OwnerRequest::Unpair { id } => {
                self.context.phones.borrow_mut().remove(&id);
                self.save_phones().await;
                return Some(answer(&done()));
            }
            OwnerRequest::Out { nick, keep } => return Some(self.take_out(nick, keep).await),
            OwnerRequest::WifiList => Request::WifiList,
            OwnerRequest::WifiJoin { ssid, password } => Request::WifiJoin { ssid, password },
            OwnerRequest::Screen { on } => Request::Screen(if on { Screen::On } else { Screen::Off }),
            OwnerRequest::Restart => Request::Restart,
            OwnerRequest::PowerOff => Request::PowerOff,
        };
        self.call_helper(task, call)
    }

    /// Saves a changed layer, and then applies it.
    async fn change(&mut self, layer: Layer, wanted: Option<(&str, Option<&str>)>) -> OwnerAnswer<'static> {
        let Some(path) = self.options.owner.clone() else { return failed(NOT_KEPT) };
        let text = layer.text();
        let options = match (self.context.reload)(&path, &text) {
            Ok(options) => options,
            Err(error) => return failed(error),
        };
        if let Some((name, Some(value))) = wanted {
            let mut probe = Options::default();
            let setting = layer::settings().find(|setting| setting.name == name);
            let holds = setting.is_some_and(|setting| {
                setting.set_in(&mut probe, value).is_ok() && setting.value(&options) == setting.value(&probe)
            });
            if !holds {
                return failed(format!("`{name}` is set by a variable or flag of the service, which holds."));
            }
        }
        let written = smol::unblock(move || replace(&path, text.as_bytes(), Keep::OnDisk)).await;
        if let Err(error) = written {
            log::error!(event = "owner"; "The owner's settings cannot be written: {error}");
            return failed(format!("It could not be kept: {error}. Nothing has changed."));
        }
        self.layer = layer;
        let before = std::mem::replace(&mut self.options, options);
        let _ = self.context.events.send(Event::Settings(Box::new(live_settings(&self.options)))).await;
        if needs_restart(&before, &self.options) { self.schedule_restart(&before) } else { done() }
    }

    /// Ends the daemon after the answer, if a service manager then starts it again.
    fn schedule_restart(&self, before: &Options) -> OwnerAnswer<'static> {
        let wifi = |options: &Options| (options.hotspot.clone(), options.hotspot_password.clone());
        let own_wifi = wifi(before) != wifi(&self.options);
        let (admin, events) = (self.context.admin.clone(), self.context.events.clone());
        let managed = systemd::is_managing();
        let anew = async move {
            Timer::after(RESTART_DELAY).await;
            let applied = match own_wifi {
                true => admin.call(&Request::Hotspot(Hotspot::Settings)).await,
                false => Ok(Reply::Done),
            };
            if let Err(failure) = applied {
                log::warn!(event = "owner"; "The box's own Wi-Fi is as it was: {}", describe(&failure));
            }
            if managed {
                let _ = events.send(Event::Shutdown).await;
            }
        };
        if let Some(executor) = self.context.executor.upgrade() {
            executor.spawn(anew).detach();
        }
        let (why, say) = if managed {
            ("restart", "The box starts anew for that. A game that is on goes on.")
        } else {
            ("later", "That holds after the next start.")
        };
        OwnerAnswer { why: Some(why), say: Some(say.to_owned()), ..done() }
    }

    async fn save_phones(&mut self) {
        let mut layer = self.layer.clone();
        layer.phones = self.context.phones.borrow().lines();
        let kept = self.change(layer, None).await;
        if let Some(say) = kept.say {
            log::warn!(event = "owner"; "The owner's phones are not kept over a restart: {say}");
        }
    }

    async fn take_out(&self, nick: String, keep: bool) -> String {
        let (reply, taken) = bounded(1);
        let _ = self.context.events.send(Event::TakeOut { nick, keep, done: reply }).await;
        let taken = taken.recv().await.unwrap_or(false);
        answer(&if taken { done() } else { failed("Nobody in the room has that name.") })
    }

    /// Sends a request to the helper, without waiting for it.
    fn call_helper(&self, request: Request, call: &OwnerCall) -> Option<String> {
        if self.busy.replace(true) {
            return Some(answer(&failed("The box is still at something else. Try again in a moment.")));
        }
        let (admin, events, busy) =
            (self.context.admin.clone(), self.context.events.clone(), self.busy.clone());
        let (connection, n) = (call.connection, call.n);
        let task = async move {
            let reply = admin.call(&request).await;
            busy.set(false);
            let text = match &reply {
                Ok(Reply::Done) => answer(&done()),
                Ok(Reply::Networks(networks)) => {
                    let view = networks.iter().map(|network| NetworkView {
                        ssid: &network.ssid,
                        signal: network.signal,
                        security: network.security.as_str(),
                    });
                    answer(&OwnerAnswer { networks: Some(view.collect()), ..done() })
                }
                Err(failure) => {
                    let why = Some(failure.as_str());
                    answer(&OwnerAnswer { why, ..failed(describe(failure)) })
                }
            };
            let _ = events.send(Event::Answer { connection, n, text }).await;
        };
        self.context.executor.upgrade()?.spawn(task).detach();
        None
    }

    /// Starts pairing and returns the code for the TV, or stops pairing.
    fn pair(&self, on: bool, call: &OwnerCall) -> String {
        if call.phone.is_some() {
            return answer(&failed("A phone is paired at the TV: Box, then Owner's phone."));
        }
        let mut phones = self.context.phones.borrow_mut();
        if !on {
            phones.stop_pairing();
            return answer(&done());
        }
        let Some(address) = self.address() else {
            return answer(&failed("The box has no network yet, so no phone can reach it."));
        };
        let secret = Secret::new(rand::random());
        let url = format!("http://{address}/owner");
        let code = qr::code(&format!("{url}#{}", secret.text()));
        phones.start_pairing(secret, self.context.clock.now());
        let qr = code.as_ref().map(|code| Qr { size: code.size, path: &code.path });
        let pair = PairView { url: &url, qr, left: PAIRING_MS };
        answer(&OwnerAnswer { pair: Some(pair), ..done() })
    }

    /// Returns the address that guests reach, with its port where that must be typed.
    fn address(&self) -> Option<String> {
        let ip = self.context.endpoint.borrow().ip?;
        let with_port = SocketAddr::new(ip, self.context.port).to_string();
        Some(with_port.strip_suffix(":80").map_or(with_port.clone(), str::to_owned))
    }

    fn state(&self, call: &OwnerCall) -> String {
        let endpoint = self.context.endpoint.borrow();
        let phones = self.context.phones.borrow();
        let setting = |setting: &'static crate::options::Setting| SettingView {
            name: setting.name,
            value: setting.value(&self.options),
            own: self.layer.has(setting.name),
        };
        let phone = |phone: &crate::auth::Phone| (phone.id(), phone.name.clone());
        let listed: Vec<_> = phones.list().iter().map(phone).collect();
        let state = OwnerState {
            settings: layer::settings().map(setting).collect(),
            add: &self.layer.add,
            exempt: &self.layer.exempt,
            people: &call.people,
            phones: listed
                .iter()
                .map(|(id, name)| PhoneView { me: call.phone.as_ref() == Some(id), id: id.clone(), name })
                .collect(),
            address: self.address(),
            name: endpoint.name.as_deref(),
            wifi: endpoint.wifi.as_deref(),
            version: BUILD,
            uptime_s: self.context.clock.running().as_secs(),
            problems: &endpoint.problems,
            helper: self.context.admin.is_there(),
            kept: self.options.owner.is_some(),
        };
        answer(&OwnerAnswer { state: Some(state), ..done() })
    }

    fn diagnostics(&self) -> String {
        let endpoint = self.context.endpoint.borrow();
        let facts = Facts {
            version: BUILD,
            address: self.address(),
            name: endpoint.name.clone(),
            wifi: endpoint.wifi.clone(),
            running: self.context.clock.running(),
            machine_up: Duration::from_millis(self.context.clock.now()),
            problems: &endpoint.problems,
            stats: &self.context.stats,
            machine: Machine::read(Path::new("/")),
            under_voltage: power_supply::under_voltage(),
            warnings: (self.context.warnings)(),
        };
        answer(&OwnerAnswer { text: Some(facts.text()), ..done() })
    }
}
