//! Tests which Hosts, Origins and addresses are accepted.

use super::client::{Client, frame};
use super::server::{HubEvent, TestServer};
use doozer_box::endpoint::GuestEndpoint;
use doozer_box::net::Budget;
use doozer_box::qr;
use std::net::{IpAddr, TcpListener, UdpSocket};

#[test]
fn only_own_hosts_are_answered() {
    let server = TestServer::new();
    let port = server.address.port();
    let mut client = Client::new(&server);
    let mut status = |host: &str, path: &str| {
        client.host = host.to_owned();
        let reply = client.get(path);
        if reply.status != 200 && reply.status != 404 {
            client = Client::new(&server);
        }
        reply.status
    };
    let local = ["127.0.0.1", "localhost", "LocalHost", "doozer.local", "DOOZER.local", "doozer.local."];
    for host in local {
        for host in [host.to_owned(), format!("{host}:{port}"), format!("{host}:80")] {
            assert_eq!(status(&host, "/healthz"), 200, "{host}");
        }
    }
    let foreign = [
        "evil.example",
        "127.0.0.1.evil.example",
        "doozer.local.evil.example",
        "8.8.8.8",
        "127.0.0.2",
        "doozer",
        "xdoozer.local",
        "doozer.local:81",
        "127.0.0.1:0",
        "127.0.0.1:",
        "[::1]",
        "[127.0.0.1]",
        "0x7f.1",
        "2130706433",
        "127.0.0.1@evil.example",
        "evil.example/127.0.0.1",
        "doozer-2.local",
        "",
    ];
    for host in foreign {
        for path in ["/healthz", "/", "/ws", "/nothing"] {
            let wanted = if host.is_empty() { 400 } else { 421 };
            assert_eq!(status(host, path), wanted, "{host} {path}");
        }
    }
    server.on(|world| {
        *world.endpoint.borrow_mut() =
            GuestEndpoint { name: Some("doozer-2.local".into()), ..GuestEndpoint::default() }
    });
    assert_eq!(status("doozer-2.local", "/healthz"), 200, "the name that is really claimed");
    // A router in front of the box may forward its port. Guests are then shown the router's address.
    for (shown, host) in [("192.0.2.5", "192.0.2.5"), ("2001:db8::5", "[2001:db8::5]")] {
        assert_eq!(status(host, "/healthz"), 421, "{host} before it is shown to guests");
        let ip = shown.parse().ok();
        server.on(move |world| {
            *world.endpoint.borrow_mut() = GuestEndpoint { ip, ..GuestEndpoint::default() };
        });
        assert_eq!(status(host, "/healthz"), 200, "{host}");
    }
}

#[test]
fn in_the_boxs_own_wifi_every_name_leads_to_the_pad() {
    let server = TestServer::new();
    let port = server.address.port();
    let ask = |host: &str| {
        let mut client = Client::new(&server);
        client.host = host.to_owned();
        client.get("/generate_204")
    };
    let known = "connectivitycheck.example";
    let own = |ip: &str| {
        let hotspot = qr::code("WIFI:T:nopass;S:Doozer;;");
        GuestEndpoint { ip: ip.parse().ok(), hotspot, captive: true, ..GuestEndpoint::default() }
    };
    assert_eq!(ask(known).status, 421);
    server.on(move |world| *world.endpoint.borrow_mut() = own("127.0.0.1"));
    let reply = ask(known);
    assert_eq!((reply.status, reply.line("location")), (302, format!("http://127.0.0.1:{port}/").as_str()));
    assert_eq!(ask("localhost").status, 404, "whoever asks the box itself gets its pages");
    server.on(move |world| *world.endpoint.borrow_mut() = own("10.42.0.1"));
    assert_eq!(ask(known).status, 421, "came in from another network");
    // The venue's Wi-Fi may have a QR code as well, but its names do not lead to the box.
    server.on(move |world| {
        *world.endpoint.borrow_mut() = GuestEndpoint { captive: false, ..own("127.0.0.1") };
    });
    assert_eq!(ask(known).status, 421, "in the venue's Wi-Fi");
}

