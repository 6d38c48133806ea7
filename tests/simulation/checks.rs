//! Checks the rule's invariants from outside: the state of a room, and the changes that one event may cause.

use super::play::{Event, TIMES};
use doozer_box::games::Board;
use doozer_box::limits::Ms;
use doozer_box::refusal::Refusal;
use doozer_box::room::Room;
use doozer_box::room::snapshot::RoomSnapshot;
use doozer_box::rule::people::{People, PersonId};
use doozer_box::rule::view::{How, PersonalView};
use doozer_box::rule::{LastMove, Phase, Role};

/// The state before an event.
pub struct Before {
    kept: RoomSnapshot,
    people: People,
    game: Option<Game>,
    now: Ms,
}

/// The end of a game: the winner, whether it was a forfeit, the highlighted cells, and the names.
type End = (Option<u8>, bool, Vec<u8>, [String; 2]);

/// A game as seen from outside.
struct Game {
    slug: &'static str,
    phase: Phase,
    own: Vec<(PersonId, PersonalView)>,
    line: Vec<PersonId>,
    shown_line: usize,
    seats: [Option<(String, bool)>; 2],
    streak: Option<u32>,
    asker: Option<String>,
    turn: Option<(u64, u8)>,
    moves: Option<Vec<u8>>,
    state: Option<Board>,
    last: Option<LastMove>,
    end: Option<End>,
    left: Option<Ms>,
    house: bool,
}

impl Game {
    fn of(room: &Room, now: Ms) -> Option<Game> {
        let picture = room.shared_view(now)?;
        let rule = room.rule()?;
        let own: Vec<(PersonId, PersonalView)> =
            room.people().iter().map(|p| (p.id, rule.personal_view(p.id))).collect();
        let mut line: Vec<(usize, PersonId)> =
            own.iter().filter_map(|(id, own)| Some((own.place?, *id))).collect();
        line.sort_unstable();
        Some(Game {
            slug: picture.game,
            phase: picture.phase,
            line: line.into_iter().map(|(_, id)| id).collect(),
            own,
            shown_line: picture.line.len(),
            streak: picture.seats[0].as_ref().map(|seat| seat.streak.unwrap_or(0)),
            seats: [0, 1].map(|at: usize| picture.seats[at].as_ref().map(|s| (s.nick.to_owned(), s.away))),
            asker: picture.asker.map(str::to_owned),
            turn: picture.turn.map(|turn| (turn.id, turn.side)),
            moves: picture.moves.clone(),
            last: picture.last,
            end: picture
                .end
                .as_ref()
                .map(|e| (e.winner, e.how == How::Forfeit, e.line.to_vec(), e.names.map(str::to_owned))),
            left: picture.left,
            house: picture.seats[1].as_ref().is_some_and(|seat| seat.house),
            state: picture.state,
        })
    }

    fn role(&self, id: PersonId) -> Option<Role> {
        self.own.iter().find(|(other, _)| *other == id)?.1.role
    }

    fn with(&self, role: Role) -> Option<PersonId> {
        self.own.iter().find(|(_, own)| own.role == Some(role)).map(|(id, _)| *id)
    }

    fn seated(&self, id: PersonId) -> bool {
        matches!(self.role(id), Some(Role::Champ | Role::Chal))
    }
}

impl Before {
    pub fn of(room: &Room, now: Ms) -> Self {
        Before { kept: room.snapshot(), people: room.people().clone(), game: Game::of(room, now), now }
    }
}

/// The checks' own state, over many events.
#[derive(Default)]
pub struct Watch {
    /// The newest turn, and the time at which it began.
    turn: Option<(u64, Ms)>,
    /// Whether a turn has begun with this event.
    new_turn: bool,
    /// The names at the start of the game on the board.
    names: Option<[String; 2]>,
    highest_turn: u64,
}

fn ensure(holds: bool, invariant: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(invariant.to_owned()) }
}

