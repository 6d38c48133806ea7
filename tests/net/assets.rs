//! Tests requests: pages, caching, allowed Hosts and Origins, and invalid requests.

use super::client::Client;
use super::server::TestServer;
use doozer_box::net::Budget;
use std::fs;
use std::io::Write as _;
use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::time::Duration;

const SCRIPT: &str = "/js/dom.js";

#[test]
fn a_file_has_a_media_type_a_tag_and_a_policy() {
    let server = TestServer::new();
    let reply = Client::new(&server).get(SCRIPT);
    assert_eq!(reply.status, 200);
    assert!(reply.text().contains("\nexport function el("));
    for (name, value) in [
        ("content-type", "text/javascript"),
        ("cache-control", "no-cache"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(reply.line(name), value, "{name}");
    }
    for path in ["/icon.svg", "/healthz", "/nothing"] {
        let policy = "default-src 'none'; frame-ancestors 'none'";
        assert_eq!(Client::new(&server).get(path).line("content-security-policy"), policy, "{path}");
    }
    assert!(!reply.lines.contains_key("date"), "a box without a clock sends no date");
    assert!(!reply.lines.contains_key("server"), "nobody needs to know");
    assert!(!reply.lines.contains_key("transfer-encoding"));
}

#[test]
fn a_page_runs_only_the_boxs_own_scripts_and_cannot_be_framed() {
    let server = TestServer::new();
    for path in ["/", "/tv", "/BCDF"] {
        let reply = Client::new(&server).get(path);
        let policy = reply.line("content-security-policy");
        for part in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]
        {
            assert!(policy.split("; ").any(|own| own == part), "{path}: {part} in {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(reply.line("x-frame-options"), "DENY", "{path}");
        assert_eq!(reply.line("referrer-policy"), "no-referrer", "{path}");
    }
}

#[test]
fn known_pages_are_not_sent_again() {
    let server = TestServer::new();
    let mut client = Client::new(&server);
    let tag = client.get(SCRIPT).line("etag").to_owned();
    let strong = tag.trim_start_matches("W/").to_owned();
    for known in [tag.clone(), strong, "*".into(), format!("\"other\", {tag}")] {
        let reply = client.ask(&format!("GET {SCRIPT}"), &format!("If-None-Match: {known}\r\n"));
        assert_eq!((reply.status, reply.line("etag")), (304, tag.as_str()), "{known}");
        assert_eq!(reply.line("content-length"), "", "that of the 200 depends on what the client accepts");
    }
    for unknown in ["\"other\"", "", "W/", &tag[..tag.len() - 1]] {
        let reply = client.ask(&format!("GET {SCRIPT}"), &format!("If-None-Match: {unknown}\r\n"));
        assert_eq!(reply.status, 200, "{unknown}");
    }
}

#[test]
fn a_client_that_accepts_gzip_gets_gzip() {
    let server = TestServer::new();
    let mut client = Client::new(&server);
    let plain = client.get(SCRIPT);
    for (takes, gets) in
        [("gzip, deflate", true), ("br;q=1.0, GZIP;q=0.5", true), ("gzip;q=0", false), ("br", false)]
    {
        let reply = client.ask(&format!("GET {SCRIPT}"), &format!("Accept-Encoding: {takes}\r\n"));
        assert_eq!(reply.line("content-encoding"), if gets { "gzip" } else { "" }, "{takes}");
        assert_eq!(reply.line("vary"), "Accept-Encoding");
        assert_eq!(reply.body.starts_with(&[0x1f, 0x8b]), gets);
        assert_eq!(reply.body.len() < plain.body.len(), gets);
    }
}

#[test]
fn head_is_get_without_the_body() {
    let server = TestServer::new();
    let mut client = Client::new(&server);
    for path in [SCRIPT, "/healthz", "/no/such/page"] {
        let (get, head) = (client.get(path), client.ask(&format!("HEAD {path}"), ""));
        assert_eq!((get.status, get.lines), (head.status, head.lines), "{path}");
    }
    let host = format!("Host: {}\r\n", server.address);
    for (status, request) in [
        (400, format!("HEAD /ws HTTP/1.1\r\n{host}\r\n")),
        (400, "HEAD / HTTP/1.1\r\n\r\n".into()),
        (413, format!("HEAD / HTTP/1.1\r\n{host}Content-Length: 5\r\n\r\n")),
        (421, "HEAD / HTTP/1.1\r\nHost: example.org\r\n\r\n".into()),
        (431, format!("HEAD /{}", "a".repeat(8_192))),
    ] {
        let mut client = Client::new(&server);
        assert_eq!(client.write(&request).reply(true).status, status);
        assert!(client.is_closed(), "a rejection with a body: {request}");
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = TestServer::new();
    let mut client = Client::new(&server);
    let one = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let paths = ["/healthz", SCRIPT, "/nothing", "/css/boards.css", SCRIPT];
    client.write(paths.map(one).concat());
    let kinds = paths.map(|_| client.reply(false)).map(|reply| reply.line("content-type")[..8].to_owned());
    assert_eq!(kinds, ["applicat", "text/jav", "text/pla", "text/css", "text/jav"]);
}

/// Returns requests whose line or fields are malformed, and the status that each gets.
fn malformed(host: SocketAddr) -> Vec<(u16, String)> {
    let line = format!("Host: {host}\r\n");
    vec![
        (400, format!("GET https://{host}/ HTTP/1.1\r\n{line}\r\n")),
        (400, format!("GET http:/// HTTP/1.1\r\n{line}\r\n")),
        (400, format!("GET http://{host}/ HTTP/1.1\r\n\r\n")),
        (400, format!("GET * HTTP/1.1\r\n{line}\r\n")),
        (400, "GET /healthz HTTP/1.1\r\n\r\n".into()),
        (400, "GET /healthz HTTP/1.0\r\n\r\n".into()),
        (400, format!("GET /healthz HTTP/1.1\r\n{line}{line}\r\n")),
        (400, "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n".into()),
        (400, format!("GET /healthz HTTP/1.1\n{line}\r\n")),
        (400, format!("GET /healthz HTTP/1.1\r\nHost: {host}\n\n")),
        (400, format!("GET /healthz HTTP/1.1\r{line}\r\n")),
        (400, format!("GET /\u{e4} HTTP/1.1\r\n{line}\r\n")),
        (400, format!("GET /\0 HTTP/1.1\r\n{line}\r\n")),
        (400, format!("GET /healthz HTTP/1.1\r\nA: \u{7}\r\n{line}\r\n")),
        (400, format!("GET  /healthz HTTP/1.1\r\n{line}\r\n")),
        (400, format!("GET /healthz HTTP/1.1\r\nHost : {host}\r\n\r\n")),
        (400, format!("GET /healthz HTTP/1.1\r\n{line} folded: x\r\n\r\n")),
        (400, format!("GET /healthz HTTP/2.0\r\n{line}\r\n")),
        (400, format!("GET /healthz\r\n{line}\r\n")),
        (400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".into()),
        (400, "get / HTTP/1.1\r\n\r\n".into()),
        (400, "\r\nGET / HTTP/1.1\r\n\r\n".into()),
        (400, "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0".into()),
    ]
}

/// Returns requests with a method, a body or a size that is not taken, and the status that each gets.
fn unwanted(host: SocketAddr) -> Vec<(u16, String)> {
    let line = format!("Host: {host}\r\n");
    let after = format!("GET /healthz HTTP/1.1\r\n{line}\r\n");
    vec![
        (405, format!("POST / HTTP/1.1\r\n{line}\r\n")),
        (405, format!("OPTIONS /ws HTTP/1.1\r\n{line}\r\n")),
        (405, format!("CONNECT /ws HTTP/1.1\r\n{line}\r\n")),
        (405, format!("DELETE /healthz HTTP/1.1\r\n{line}Content-Length: 18446744073709551615\r\n\r\nabc")),
        (405, format!("POST /nothing HTTP/1.1\r\n{line}Content-Length: 10000000000000\r\n\r\nabc")),
        (
            413,
            format!(
                "GET / HTTP/1.1\r\n{line}Content-Length: 9223372036854775808\r\nExpect: 100-continue\r\n\r\n"
            ),
        ),
        (413, format!("GET /healthz HTTP/1.1\r\n{line}Content-Length: {}\r\n\r\n{after}", after.len())),
        (
            413,
            format!("GET /healthz HTTP/1.1\r\n{line}Content-Length: 0\r\nContent-Length: 5\r\n\r\n{after}"),
        ),
        (413, format!("GET /healthz HTTP/1.1\r\n{line}Content-Length: +0\r\n\r\n{after}")),
        (413, format!("GET /healthz HTTP/1.1\r\n{line}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n{after}")),
        (
            413,
            format!("GET /healthz HTTP/1.1\r\n{line}Transfer-Encoding: \u{b}x\r\n\r\n")
                .replace('\u{b}', "\t"),
        ),
        (431, format!("GET /{} HTTP/1.1\r\n{line}\r\n", "x".repeat(10_000))),
        (431, format!("GET / HTTP/1.1\r\n{line}A: {}\r\n\r\n", "x".repeat(100_000))),
        (431, format!("GET / HTTP/1.1\r\n{line}{}\r\n", "A: b\r\n".repeat(48))),
    ]
}

/// Tests field reports B53 and B62, request smuggling, and other invalid requests.
#[test]
fn an_invalid_request_is_rejected_and_ends_the_connection() {
    let server = TestServer::new();
    for (status, request) in malformed(server.address).into_iter().chain(unwanted(server.address)) {
        let mut client = Client::new(&server);
        let shown = &request[..request.len().min(120)];
        // An early rejection may close the connection while the rest is still being sent.
        let _ = client.stream.write_all(request.as_bytes());
        let reply = client.reply(false);
        assert_eq!((reply.status, reply.line("connection")), (status, "close"), "{shown:?}");
        assert_eq!(reply.line("x-content-type-options"), "nosniff");
        assert!(client.is_closed(), "more came after {shown:?}");
    }
    assert_eq!(Client::new(&server).get("/healthz").status, 200);
}

/// Tests field report B62: only files of the table are served.
#[test]
fn no_path_leads_out_of_www() {
    let server = TestServer::new();
    let dir = std::env::temp_dir().join(format!("doozer-www-{}", std::process::id()));
    fs::create_dir_all(dir.join("js")).unwrap();
    fs::write(dir.join("js/own.js"), "own").unwrap();
    fs::write(dir.join("pad.html"), "<p>{{build}}</p>").unwrap();
    symlink("/etc/passwd", dir.join("js/escape.js")).unwrap();
    symlink("/etc", dir.join("etc")).unwrap();
    let disk = TestServer::with(Budget::default(), Some(dir.clone()));
    let paths = [
        "/../../etc/passwd",
        "//etc/passwd",
        "/%2e%2e/",
        "/..%2f",
        "/js/%2fetc%2fpasswd",
        "/%c0%ae",
        "/js\\wire.js",
        "/js/;/../wire.js",
        "/js/../js/wire.js",
        "/js//wire.js",
        "/js/",
        "/js",
        "/./js/wire.js",
        "/pad.html",
        "/tv.html",
        "/tv/chess",
        "/tv/four/x",
        "/tv//",
        "/AEIO",
        "/BCDFG",
        "/build.rs",
        "/Cargo.toml",
        "/JS/wire.js",
        "/js/escape.js",
        "/etc/passwd",
        "/js/wire.js%00",
        "/metrics/",
        "/healthz/x",
        "/ws/",
    ];
    for server in [&server, &disk] {
        let mut client = Client::new(server);
        for path in paths {
            let reply = client.get(path);
            assert_eq!(reply.status, 404, "{path}");
            assert!(!reply.text().contains("root:"));
        }
    }
    let mut client = Client::new(&disk);
    assert_eq!(client.get("/js/own.js").body, b"own");
    assert_eq!(client.get("/bcdf").text(), format!("<p>{}</p>", doozer_box::version::BUILD));
    fs::write(dir.join("js/own.js"), "new").unwrap();
    assert_eq!(client.get("/js/own.js").body, b"new", "pages on disk are read anew");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn health_tells_what_is_counted() {
    let server = TestServer::new();
    let mut client = Client::new(&server);
    server.on(|world| {
        world.stats.rooms.set(2);
        world.stats.people.set(5);
    });
    let health = client.get("/healthz");
    assert_eq!(health.line("content-type"), "application/json");
    assert_eq!(health.line("cache-control"), "no-store");
    for part in [
        r#""ok":true"#,
        r#""rooms":2"#,
        r#""people":5"#,
        r#""tv_seen_s":null"#,
        r#""phone_seen_s":null"#,
        doozer_box::version::BUILD,
    ] {
        assert!(health.text().contains(part), "{part}: {}", health.text());
    }
    server.on(|world| world.stats.tv_seen.set(Some(world.clock.now())));
    assert!(client.get("/healthz").text().contains(r#""tv_seen_s":0"#));
    client.get("/nothing");
    for path in ["/metrics", "/metrics/"] {
        assert_eq!(client.get(path).status, 404, "{path} is for the status port");
    }
}

/// Tests the absolute form of proxies (RFC 9112, 3.2.2), whose authority replaces the Host.
#[test]
fn an_absolute_target_is_answered() {
    let server = TestServer::new();
    let mut client = Client::new(&server);
    let own = server.address;
    client.host = "elsewhere.example".to_owned();
    for target in [format!("http://{own}/healthz"), format!("HTTP://{own}"), format!("http://{own}?x=/y")] {
        assert_eq!(client.get(&target).status, 200, "{target}");
    }
    client.host = own.to_string();
    assert_eq!(client.get("http://elsewhere.example/healthz").status, 421);
}

/// Tests field report B54: silent and slow connections are closed.
#[test]
fn a_head_has_its_time_and_idling_too() {
    let short = Duration::from_secs(1);
    let server = TestServer::with(Budget { half_open: short, keep_alive: short, ..Budget::default() }, None);
    let (mut silent, mut slow, mut idle) = (Client::new(&server), Client::new(&server), Client::new(&server));
    assert_eq!(idle.get("/healthz").status, 200);
    slow.write("GET / HTTP/1.1\r\nHost: ");
    while server.counted("late") == 0 && slow.stream.write_all(b"x").is_ok() {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(slow.reply(false).status, 408);
    assert!(slow.is_closed() && silent.is_closed() && idle.is_closed());
}

/// Tests field report B54: a client that does not read its responses is closed, and its requests are not read
/// meanwhile.
#[test]
fn a_client_that_requests_and_never_reads_is_cut() {
    let server = TestServer::with(Budget { write: Duration::from_millis(200), ..Budget::default() }, None);
    let mut client = Client::new(&server);
    let request = format!("GET {SCRIPT} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    // Writes until the other side has closed the connection.
    while client.stream.write_all(request.as_bytes()).is_ok() {}
    assert_eq!(Client::new(&server).get("/healthz").status, 200);
}

#[test]
fn an_old_client_gets_one_answer() {
    let server = TestServer::new();
    let mut client = Client::new(&server);
    client.write(format!("GET /healthz HTTP/1.0\r\nHost: {}\r\n\r\n", server.address));
    let reply = client.reply(false);
    assert_eq!((reply.status, reply.line("connection")), (200, "close"));
    assert!(client.is_closed());
    let mut client = Client::new(&server);
    assert_eq!(client.ask("GET /healthz", "Connection: keep-alive, Close\r\n").line("connection"), "close");
    assert!(client.is_closed());
}