#[test]
fn an_upgrade_needs_all_its_parts_and_the_right_origin() {
    let server = TestServer::new();
    assert_eq!(Client::new(&server).get("/ws").status, 400);
    let without = |gone: &str| {
        let all = [
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ];
        all.into_iter()
            .filter(|line| !line.starts_with(gone))
            .map(|line| format!("{line}\r\n"))
            .collect::<String>()
    };
    for gone in ["Connection", "Upgrade", "Sec-WebSocket-Version", "Sec-WebSocket-Key"] {
        assert_eq!(Client::new(&server).ask("GET /ws", &without(gone)).status, 400, "without {gone}");
    }
    assert_eq!(Client::new(&server).ask("HEAD /ws", &without("nothing")).status, 400);
    let own = format!("http://{}", server.address);
    assert_eq!(Client::new(&server).upgrade(&format!("Origin: {own}\r\n")).status, 101);
    for origin in
        ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:81", "http://127.0.0.1", ""]
    {
        let reply = Client::new(&server).upgrade(&format!("Origin: {origin}\r\n"));
        assert_eq!(reply.status, 403, "{origin}");
    }
    let two = format!("Origin: {own}\r\nOrigin: {own}\r\n");
    assert_eq!(Client::new(&server).upgrade(&two).status, 403);
    let mut early = Client::new(&server);
    let head = format!("GET /ws HTTP/1.1\r\nHost: {}\r\n{}\r\n", server.address, without("nothing"));
    early.write([head.as_bytes(), &frame(0x81, b"early")].concat());
    assert_eq!(early.reply(false).status, 101);
    assert_eq!(early.read_text(), "early");
}

#[test]
#[ignore = "needs IPv6; tests/run runs it"]
fn both_kinds_of_addresses_reach_an_unspecified_one() {
    TcpListener::bind("[::1]:0").expect("this machine has no IPv6");
    let server = TestServer::at("[::]:0", Budget::default(), None);
    let port = server.address.port();
    for (ip, host) in [("127.0.0.1", format!("127.0.0.1:{port}")), ("::1", format!("[::1]:{port}"))] {
        let mut client = Client::to(&server, ip.parse().unwrap());
        client.host = host;
        assert_eq!(client.get("/healthz").status, 200, "{ip} is this machine");
        assert_eq!(client.upgrade("").status, 101);
        let peer = server.received.iter().find_map(|received| match received {
            HubEvent::Connected(_, peer) => Some(peer),
            _ => None,
        });
        let peer = peer.unwrap();
        assert_eq!((peer.ip.to_string(), peer.local.to_string()), (ip.into(), ip.into()));
    }
}

/// Returns this machine's address in its network, if it has one. Connecting a UDP socket sends nothing.
fn outer_address() -> Option<IpAddr> {
    let asker = UdpSocket::bind("0.0.0.0:0").ok()?;
    asker.connect("192.0.2.1:9").ok()?;
    Some(asker.local_addr().ok()?.ip())
}

#[test]
#[ignore = "needs an address beside loopback; tests/run runs it"]
fn an_address_is_a_valid_host_on_its_own_connections() {
    let outer = outer_address().expect("this machine has no network");
    let server = TestServer::at("0.0.0.0:0", Budget::default(), None);
    let port = server.address.port();
    let status = |host: String, path: &str| {
        let mut client = Client::to(&server, outer);
        client.host = host;
        client.get(path).status
    };
    assert_eq!(status(outer.to_string(), "/healthz"), 200);
    assert_eq!(status(format!("{outer}:{port}"), "/metrics"), 404);
    assert_eq!(status(format!("127.0.0.1:{port}"), "/healthz"), 421);
}
