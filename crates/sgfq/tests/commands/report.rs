//! The page of `sgfq stats --html`: well-formed, self-contained, and nothing
//! from a file is markup. Where Chromium is, it must show it without a word of
//! complaint.

use std::path::{Path, PathBuf};
use std::process::Command;

const HOSTILE: &str = "(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[<script>alert(1)</script>]PW[\" onload=\"x]EV[</svg><img src=x>]RE[B+R]\
    DT[2001-02-03]AP[&lt;b&gt;:1]HA[2]KM[6.5]RU[<!--]C[<script>alert(2)</script>];B[ee];W[cc];B[gg];W[aa])\
    (;GM[1]CA[UTF-8]PB[\u{202e}abc\u{2069}]PW[O'Neil & Sons]EV[\u{0}\u{1b}[2J];B[<i>];W[&x])\
    (;GM[\"><u>]PB['><svg/onload=x>];B[<i>];W[</title>])";

fn page(name: &str, inputs: &[&str]) -> (PathBuf, String) {
    let path = std::env::temp_dir().join(format!("sgfstream-report-{}-{name}.html", std::process::id()));
    let status = Command::new(env!("CARGO_BIN_EXE_sgfq"))
        .args(["stats", "--html"])
        .arg(&path)
        .args(inputs)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .status()
        .expect("it runs");
    assert!(status.success());
    let text = std::fs::read_to_string(&path).expect("a page");
    (path, text)
}

/// Every tag that is opened is closed, in order.
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
    let (path, page) = page("hostile", &[input.to_str().expect("UTF-8")]);
    check_tags(&page);
    let hostile = [
        "<script",
        "<img",
        "<b>:1",
        "<u>",
        "<i>",
        "onload=\"",
        "<!--",
        "alert(2)",
        "<svg/",
        "\u{202e}",
        "\u{1b}",
        "\0",
    ];
    for hostile in hostile {
        assert!(!page.contains(hostile), "{hostile}");
    }
    assert!(page.contains("O&#39;Neil &amp; Sons") && page.contains("\u{FFFD}abc"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("&quot; onload=&quot;x"));
    _ = std::fs::remove_file(input);
    _ = std::fs::remove_file(path);
}

/// Each picture has a name and says what is in it, and no text of it begins
/// outside.
fn check_pictures(page: &str) {
    for svg in page.split("<svg ").skip(1) {
        let svg = svg.split("</svg>").next().expect("it ends");
        assert!(svg.contains("role=\"img\"><title>") && !svg.contains("<title></title>"), "{svg}");
        assert!(svg.contains("</title><desc>") && !svg.contains("<desc></desc>"), "{svg}");
        for text in svg.split("<text x=\"").skip(1) {
            let x: f64 = text.split('"').next().and_then(|x| x.parse().ok()).expect("a number");
            assert!((0.0..=421.0).contains(&x), "{text}");
        }
    }
}

/// Boards that come first, many and hardly used, leave the others their place.
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
    let input = std::env::temp_dir().join(format!("sgfstream-report-boards-{}.sgf", std::process::id()));
    std::fs::write(&input, games).expect("a file");
    let (path, page) = page("games", &[input.to_str().expect("UTF-8")]);
    check_tags(&page);
    check_pictures(&page);
    for (board, _) in boards {
        assert!(page.contains(&format!("<title>Where moves are played: {board}")), "{board}");
    }
    // Two columns of GembloQ's are a square in two halves: `y14` is the upper left one, `z14` the rest of it.
    let gembloq = page.split("Where moves are played: GembloQ<").nth(1).expect("a board");
    let halves: Vec<&str> =
        gembloq.split("class=\"cell\"><path d=\"").nth(1).expect("cells").split("<path d=\"").collect();
    let corners = |at: usize| halves[at].split('"').next().expect("a path").matches(['M', 'L']).count();
    assert_eq!((corners(0), corners(1)), (3, 3));
    let ends = |at: usize| {
        let path = halves[at].split('Z').next().expect("a path").trim_start_matches('M');
        let mut ends: Vec<_> = path.split('L').map(str::to_owned).collect();
        ends.sort();
        ends
    };
    // They share the cut, which is two corners of each.
    assert_eq!(ends(0).iter().filter(|end| ends(1).contains(end)).count(), 2);
    // 37 fields of the hexagon: sides of 4.
    let havannah = page.split("Where moves are played: Havannah").nth(1).expect("a board");
    let fields =
        havannah.split("class=\"square\" d=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a path");
    assert_eq!(fields.matches('Z').count(), 37);
    _ = std::fs::remove_file(input);
    _ = std::fs::remove_file(path);
}

