//! Tests the House in seat 1: it plays against a champion who is alone, and makes room for people.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::evening::{CHAL_WINS, Evening, TIMES};
use common::games::{numbers, vectors};
use doozer_box::bot::Strength;
use doozer_box::refusal::Refusal;
use doozer_box::room::house::Ticket;
use doozer_box::room::{Command, Room, Sender, Times};
use doozer_box::rule::{self, Note, Phase, Role};

#[test]
fn a_newcomer_is_seated_in_the_same_event_and_no_streak_changes() {
    for phase in [Phase::Play, Phase::Result] {
        let mut e = Evening::with(&["Wren", "Heron"]);
        e.play(&CHAL_WINS);
        e.command("Wren", Command::Leave);
        e.advance_stepwise(6_000);
        e.command("Heron", Command::House(true));
        e.play_house(0);
        if phase == Phase::Result {
            for house in [0, 1, 1] {
                e.command("Heron", Command::Move { v: 3, n: None });
                e.play_house(house);
            }
            e.command("Heron", Command::Move { v: 3, n: None });
            assert_eq!((e.ending().0, e.ending().2), (Some(0), ["Heron".into(), "The House".into()]));
        }
        assert_eq!(e.summary(), format!("{phase:?} Heron(1) - The House | "));
        e.comes("Owl");
        assert_eq!(e.summary(), "Play Heron(1) - Owl | ");
    }
}

#[test]
fn a_restart_keeps_a_game_against_the_house() {
    let mut e = Evening::with(&["Wren"]);
    e.command("Wren", Command::House(true));
    e.play_house(3);
    e.command("Wren", Command::Move { v: 2, n: None });
    let board = |e: &Evening| e.room.shared_view(e.now).unwrap().turn.map(|turn| (turn.side, turn.id));
    let (told, turn) = (e.summary(), board(&e));
    e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
    assert_eq!((e.summary(), board(&e)), (told.replace("Wren", "Wren*"), turn));
    // The room asks the House again, and the game continues.
    e.play_house(3);
    assert_eq!(board(&e).map(|(side, _)| side), Some(0));
}

/// Returns an evening with a game against the House at one of eight points.
fn house_game(point: usize) -> Evening {
    let mut e = Evening::with(&["Wren"]);
    e.command("Wren", Command::House(true));
    match point {
        // The House has not found its first move yet.
        0 => {}
        // The House's move is known, but not due yet.
        1 => {
            let ticket = e.room.question().unwrap().ticket;
            e.room.answer(ticket, 0);
        }
        // The guest is on turn.
        2 => e.play_house(0),
        // The House has not found its second move yet.
        3 => {
            e.play_house(0);
            e.command("Wren", Command::Move { v: 3, n: None });
        }
        // The guest is away.
        4 => {
            e.play_house(0);
            e.disconnect("Wren");
        }
        // A result that the House has won, and one that the guest has won.
        5 => e.lose_to_house(),
        6 => {
            for house in [0, 1, 0, 1] {
                e.play_house(house);
                e.command("Wren", Command::Move { v: 3, n: None });
            }
        }
        // The daemon has restarted.
        _ => {
            e.play_house(0);
            e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
        }
    }
    assert!(e.room.rule().unwrap().is_against_house(), "{}", e.summary());
    e
}

#[test]
fn a_guest_who_comes_in_is_on_turn_in_the_same_event_in_every_phase() {
    for point in 0..8 {
        let mut e = house_game(point);
        let before = e.room.shared_view(e.now).unwrap().turn;
        e.comes("Owl");
        let own = e.room.personal_view(e.id("Owl"));
        let shared = e.room.shared_view(e.now).unwrap();
        let seen = (own.role, own.side, own.on_turn, shared.phase, shared.last, shared.asker, shared.note);
        let aside = Some((Note::Aside, 1));
        let wanted = (Some(Role::Chal), Some(1), true, Phase::Play, None, None, aside);
        assert_eq!(seen, wanted, "point {point}: {}", e.summary());
        let turn = shared.turn.unwrap();
        assert_eq!(turn.left, turn.of, "point {point}: a whole turn");
        assert!(before.is_none_or(|before| before.id < turn.id), "point {point}");
        // The note stays until the first move, even over a restart.
        e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
        assert_eq!(e.room.shared_view(e.now).unwrap().note, aside, "point {point}");
        e.command("Owl", Command::Move { v: 0, n: None });
        assert_eq!(e.room.shared_view(e.now).unwrap().note, None, "point {point}");
    }
}

