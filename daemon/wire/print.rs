//! Prints typed messages as frames of JSON.

use crate::games::{Board, Field, GAMES, Side};
use crate::outbox::Frame;
use crate::refusal::Refusal;
use crate::rule::view::{EndView, PersonalView, SeatView, SharedView, TurnView, WaitingView};
use crate::rule::{LastMove, Note, Phase, Role};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::Kind;

/// The printed heartbeat.
pub const HEARTBEAT: &str = r#"{"t":"hb"}"#;

/// Prints a refusal. `re` is the kind of the refused message, if it is known. `say` is the text that the page shows.
pub fn refusal(re: Option<Kind>, why: Refusal, say: &str) -> Frame {
    #[derive(Serialize)]
    struct No<'a> {
        t: &'static str,
        re: Option<&'a str>,
        why: Refusal,
        say: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        retry: Option<u64>,
    }
    print(&No { t: "no", re: re.map(Kind::as_str), why, say, retry: why.retry_s() })
}

/// A reason for closing a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ByeReason {
    /// Another client of the same person or TV has replaced this one.
    Taken,
    /// The person has left.
    Left,
    /// The person was taken out of the room from the kiosk.
    Out,
    /// The room is closed.
    Closed,
    /// The daemon restarts.
    Restart,
}

/// Prints a goodbye.
pub fn bye(why: ByeReason) -> Frame {
    #[derive(Serialize)]
    struct Bye {
        t: &'static str,
        why: ByeReason,
    }
    print(&Bye { t: "bye", why })
}

/// The answer to a join, without its view.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Welcome<'a> {
    /// The person's number.
    pub id: u32,
    /// The nickname as it is shown.
    pub nick: &'a str,
    /// The person's secret, which proves a rejoin.
    pub key: &'a str,
    /// The room's code.
    pub room: &'a str,
    /// The build of the pages.
    pub build: &'a str,
}

/// Prints a welcome that contains the first view.
pub fn welcome(welcome: &Welcome, view: &Frame) -> Frame {
    #[derive(Serialize)]
    struct WithView<'a> {
        #[serde(flatten)]
        welcome: &'a Welcome<'a>,
        view: Option<&'a RawValue>,
    }
    let view = serde_json::from_str(view.as_str()).ok();
    print(&Tagged { t: "welcome", fields: &WithView { welcome, view } })
}

/// The answer to a host, sent again whenever something in it changes.
#[derive(Clone, Debug, Serialize)]
pub struct Room<'a> {
    /// The room's code.
    pub room: String,
    /// The room's secret, which proves a reclaim.
    pub key: &'a str,
    /// The build of the pages.
    pub build: &'a str,
    /// The join address, or `None` while there is no network.
    pub join: Option<&'a JoinAddress>,
    /// The join address as a QR code.
    pub qr: Option<Qr<'a>>,
    /// The name of the guests' Wi-Fi, if it is known.
    pub wifi: Option<&'a str>,
    /// The QR code that joins that Wi-Fi, if its password is known.
    pub hotspot: Option<Qr<'a>>,
    /// Whether any phone has reached the box since it started.
    pub phones: bool,
    /// Problems for the owner, one line each.
    pub problems: &'a [String],
    /// How loud the TV is, in percent.
    pub sound: u8,
    /// Whether the page is the box's own kiosk's, which the owner may use.
    pub kiosk: bool,
    /// The venue's name, where it is told.
    pub venue: Option<&'a str>,
    /// The codes of the TV's languages, its own first.
    pub language: &'a [&'static str],
}

/// The address at which guests join a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JoinAddress {
    /// The URL that people can type. The QR code contains it, followed by `#` and `scan`.
    pub url: String,
    /// The box's host name and port, or empty if the name is not advertised.
    pub host: String,
    /// The box's address and port.
    pub addr: String,
    /// The secret that only the QR code contains. It proves that a guest has scanned the code.
    pub scan: String,
}

/// A QR code in units of modules, including its white margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Qr<'a> {
    /// Modules on a side.
    pub size: u16,
    /// An SVG path of the dark modules.
    pub path: &'a str,
}

/// Prints a room message.
pub fn room(room: &Room) -> Frame {
    print(&Tagged { t: "room", fields: room })
}

/// Prints the view of a room on its menu.
pub fn menu<'a>(people: impl Iterator<Item = &'a str>, tv: bool) -> Frame {
    #[derive(Serialize)]
    struct Game {
        slug: &'static str,
        name: &'static str,
    }
    #[derive(Serialize)]
    struct Menu<'a> {
        t: &'static str,
        games: Vec<Game>,
        people: Vec<&'a str>,
        tv: bool,
    }
    let games = GAMES.iter().map(|entry| Game { slug: entry.slug, name: entry.name }).collect();
    print(&Menu { t: "menu", games, people: people.collect(), tv })
}

