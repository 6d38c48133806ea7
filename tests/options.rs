//! The command line, the environment and the config file, without a process.
#![allow(clippy::unwrap_used)]

use doozer_box::options::{Action, Options, parse};
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

fn run(args: &[&str], env: &[(&str, &str)], file: Option<&[u8]>) -> Result<Action, String> {
    parse(
        args.iter().map(OsString::from),
        &|key| env.iter().find(|(k, _)| *k == key).map(|(_, value)| value.into()),
        &|path: &Path| {
            assert_eq!(path, Path::new("/box.toml"));
            file.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::NotFound.into())
        },
    )
}

fn options(args: &[&str], env: &[(&str, &str)], file: Option<&str>) -> Options {
    match run(args, env, file.map(str::as_bytes)) {
        Ok(Action::Run(options)) => *options,
        other => panic!("{other:?}"),
    }
}

fn refused(args: &[&str], words: &[&str]) {
    let error = run(args, &[], None).unwrap_err();
    for word in words {
        assert!(error.contains(word), "{args:?}: {error:?} does not say {word:?}");
    }
}

#[test]
fn nothing_said_gives_the_defaults() {
    let got = options(&[], &[], None);
    assert_eq!(got, Options::default());
    assert_eq!(
        (got.turn, got.result, got.rematch, got.away, got.hold),
        (20_000, 6_000, 60_000, 30_000, 600_000)
    );
    assert_eq!(got.listen.to_string(), "0.0.0.0:8080");
}

#[test]
fn every_flag_sets_its_own() {
    let got = options(
        &[
            "--listen",
            "127.0.0.1:0",
            "--turn",
            "0.2",
            "--result=0.7",
            "--rematch",
            "61",
            "--away",
            "31",
            "--hold",
            "86400",
            "--attract",
            "1",
            "--connections",
            "5000",
            "--per-address",
            "64",
            "--state",
            "/run/x",
            "--www",
            "www",
            "--name",
            "Bar-TV",
            "--no-mdns",
            "--address",
            "10.0.0.7",
            "--interface",
            "wlan0",
            "--wifi",
            "Bar Guests",
            "--hotspot",
            "Zum Löwen",
            "--hotspot-password",
            "winner stays",
            "--house",
            "false",
        ],
        &[],
        None,
    );
    let wanted = Options {
        listen: "127.0.0.1:0".parse().unwrap(),
        turn: 200,
        result: 700,
        rematch: 61_000,
        away: 31_000,
        hold: 86_400_000,
        attract: 1_000,
        connections: 5_000,
        per_address: 64,
        state: Some("/run/x".into()),
        www: Some("www".into()),
        name: "bar-tv".into(),
        mdns: false,
        address: Some("10.0.0.7".parse().unwrap()),
        interface: Some("wlan0".into()),
        wifi: Some("Bar Guests".into()),
        hotspot: Some("Zum Löwen".into()),
        hotspot_password: Some("winner stays".into()),
        house: false,
        ..Options::default()
    };
    assert_eq!(got, wanted);
}

#[test]
fn rooms_are_kept_in_the_service_managers_directory() {
    let env = [("RUNTIME_DIRECTORY", "/run/doozer-box:/run/other")];
    assert_eq!(options(&[], &env, None).state, Some("/run/doozer-box".into()));
    assert_eq!(options(&["--state", "/x"], &env, None).state, Some("/x".into()));
    assert_eq!(options(&[], &[], None).state, None);
}

#[test]
fn flag_beats_environment_beats_file_beats_default() {
    let file =
        "turn = 1\nresult = 2\nrematch = 3.5\nno-mdns = true\n[words]\nadd = [\"foo\"]\nexempt = [\"bar\"]";
    let env = [("DOOZER_BOX_TURN", "4"), ("DOOZER_BOX_RESULT", "5"), ("DOOZER_BOX_CONFIG", "/box.toml")];
    let got = options(&["--turn", "6"], &env, Some(file));
    assert_eq!((got.turn, got.result, got.rematch, got.away, got.mdns), (6_000, 5_000, 3_500, 30_000, false));
    assert_eq!(
        (got.words_add, got.words_exempt, got.warning),
        (vec!["foo".into()], vec!["bar".into()], None)
    );
    let got = options(&["--config", "/box.toml"], &[("DOOZER_BOX_NO_MDNS", "0")], Some(file));
    assert!(got.mdns);
}

