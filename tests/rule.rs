//! Tests details of the rule, each with a short evening. They are cases that have happened. The simulation searches for
//! unknown ones.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::evening::{CHAL_WINS, CHAMP_WINS, Evening, TIMES};
use doozer_box::room::{Command, Room, Sender};
use doozer_box::rule::people::ConnectionId;
use doozer_box::rule::{Phase, Role};

#[test]
fn the_time_of_an_absent_champion_counts_from_the_start_of_the_game() {
    let mut e = Evening::with(&["Wren"]);
    e.disconnect("Wren");
    e.advance(500_000);
    e.comes("Heron");
    assert_eq!(e.summary(), "Play Wren*(0) - Heron | ");
    e.advance_stepwise(29_999);
    assert_eq!(e.room.rule().unwrap().phase(), Phase::Play);
    e.advance_stepwise(1);
    assert_eq!((e.summary().as_str(), e.ending().0), ("Result Wren*(0) - Heron | ", Some(1)));
    e.advance_stepwise(6_000);
    assert_eq!(e.summary(), "Open Heron(1) - nobody | ");
}

#[test]
fn if_both_players_go_the_last_one_wins_and_the_line_takes_the_seats() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl", "Finch"]);
    e.disconnect("Wren");
    e.advance(1_000);
    e.disconnect("Heron");
    e.advance_stepwise(29_000);
    assert_eq!(e.ending(), (Some(1), true, ["Wren".into(), "Heron".into()]));
    e.advance_stepwise(1_000);
    assert_eq!(e.summary(), "Play Owl(0) - Finch | ");
}

#[test]
fn days_in_one_step_end_the_same_way() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    e.disconnect("Wren");
    e.advance(1_000);
    e.disconnect("Heron");
    e.advance(300_000_000);
    e.advance_stepwise(0);
    assert_eq!((e.summary().as_str(), e.room.people().len()), ("Open nobody - nobody | ", 0));
}

#[test]
fn if_the_winner_leaves_during_the_result_the_first_in_line_takes_the_seat() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl"]);
    e.play(&CHAL_WINS);
    e.command("Heron", Command::Leave);
    assert_eq!(e.summary(), "Play Owl(0) - Wren | ");
}

#[test]
fn if_the_winner_leaves_during_the_result_and_the_line_is_empty_the_loser_takes_the_seat() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    e.play(&CHAMP_WINS);
    e.command("Wren", Command::Leave);
    assert_eq!(e.summary(), "Open Heron(0) - nobody | ");
    // The same with an absent loser. An asker who is away takes an empty seat 0 as well.
    let mut e = Evening::with(&["Wren", "Heron"]);
    e.play(&CHAMP_WINS);
    e.disconnect("Heron");
    e.command("Wren", Command::Leave);
    assert_eq!(e.summary(), "Open Heron*(0) - nobody | ");
}

#[test]
fn a_person_who_is_away_when_a_game_is_picked_watches_until_the_return() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl"]);
    e.disconnect("Wren");
    e.room.execute(Sender::Tv, Command::Home, e.now).unwrap();
    e.room.execute(Sender::Tv, Command::Pick("four".into()), e.now).unwrap();
    assert_eq!(e.summary(), "Play Heron(0) - Owl | ");
    let role = |e: &Evening| e.room.rule().unwrap().role(e.id("Wren"));
    assert_eq!(role(&e), Role::Out);
    e.reconnect("Wren");
    assert_eq!(e.summary(), "Play Heron(0) - Owl | Wren");
    // A person gets a place only once. After leaving the line, a return does not bring it back.
    e.command("Wren", Command::Line(false));
    e.disconnect("Wren");
    e.reconnect("Wren");
    assert_eq!(role(&e), Role::Out);
}

#[test]
fn a_person_who_returns_to_the_line_during_a_rematch_plays_first() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl"]);
    e.disconnect("Owl");
    e.play(&CHAL_WINS);
    e.advance(6_000);
    assert_eq!(e.summary(), "Rematch Heron(1) - nobody | Owl* ?Wren");
    e.reconnect("Owl");
    assert_eq!(e.summary(), "Play Heron(1) - Owl | Wren");
}