#[test]
fn a_guest_who_gets_in_line_or_returns_to_it_is_seated_as_well() {
    // A person who watched.
    let mut e = Evening::with(&["Wren", "Finch"]);
    e.play(&CHAL_WINS);
    e.advance_stepwise(6_000);
    e.command("Wren", Command::Line(false));
    e.command("Finch", Command::House(true));
    e.play_house(0);
    e.command("Wren", Command::Line(true));
    assert_eq!(e.summary(), "Play Finch(1) - Wren | ");
    // A person in line who was away.
    let mut e = Evening::with(&["Wren", "Heron", "Owl"]);
    e.disconnect("Owl");
    e.command("Heron", Command::Leave);
    e.advance_stepwise(6_000);
    e.command("Wren", Command::House(true));
    assert_eq!(e.summary(), "Play Wren(1) - The House | Owl*");
    e.reconnect("Owl");
    assert_eq!(e.summary(), "Play Wren(1) - Owl | ");
    // The TV's remote.
    let mut e = Evening::with(&["Wren"]);
    e.command("Wren", Command::House(true));
    e.room.execute(Sender::Tv, Command::Line(true), e.now).unwrap();
    assert_eq!(e.summary(), "Play Wren(0) - Remote | ");
}

#[test]
fn a_move_of_the_house_that_comes_too_late_changes_nothing() {
    let mut e = house_game(0);
    let ticket = e.room.question().unwrap().ticket;
    assert!(e.room.question().is_none(), "it is asked once a turn");
    e.comes("Owl");
    let before = e.room.shared_view(e.now).map(|shared| (shared.turn, shared.state));
    e.room.answer(ticket, 3);
    assert_eq!(e.room.deadline(), e.room.rule().unwrap().deadline(), "nothing of it is due");
    e.advance(0);
    assert_eq!(e.room.shared_view(e.now).map(|shared| (shared.turn, shared.state)), before);
    // An illegal move changes nothing either. The move clock plays then.
    let mut e = house_game(0);
    let ticket = e.room.question().unwrap().ticket;
    e.room.answer(ticket, 200);
    e.advance_stepwise(19_999);
    assert_eq!(e.room.shared_view(e.now).unwrap().last, None);
    e.advance_stepwise(1);
    assert!(e.room.shared_view(e.now).unwrap().last.is_some_and(|last| last.auto && last.side == 1));
}

#[test]
fn the_house_moves_after_its_pace_and_not_before() {
    for turn in 0..50 {
        let mut e = house_game(0);
        for _ in 0..turn % 7 {
            e.command("Wren", Command::House(false));
            e.command("Wren", Command::House(true));
        }
        let ticket = e.room.question().unwrap().ticket;
        e.room.answer(ticket, 3);
        let due = e.room.deadline().unwrap() - e.now;
        assert!((700..=1_500).contains(&due), "{due} ms");
        e.advance(due - 1);
        assert_eq!(e.room.shared_view(e.now).unwrap().last, None);
        e.advance(1);
        assert!(e.room.shared_view(e.now).unwrap().last.is_some_and(|last| !last.auto));
    }
}

