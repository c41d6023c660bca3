//! Applies edits to games.

use std::io::{self, Read, Take, Write};
use std::ops::Range;

use sgfstream::internal::ReadAt;
use sgfstream::record::{GameItem, GameReader, GameRecord};
use sgfstream::{CharsetSource, Event, Layout, Options, Reader, SliceReader, Variation, Writer};
use sgfstream_game::Facts;

use super::drop_filter::DropFilter;
use super::notes::NoteKind;
use super::well_formed::{close, repair_structure, write_game};
use super::{EditContext, EditOutput, GameEdit, GameEdits, Notes, write_edited};

/// Note of a game that has no record.
const LONG: &str = "games too long to buffer are unchanged";

/// Changes and notes of a rewrite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The name of each edit, in order, with its number of changes.
    pub changes: Vec<(&'static str, u64)>,
    /// Notes about edits that failed or lost something, each with its number of occurrences.
    pub notes: Notes,
}

/// Applies edits to games, in their order. Each edit reads what the edit before it wrote.
///
/// Without edits a game is unchanged. With edits each game becomes well-formed: the rewriter writes
/// the parts that the reader inserted, and drops and counts the bytes that the reader could not
/// parse.
///
/// ```
/// use sgfstream_adapt::edit::{Rewriter, edit};
///
/// let edits = vec![
///     edit("strip", "comments").expect("an edit"),
///     edit("main-line", "").expect("an edit"),
/// ];
/// let mut rewriter = Rewriter::new(edits);
/// let output = rewriter.slice(b"(;GM[1]\n;B[aa] C[x]\n(;W[bb])(;W[cc])\n)");
/// assert_eq!(output, b"(;GM[1]\n;B[aa]\n;W[bb])");
/// assert_eq!(rewriter.report().changes, [("strip", 1), ("main-line", 1)]);
/// ```
pub struct Rewriter {
    edits: Vec<Box<dyn GameEdit>>,
    changes: Vec<u64>,
    notes: Notes,
    options: Options,
    /// Whether to write missing characters at the end of a game, even without edits.
    closes: bool,
    /// Writer of the canonical layout.
    canonical: Option<Writer<Vec<u8>>>,
    scratch: EditOutput,
}

impl std::fmt::Debug for Rewriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rewriter")
            .field("report", &self.report())
            .finish_non_exhaustive()
    }
}

impl Rewriter {
    /// Returns a rewriter that applies these edits in order.
    #[must_use]
    pub fn new(edits: Vec<Box<dyn GameEdit>>) -> Self {
        let is_canonical = edits.iter().any(|edit| edit.is_canonical());
        Self {
            changes: vec![0; edits.len()],
            edits,
            notes: Notes::default(),
            options: Options::default(),
            closes: false,
            canonical: is_canonical.then(|| Writer::with_layout(Vec::new(), Layout::Canonical)),
            scratch: EditOutput::default(),
        }
    }