#[test]
fn a_rematch_asked_in_the_last_moment_counts_and_a_later_one_does_not() {
    for (wait, asked) in [(59_999, true), (60_000, false)] {
        let mut e = Evening::with(&["Wren", "Heron"]);
        e.play(&CHAL_WINS);
        e.advance(6_000);
        e.advance(wait);
        let wren = Sender::Phone(e.id("Wren"));
        assert_eq!(e.room.execute(wren, Command::Rematch, e.now).is_ok(), asked);
        let told = if asked { "Play Heron(1) - Wren | " } else { "Open Heron(1) - nobody | " };
        assert_eq!(e.summary(), told);
    }
}

#[test]
fn turn_ids_rise_over_games_picks_and_restarts() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl"]);
    let id = |e: &Evening| e.room.shared_view(e.now).unwrap().turn.map(|turn| turn.id);
    let first = id(&e);
    e.play(&CHAL_WINS);
    e.advance(6_000);
    let second = id(&e);
    e.room.execute(Sender::Tv, Command::Home, e.now).unwrap();
    e.room.execute(Sender::Tv, Command::Pick("reversi".into()), e.now).unwrap();
    let third = id(&e);
    e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
    assert!(first < second && second < third && third <= id(&e));
    e.advance_stepwise(20_000);
    assert!(third < id(&e));
}

#[test]
fn a_restart_keeps_what_was_left_of_a_result_and_a_rematch() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    e.play(&CHAL_WINS);
    e.advance(2_000);
    let shown = e.summary();
    e.room = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
    assert_eq!(e.summary(), shown.replace("Wren", "Wren*").replace("Heron", "Heron*"));
    assert_eq!(e.room.shared_view(e.now).unwrap().left, Some(4_000));
    e.advance(4_000);
    e.advance(10_000);
    let before = e.room.shared_view(e.now).unwrap().left;
    assert_eq!((e.summary().as_str(), before), ("Rematch Heron*(1) - nobody |  ?Wren", Some(50_000)));
    e.room = Room::restore(e.room.snapshot(), TIMES, e.now + 5_000).unwrap();
    e.now += 5_000;
    assert_eq!(e.room.shared_view(e.now).unwrap().left, Some(45_000));
    // After a restart an absent player has the full 30 s again, not only the rest.
    e.advance_stepwise(29_999);
    assert_eq!(e.room.people().len(), 2);
    e.advance_stepwise(1);
    // The asker has left. The place of a champion who is alone is held for ten minutes.
    assert_eq!(e.summary(), "Open Heron*(1) - nobody | ");
}

#[test]
fn a_new_name_during_the_game_is_shown_and_the_old_one_is_in_the_result() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    let connection = e.connect();
    e.room.rejoin(e.id("Heron"), "Gull", connection, e.now);
    e.command("Gull", Command::Leave);
    assert_eq!(e.summary(), "Result Wren(0) - Gull* | ");
    assert_eq!(e.ending(), (Some(0), true, ["Wren".into(), "Heron".into()]));
}

#[test]
fn a_result_that_was_nearly_over_stands_a_second_after_a_restart() {
    let mut e = Evening::with(&["Wren", "Heron"]);
    e.play(&CHAL_WINS);
    e.advance(5_900);
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
            e.reconnect("Wren");
            e.room.host(ConnectionId(99), e.now);
        }
        e.advance_stepwise(20_000);
    }
    assert_eq!(e.summary(), "Result Remote*(0) - Wren | ");
    assert_eq!(e.ending(), (Some(1), true, ["Remote".into(), "Wren".into()]));
    e.advance_stepwise(6_000);
    assert_eq!(e.summary(), "Open Wren(1) - nobody | ");
}

#[test]
fn a_remote_that_plays_again_begins_anew_with_its_three_turns() {
    let mut e = Evening::with(&[]);
    e.room.execute(Sender::Tv, Command::Line(true), e.now).unwrap();
    e.comes("Wren");
    for round in 0..3 {
        e.play(&[round]);
        e.advance_stepwise(20_000);
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
            e.advance_stepwise(20_000);
        }
    }
    assert_eq!(e.room.rule().unwrap().phase(), Phase::Play);
}

#[test]
fn nobody_is_called_the_house() {
    let mut e = Evening::with(&["the house", "Wren"]);
    assert_eq!(e.summary(), "Play the house 2(0) - Wren | ");
    e.room.rejoin(e.id("Wren"), "The House", ConnectionId(9), 0);
    assert_eq!(e.summary(), "Play the house 2(0) - The House 3 | ");
}

