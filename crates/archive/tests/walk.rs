//! Tests of directories, links and patterns: files that are found, skipped, or reported as
//! unreadable.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use sgfstream_archive::{ArchiveErrorKind, EntryName, Input, ReadOptions, Walk, visit};

const GAME: &[u8] = b"(;GM[1])";

/// Returns names of the entries without `root`, problems, and the numbers of entries and of skipped
/// files.
fn see(input: Input, root: &Path) -> (Vec<String>, Vec<(ArchiveErrorKind, String)>, [u64; 2]) {
    let (mut names, mut problems) = (Vec::new(), Vec::new());
    let root = format!("{}/", root.display());
    let options = ReadOptions::default();
    let summary = visit(&[input], &options, |item| {
        match item {
            Ok(entry) => names.push(entry.name.to_string().trim_start_matches(&root).to_owned()),
            Err(problem) => problems.push((problem.kind, problem.to_string())),
        }
        ControlFlow::Continue(())
    });
    let passed_over = options.meter.passed_over().values().sum();
    (names, problems, [summary.entries, passed_over])
}

fn write(path: &Path) {
    fs::create_dir_all(path.parent().expect("inside")).expect("a directory");
    fs::write(path, GAME).expect("a file");
}

#[test]
fn files_that_are_passed_over_are_counted() {
    let scratch = tempfile::tempdir().expect("a directory");
    let root = scratch.path();
    for name in ["a.sgf", "b.hsgf", "c.HGF", "d.tsgf", "e.ggf", "h/i.sgf"] {
        write(&root.join(name));
    }
    for name in ["f.txt", "g.TXT", "h/i.txt", "h/README", "j.xyz"] {
        fs::write(root.join(name), "text").expect("a file");
    }
    let (names, problems, counts) = see(Input::path(root), root);
    assert_eq!(
        (names, problems),
        (
            ["a.sgf", "b.hsgf", "c.HGF", "d.tsgf", "e.ggf", "h/i.sgf"]
                .map(String::from)
                .to_vec(),
            vec![]
        )
    );
    assert_eq!(counts, [6, 5]);
    write(&root.join(".unfinished-1/x.sgf"));
    let mut options = ReadOptions::default();
    options.ignored = ".unfinished-";
    let walk = Walk::new(vec![Input::path(root)]).with_options(&options);
    assert_eq!(walk.count(), 6);
    let counts: Vec<_> = options.meter.passed_over().into_iter().collect();
    assert_eq!(
        counts,
        [("", 1), ("txt", 3), ("xyz", 1)].map(|(extension, count)| (extension.to_owned(), count))
    );
}

#[test]
fn many_extensions_are_counted_together() {
    let scratch = tempfile::tempdir().expect("a directory");
    (0..150)
        .for_each(|at| fs::write(scratch.path().join(format!("x.{at}")), "text").expect("a file"));
    let options = ReadOptions::default();
    let walk = Walk::new(vec![Input::path(scratch.path())]).with_options(&options);
    assert_eq!(walk.count(), 0);
    let passed_over = options.meter.passed_over();
    assert_eq!((passed_over.len(), passed_over["*"]), (101, 50));
}

#[test]
#[cfg(target_os = "linux")]
fn a_path_that_is_too_long_is_reported() {
    let scratch = tempfile::tempdir().expect("a directory");
    let root = scratch.path();
    write(&root.join("a.sgf"));
    // Both halves can be created, but together they are longer than a path may be.
    let half = |name: &str| {
        let mut path = root.join(name);
        (0..12).for_each(|_| path.push("d".repeat(200)));
        write(&path.join("x.sgf"));
        path
    };
    let (first, _second) = (half("b"), half("c"));
    fs::rename(root.join("c"), first.join("c")).expect("a short enough path");
    let (names, problems, _) = see(Input::path(root), root);
    assert_eq!(names.len(), 2, "{names:?}");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].0, ArchiveErrorKind::Unreadable);
}

