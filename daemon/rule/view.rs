//! What each person is told: one picture that all share, and the few fields that are each person's own.

use super::house::HOUSE;
use super::people::{People, PersonId};
use super::{LastMove, Note, Phase, Role, WinnerStays};
use crate::games::{Board, Move, Side};
use crate::limits::Ms;
use serde::Serialize;

/// A seat as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatView<'a> {
    /// The nickname of now, or the one that a leaver left with.
    pub nick: &'a str,
    /// Not connected, or gone.
    pub away: bool,
    /// Games won in a row; seat 0 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streak: Option<u32>,
    /// The House sits here; left out for people.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub house: bool,
}

/// The turn that is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TurnView {
    /// The side on turn.
    pub side: Side,
    /// Its id.
    pub id: u64,
    /// Milliseconds left.
    pub left: Ms,
    /// Milliseconds of a full turn.
    pub of: Ms,
}

/// A person in line as the TV shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WaitingView<'a> {
    /// The nickname.
    pub nick: &'a str,
    /// Whether the person is not connected.
    pub away: bool,
}

/// The way in which a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// It was played to its end.
    Play,
    /// A player has left.
    Forfeit,
}

/// How the game on the board ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndView<'a> {
    /// `None` is a draw.
    pub winner: Option<Side>,
    /// Played to its end, or ended by a leaver.
    pub how: How,
    /// Cells to light.
    pub line: &'a [u8],
    /// `[side 0, side 1]` where the game counts.
    pub score: Option<[u16; 2]>,
    /// The names at the start of the game.
    pub names: [&'a str; 2],
}

/// What is the same for everyone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedView<'a> {
    /// The game's slug.
    pub game: &'static str,
    /// The phase.
    pub phase: Phase,
    /// SeatView 0 and seat 1.
    pub seats: [Option<SeatView<'a>>; 2],
    /// Those in line, in order.
    pub line: Vec<WaitingView<'a>>,
    /// Who may ask for a rematch.
    pub asker: Option<&'a str>,
    /// In play.
    pub turn: Option<TurnView>,
    /// The board, but in `open`.
    pub state: Option<Board>,
    /// The legal moves of the side on turn, in play.
    pub moves: Option<Vec<Move>>,
    /// The last move.
    pub last: Option<LastMove>,
    /// What led here beside the move, and the side that is told of.
    pub note: Option<(Note, Side)>,
    /// Milliseconds left of a result or rematch.
    pub left: Option<Ms>,
    /// In result and rematch.
    pub end: Option<EndView<'a>>,
}

/// What is one person's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PersonalView {
    /// Where the person is; `None` for a TV whose remote is not in the room.
    pub role: Option<Role>,
    /// In line, from 1.
    pub place: Option<usize>,
    /// The side that the person plays, or played, on the board shown.
    pub side: Option<Side>,
    /// On turn now.
    pub on_turn: bool,
    /// Won the game on the board; `None` for those who did not play it.
    pub won: Option<bool>,
}

impl WinnerStays {
    /// The picture of now.
    pub fn shared_view<'a>(&'a self, people: &'a People, now: Ms) -> SharedView<'a> {
        let current = self.current_match.as_ref();
        let ended = current.and_then(|p| p.ended.as_ref().map(|e| (p, e)));
        let left = self.deadline.map(|until| until.saturating_sub(now));
        let in_play = current.filter(|_| self.phase == Phase::Play);
        let waiting =
            |id: &PersonId| people.get(*id).map(|p| WaitingView { nick: &p.nick, away: p.away.is_some() });
        SharedView {
            game: self.game.slug,
            phase: self.phase,
            seats: [0, 1].map(|seat| self.seat(seat, people)),
            line: self.line.iter().filter_map(waiting).collect(),
            asker: self.asker.and_then(|id| people.get(id)).map(|p| p.nick.as_str()),
            turn: in_play.map(|p| TurnView {
                side: p.on_turn,
                id: self.turn_id,
                left: left.unwrap_or(0),
                of: self.times.turn,
            }),
            state: current.map(|p| p.board.board()),
            moves: in_play.map(|p| p.board.moves(p.on_turn)),
            last: current.and_then(|p| p.last),
            note: current.and_then(|p| p.note),
            left: left.filter(|_| matches!(self.phase, Phase::Result | Phase::Rematch)),
            end: ended.map(|(p, e)| EndView {
                winner: e.outcome.winner,
                how: if e.forfeit { How::Forfeit } else { How::Play },
                line: &e.outcome.line,
                score: e.outcome.score,
                names: [&p.players[0].name, &p.players[1].name],
            }),
        }
    }

    /// What somebody of the room is told beside the picture.
    pub fn personal_view(&self, id: PersonId) -> PersonalView {
        let role = self.role(id);
        let current = self.current_match.as_ref();
        let side = current.and_then(|p| {
            let seat = p.players.iter().position(|player| player.id == Some(id) && player.left.is_none())?;
            Some(if seat == 0 { 0 } else { 1 })
        });
        let on_turn = self.phase == Phase::Play && side.is_some() && current.map(|p| p.on_turn) == side;
        let ended = current.and_then(|p| p.ended.as_ref());
        let place = self.line.iter().position(|&other| other == id).map(|at| at + 1);
        let won = side.and(ended).map(|e| e.outcome.winner == side);
        PersonalView { role: Some(role), place, side, on_turn, won }
    }

    fn seat<'a>(&'a self, seat: usize, people: &'a People) -> Option<SeatView<'a>> {
        if seat == 1 && self.is_against_house() {
            return Some(SeatView { nick: HOUSE, away: false, streak: None, house: true });
        }
        let id = self.seats[seat]?;
        let streak = (seat == 0).then_some(self.streak);
        if let Some(person) = people.get(id) {
            return Some(SeatView { nick: &person.nick, away: person.away.is_some(), streak, house: false });
        }
        // A leaver stays in the picture of the game until its result clears.
        let player = &self.current_match.as_ref()?.players[seat];
        Some(SeatView {
            nick: player.left.as_ref().unwrap_or(&player.name),
            away: true,
            streak,
            house: false,
        })
    }
}
