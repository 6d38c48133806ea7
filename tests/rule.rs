//! Finer points of the rule, one evening each, told by nicknames. The simulation looks for what nobody thought
//! of; these are what somebody did.

use doozer_box::limits::Ms;
use doozer_box::room::code::Code;
use doozer_box::room::{Command, Room, Sender, Times};
use doozer_box::rule::people::{ConnectionId, PersonId};
use doozer_box::rule::view::How;
use doozer_box::rule::{Phase, Role};
use rand::SeedableRng;
use rand::rngs::StdRng;

const TIMES: Times = Times::DEFAULT;
/// Games in which the challenger, who moves first, and the champion win.
const CHAL_WINS: [u8; 7] = [3, 0, 3, 0, 3, 0, 3];
const CHAMP_WINS: [u8; 8] = [0, 3, 0, 3, 1, 3, 1, 3];

struct Evening {
    room: Room,
    now: Ms,
    connections: u64,
    rng: StdRng,
}

impl Evening {
    fn with(nicks: &[&str]) -> Self {
        let mut room = Room::new(Code::parse("BCDF").unwrap(), "tv".into(), "scan".into(), TIMES, 0);
        room.host(ConnectionId(1), 0);
        room.execute(Sender::Tv, Command::Pick("four".into()), 0).unwrap();
        let mut evening = Evening { room, now: 0, connections: 1, rng: StdRng::seed_from_u64(1) };
        nicks.iter().for_each(|nick| evening.comes(nick));
        evening
    }

    fn connect(&mut self) -> ConnectionId {
        self.connections += 1;
        ConnectionId(self.connections)
    }

    fn comes(&mut self, nick: &str) {
        let connection = self.connect();
        self.room.join(nick, format!("key of {nick}"), Some(connection), self.now).unwrap();
    }

    fn id(&self, nick: &str) -> PersonId {
        self.room.people().iter().find(|p| p.nick == nick).map(|p| p.id).expect("is in the room")
    }

    fn drops(&mut self, nick: &str) {
        let connection =
            self.room.people().get(self.id(nick)).and_then(|p| p.connection).expect("is present");
        self.room.on_disconnect(connection, self.now);
    }

    fn returns(&mut self, nick: &str) {
        let connection = self.connect();
        self.room.rejoin(self.id(nick), nick, connection, self.now);
    }

    fn says(&mut self, nick: &str, say: Command) {
        self.room.execute(Sender::Phone(self.id(nick)), say, self.now).unwrap();
    }

    fn play(&mut self, moves: &[u8]) {
        for &v in moves {
            let side = self.room.shared_view(self.now).unwrap().turn.unwrap().side;
            let seat = [Role::Champ, Role::Chal][usize::from(side)];
            let rule = self.room.rule().unwrap();
            let id = self.room.people().iter().find(|p| rule.role(p.id) == seat).unwrap().id;
            self.room.execute(Sender::Phone(id), Command::Move { v, n: None }, self.now).unwrap();
        }
    }

    fn after(&mut self, ms: Ms) {
        self.now += ms;
        self.room.tick(self.now, &mut self.rng);
    }

    /// Step by step through every deadline on the way.
    fn slowly(&mut self, ms: Ms) {
        let end = self.now + ms;
        while let Some(at) = self.room.deadline().filter(|&at| at <= end) {
            self.after(at.saturating_sub(self.now));
        }
        self.now = end;
    }

    /// `PHASE champion(streak) - challenger | line | ?asker`, the away ones with a star.
    fn told(&self) -> String {
        let picture = self.room.shared_view(self.now).unwrap();
        let mark = |away: bool| if away { "*" } else { "" };
        let seat = |at: usize| match &picture.seats[at] {
            Some(s) => {
                format!("{}{}{}", s.nick, mark(s.away), s.streak.map_or(String::new(), |n| format!("({n})")))
            }
            None => "nobody".into(),
        };
        let line: Vec<String> = picture.line.iter().map(|p| format!("{}{}", p.nick, mark(p.away))).collect();
        let asker = picture.asker.map_or(String::new(), |nick| format!(" ?{nick}"));
        format!("{:?} {} - {} | {}{asker}", picture.phase, seat(0), seat(1), line.join(" "))
    }

    fn end(&self) -> (Option<u8>, bool, [String; 2]) {
        let picture = self.room.shared_view(self.now).unwrap();
        let ending = picture.end.unwrap();
        (ending.winner, ending.how == How::Forfeit, ending.names.map(str::to_owned))
    }
}

#[test]
fn an_away_champion_s_grace_counts_from_the_start_of_the_game() {
    let mut e = Evening::with(&["Wren"]);
    e.drops("Wren");
    e.after(500_000);
    e.comes("Heron");
    assert_eq!(e.told(), "Play Wren*(0) - Heron | ");
    e.slowly(29_999);
    assert_eq!(e.room.rule().unwrap().phase(), Phase::Play);
    e.slowly(1);
    assert_eq!((e.told().as_str(), e.end().0), ("Result Wren*(0) - Heron | ", Some(1)));
    e.slowly(6_000);
    assert_eq!(e.told(), "Open Heron(1) - nobody | ");
}