#[test]
fn bad_options_are_refused_in_words() {
    refused(&["--bogus"], &["--bogus", "--help"]);
    refused(&["-x"], &["-x"]);
    refused(&["spare"], &["spare"]);
    refused(&["--turn"], &["--turn"]);
    for bad in ["0", "-1", "nan", "inf", "1e300", "86401", "0.0001", "soon", ""] {
        refused(&[&format!("--turn={bad}")], &["--turn", "seconds"]);
    }
    for flag in ["--connections", "--per-address"] {
        for bad in ["0", "-1", "16385", "1.5", "many"] {
            refused(&[&format!("{flag}={bad}")], &[flag, "16384"]);
        }
    }
    for bad in ["8080", "localhost:80", "0.0.0.0", "0.0.0.0:99999"] {
        refused(&["--listen", bad], &["--listen", bad, "0.0.0.0:8080"]);
    }
    for bad in ["", "two words", "a.b", "-a", "a-", "ä", &"x".repeat(51)] {
        refused(&[&format!("--name={bad}")], &["--name", "letters"]);
    }
    refused(&["--address", "0.0.0.0"], &["--address", "192.168"]);
    refused(&["--interface", "a/b"], &["--interface", "eth0"]);
    refused(&["--wifi", ""], &["--wifi", "32 bytes"]);
    refused(&["--hotspot", "a\"b"], &["--hotspot", "quotes"]);
    refused(&["--hotspot-password", "short"], &["--hotspot-password", "8 to 63"]);
    refused(&["--house", "The Fox"], &["--house", "true"]);
    refused(&["--no-mdns=maybe"], &["--no-mdns"]);
    let error = run(&[], &[("DOOZER_BOX_HOLD", "x")], None).unwrap_err();
    assert!(error.contains("DOOZER_BOX_HOLD") && error.contains("seconds"), "{error}");
    let error = parse([OsString::from("--name"), OsString::from_vec(vec![0xff])], &|_| None, &|_| Ok(vec![]));
    assert!(error.unwrap_err().contains("--name"));
}

/// Field report B51: whatever became of the file, the box comes up.
#[test]
fn a_bad_file_is_set_aside_with_one_warning() {
    let bad: [(&[u8], &str); 11] = [
        (b"turn = ", "line 1"),
        (b"turn = 5\nresult = [1,\n", "line"),
        (b"turn = 5\n\xff\xfe", "UTF-8"),
        (b"turn = 5\ncolour = \"red\"", "colour"),
        (b"turn = -5", "turn"),
        (b"turn = \"soon\"", "turn"),
        (b"name = [\"a\"]", "name"),
        (b"words = 5", "words"),
        (b"[words]\nadd = \"foo\"", "words.add"),
        (b"[words]\nnever = [\"foo\"]", "words.never"),
        (b"config = \"/other.toml\"", "config"),
    ];
    for (file, word) in bad {
        let Ok(Action::Run(got)) = run(&["--config", "/box.toml"], &[], Some(file)) else {
            panic!("{file:?}")
        };
        let warning = got.warning.clone().unwrap();
        assert!(warning.contains("/box.toml") && warning.contains(word), "{warning}");
        assert!(!warning.contains('\n'), "{warning:?}");
        assert_eq!(*got, Options { warning: Some(warning), ..Options::default() });
    }
    let Ok(Action::Run(got)) = run(&["--config", "/box.toml", "--turn", "7"], &[], None) else { panic!() };
    assert!(got.warning.is_some() && got.turn == 7_000);
    assert_eq!(options(&["--config", "/box.toml"], &[], Some("")), Options::default());
}

#[test]
fn help_and_version() {
    assert_eq!(run(&["--turn", "x", "--help"], &[], None), Ok(Action::Help));
    assert_eq!(run(&["--version"], &[], None), Ok(Action::Version));
    for flag in ["listen", "turn", "per-address", "no-mdns", "config", "interface"] {
        assert!(doozer_box::options::USAGE.contains(&format!("--{flag}")));
    }
}
