//! What the daemon says, printed: typed values in, frames out.

use super::Why;
use crate::games::{Board, Field, GAMES, Note, Side};
use crate::outbox::Frame;
use crate::rule::view::{PersonalView, SharedView, TurnView};
use crate::rule::{LastMove, Phase, Role};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// The heartbeat, printed.
pub const HB: &str = r#"{"t":"hb"}"#;

/// A refusal, printed. `re`: the kind that it answers, if it could be told; `retry`: seconds.
pub fn no(re: Option<&str>, why: Why, say: &str, retry: Option<u64>) -> Frame {
    #[derive(Serialize)]
    struct No<'a> {
        t: &'static str,
        re: Option<&'a str>,
        why: Why,
        say: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        retry: Option<u64>,
    }
    print(&No { t: "no", re, why, say, retry }).into()
}

/// Why a page is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bye {
    /// Another page has taken the place.
    Taken,
    /// The person has left.
    Left,
    /// The room is closed.
    Closed,
    /// The daemon stops, and will be back.
    Restart,
}

/// A goodbye, printed.
pub fn bye(why: Bye) -> Frame {
    #[derive(Serialize)]
    struct Message {
        t: &'static str,
        why: Bye,
    }
    print(&Message { t: "bye", why }).into()
}

/// The answer to a join, with the first view in it.
#[derive(Serialize)]
pub struct Welcome<'a> {
    /// The person's number.
    pub id: u32,
    /// The name as taken.
    pub nick: &'a str,
    /// The person's secret.
    pub key: &'a str,
    /// The code.
    pub room: String,
    /// The build of the pages.
    pub build: &'a str,
}

/// A welcome, printed around its view.
pub fn welcome(welcome: &Welcome, view: &Frame) -> Frame {
    let fields = print(welcome);
    format!(r#"{{"t":"welcome",{},"view":{}}}"#, inner(&fields), view.as_str()).into()
}

/// The answer to a host, sent anew whenever something in it changes.
#[derive(Serialize)]
pub struct Room<'a> {
    /// The code.
    pub room: String,
    /// The room's secret.
    pub key: &'a str,
    /// The build of the pages.
    pub build: &'a str,
    /// How guests come in; `None`: there is no network yet.
    pub join: Option<&'a Way>,
    /// The same as a QR code.
    pub qr: Option<Qr<'a>>,
    /// The Wi-Fi's name, where it is known.
    pub wifi: Option<&'a str>,
    /// The code that joins that Wi-Fi, when the box knows how.
    pub hotspot: Option<Qr<'a>>,
    /// Has any phone reached the box since it started?
    pub phones: bool,
    /// What the owner must mend, a line each.
    pub problems: &'a [String],
}

/// How guests come in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Way {
    /// What the QR code holds.
    pub url: String,
    /// The box's name with its port, empty when it is not advertised.
    pub host: String,
    /// The box's address with its port, to be typed.
    pub addr: String,
}

/// A QR code in module units, its white margin included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Qr<'a> {
    /// Modules a side.
    pub size: u16,
    /// An SVG path over the dark ones.
    pub path: &'a str,
}

/// A room message, printed.
pub fn room(room: &Room) -> Frame {
    format!(r#"{{"t":"room",{}}}"#, inner(&print(room))).into()
}

/// The view of a room on its menu, printed.
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
    print(&Menu { t: "menu", games, people: people.collect(), tv }).into()
}

/// A picture printed once, from which the view of each person is put together.
#[derive(Debug)]
pub struct Sheet {
    common: String,
    state: String,
    moves: String,
    /// The result without its `won` and its closing brace.
    result: Option<String>,
}

