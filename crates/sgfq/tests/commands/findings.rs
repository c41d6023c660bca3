//! Checks that the page of findings repairs as `sgfq fix` does.

use std::fs;
use std::path::Path;

use sgfstream::Code;
use sgfstream_adapt::check::Explanation;

use crate::run;

/// Returns bytes as the page shows them.
fn written(bytes: &[u8]) -> String {
    let one = |byte: &u8| match byte {
        b'\n' => "\\n".to_owned(),
        0 => "\\0".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    bytes.iter().map(one).collect()
}

#[test]
fn the_page_shows_what_fix_makes_of_each_input() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapt/src/check/findings.md");
    let page = fs::read_to_string(path).expect("a page");
    for &code in Code::ALL {
        let section = page
            .split("\n## ")
            .find(|section| section.lines().next() == Some(code.as_str()));
        let shown = section
            .expect("a section")
            .lines()
            .find_map(|line| line.strip_prefix("- Fixed: "));
        let input = Explanation::of(code).example();
        let run = run(
            &["fix", "--quiet", "--guess", "--only", code.as_str(), "-"],
            &input,
        );
        let expected = if run.out == input {
            None
        } else {
            Some(format!("`{}`", written(&run.out)))
        };
        assert_eq!(shown, expected.as_deref(), "{code}");
    }
}
