//! What of a winner-stays is kept over a restart of the daemon: plain data, and the way back from it.
//!
//! A board is kept as the moves that led to it, so that a game needs nothing for this.

use super::people::{Id, People};
use super::played::{Ended, Played, Player};
use super::{Phase, Times, WinnerStays};
use crate::games::{Move, Outcome, Side, find};
use crate::limits::{BACK_MS, Ms, NICK_BYTES_MAX};
use serde::{Deserialize, Serialize};

/// A winner-stays as it is kept. Times are on the monotonic clock of this boot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    game: String,
    seats: [Option<Id>; 2],
    line: Vec<Id>,
    asker: Option<Id>,
    late: Vec<Id>,
    streak: u32,
    until: Option<Ms>,
    played: Option<KeptGame>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptGame {
    plies: Vec<Move>,
    players: [(Id, String, Option<String>); 2],
    last: Option<(u64, bool)>,
    /// The winner of a game that somebody left; how any other ended, its moves tell.
    forfeit: Option<Side>,
    rematch: bool,
}

impl WinnerStays {
    /// What is kept of it.
    pub fn keep(&self) -> Kept {
        Kept {
            game: self.game.slug.to_owned(),
            seats: self.seats,
            line: self.line.clone(),
            asker: self.asker,
            late: self.late.clone(),
            streak: self.streak,
            until: self.until,
            played: self.played.as_ref().map(|p| KeptGame {
                plies: p.plies.clone(),
                players: [0, 1].map(|seat: usize| {
                    let player = &p.players[seat];
                    (player.id, player.name.clone(), player.left.clone())
                }),
                last: p.last.map(|last| (last.id, last.auto)),
                forfeit: p.ended.as_ref().filter(|e| e.forfeit).and_then(|e| e.outcome.winner),
                rematch: self.phase == Phase::Rematch,
            }),
        }
    }

    /// The way back: a turn starts anew with its full time, a result or rematch goes on with what was left, a result
    /// with enough for everybody to come back. `None` if it does not hold together.
    pub fn restore(kept: Kept, times: Times, turn_id: u64, people: &People, now: Ms) -> Option<Self> {
        let game = find(&kept.game)?;
        // No evening counts that far.
        if turn_id > u64::MAX / 2 || kept.streak > u32::MAX / 2 {
            return None;
        }
        let mut rule = WinnerStays {
            game,
            times,
            phase: Phase::Open,
            seats: kept.seats,
            line: kept.line,
            asker: kept.asker,
            late: kept.late,
            streak: kept.streak,
            turn_id,
            until: None,
            played: None,
        };
        if let Some(game) = kept.played {
            let rematch = game.rematch;
            let played = game.restore(&rule, now)?;
            let left = |full: Ms| kept.until.unwrap_or(0).saturating_sub(now).min(full) + now;
            (rule.phase, rule.until) = match (&played.ended, rematch) {
                (None, false) => (Phase::Play, Some(now + times.turn)),
                (Some(_), false) => {
                    (Phase::Result, Some(left(times.result).max(now + BACK_MS.min(times.result))))
                }
                (Some(_), true) => (Phase::Rematch, Some(left(times.rematch))),
                (None, true) => return None,
            };
            rule.played = Some(played);
        }
        rule.holds_together(people).then_some(rule)
    }

    /// Is everyone in one place, and are the places those of the phase?
    fn holds_together(&self, people: &People) -> bool {
        let mut placed: Vec<Id> = self.line.iter().chain(&self.late).copied().collect();
        placed.extend(self.asker);
        let seated = self.seats.iter().enumerate().filter_map(|(seat, id)| id.map(|id| (seat, id)));
        for (seat, id) in seated {
            let left = self.played.as_ref().is_some_and(|p| p.players[seat].left.is_some());
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
            Phase::Play | Phase::Result => seats == [true; 2] && self.asker.is_none(),
        };
        known && apart && fits
    }
}

impl KeptGame {
    fn restore(self, rule: &WinnerStays, now: Ms) -> Option<Played> {
        let players = self.players.map(|(id, name, left)| Player { id, name, left });
        if players.iter().any(|p| p.name.len().max(p.left.as_ref().map_or(0, String::len)) > NICK_BYTES_MAX) {
            return None;
        }
        let mut played = Played::new(rule.game, players, now);
        let mut outcome = None;
        for v in self.plies {
            if outcome.is_some() || !played.board.legal(v, played.on_turn) {
                return None;
            }
            outcome = played.apply(v, false, 0);
        }
        match (&mut played.last, self.last) {
            (Some(last), Some((id, auto))) => (last.id, last.auto) = (id, auto),
            (None, None) => {}
            _ => return None,
        }
        played.ended = match (outcome, self.forfeit) {
            (None, None) => None,
            (Some(outcome), None) => Some(Ended { outcome, forfeit: false }),
            (None, winner @ Some(0 | 1)) => {
                Some(Ended { outcome: Outcome { winner, ..Outcome::default() }, forfeit: true })
            }
            _ => return None,
        };
        Some(played)
    }
}
