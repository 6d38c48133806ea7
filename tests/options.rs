//! Tests the command line, the environment and the config file, without a process.
#![allow(clippy::unwrap_used)]

use doozer_box::options::{Action, Kind, Options, SETTINGS, parse, usage};
use doozer_box::room;
use doozer_box::rule::Times;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

fn run(args: &[&str], env: &[(&str, &str)], file: Option<&[u8]>) -> Result<Action, String> {
    parse(
        args.iter().map(OsString::from),
        &|key| env.iter().find(|(k, _)| *k == key).map(|(_, value)| value.into()),
        &|path: &Path| {
            file.filter(|_| path == Path::new("/box.toml"))
                .map(<[u8]>::to_vec)
                .ok_or_else(|| io::ErrorKind::NotFound.into())
        },
        "1.2.3",
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
fn no_arguments_give_the_defaults() {
    let got = options(&[], &[], None);
    assert_eq!(got, Options::default());
    let rule =
        Times { turn: got.turn, result: got.result, rematch: got.rematch, away: got.away, hold: got.hold };
    assert_eq!(room::Times { rule, attract: got.attract }, room::Times::default());
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
            "--sound",
            "40",
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
        sound: 40,
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
        (got.words_add, got.words_exempt, got.problems),
        (vec!["foo".into()], vec!["bar".into()], vec![])
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
    for bad in ["-1", "101", "1.5", "loud", ""] {
        refused(&[&format!("--sound={bad}")], &["--sound", "0 to 100"]);
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
    refused(&["--hotspot", "a\tb"], &["--hotspot", "32 bytes"]);
    refused(&["--hotspot-password", "winnerstäys"], &["--hotspot-password", "8 to 63"]);
    refused(&["--status", "9280"], &["--status", "0.0.0.0:8080"]);
    refused(&["--print", "trun"], &["--print", "trun"]);
    refused(&["--hotspot-password", "short"], &["--hotspot-password", "8 to 63"]);
    refused(&["--house", "The Fox"], &["--house", "true"]);
    refused(&["--no-mdns=maybe"], &["--no-mdns"]);
    refused(&["--venue", "a name that is longer than the TV"], &["--venue", "24"]);
    refused(&["--language", "English"], &["--language", "de"]);
    let error = run(&[], &[("DOOZER_BOX_HOLD", "x")], None).unwrap_err();
    assert!(error.contains("DOOZER_BOX_HOLD") && error.contains("seconds"), "{error}");
    let error =
        parse([OsString::from("--name"), OsString::from_vec(vec![0xff])], &|_| None, &|_| Ok(vec![]), "");
    assert!(error.unwrap_err().contains("--name"));
}

/// Returns the settings and the problems of a file with these lines.
fn file(lines: &str) -> (Options, Vec<String>) {
    let mut options = options(&["--config", "/box.toml"], &[], Some(lines));
    let problems = std::mem::take(&mut options.problems);
    (options, problems)
}

/// Tests field report B51: with any damage to the file the box starts, and its right lines count.
#[test]
fn a_line_with_a_mistake_is_left_out_alone() {
    for (mistake, told) in [
        ("trun = 5", "`trun` is unknown"),
        ("turn = soon", "`turn` wants a number, like turn = 20"),
        ("turn = 1,5", "`turn` wants a number, like turn = 20"),
        ("turn = \"soon\"", "`turn` is wrong: \"soon\" is not a number of seconds"),
        ("turn = -5", "`turn` is wrong: \"-5\""),
        ("turn =", "`turn` wants a number"),
        ("wifi = Joe's Bar", "`wifi` wants quotes, like wifi = \"Bar Guests\""),
        ("wifi = “Bar”", "`wifi` wants quotes"),
        ("wifi = 12345678", "`wifi` wants quotes"),
        ("wifi = [\"a\"]", "`wifi` wants quotes"),
        ("wifi = [\"a\",", "`wifi` wants quotes"),
        ("house = \"The Fox\"", "`house` is wrong: \"The Fox\" is neither true nor false"),
        ("house = 3", "`house` wants true or false"),
        ("result = 9", "`result` is set a second time"),
        ("add = \"foo\"", "`add` wants a list of words in quotes"),
        ("add = [\"foo\", 5", "`add` wants a list of words in quotes"),
        ("words = 5", "`words` is a section: [words]"),
        ("[[[", "there is no section [[["),
        ("[game]", "there is no section [game]"),
        ("config = \"/other.toml\"", "`config` belongs on the command line"),
        ("hello", "is not like `name = value`"),
        ("= 5", "`` is unknown"),
    ] {
        let (got, problems) =
            file(&format!("result = 7\n\n{mistake}\nrematch = 61\n[words]\nexempt = [\"bar\"]"));
        assert_eq!((got.result, got.rematch, got.turn), (7_000, 61_000, 20_000), "{mistake}");
        assert_eq!((got.wifi, got.words_exempt), (None, vec!["bar".to_owned()]), "{mistake}");
        assert_eq!(problems.len(), 1, "{mistake}: {problems:?}");
        assert!(problems[0].starts_with(&format!("Settings, line 3: {told}")), "{mistake}: {problems:?}");
        assert!(!problems[0].contains(char::is_control), "{problems:?}");
    }
}

#[test]
fn changes_that_editors_and_cards_make_to_a_file_are_no_mistake() {
    let (got, problems) = file(
        "\u{FEFF}turn = 5\r\n  result = 7 # seconds\r\n\r\n[words]\r\nadd = [\r\n  \"foo\", # a bird\r\n  \"bar\",\r\n]\r\nrematch = 61\r\n",
    );
    assert_eq!(
        (got.turn, got.result, got.rematch),
        (5_000, 7_000, 61_000),
        "a setting behind [words] holds, too"
    );
    assert_eq!((got.words_add, problems), (vec!["foo".to_owned(), "bar".to_owned()], vec![]));
    let Ok(Action::Run(got)) =
        run(&["--config", "/box.toml"], &[], Some(b"turn = 5\nname = \"\xff\xfe\"\nresult = 7"))
    else {
        panic!()
    };
    assert_eq!((got.turn, got.result), (5_000, 7_000));
    assert_eq!(got.problems, ["Settings, line 2: is not UTF-8 text"]);
    let (got, problems) = file("\0\0\0\0\n\0\0\0turn\0=\n\u{1}");
    assert_eq!((got, problems.len()), (Options::default(), 3));
    let (got, problems) = file(&"x\n".repeat(50_000));
    assert_eq!((got, problems.len()), (Options::default(), 10), "bounded, whatever the file is");
    let (_, problems) = file(&format!("{} = 5", "x".repeat(10_000)));
    assert!(problems[0].chars().count() < 130, "{problems:?}");
    let (got, problems) = file("wifi = \"Joe's Bar\"\nhotspot = 'The \"Fox\"'\nhotspot-password = 'it''s'");
    assert_eq!((got.wifi.as_deref(), problems.len()), (Some("Joe's Bar"), 2));
}

#[test]
fn a_wifi_with_a_mistyped_password_does_not_come_up_open() {
    for password in
        ["hotspot-password = \"short\"", "hotspot-password = 12345678", "hotspot-password = \"abc"]
    {
        for lines in
            [format!("{password}\nhotspot = \"Doozer\""), format!("hotspot = \"Doozer\"\n{password}")]
        {
            let (got, problems) = file(&lines);
            assert_eq!((got.hotspot, got.hotspot_password, problems.len()), (None, None, 2), "{problems:?}");
            assert!(problems[1].contains("own Wi-Fi is off"), "{problems:?}");
        }
    }
    let (got, problems) = file("hotspot = \"Doozer\"");
    assert_eq!((got.hotspot.as_deref(), problems), (Some("Doozer"), vec![]), "open, as the owner wants it");
}

#[test]
fn later_files_beat_earlier_ones_and_need_not_be_there() {
    let files = |path: &Path| match path.to_str() {
        Some("/etc") => Ok(b"turn = 1\nresult = 2\ntrun = 3".to_vec()),
        Some("/card") => Ok(b"result = 4\n\nrematch = nine".to_vec()),
        Some("/forbidden") => Err(io::ErrorKind::PermissionDenied.into()),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let read = |names: &[&str]| {
        let args = names.iter().flat_map(|name| ["--config".into(), (*name).into()]);
        match parse(args, &|_| None, &files, "") {
            Ok(Action::Run(options)) => *options,
            other => panic!("{other:?}"),
        }
    };
    let got = read(&["/etc", "/nothing", "/card"]);
    assert_eq!((got.turn, got.result, got.rematch), (1_000, 4_000, 60_000));
    assert_eq!(
        got.problems,
        [
            "Settings, line 3: `trun` is unknown",
            "Settings in /card, line 3: `rematch` wants a number, like rematch = 60"
        ]
    );
    assert_eq!(read(&["/nothing", "/etc"]).problems[0], "Settings: /nothing is not there");
    assert!(read(&["/forbidden"]).problems[0].contains("may not be read"));
}

#[test]
fn the_owners_file_lies_above_the_others_and_below_variables_and_flags() {
    let files = |path: &Path| match path.to_str() {
        Some("/etc") => Ok(b"turn = 1\nresult = 1\nrematch = 1\naway = 1".to_vec()),
        Some("/card") => Ok(b"result = 2\nrematch = 2\naway = 2".to_vec()),
        Some("/state/owner.toml") => {
            Ok(b"rematch = 3\naway = 3\nhold = 3\ntrun = 5\n[words]\nadd = [\"foo\"]\nphones = [\"a b\"]"
                .to_vec())
        }
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let read = |args: &[&str], env: &[(&str, &str)]| {
        let env = |key: &str| env.iter().find(|(k, _)| *k == key).map(|(_, value)| OsString::from(value));
        match parse(args.iter().map(OsString::from), &env, &files, "") {
            Ok(Action::Run(options)) => *options,
            other => panic!("{other:?}"),
        }
    };
    let config = ["--config", "/etc", "--config", "/card"];
    let state = ("STATE_DIRECTORY", "/state:/other");
    let got = read(&[&config[..], &["--hold", "5"]].concat(), &[state, ("DOOZER_BOX_AWAY", "4")]);
    let times = [got.turn, got.result, got.rematch, got.away, got.hold];
    assert_eq!(times, [1_000, 2_000, 3_000, 4_000, 5_000]);
    assert_eq!(got.owner.as_deref(), Some(Path::new("/state/owner.toml")));
    assert_eq!((got.words_add, got.phones), (vec!["foo".to_owned()], vec!["a b".to_owned()]));
    assert_eq!(got.problems, ["Owner's settings, line 4: `trun` is unknown"]);
    assert_eq!(read(&config, &[]).hold, 600_000, "without a place for it there is none");
    let got = read(&["--owner", "/state/owner.toml"], &[]);
    assert_eq!((got.hold, got.owner.is_some()), (3_000, true));
    assert_eq!(read(&["--owner", "/nothing"], &[]).problems, Vec::<String>::new());
    let (_, problems) = file("phones = [\"a b\"]");
    assert_eq!(problems, ["Settings, line 1: `phones` is unknown"]);
}

#[test]
fn scripts_can_print_the_effective_settings() {
    let printed = |args: &[&str], file: &str| match run(args, &[], Some(file.as_bytes())) {
        Ok(Action::Print(text)) => text,
        other => panic!("{other:?}"),
    };
    let file = "hotspot = \"Joe's Bar\"\ntrun = 5\nturn = 0.5";
    let print = |name| printed(&["--config", "/box.toml", "--print", name], file);
    assert_eq!(print("hotspot"), "Joe's Bar\n");
    assert_eq!(
        (print("hotspot-password"), print("turn"), print("house")),
        ("".into(), "0.5\n".into(), "true\n".into())
    );
    assert_eq!(print("problems"), "Settings, line 2: `trun` is unknown\n");
    for setting in SETTINGS {
        let value = setting.example_line().split_once(" = ").unwrap().1.trim_matches('"').to_owned();
        let flag = if setting.kind == Kind::Switch {
            format!("--{}", setting.name)
        } else {
            format!("--{}={value}", setting.name)
        };
        let again = printed(&[&flag, "--print", setting.name], "");
        let wanted = if setting.kind == Kind::Switch { "true" } else { &value };
        assert_eq!(again.trim_end(), wanted, "{} is printed as it is read", setting.name);
    }
}

#[test]
fn help_and_version() {
    assert_eq!(run(&["--turn", "x", "--help"], &[], None), Ok(Action::Print(usage())));
    assert_eq!(run(&["--version"], &[], None), Ok(Action::Print("doozer-box 1.2.3\n".into())));
    for flag in SETTINGS.iter().map(|setting| setting.name).chain(["config", "print", "help", "version"]) {
        assert!(usage().contains(&format!("--{flag}")), "{flag}");
    }
    assert!(usage().lines().all(|line| line.len() <= 120), "{}", usage());
}

#[test]
fn the_languages_of_the_tv_are_one_or_a_list() {
    let languages = |line: &str| file(line).0.language;
    assert_eq!(languages(""), ["en"]);
    assert_eq!(languages("language = \"de\""), ["de"]);
    assert_eq!(languages("language = [\"de\", \"en\"]"), ["de", "en"]);
    let Ok(Action::Run(options)) = run(&["--language", "PL, en"], &[], None) else { panic!("not taken") };
    assert_eq!(options.language, ["pl", "en"]);
    for (line, told) in [
        ("language = \"xx\"", "\"xx\" is not a language of en, de, fr, es, it, pt, nl, pl"),
        ("language = [\"de\", \"de\"]", "names de twice"),
        ("language = [\"de\", 5]", "wants a list of words in quotes"),
        ("language = 5", "wants quotes"),
    ] {
        let (got, problems) = file(line);
        assert_eq!(got.language, ["en"], "{line}");
        assert!(problems.len() == 1 && problems[0].contains(told), "{line}: {problems:?}");
    }
}