#[test]
fn both_gone_the_one_who_went_last_wins_and_the_line_takes_the_seats() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl", "Finch"]);
    e.drops("Wren");
    e.after(1_000);
    e.drops("Heron");
    e.slowly(29_000);
    assert_eq!(e.end(), (Some(1), true, ["Wren".into(), "Heron".into()]));
    e.slowly(1_000);
    assert_eq!(e.told(), "Play Owl(0) - Finch | ");
}

#[test]
fn days_in_one_step_end_the_same_way() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    e.drops("Wren");
    e.after(1_000);
    e.drops("Heron");
    e.after(300_000_000);
    e.slowly(0);
    assert_eq!((e.told().as_str(), e.room.people().len()), ("Open nobody - nobody | ", 0));
}

#[test]
fn winner_gone_during_the_result_the_line_s_first_takes_the_seat_and_the_loser_challenges() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl"]);
    e.play(&CHAL_WINS);
    e.says("Heron", Command::Leave);
    assert_eq!(e.told(), "Play Owl(0) - Wren | ");
}

#[test]
fn winner_gone_during_the_result_with_nobody_in_line_the_loser_takes_the_seat() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    e.play(&CHAMP_WINS);
    e.says("Wren", Command::Leave);
    assert_eq!(e.told(), "Open Heron(0) - nobody | ");
    // The same when the loser is away: an asker takes an empty seat 0 even then.
    let mut e = Evening::with(&["Wren", "Heron"]);
    e.play(&CHAMP_WINS);
    e.drops("Heron");
    e.says("Wren", Command::Leave);
    assert_eq!(e.told(), "Open Heron*(0) - nobody | ");
}

#[test]
fn away_when_a_game_is_picked_is_watching_until_back() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl"]);
    e.drops("Wren");
    e.room.execute(Sender::Tv, Command::Home, e.now).unwrap();
    e.room.execute(Sender::Tv, Command::Pick("four".into()), e.now).unwrap();
    assert_eq!(e.told(), "Play Heron(0) - Owl | ");
    let role = |e: &Evening| e.room.rule().unwrap().role(e.id("Wren"));
    assert_eq!(role(&e), Role::Out);
    e.returns("Wren");
    assert_eq!(e.told(), "Play Heron(0) - Owl | Wren");
    // Enlisted once: who steps out stays out.
    e.says("Wren", Command::Line(false));
    e.drops("Wren");
    e.returns("Wren");
    assert_eq!(role(&e), Role::Out);
}

#[test]
fn coming_back_in_line_during_a_rematch_plays_first() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl"]);
    e.drops("Owl");
    e.play(&CHAL_WINS);
    e.after(6_000);
    assert_eq!(e.told(), "Rematch Heron(1) - nobody | Owl* ?Wren");
    e.returns("Owl");
    assert_eq!(e.told(), "Play Heron(1) - Owl | Wren");
}

#[test]
fn rematch_asked_in_the_last_moment_counts_and_just_after_does_not() {
    for (wait, asked) in [(59_999, true), (60_000, false)] {
        let mut e = Evening::with(&["Wren", "Heron"]);
        e.play(&CHAL_WINS);
        e.after(6_000);
        e.after(wait);
        let wren = Sender::Phone(e.id("Wren"));
        assert_eq!(e.room.execute(wren, Command::Rematch, e.now).is_ok(), asked);
        let told = if asked { "Play Heron(1) - Wren | " } else { "Open Heron(1) - nobody | " };
        assert_eq!(e.told(), told);
    }
}

#[test]
fn turn_ids_rise_over_games_picks_and_restarts() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl"]);
    let id = |e: &Evening| e.room.shared_view(e.now).unwrap().turn.map(|turn| turn.id);
    let first = id(&e);
    e.play(&CHAL_WINS);
    e.after(6_000);
    let second = id(&e);
    e.room.execute(Sender::Tv, Command::Home, e.now).unwrap();
    e.room.execute(Sender::Tv, Command::Pick("reversi".into()), e.now).unwrap();
    let third = id(&e);
    e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
    assert!(first < second && second < third && third <= id(&e));
    e.slowly(20_000);
    assert!(third < id(&e));
}

#[test]
fn a_restart_keeps_what_was_left_of_a_result_and_a_rematch() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    e.play(&CHAL_WINS);
    e.after(2_000);
    let shown = e.told();
    e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
    assert_eq!(e.told(), shown.replace("Wren", "Wren*").replace("Heron", "Heron*"));
    assert_eq!(e.room.shared_view(e.now).unwrap().left, Some(4_000));
    e.after(4_000);
    e.after(10_000);
    let before = e.room.shared_view(e.now).unwrap().left;
    assert_eq!((e.told().as_str(), before), ("Rematch Heron*(1) - nobody |  ?Wren", Some(50_000)));
    e.room = Room::restore(e.room.snapshot(), TIMES, e.now + 5_000).unwrap();
    e.now += 5_000;
    assert_eq!(e.room.shared_view(e.now).unwrap().left, Some(45_000));
    // Grace counts from the restart: 30 s, and not what was left of it.
    e.slowly(29_999);
    assert_eq!(e.room.people().len(), 2);
    e.slowly(1);
    // The asker is gone, and alone in seat 0 one is held for ten minutes.
    assert_eq!(e.told(), "Open Heron*(1) - nobody | ");
}

