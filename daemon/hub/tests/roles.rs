//! Tests the messages that each role may send in each phase, by one table.

use super::deadlines::CHAL_WINS;
use super::{TestClient, TestHub};

/// All messages that a phone or a TV may send after the first.
const MESSAGES: [&str; 8] = [
    r#"{"t":"move","v":6}"#,
    r#"{"t":"rematch"}"#,
    r#"{"t":"line","on":true}"#,
    r#"{"t":"line","on":false}"#,
    r#"{"t":"pick","game":"reversi"}"#,
    r#"{"t":"home"}"#,
    r#"{"t":"out","nick":"Wren"}"#,
    r#"{"t":"hb"}"#,
];

/// Brings four people into a phase. Two are playing or have played, one is in line, and one watches.
fn in_phase(phase: &str) -> (TestHub, TestClient, [TestClient; 4]) {
    let mut test = TestHub::new(None);
    let (tv, code) = test.host("four");
    let people = ["Wren", "Heron", "Owl", "Finch"].map(|nick| test.join(code, nick));
    test.send(&people[3], r#"{"t":"line","on":false}"#);
    if matches!(phase, "rematch" | "open") {
        // In these phases the line is empty.
        test.send(&people[2], r#"{"t":"line","on":false}"#);
    }
    if phase != "play" {
        test.play([&people[0], &people[1]], &CHAL_WINS);
    }
    if matches!(phase, "rematch" | "open") {
        test.pass(6_000);
    }
    if phase == "open" {
        test.send(&people[0], r#"{"t":"line","on":false}"#);
    }
    assert_eq!(tv.newest()["phase"], phase);
    (test, tv, people)
}

/// Returns a letter for the answer to each message: `.` for done, and the first letter of `when`, `turn` or `kind`.
fn answers(phase: &str, who: usize) -> String {
    let letter = |text: &&str| {
        let (mut test, tv, people) = in_phase(phase);
        let client = people.get(who).unwrap_or(&tv);
        match test.refusal(client, text).as_str() {
            None => '.',
            Some("when") => 'w',
            Some("turn") => 't',
            Some("kind") => 'k',
            Some(other) => panic!("{other}"),
        }
    };
    MESSAGES.iter().map(letter).collect()
}

/// Tests all roles in all phases. The columns are those of [`MESSAGES`]: move, rematch, line on, line off, pick, home,
/// out, hb.
#[test]
fn each_role_may_send_only_its_messages_of_the_phase() {
    let table = [
        // The rows: Wren is champion, Heron is challenger and on turn, Owl is in line, Finch watches, and the TV has no
        // remote.
        ("play", ["twwwwwk.", ".wwwwwk.", "tww.wwk.", "tw.wwwk.", "ww.ww.k."]),
        ("result", ["twwwwwk.", "twwwwwk.", "tww.wwk.", "tw.wwwk.", "ww.ww.k."]),
        // Heron has won and is champion, Wren is the asker, Owl and Finch watch.
        ("rematch", ["t...w.k.", "tww.w.k.", "tw.wwwk.", "tw.wwwk.", "ww.ww.k."]),
        // Heron is alone in seat 0. Wren has declined and watches.
        ("open", ["tw.ww.k.", "tww.w.k.", "tw.ww.k.", "tw.ww.k.", "ww.ww.k."]),
    ];
    for (phase, rows) in table {
        for (who, row) in rows.into_iter().enumerate() {
            assert_eq!(answers(phase, who), row, "{phase}, {}", ["Wren", "Heron", "Owl", "Finch", "TV"][who]);
        }
    }
}
