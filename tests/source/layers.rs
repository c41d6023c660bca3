//! The layers of `docs/architecture.md`: folders of a crate use lower folders only. Cargo enforces
//! the layers of crates.

use std::fs;

use super::{root, rust_files};

/// Folders of the reader, of the crate of games and of the command, layer by layer. A folder uses
/// only folders of lower layers of its crate.
const LAYERS: [(&str, &[&[&str]]); 3] = [
    (
        "src",
        &[
            &["base"],
            &["scan"],
            &["event"],
            &["tokens"],
            &["read", "write"],
            &["record"],
        ],
    ),
    ("crates/game/src", &[&["value"], &["game"], &["facts"]]),
    (
        "crates/sgfq/src",
        &[&["report"], &["io"], &["args"], &["commands"]],
    ),
];

/// Folders of the packages, in the order of their layers, each with its column in the picture.
const PACKAGES: [(&str, usize); 13] = [
    (".", 1),
    ("crates/archive", 3),
    ("crates/game", 0),
    ("crates/open", 2),
    ("crates/adapt", 0),
    ("crates/engine", 3),
    ("crates/draw", 0),
    ("crates/table", 2),
    ("crates/explore", 1),
    ("web/wasm", 0),
    ("crates/sgfq", 1),
    ("web/explorer/wasm", 2),
    ("python", 1),
];

/// Returns the names that follow `crate::` in the code of a file, without comments and tests.
fn used(source: &str) -> impl Iterator<Item = &str> {
    let source = source
        .split("\n#[cfg(test)]\nmod ")
        .next()
        .expect("at least one part");
    let lines = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())]
        })
}

