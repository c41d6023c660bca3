//! Which games there are: their names, and where their bytes are.

/// Names and places of games, by their numbers from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Games {
    /// Where the bytes of each game end; they begin where those of the game before end.
    ends: Vec<u64>,
    /// Which file each game is from, and its number in it.
    places: Vec<(u32, u32)>,
    /// Names of files, one after another, and where each ends.
    names: String,
    name_ends: Vec<usize>,
}

impl Games {
    /// Adds a game of so many bytes. Games of one file come one after another.
    pub(crate) fn push(&mut self, name: &str, number: u64, len: u64) {
        if self.name_ends.is_empty() || self.name(self.name_ends.len() - 1) != name {
            self.names.push_str(name);
            self.name_ends.push(self.names.len());
        }
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        self.places.push((self.name_ends.len() as u32 - 1, number));
        self.ends.push(self.bytes() + len);
    }

    fn name(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.name_ends[before]);
        &self.names[start..self.name_ends[at]]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes of all games.
    pub(crate) fn bytes(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The file of a game, and its number there.
    pub(crate) fn place(&self, game: u32) -> Option<(&str, u64)> {
        let &(name, number) = self.places.get(game as usize)?;
        Some((self.name(name as usize), number.into()))
    }

    /// Where the bytes of a game are, and how many.
    pub(crate) fn span(&self, game: u32) -> Option<(u64, u64)> {
        let end = *self.ends.get(game as usize)?;
        let start = (game as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        Some((start, end - start))
    }
}