    /// Sets the options with which games are read.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Self {
            options: options.with_gaps(false),
            ..self
        }
    }

    /// Returns this rewriter, set to write the `]` and `)` that are missing at the end of a game,
    /// even without edits. Otherwise a reader would take the output after such a game for a part of
    /// it.
    #[must_use]
    pub fn closing_games(self) -> Self {
        Self {
            closes: true,
            ..self
        }
    }

    /// Rewrites all games of `bytes`. The bytes between games are copied.
    pub fn slice(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        self.write_slice(bytes, &mut out)
            .expect("a slice can be read, and a Vec takes all");
        out
    }

    /// Writes all of `bytes` with the games rewritten.
    ///
    /// # Errors
    ///
    /// Writing fails, or reading stops at a limit of the options.
    pub fn write_slice(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        let mut games = GameReader::new(SliceReader::with_options(bytes, self.options));
        let mut end = 0;
        while games.next_game().map_err(io::Error::other)?.is_some() {
            let span = games.span();
            self.between(&bytes[end..span.start as usize], out)?;
            match games.game() {
                Some(game) => self.game(&game, out)?,
                None if self.long_game(&bytes, span.start..span.end, out)? => {}
                None => self.notes.add(NoteKind::Cut, LONG, 1, span.start),
            }
            end = span.end as usize;
        }
        self.between(&bytes[end..], out)
    }

    /// Writes bytes between games.
    ///
    /// # Errors
    ///
    /// Writing fails.
    pub fn between(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        match &mut self.canonical {
            Some(writer) => write_canonical(writer, [Event::Gap(bytes)], out),
            None => out.write_all(bytes),
        }
    }

    /// Writes a game after all edits.
    ///
    /// # Errors
    ///
    /// Writing fails.
    pub fn game(&mut self, game: &GameRecord<'_>, out: &mut impl Write) -> io::Result<()> {
        if self.edits.is_empty() && !self.closes {
            return out.write_all(game.as_bytes());
        }
        if self.edits.is_empty() {
            let (mut edits, mut closed) = (GameEdits::default(), Vec::new());
            close(game, &mut edits);
            write_edited(game.as_bytes(), edits.sorted(), &mut closed);
            return out.write_all(&closed);
        }
        let edited = self.edited(game);
        let Some(writer) = &mut self.canonical else {
            return out.write_all(edited.as_deref().unwrap_or(game.as_bytes()));
        };
        let Some(edited) = edited else {
            return write_canonical(writer, events_of(*game), out);
        };
        let mut result = Ok(());
        each_game(&edited, options_after(self.options, game), |piece| {
            if result.is_ok() {
                result = match piece {
                    Piece::Game(game) => write_canonical(writer, events_of(game), out),
                    Piece::Other(bytes) => out.write_all(bytes),
                };
            }
        });
        result
    }

    /// Returns the bytes of a game after all edits, or `None` if they equal the input.
    fn edited(&mut self, game: &GameRecord<'_>) -> Option<Vec<u8>> {
        let Self {
            edits,
            changes,
            notes,
            options,
            scratch,
            ..
        } = self;
        let mut at = EditContext::of(&Facts::of(*game, 0));
        let mut options = options_after(*options, game);
        (scratch.start, scratch.is_as_read) = (game.span().start, true);
        scratch.edits.clear();
        let changed_from = repair_structure(game, scratch);
        let mut edited: Option<Vec<u8>> = None;
        if !scratch.edits.is_empty() {
            let mut out = Vec::with_capacity(game.as_bytes().len() + 16);
            write_game(game, scratch.edits.sorted(), changed_from, &mut out);
            edited = Some(out);
        }
        for (edit, changes) in edits.iter().zip(changes) {
            for step in 0..edit.steps() {
                scratch.step = step;
                scratch.is_as_read = edited.is_none();
                let mut out = Vec::new();
                let is_changed = match &edited {
                    None => edit_game(&**edit, game, &at, scratch, &mut out),
                    Some(bytes) => edit_bytes(&**edit, bytes, options, &at, scratch, &mut out),
                };
                if is_changed {
                    edited = Some(out);
                }
            }
            *changes += std::mem::take(&mut scratch.changes);
            let charset = at.charset;
            edit.context(&mut at);
            if at.charset != charset {
                options = options.with_charset(Some(at.charset));
            }
        }
        notes.merge(&scratch.notes);
        scratch.notes = Notes::default();
        edited
    }

    /// Writes a game that is too long to buffer: the bytes of `span` in `input`. Edits that drop
    /// whole properties are made. With any other edit the game is unchanged, and this function
    /// returns false.
    ///
    /// # Errors
    ///
    /// Reading or writing fails.
    pub fn long_game(
        &mut self,
        input: &dyn ReadAt,
        span: Range<u64>,
        out: &mut impl Write,
    ) -> io::Result<bool> {
        let is_dropping = |edit: &dyn GameEdit| {
            edit.drops(sgfstream::Ident::new(b"C"), false, &EditContext::default())
        };
        let can_filter =
            !self.edits.is_empty() && self.edits.iter().all(|edit| is_dropping(&**edit).is_some());
        if can_filter && self.canonical.is_none() {
            let mut root =
                GameReader::new(Reader::with_options(read_range(input, &span), self.options));
            let has_root = root.next_root().map_err(io::Error::other)?;
            let context = root
                .game()
                .filter(|_| has_root)
                .map(|game| EditContext::of(&Facts::of(game, 0)));
            let mut reader =
                Reader::with_options(read_range(input, &span), self.options.with_gaps(true));
            let at = context.unwrap_or_default();
            let mut filter = DropFilter::new(&self.edits, &at, span.start, out);
            filter.run(&mut reader)?;
            filter.finish(&mut self.changes, &mut self.notes);
            return Ok(true);
        }
        io::copy(&mut read_range(input, &span), out)?;
        Ok(self.edits.is_empty())
    }

    /// Takes the notes since the last call.
    pub fn take_notes(&mut self) -> Notes {
        std::mem::take(&mut self.notes)
    }

    /// Returns the report so far, without the notes that were taken.
    #[must_use]
    pub fn report(&self) -> Report {
        let names = self.edits.iter().map(|edit| edit.name());
        Report {
            changes: names.zip(self.changes.iter().copied()).collect(),
            notes: self.notes.clone(),
        }
    }
}

