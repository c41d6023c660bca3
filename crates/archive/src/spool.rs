//! A temporary file for what can be read only by seeking and comes as a
//! stream. Only its owner can read it, and it is gone when it is dropped.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::caps::{Caps, Ledger, Meter};
use super::disk::Disk;
use super::fault::Fault;
use super::problem::Trouble;
use super::stream::Source;

pub(super) struct Spool {
    pub(super) disk: Disk,
    /// Removed after `disk` is closed: fields are dropped in order.
    _guard: Guard,
}

struct Guard(PathBuf);

impl Drop for Guard {
    fn drop(&mut self) {
        if cfg!(not(unix)) {
            // Gone already, or nothing that could be done about it.
            let _ = std::fs::remove_file(&self.0);
        }
    }
}

impl Spool {
    /// All of `source`, on disk.
    pub(super) fn fill(source: &mut dyn Source, ledger: &Ledger) -> Result<Self, Fault> {
        let system = |err: io::Error| Fault::new(Trouble::Unreadable, "a temporary file", err.to_string());
        let (mut file, guard) = create().map_err(system)?;
        let mut len = 0;
        loop {
            let found = source.fill_buf().map_err(|err| Fault::of(&err, "a 7z archive"))?;
            if found.is_empty() {
                break;
            }
            len += found.len() as u64;
            if len > ledger.caps.spool {
                let expected = format!("at most {} bytes in a temporary file (cap `spool`)", ledger.caps.spool);
                return Err(Fault::new(Trouble::Cap, expected, "more"));
            }
            file.write_all(found).map_err(system)?;
            let step = found.len();
            source.consume(step);
        }
        file.rewind().map_err(system)?;
        // These bytes were counted when they came in.
        let uncounted = Ledger::new(Caps::default(), Meter::default(), None);
        Ok(Self { disk: Disk::of(file, len, Arc::new(uncounted)), _guard: guard })
    }
}

fn create() -> io::Result<(File, Guard)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    loop {
        let name = format!("sgfstream-{}-{}.tmp", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(name);
        match options.open(&path) {
            Ok(file) => {
                // Where an open file needs no name, it goes however the process ends.
                #[cfg(unix)]
                let _ = std::fs::remove_file(&path);
                return Ok((file, Guard(path)));
            }
            // Left over from another process that had this number.
            Err(err) if err.kind() == io::ErrorKind::AlreadyExists => {}
            Err(err) => return Err(err),
        }
    }
}
