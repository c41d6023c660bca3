//! Whether a repair left the main lines as they were.

use std::io::{self, Read, Seek};

use sgfstream::{Event, EventReader, Result};
use sgfstream_game::{GameState, Hold};

/// Bytes that are looked at together.
const CHUNK: usize = 8 << 10;

/// True if some `]` or `\` may be the second byte of a character: what comes after it tells, and that may change. After
/// text that is UTF-8, none is.
pub(super) fn has_doubt(bytes: &mut (impl Read + Seek)) -> io::Result<bool> {
    bytes.rewind()?;
    let (mut buffer, mut start) = ([0; CHUNK], 0);
    loop {
        let len = bytes.read(&mut buffer[start..])?;
        let read = &buffer[..start + len];
        if len == 0 {
            return Ok(false);
        }
        let mut is_doubt = false;
        for chunk in read.utf8_chunks() {
            if is_doubt && chunk.valid().starts_with([']', '\\']) {
                return Ok(true);
            }
            is_doubt = !chunk.invalid().is_empty();
            start = chunk.invalid().len();
        }
        // What the end has of a character is looked at with what follows.
        let end = read.len();
        buffer.copy_within(end - start..end, 0);
    }
}

/// Main lines as they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    /// A number for how many moves the main line of each game has, in their order; games without moves do not count. Equal
    /// where these are equal, and hardly elsewhere.
    moves: u64,
    /// Games whose `)` is not there.
    unclosed: u64,
}

impl Lines {
    /// The lines of what `reader` reads.
    pub(super) fn of(reader: &mut impl EventReader) -> Result<Self> {
        let (mut state, mut lines, mut game, mut ply) = (GameState::new(Hold::Moves), Self::default(), 0, 0);
        while reader.advance()? {
            if reader.game() != game {
                game = reader.game();
                lines.end(ply);
            }
            let (event, place) = (reader.event(), reader.place());
            lines.unclosed +=
                u64::from(place.depth == 1 && matches!(event, Event::VariationEnd { supplied: true, .. }));
            _ = state.event(&event, &place);
            ply = state.ply();
        }
        _ = state.end_input();
        lines.end(state.ply());
        Ok(lines)
    }

    fn end(&mut self, ply: u64) {
        if ply > 0 {
            self.moves = (self.moves ^ ply).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
        }
    }

    /// True if these lines are the ones `before` a repair. It may have closed games; if it opened one, that goes on into
    /// what follows.
    pub(super) fn are(self, before: Self) -> bool {
        self.moves == before.moves && self.unclosed <= before.unclosed
    }
}