/// A view of a game whose large parts are printed once and shared by all personal views.
#[derive(Debug)]
pub struct SerializedView<'a> {
    shared: &'a SharedView<'a>,
    tv: bool,
    house: bool,
    state: Option<Box<RawValue>>,
    moves: Option<Box<RawValue>>,
}

/// Prints the parts that all views of a room share. `tv` is whether its TV is connected, and `house` whether guests can
/// play the House on this box.
pub fn serialize<'a>(shared: &'a SharedView<'a>, tv: bool, house: bool) -> SerializedView<'a> {
    let state = shared.state.as_ref().and_then(raw_board);
    let moves = shared.moves.as_ref().and_then(|moves| to_raw_value(moves).ok());
    SerializedView { shared, tv, house, state, moves }
}

impl SerializedView<'_> {
    /// Prints the view of one person's phone.
    pub fn for_phone(&self, own: &PersonalView) -> Frame {
        self.view(own, own.on_turn, None)
    }

    /// Prints the view of the TV. `own` is the part for its remote, and `attract` the attract loop's board.
    pub fn for_tv(&self, own: &PersonalView, attract: Option<&Board>) -> Frame {
        self.view(own, true, attract)
    }

    fn view(&self, own: &PersonalView, with_moves: bool, attract: Option<&Board>) -> Frame {
        let shared = self.shared;
        let attract_board = attract.and_then(raw_board);
        print(&View {
            t: "ws",
            game: shared.game,
            phase: shared.phase,
            seats: &shared.seats,
            line: &shared.line,
            asker: shared.asker,
            tv: self.tv,
            turn: shared.turn,
            last: shared.last,
            note: shared.note.map(|(kind, side)| NoteView { kind, side }),
            left: shared.left,
            role: own.role,
            place: own.place,
            wait: own.place.and_then(|place| shared.wait_at(place)),
            side: own.side,
            attract: attract.is_some(),
            house: self.house && shared.phase == Phase::Open && own.role == Some(Role::Champ),
            moves: self.moves.as_deref().filter(|_| with_moves),
            state: attract_board.as_deref().or(self.state.as_deref()),
            result: shared.end.as_ref().map(|end| ResultView { end, won: own.won }),
        })
    }
}

#[derive(Serialize)]
struct View<'a> {
    t: &'static str,
    game: &'static str,
    phase: Phase,
    seats: &'a [Option<SeatView<'a>>; 2],
    line: &'a [WaitingView<'a>],
    asker: Option<&'a str>,
    tv: bool,
    turn: Option<TurnView>,
    last: Option<LastMove>,
    note: Option<NoteView>,
    left: Option<u64>,
    role: Option<Role>,
    place: Option<usize>,
    /// The minutes until this person in line plays. Unknown is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    wait: Option<u64>,
    side: Option<Side>,
    attract: bool,
    /// Whether this person can start a game against the House now. `false` is left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    house: bool,
    moves: Option<&'a RawValue>,
    state: Option<&'a RawValue>,
    result: Option<ResultView<'a>>,
}

#[derive(Serialize)]
struct NoteView {
    kind: Note,
    side: Side,
}

#[derive(Serialize)]
struct ResultView<'a> {
    #[serde(flatten)]
    end: &'a EndView<'a>,
    won: Option<bool>,
}

/// A message of kind `t` with the fields of another type.
#[derive(Serialize)]
struct Tagged<'a, T> {
    t: &'static str,
    #[serde(flatten)]
    fields: &'a T,
}

/// Prints a board as a JSON object with the field names of its game.
fn raw_board(board: &Board) -> Option<Box<RawValue>> {
    struct Fields<'a>(&'a Board);
    impl Serialize for Fields<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut map = to.serialize_map(Some(self.0.0.len()))?;
            for (name, field) in &self.0.0 {
                match field {
                    Field::Text(text) => map.serialize_entry(name, text)?,
                    Field::Numbers(numbers) => map.serialize_entry(name, numbers)?,
                }
            }
            map.end()
        }
    }
    to_raw_value(&Fields(board)).ok()
}

pub(super) fn print<T: Serialize + ?Sized>(message: &T) -> Frame {
    // Printing cannot fail for structs of strings and numbers.
    serde_json::to_string(message).unwrap_or_default().into()
}
