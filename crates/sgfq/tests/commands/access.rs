//! Files that replace others: a user whom the old file shuts out cannot read the new one.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;

const ACCESS_LIST: &str = "system.posix_acl_access";
const DEFAULT_LIST: &str = "system.posix_acl_default";

/// Access list that lets its owner and user 12345 write, and neither the group nor others read. The
/// group's bits of the mode are the mask, `rw-`.
fn shut_list() -> Vec<u8> {
    access_list(&[
        (0x01, 6, u32::MAX),
        (0x02, 6, 12345),
        (0x04, 0, u32::MAX),
        (0x10, 6, u32::MAX),
        (0x20, 0, u32::MAX),
    ])
}

/// Returns an access list with entries of a tag, permissions and an id, as Linux stores it.
fn access_list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(permissions.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    list
}

/// Returns the mode and the attributes of a file.
fn access(path: &Path) -> (u32, BTreeMap<String, Vec<u8>>) {
    let mode = std::fs::metadata(path)
        .expect("a file")
        .permissions()
        .mode();
    let attributes = xattr::list(path).expect("attributes").map(|name| {
        let value = xattr::get(path, &name)
            .expect("an attribute")
            .expect("it is listed");
        (name.to_string_lossy().into_owned(), value)
    });
    (mode, attributes.collect())
}

#[test]
fn replaced_files_keep_lists_and_attributes() {
    let place = Place::new();
    let file = place.path("x.sgf");
    let name = place.text("x.sgf");
    let out = place.text("");
    let commands = [
        &["fix", "-q", "--in-place", "--backup", &name][..],
        &["rewrite", "--in-place", "--strip", "KM", &name],
        &["cat", "-", "-o", &name],
        &["sort", "moves", "-", "-o", &name],
        &["get", "-f", "csv", "pb", "-", "-o", &name],
        &["split", "--force", "--name", "{pb}", "-d", &out, "-"],
    ];
    for command in commands {
        _ = std::fs::remove_file(&file);
        place.put("x.sgf", "(;FF[4]GM[1]KM[6,5];B[aa])\n");
        if xattr::set(&file, ACCESS_LIST, &shut_list()).is_err() {
            return eprintln!("skipped: the file system has no access lists");
        }
        xattr::set(&file, "user.tag", b"mine").expect("an attribute");
        let (before, text) = (access(&file), place.read("x.sgf"));
        let run = run(command, b"(;GM[1]PB[x];B[aa])");
        assert_eq!((run.status, &*run.err), (0, ""), "{command:?}");
        assert_ne!(
            std::fs::read(&file).expect("a file"),
            text.as_bytes(),
            "{command:?}"
        );
        assert_eq!(access(&file), before, "{command:?}");
    }
    assert_eq!(access(&place.path("x.sgf.bak")), access(&file));
}

/// A directory may give a list to its new files. A replaced file without a list gets none.
#[test]
fn replaced_files_get_no_list() {
    let place = Place::new();
    let file = place.put("x.sgf", "(;FF[4]GM[1]KM[6,5];B[aa])\n");
    let list = [
        (0x01, 7, u32::MAX),
        (0x02, 7, 12345),
        (0x04, 7, u32::MAX),
        (0x10, 7, u32::MAX),
        (0x20, 0, u32::MAX),
    ];
    if xattr::set(place.path(""), DEFAULT_LIST, &access_list(&list)).is_err() {
        return eprintln!("skipped: the file system has no access lists");
    }
    let before = access(Path::new(&file));
    run(&["fix", "-q", "--in-place", &file], b"").done();
    assert_eq!(access(Path::new(&file)), before);
    run(&["cat", &file, "-o", &place.text("new.sgf")], b"").done();
    assert!(
        access(&place.path("new.sgf")).1.contains_key(ACCESS_LIST),
        "a new file gets the list of its directory"
    );
}