#[test]
fn the_house_goes_down_after_two_games_lost_in_a_row_and_up_after_one_won() {
    let strength = |e: &mut Evening| {
        e.command("Wren", Command::House(true));
        e.room.rule().unwrap().house_turn().unwrap().strength
    };
    let mut e = Evening::with(&["Wren"]);
    let mut played = vec![strength(&mut e)];
    for wins in [false, false, false, true, true, true, false, true, false, false, false, false] {
        if wins {
            for house in [0, 1, 0, 1] {
                e.play_house(house);
                e.command("Wren", Command::Move { v: 3, n: None });
            }
        } else {
            e.lose_to_house();
        }
        e.advance_stepwise(6_000);
        assert_eq!(e.summary(), "Open Wren(0) - nobody | ");
        played.push(strength(&mut e));
    }
    use Strength::{Middle, Strong, Weak};
    let wanted =
        [Middle, Middle, Weak, Weak, Middle, Strong, Strong, Strong, Strong, Strong, Middle, Middle, Weak];
    assert_eq!(played, wanted);
    // Another guest begins with the middle strength.
    e.command("Wren", Command::Leave);
    e.comes("Wren");
    assert_eq!(strength(&mut e), Middle);
}

#[test]
fn a_restart_keeps_the_strength_and_a_draw_breaks_a_row_of_losses() {
    let strength = |e: &mut Evening| {
        e.command("Wren", Command::House(true));
        let strength = e.room.rule().unwrap().house_turn().unwrap().strength;
        e.command("Wren", Command::House(false));
        strength
    };
    let drawn = vectors("four_games.jsonl").into_iter().find(|game| game["winner"] == "=").unwrap();
    let mut e = Evening::with(&["Wren"]);
    e.command("Wren", Command::House(true));
    e.lose_to_house();
    e.advance_stepwise(6_000);
    e.command("Wren", Command::House(true));
    for (ply, v) in numbers(&drawn["moves"]).into_iter().enumerate() {
        if ply % 2 == 0 { e.play_house(v) } else { e.command("Wren", Command::Move { v, n: None }) }
    }
    assert_eq!(e.ending().0, None);
    e.advance_stepwise(6_000);
    e.command("Wren", Command::House(true));
    e.lose_to_house();
    e.advance_stepwise(6_000);
    assert_eq!(strength(&mut e), Strength::Middle);
    e.command("Wren", Command::House(true));
    e.lose_to_house();
    e.advance_stepwise(6_000);
    assert_eq!(strength(&mut e), Strength::Weak);
    e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
    e.reconnect("Wren");
    assert_eq!(strength(&mut e), Strength::Weak);
}

#[test]
fn a_room_with_short_turns_is_not_slowed_down() {
    let mut e = Evening::with(&["Wren"]);
    let times = Times { rule: rule::Times { turn: 400, ..TIMES.rule }, ..TIMES };
    e.room = Room::restore(e.room.snapshot(), times, e.now).unwrap();
    e.reconnect("Wren");
    e.command("Wren", Command::House(true));
    let ticket = e.room.question().unwrap().ticket;
    e.room.answer(ticket, 3);
    assert_eq!(e.room.deadline(), Some(e.now + 200), "half of a turn");
}

#[test]
fn the_attract_loop_asks_the_house_once_a_step() {
    let mut e = Evening::with(&[]);
    let attract = e.room.deadline().unwrap();
    // The first moves are random.
    for _ in 0..4 {
        assert!(e.room.question().is_none());
        e.advance_stepwise(attract);
    }
    let asked = e.room.question().unwrap();
    assert!(matches!(asked.ticket, Ticket::Attract(_)) && e.room.question().is_none());
    let v = *asked.board.moves(asked.side).iter().find(|&&v| v != asked.board.auto_move(asked.side)).unwrap();
    e.room.answer(asked.ticket, v);
    e.advance_stepwise(attract);
    let mut board = asked.board;
    board.apply(v, asked.side);
    assert_eq!(e.room.attract(), Some(board.board()));
    // An answer for the previous step comes too late.
    let next = e.room.question().unwrap();
    let auto = next.board.auto_move(next.side);
    let other = *next.board.moves(next.side).iter().find(|&&v| v != auto).unwrap();
    e.room.answer(asked.ticket, other);
    e.advance_stepwise(attract);
    board.apply(auto, next.side);
    assert_eq!(e.room.attract(), Some(board.board()));
}