/// The page has the title that it is given, and not the folders of its inputs.
#[test]
fn a_title_and_no_local_paths() {
    let place = std::env::temp_dir().join(format!("sgfstream-report-place-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a folder");
    let (input, path) = (place.join("club & friends.sgf"), place.join("page.html"));
    let games = "(;GM[1]KM[6.5]DT[1991]PB[Ada]PW[Ben]RE[B+R];B[pd])(;PB[Ada]PW[Ben]RE[W+2];B[pd];W[dd])".repeat(6);
    std::fs::write(&input, games).expect("a file");
    let run = |title: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
        command.arg("stats").arg("--html").arg(&path).args(title).arg(&input);
        assert!(command.status().expect("it runs").success());
        std::fs::read_to_string(&path).expect("a page")
    };
    let page = run(&["--title", "Our <club>"]);
    check_tags(&page);
    assert!(page.contains("<title>Our &lt;club&gt;</title>") && page.contains("<h1>Our &lt;club&gt;</h1>"));
    assert!(page.contains("club &amp; friends.sgf · made with sgfq") && !page.contains(place.to_str().expect("UTF-8")));
    assert!(page.contains("<p>12 games of Go 19x19, from 1991</p>"), "{page}");
    // Half of the games do not say the komi; all of them have a board and a handicap.
    let rows = |title: &str| {
        let section = page.split(&format!("<h3>{title}</h3>")).nth(1).expect(title);
        section.split("</section>").next().expect("it ends").to_owned()
    };
    assert!(rows("Games and boards").contains("Go 19x19: 12 games"));
    let komi = rows("Komi");
    assert!(komi.contains("6.5: 6 games") && komi.contains("6 games do not say.") && !komi.contains("not said"));
    assert!(rows("Black&#39;s wins by komi").contains("6.5: 6 of 6 decided games won: 100 %"));
    assert!(rows("Black&#39;s wins by first move").contains("6 of 12 decided games won: 50 %"));
    assert!(rows("Most frequent players").contains("Ada: 6 of 12 decided games won"));
    assert!(run(&[]).contains("<h1>Games of record</h1>"));
    _ = std::fs::remove_dir_all(place);
}

/// Nothing to be drawn is a page as well.
#[test]
fn a_page_of_nothing() {
    let input = std::env::temp_dir().join(format!("sgfstream-report-none-{}.sgf", std::process::id()));
    for text in ["", "(;)", "(;GM[1])", "no game"] {
        std::fs::write(&input, text).expect("a file");
        let (path, page) = page("none", &[input.to_str().expect("UTF-8")]);
        check_tags(&page);
        check_pictures(&page);
        assert!(page.contains("</html>") && !page.contains("NaN") && !page.contains("inf"), "{text}");
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
    let (path, page) = page("boards", &files.iter().map(String::as_str).collect::<Vec<_>>());
    check_tags(&page);
    for title in ["Results", "Players and events", "Openings", "Where moves are played", "Games", "Files"] {
        assert!(page.contains(&format!("\">{title}</h2>")), "{title}");
    }
    for title in [
        "Results",
        "Black&#39;s wins by first move",
        "Black&#39;s wins by komi",
        "Black&#39;s wins by year",
        "Black&#39;s wins by handicap",
        "Most frequent players",
        "Ranks",
        "Games by year",
        "Length of main lines",
        "Rules",
        "Main time",
        "Problems by code",
    ] {
        assert!(page.contains(&format!("<h3>{title}</h3>")), "{title}");
    }
    for board in [
        "Where moves are played: Go 19x19",
        "Where moves are played: Blokus",
        "Openings: Go 19x19",
        "Go 19x19: after B Q16",
    ] {
        assert!(page.contains(&format!(" role=\"img\"><title>{board}</title><desc>")), "{board}");
    }
    // The next moves of a position, and how they went.
    let row = "<tr><th>A</th><td>W D4</td><td>14</td><td>56.0 %</td><td>50 % (15-85)</td><td><svg class=\"wins\"";
    assert!(page.contains(row) && page.contains("<title>Black wins 50 % (15-85) of 4</title>"));
    check_pictures(&page);
    // Nothing is fetched from anywhere.
    for address in ["http:", "https:", "src=", "url(", "@import", "<link"] {
        assert!(!page.contains(address), "{address}");
    }
    let chromium = ["chromium", "chromium-browser", "google-chrome", "chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
    match chromium {
        None => eprintln!("skipped: the page in a browser, because there is no Chromium"),
        Some(name) => {
            for (scheme, size) in [("light", "1400,3000"), ("dark", "400,3000")] {
                let picture = path.with_extension(format!("{scheme}.png"));
                let output = Command::new(name)
                    .args(["--headless", "--no-sandbox", "--disable-gpu", &format!("--window-size={size}")])
                    .arg(format!("--blink-settings=preferredColorScheme={}", if scheme == "dark" { 0 } else { 1 }))
                    .args([format!("--screenshot={}", picture.display()), format!("file://{}", path.display())])
                    .output()
                    .expect("it runs");
                assert!(output.status.success());
                assert!(!String::from_utf8_lossy(&output.stderr).contains("CONSOLE"));
                assert!(std::fs::metadata(&picture).expect("a picture").len() > 10_000);
                _ = std::fs::remove_file(picture);
            }
        }
    }
    _ = std::fs::remove_file(path);
}