/// Plays a game that the challenger wins, with that pause before each of its seven moves.
fn play_with_pauses(e: &mut Evening, pause: u64) {
    for v in CHAL_WINS {
        e.advance_stepwise(pause);
        e.play(&[v]);
    }
}

/// Returns the minutes until the first two in line play.
fn minutes(room: &Room, now: u64) -> Option<[u64; 2]> {
    let view = room.shared_view(now).unwrap();
    Some([view.wait_at(1)?, view.wait_at(2)?])
}

fn view_line(e: &Evening) -> Vec<String> {
    e.room.shared_view(e.now).unwrap().line.iter().map(|person| person.nick.to_owned()).collect()
}

#[test]
fn the_time_in_line_is_estimated_from_the_median_of_the_last_games() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl", "Finch"]);
    assert_eq!(minutes(&e.room, e.now), None);
    play_with_pauses(&mut e, 18_000);
    // 126 s, and 6 s for each result.
    assert_eq!(minutes(&e.room, e.now), Some([1, 2]));
    e.advance_stepwise(6_000);
    assert_eq!(minutes(&e.room, e.now), Some([2, 4]));
    let next = view_line(&e)[0].clone();
    e.disconnect(&next);
    assert_eq!(minutes(&e.room, e.now), Some([2, 2]), "who is away is passed over");
    e.reconnect(&next);
    // A game that takes longer than usual ends at any moment.
    e.now += 3_600_000;
    assert_eq!(minutes(&e.room, e.now), Some([1, 2]));
    e.now -= 3_600_000;
    play_with_pauses(&mut e, 1_000);
    e.advance_stepwise(6_000);
    assert_eq!(minutes(&e.room, e.now), Some([2, 4]), "of two the longer one");
    play_with_pauses(&mut e, 1_000);
    e.advance_stepwise(6_000);
    assert_eq!(minutes(&e.room, e.now), Some([1, 1]), "of three the middle one");
    // Nine are kept, so that twice five make all of them short, and then long.
    for _ in 0..5 {
        play_with_pauses(&mut e, 1_000);
        e.advance_stepwise(6_000);
    }
    for _ in 0..5 {
        assert_eq!(minutes(&e.room, e.now), Some([1, 1]));
        play_with_pauses(&mut e, 18_000);
        e.advance_stepwise(6_000);
    }
    assert_eq!(minutes(&e.room, e.now), Some([2, 4]));
}

#[test]
fn a_restart_keeps_the_estimate_of_the_time_in_line() {
    let mut e = Evening::with(&["Wren", "Heron", "Owl", "Finch"]);
    play_with_pauses(&mut e, 18_000);
    e.advance_stepwise(6_000);
    e.now += 50_000;
    let mut restored = Room::restore(e.room.snapshot(), TIMES, e.now).unwrap();
    for nick in ["Wren", "Heron", "Owl", "Finch"] {
        let connection = e.connect();
        restored.rejoin(e.id(nick), nick, connection, e.now);
    }
    assert_eq!((minutes(&restored, e.now), minutes(&e.room, e.now)), (Some([1, 4]), Some([1, 4])));

    // Data of another program, or of an older version.
    let data = serde_json::to_value(e.room.snapshot()).unwrap();
    let with = |games: &[u64]| {
        let mut data = data.clone();
        data["rule"]["last_games"] = games.into();
        Room::restore(serde_json::from_value(data).unwrap(), TIMES, e.now)
    };
    assert_eq!(with(&[u64::MAX; 9]).and_then(|room| minutes(&room, 0)), Some([u64::MAX / 60_000; 2]));
    assert!(with(&[1; 10]).is_none());
    let mut old = data.clone();
    old["rule"].as_object_mut().unwrap().remove("last_games");
    old["rule"]["current_match"].as_object_mut().unwrap().remove("started");
    assert!(Room::restore(serde_json::from_value(old).unwrap(), TIMES, e.now).is_some());
}

#[test]
fn games_given_up_and_games_against_the_house_say_nothing_about_the_time_in_line() {
    let mut e = Evening::with(&["Wren"]);
    e.command("Wren", Command::House(true));
    e.lose_to_house();
    e.comes("Heron");
    e.comes("Owl");
    e.command("Heron", Command::Leave);
    e.comes("Finch");
    assert_eq!(e.summary(), "Result Wren(0) - Heron* | Owl Finch");
    assert_eq!(minutes(&e.room, e.now), None);
}
