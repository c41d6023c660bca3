//! Tests of the access control of `explore`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::explore::Server;

#[test]
fn only_the_page_gets_answers() {
    let server = Server::of(&["../../corpus/go-collection.sgf"]);
    const ASK: &str = "Host: HOST\nAuthorization: Bearer TOKEN\nContent-Type: application/json\nContent-Length: 2\n";
    let post = |from: &str, to: &str| {
        format!("POST /api/status HTTP/1.1\n{}\n{{}}", ASK.replace(from, to))
    };
    let cookie = |lines: &str| post("Authorization: Bearer TOKEN", lines);
    for (request, status) in [
        ("GET / HTTP/1.1\nHost: HOST\n\n".to_owned(), 200),
        ("GET /page.js HTTP/1.1\nHost: HOST\n\n".to_owned(), 200),
        (post("", ""), 200),
        // Another name for this machine, no name, and two names.
        ("GET / HTTP/1.1\nHost: attacker.example\n\n".to_owned(), 421),
        ("GET / HTTP/1.1\nHost: 127.0.0.1\n\n".to_owned(), 421),
        ("GET / HTTP/1.1\n\n".to_owned(), 421),
        ("GET / HTTP/1.1\nHost: HOST\nHost: HOST\n\n".to_owned(), 421),
        (post("Host: HOST", "Host: attacker.example"), 421),
        // Paths of files.
        (
            "GET /../../etc/passwd HTTP/1.1\nHost: HOST\n\n".to_owned(),
            404,
        ),
        (
            "GET /%2e%2e/Cargo.toml HTTP/1.1\nHost: HOST\n\n".to_owned(),
            404,
        ),
        ("GET //etc/passwd HTTP/1.1\nHost: HOST\n\n".to_owned(), 404),
        (
            "GET /page.js?token=TOKEN HTTP/1.1\nHost: HOST\n\n".to_owned(),
            404,
        ),
        (
            "POST /api/shell HTTP/1.1\nHost: HOST\nContent-Length: 0\n\n".to_owned(),
            404,
        ),
        // No token, another token, and a token that begins correctly.
        (post("Authorization: Bearer TOKEN\n", ""), 401),
        (
            post("Bearer TOKEN", "Bearer 0123456789abcdef0123456789abcdef"),
            401,
        ),
        (post("Bearer TOKEN", "Bearer TOKENTOKEN"), 401),
        (post("Bearer TOKEN", "Basic TOKEN"), 401),
        // The cookie of this port, which is valid with the origin of this page.
        (cookie("Origin: http://HOST\nCookie: sgfq-PORT=TOKEN"), 200),
        (
            cookie("Origin: http://HOST\nCookie: other=1; sgfq-PORT=0123; sgfq-PORT=TOKEN"),
            200,
        ),
        (cookie("Cookie: sgfq-PORT=TOKEN"), 401),
        (
            cookie("Origin: http://HOST\nCookie: sgfq-PORT=0123456789abcdef0123456789abcdef"),
            401,
        ),
        (
            cookie("Origin: http://HOST\nCookie: sgfq-PORT=TOKENTOKEN"),
            401,
        ),
        (cookie("Origin: http://HOST\nCookie: sgfq-PORT="), 401),
        (cookie("Origin: http://HOST\nCookie: sgfq-1=TOKEN"), 401),
        (cookie("Origin: http://HOST\nCookie: xsgfq-PORT=TOKEN"), 401),
        (
            cookie("Origin: http://HOST\nCookie: sgfq-PORT=TOKEN\nAuthorization: Bearer 0123"),
            401,
        ),
        (
            cookie("Origin: http://attacker.example\nCookie: sgfq-PORT=TOKEN"),
            403,
        ),
        (
            cookie("Origin: http://127.0.0.1:1\nCookie: sgfq-PORT=TOKEN"),
            403,
        ),
        (cookie("Origin: null\nCookie: sgfq-PORT=TOKEN"), 403),
        (
            cookie("Origin: http://HOST\nSec-Fetch-Site: same-site\nCookie: sgfq-PORT=TOKEN"),
            403,
        ),
        // Requests from another page.
        (
            post("Host: HOST", "Host: HOST\nOrigin: http://attacker.example"),
            403,
        ),
        (post("Host: HOST", "Host: HOST\nOrigin: null"), 403),
        (post("Host: HOST", "Host: HOST\nOrigin: https://HOST"), 403),
        (
            post("Host: HOST", "Host: HOST\nSec-Fetch-Site: cross-site"),
            403,
        ),
        (
            post("Host: HOST", "Host: HOST\nSec-Fetch-Site: same-origin"),
            200,
        ),
        // Requests that a form could send.
        (post("application/json", "text/plain"), 415),
        (post("Content-Type: application/json\n", ""), 415),
        // Bodies without end.
        (post("Content-Length: 2", "Transfer-Encoding: chunked"), 411),
        (post("Content-Length: 2", "Content-Length: 99999999"), 413),
        (post("", "").replace("{}", "{]"), 400),
        ("GET /api/status HTTP/1.1\nHost: HOST\n\n".to_owned(), 405),
        (
            "PUT / HTTP/1.1\nHost: HOST\nContent-Length: 0\n\n".to_owned(),
            405,
        ),
        (
            format!("GET / HTTP/1.1\nHost: HOST\nX: {}\n\n", "x".repeat(200_000)),
            431,
        ),
        ("(;FF[4]GM[1])\n\n".to_owned(), 400),
    ] {
        assert_eq!(
            server.status_of(&request),
            status,
            "{}",
            &request[..request.len().min(300)]
        );
    }
}