#[test]
#[cfg(unix)]
fn files_of_a_directory_that_cannot_be_searched_are_reported() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = tempfile::tempdir().expect("a directory");
    let root = scratch.path();
    write(&root.join("d/b.sgf"));
    write(&root.join("d/notes.txt"));
    write(&root.join("d/e/c.sgf"));
    let mode = |bits| {
        fs::set_permissions(root.join("d"), fs::Permissions::from_mode(bits))
            .expect("our directory")
    };
    mode(0o644);
    let may_search = root.join("d/b.sgf").exists();
    let (names, problems, counts) = see(Input::path(root), root);
    mode(0o755);
    if may_search {
        return eprintln!("skipped: this user may search any directory");
    }
    assert_eq!((names.len(), counts[1]), (0, 1));
    assert_eq!(
        problems.iter().map(|problem| problem.0).collect::<Vec<_>>(),
        [ArchiveErrorKind::Unreadable; 2]
    );
}

#[test]
#[cfg(unix)]
fn links_to_directories_are_followed_once() {
    use std::os::unix::fs::symlink;
    let scratch = tempfile::tempdir().expect("a directory");
    let root = scratch.path().join("root");
    write(&root.join("a/x.sgf"));
    for at in 0..1000 {
        write(&scratch.path().join(format!("elsewhere/{at}/y.sgf")));
        symlink(format!("../elsewhere/{at}"), root.join(format!("link{at}"))).expect("a link");
        symlink(
            format!("../elsewhere/{at}"),
            root.join(format!("zagain{at}")),
        )
        .expect("a link");
    }
    symlink("a", root.join("inside")).expect("a link");
    symlink(".", root.join("circle")).expect("a link");
    symlink("itself", root.join("itself")).expect("a link");
    symlink("nowhere", root.join("nothing")).expect("a link");
    let (names, problems, _) = see(Input::path(&root), &root);
    assert_eq!((names.len(), problems), (1001, vec![]));
    assert!(names.iter().all(|name| !name.starts_with("zagain")));
}

#[test]
fn patterns_of_members() {
    let name = |text: &str| {
        see(
            Input::parse(&format!("tests/archives/{text}")),
            Path::new("tests/archives"),
        )
    };
    for archive in [
        "two.zip",
        "two.tar.gz",
        "lzma2.7z",
        "descriptor-deflate.zip",
    ] {
        let all = [format!("{archive}!one.sgf"), format!("{archive}!two.sgf")];
        assert_eq!(name(&format!("{archive}!*.sgf")).0, all);
        assert_eq!(name(&format!("{archive}!./t?o.*")).0, all[1..]);
        let (names, problems, _) = name(&format!("{archive}!*.none"));
        let said = format!("tests/archives/{archive}: no member `*.none` in the archive");
        assert_eq!(
            (names, problems),
            (vec![], vec![(ArchiveErrorKind::NotFound, said)])
        );
    }
    assert_eq!(
        name("names.zip!*/*.sgf").0,
        ["names.zip!围棋/古力.sgf", "names.zip!埻岄/杮場朧愴.sgf"]
    );
    assert_eq!(name("names.zip!?.sgf").0, ["names.zip!黒.sgf"]);
    assert_eq!(name("names.zip!**/*.txt").0, ["names.zip!readme.txt"]);
    let inner = ["inner.tar.gz", "inner.zip", "inner.7z"]
        .map(|inner| format!("nested.zip!{inner}!two.sgf"));
    assert_eq!(name("nested.zip!inner.*!t*.sgf").0, inner);
}

#[test]
fn a_copy_is_read_under_the_name_of_its_original() {
    let scratch = tempfile::tempdir().expect("a directory");
    let path = scratch.path().join("copy.tmp");
    write(&path);
    let name = EntryName::file("s3://games/one.sgf");
    let copy = |path: &Path| Input::Copy {
        path: path.to_owned(),
        name: name.clone(),
    };
    let (names, problems, counts) = see(copy(&path), scratch.path());
    assert_eq!(
        (names, problems, counts[0]),
        (vec!["s3://games/one.sgf".to_owned()], vec![], 1)
    );
    let input = Walk::new(vec![copy(&path)])
        .next()
        .expect("one")
        .expect("a file");
    assert_eq!(
        (input.path(), input.size()),
        (Some(&*path), Some(GAME.len() as u64))
    );
    let packed = Path::new("../../corpus/packed/two.zip");
    let (names, ..) = see(copy(packed), scratch.path());
    assert!(
        names
            .iter()
            .all(|member| member.starts_with("s3://games/one.sgf!")),
        "{names:?}"
    );
    let (_, problems, _) = see(copy(&scratch.path().join("gone")), scratch.path());
    assert_eq!(
        problems[0].1,
        "s3://games/one.sgf: no such file or directory"
    );
}
