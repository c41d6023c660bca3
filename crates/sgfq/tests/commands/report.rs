//! Tests of the page of `sgfq stats --html`. It must be well-formed and self-contained, and no text
//! from a file is markup. If Chromium is installed, it must render the page without complaints, and
//! the rendered page is checked.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

const HOSTILE: &str = "(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[<script>alert(1)</script>]PW[\" onload=\"x]EV[</svg><img src=x>]RE[B+R]\
    DT[2001-02-03]AP[&lt;b&gt;:1]HA[2]KM[6.5]RU[<!--]C[<script>alert(2)</script>];B[ee];W[cc];B[gg];W[aa])\
    (;GM[1]CA[UTF-8]PB[\u{202e}abc\u{2069}]PW[O'Neil & Sons]EV[\u{0}\u{1b}[2J];B[<i>];W[&x])\
    (;GM[\"><u>]PB['><svg/onload=x>];B[<i>];W[</title>])";

fn page(name: &str, inputs: &[&str], expected: i32) -> (PathBuf, String) {
    let path = std::env::temp_dir().join(format!(
        "sgfstream-report-{}-{name}.html",
        std::process::id()
    ));
    let status = Command::new(env!("CARGO_BIN_EXE_sgfq"))
        .args(["stats", "--html"])
        .arg(&path)
        .args(inputs)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .status()
        .expect("it runs");
    assert_eq!(status.code(), Some(expected));
    let text = std::fs::read_to_string(&path).expect("a page");
    (path, text)
}

/// Returns the text between two others.
fn between<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    let rest = page
        .split_once(start)
        .unwrap_or_else(|| panic!("{start} in {page}"))
        .1;
    rest.split_once(end).expect(end).0
}

/// Returns the report that the page contains as JSON.
fn data(page: &str) -> Value {
    serde_json::from_str(between(page, "id=\"data\">", "</script>")).expect("JSON")
}

/// Returns the page without the report and the script, which are no markup.
fn markup(page: &str) -> String {
    assert_eq!(
        (
            page.matches("<script").count(),
            page.matches("</script>").count()
        ),
        (2, 2)
    );
    let (head, rest) = page
        .split_once("<script type=\"application/json\"")
        .expect("the report");
    let (_, foot) = rest.rsplit_once("</script>").expect("the script");
    format!("{head}{foot}")
}

/// Returns the output of Chromium for the page with these arguments, or `None` without Chromium.
fn browser(path: &Path, arguments: &[&str]) -> Option<String> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let is_there = |name: &&str| {
        Command::new(name)
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
    };
    let Some(name) = names.into_iter().find(is_there) else {
        eprintln!("skipped: the page in a browser, because there is no Chromium");
        return None;
    };
    let run = || {
        Command::new(name)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--enable-logging=stderr",
            ])
            .args(arguments)
            .arg(format!("file://{}", path.display()))
            .output()
            .expect("it runs")
    };
    // On a busy machine, Chromium itself crashes now and then.
    let mut output = run();
    for _ in 0..2 {
        if !output.status.success() {
            output = run();
        }
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && !messages.contains("CONSOLE"),
        "{messages}"
    );
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the content of the page after its script ran.
fn rendered(path: &Path) -> Option<String> {
    let page = browser(path, &["--dump-dom"])?;
    Some(between(&page, "<header>", "<noscript>").replace(['\u{2068}', '\u{2069}'], ""))
}

/// Checks that every open tag is closed, in order.
fn check_tags(page: &str) {
    let mut open = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = |tag: &str| tag.split([' ', '/']).next().unwrap_or_default().to_owned();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed.to_owned()));
        } else if !tag.starts_with('!') && !tag.ends_with('/') && name(tag) != "meta" {
            open.push(name(tag));
        }
    }
    assert_eq!(open, Vec::<String>::new());
}

