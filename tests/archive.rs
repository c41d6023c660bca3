//! Archives of every kind become entries; damaged ones become problems.
#![cfg(feature = "archive")]

use std::io::Read;
use std::path::PathBuf;

use sgfstream::archive::{self, Flow, Input, Item, Options};

/// Everything a visit hands out: names with their bytes, and problems as text.
fn entries(inputs: &[Input]) -> (Vec<(String, Vec<u8>)>, Vec<String>) {
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    archive::visit(inputs, &Options::default(), &mut |item| {
        match item {
            Item::Entry(entry) => {
                let name = entry.name.to_string();
                let mut bytes = Vec::new();
                let _ = entry.read.read_to_end(&mut bytes);
                entries.push((name, bytes));
            }
            Item::Problem(problem) => problems.push(problem.to_string()),
        }
        Flow::Go
    });
    (entries, problems)
}

fn fixture(name: &str) -> Input {
    Input::path(PathBuf::from("corpus/archives").join(name))
}

#[test]
fn two_members_of_every_container() {
    for name in ["two.tar", "two.tar.gz", "two.tar.bz2", "two.tar.xz", "two.tar.zst", "two.tar.lz4", "two.zip"] {
        let (found, problems) = entries(&[fixture(name)]);
        assert_eq!(problems, [""; 0], "{name}");
        let names: Vec<_> = found.iter().map(|(name, _)| name.split_once('!').expect("a member").1).collect();
        assert_eq!(names, ["one.sgf", "two.sgf"], "{name}");
        assert!(found.iter().all(|(_, bytes)| bytes.starts_with(b"(;")), "{name}");
    }
}
