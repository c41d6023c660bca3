//! Access of a file that replaces another one: owner, group, permissions, access list and extended
//! attributes. On macOS and Windows, the access list is not an attribute and is not copied.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// Gives the file `new` the owner, the permissions, the access list and the extended attributes of
/// the file `old`.
///
/// Not every user may give a file to another owner or group, so this function returns a sentence
/// about each difference. If the group differs, the new group gets the rights of all others.
///
/// # Errors
///
/// If an attribute or the permissions cannot be copied. The new file must then not replace the old
/// one, because users could read it whom the old file shuts out.
pub fn copy_access(old: &Path, new: &Path) -> io::Result<Vec<String>> {
    let metadata = fs::metadata(old)?;
    let mut permissions = metadata.permissions();
    let mut differences = Vec::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let keeps_group = copy_owner(&metadata, new, &mut differences)?;
        let has_list = attributes::copy(old, new)?;
        if !keeps_group {
            if has_list {
                return Err(io::Error::other(
                    "cannot keep the group of a file with an access list",
                ));
            }
            let mode = permissions.mode();
            permissions.set_mode(mode & !0o070 | (mode & 0o007) << 3);
        }
    }
    fs::set_permissions(new, permissions)?;
    Ok(differences)
}

/// Returns whether the new file has the group of the old one.
#[cfg(unix)]
fn copy_owner(old: &Metadata, new: &Path, differences: &mut Vec<String>) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, chown};
    let (uid, gid) = (old.uid(), old.gid());
    let created = fs::metadata(new)?;
    let keeps_group = created.gid() == gid || chown(new, None, Some(gid)).is_ok();
    if !keeps_group {
        differences.push(format!("cannot keep the group {gid}"));
    }
    if created.uid() != uid && chown(new, Some(uid), None).is_err() {
        differences.push(format!("cannot keep the owner {uid}"));
    }
    Ok(keeps_group)
}

#[cfg(unix)]
mod attributes {
    use std::ffi::{OsStr, OsString};
    use std::io;
    use std::path::Path;

    /// Attribute with the access list. While a file has it, the group's permissions are the mask of
    /// the list.
    const ACCESS_LIST: &str = "system.posix_acl_access";

    /// Attributes that the system sets: hashes of the content, and the program that wrote the file.
    const OF_SYSTEM: [&str; 3] = ["security.ima", "security.evm", "com.apple.provenance"];

    /// Gives `new` the attributes of `old`, and no others: a directory may give its new files an
    /// access list. Returns whether the file has an access list.
    pub(super) fn copy(old: &Path, new: &Path) -> io::Result<bool> {
        let (wanted, created) = match (names(old), names(new)) {
            (Ok(wanted), Ok(created)) => (wanted, created),
            // The file system has no attributes.
            (Err(err), Err(same)) if err.raw_os_error() == same.raw_os_error() => return Ok(false),
            (Err(err), _) | (_, Err(err)) => return Err(err),
        };
        for name in created.iter().filter(|name| !wanted.contains(name)) {
            xattr::remove(new, name).map_err(|err| named(name, &err))?;
        }
        for name in &wanted {
            copy_one(old, new, name).map_err(|err| named(name, &err))?;
        }
        Ok(wanted.iter().any(|name| name == ACCESS_LIST))
    }

    fn names(path: &Path) -> io::Result<Vec<OsString>> {
        let names = xattr::list(path)?;
        Ok(names
            .filter(|name| OF_SYSTEM.iter().all(|of_system| name != of_system))
            .collect())
    }

    fn copy_one(old: &Path, new: &Path, name: &OsStr) -> io::Result<()> {
        let value = xattr::get(old, name)?.unwrap_or_default();
        if xattr::get(new, name)?.as_ref() == Some(&value) {
            return Ok(());
        }
        xattr::set(new, name, &value)
    }

    fn named(name: &OsStr, err: &io::Error) -> io::Error {
        let kind = if name == ACCESS_LIST {
            "access list"
        } else {
            "attribute"
        };
        let cause = crate::error_text(err);
        io::Error::other(format!(
            "cannot keep the {kind} `{}`: {cause}",
            name.to_string_lossy()
        ))
    }
}
