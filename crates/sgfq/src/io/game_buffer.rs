//! Games put aside until the end, by place; a new one takes the place of the
//! old.

use std::io::{self, Write};

use super::spill::Spill;

/// Bytes of games that were taken away before the rest is written anew.
const WASTE: u64 = 64 << 20;

#[derive(Default)]
pub(crate) struct GameBuffer {
    /// For each place the number of its game, and where its bytes are: 24 bytes a game.
    places: Vec<(u64, u64, u64)>,
    spill: Spill,
    /// Bytes of games that are still there.
    live: u64,
}

impl GameBuffer {
    /// Puts a game at a place, the next one or one that has a game: what `write` writes.
    pub(crate) fn put(
        &mut self,
        place: usize,
        number: u64,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let start = self.spill.len();
        write(&mut self.spill)?;
        let len = self.spill.len() - start;
        self.live += len;
        match self.places.get_mut(place) {
            Some(old) => self.live -= std::mem::replace(old, (number, start, len)).2,
            None => self.places.push((number, start, len)),
        }
        if self.spill.len() > 2 * self.live + WASTE {
            self.tidy()?;
        }
        Ok(())
    }

    /// Writes the game at a place that has one.
    pub(crate) fn copy(&mut self, place: usize, out: &mut dyn Write) -> io::Result<()> {
        let (_, start, len) = self.places[place];
        self.spill.copy(start, len, out)
    }

    /// Keeps only the games that are left.
    fn tidy(&mut self) -> io::Result<()> {
        let mut old = std::mem::take(&mut self.spill);
        for (_, start, len) in &mut self.places {
            let new = self.spill.len();
            old.copy(*start, *len, &mut self.spill)?;
            *start = new;
        }
        Ok(())
    }

    /// Writes the games in the order of their numbers. False if there are
    /// none.
    pub(crate) fn write(mut self, out: &mut dyn Write) -> anyhow::Result<bool> {
        self.places.sort_unstable();
        for &(_, start, len) in &self.places {
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
            shelf.put((number % 7) as usize, number, put).expect("disk space");
            assert!(shelf.spill.len() <= 2 * shelf.live + WASTE);
        }
        let mut out = Vec::new();
        assert!(shelf.write(&mut out).expect("readable"));
        let expected: Vec<u8> = (2993..3000).flat_map(game).collect();
        assert!(out == expected);
        assert!(!GameBuffer::default().write(&mut Vec::new()).expect("nothing"));
    }
}