impl Watch {
    pub fn check(
        &mut self,
        before: &Before,
        room: &Room,
        now: Ms,
        event: &Event,
        refused: Option<Refusal>,
    ) -> Result<(), String> {
        let people = room.people();
        ensure(people.len() <= 8, "9: at most eight people")?;
        let vanished = before.people.iter().filter(|p| people.get(p.id).is_none());
        let came = matches!(event, Event::Come { .. } | Event::ComeAnew { .. } | Event::TakeOver { .. });
        for person in vanished {
            let evicted = came && person.away.is_none() && !matches!(event, Event::ComeAnew { .. });
            ensure(!evicted, "9: nobody present is ever evicted for a newcomer")?;
        }
        if refused.is_some() && !matches!(event, Event::ComeAnew { .. }) {
            ensure(
                room.snapshot() == before.kept && *people == before.people,
                "10: a refusal changes nothing",
            )?;
        }
        let Some(game) = Game::of(room, now) else {
            *self = Watch { highest_turn: self.highest_turn, ..Watch::default() };
            return Ok(());
        };
        places(&game, people)?;
        phases(&game, room, people)?;
        let same_match = before.game.as_ref().filter(|was| was.slug == game.slug && !picked(event));
        if let Some(was) = same_match {
            order(was, &game, people)?;
            result_stands(was, &game, before, now)?;
            streak(was, &game)?;
        }
        self.turns(before, &game, now, matches!(event, Event::Restart))?;
        self.names(&game)
    }

    /// Checks that no turn is cut short, and that ids rise.
    fn turns(&mut self, before: &Before, game: &Game, now: Ms, restart: bool) -> Result<(), String> {
        self.new_turn = false;
        if let Some(last) = game.last.filter(|last| last.auto)
            && let Some((id, began)) = self.turn
            && last.id == id
            && before.game.as_ref().and_then(|was| was.last) != Some(last)
        {
            ensure(now - began >= TIMES.rule.turn, "a turn has its full time before the box plays for it")?;
        }
        if let Some((id, _)) = game.turn
            && (self.turn.is_none_or(|(other, _)| other != id) || restart)
        {
            let known = restart && id == self.highest_turn;
            ensure(id > self.highest_turn || known, "turn ids rise for the life of the room")?;
            self.highest_turn = id;
            self.turn = Some((id, now));
            // After a restart the current turn has its full time again.
            self.new_turn = !known;
        }
        if let Some((id, began)) = self.turn.filter(|_| game.phase == Phase::Play) {
            ensure(now - began < TIMES.rule.turn, "a turn that is out of time has been current")?;
            ensure(game.turn.map(|(id, _)| id) == Some(id), "the turn that is on is the newest")?;
        }
        let full = match game.phase {
            Phase::Result => TIMES.rule.result,
            Phase::Rematch => TIMES.rule.rematch,
            Phase::Open | Phase::Play => Ms::MAX,
        };
        ensure(game.left.is_none_or(|left| left > 0 && left <= full), "a phase ends when its time is up")
    }

    /// Checks that a result's names are those at the game's start.
    fn names(&mut self, game: &Game) -> Result<(), String> {
        match (game.phase, &game.end) {
            (Phase::Play, _) => {
                if (game.last.is_none() && self.new_turn) || self.names.is_none() {
                    let name = |at: usize| game.seats[at].as_ref().map_or_else(String::new, |s| s.0.clone());
                    self.names = Some([name(0), name(1)]);
                }
                Ok(())
            }
            (Phase::Result | Phase::Rematch, Some((.., names))) => match &self.names {
                Some(start) => ensure(names == start, "7: a result's names are those at the game's start"),
                None => Ok(()),
            },
            (Phase::Result | Phase::Rematch, None) => Err("a finished game has its result".into()),
            (Phase::Open, end) => {
                self.names = None;
                ensure(end.is_none() && game.state.is_none(), "an open room has no board and no result")
            }
        }
    }
}

fn picked(event: &Event) -> bool {
    use super::play::Intent;
    matches!(
        event,
        Event::Command { intent: Intent::Pick(_) | Intent::Home, .. }
            | Event::Tv { intent: Intent::Pick(_) | Intent::Home }
    )
}