#[test]
fn only_a_lone_present_champion_may_start_a_house_game() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    for nick in ["Wren", "Heron"] {
        for on in [true, false] {
            let sender = Sender::Phone(e.id(nick));
            assert_eq!(e.room.execute(sender, Command::House(on), e.now), Err(Refusal::When), "{nick} {on}");
        }
    }
}

/// Returns every command that concerns a game.
fn commands() -> Vec<Command> {
    vec![
        Command::Move { v: 3, n: None },
        Command::Rematch,
        Command::Line(true),
        Command::Line(false),
        Command::House(true),
        Command::House(false),
        Command::Pick("four".into()),
        Command::Home,
    ]
}

/// Returns a letter for the answer to each command: `.` for done, and the first letter of `when` or `turn`.
fn answers(make: impl Fn() -> Evening, nick: &str) -> String {
    let letter = |command| {
        let mut e = make();
        let sender = if nick == "TV" { Sender::Tv } else { Sender::Phone(e.id(nick)) };
        let before = e.room.snapshot();
        let refused = e.room.execute(sender, command, e.now).err();
        assert!(refused.is_none() || e.room.snapshot() == before, "a refusal changes nothing");
        match refused {
            None => '.',
            Some(Refusal::When) => 'w',
            Some(Refusal::Turn) => 't',
            Some(other) => panic!("{other:?}"),
        }
    };
    commands().into_iter().map(letter).collect()
}

/// Returns an evening in which Wren plays the House, Finch watches, and Owl is away in line.
fn watched(point: usize) -> Evening {
    let mut e = Evening::with(&["Wren", "Heron", "Finch", "Owl"]);
    e.command("Finch", Command::Line(false));
    e.disconnect("Owl");
    e.command("Heron", Command::Leave);
    e.advance_stepwise(6_000);
    if point == 0 {
        return e;
    }
    e.command("Wren", Command::House(true));
    match point {
        1 => {}
        2 => e.play_house(0),
        _ => e.lose_to_house(),
    }
    e
}

/// Tests all roles. The columns are those of [`commands`]: move, rematch, line on, line off, house on, house off, pick,
/// home.
#[test]
fn each_role_may_send_only_its_commands_while_the_house_may_play() {
    let table = [
        ("nobody to play", 0, ["tww..ww.", "tw.wwww.", "ww.wwww."]),
        ("the House's turn", 1, ["twwww.w.", "tw.wwww.", "ww.wwww."]),
        ("the guest's turn", 2, [".wwww.w.", "tw.wwww.", "ww.wwww."]),
        ("a result", 3, ["twwww.w.", "tw.wwww.", "ww.wwww."]),
    ];
    for (what, point, rows) in table {
        for (nick, row) in ["Wren", "Finch", "TV"].into_iter().zip(rows) {
            assert_eq!(answers(|| watched(point), nick), row, "{what}, {nick}");
        }
    }
    // Between two people nobody can start or end a game against the House.
    type Bring = fn(&mut Evening);
    let among_people: [(&str, Bring); 3] = [
        ("play", |_| {}),
        ("result", |e| e.play(&CHAL_WINS)),
        ("rematch", |e| {
            e.play(&CHAL_WINS);
            e.advance_stepwise(6_000);
        }),
    ];
    for (phase, bring) in among_people {
        for nick in ["Wren", "Heron", "TV"] {
            let row = answers(
                || {
                    let mut e = Evening::with(&["Wren", "Heron"]);
                    bring(&mut e);
                    e
                },
                nick,
            );
            assert_eq!(&row[4..6], "ww", "{phase}, {nick}");
        }
    }
}
