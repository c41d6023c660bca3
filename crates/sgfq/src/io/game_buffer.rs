//! Buffer of games by place. A new game at a place replaces the old one.

use std::io::{self, Write};

use super::spill::Spill;

/// Bytes of replaced games after which the buffer is rewritten.
const WASTE: u64 = 64 << 20;

/// Bytes of a game in the buffer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct BufferedGame {
    number: u64,
    start: u64,
    len: u64,
}

#[derive(Default)]
pub(crate) struct GameBuffer {
    /// The game at each place: 24 bytes per game.
    places: Vec<BufferedGame>,
    spill: Spill,
    /// Bytes of games that were not replaced.
    live: u64,
}

impl GameBuffer {
    /// Puts the game that `write` writes at a place: the next place, or one with a game.
    pub(crate) fn put(
        &mut self,
        place: usize,
        number: u64,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if self.spill.len() > 2 * self.live + WASTE {
            self.tidy()?;
        }
        let start = self.spill.len();
        write(&mut self.spill)?;
        let len = self.spill.len() - start;
        self.live += len;
        match self.places.get_mut(place) {
            Some(old) => {
                self.live -= std::mem::replace(old, BufferedGame { number, start, len }).len
            }
            None => self.places.push(BufferedGame { number, start, len }),
        }
        Ok(())
    }

    /// Adds bytes to the game of a place, which was put last.
    pub(crate) fn append(&mut self, place: usize, bytes: &[u8]) -> io::Result<()> {
        self.places[place].len += bytes.len() as u64;
        self.live += bytes.len() as u64;
        self.spill.write_all(bytes)
    }

    /// Writes the game at an occupied place.
    pub(crate) fn copy(&mut self, place: usize, out: &mut dyn Write) -> io::Result<()> {
        let BufferedGame { start, len, .. } = self.places[place];
        self.spill.copy(start, len, out)
    }

    /// Rewrites the buffer without replaced games.
    fn tidy(&mut self) -> io::Result<()> {
        let mut old = std::mem::take(&mut self.spill);
        for game in &mut self.places {
            let new = self.spill.len();
            old.copy(game.start, game.len, &mut self.spill)?;
            game.start = new;
        }
        Ok(())
    }

    /// Writes the games in the order of their numbers. Returns false if the buffer is empty.
    pub(crate) fn write(mut self, out: &mut dyn Write) -> anyhow::Result<bool> {
        self.places.sort_unstable();
        for &BufferedGame { start, len, .. } in &self.places {
            self.spill.copy(start, len, out)?;
        }
        Ok(!self.places.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_each_place_stay() {
        let mut shelf = GameBuffer::default();
        let game = |number: u64| vec![b'a' + (number % 26) as u8; 100_000 + number as usize];
        for number in 0..3000 {
            let put = |out: &mut dyn Write| Ok(out.write_all(&game(number))?);
            shelf
                .put((number % 7) as usize, number, put)
                .expect("disk space");
            assert!(shelf.spill.len() <= 2 * shelf.live + WASTE + 200_000);
        }
        let mut out = Vec::new();
        assert!(shelf.write(&mut out).expect("readable"));
        let expected: Vec<u8> = (2993..3000).flat_map(game).collect();
        assert!(out == expected);
        assert!(
            !GameBuffer::default()
                .write(&mut Vec::new())
                .expect("nothing")
        );
    }
}
