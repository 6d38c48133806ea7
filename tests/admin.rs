//! Tests the privileged helper's protocol, and the daemon's client with helpers that answer and that do not.
#![allow(clippy::unwrap_used)]

use doozer_box::admin::{
    ANSWER_BYTES_MAX, Admin, Failure, Hotspot, NETWORKS_MAX, REQUEST_BYTES_MAX, Reply, Request, Screen,
    Security, WifiNetwork, parse_answer, print_answer,
};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::thread;

fn every_request() -> Vec<Request> {
    let longest = "ä".repeat(16);
    vec![
        Request::WifiList,
        Request::WifiJoin { ssid: "Joe's \\ \"Bar\"; $(x)".into(), password: Some("p".repeat(63)) },
        Request::WifiJoin { ssid: longest, password: None },
        Request::Hotspot(Hotspot::Settings),
        Request::Hotspot(Hotspot::Off),
        Request::Hotspot(Hotspot::Setup("12345678".into())),
        Request::Timezone("America/Argentina/Buenos_Aires".into()),
        Request::Timezone("UTC".into()),
        Request::Screen(Screen::On),
        Request::Screen(Screen::Off),
        Request::Restart,
        Request::PowerOff,
    ]
}

#[test]
fn each_request_is_parsed_as_it_was_printed() {
    for request in every_request() {
        let line = request.to_string();
        assert!(line.len() <= REQUEST_BYTES_MAX && !line.contains('\n'));
        assert_eq!(Request::parse(line.as_bytes()), Ok(request), "{line:?}");
    }
}

#[test]
fn no_other_request_is_parsed() {
    for line in [
        "",
        " ",
        "wifi-list ",
        "wifi-list\t",
        "Wifi-list",
        "wifi-list\n",
        "wifi-list\r",
        "wifi-join",
        "wifi-join\tBar",
        "wifi-join\t\tguests welcome",
        "wifi-join\tBar\tshort",
        "wifi-join\tBar\tguests welcome\tDE",
        "wifi-join\tB\u{7}r\tguests welcome",
        "wifi-join\tBar\tgüsts welcome",
        "hotspot",
        "hotspot\ton",
        "hotspot\tsetup",
        "hotspot\tsetup\t",
        "timezone\t",
        "timezone\t/etc/passwd",
        "timezone\t../../etc/passwd",
        "timezone\tEurope/../Berlin",
        "timezone\t-p/Berlin",
        "timezone\tEurope/Berlin;reboot",
        "screen\tON",
        "restart\tnow",
        "poweroff",
        "doozer-box",
    ] {
        assert_eq!(Request::parse(line.as_bytes()), Err(Failure::Malformed), "{line:?}");
    }
    let long = format!("wifi-join\tBar\t{}", "p".repeat(64));
    assert_eq!(Request::parse(long.as_bytes()), Err(Failure::Malformed));
    assert_eq!(Request::parse(&[b'x'; 1_000_000]), Err(Failure::Malformed));
    assert_eq!(Request::parse(b"wifi-join\t\xFF\tguests welcome"), Err(Failure::Malformed));
}

fn network(ssid: &str, signal: u8, security: Security) -> WifiNetwork {
    WifiNetwork { ssid: ssid.into(), signal, security }
}

#[test]
fn each_answer_is_parsed_as_it_was_printed() {
    let many = vec![network(&"ä".repeat(16), 100, Security::Unsupported); NETWORKS_MAX];
    for answer in [
        Ok(Reply::Done),
        Ok(Reply::Networks(vec![])),
        Ok(Reply::Networks(vec![network("Joe's", 80, Security::Password), network("x", 0, Security::Open)])),
        Ok(Reply::Networks(many)),
        Err(Failure::Denied),
        Err(Failure::WrongPassword),
        Err(Failure::OutOfReach),
        Err(Failure::NoAddress),
        Err(Failure::NoCard),
        Err(Failure::Unsupported),
        Err(Failure::Error("nmcli: it is broken".into())),
    ] {
        let text = print_answer(&answer);
        assert!(text.len() <= ANSWER_BYTES_MAX);
        assert_eq!(parse_answer(text.as_bytes()), answer, "{text:?}");
    }
    let long = print_answer(&Err(Failure::Error(format!("line 1\nline\t2 {}", "x".repeat(9_000)))));
    assert_eq!(long.lines().count(), 1);
    assert!(
        matches!(parse_answer(long.as_bytes()), Err(Failure::Error(words)) if words.starts_with("line 1 line 2 x"))
    );
}

#[test]
fn half_an_answer_is_none() {
    for text in [
        "",
        "done",
        "network\t80\topen\tBar\n",
        "network\t101\topen\tBar\nlisted\n",
        "failed\tno-such\n",
        "\n",
    ] {
        assert!(matches!(parse_answer(text.as_bytes()), Err(Failure::Error(_))), "{text:?}");
    }
}

/// Starts a helper for one request. Returns the socket's path, and a handle for the received line.
fn helper(name: &str, answer: &'static [u8]) -> (PathBuf, thread::JoinHandle<String>) {
    let path = std::env::temp_dir().join(format!("doozer-admin-{name}-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path).unwrap();
    let asked = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut line = String::new();
        BufReader::new(stream.try_clone().unwrap()).read_line(&mut line).unwrap();
        let _ = stream.write_all(answer);
        line
    });
    (path, asked)
}

#[test]
fn the_daemon_asks_and_is_answered() {
    let (path, asked) = helper("answers", b"network\t42\tsae\tThe Fox\nlisted\n");
    let reply = smol::block_on(Admin::new(Some(path.clone())).call(&Request::WifiList));
    assert_eq!(reply, Ok(Reply::Networks(vec![network("The Fox", 42, Security::Sae)])));
    assert_eq!(asked.join().unwrap(), "wifi-list\n");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_missing_or_faulty_helper_gives_a_failure_in_words() {
    let nobody = Admin::default();
    assert!(!nobody.is_there());
    assert_eq!(smol::block_on(nobody.call(&Request::Restart)), Err(Failure::Unavailable));
    let gone = Admin::new(Some("/nonexistent/doozer-admin.sock".into()));
    assert_eq!(smol::block_on(gone.call(&Request::Restart)), Err(Failure::Unavailable));
    let (path, asked) = helper("mad", &[b'x'; 10 * ANSWER_BYTES_MAX]);
    let reply = smol::block_on(Admin::new(Some(path.clone())).call(&Request::Restart));
    assert!(matches!(reply, Err(Failure::Error(_))), "{reply:?}");
    assert_eq!(asked.join().unwrap(), "restart\n");
    std::fs::remove_file(path).unwrap();
}