/// The reply to a request with the token in its header sets the cookie. No other reply does.
#[test]
fn the_token_becomes_a_cookie() {
    let server = Server::of(&["../../corpus/go-collection.sgf"]);
    let (port, token) = (server.port, &server.token);
    let expected = format!("set-cookie: sgfq-{port}={token}; HttpOnly; SameSite=Strict; Path=/");
    let head_of = |lines: &str| {
        let request = format!(
            "POST /api/status HTTP/1.1\r\nHost: localhost:{port}\r\n{lines}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
        );
        server.send(request.as_bytes()).0
    };
    assert!(head_of(&format!("Authorization: Bearer {token}\r\n")).contains(&expected));
    for lines in [
        "Authorization: Bearer 0123\r\n".to_owned(),
        format!("Authorization: Bearer {token}\r\nOrigin: http://attacker.example\r\n"),
        format!("Origin: http://localhost:{port}\r\nCookie: sgfq-{port}={token}\r\n"),
        String::new(),
    ] {
        let head = head_of(&lines);
        assert!(
            !head.to_ascii_lowercase().contains("set-cookie") && !head.contains(token.as_str()),
            "{head}"
        );
    }
}

#[test]
fn pages_may_do_nothing_but_ask_here() {
    let server = Server::of(&["../../corpus/go-collection.sgf"]);
    let request = format!("GET / HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", server.port);
    let (head, body) = server.send(request.as_bytes());
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';",
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin",
        "cross-origin-resource-policy: same-origin",
        "cache-control: no-store",
    ] {
        assert!(head.contains(header), "{header}: {head}");
    }
    assert!(
        !head.to_ascii_lowercase().contains("access-control"),
        "{head}"
    );
    // The page contains no inline script or style, and loads nothing from elsewhere.
    let page = String::from_utf8(body).expect("UTF-8");
    assert!(
        !page.contains("style=") && !page.contains("onclick") && !page.contains("http"),
        "{page}"
    );
}

/// Only a client that accepts gzip gets compressed replies. The page names its modules, and the
/// server has them.
#[test]
fn replies_are_compressed_on_request() {
    let server = Server::of(&["../../corpus/go-collection.sgf"]);
    let get = |path: &str, more: &str| {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:{}\r\n{more}\r\n",
            server.port
        );
        server.send(request.as_bytes())
    };
    let (head, plain) = get("/board.js", "");
    assert!(!head.contains("content-encoding"), "{head}");
    for (accepted, is_packed) in [
        ("gzip, deflate, br", true),
        ("br, GZIP;q=0.5", true),
        ("gzip;q=0", false),
        ("gzip; q=0.0, br", false),
    ] {
        let (head, body) = get("/board.js", &format!("Accept-Encoding: {accepted}\r\n"));
        assert_eq!(
            head.contains("content-encoding: gzip"),
            is_packed,
            "{accepted}: {head}"
        );
        let mut unpacked = Vec::new();
        match is_packed {
            true => {
                _ = flate2::read::GzDecoder::new(&body[..])
                    .read_to_end(&mut unpacked)
                    .expect("gzip")
            }
            false => unpacked = body,
        }
        assert_eq!(unpacked, plain, "{accepted}");
    }
    let page = String::from_utf8(get("/", "").1).expect("UTF-8");
    let links = page.split("<link rel=\"modulepreload\" href=\".").skip(1);
    let modules: Vec<&str> = links.filter_map(|link| link.split('"').next()).collect();
    assert!(
        modules.contains(&"/page.js") && modules.contains(&"/vendor/preact.js"),
        "{modules:?}"
    );
    assert!(!modules.contains(&"/charts.js"), "{modules:?}");
    for module in modules {
        assert_eq!(
            server.status_of(&format!("GET {module} HTTP/1.1\nHost: HOST\n\n")),
            200,
            "{module}"
        );
    }
}

/// Silent connections end and do not affect other connections.
#[test]
fn a_connection_that_waits_ends() {
    let server = Server::of(&["../../corpus/go-collection.sgf"]);
    let mut silent = TcpStream::connect(("127.0.0.1", server.port)).expect("it listens");
    silent.write_all(b"GET / HTTP/1.1\r\n").expect("it reads");
    assert_eq!(server.status_of("GET / HTTP/1.1\nHost: HOST\n\n"), 200);
    silent
        .set_read_timeout(Some(Duration::from_secs(60)))
        .expect("a time");
    let mut rest = Vec::new();
    silent
        .read_to_end(&mut rest)
        .expect("it ends within a minute");
}
