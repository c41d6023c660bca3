//! Writes a game with the characters that its file lacks.

use std::io::{self, Write};

use sgfstream::record::{GameRecord, TokenKind};

/// Writes the bytes of a game that was read to its end, with the characters that a complete game
/// needs: a missing `(`, what closes an unclosed last value, and the missing `)`.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_table::row::write_complete;
///
/// let mut games = GameReader::new(SliceReader::new(b"mail (;B[aa]) (;B[bb](;C[cut"));
/// let mut written = Vec::new();
/// while let Some(game) = games.next_game()? {
///     write_complete(&game.expect("it is short"), &mut written).expect("memory");
/// }
/// assert_eq!(written, b"(;B[aa])(;B[bb](;C[cut]))");
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if `out` fails.
pub fn write_complete(game: &GameRecord<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (tokens, mut kept) = (game.tokens(), game.as_bytes());
    let lacks_start = tokens.first().is_some_and(|open| open.is_inserted());
    let mut tail = Vec::new();
    // If the last `)` exists, so do all before it.
    if tokens.last().is_some_and(|close| close.is_inserted()) {
        let last = tokens
            .iter()
            .rfind(|token| matches!(token.kind(), TokenKind::Property | TokenKind::Move));
        if let Some(value) = last.and_then(|&token| game.property(token).cut_value()) {
            // A last `\` would escape the added `]`.
            let (closed, end) = value.closing();
            kept = &kept[..kept.len() + closed.len() - value.as_bytes().len()];
            tail.extend_from_slice(end.as_bytes());
        }
        let written = |kind| {
            tokens
                .iter()
                .filter(|token| token.kind() == kind && !token.is_inserted())
                .count()
        };
        let opened = written(TokenKind::Open) + usize::from(lacks_start);
        // A reader accepts any depth, but an input that lacks more than this is not a game.
        let missing = opened
            .saturating_sub(written(TokenKind::Close))
            .min(1 << 24);
        tail.resize(tail.len() + missing, b')');
    }
    out.write_all(if lacks_start { b"(" } else { b"" })?;
    out.write_all(kept)?;
    out.write_all(&tail)
}
