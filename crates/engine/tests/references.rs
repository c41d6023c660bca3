//! Tests of several games of one member.

use std::fs;
use std::ops::ControlFlow;

use sgfstream::{Event, EventReader};
use sgfstream_archive::{Input, ReadOptions};
use sgfstream_engine::Engine;

use super::tar;

/// The games are read from a copy of the member, in memory or in a file. If the copy would be too
/// large, they are not read.
#[test]
fn games_of_a_member_are_read_from_a_copy() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let comment = |number: usize| format!("{number}{}", " x".repeat(500));
    let large: String = (1..=3000)
        .map(|number| format!("(;C[{}])\n", comment(number)))
        .collect();
    assert!(large.len() > 2 << 20);
    let members = [
        ("small.sgf", &b"(;C[one])(;C[two])(;C[three])"[..]),
        ("large.sgf", large.as_bytes()),
    ];
    let path = directory.path().join("x.tar");
    fs::write(&path, tar::tar(&members)).expect("a directory of ours");
    let path = path.to_string_lossy();
    let names = [
        "large.sgf#2999",
        "small.sgf#3",
        "small.sgf#1",
        "large.sgf#2",
        "large.sgf#99999",
    ];
    let inputs: Vec<Input> = names
        .iter()
        .map(|name| Input::parse(&format!("{path}!{name}")))
        .collect();
    let read = |spool: u64| {
        let mut archives = ReadOptions::default();
        archives.caps.spool = spool;
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        let each = |part: sgfstream_engine::Part<'_>| {
            let mut reader = part.reader();
            while reader.advance()? {
                if let Event::Property(property) = reader.event() {
                    found.push(property.text().into_owned());
                }
            }
            Ok(ControlFlow::Continue(reader.finish()?))
        };
        let engine = Engine::new().with_archives(archives);
        engine
            .each(&inputs, each, |problem| problems.push(problem.to_string()))
            .expect("readable inputs");
        (found, problems)
    };
    let (found, problems) = read(1 << 30);
    assert_eq!(
        found,
        [
            "one".to_owned(),
            "three".to_owned(),
            comment(2),
            comment(2999)
        ]
    );
    assert_eq!(
        problems,
        [format!(
            "{path}!large.sgf: no game 99999: the file has 3000 games"
        )]
    );
    let (found, problems) = read(1 << 20);
    assert_eq!(found, ["one", "three"]);
    let said = "needs a temporary file of more than 1048576 bytes (cap `spool`)";
    assert_eq!(problems, [format!("{path}!large.sgf: {said}")]);
}