/// Returns the options with which the bytes of an edited game are read: a byte order mark before
/// the game is not among them.
fn options_after(options: Options, game: &GameRecord<'_>) -> Options {
    let is_marked = game.charset_source() == CharsetSource::Bom;
    options.with_transcoded(options.is_transcoded || is_marked)
}

/// Edits a game. Returns whether it changed.
fn edit_game(
    edit: &dyn GameEdit,
    game: &GameRecord<'_>,
    at: &EditContext,
    scratch: &mut EditOutput,
    out: &mut Vec<u8>,
) -> bool {
    scratch.edits.clear();
    edit.edit(game, at, scratch);
    if scratch.edits.is_empty() {
        return false;
    }
    out.reserve(game.as_bytes().len() + 64);
    write_game(game, scratch.edits.sorted(), None, out);
    true
}

/// Edits a game that an earlier edit wrote. Returns whether it changed.
fn edit_bytes(
    edit: &dyn GameEdit,
    bytes: &[u8],
    options: Options,
    at: &EditContext,
    scratch: &mut EditOutput,
    out: &mut Vec<u8>,
) -> bool {
    let mut is_changed = false;
    each_game(bytes, options, |piece| match piece {
        Piece::Game(game) if edit_game(edit, &game, at, scratch, out) => is_changed = true,
        Piece::Game(game) => out.extend_from_slice(game.as_bytes()),
        Piece::Other(bytes) => out.extend_from_slice(bytes),
    });
    is_changed
}

/// A game, or bytes that are not of one.
enum Piece<'p> {
    Game(GameRecord<'p>),
    Other(&'p [u8]),
}

/// Passes all of `bytes` to `each`. They are one game, unless an edit made them look like more.
fn each_game(bytes: &[u8], options: Options, mut each: impl FnMut(Piece<'_>)) {
    let mut games = GameReader::new(SliceReader::with_options(bytes, options));
    let mut end = 0;
    while games.next_game().is_ok_and(|game| game.is_some()) {
        let span = games.span();
        each(Piece::Other(&bytes[end..span.start as usize]));
        end = span.end as usize;
        match games.game() {
            Some(game) => each(Piece::Game(game)),
            None => each(Piece::Other(&bytes[span.start as usize..end])),
        }
    }
    each(Piece::Other(&bytes[end..]));
}

/// Returns the events of a game.
fn events_of(game: GameRecord<'_>) -> impl Iterator<Item = Event<'_>> {
    let mut depth = 0;
    game.items(game.tokens()).filter_map(move |item| {
        Some(match item {
            GameItem::VariationStart => {
                depth += 1;
                Event::VariationStart(Variation::new(depth, false))
            }
            GameItem::VariationEnd => {
                depth -= 1;
                Event::VariationEnd(Variation::new(depth + 1, false))
            }
            GameItem::Node => Event::NodeStart { supplied: false },
            GameItem::Property(_, property) => Event::Property(property),
            _ => return None,
        })
    })
}

fn write_canonical<'e>(
    writer: &mut Writer<Vec<u8>>,
    events: impl IntoIterator<Item = Event<'e>>,
    out: &mut impl Write,
) -> io::Result<()> {
    for event in events {
        writer.event(&event)?;
    }
    out.write_all(writer.get_mut())?;
    writer.get_mut().clear();
    Ok(())
}

/// Reads an input from an offset on.
struct OffsetReader<'r> {
    input: &'r dyn ReadAt,
    at: u64,
}

fn read_range<'r>(input: &'r dyn ReadAt, span: &Range<u64>) -> Take<OffsetReader<'r>> {
    let at = span.start;
    OffsetReader { input, at }.take(span.end - at)
}

impl Read for OffsetReader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read_at(self.at, buf)?;
        self.at += count as u64;
        Ok(count)
    }
}