#[test]
fn folders_use_lower_folders_only() {
    let (mut faults, mut uses) = (Vec::new(), 0);
    for (source, layers) in LAYERS {
        let layer = |name: &str| layers.iter().position(|folders| folders.contains(&name));
        for (file, code) in rust_files(source) {
            let Some((own, _)) = file[source.len() + 1..].split_once('/') else {
                continue;
            }; // lib.rs
            let own_layer =
                layer(own).unwrap_or_else(|| panic!("{file}: expected a folder with a layer"));
            for name in used(&code).filter(|name| *name != own) {
                uses += 1;
                if layer(name).is_none_or(|layer| layer >= own_layer) {
                    faults.push(format!(
                        "{file}: expected a folder below `{own}`, found `crate::{name}`"
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(
        uses > 250,
        "only {uses} uses found: the test does not see the source"
    );
}

/// Calls that only some files may contain: the beginnings of their paths.
const DOORS: [(&str, &[&str]); 3] = [
    // They panic if the system refuses a thread. `thread::Builder` returns an error.
    ("thread::spawn(", &[]),
    ("scope.spawn(", &[]),
    // The file that replaces another one must keep its access.
    (
        "tempfile_in(",
        &["crates/sgfq/src/io/temporary.rs", "python/src/filter.rs"],
    ),
];

#[test]
fn threads_start_and_files_are_replaced_at_one_door() {
    let mut faults = Vec::new();
    for (file, source) in ["src", "crates", "python/src"]
        .into_iter()
        .flat_map(rust_files)
    {
        if file.contains("/tests") {
            continue;
        }
        let code = source
            .split("\n#[cfg(test)]\nmod ")
            .next()
            .expect("at least one part");
        for line in code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            for (call, files) in DOORS {
                if line.contains(call) && !files.contains(&&*file) {
                    faults.push(format!(
                        "{file}: expected no `{call}`, found `{}`",
                        line.trim()
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_folder_has_a_line_in_the_picture() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("a file");
    // The picture has no line for the folders of the command.
    let packages = PACKAGES
        .iter()
        .map(|(folder, _)| *folder)
        .filter(|folder| folder.starts_with("crates/"));
    for name in LAYERS[..2]
        .iter()
        .flat_map(|(_, layers)| layers.concat())
        .chain(packages)
    {
        let is_its_line = |line: &str| line.trim_start().starts_with(&format!("{name}/ "));
        assert!(
            page.lines().any(is_its_line),
            "docs/architecture.md: the picture lacks `{name}/`"
        );
    }
}

/// Draws the packages of the workspace: each above the packages on which its `Cargo.toml` depends.
#[test]
fn the_picture_shows_the_dependencies() {
    let picture = picture();
    let path = root().join("docs/layers.svg");
    if std::env::var_os("SGF_RECORD").is_some() {
        fs::write(&path, &picture).expect("a picture");
    }
    let known = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(
        known, picture,
        "docs/layers.svg is out of date; run this test with SGF_RECORD=1"
    );
}

fn picture() -> String {
    let manifests = PACKAGES.map(|(folder, _)| {
        fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a file")
    });
    let section = |at: usize, name: &str| {
        let (_, rest) = manifests[at]
            .split_once(&format!("{name}\n"))
            .expect("a section");
        rest.split("\n[")
            .next()
            .expect("at least one part")
            .to_owned()
    };
    let mut layers = [0; PACKAGES.len()];
    // For each package, the packages below it as bits.
    let mut below = [0_u32; PACKAGES.len()];
    let (mut boxes, mut arrows) = (String::new(), String::new());
    let place = |at: usize, layer: usize| (100 + 190 * PACKAGES[at].1, 430 - 66 * layer);
    for at in 0..PACKAGES.len() {
        let dependencies = section(at, "[dependencies]");
        let uses: Vec<usize> = (0..PACKAGES.len())
            .filter(|&other| {
                let package = section(other, "[package]");
                let name = package
                    .lines()
                    .find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
                let line = format!("{} = ", name.expect("a name"));
                dependencies.lines().any(|found| found.starts_with(&line))
            })
            .collect();
        assert!(
            uses.iter().all(|&other| other < at),
            "{}: expected its dependencies before it",
            PACKAGES[at].0
        );
        layers[at] = uses
            .iter()
            .map(|&other| layers[other] + 1)
            .max()
            .unwrap_or(0);
        let implied = uses.iter().fold(0, |all, &other| all | below[other]);
        below[at] = uses.iter().fold(implied, |all, &other| all | 1 << other);
        let (x, y) = place(at, layers[at]);
        for &other in uses.iter().filter(|&other| implied & 1 << other == 0) {
            let (to_x, to_y) = place(other, layers[other]);
            arrows += &format!("<path d=\"M{x} {}L{to_x} {}\"/>\n", y + 17, to_y - 20);
        }
        let name = if PACKAGES[at].0 == "." {
            "sgfstream (src)"
        } else {
            PACKAGES[at].0
        };
        boxes += &format!(
            "<rect x=\"{}\" y=\"{}\" width=\"146\" height=\"34\" rx=\"6\"/>",
            x - 73,
            y - 17
        );
        boxes += &format!("<text x=\"{x}\" y=\"{}\">{name}</text>\n", y + 5);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 770 460\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <title>The packages, each above those that it uses</title>\n\
         <marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0 0L8 4L0 8z\" fill=\"#777\"/></marker>\n\
         <rect width=\"770\" height=\"460\" fill=\"#fff\"/>\n\
         <g stroke=\"#777\" fill=\"none\" marker-end=\"url(#tip)\">\n{arrows}</g>\n\
         <g fill=\"#f5f1e8\" stroke=\"#555\" text-anchor=\"middle\">\n{}</g>\n</svg>\n",
        boxes.replace("<text", "<text fill=\"#222\" stroke=\"none\"")
    )
}

/// Checks that the test of layers finds faults.
#[test]
fn uses_are_seen() {
    let source = "use crate::base::{Span, Error};\n// crate::no_comment\nfn f() -> crate::scan::Machine {}\n\
                  #[cfg(test)]\nmod tests {\n    use crate::no_test;\n}\n";
    assert_eq!(used(source).collect::<Vec<_>>(), ["base", "scan"]);
}

/// In a folder whose modules are in blocks, each file uses only files of blocks above its own.
#[test]
fn files_use_higher_blocks_only() {
    let folder = "crates/explore/src/questions";
    let signpost = fs::read_to_string(root().join(folder).join("mod.rs")).expect("a file");
    let blocks: Vec<&str> = signpost.split("\n\n").collect();
    let block = |name: &str| {
        blocks
            .iter()
            .position(|block| block.contains(&format!("mod {name};")))
    };
    let (mut faults, mut uses) = (Vec::new(), 0);
    for (file, code) in rust_files(folder) {
        let own = file[folder.len() + 1..].trim_end_matches(".rs");
        let Some(own_block) = block(own) else {
            continue;
        }; // mod.rs
        let code = code
            .split("\n#[cfg(test)]\nmod ")
            .next()
            .expect("at least one part");
        for line in code.lines().filter(|line| line.starts_with("use super::")) {
            for name in line.split(|c: char| !c.is_alphanumeric() && c != '_') {
                let Some(used) = block(name) else { continue };
                uses += 1;
                if used >= own_block {
                    faults.push(format!(
                        "{file}: expected a file of a block above `{own}`, found `{name}`"
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(
        uses > 30,
        "only {uses} uses found: the test does not see the source"
    );
}