/// Checks invariant 1: everyone is in exactly one place.
fn places(game: &Game, people: &People) -> Result<(), String> {
    let count = |role| game.own.iter().filter(|(_, own)| own.role == Some(role)).count();
    ensure(
        count(Role::Champ) <= 1 && count(Role::Chal) <= 1 && count(Role::Asker) <= 1,
        "1: one person a seat",
    )?;
    ensure(game.shown_line == count(Role::Line), "1: the line holds those who are in line, once each")?;
    ensure(game.line.len() == count(Role::Line), "1: everyone in line has a place of their own")?;
    ensure(
        (1..=game.line.len())
            .eq(game.line.iter().filter_map(|id| game.own.iter().find(|o| o.0 == *id)?.1.place)),
        "1: places are counted from 1",
    )?;
    ensure(game.asker.is_some() == (count(Role::Asker) == 1), "1: the asker is in the room")?;
    let nicks: Vec<_> = people.iter().map(|p| &p.nick).collect();
    ensure(nicks.iter().enumerate().all(|(at, nick)| !nicks[..at].contains(nick)), "nicknames are unique")?;
    let away_shown = |role, seat: usize| match game.with(role) {
        Some(id) => game.seats[seat].as_ref().is_some_and(|s| s.1 != people.is_present(id)),
        None => true,
    };
    ensure(away_shown(Role::Champ, 0) && away_shown(Role::Chal, 1), "the away mark is true")
}

/// Checks invariants 2, 5, 11 and 13, and the other rules of each phase.
fn phases(game: &Game, room: &Room, people: &People) -> Result<(), String> {
    let seats = [game.seats[0].is_some(), game.seats[1].is_some()];
    let waiting = game.line.iter().any(|&id| people.is_present(id));
    match game.phase {
        Phase::Open => {
            ensure(!seats[1] && game.asker.is_none(), "an open room has no challenger and no asker")?;
            ensure(!waiting, "5: nobody present waits in an open room")?;
        }
        Phase::Play => {
            ensure(seats == [true; 2] && game.asker.is_none(), "2: both seats are taken in play")?;
            ensure(
                game.with(Role::Champ).is_some() && game.with(Role::Chal).is_some() != game.house,
                "2: players are in the room",
            )?;
            let (_, side) = game.turn.ok_or("2: one side is on turn")?;
            ensure(game.moves.as_ref().is_some_and(|moves| !moves.is_empty()), "2: it has a legal move")?;
            ensure(room.rule().is_some_and(|rule| rule.deadline().is_some()), "2: a deadline is set")?;
            let on_turn: Vec<_> = game.own.iter().filter(|(_, own)| own.on_turn).collect();
            let house_on_turn = game.house && side == 1 && on_turn.is_empty();
            ensure(
                house_on_turn || on_turn.len() == 1 && on_turn[0].1.side == Some(side),
                "2: exactly one person is on turn, or the House",
            )?;
        }
        Phase::Result => {
            ensure(seats == [true; 2] && game.turn.is_none(), "a result shows both seats and no turn")?
        }
        Phase::Rematch => {
            ensure(seats == [true, false] && game.asker.is_some(), "a rematch has champion and asker")?;
            ensure(!waiting, "5: nobody present waits while a rematch is asked for")?;
            ensure(game.left.is_some() && game.turn.is_none(), "a rematch has its time and no turn")?;
        }
    }
    let house_may_sit = matches!(game.phase, Phase::Play | Phase::Result) && !waiting;
    ensure(!game.house || house_may_sit, "11, 13: the House sits while nobody else present could be seated")?;
    ensure(game.phase == Phase::Play || game.moves.is_none(), "moves are shown in play only")
}

