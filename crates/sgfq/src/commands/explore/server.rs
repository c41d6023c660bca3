//! Server of the explorer. It answers only the page in the user's browser.
//!
//! It listens on 127.0.0.1. A request must name that host, so that no other site's name can lead
//! here. It must come from the page itself, if the browser sends the origin. It must have the
//! token, which only the printed address contains. The page sends the token once, in a header; the
//! reply sets a cookie, so that other tabs of the same browser are accepted, too. A request never
//! names a file: all assets are in the program, and games have numbers. Bodies, times, connections
//! and threads are limited.

use std::convert::Infallible;
use std::fmt;
use std::io::{self, Write};
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use std::time::Duration;

use anyhow::Context as _;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::{BodyExt, Either, Full, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::timeout;

use sgfstream_explore::stats::page;
use sgfstream_explore::{AnswerError, ExplorerResponse, Export, StopFlag};

use super::archive::{self, Archive, NoAnswer};
use super::timed_stream::TimedStream;
use crate::report::terminal;

/// Maximum bytes of the head of a request, and of its body, which may contain a game.
const HEAD: usize = 64 << 10;
const BODY: usize = 4 << 20;

/// Maximum time for the head of a request, and for its body.
const WAIT: Duration = Duration::from_secs(10);

/// Maximum time until a browser accepts further bytes of a reply.
const WRITE: Duration = Duration::from_secs(60);

/// Maximum life of a connection until a request has the token. The page loads in less time.
const GUEST: Duration = Duration::from_secs(10);

/// Maximum number of connections, and of requests answered at once.
const CONNECTIONS: usize = 64;
const ANSWERING: usize = 4;

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const JSON: &str = "application/json";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Expands to a script of the page: path, type and text.
macro_rules! script {
    ($name:literal) => {
        (
            concat!("/", $name),
            SCRIPT,
            include_str!(concat!("assets/", $name)),
        )
    };
}

/// Files of the page: path, type and text.
const PAGE: &[(&str, &str, &str)] = &[
    ("/theme.css", STYLE, include_str!("assets/theme.css")),
    ("/overlay.css", STYLE, include_str!("assets/overlay.css")),
    ("/page.css", STYLE, include_str!("assets/page.css")),
    ("/board.css", STYLE, sgfstream_draw::STYLE),
    ("/stats.css", STYLE, page::STYLE),
    ("/charts.js", SCRIPT, page::MODULE),
    script!("page.js"),
    script!("picture.js"),
    script!("answers.js"),
    script!("ask.js"),
    script!("board.js"),
    script!("copy.js"),
    script!("curve.js"),
    script!("dropdown.js"),
    script!("fault.js"),
    script!("filters.js"),
    script!("findings.js"),
    script!("format.js"),
    script!("game.js"),
    script!("games.js"),
    script!("html.js"),
    script!("menu.js"),
    script!("next_moves.js"),
    script!("notes.js"),
    script!("people.js"),
    script!("players.js"),
    script!("position.js"),
    script!("problem.js"),
    script!("repair.js"),
    script!("report.js"),
    script!("road.js"),
    script!("said.js"),
    script!("save.js"),
    script!("setup.js"),
    script!("shape.js"),
    script!("solved.js"),
    script!("start.js"),
    script!("state.js"),
    script!("tree.js"),
    script!("workbench.js"),
    script!("vendor/diff.js"),
    script!("vendor/diff_base.js"),
    script!("vendor/hooks.js"),
    script!("vendor/htm.js"),
    script!("vendor/preact.js"),
];

/// Modules that the page loads only when a view needs them.
const LATE: [&str; 3] = ["/charts.js", "/vendor/diff.js", "/vendor/diff_base.js"];

/// The page with links to its modules, so that the browser requests all of them at once.
static INDEX: LazyLock<String> = LazyLock::new(|| {
    let is_needed = |path: &str| path.ends_with(".js") && !LATE.contains(&path);
    let modules = PAGE
        .iter()
        .map(|(path, ..)| path)
        .filter(|path| is_needed(path));
    let links = modules.map(|path| format!("<link rel=\"modulepreload\" href=\".{path}\">\n"));
    include_str!("assets/index.html").replace("</head>", &(links.collect::<String>() + "</head>"))
});

/// Smallest reply in bytes that is compressed. Shorter ones fit into a packet.
const COMPRESSED: usize = 1 << 10;

/// Headers of each reply: the browser runs only the page's own scripts and styles and connects only
/// to this server.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Secret of 128 random bits in hexadecimal digits.
pub(super) struct Token(String);

impl Token {
    pub(super) fn random() -> anyhow::Result<Self> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(|err| anyhow::anyhow!("random bits: {err}"))?;
        Ok(Self(
            bits.iter().map(|byte| format!("{byte:02x}")).collect(),
        ))
    }

    /// Returns whether the token is equal. It compares all bytes, so that the time reveals nothing
    /// about the token.
    fn is(&self, given: &[u8]) -> bool {
        let own = self.0.as_bytes();
        own.len() == given.len()
            && own
                .iter()
                .zip(given)
                .fold(0, |all, (one, other)| all | (one ^ other))
                == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Server of an archive.
pub(super) struct Server {
    archive: Arc<Archive>,
    token: Token,
    listener: TcpListener,
    /// Names of this host that requests may use.
    hosts: [String; 2],
    /// Name of the cookie. It contains the port, because browsers send the cookies of a host to all
    /// its ports.
    cookie: String,
    /// Whether a page with the token has asked.
    is_page_open: AtomicBool,
}

type Answered = Response<Either<Full<Bytes>, Parts>>;

/// Streamed body. An error aborts the reply, so that the browser does not take it for complete.
struct Parts(mpsc::Receiver<io::Result<Bytes>>);

impl Body for Parts {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.get_mut()
            .0
            .poll_recv(context)
            .map(|part| part.map(|part| part.map(Frame::data)))
    }
}

/// Reads the games of `export` in parts. Each part is read once the previous one is sent, so a slow
/// browser blocks no thread.
async fn send(archive: Arc<Archive>, mut export: Export, parts: mpsc::Sender<io::Result<Bytes>>) {
    loop {
        let of = Arc::clone(&archive);
        let read = tokio::task::spawn_blocking(move || {
            let part = match of.games() {
                Some(Ok(games)) => games.part(&mut export),
                _ => Ok(None),
            };
            (part, export)
        });
        let part;
        (part, export) = match read.await {
            Ok((part, export)) => (part, export),
            Err(err) => {
                _ = parts.send(Err(io::Error::other(err))).await;
                return;
            }
        };
        let Some(part) = part.transpose() else { return };
        // The channel fails if the browser has disconnected.
        if parts.send(part.map(Bytes::from)).await.is_err() {
            return;
        }
    }
}

impl Server {
    pub(super) fn new(
        archive: Arc<Archive>,
        token: Token,
        listener: TcpListener,
    ) -> anyhow::Result<Self> {
        let port = listener.local_addr()?.port();
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
        let cookie = format!("sgfq-{port}");
        Ok(Self {
            archive,
            token,
            listener,
            hosts,
            cookie,
            is_page_open: AtomicBool::new(false),
        })
    }

    /// Returns whether a cookie of the request contains the token.
    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers
            .get_all(header::COOKIE)
            .iter()
            .flat_map(|line| line.as_bytes().split(|byte| *byte == b';'));
        let mut named = cookies.filter_map(|cookie| {
            cookie
                .trim_ascii()
                .strip_prefix(self.cookie.as_bytes())?
                .strip_prefix(b"=")
        });
        // Try each cookie of this name, because another path of this host may have set one.
        named.any(|value| self.token.is(value))
    }

    /// Answers requests until the process ends, or until `failed` reports that the games cannot be
    /// read. An open page shows the reason, so the server then stays.
    pub(super) fn run(self, failed: oneshot::Receiver<String>) -> anyhow::Result<()> {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime
            .enable_io()
            .enable_time()
            .max_blocking_threads(ANSWERING)
            .build()?;
        runtime.block_on(async {
            let server = Arc::new(self);
            let listening = tokio::spawn(Arc::clone(&server).listen());
            if let Ok(message) = failed.await {
                anyhow::ensure!(server.is_page_open.load(Relaxed), message);
                terminal::print_line(&format!("sgfq: {message}"));
            }
            listening.await?
        })
    }

    async fn listen(self: Arc<Self>) -> anyhow::Result<()> {
        self.listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(self.listener.try_clone()?)?;
        let (server, connections) = (self, Arc::new(Semaphore::new(CONNECTIONS)));
        loop {
            let permit = Arc::clone(&connections)
                .acquire_owned()
                .await
                .context("the server has ended")?;
            // A failed connection must not affect the others.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let has_token = Arc::new(AtomicBool::new(false));
                let service = service_fn(|request| {
                    let (server, has_token) = (Arc::clone(&server), Arc::clone(&has_token));
                    async move { Ok::<_, Infallible>(server.answer(request, &has_token).await) }
                });
                let stream = TimedStream::new(stream, WRITE, GUEST, Arc::clone(&has_token));
                let mut http = http1::Builder::new();
                http.timer(TokioTimer::new())
                    .header_read_timeout(WAIT)
                    .max_buf_size(HEAD)
                    .keep_alive(true);
                // An aborted connection is normal for browsers.
                _ = http.serve_connection(TokioIo::new(stream), service).await;
                drop(permit);
            });
        }
    }

    /// Answers a request, and sets `has_token` if the request has the token.
    async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        has_token: &AtomicBool,
    ) -> Answered {
        let has_header = self.has_header(request.headers());
        let has_gzip = accepts_gzip(request.headers());
        let mut answered = match self.reply(request, has_token).await {
            Ok(answered) => answered,
            Err((status, error)) => {
                response(status, JSON, json!({ "error": error }).to_string().into())
            }
        };
        if has_gzip {
            answered = compressed(answered).await;
        }
        let is_answered = answered.status().is_success();
        let headers = answered.headers_mut();
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let cookie = format!(
            "{}={}; HttpOnly; SameSite=Strict; Path=/",
            self.cookie, self.token
        );
        if let Some(value) = HeaderValue::from_str(&cookie)
            .ok()
            .filter(|_| has_header && is_answered)
        {
            headers.insert(header::SET_COOKIE, value);
        }
        answered
    }

    /// Returns whether the request has the token in its header.
    fn has_header(&self, headers: &HeaderMap) -> bool {
        let given =
            one_of(headers, header::AUTHORIZATION).and_then(|given| given.strip_prefix(b"Bearer "));
        given.is_some_and(|token| self.token.is(token))
    }

    async fn reply(
        self: &Arc<Self>,
        request: Request<Incoming>,
        has_token: &AtomicBool,
    ) -> Result<Answered, (StatusCode, String)> {
        let refuse = |status: StatusCode, message: &str| Err((status, message.to_owned()));
        let headers = request.headers();
        let one = |name: HeaderName| one_of(headers, name);
        let Some(host) =
            one(header::HOST).filter(|host| self.hosts.iter().any(|own| own.as_bytes() == *host))
        else {
            return refuse(StatusCode::MISDIRECTED_REQUEST, "request for another host");
        };
        let (path, method) = (request.uri().path(), request.method());
        if request.uri().query().is_some() {
            return refuse(StatusCode::NOT_FOUND, "query not allowed");
        }
        if let Some((kind, text)) = file(path) {
            return match *method {
                Method::GET | Method::HEAD => Ok(response(
                    StatusCode::OK,
                    kind,
                    Bytes::from_static(text.as_bytes()),
                )),
                _ => refuse(StatusCode::METHOD_NOT_ALLOWED, "use GET"),
            };
        }
        let Some(name) = path.strip_prefix("/api/").and_then(archive::question) else {
            return refuse(StatusCode::NOT_FOUND, "nothing is there");
        };
        if *method != Method::POST {
            return refuse(StatusCode::METHOD_NOT_ALLOWED, "use POST");
        }
        let own = |origin: &[u8]| origin.strip_prefix(b"http://") == Some(host);
        let is_foreign =
            headers.contains_key(header::ORIGIN) && !one(header::ORIGIN).is_some_and(own);
        let site = HeaderName::from_static("sec-fetch-site");
        let is_from_elsewhere = headers.contains_key(&site) && one(site) != Some(b"same-origin");
        if is_foreign || is_from_elsewhere {
            return refuse(StatusCode::FORBIDDEN, "request from another page");
        }
        // Browsers send cookies automatically, so the cookie counts only with the origin of this
        // page. A wrong token in the header is refused even with a valid cookie.
        let has_cookie = !headers.contains_key(header::AUTHORIZATION)
            && headers.contains_key(header::ORIGIN)
            && self.has_cookie(headers);
        if !self.has_header(headers) && !has_cookie {
            return refuse(
                StatusCode::UNAUTHORIZED,
                "open the address that sgfq printed: the token is missing",
            );
        }
        has_token.store(true, Relaxed);
        self.is_page_open.store(true, Relaxed);
        if one(header::CONTENT_TYPE) != Some(b"application/json") {
            return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send application/json");
        }
        let len = one(header::CONTENT_LENGTH)
            .and_then(|len| std::str::from_utf8(len).ok()?.parse::<usize>().ok());
        match len {
            None => return refuse(StatusCode::LENGTH_REQUIRED, "send the length of the body"),
            Some(len) if len > BODY => {
                return refuse(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "the body is longer than 4 MiB",
                );
            }
            Some(_) => {}
        }
        let body = match timeout(WAIT, Limited::new(request.into_body(), BODY).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) => {
                return refuse(
                    StatusCode::BAD_REQUEST,
                    "the body is incomplete or longer than 4 MiB",
                );
            }
            Err(_) => {
                return refuse(
                    StatusCode::REQUEST_TIMEOUT,
                    "the body did not arrive within 10 seconds",
                );
            }
        };
        let (archive, stop) = (Arc::clone(&self.archive), StopFlag::default());
        // If the browser disconnects, this future is dropped and the search ends.
        let _guard = StopOnDrop(stop.clone());
        let answered = tokio::task::spawn_blocking(move || match archive.games() {
            Some(Ok(games)) => games.answer(name, &body, &stop).map_err(NoAnswer::Failed),
            failed => archive.answer_without(failed.and_then(|read| read.as_ref().err()), name),
        })
        .await;
        match answered {
            Ok(Ok(ExplorerResponse::Json(json))) => Ok(response(StatusCode::OK, JSON, json.into())),
            Ok(Ok(ExplorerResponse::File(kind, bytes))) => {
                Ok(response(StatusCode::OK, kind, bytes.into()))
            }
            Ok(Ok(ExplorerResponse::Games(export))) => {
                let (parts, body) = mpsc::channel(1);
                tokio::spawn(send(Arc::clone(&self.archive), export, parts));
                Ok(answered_with(
                    StatusCode::OK,
                    "application/x-go-sgf",
                    Either::Right(Parts(body)),
                ))
            }
            Ok(Err(NoAnswer::Failed(AnswerError::Refused(message)))) => {
                Err((StatusCode::BAD_REQUEST, message))
            }
            Ok(Err(NoAnswer::Failed(AnswerError::Stopped))) => {
                refuse(StatusCode::SERVICE_UNAVAILABLE, "the search was stopped")
            }
            Ok(Err(NoAnswer::NotYet)) => refuse(StatusCode::CONFLICT, "the games are still read"),
            Ok(Err(NoAnswer::Failed(AnswerError::Internal(message)))) => {
                Err((StatusCode::INTERNAL_SERVER_ERROR, message))
            }
            Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR, "the answer failed"),
        }
    }
}

