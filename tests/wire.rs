//! Tests the messages that clients may send, and that no input makes the parser panic.

use doozer_box::refusal::Refusal;
use doozer_box::room::Command;
use doozer_box::room::rooms::{HostRequest, JoinRequest};
use doozer_box::wire::{
    FirstMessage, Kind, Parsed, RoomMessage, parse_first, parse_kind, parse_phone, parse_tv,
};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Returns the refusals of a message from a phone, from the kiosk's TV, and as a first message.
fn refusals(text: &str) -> [Option<Refusal>; 3] {
    [parse_phone(text).request.err(), parse_tv(text, true).request.err(), parse_first(text).request.err()]
}

#[test]
fn phones_and_tvs_may_send_these() {
    let table = [
        (r#"{"t":"move","v":3}"#, Kind::Move, Command::Move { v: 3, n: None }),
        (
            r#"{"t":"move","v":255,"n":9007199254740991}"#,
            Kind::Move,
            Command::Move { v: 255, n: Some(9_007_199_254_740_991) },
        ),
        (r#" { "v" : 0 , "t" : "move" } "#, Kind::Move, Command::Move { v: 0, n: None }),
        (r#"{"t":"rematch","v":"ignored"}"#, Kind::Rematch, Command::Rematch),
        (r#"{"t":"line","on":true}"#, Kind::Line, Command::Line(true)),
        (r#"{"t":"line","on":false,"x":{"deep":[1,{"y":null}]}}"#, Kind::Line, Command::Line(false)),
        (r#"{"t":"pick","game":"four"}"#, Kind::Pick, Command::Pick("four".into())),
        (r#"{"t":"home"}"#, Kind::Home, Command::Home),
        (r#"{"t":"leave"}"#, Kind::Leave, Command::Leave),
    ];
    for (text, kind, command) in table {
        let parsed = Parsed { kind: Some(kind), request: Ok(RoomMessage::Command(command)) };
        assert_eq!(parse_phone(text), parsed, "{text}");
        assert_eq!(parse_tv(text, false), parsed, "{text}");
        assert_eq!(parse_kind(text), Some(kind));
    }
    let heartbeat = Parsed { kind: Some(Kind::Heartbeat), request: Ok(RoomMessage::Heartbeat) };
    assert_eq!(
        (parse_phone(r#"{"t":"hb"}"#), parse_tv(r#"{"t":"hb"}"#, false)),
        (heartbeat.clone(), heartbeat)
    );
}

#[test]
fn the_kiosk_alone_may_take_people_out() {
    let text = r#"{"t":"out","nick":"Owl","keep":true}"#;
    let out = Command::TakeOut { nick: "Owl".into(), keep: true };
    assert_eq!(parse_tv(text, true).request, Ok(RoomMessage::Command(out)));
    assert_eq!(parse_tv(text, false), Parsed { kind: Some(Kind::Out), request: Err(Refusal::Kind) });
    assert_eq!(parse_phone(text), Parsed { kind: Some(Kind::Out), request: Err(Refusal::Kind) });
    let for_now = Command::TakeOut { nick: "Owl".into(), keep: false };
    assert_eq!(parse_tv(r#"{"t":"out","nick":"Owl"}"#, true).request, Ok(RoomMessage::Command(for_now)));
    for bad in [r#"{"t":"out"}"#, r#"{"t":"out","nick":"Owl","keep":1}"#, r#"{"t":"out","nick":null}"#] {
        assert_eq!(parse_tv(bad, true).request, Err(Refusal::Shape), "{bad}");
    }
}

#[test]
fn first_comes_join_or_host() {
    let join = JoinRequest { room: "BCDF".into(), nick: "Wren".into(), ..JoinRequest::default() };
    let text = r#"{"t":"join","room":"BCDF","nick":"Wren"}"#;
    assert_eq!(parse_first(text).request, Ok(FirstMessage::Join(join.clone())));
    let scanned = JoinRequest { key: Some("k".into()), scan: Some("x7Kq".into()), ..join };
    let text = r#"{"t":"join","room":"BCDF","nick":"Wren","key":"k","scan":"x7Kq"}"#;
    assert_eq!(parse_first(text).request, Ok(FirstMessage::Join(scanned)));
    let host = HostRequest { kiosk: true, ..HostRequest::default() };
    assert_eq!(parse_first(r#"{"t":"host","kiosk":true}"#).request, Ok(FirstMessage::Host(host)));
    for kind in ["move", "rematch", "line", "pick", "home", "leave", "out", "hb", "nonsense", ""] {
        let parsed = parse_first(&format!(r#"{{"t":"{kind}","v":1,"on":true,"game":"four"}}"#));
        let known = !matches!(kind, "nonsense" | "");
        assert_eq!(
            (parsed.kind.map(Kind::as_str), parsed.request),
            (known.then_some(kind), Err(Refusal::First))
        );
    }
    let again = Parsed { kind: Some(Kind::Host), request: Err(Refusal::First) };
    assert_eq!(parse_phone(r#"{"t":"host"}"#), again);
    assert_eq!(parse_tv(r#"{"t":"host"}"#, false), again);
    let joins = Parsed { kind: Some(Kind::Join), request: Err(Refusal::First) };
    assert_eq!(parse_tv(r#"{"t":"join","room":"B","nick":""}"#, false), joins);
    assert_eq!(parse_phone(r#"{"t":"join","room":"B","nick":""}"#), joins);
}

#[test]
fn wrong_shapes_differ_from_unknown_kinds() {
    let shapes = [
        "",
        "garbage",
        "{",
        "[]",
        "null",
        "7",
        r#""move""#,
        "{}",
        r#"{"t":null}"#,
        r#"{"t":7}"#,
        r#"["hb"]"#,
        r#"["rematch"]"#,
        r#"{"t":"move"}"#,
        r#"{"t":"move","v":256}"#,
        r#"{"t":"move","v":-1}"#,
        r#"{"t":"move","v":1.5}"#,
        r#"{"t":"move","v":"3"}"#,
        r#"{"t":"move","v":3,"n":null}"#,
        r#"{"t":"move","v":3,"n":-1}"#,
        r#"{"t":"move","v":3,"v":4}"#,
        r#"{"t":"line","on":1}"#,
        r#"{"t":"pick","game":["four"]}"#,
        r#"{"t":"pick","game":"\ud800"}"#,
        r#"{"t":"hb"} {"t":"hb"}"#,
        "{\"t\":\"hb\"}\0",
        "\u{feff}{\"t\":\"hb\"}",
    ];
    for text in shapes {
        assert_eq!(refusals(text)[..2], [Some(Refusal::Shape); 2], "{text}");
    }
    let first_shapes = [
        r#"{"t":"join"}"#,
        r#"{"t":"join","room":5,"nick":"W"}"#,
        r#"{"t":"join","room":"BCDF","nick":null}"#,
        r#"{"t":"join","room":"BCDF","nick":"W","key":null}"#,
        r#"{"t":"join","room":"BCDF","nick":"W","scan":7}"#,
        r#"{"t":"host","kiosk":1}"#,
        r#"{"t":"host","game":null}"#,
        r#"{"t":"host","key":7}"#,
        r#"["host"]"#,
    ];
    for text in first_shapes {
        assert_eq!(refusals(text)[2], Some(Refusal::Shape), "{text}");
    }
    for kind in ["url", "MOVE", "move ", "__proto__", "welcome", "bye", "ws", ""] {
        let text = format!(r#"{{"t":"{kind}","v":3}}"#);
        assert_eq!(parse_phone(&text), Parsed { kind: None, request: Err(Refusal::Kind) }, "{text}");
        assert_eq!(parse_tv(&text, true), Parsed { kind: None, request: Err(Refusal::Kind) }, "{text}");
    }
}

#[test]
fn deep_nesting_in_an_ignored_field_is_accepted() {
    for depth in [64, 400, 100_000] {
        let text = format!(r#"{{"t":"hb","x":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        assert_eq!(parse_phone(&text).request, Ok(RoomMessage::Heartbeat));
        let text = format!(r#"{{"t":"pick","game":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        assert_eq!(parse_phone(&text), Parsed { kind: Some(Kind::Pick), request: Err(Refusal::Shape) });
    }
}

#[test]
fn mangled_messages_never_make_the_reader_panic() {
    let mut rng = StdRng::seed_from_u64(11);
    let seeds = [
        r#"{"t":"join","room":"BCDF","nick":"Wren","key":"abc"}"#,
        r#"{"t":"host","room":"BCDF","key":"k","game":"four","kiosk":true}"#,
        r#"{"t":"move","v":3,"n":17}"#,
        r#"{"t":"line","on":true}"#,
    ];
    for _ in 0..20_000 {
        let mut bytes = seeds[rng.random_range(0..seeds.len())].as_bytes().to_vec();
        for _ in 0..rng.random_range(1..6) {
            let at = rng.random_range(0..bytes.len());
            match rng.random_range(0..3) {
                0 => bytes[at] = rng.random(),
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"{}[]\",:\\u0"[rng.random_range(0..10)]),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let _ = refusals(&text);
    }
}