#[test]
fn a_name_taken_on_during_the_game_is_shown_and_the_one_at_its_start_is_in_the_result() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    let connection = e.connect();
    e.room.rejoin(e.id("Heron"), "Gull", connection, e.now);
    e.says("Gull", Command::Leave);
    assert_eq!(e.told(), "Result Wren(0) - Gull* | ");
    assert_eq!(e.end(), (Some(0), true, ["Wren".into(), "Heron".into()]));
}

#[test]
fn a_result_that_was_nearly_over_stands_a_second_after_a_restart() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    e.play(&CHAL_WINS);
    e.after(5_900);
    e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
    assert_eq!(e.room.shared_view(e.now).unwrap().left, Some(1_000));
}

#[test]
fn a_remote_that_the_clock_plays_for_leaves_after_three_turns_in_a_row() {
    let mut e = Evening::with(&[]);
    e.room.execute(Sender::Tv, Command::Line(true), e.now).unwrap();
    e.comes("Wren");
    for turn in 1..=3 {
        e.play(&[6]);
        if turn == 2 {
            e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
            e.returns("Wren");
            e.room.host(ConnectionId(99), e.now);
        }
        e.slowly(20_000);
    }
    assert_eq!(e.told(), "Result Remote*(0) - Wren | ");
    assert_eq!(e.end(), (Some(1), true, ["Remote".into(), "Wren".into()]));
    e.slowly(6_000);
    assert_eq!(e.told(), "Open Wren(1) - nobody | ");
}

#[test]
fn a_remote_that_plays_again_begins_anew_with_its_three_turns() {
    let mut e = Evening::with(&[]);
    e.room.execute(Sender::Tv, Command::Line(true), e.now).unwrap();
    e.comes("Wren");
    for round in 0..3 {
        e.play(&[round]);
        e.slowly(20_000);
    }
    assert_eq!(e.room.rule().unwrap().phase(), Phase::Result);
    let mut e = Evening::with(&[]);
    e.room.execute(Sender::Tv, Command::Line(true), e.now).unwrap();
    e.comes("Wren");
    for (round, v) in [0, 1, 2, 0].into_iter().enumerate() {
        e.play(&[v]);
        if round == 2 {
            e.room.execute(Sender::Tv, Command::Move { v: 6, n: None }, e.now).unwrap();
        } else {
            e.slowly(20_000);
        }
    }
    assert_eq!(e.room.rule().unwrap().phase(), Phase::Play);
}

/// The House moves, as if its thread had found that.
fn house_plays(e: &mut Evening, v: u8) {
    let ticket = e.room.question().expect("the House is on turn").ticket;
    e.room.answer(ticket, v);
    let due = e.room.deadline().expect("the House's move is due");
    e.after(due - e.now);
}

#[test]
fn the_house_steps_aside_for_whoever_can_be_seated_and_changes_no_streak() {
    for phase in [Phase::Play, Phase::Result] {
        let mut e = Evening::with(&["Wren", "Heron"]);
        e.play(&CHAL_WINS);
        e.says("Wren", Command::Leave);
        e.slowly(6_000);
        e.says("Heron", Command::House(true));
        house_plays(&mut e, 0);
        if phase == Phase::Result {
            for house in [0, 1, 1] {
                e.says("Heron", Command::Move { v: 3, n: None });
                house_plays(&mut e, house);
            }
            e.says("Heron", Command::Move { v: 3, n: None });
            assert_eq!((e.end().0, e.end().2), (Some(0), ["Heron".into(), "The House".into()]));
        }
        assert_eq!(e.told(), format!("{phase:?} Heron(1) - The House | "));
        e.comes("Owl");
        assert_eq!(e.told(), "Play Heron(1) - Owl | ");
    }
}

#[test]
fn a_restart_keeps_a_game_against_the_house() {
    let mut e = Evening::with(&["Wren"]);
    e.says("Wren", Command::House(true));
    house_plays(&mut e, 3);
    e.says("Wren", Command::Move { v: 2, n: None });
    let board = |e: &Evening| e.room.shared_view(e.now).unwrap().turn.map(|turn| (turn.side, turn.id));
    let (told, turn) = (e.told(), board(&e));
    e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
    assert_eq!((e.told(), board(&e)), (told.replace("Wren", "Wren*"), turn));
    // It is asked anew, and goes on.
    house_plays(&mut e, 3);
    assert_eq!(board(&e).map(|(side, _)| side), Some(0));
}

#[test]
fn nobody_is_called_the_house() {
    let mut e = Evening::with(&["the house", "Wren"]);
    assert_eq!(e.told(), "Play the house 2(0) - Wren | ");
    e.room.rejoin(e.id("Wren"), "The House", ConnectionId(9), 0);
    assert_eq!(e.told(), "Play the house 2(0) - The House 3 | ");
}