/// Returns the type and the text of a file of the page.
fn file(path: &str) -> Option<(&'static str, &'static str)> {
    if path == "/" {
        return Some((HTML, INDEX.as_str()));
    }
    let (_, kind, text) = PAGE.iter().find(|(known, ..)| *known == path)?;
    Some((kind, text))
}

/// Returns whether the client accepts gzip.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut encodings = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b','));
    encodings.any(|encoding| {
        let mut parts = encoding.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let is_gzip = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case(b"gzip"));
        // A weight of zero refuses the encoding.
        let is_refused = |part: &[u8]| {
            part.starts_with(b"q=0") && part[3..].iter().all(|byte| b".0".contains(byte))
        };
        is_gzip && !parts.any(is_refused)
    })
}

/// Compresses a reply. A streamed reply stays as it is, because its parts must leave at once.
async fn compressed(answered: Answered) -> Answered {
    let (mut head, body) = answered.into_parts();
    let whole = match body {
        Either::Left(whole) => whole,
        Either::Right(parts) => return Response::from_parts(head, Either::Right(parts)),
    };
    let Ok(whole) = whole.collect().await;
    let bytes = whole.to_bytes();
    head.headers
        .insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    let packed = Some(&bytes)
        .filter(|bytes| bytes.len() >= COMPRESSED)
        .and_then(|bytes| gzip(bytes).ok());
    if packed.is_some() {
        head.headers
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Response::from_parts(
        head,
        Either::Left(Full::new(packed.map_or(bytes, Bytes::from))),
    )
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Stops a search when its request is dropped.
struct StopOnDrop(StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Returns the value of a header that occurs exactly once.
fn one_of(headers: &HeaderMap, name: HeaderName) -> Option<&[u8]> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?;
    if all.next().is_some() {
        None
    } else {
        Some(first.as_bytes())
    }
}

fn response(status: StatusCode, kind: &str, bytes: Bytes) -> Answered {
    answered_with(status, kind, Either::Left(Full::new(bytes)))
}

fn answered_with(status: StatusCode, kind: &str, body: Either<Full<Bytes>, Parts>) -> Answered {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let kind =
        HeaderValue::from_str(kind).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