#[test]
fn everything_from_files_is_text() {
    let input = std::env::temp_dir().join(format!("sgfstream-report-{}.sgf", std::process::id()));
    std::fs::write(&input, HOSTILE).expect("a file");
    let (path, page) = page("hostile", &[input.to_str().expect("UTF-8")], 0);
    let markup = markup(&page);
    check_tags(&markup);
    for hostile in [
        "<script",
        "<img",
        "<b>:1",
        "<u>",
        "<i>",
        "onload=\"",
        "alert(2)",
        "<svg/",
    ] {
        assert!(!markup.contains(hostile), "{hostile}");
    }
    for hostile in [
        "<script>alert",
        "</script><",
        "<!--",
        "\u{202e}",
        "\u{1b}",
        "\0",
    ] {
        assert!(!page.contains(hostile), "{hostile}");
    }
    assert!(
        markup.contains("O&#39;Neil &amp; Sons")
            && markup.contains("&lt;script&gt;alert(1)&lt;/script&gt;")
    );
    let players = data(&page)["players"]["rows"].clone();
    for player in [
        json!(["<script>alert(1)</script>", 1, 1, 0]),
        json!(["\" onload=\"x", 1, 0, 1]),
    ] {
        assert!(
            players
                .as_array()
                .is_some_and(|rows| rows.contains(&player)),
            "{players}"
        );
    }
    if let Some(shown) = rendered(&path) {
        for hostile in [
            "<script", "<img", "<b>:1", "<u>", "<svg/", "\u{202e}", "\u{1b}", "\0",
        ] {
            assert!(!shown.contains(hostile), "{hostile}");
        }
        assert!(
            shown.contains("<th scope=\"row\">O'Neil &amp; Sons</th>")
                && shown.contains("\u{FFFD}abc")
        );
        assert!(shown.contains("&lt;script&gt;alert(1)&lt;/script&gt;</th>"));
    }
    _ = std::fs::remove_file(input);
    _ = std::fs::remove_file(path);
}

/// Checks that each picture has a name and a description, and that no text starts outside of it.
fn check_pictures(page: &str) {
    for svg in page.split("<svg ").skip(1) {
        let svg = svg.split("</svg>").next().expect("it ends");
        assert!(
            svg.contains("role=\"img\"><title>") && !svg.contains("<title></title>"),
            "{svg}"
        );
        assert!(
            svg.contains("</title><desc>") && !svg.contains("<desc></desc>"),
            "{svg}"
        );
        for text in svg.split("<text x=\"").skip(1) {
            let x: f64 = text
                .split('"')
                .next()
                .and_then(|x| x.parse().ok())
                .expect("a number");
            assert!((0.0..=421.0).contains(&x), "{text}");
        }
    }
}

