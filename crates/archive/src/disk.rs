//! A file on disk, or the volumes that make up one, with every byte counted.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::caps::Ledger;

/// Opened files, read as one.
#[derive(Debug)]
pub(super) struct Disk {
    /// Each with its length.
    volumes: Vec<(File, u64)>,
    /// False for pipes and devices, which cannot be sought.
    pub(super) seekable: bool,
    current: usize,
    /// Offset in the whole.
    at: u64,
    ledger: Arc<Ledger>,
}

/// `x.7z.001`, `x.7z.002`, … as far as they exist; one path for any other.
pub(super) fn volumes(path: &Path) -> Vec<PathBuf> {
    let mut paths = vec![path.to_path_buf()];
    let stem = path.to_str().and_then(|text| text.strip_suffix(".001"));
    if let Some(stem) = stem {
        let next = (2..).map(|number| PathBuf::from(format!("{stem}.{number:03}")));
        paths.extend(next.take_while(|path| path.is_file()));
    }
    paths
}

impl Disk {
    pub(super) fn open(path: &Path, ledger: Arc<Ledger>) -> io::Result<Self> {
        let mut opened = Vec::new();
        let mut seekable = true;
        for path in volumes(path) {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            seekable &= metadata.is_file();
            opened.push((file, metadata.len()));
        }
        Ok(Self { volumes: opened, seekable, current: 0, at: 0, ledger })
    }

    /// A file already open, read from its start.
    pub(super) fn of(file: File, len: u64, ledger: Arc<Ledger>) -> Self {
        Self { volumes: vec![(file, len)], seekable: true, current: 0, at: 0, ledger }
    }

    pub(super) fn len(&self) -> u64 {
        self.volumes.iter().map(|(_, len)| len).sum()
    }
}

impl Read for Disk {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let last = self.current + 1 == self.volumes.len();
            let len = self.volumes[self.current].0.read(out)?;
            if len > 0 || last || out.is_empty() {
                self.at += len as u64;
                self.ledger.add_raw(len as u64);
                return Ok(len);
            }
            self.current += 1;
            self.volumes[self.current].0.rewind()?;
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
        while self.current + 1 < self.volumes.len() && within >= self.volumes[self.current].1 {
            within -= self.volumes[self.current].1;
            self.current += 1;
        }
        self.volumes[self.current].0.seek(SeekFrom::Start(within))?;
        self.at = target;
        Ok(target)
    }
}
