//! The page of `sgfq stats --html`: well-formed, self-contained, and nothing
//! from a file is markup. Where Chromium is, it must show it without a word of
//! complaint.
#![cfg(feature = "cli")]

use std::path::{Path, PathBuf};
use std::process::Command;

const HOSTILE: &str = "(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[<script>alert(1)</script>]PW[\" onload=\"x]EV[</svg><img src=x>]RE[B+R]\
    DT[2001-02-03]AP[&lt;b&gt;:1]HA[2]KM[6.5];B[ee];W[cc];B[gg];W[aa])";

fn page(name: &str, inputs: &[&str]) -> (PathBuf, String) {
    let path = std::env::temp_dir().join(format!("sgfstream-report-{}-{name}.html", std::process::id()));
    let status = Command::new(env!("CARGO_BIN_EXE_sgfq"))
        .args(["stats", "--html"])
        .arg(&path)
        .args(inputs)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
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
    for hostile in ["<script", "<img", "<b>:1", "onload=\""] {
        assert!(!page.contains(hostile), "{hostile}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("&quot; onload=&quot;x"));
    _ = std::fs::remove_file(input);
    _ = std::fs::remove_file(path);
}

#[test]
fn boards_of_all_shapes_are_drawn() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files: Vec<_> = std::fs::read_dir(corpus)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file() && !path.ends_with("README.md"))
        .map(|path| path.to_str().expect("UTF-8").to_owned())
        .collect();
    files.sort();
    let (path, page) = page("boards", &files.iter().map(String::as_str).collect::<Vec<_>>());
    check_tags(&page);
    for title in ["Games by year", "Length of main lines", "Results", "Players", "Problems", "Openings: "] {
        assert!(page.contains(&format!("<h2>{title}")), "{title}");
    }
    for board in ["Go 19", "Hex", "Blokus"] {
        assert!(page.contains(&format!("<h2>Where moves are played: {board}")), "{board}");
    }
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
            for scheme in ["light", "dark"] {
                let picture = path.with_extension(format!("{scheme}.png"));
                let output = Command::new(name)
                    .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,3000"])
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