/// Many rarely used boards that come first do not displace the others.
#[test]
fn every_game_has_its_board() {
    let mut games = String::new();
    for side in 2..52 {
        games += &format!("(;GM[1]SZ[{side}];B[aa])");
    }
    let boards = [
        ("Hex", "(;GM[11]SZ[13];B[a1];W[m13])"),
        ("Havannah 4x4", "(;GM[4100]SZ[4];B[a1];W[g7])"),
        ("Kropki 39x32", "(;GM[40]SZ[39:32];B[aa];W[bb])"),
        ("Amazons", "(;GM[18];B[adagcg])"),
        ("Lines of Action", "(;GM[9];B[a4-c4])"),
        ("Othello", "(;GM[2];B[d3])"),
        ("Twixt", "(;GM[21];B[b3])"),
        ("Blokus", "(;GM[Blokus];1[a20,b20];2[t20])"),
        ("Blokus Trigon", "(;GM[Blokus Trigon];1[r10,s10])"),
        ("Nexos", "(;GM[Nexos];1[e20])"),
        ("Callisto", "(;GM[Callisto];1[g11])"),
        ("GembloQ", "(;GM[GembloQ];1[y14,z14])"),
        ("GembloQ Two-Player", "(;GM[GembloQ Two-Player];B[y12])"),
    ];
    games.extend(boards.map(|board| board.1));
    let input = std::env::temp_dir().join(format!(
        "sgfstream-report-boards-{}.sgf",
        std::process::id()
    ));
    std::fs::write(&input, games).expect("a file");
    let (path, page) = page("games", &[input.to_str().expect("UTF-8")], 0);
    check_tags(&markup(&page));
    check_pictures(&page);
    for (board, _) in boards {
        assert!(
            page.contains(&format!("<title>Move locations: {board}")),
            "{board}"
        );
    }
    // Two columns of GembloQ's board form a square in two halves: `y14` is the upper left half,
    // `z14` the other.
    let gembloq = page
        .split("Move locations: GembloQ<")
        .nth(1)
        .expect("a board");
    let halves: Vec<&str> = gembloq
        .split("class=\"cell\"><path d=\"")
        .nth(1)
        .expect("cells")
        .split("<path d=\"")
        .collect();
    let corners = |at: usize| {
        halves[at]
            .split('"')
            .next()
            .expect("a path")
            .matches(['M', 'L'])
            .count()
    };
    assert_eq!((corners(0), corners(1)), (3, 3));
    let ends = |at: usize| {
        let path = halves[at]
            .split('Z')
            .next()
            .expect("a path")
            .trim_start_matches('M');
        let mut ends: Vec<_> = path.split('L').map(str::to_owned).collect();
        ends.sort();
        ends
    };
    // The halves share the cut, which contains two corners of each.
    assert_eq!(
        ends(0).iter().filter(|end| ends(1).contains(end)).count(),
        2
    );
    // 37 cells of the hexagon with sides of 4.
    let havannah = page
        .split("Move locations: Havannah")
        .nth(1)
        .expect("a board");
    let fields = havannah
        .split("class=\"square\" d=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("a path");
    assert_eq!(fields.matches('Z').count(), 37);
    _ = std::fs::remove_file(input);
    _ = std::fs::remove_file(path);
}

/// The page has the given title, and no directories of its inputs.
#[test]
fn a_title_and_no_local_paths() {
    let place = std::env::temp_dir().join(format!("sgfstream-report-place-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a folder");
    let (input, path) = (place.join("club & friends.sgf"), place.join("page.html"));
    let games =
        "(;GM[1]KM[6.5]DT[1991]PB[Ada]PW[Ben]RE[B+R];B[pd])(;PB[Ada]PW[Ben]RE[W+2];B[pd];W[dd])"
            .repeat(6);
    std::fs::write(&input, games).expect("a file");
    let run = |title: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
        command
            .arg("stats")
            .arg("--html")
            .arg(&path)
            .args(title)
            .arg(&input);
        assert!(command.status().expect("it runs").success());
        std::fs::read_to_string(&path).expect("a page")
    };
    let page = run(&["--title", "Our <club>"]);
    check_tags(&markup(&page));
    assert!(
        page.contains("<title>Our &lt;club&gt;</title>")
            && page.contains("<h1>Our &lt;club&gt;</h1>")
    );
    assert!(
        page.contains("club &amp; friends.sgf · made with sgfq")
            && !page.contains(place.to_str().expect("UTF-8"))
    );
    // Half of the games lack the komi; all of them have a board and a handicap.
    let report = data(&page);
    assert_eq!(report["board"]["rows"], json!([["Go 19x19", 12, 0, 0]]));
    assert_eq!(
        (&report["komi"]["rows"], &report["komi"]["none"]),
        (&json!([["6.5", 6, 6, 0]]), &json!(6))
    );
    assert_eq!(
        report["players"]["rows"],
        json!([["Ada", 12, 6, 6], ["Ben", 12, 6, 6]])
    );
    // Without scripts, the page shows the text.
    assert!(between(&page, "<noscript>", "</noscript>").contains("\n  12  100.0%  Ada\n"));
    if let Some(shown) = rendered(&path) {
        assert!(
            shown.contains("<p id=\"summary\">12 games of Go 19x19, from 1991</p>"),
            "{shown}"
        );
        let rows = |title: &str| between(&shown, &format!("<h3>{title}</h3>"), "</section>");
        assert!(rows("Games and boards").contains("Go 19x19: 12 games"));
        assert!(
            rows("Komi").contains("6.5: 6 games") && rows("Komi").contains("6 games do not say.")
        );
        assert!(
            rows("Black's wins by komi").contains("6.5: 6 of 6 decided games won: 100 % (61-100)")
        );
        assert!(
            rows("Black's wins by first move").contains("6 of 12 decided games won: 50 % (25-75)")
        );
        assert!(rows("Most frequent players").contains("Ada: 6 of 12 decided games won"));
    }
    assert!(run(&[]).contains("<h1>Games of record</h1>"));
    _ = std::fs::remove_dir_all(place);
}

/// Without anything to draw, there is still a page.
#[test]
fn a_page_of_nothing() {
    let input =
        std::env::temp_dir().join(format!("sgfstream-report-none-{}.sgf", std::process::id()));
    for (text, status) in [("", 0), ("(;)", 0), ("(;GM[1])", 0), ("no game", 1)] {
        std::fs::write(&input, text).expect("a file");
        let (path, page) = page("none", &[input.to_str().expect("UTF-8")], status);
        check_tags(&markup(&page));
        assert!(page.contains("</html>"));
        if let Some(shown) = rendered(&path) {
            check_pictures(&shown);
            assert!(
                shown.contains("</li></ul>")
                    && !shown.contains("NaN")
                    && !shown.contains("Infinity"),
                "{text}"
            );
        }
        _ = std::fs::remove_file(path);
    }
    _ = std::fs::remove_file(input);
}

#[test]
fn boards_of_all_shapes_are_drawn() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files: Vec<_> = std::fs::read_dir(corpus)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file() && !path.ends_with("README.md"))
        .map(|path| path.to_str().expect("UTF-8").to_owned())
        .collect();
    files.sort();
    let (path, page) = page(
        "boards",
        &files.iter().map(String::as_str).collect::<Vec<_>>(),
        1,
    );
    let markup = markup(&page);
    check_tags(&markup);
    check_pictures(&markup);
    for board in [
        "Move locations: Go 19x19",
        "Move locations: Blokus",
        "Go 19x19: after B Q16",
    ] {
        assert!(
            markup.contains(&format!(" role=\"img\"><title>{board}</title><desc>")),
            "{board}"
        );
    }
    // The page loads nothing, and only its own scripts run. Boards refer to the gradients of their
    // own picture.
    let markup = markup.replace("url(#", "(");
    for address in ["http:", "https:", "src=", "url(", "@import", "<link"] {
        assert!(!markup.contains(address), "{address}");
    }
    let nonce = between(
        &page,
        "default-src 'none'; script-src 'nonce-",
        "'; style-src 'nonce-",
    );
    assert!(nonce.len() == 32 && page.matches(&format!("<script nonce=\"{nonce}\">")).count() == 1);
    if let Some(shown) = rendered(&path) {
        check_pictures(&shown);
        for title in [
            "Results",
            "Players and events",
            "Openings",
            "Move locations",
            "Games",
            "Files",
        ] {
            assert!(shown.contains(&format!("\">{title}</h2>")), "{title}");
        }
        for title in [
            "Results",
            "Black's wins by first move",
            "Black's wins by komi",
            "Black's wins by year",
            "Black's wins by handicap",
            "Most frequent players",
            "Ranks",
            "Games by year",
            "Length of main lines",
            "Rules",
            "Main time",
            "Problems by code",
        ] {
            assert!(shown.contains(&format!("<h3>{title}</h3>")), "{title}");
        }
        for board in [
            "Move locations: Go 19x19",
            "Openings: Go 19x19",
            "Go 19x19: after B Q16",
        ] {
            assert!(
                shown.contains(&format!(" role=\"img\"><title>{board}</title><desc>")),
                "{board}"
            );
        }
        // The next moves of a position with their results.
        let row = "<tr><th>A</th><td>W D4</td><td>14</td><td>56 %</td><td>50 % (15-85)</td><td><svg class=\"wins\"";
        assert!(
            shown.contains(row) && shown.contains("<title>Black wins 50 % (15-85) of 4</title>")
        );
    }
    for (scheme, size) in [("light", "1400,3000"), ("dark", "400,3000")] {
        let picture = path.with_extension(format!("{scheme}.png"));
        let scheme = format!(
            "--blink-settings=preferredColorScheme={}",
            i32::from(scheme == "light")
        );
        let (size, file) = (
            format!("--window-size={size}"),
            format!("--screenshot={}", picture.display()),
        );
        if browser(&path, &[&scheme, &size, &file]).is_some() {
            assert!(std::fs::metadata(&picture).expect("a picture").len() > 10_000);
            _ = std::fs::remove_file(picture);
        }
    }
    _ = std::fs::remove_file(path);
}
