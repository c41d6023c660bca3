//! A game that owns its bytes.

use super::{GameRecord, TokenBuffer};

/// A game that owns its bytes and tokens, so that it can be stored and sent to another thread.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::{GameReader, OwnedGame};
///
/// let mut games = GameReader::new(SliceReader::new(b"(;B[pd])(;B[dd];W[pp])"));
/// let (mut game, mut nodes) = (OwnedGame::default(), 0);
/// while games.read_game(&mut game)? {
///     nodes += std::thread::scope(|scope| {
///         scope.spawn(|| game.record().nodes().count()).join().expect("no panic")
///     });
/// }
/// assert_eq!(nodes, 3);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct OwnedGame {
    pub(super) bytes: Vec<u8>,
    pub(super) buffer: TokenBuffer,
}

impl OwnedGame {
    /// Returns the game as a record that borrows from this copy.
    #[must_use]
    pub fn record(&self) -> GameRecord<'_> {
        GameRecord::new(&self.bytes, &self.buffer, self.buffer.base)
    }

    pub(super) fn copy_from(&mut self, game: GameRecord<'_>) {
        self.bytes.clear();
        self.bytes.extend_from_slice(game.as_bytes());
        self.buffer.copy_from(game.buffer());
    }
}

impl GameRecord<'_> {
    /// Returns a copy that owns its bytes.
    #[must_use]
    pub fn to_owned_game(&self) -> OwnedGame {
        let mut game = OwnedGame::default();
        game.copy_from(*self);
        game
    }
}
