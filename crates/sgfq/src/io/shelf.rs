//! Games put aside until the end, by place; a new one takes the place of the
//! old. In memory up to a few megabytes, then on disk.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use anyhow::Context;

/// Bytes before they go to disk.
const MEMORY: usize = 4 << 20;

/// Bytes of games that were taken away before the disk is tidied.
const WASTE: u64 = 64 << 20;

#[derive(Default)]
pub(crate) struct Shelf {
    /// For each place the number of its game, and where its bytes are.
    places: BTreeMap<u64, (u64, u64, u64)>,
    /// What is not on disk yet.
    memory: Vec<u8>,
    file: Option<File>,
    /// Bytes on disk.
    on_disk: u64,
    /// Bytes of games that are still there.
    live: u64,
}

/// Writes games to memory and, when that is full, to disk.
struct Writer<'s>(&'s mut Shelf);

impl Write for Writer<'_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.0.memory.len() + buf.len() > MEMORY {
            self.0.spill()?;
        }
        self.0.memory.extend_from_slice(buf);
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shelf {
    /// Puts a game at a place: what `write` writes.
    pub(crate) fn put(
        &mut self,
        place: u64,
        number: u64,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let start = self.end();
        write(&mut Writer(self)).context("temporary file")?;
        let len = self.end() - start;
        self.live += len;
        if let Some((_, _, old)) = self.places.insert(place, (number, start, len)) {
            self.live -= old;
        }
        if self.end() > 2 * self.live + WASTE {
            self.tidy().context("temporary file")?;
        }
        Ok(())
    }

    fn end(&self) -> u64 {
        self.on_disk + self.memory.len() as u64
    }

    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile()?),
        };
        file.seek(SeekFrom::End(0))?;
        file.write_all(&self.memory)?;
        self.on_disk += self.memory.len() as u64;
        self.memory.clear();
        Ok(())
    }

    /// Writes the games that are left to a new file.
    fn tidy(&mut self) -> io::Result<()> {
        self.spill()?;
        let Some(old) = &mut self.file else { return Ok(()) };
        let mut new = tempfile::tempfile()?;
        let mut at = 0;
        for (_, start, len) in self.places.values_mut() {
            old.seek(SeekFrom::Start(*start))?;
            io::copy(&mut old.take(*len), &mut new)?;
            *start = at;
            at += *len;
        }
        self.file = Some(new);
        self.on_disk = at;
        Ok(())
    }

    /// Writes the games in the order of their numbers. False if there are
    /// none.
    pub(crate) fn write(mut self, out: &mut dyn Write) -> anyhow::Result<bool> {
        let mut games: Vec<_> = self.places.values().copied().collect();
        games.sort_unstable();
        for &(_, start, len) in &games {
            if start >= self.on_disk {
                let from = (start - self.on_disk) as usize;
                out.write_all(&self.memory[from..from + len as usize])?;
                continue;
            }
            // A long game may begin on disk and end in memory.
            let on_disk = len.min(self.on_disk - start);
            let file = self.file.as_mut().context("temporary file")?;
            file.seek(SeekFrom::Start(start)).context("temporary file")?;
            io::copy(&mut file.take(on_disk), out)?;
            out.write_all(&self.memory[..(len - on_disk) as usize])?;
        }
        Ok(!games.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_each_place_stay() {
        let mut shelf = Shelf::default();
        let game = |number: u64| vec![b'a' + (number % 26) as u8; 100_000 + number as usize];
        for number in 0..3000 {
            let put = |out: &mut dyn Write| Ok(out.write_all(&game(number))?);
            shelf.put(number % 7, number, put).expect("disk space");
            assert!(shelf.memory.len() <= MEMORY);
            assert!(shelf.end() <= 2 * shelf.live + WASTE);
        }
        let mut out = Vec::new();
        assert!(shelf.write(&mut out).expect("readable"));
        let expected: Vec<u8> = (2993..3000).flat_map(game).collect();
        assert!(out == expected);
        assert!(!Shelf::default().write(&mut Vec::new()).expect("nothing"));
    }
}
