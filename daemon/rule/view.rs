//! The views of a game: the part that all people share, and the few fields that differ for each person.

use super::current_match::HOUSE;
use super::people::{People, PersonId};
use super::wait::Wait;
use super::{LastMove, Note, Phase, Role, WinnerStays};
use crate::games::{Board, Move, Side};
use crate::limits::Ms;
use serde::Serialize;

/// A seat in a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatView<'a> {
    /// The current nickname, or the last one of a person who has left.
    pub nick: &'a str,
    /// Whether the person is not connected or has left.
    pub away: bool,
    /// The number of games won in a row, for seat 0 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streak: Option<u32>,
    /// Whether this is the House. `false` is left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub house: bool,
}

/// The current turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TurnView {
    /// The side on turn.
    pub side: Side,
    /// The turn's id.
    pub id: u64,
    /// The milliseconds left.
    pub left: Ms,
    /// The milliseconds that a full turn has.
    pub of: Ms,
}

/// A person in line in a view.
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
    /// The game was played to its end.
    Play,
    /// A player has left.
    Forfeit,
}

/// The end of the game on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndView<'a> {
    /// The side that won. `None` is a draw.
    pub winner: Option<Side>,
    /// The way in which the game ended.
    pub how: How,
    /// The cells to highlight on the board.
    pub line: &'a [u8],
    /// The score of side 0 and side 1, in games that count.
    pub score: Option<[u16; 2]>,
    /// The names at the start of the game.
    pub names: [&'a str; 2],
}

/// The part of a view that is the same for all people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedView<'a> {
    /// The game's slug.
    pub game: &'static str,
    /// The phase.
    pub phase: Phase,
    /// Seat 0 and seat 1.
    pub seats: [Option<SeatView<'a>>; 2],
    /// The people in line, in order.
    pub line: Vec<WaitingView<'a>>,
    /// How long they wait, if there is a game to estimate it from.
    pub wait: Option<Wait>,
    /// The nickname of the person who may ask for a rematch.
    pub asker: Option<&'a str>,
    /// The turn, in play.
    pub turn: Option<TurnView>,
    /// The board. `None` in `open`.
    pub state: Option<Board>,
    /// The legal moves of the side on turn, in play.
    pub moves: Option<Vec<Move>>,
    /// The last move.
    pub last: Option<LastMove>,
    /// The note on this turn, and the side that it is about.
    pub note: Option<(Note, Side)>,
    /// The milliseconds left of a result or rematch.
    pub left: Option<Ms>,
    /// The end of the game, in result and rematch.
    pub end: Option<EndView<'a>>,
}

impl SharedView<'_> {
    /// Returns the minutes until the person at a place in line, from 1, plays, if they can be estimated. At least 1.
    /// People who are away are passed over.
    pub fn wait_at(&self, place: usize) -> Option<u64> {
        let ahead = self.line.iter().take(place.saturating_sub(1)).filter(|person| !person.away).count();
        self.wait.map(|wait| wait.minutes(ahead))
    }
}

/// The part of a view that differs for each person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PersonalView {
    /// The person's place. `None` for a TV whose remote is not in the room.
    pub role: Option<Role>,
    /// The place in line, from 1.
    pub place: Option<usize>,
    /// The person's side on the board shown, during a game and after it.
    pub side: Option<Side>,
    /// Whether the person is on turn.
    pub on_turn: bool,
    /// Whether the person won the game on the board. `None` for people who did not play it.
    pub won: Option<bool>,
}

impl WinnerStays {
    /// Returns the view that all people share.
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
            wait: self.wait(now),
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

    /// Returns the part of the view for one person.
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
        // A person who has left stays in the view of the game until its result clears.
        let player = &self.current_match.as_ref()?.players[seat];
        Some(SeatView {
            nick: player.left.as_ref().unwrap_or(&player.name),
            away: true,
            streak,
            house: false,
        })
    }
}
