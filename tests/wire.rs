//! The wire: what pages may say, to the letter, and that nothing at all can make the reader panic.

use doozer_box::room::Command;
use doozer_box::room::rooms::{HostRequest, JoinRequest};
use doozer_box::wire::{First, FromPhone, FromTv, Why, first, from_phone, from_tv};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn said(say: Command) -> (Result<FromPhone, Why>, Result<FromTv, Why>) {
    (Ok(FromPhone::Command(say.clone())), Ok(FromTv::Command(say)))
}

#[test]
fn both_pages_may_say_these() {
    let table = [
        (r#"{"t":"move","v":3}"#, Command::Move { v: 3, n: None }),
        (
            r#"{"t":"move","v":255,"n":9007199254740991}"#,
            Command::Move { v: 255, n: Some(9_007_199_254_740_991) },
        ),
        (r#" { "v" : 0 , "t" : "move" } "#, Command::Move { v: 0, n: None }),
        (r#"{"t":"rematch","v":"ignored"}"#, Command::Rematch),
        (r#"{"t":"line","on":true}"#, Command::Line(true)),
        (r#"{"t":"line","on":false,"x":{"deep":[1,{"y":null}]}}"#, Command::Line(false)),
        (r#"{"t":"pick","game":"four"}"#, Command::Pick("four".into())),
        (r#"{"t":"home"}"#, Command::Home),
        (r#"{"t":"leave"}"#, Command::Leave),
    ];
    for (text, say) in table {
        let read = (from_phone(text).map_err(|bad| bad.1), from_tv(text).map_err(|bad| bad.1));
        assert_eq!(read, said(say), "{text}");
    }
    assert_eq!(from_phone(r#"{"t":"hb"}"#), Ok(FromPhone::Hb));
    assert_eq!(from_tv(r#"{"t":"hb"}"#), Ok(FromTv::Hb));
}

#[test]
fn first_comes_join_or_host() {
    let join = JoinRequest { room: "BCDF".into(), nick: "Wren".into(), key: None };
    assert_eq!(first(r#"{"t":"join","room":"BCDF","nick":"Wren"}"#), Ok(First::Join(join)));
    let host = HostRequest { kiosk: true, ..HostRequest::default() };
    assert_eq!(first(r#"{"t":"host","kiosk":true}"#), Ok(First::Host(host)));
    for kind in ["move", "rematch", "line", "pick", "home", "leave", "hb", "nonsense", ""] {
        let no = first(&format!(r#"{{"t":"{kind}","v":1,"on":true,"game":"four"}}"#)).unwrap_err();
        let known = !matches!(kind, "nonsense" | "");
        assert_eq!(no, (known.then_some(kind), Why::First));
    }
    assert_eq!(from_phone(r#"{"t":"host"}"#), Err((Some("host"), Why::First)));
    assert_eq!(from_tv(r#"{"t":"join","room":"B","nick":""}"#), Err((Some("join"), Why::First)));
}

#[test]
fn wrong_shapes_are_told_apart_from_unknown_kinds() {
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
        assert_eq!(from_phone(text).map_err(|bad| bad.1), Err(Why::Shape), "{text}");
        assert_eq!(from_tv(text).map_err(|bad| bad.1), Err(Why::Shape), "{text}");
    }
    let first_shapes = [
        r#"{"t":"join"}"#,
        r#"{"t":"join","room":5,"nick":"W"}"#,
        r#"{"t":"join","room":"BCDF","nick":null}"#,
        r#"{"t":"join","room":"BCDF","nick":"W","key":null}"#,
        r#"{"t":"host","kiosk":1}"#,
        r#"{"t":"host","game":null}"#,
        r#"{"t":"host","key":7}"#,
        r#"["host"]"#,
    ];
    for text in first_shapes {
        assert_eq!(first(text).map_err(|bad| bad.1), Err(Why::Shape), "{text}");
    }
    for kind in ["url", "MOVE", "move ", "__proto__", "welcome", "bye", "ws", ""] {
        let text = format!(r#"{{"t":"{kind}","v":3}}"#);
        assert_eq!(from_phone(&text), Err((None, Why::Kind)), "{text}");
        assert_eq!(from_tv(&text), Err((None, Why::Kind)), "{text}");
    }
}

#[test]
fn deep_nesting_in_a_field_that_nobody_reads_is_passed_over() {
    for depth in [64, 400, 100_000] {
        let text = format!(r#"{{"t":"hb","x":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        assert_eq!(from_phone(&text), Ok(FromPhone::Hb));
        let text = format!(r#"{{"t":"pick","game":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        assert_eq!(from_phone(&text), Err((Some("pick"), Why::Shape)));
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
        let (_, _, _) = (first(&text), from_phone(&text), from_tv(&text));
    }
}
