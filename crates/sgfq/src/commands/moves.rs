//! `sgfq moves`: prints main lines as text.

use clap::Args;

use sgfstream::Ident;
use sgfstream::record::TokenKind;
use sgfstream_engine::Out;
use sgfstream_game::{Coordinates, Facts, Move};
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::coords::Coords;
use crate::args::io::Io;
use crate::args::threads::{self, ANSWER, Lines, Pool};
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::terminal::clean;

/// Print the moves of each main line, one line per game.
///
/// `moves` prints each move as a property: `B[pd] W[dp] B[]`. With `--plain`, it prints only the
/// value, and `pass` for a pass.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq moves game.sgf\n\
\x20 sgfq moves --plain --moves 8 games/")]
pub(crate) struct Moves {
    /// Print values without properties.
    #[arg(long)]
    plain: bool,

    /// Print the first N moves of each game.
    #[arg(long = "moves", alias = "limit", short_alias = 'n', value_name = "N")]
    limit: Option<u64>,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    io: Io<Pool>,
}

/// Maximum number of nodes to read before the main line. If only a few moves are wanted, as many
/// nodes are usually enough.
const FIRST_NODES: usize = 64;

/// Options of the output.
struct Listing {
    plain: bool,
    coordinates: Coordinates,
    limit: usize,
}

impl Listing {
    /// Returns whether moves are converted to other coordinates.
    fn is_spelled(&self) -> bool {
        self.coordinates != Coordinates::Sgf
    }

    /// Writes the moves of the main line, and a newline. Returns whether the line has all the moves
    /// that it may have.
    fn write_line(&self, facts: &Facts<'_>, text: &mut Vec<u8>) -> bool {
        let (game, mut count) = (facts.record(), 0);
        let below = game.after_root(game.main_line());
        for &token in game.root_tokens().iter().chain(below) {
            let left = self.limit - count;
            if token.kind() == TokenKind::Run && facts.has_letters() {
                for at in token.places().take(left) {
                    count += 1;
                    self.write_plain_move(facts, text, count, &game.as_bytes()[at..at + 5]);
                }
            } else {
                for played in facts.moves_of_token(token).take(left) {
                    count += 1;
                    self.write_move(facts, text, count, played.ident, &played.bytes());
                }
            }
        }
        text.push(b'\n');
        count == self.limit
    }

    /// Writes the move with this number, from 1, which has the form `B[pd]`.
    fn write_plain_move(
        &self,
        facts: &Facts<'_>,
        text: &mut Vec<u8>,
        number: usize,
        written: &[u8],
    ) {
        let value = &written[2..4];
        // Bytes beyond ASCII may be parts of a character.
        let is_copied = !self.plain && !self.is_spelled() && value.iter().all(u8::is_ascii_graphic);
        if !is_copied {
            return self.write_move(facts, text, number, Ident::new(&written[..1]), value);
        }
        text.extend_from_slice(if number > 1 { b" " } else { b"" });
        text.extend_from_slice(written);
    }

    fn write_move(
        &self,
        facts: &Facts<'_>,
        text: &mut Vec<u8>,
        number: usize,
        ident: Ident<'_>,
        value: &[u8],
    ) {
        if number > 1 {
            text.push(b' ');
        }
        let is_spelled = self.is_spelled();
        let played = if self.plain || is_spelled {
            facts.dialect().parse_move(value).ok()
        } else {
            None
        };
        if self.plain && played.as_ref().is_some_and(Move::is_pass) {
            return text.extend_from_slice(b"pass");
        }
        let shown = match played.filter(|_| is_spelled) {
            Some(played) => facts
                .dialect()
                .show_move_in(&played, self.coordinates)
                .to_string()
                .into(),
            None => String::from_utf8_lossy(value),
        };
        let shown = clean(&shown);
        match (self.plain, shown.trim()) {
            (true, "") => text.extend_from_slice(b"[]"),
            (true, shown) => text.extend_from_slice(shown.as_bytes()),
            (false, _) => {
                text.extend_from_slice(String::from_utf8_lossy(&ident.canonical()).as_bytes());
                text.push(b'[');
                text.extend_from_slice(shown.as_bytes());
                text.push(b']');
            }
        }
    }
}

impl Moves {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let coordinates = self.coords.or(Coordinates::Sgf);
        let (chooser, limit) = (
            self.io.parse_without_text()?,
            self.limit.unwrap_or(u64::MAX) as usize,
        );
        let listing = Listing {
            plain: self.plain,
            coordinates,
            limit,
        };
        let job = threads::each_part(
            || chooser.row(ColumnSet::default()),
            |filled, part, lines: &mut Out<'_, Lines>| {
                let mut rows = RowReader::of_part(part, filled)?;
                while chooser.next(&mut rows)? {
                    let start = lines.text.len();
                    let mut is_full = false;
                    if limit <= FIRST_NODES {
                        rows.games_mut().read_nodes(limit)?;
                        is_full = rows
                            .facts()
                            .is_some_and(|facts| listing.write_line(&facts, &mut lines.text));
                    }
                    if !is_full {
                        lines.text.truncate(start);
                        let Some(facts) = rows.read_main_line()? else {
                            continue;
                        };
                        listing.write_line(&facts, &mut lines.text);
                    }
                    if !threads::hand_out_if_full(lines) {
                        break;
                    }
                }
                Ok(rows.end()?)
            },
        );
        self.io.write_lines(out, &chooser, ANSWER, "", &job)
    }
}
