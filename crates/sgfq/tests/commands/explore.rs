//! Tests that the replies of `explore` agree with `find`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Place, run};

/// A server that ends with the test.
pub(super) struct Server {
    child: Child,
    pub(super) port: u16,
    pub(super) token: String,
    _stderr: BufReader<ChildStderr>,
}

impl Server {
    pub(super) fn of(inputs: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
        command.args(["explore", "--no-open"]).args(inputs);
        let mut child = command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut said = String::new();
        let at = loop {
            if let Some(at) = said.find("http://127.0.0.1:") {
                break at;
            }
            assert_ne!(
                stderr.read_line(&mut said).expect("it says something"),
                0,
                "expected an address, found {said}"
            );
        };
        let address = said[at..].trim().trim_start_matches("http://127.0.0.1:");
        let (port, token) = address.split_once("/#token=").expect("a token");
        let (port, token) = (port.parse().expect("a port"), token.to_owned());
        assert!(
            token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{token}"
        );
        let server = Self {
            child,
            port,
            token,
            _stderr: stderr,
        };
        for _ in 0..600 {
            if server.ask("status", &json!({}))["state"] != "reading" {
                return server;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it reads for 30 seconds");
    }

    /// Sends the bytes and returns the head and the body of the reply.
    pub(super) fn send(&self, bytes: &[u8]) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a time");
        stream.write_all(bytes).expect("it reads");
        let mut reader = BufReader::new(stream);
        let (mut head, mut len, mut is_in_parts) = (String::new(), 0, false);
        loop {
            let start = head.len();
            if reader.read_line(&mut head).expect("a line") <= 2 {
                break;
            }
            let line = head[start..].to_ascii_lowercase();
            is_in_parts |= line.trim() == "transfer-encoding: chunked";
            if let Some(value) = line.strip_prefix("content-length:") {
                len = value.trim().parse().expect("a length");
            }
        }
        let mut body = vec![0; len];
        reader.read_exact(&mut body).expect("the body");
        while is_in_parts {
            let mut line = String::new();
            reader.read_line(&mut line).expect("the length of a part");
            let (start, len) = (
                body.len(),
                usize::from_str_radix(line.trim(), 16).expect("a number"),
            );
            body.resize(start + len + 2, 0);
            reader.read_exact(&mut body[start..]).expect("the part");
            body.truncate(start + len);
            is_in_parts = len > 0;
        }
        (head, body)
    }

    pub(super) fn status_of(&self, request: &str) -> u16 {
        let request = request
            .replace("HOST", &format!("127.0.0.1:{}", self.port))
            .replace("TOKEN", &self.token);
        let request = request.replace("PORT", &self.port.to_string());
        let (head, _) = self.send(request.replace('\n', "\r\n").as_bytes());
        head.split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .unwrap_or(0)
    }

    pub(super) fn post(&self, name: &str, asked: &Value) -> (String, Vec<u8>) {
        let body = asked.to_string();
        let (port, token, len) = (self.port, &self.token, body.len());
        let head = format!(
            "POST /api/{name} HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n\
             Authorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {len}\r\n\r\n"
        );
        self.send((head + &body).as_bytes())
    }

    pub(super) fn ask(&self, name: &str, asked: &Value) -> Value {
        let (head, body) = self.post(name, asked);
        assert!(head.contains("application/json"), "{head}");
        serde_json::from_slice(&body).expect("JSON")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// The page of charts equals `stats --html` for the games that match the filters.
#[test]
fn charts_are_those_of_stats() {
    let place = Place::new();
    let games = place.put("games.sgf", super::GAMES);
    let server = Server::of(&[&games]);
    for condition in ["TRUE", "winner = 'B'"] {
        let (head, page) = server.post("stats", &json!({ "where": condition }));
        assert!(
            head.starts_with("HTTP/1.1 200") && head.contains("text/html"),
            "{head}"
        );
        let asked = ["stats", "--html", "-", "--where", condition, &games];
        let expected = run(&asked, b"").done();
        let data = |page: &str| {
            let data = page.split_once("application/json").expect("the data").1;
            let data = data
                .split_once('>')
                .expect("its start")
                .1
                .split_once("</script>")
                .expect("its end")
                .0;
            let mut data: Value = serde_json::from_str(data).expect("JSON");
            // The selection of the page has no bytes between games.
            data.as_object_mut()
                .expect("an object")
                .retain(|name, _| !["bytes", "problems"].contains(&name.as_str()));
            data
        };
        assert_eq!(
            data(&String::from_utf8(page).expect("UTF-8")),
            data(&expected),
            "{condition}"
        );
    }
    let (head, _) = server.post("stats", &json!({ "where": "winer = 'B'" }));
    assert!(head.starts_with("HTTP/1.1 400"), "{head}");
}

/// An index in a file gives the same replies as reading the games, also when it is reused.
#[test]
fn an_index_is_kept() {
    let place = Place::new();
    let index = place.text("games.positions");
    let asked = |server: &Server| {
        let names = ["status", "position", "games", "players", "findings"];
        names.map(|name| {
            let mut answer = server.ask(name, &json!({ "moves": "pd", "count": 50 }));
            // An index in a file has a longer note.
            answer.as_object_mut().expect("an object").remove("bytes");
            answer
        })
    };
    let read = asked(&Server::of(&["../../corpus"]));
    for _ in 0..2 {
        assert_eq!(
            asked(&Server::of(&["--index", &index, "../../corpus"])),
            read
        );
    }
    assert!(read[0]["games"].as_u64() > Some(100), "{}", read[0]);
    let found = run(
        &[
            "find",
            "--index",
            &index,
            "--position",
            "pd",
            "../../corpus",
        ],
        b"",
    );
    assert!(
        !found.err.contains("rebuilt"),
        "one file for both: {}",
        found.err
    );
    for what in [["--pattern", "..../.X../...."], ["--sequence", "pd dp"]] {
        let columns = "source,game,found_move,symmetry,next";
        let ask = |index: &[&str]| {
            run(
                &[
                    &["find", "--columns", columns],
                    &what[..],
                    index,
                    &["../../corpus"],
                ]
                .concat(),
                b"",
            )
        };
        let (found, expected) = (ask(&["--index", &index]), ask(&[]));
        assert!(
            !found.err.contains("rebuilt") && expected.out.lines().count() > 3,
            "{}",
            found.err
        );
        assert_eq!(found.out, expected.out);
    }
    // An index of another version is rebuilt; a file that is no index is kept.
    let mut bytes = std::fs::read(&index).expect("the index");
    *bytes.last_mut().expect("a footer") = b'1';
    std::fs::write(&index, bytes).expect("a file");
    let found = run(
        &[
            "find",
            "--index",
            &index,
            "--position",
            "pd",
            "../../corpus",
        ],
        b"",
    );
    assert!(
        found
            .err
            .contains("rebuilt, because another version of sgfq wrote it"),
        "{}",
        found.err
    );
    std::fs::write(&index, b"(;GM[1])").expect("a file");
    let found = run(
        &[
            "find",
            "--index",
            &index,
            "--position",
            "pd",
            "../../corpus",
        ],
        b"",
    );
    assert!(
        found.err.contains("not an index of positions") && found.status == 2,
        "{}",
        found.err
    );
    assert_eq!(std::fs::read(&index).expect("a file"), b"(;GM[1])");
}

const GAMES: &str =
    "(;GM[1]SZ[9]PB[Ada]PW[Ben]RE[B+1]DT[1990];B[cc];W[gc];B[gg]C[a <b>comment</b>];W[cg])
(;GM[1]SZ[9]PB[Cyd]RE[W+1]DT[1992-05-01];B[gg];W[gc];B[cc];W[ee])
(;GM[1]SZ[9]RE[W+R];W[cc];B[gc];W[gg];B[ee])
(;GM[1]SZ[13];B[cc];W[gc];B[gg];W[cg](;B[aa])(;B[mm]C[there]))
(;GM[11]SZ[5];B[a1];W[b2])(;GM[999];B[aa])
";

#[test]
fn answers_are_those_of_find() {
    let place = Place::new();
    let file = place.put("x.sgf", GAMES);
    let server = Server::of(&[&file]);
    let status = server.ask("status", &json!({}));
    assert_eq!(
        (&status["state"], &status["games"]),
        (&json!("ready"), &json!(6))
    );
    assert_eq!(status["boards"], json!(["Go 9x9", "Go 13x13", "Hex 5x5"]));
    for (asked, arguments) in [
        (json!({}), &["--position", ""][..]),
        (json!({ "moves": "cc gc gg" }), &["--position", "cc gc gg"]),
        (
            json!({ "moves": "C7 G7", "where": "winner = 'B'" }),
            &[
                "--position",
                "C7 G7",
                "--where",
                "winner = 'B'",
                "--coords",
                "sgf",
            ],
        ),
        (
            json!({ "moves": "cc gc gg", "swap_colors": true }),
            &["--position", "cc gc gg", "--swap-colors"],
        ),
        (
            json!({ "pattern": "X.O/.../..X" }),
            &["--pattern", "X.O/.../..X"],
        ),
        (json!({ "moves": "ab" }), &["--position", "ab"]),
    ] {
        let found = run(
            &[&["find", "--summary", "-f", "jsonl", &file], arguments].concat(),
            b"",
        );
        let rows: Vec<Value> = found
            .text()
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let answer = server.ask("position", &asked);
        let board = answer["board"].clone();
        let expected = rows
            .iter()
            .filter(|row| row["board"] == board || asked["pattern"].is_string());
        let of = |row: &Value| {
            ["count", "black_wins", "white_wins", "first_year", "example"]
                .map(|name| row[name].clone())
        };
        let expected: Vec<_> = expected.map(of).collect();
        let replies: Vec<_> = answer["replies"]
            .as_array()
            .into_iter()
            .flatten()
            .map(of)
            .collect();
        assert_eq!(replies, expected, "{asked}: {answer}");
        let command = answer["command"].as_str().expect("a command");
        assert!(
            command.starts_with("sgfq find --p") && command.ends_with(&file),
            "{command}"
        );
    }
    let other = server.ask(
        "position",
        &json!({ "board": "Go 13x13", "moves": "cc gc gg cg" }),
    );
    assert_eq!(
        (&other["board"], &other["replies"][0]["add"]),
        (&json!("Go 13x13"), &json!("B[aa]"))
    );
    assert!(
        other["svg"]
            .as_str()
            .is_some_and(|svg| svg.starts_with("<svg"))
            && other["points"]["all"]
                .as_array()
                .is_some_and(|all| all.len() == 169)
    );
    let hex = server.ask("position", &json!({ "board": "Hex 5x5", "moves": "a1" }));
    assert_eq!(
        (&hex["board"], &hex["replies"][0]["next"]),
        (&json!("Hex 5x5"), &json!("b2"))
    );
    for (asked, message) in [
        (json!({ "moves": "p" }), "expected a move such as"),
        (json!({ "where": "winer = 'B'" }), "did you mean `winner`?"),
        (json!({ "pattern": "X/.." }), "expected"),
    ] {
        let (head, body) = server.post("position", &asked);
        let body = String::from_utf8(body).expect("UTF-8");
        assert!(
            head.starts_with("HTTP/1.1 400") && body.contains(message),
            "{head}{body}"
        );
    }
    let impossible = server.ask("position", &json!({ "moves": "T19" }));
    assert_eq!(
        (&impossible["games"], &impossible["impossible"]),
        (&json!(0), &json!("T19"))
    );
}

#[test]
fn games_are_listed_and_shown() {
    let place = Place::new();
    let file = place.put("x.sgf", GAMES);
    let server = Server::of(&[&file]);
    let list = server.ask("games", &json!({ "moves": "cc gc gg", "board": "Go 9x9" }));
    let names: Vec<_> = list["rows"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| row["name"].clone())
        .collect();
    // The latest game comes first.
    assert_eq!(
        (&list["total"], names),
        (
            &json!(2),
            vec![json!(format!("{file}#2")), json!(format!("{file}#1"))]
        )
    );
    assert_eq!(
        (
            &list["rows"][1]["pb"],
            &list["rows"][1]["move"],
            &list["rows"][1]["next"]
        ),
        (&json!("Ada"), &json!(3), &json!("W C3"))
    );
    let node = server.ask("game", &json!({ "id": list["rows"][1]["id"], "move": 3 }));
    assert_eq!(
        (&node["comment"], &node["played"]),
        (&json!("a <b>comment</b>"), &json!("B G3"))
    );
    assert_eq!(
        node["info"],
        json!([
            ["Black", "Ada"],
            ["White", "Ben"],
            ["Date", "1990"],
            ["Result", "B+1"]
        ])
    );
    assert_eq!(node["line"].as_array().map(Vec::len), Some(5));
    // A node in a variation.
    let node = server.ask("game", &json!({ "id": 3, "path": "1/0" }));
    assert_eq!(
        (&node["comment"], &node["line"][5]["others"]),
        (
            &json!("there"),
            &json!([{ "path": "0/0", "move": "B A13" }])
        )
    );
    // A game without a known board.
    let node = server.ask("game", &json!({ "id": 5 }));
    assert!(node["no_board"].is_string() && node["nodes"] == 2, "{node}");
    for asked in [
        json!({ "id": 6 }),
        json!({ "id": -1 }),
        json!({ "id": 0, "path": "9/9" }),
        json!({ "id": 0, "path": "x" }),
    ] {
        assert!(
            server.post("game", &asked).0.starts_with("HTTP/1.1 400"),
            "{asked}"
        );
    }
    let (head, games) = server.post(
        "export",
        &json!({ "moves": "cc gc gg", "where": "pb = 'Ada'" }),
    );
    assert!(head.contains("application/x-go-sgf"));
    assert_eq!(
        String::from_utf8(games).expect("UTF-8"),
        format!("{}\n", GAMES.lines().next().expect("a game"))
    );
}

/// All replies use the spelling and the orientation of the question's board, as players write it.
#[test]
fn moves_are_spelled_as_on_the_board() {
    let place = Place::new();
    let server = Server::of(&[&place.put("x.sgf", GAMES)]);
    let turned = json!({ "moves": "gc W[G3] C3", "board": "Go 9x9" });
    let answer = server.ask("position", &turned);
    assert_eq!(answer["line"], json!(["B G7", "W G3", "B C3"]));
    let replies = answer["replies"].as_array().expect("replies");
    let replies: Vec<_> = replies
        .iter()
        .map(|row| format!("{} {}", row["color"], row["next"]).replace('"', ""))
        .collect();
    let list = server.ask("games", &turned);
    let next: Vec<_> = list["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["next"].clone())
        .collect();
    assert_eq!(
        (replies, next),
        (
            vec!["W C7".to_owned(), "W E5".to_owned()],
            vec![json!("W E5"), json!("W C7")]
        )
    );
    // A pattern has no place on the board, so its games keep their notation.
    let list = server.ask(
        "games",
        &json!({ "pattern": "X.../..../..../....", "mover": "W" }),
    );
    assert_eq!(list["rows"][0]["next"], "W E5");
    // The answer names the illegal move and the reason.
    for (moves, message) in [
        ("cc cc", json!("W C7: the point is occupied")),
        ("cc", Value::Null),
        ("", Value::Null),
    ] {
        assert_eq!(
            server.ask("position", &json!({ "moves": moves }))["illegal"],
            message,
            "{moves}"
        );
    }
}

/// Havannah of Little Golem numbers rows from one in each column. Replies use this spelling,
/// transformed or not, so following them works, and a tree of them can be read.
#[test]
fn moves_are_numbered_as_in_the_games() {
    let place = Place::new();
    let game = |moves: &str| format!("(;FF[4]SZ[4]RU[LG]SO[http://www.littlegolem.com]{moves})\n");
    let games = [
        ";W[E6];B[D7];W[a1]",
        ";W[E6];B[g4]",
        ";W[F5];B[b2]",
        ";W[g1];B[E6]",
        ";W[d4];B[swap];W[b2]",
    ];
    let file = place.put("x.hgf", games.map(game).concat());
    let server = Server::of(&[&file]);
    assert_eq!(replies_lead_to_their_games(&server, 2), 8);
    let tree = server
        .post("tree", &json!({ "board": "Havannah 4x4 (Little Golem)" }))
        .1;
    let tree = String::from_utf8(tree).expect("UTF-8");
    let checked = run(&["check", "--legality", "-f", "short"], tree.as_bytes());
    assert!(
        tree.contains("RU[LG]") && checked.status == 0,
        "{tree}{}",
        checked.text()
    );
}

/// Checks on each board that each reply leads to a position with at least its games, and so does
/// each reply to a reply. Returns the number of replies.
fn replies_lead_to_their_games(server: &Server, depth: usize) -> usize {
    let status = server.ask("status", &json!({}));
    let mut asked: Vec<(String, String, usize)> = Vec::new();
    for board in status["boards"].as_array().expect("boards") {
        asked.push((board.as_str().expect("a name").to_owned(), String::new(), 0));
    }
    let mut led = 0;
    while let Some((board, moves, ply)) = asked.pop() {
        let answer = server.ask("position", &json!({ "board": board, "moves": moves }));
        for row in answer["replies"].as_array().into_iter().flatten() {
            let Some(add) = row["add"].as_str() else {
                continue;
            };
            let moves = format!("{moves} {add}").trim().to_owned();
            let after = server.ask("position", &json!({ "board": board, "moves": moves }));
            let here = after["boards"]
                .as_array()
                .expect("boards")
                .iter()
                .find(|found| found[0] == *board);
            let games = here.map_or(0, |found| found[1].as_u64().expect("a number"));
            assert!(
                games >= row["count"].as_u64().expect("a number"),
                "{board}, {moves}: {row} leads to {games} games"
            );
            led += 1;
            if ply + 1 < depth {
                asked.push((board.clone(), moves, ply + 1));
            }
        }
    }
    led
}

/// The same for real archives of games other than Go.
#[test]
fn replies_lead_to_their_games_in_real_archives() {
    let Some(directory) = std::env::var_os("SGF_CORPUS") else {
        return println!("skipped: SGF_CORPUS names no directory of real archives");
    };
    let archive = std::path::Path::new(&directory).join("nongo.tar.zst");
    let server = Server::of(&[archive.to_str().expect("a name")]);
    let led = replies_lead_to_their_games(&server, 1);
    assert!(led > 150, "{led}");
}

/// A collection of problems has no common position. All its games are listed, each leads to the
/// next, and all can be downloaded.
#[test]
fn all_games_are_listed() {
    let place = Place::new();
    let problems = "(;GM[1]SZ[9]AB[aa]PL[W];W[bb];B[cc])(;GM[1]SZ[9]AB[bb]DT[2001])(;GM[1]SZ[9]AB[cc]AW[dd];B[ee])";
    let file = place.put("x.sgf", problems);
    let server = Server::of(&[&file]);
    assert_eq!(server.ask("games", &json!({ "moves": "" }))["total"], 0);
    let all = json!({ "all": true });
    let list = server.ask("games", &all);
    let ids: Vec<_> = list["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["id"].clone())
        .collect();
    // The latest game first, the other games in the order of the file.
    assert_eq!(
        (&list["total"], ids),
        (&json!(3), vec![json!(1), json!(0), json!(2)])
    );
    assert_eq!(list["command"], format!("sgfq get pb,pw,dt,re {file}"));
    let node = server.ask("game", &json!({ "id": 0, "all": true }));
    assert_eq!(
        node["list"],
        json!({ "number": 2, "total": 3, "before": { "id": 1, "move": 0 }, "after": { "id": 2, "move": 0 } })
    );
    assert_eq!(
        (&node["turn"], &node["file"]),
        (&json!("W"), &json!(format!("{file}#1")))
    );
    assert_eq!(
        node["command"],
        format!("sgfq board --comment --node /0 '{file}#1'")
    );
    assert!(server.ask("game", &json!({ "id": 0, "moves": "" }))["list"].is_null());
    let (_, games) = server.post("export", &all);
    assert_eq!(
        String::from_utf8(games).expect("UTF-8").replace('\n', ""),
        problems
    );
    let (_, games) = server.post(
        "export",
        &json!({ "all": true, "where": "date_min > '2000-01-01'" }),
    );
    assert_eq!(
        String::from_utf8(games).expect("UTF-8"),
        "(;GM[1]SZ[9]AB[bb]DT[2001])\n"
    );
    let (head, _) = server.post("export", &json!({ "all": true, "where": "date > 2" }));
    assert!(head.starts_with("HTTP/1.1 400"), "{head}");
}

/// The player to move, in a pattern and elsewhere, as in `find --mover`.
#[test]
fn the_next_mover_is_chosen() {
    let place = Place::new();
    let file = place.put("x.sgf", GAMES);
    let server = Server::of(&[&file]);
    for (what, argument) in [("pattern", "X.../..../..../...."), ("moves", "gg")] {
        let mut total = 0;
        for mover in ["B", "W"] {
            let answer = server.ask("position", &json!({ what: argument, "mover": mover }));
            let option = if what == "pattern" {
                "--pattern"
            } else {
                "--position"
            };
            let asked = [
                "find",
                option,
                argument,
                "--mover",
                mover,
                "--summary",
                "-f",
                "jsonl",
                &file,
            ];
            let counts: Vec<Value> = run(&asked, b"")
                .text()
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect();
            // Counts of the game on the page.
            let expected = counts.iter().filter(|row| {
                row["board"]
                    .as_str()
                    .is_some_and(|name| name.starts_with("Go"))
            });
            let expected: u64 = expected.filter_map(|row| row["count"].as_u64()).sum();
            let found = answer["replies"].as_array().into_iter().flatten();
            let found: Vec<_> = found
                .map(|row| {
                    (
                        row["color"].clone(),
                        row["count"].as_u64().expect("a count"),
                    )
                })
                .collect();
            // The null color is a game that ends where this color would play next.
            assert!(
                found
                    .iter()
                    .all(|(color, _)| *color == mover || color.is_null()),
                "{answer}"
            );
            if what == "pattern" {
                assert_eq!(
                    found.iter().map(|(_, count)| count).sum::<u64>(),
                    expected,
                    "{argument} {mover}"
                );
            }
            assert!(
                answer["command"]
                    .as_str()
                    .expect("a command")
                    .contains(&format!(" --mover {mover} "))
            );
            total += expected;
        }
        assert!(total > 0, "{argument}");
    }
}

/// The tree of continuations is a game that other programs can read, with the counts of the page.
#[test]
fn a_tree_of_continuations() {
    let server = Server::of(&["../../corpus"]);
    let asked = json!({ "moves": "pd", "board": "Go 19x19" });
    let (head, tree) = server.post("tree", &asked);
    assert!(head.contains("application/x-go-sgf"), "{head}");
    let checked = run(&["check", "--level", "warning"], &tree);
    assert_eq!(
        (checked.status, checked.text()),
        (0, ""),
        "{}",
        String::from_utf8_lossy(&tree)
    );
    let answer = server.ask("position", &asked);
    let tree = String::from_utf8(tree).expect("UTF-8");
    for reply in answer["replies"]
        .as_array()
        .expect("replies")
        .iter()
        .filter(|reply| reply["add"].is_string())
        .take(12)
    {
        let (add, count) = (reply["add"].as_str().expect("a move"), &reply["count"]);
        assert!(
            tree.contains(&format!(";{add}C[{count} game")),
            "{add} {count}: {tree}"
        );
    }
    // The moves are as written in the game.
    let place = Place::new();
    let server = Server::of(&[&place.put("x.sgf", GAMES)]);
    let (_, tree) = server.post("tree", &json!({ "moves": "cc gc", "board": "Go 9x9" }));
    let expected = "(;FF[4]GM[1]CA[UTF-8]AP[sgfq:VERSION]SZ[9];B[cc];W[gc]C[3 games (100 %). Black won 33 % (6-79). 1990-1992.]LB[gg:A][cg:B]
(;B[gg]C[2 games (67 %). Black won 50 % (9-91). 1990-1992.]LB[ee:A][cg:B]
(;W[ee]C[1 game (50 %). Black won 0 % (0-79). 1992.])
(;W[cg]C[1 game (50 %). Black won 100 % (21-100). 1990.]))
(;W[cg]C[1 game (33 %). Black won 0 % (0-79).]))
";
    let expected = expected.replace("VERSION", env!("CARGO_PKG_VERSION"));
    let tree = String::from_utf8(tree).expect("UTF-8");
    assert_eq!(tree, expected);
    let (head, _) = server.post("tree", &json!({ "pattern": "X.O" }));
    assert!(head.starts_with("HTTP/1.1 400"), "{head}");
}

/// Downloads have no size limit and are written in parts.
#[test]
fn large_downloads_come_in_parts() {
    let place = Place::new();
    let game = format!("(;FF[4]GM[1]SZ[9]C[{}];B[zz])\n", "x".repeat(1 << 20));
    let server = Server::of(&[&place.put("x.sgf", game.repeat(5))]);
    for repaired in [false, true] {
        let (head, games) = server.post("export", &json!({ "all": true, "repaired": repaired }));
        assert!(
            head.to_ascii_lowercase()
                .contains("transfer-encoding: chunked"),
            "{head}"
        );
        match repaired {
            false => assert!(games == game.repeat(5).as_bytes()),
            true => assert!(games.len() > 5 << 20),
        }
    }
}

/// An endless request does not affect other requests.
#[test]
fn a_game_that_is_too_long_is_left_out() {
    let place = Place::new();
    let long = format!("(;GM[1]C[{}])(;GM[1];B[aa])", "x".repeat(65 << 20));
    let server = Server::of(&[&place.put("x.sgf", long)]);
    let status = server.ask("status", &json!({}));
    assert_eq!(
        (&status["games"], &status["partial"]),
        (&json!(1), &json!(true))
    );
}

#[test]
fn inputs_without_games_are_refused() {
    // A missing file, a file without games, both, and a condition that is true of no game: no page
    // is opened.
    let (place, corpus) = (Place::new(), "../../corpus");
    let empty = place.put("x.sgf", "no game");
    let asked = [
        &["no-such.zip"][..],
        &[&empty],
        &["no-such.zip", &empty],
        &["--where", "FALSE", corpus],
    ];
    for asked in asked {
        let err = run(&[&["explore", "--no-open"], asked].concat(), b"").refused();
        assert!(
            err.contains("sgfq: no games to show") && !err.contains("http"),
            "{asked:?}: {err}"
        );
        assert_eq!(
            err.contains("no-such.zip"),
            asked[0] == "no-such.zip",
            "{asked:?}: {err}"
        );
    }
    let server = Server::of(&["no-such.zip", "../../corpus/go-collection.sgf"]);
    assert_eq!(server.ask("status", &json!({}))["partial"], true);
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = taken.local_addr().expect("its address").port().to_string();
    let err = run(
        &["explore", "--port", &port, "--no-open", "../../corpus"],
        b"",
    )
    .refused();
    assert!(
        err.contains(&format!(
            "cannot listen on 127.0.0.1:{port}; choose another --port"
        )),
        "{err}"
    );
}