/// Checks invariant 3: the line keeps the order of entering it, and nobody overtakes a present person.
fn order(was: &Game, game: &Game, people: &People) -> Result<(), String> {
    let stayed: Vec<PersonId> = was.line.iter().copied().filter(|id| game.line.contains(id)).collect();
    ensure(game.line.starts_with(&stayed), "3: who waited stays in order, ahead of who comes later")?;
    for (id, _) in &game.own {
        let from_line = was.line.iter().position(|other| other == id);
        let newly_seated = game.seated(*id) && !was.seated(*id);
        let loser_again =
            was.phase == Phase::Result && game.phase == Phase::Play && game.role(*id) == Some(Role::Chal);
        if !newly_seated && !loser_again {
            continue;
        }
        let seated_away = newly_seated && from_line.is_some() && !people.is_present(*id);
        ensure(!seated_away, "3: somebody away in line keeps the place and is passed over for a seat")?;
        for (at, waiting) in was.line.iter().enumerate() {
            let overtaken = game.line.contains(waiting)
                && people.is_present(*waiting)
                && from_line.is_none_or(|from| at < from);
            ensure(!overtaken, "3: nobody overtakes a present person")?;
        }
    }
    // A person who gets in line during a rematch plays first, and the asker goes to the end of the line.
    if let (Phase::Rematch, Some(asker)) = (was.phase, was.with(Role::Asker))
        && game.role(asker) == Some(Role::Line)
    {
        ensure(game.line.last() == Some(&asker), "3: an asker who is passed goes to the end of the line")?;
    }
    if was.phase == Phase::Result && game.phase != Phase::Result {
        for id in was
            .own
            .iter()
            .map(|(id, _)| *id)
            .filter(|&id| was.seated(id) && game.role(id) == Some(Role::Line))
        {
            ensure(game.line.last() == Some(&id), "3: the loser goes to the end of the line")?;
        }
    }
    Ok(())
}

/// Checks invariant 6: a result does not change until it settles.
fn result_stands(was: &Game, game: &Game, before: &Before, now: Ms) -> Result<(), String> {
    if was.phase == Phase::Play && game.phase == Phase::Result {
        let nicks = |g: &Game| [0, 1].map(|at: usize| g.seats[at].as_ref().map(|s| s.0.clone()));
        return ensure(nicks(was) == nicks(game), "6: seats do not change with the first view of a result");
    }
    if was.phase != Phase::Result {
        return Ok(());
    }
    if game.phase == Phase::Result && was.end == game.end {
        let sides = |g: &Game| {
            g.own.iter().filter(|(_, o)| o.side.is_some()).map(|(id, o)| (*id, o.side)).collect::<Vec<_>>()
        };
        let kept = sides(was).iter().all(|side| sides(game).contains(side));
        return ensure(
            kept && was.state == game.state && was.streak == game.streak,
            "6: a result stands as it was current",
        );
    }
    if was.house {
        return Ok(());
    }
    let over = was.left.is_some_and(|left| now - before.now >= left);
    let gone = was.own.iter().any(|(id, _)| was.seated(*id) && game.role(*id).is_none());
    ensure(over || gone, "6: a result settles when its time is up or somebody seated is gone")
}

/// Checks invariant 8: the streak is the number of games that the champion has won since taking seat 0.
fn streak(was: &Game, game: &Game) -> Result<(), String> {
    let (Some(before), now) = (was.streak, game.streak) else {
        return ensure(
            game.streak.unwrap_or(0) == 0 || was.phase == Phase::Result,
            "8: a new champion begins at 0",
        );
    };
    let same_holder = was.with(Role::Champ).is_some() && was.with(Role::Champ) == game.with(Role::Champ);
    if was.house {
        return ensure(!same_holder || now == Some(before), "12: a game against the House changes no streak");
    }
    let expected = match (was.phase, game.phase) {
        (Phase::Result, Phase::Result) => return Ok(()),
        // The game has ended and settled within one long step of time. The champion may have lost the seat and got it back.
        (Phase::Play, Phase::Open | Phase::Rematch | Phase::Play)
            if game.phase != Phase::Play || !same_holder || was.with(Role::Chal) != game.with(Role::Chal) =>
        {
            let champ = game.with(Role::Champ);
            let may = match (same_holder, champ.is_some() && champ == was.with(Role::Chal)) {
                (true, _) => [before, before + 1, 0],
                (_, true) => [0, 1, 1],
                _ => [0; 3],
            };
            return ensure(may.contains(&now.unwrap_or(0)), "8: a long step of time counts one game at most");
        }
        (Phase::Result, _) => {
            let won = was.end.as_ref().and_then(|(winner, ..)| *winner);
            let holder = was.with(if won == Some(1) { Role::Chal } else { Role::Champ });
            match (won, holder.is_some() && holder == game.with(Role::Champ)) {
                (Some(0), true) => before + 1,
                (Some(_), true) => 1,
                (None, true) => before,
                (_, false) => 0,
            }
        }
        _ if same_holder || game.phase == Phase::Result => before,
        _ => 0,
    };
    ensure(now.unwrap_or(0) == expected, "8: the streak counts the games that seat 0's holder has won")
}
