//! A file on disk, or the volumes of a split file, with every byte counted.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::caps::{Caps, Ledger, Meter};
use crate::fault::{Fault, error_text};
use crate::problem::ArchiveErrorKind;
use crate::stream::Source;

/// Reader that seeks, with any reader of the caller behind it.
trait SeekRead: Read + Seek {}

impl<R: Read + Seek> SeekRead for R {}

enum VolumeBytes {
    /// File of the archive, with the time of its last change when it was opened.
    File(File, Option<SystemTime>),
    /// Reader of the caller, or a temporary copy. It does not change.
    Reader(Box<dyn SeekRead>),
}

struct OpenVolume {
    bytes: VolumeBytes,
    len: u64,
}

impl OpenVolume {
    fn of_reader(reader: impl Read + Seek + 'static, len: u64) -> Self {
        Self {
            bytes: VolumeBytes::Reader(Box::new(reader)),
            len,
        }
    }

    fn bytes(&mut self) -> &mut dyn SeekRead {
        match &mut self.bytes {
            VolumeBytes::File(file, _) => file,
            VolumeBytes::Reader(reader) => &mut **reader,
        }
    }

    fn is_changed(&self) -> bool {
        let VolumeBytes::File(file, modified) = &self.bytes else {
            return false;
        };
        file.metadata()
            .is_ok_and(|now| (now.len(), now.modified().ok()) != (self.len, *modified))
    }
}

/// Archive in one or more opened files, read as one.
pub(crate) struct Disk {
    volumes: Vec<OpenVolume>,
    /// False for pipes and devices.
    pub(crate) seekable: bool,
    current: usize,
    /// Offset in the files as a whole.
    at: u64,
    ledger: Arc<Ledger>,
}

/// Returns `x.7z.001`, `x.7z.002`, … as far as they exist; for other names only `path`.
pub(crate) fn volumes(path: &Path) -> Vec<PathBuf> {
    let mut paths = vec![path.to_path_buf()];
    let stem = path.to_str().and_then(|text| text.strip_suffix(".001"));
    if let Some(stem) = stem {
        let next = (2..).map(|number| PathBuf::from(format!("{stem}.{number:03}")));
        paths.extend(next.take_while(|path| path.is_file()));
    }
    paths
}

impl Disk {
    pub(crate) fn open(path: &Path, ledger: Arc<Ledger>) -> io::Result<Self> {
        let mut disk = Self::new(Vec::new(), ledger);
        for path in volumes(path) {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            disk.seekable &= metadata.is_file();
            disk.volumes.push(OpenVolume {
                bytes: VolumeBytes::File(file, metadata.modified().ok()),
                len: metadata.len(),
            });
        }
        Ok(disk)
    }

    /// Opens files or readers of the caller's, each with its length.
    pub(crate) fn of<V: Read + Seek + 'static>(
        volumes: Vec<(V, u64)>,
        ledger: Arc<Ledger>,
    ) -> Self {
        let volumes = volumes
            .into_iter()
            .map(|(volume, len)| OpenVolume::of_reader(volume, len));
        Self::new(volumes.collect(), ledger)
    }

    fn new(volumes: Vec<OpenVolume>, ledger: Arc<Ledger>) -> Self {
        Self {
            volumes,
            seekable: true,
            current: 0,
            at: 0,
            ledger,
        }
    }

    /// Copies all bytes of `source` to a temporary file, for a format that is readable only by
    /// seeking. The file has no name that others could open, and it is deleted when it is closed.
    /// On targets without files, the copy is in memory.
    pub(crate) fn spool(source: &mut dyn Source, ledger: &Ledger) -> Result<Self, Fault> {
        let system = |err: io::Error| {
            Fault::new(
                ArchiveErrorKind::Unreadable,
                format!("cannot use a temporary file: {}", error_text(&err)),
            )
        };
        let mut file = spool_file().map_err(system)?;
        let mut len = 0;
        loop {
            let found = source
                .fill_buf()
                .map_err(|err| Fault::of(&err, "a 7z archive"))?;
            if found.is_empty() {
                break;
            }
            let step = found.len();
            len += step as u64;
            if len > ledger.caps.spool {
                let most = ledger.caps.spool;
                let message =
                    format!("needs a temporary file of more than {most} bytes (cap `spool`)");
                return Err(Fault::new(ArchiveErrorKind::Cap, message));
            }
            file.write_all(found).map_err(system)?;
            source.consume(step);
        }
        file.rewind().map_err(system)?;
        // These bytes were counted when they were read.
        let uncounted = Arc::new(Ledger::new(Caps::default(), Meter::default(), None));
        Ok(Self::new(vec![OpenVolume::of_reader(file, len)], uncounted))
    }

    /// Returns whether the opened files have changed. Replacing a file by another does not change
    /// the opened one.
    pub(crate) fn is_changed(&self) -> bool {
        self.seekable && self.volumes.iter().any(OpenVolume::is_changed)
    }

    pub(crate) fn len(&self) -> u64 {
        self.volumes.iter().map(|volume| volume.len).sum()
    }
}

#[cfg(not(target_family = "wasm"))]
fn spool_file() -> io::Result<File> {
    tempfile::tempfile()
}

#[cfg(target_family = "wasm")]
fn spool_file() -> io::Result<io::Cursor<Vec<u8>>> {
    Ok(io::Cursor::default())
}

impl Read for Disk {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let last = self.current + 1 == self.volumes.len();
            let len = self.volumes[self.current].bytes().read(out)?;
            if len > 0 || last || out.is_empty() {
                self.at += len as u64;
                self.ledger.add_raw(len as u64);
                return Ok(len);
            }
            self.current += 1;
            self.volumes[self.current].bytes().rewind()?;
        }
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(delta) => self.len().checked_add_signed(delta),
            SeekFrom::Current(delta) => self.at.checked_add_signed(delta),
        };
        let target = target.ok_or(io::ErrorKind::InvalidInput)?;
        let mut within = target;
        self.current = 0;
        while self.current + 1 < self.volumes.len() && within >= self.volumes[self.current].len {
            within -= self.volumes[self.current].len;
            self.current += 1;
        }
        self.volumes[self.current]
            .bytes()
            .seek(SeekFrom::Start(within))?;
        self.at = target;
        Ok(target)
    }
}