/// Prints what is the same for everyone.
pub fn sheet(picture: &SharedView, tv: bool) -> Sheet {
    #[derive(Serialize)]
    struct Common<'a> {
        t: &'static str,
        game: &'static str,
        phase: &'static str,
        seats: [Option<SeatMark<'a>>; 2],
        line: Vec<SeatMark<'a>>,
        asker: Option<&'a str>,
        tv: bool,
        turn: Option<TurnMark>,
        last: Option<LastMark>,
        note: Option<NoteMark>,
        left: Option<u64>,
    }
    #[derive(Serialize)]
    struct Result<'a> {
        winner: Option<Side>,
        how: &'static str,
        line: &'a [u8],
        score: Option<[u16; 2]>,
        names: [&'a str; 2],
    }
    let common = Common {
        t: "ws",
        game: picture.game,
        phase: phase(picture.phase),
        seats: [0, 1].map(|at: usize| {
            let seat = picture.seats[at].as_ref()?;
            Some(SeatMark { nick: seat.nick, away: seat.away, streak: seat.streak })
        }),
        line: picture.line.iter().map(|&(nick, away)| SeatMark { nick, away, streak: None }).collect(),
        asker: picture.asker,
        tv,
        turn: picture.turn.map(|TurnView { side, id, left, of }| TurnMark { side, id, left, of }),
        last: picture.last.map(|LastMove { v, side, auto, id }| LastMark { v, side, auto, id }),
        note: picture.note.map(|(note, side)| NoteMark { kind: self::note(note), side }),
        left: picture.left,
    };
    let result = picture.end.as_ref().map(|e| {
        let how = if e.forfeit { "forfeit" } else { "play" };
        print(&Result { winner: e.winner, how, line: e.line, score: e.score, names: e.names })
    });
    Sheet {
        common: print(&common),
        state: picture.state.as_ref().map_or_else(|| "null".to_owned(), board),
        moves: picture.moves.as_ref().map_or_else(|| "null".to_owned(), print),
        result,
    }
}

impl Sheet {
    /// The view of one person, or of a TV (`tv`), which sees the legal moves always and the attract board in `open`.
    pub fn view(&self, own: &PersonalView, tv: bool, attract: Option<&Board>) -> Frame {
        #[derive(Serialize)]
        struct Mine {
            role: Option<&'static str>,
            place: Option<usize>,
            side: Option<Side>,
            attract: bool,
        }
        let mine = print(&Mine {
            role: own.role.map(role),
            place: own.place,
            side: own.side,
            attract: attract.is_some(),
        });
        let attract = attract.map(board);
        let state = attract.as_ref().unwrap_or(&self.state);
        let moves = if tv || own.on_turn { &self.moves } else { "null" };
        let won = own.won.map_or("null", |won| if won { "true" } else { "false" });
        let (common, mine) = (inner(&self.common), inner(&mine));
        let mut text = format!(r#"{{{common},{mine},"moves":{moves},"state":{state},"result":"#);
        match &self.result {
            Some(result) => text.extend(["{", inner(result), ",\"won\":", won, "}}"]),
            None => text.push_str("null}"),
        }
        text.into()
    }
}

#[derive(Serialize)]
struct SeatMark<'a> {
    nick: &'a str,
    away: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    streak: Option<u32>,
}

#[derive(Serialize)]
struct TurnMark {
    side: Side,
    id: u64,
    left: u64,
    of: u64,
}

#[derive(Serialize)]
struct LastMark {
    v: u8,
    side: Side,
    auto: bool,
    id: u64,
}

#[derive(Serialize)]
struct NoteMark {
    kind: &'static str,
    side: Side,
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Open => "open",
        Phase::Play => "play",
        Phase::Result => "result",
        Phase::Rematch => "rematch",
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Champ => "champ",
        Role::Chal => "chal",
        Role::Line => "line",
        Role::Asker => "rematch",
        Role::Out => "out",
    }
}

fn note(note: Note) -> &'static str {
    match note {
        Note::Pass => "pass",
        Note::Again => "again",
    }
}

/// A board as its game writes it.
fn board(board: &Board) -> String {
    struct Fields<'a>(&'a Board);
    impl Serialize for Fields<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
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
    print(&Fields(board))
}

fn print<T: Serialize + ?Sized>(message: &T) -> String {
    // Plain structs of strings and numbers always print.
    serde_json::to_string(message).unwrap_or_default()
}

/// What is between the braces of a printed object.
fn inner(object: &str) -> &str {
    object.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(object)
}
