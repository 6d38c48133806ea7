//! The data of the rule that survives a restart of the daemon.
//!
//! A board is stored as the moves that led to it, so no game needs code for this.

use super::current_match::{GameEnd, Match, Note, Player};
use super::house::{HOUSE_SIDE, Handicap};
use super::people::{People, PersonId};
use super::wait::LastGames;
use super::{Phase, Times, WinnerStays};
use crate::games::{Move, Outcome, Side, find};
use crate::limits::{BACK_MS, Ms, NICK_BYTES_MAX};
use serde::{Deserialize, Serialize};

/// The state of the rule as plain data. Times are on the monotonic clock of this boot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleSnapshot {
    game: String,
    seats: [Option<PersonId>; 2],
    line: Vec<PersonId>,
    asker: Option<PersonId>,
    pending_enlistment: Vec<PersonId>,
    streak: u32,
    deadline: Option<Ms>,
    current_match: Option<MatchSnapshot>,
    #[serde(default)]
    handicap: Handicap,
    #[serde(default)]
    last_games: LastGames,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct MatchSnapshot {
    plies: Vec<Move>,
    /// The id, the nickname at the start and the nickname at leaving of each side. The id is `None` for the House.
    players: [(Option<PersonId>, String, Option<String>); 2],
    last: Option<(u64, bool)>,
    /// The winner of a forfeit. The outcome of any other game follows from its moves.
    forfeit: Option<Side>,
    rematch: bool,
    /// Whether the House has just made room.
    #[serde(default)]
    aside: bool,
    started: Option<Ms>,
}

impl WinnerStays {
    /// Returns the data to store.
    pub fn snapshot(&self) -> RuleSnapshot {
        RuleSnapshot {
            game: self.game.slug.to_owned(),
            seats: self.seats,
            line: self.line.clone(),
            asker: self.asker,
            pending_enlistment: self.pending_enlistment.clone(),
            streak: self.streak,
            deadline: self.deadline,
            current_match: self.current_match.as_ref().map(|p| MatchSnapshot {
                plies: p.plies.clone(),
                players: [0, 1].map(|seat: usize| {
                    let player = &p.players[seat];
                    (player.id, player.name.clone(), player.left.clone())
                }),
                last: p.last.map(|last| (last.id, last.auto)),
                forfeit: p.ended.as_ref().filter(|e| e.forfeit).and_then(|e| e.outcome.winner),
                rematch: self.phase == Phase::Rematch,
                aside: p.note.is_some_and(|(note, _)| note == Note::Aside),
                started: Some(p.started),
            }),
            handicap: self.handicap.clone(),
            last_games: self.last_games.clone(),
        }
    }

    /// Restores the rule, or returns `None` if the data contradict themselves. A turn starts again with its full time. A
    /// result or rematch continues with the time that was left, a result with at least [`BACK_MS`].
    pub fn restore(
        snapshot: RuleSnapshot,
        times: Times,
        turn_id: u64,
        people: &People,
        now: Ms,
    ) -> Option<Self> {
        let game = find(&snapshot.game)?;
        // Numbers that no evening reaches, and that could overflow later.
        if turn_id > u64::MAX / 2 || snapshot.streak > u32::MAX / 2 || !snapshot.last_games.is_bounded() {
            return None;
        }
        let mut rule = WinnerStays {
            game,
            times,
            phase: Phase::Open,
            seats: snapshot.seats,
            line: snapshot.line,
            asker: snapshot.asker,
            pending_enlistment: snapshot.pending_enlistment,
            streak: snapshot.streak,
            turn_id,
            deadline: None,
            current_match: None,
            handicap: snapshot.handicap,
            last_games: snapshot.last_games,
        };
        if let Some(game) = snapshot.current_match {
            let rematch = game.rematch;
            let current = game.restore(&rule, now)?;
            let left = |full: Ms| snapshot.deadline.unwrap_or(0).saturating_sub(now).min(full) + now;
            (rule.phase, rule.deadline) = match (&current.ended, rematch) {
                (None, false) => (Phase::Play, Some(now + times.turn)),
                (Some(_), false) => {
                    (Phase::Result, Some(left(times.result).max(now + BACK_MS.min(times.result))))
                }
                (Some(_), true) => (Phase::Rematch, Some(left(times.rematch))),
                (None, true) => return None,
            };
            rule.current_match = Some(current);
        }
        rule.is_consistent(people).then_some(rule)
    }

    /// Returns whether each person has exactly one place, and whether the places fit the phase.
    fn is_consistent(&self, people: &People) -> bool {
        let mut placed: Vec<PersonId> = self.line.iter().chain(&self.pending_enlistment).copied().collect();
        placed.extend(self.asker);
        let seated = self.seats.iter().enumerate().filter_map(|(seat, id)| id.map(|id| (seat, id)));
        for (seat, id) in seated {
            let left = self.current_match.as_ref().is_some_and(|p| p.players[seat].left.is_some());
            if self.phase == Phase::Result && left {
                if people.get(id).is_some() {
                    return false;
                }
            } else {
                placed.push(id);
            }
        }
        let known = placed.iter().all(|&id| people.get(id).is_some());
        placed.sort_unstable();
        let apart = placed.windows(2).all(|pair| pair[0] != pair[1]);
        let seats = self.seats.map(|seat| seat.is_some());
        let fits = match self.phase {
            Phase::Open => !seats[1] && self.asker.is_none(),
            Phase::Rematch => seats[0] && !seats[1] && self.asker.is_some(),
            Phase::Play | Phase::Result => seats == [true, !self.is_against_house()] && self.asker.is_none(),
        };
        known && apart && fits
    }
}

impl MatchSnapshot {
    fn restore(self, rule: &WinnerStays, now: Ms) -> Option<Match> {
        let players = self.players.map(|(id, name, left)| Player { id, name, left });
        if players.iter().any(|p| p.name.len().max(p.left.as_ref().map_or(0, String::len)) > NICK_BYTES_MAX) {
            return None;
        }
        let mut current = Match::new(rule.game, players, self.started.map_or(now, |at| at.min(now)));
        let mut outcome = None;
        for v in self.plies {
            if outcome.is_some() || !current.board.legal(v, current.on_turn) {
                return None;
            }
            outcome = current.apply(v, false, 0);
        }
        if self.aside && current.last.is_none() {
            current.note = Some((Note::Aside, HOUSE_SIDE));
        }
        match (&mut current.last, self.last) {
            (Some(last), Some((id, auto))) => (last.id, last.auto) = (id, auto),
            (None, None) => {}
            _ => return None,
        }
        current.ended = match (outcome, self.forfeit) {
            (None, None) => None,
            (Some(outcome), None) => Some(GameEnd { outcome, forfeit: false }),
            (None, winner @ Some(0 | 1)) => {
                Some(GameEnd { outcome: Outcome { winner, ..Outcome::default() }, forfeit: true })
            }
            _ => return None,
        };
        Some(current)
    }
}
