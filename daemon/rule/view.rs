//! What each person is told: one picture that all share, and the few fields that are each person's own.

use super::people::{Id, People};
use super::{Last, Phase, Role, WinnerStays};
use crate::games::{Board, Move, Note, Side};
use crate::limits::Ms;

/// A seat as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat<'a> {
    /// The nickname of now, or the one that a leaver left with.
    pub nick: &'a str,
    /// Not connected, or gone.
    pub away: bool,
    /// Games won in a row; seat 0 only.
    pub streak: Option<u32>,
}

/// The turn that is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The side on turn.
    pub side: Side,
    /// Its id.
    pub id: u64,
    /// Milliseconds left.
    pub left: Ms,
    /// Milliseconds of a full turn.
    pub of: Ms,
}

/// How the game on the board ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending<'a> {
    /// `None` is a draw.
    pub winner: Option<Side>,
    /// Somebody left.
    pub forfeit: bool,
    /// Cells to light.
    pub line: &'a [u8],
    /// `[side 0, side 1]` where the game counts.
    pub score: Option<[u16; 2]>,
    /// The names at the start of the game.
    pub names: [&'a str; 2],
}

/// What is the same for everyone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture<'a> {
    /// The game's slug.
    pub game: &'static str,
    /// The phase.
    pub phase: Phase,
    /// Seat 0 and seat 1.
    pub seats: [Option<Seat<'a>>; 2],
    /// Nickname and away mark of those in line, in order.
    pub line: Vec<(&'a str, bool)>,
    /// Who may ask for a rematch.
    pub asker: Option<&'a str>,
    /// In play.
    pub turn: Option<Turn>,
    /// The board, but in `open`.
    pub state: Option<Board>,
    /// The legal moves of the side on turn, in play.
    pub moves: Option<Vec<Move>>,
    /// The last move.
    pub last: Option<Last>,
    /// Why the same side is on turn again, and the side that is told of.
    pub note: Option<(Note, Side)>,
    /// Milliseconds left of a result or rematch.
    pub left: Option<Ms>,
    /// In result and rematch.
    pub ending: Option<Ending<'a>>,
}

/// What is one person's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Own {
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
    pub fn picture<'a>(&'a self, people: &'a People, now: Ms) -> Picture<'a> {
        let played = self.played.as_ref();
        let ended = played.and_then(|p| p.ended.as_ref().map(|e| (p, e)));
        let left = self.until.map(|until| until.saturating_sub(now));
        let in_play = played.filter(|_| self.phase == Phase::Play);
        let nick = |id: &Id| people.get(*id).map(|p| (p.nick.as_str(), p.away.is_some()));
        Picture {
            game: self.game.slug,
            phase: self.phase,
            seats: [0, 1].map(|seat| self.seat(seat, people)),
            line: self.line.iter().filter_map(nick).collect(),
            asker: self.asker.as_ref().and_then(nick).map(|(nick, _)| nick),
            turn: in_play.map(|p| Turn {
                side: p.on_turn,
                id: self.turn_id,
                left: left.unwrap_or(0),
                of: self.times.turn,
            }),
            state: played.map(|p| p.board.board()),
            moves: in_play.map(|p| p.board.moves(p.on_turn)),
            last: played.and_then(|p| p.last),
            note: played.and_then(|p| p.note),
            left: left.filter(|_| matches!(self.phase, Phase::Result | Phase::Rematch)),
            ending: ended.map(|(p, e)| Ending {
                winner: e.outcome.winner,
                forfeit: e.forfeit,
                line: &e.outcome.line,
                score: e.outcome.score,
                names: [&p.players[0].name, &p.players[1].name],
            }),
        }
    }

    /// What somebody of the room is told beside the picture.
    pub fn own(&self, id: Id) -> Own {
        let role = self.role(id);
        let played = self.played.as_ref();
        let side = played.and_then(|p| {
            let seat = p.players.iter().position(|player| player.id == id && player.left.is_none())?;
            Some(if seat == 0 { 0 } else { 1 })
        });
        let on_turn = self.phase == Phase::Play && side.is_some() && played.map(|p| p.on_turn) == side;
        let ended = played.and_then(|p| p.ended.as_ref());
        let place = self.line.iter().position(|&other| other == id).map(|at| at + 1);
        let won = side.and(ended).map(|e| e.outcome.winner == side);
        Own { role: Some(role), place, side, on_turn, won }
    }

    fn seat<'a>(&'a self, seat: usize, people: &'a People) -> Option<Seat<'a>> {
        let id = self.seats[seat]?;
        let streak = (seat == 0).then_some(self.streak);
        if let Some(person) = people.get(id) {
            return Some(Seat { nick: &person.nick, away: person.away.is_some(), streak });
        }
        // A leaver stays in the picture of the game until its result clears.
        let player = &self.played.as_ref()?.players[seat];
        Some(Seat { nick: player.left.as_ref().unwrap_or(&player.name), away: true, streak })
    }
}
