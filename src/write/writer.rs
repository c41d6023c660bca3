//! Writes events as bytes.

use std::io::{self, Write};

use memchr::memmem;

use crate::event::{Event, Flow, Ident, Place, Property, PropertyPart, Sink, Variation};
use crate::scan::begins_like_game;

/// Layout of a [`Writer`]'s output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// Every byte as it was read. With [`Options::gaps`](crate::Options::gaps) the output equals the input. Parts that
    /// the reader inserted are not written.
    #[default]
    AsWritten,
    /// Each node on a line, each variation on a line of its own, identifiers without lowercase letters, no blanks
    /// between values. Parts that the reader inserted are written, so that the output is well-formed. Values do not
    /// change.
    Canonical,
}

/// Writer of events.
///
/// ```
/// use sgfstream::{Layout, Options, SliceReader, Writer};
///
/// let input = b"mail: see game\n( ;GM[1] AddBlack [aa][bb]\n;B[cc)] ; (;W[dd]";
/// let options = Options::default().with_gaps(true);
///
/// let mut same = Writer::new(Vec::new());
/// for event in SliceReader::with_options(input, options) {
///     same.event(&event)?;
/// }
/// assert_eq!(same.finish()?, input);
///
/// let mut tidy = Writer::with_layout(Vec::new(), Layout::Canonical);
/// for event in SliceReader::new(input) {
///     tidy.event(&event)?;
/// }
/// assert_eq!(tidy.finish()?, b"(;GM[1]AB[aa][bb]\n;B[cc)]\n;\n(;W[dd]))\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    inner: W,
    layout: Layout,
    /// Whether something of the current game was written, so that a node starts on a new line.
    after_node: bool,
    depth: u64,
    /// Whether a variation below the game's own has started, and none of its properties was written.
    begins_variation: bool,
    /// Whether a byte order mark came before the next game; it states the charset of the game.
    has_mark: bool,
    /// The first error, if the writer is used as a sink.
    failed: Option<io::Error>,
}

impl<W: Write> Writer<W> {
    /// Returns a writer that writes the bytes that were read. `inner` should be buffered.
    pub fn new(inner: W) -> Self {
        Self::with_layout(inner, Layout::AsWritten)
    }

    /// Returns a writer with this layout.
    pub fn with_layout(inner: W, layout: Layout) -> Self {
        Self { inner, layout, after_node: false, depth: 0, begins_variation: false, has_mark: false, failed: None }
    }

    /// Writes one event.
    ///
    /// # Errors
    ///
    /// `inner` fails to write.
    pub fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match self.layout {
            Layout::AsWritten => self.as_written(event),
            Layout::Canonical => self.canonical(event),
        }
    }

    fn as_written(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::VariationStart(Variation { supplied: false, .. }) => self.inner.write_all(b"("),
            Event::NodeStart { supplied: false } => self.inner.write_all(b";"),
            Event::VariationEnd(Variation { supplied: false, .. }) => self.inner.write_all(b")"),
            Event::Property(property) => self.inner.write_all(property.as_bytes()),
            Event::PropertyPart(part) => self.inner.write_all(part.as_bytes()),
            Event::Gap(bytes) => self.inner.write_all(bytes),
            _ => Ok(()),
        }
    }

    fn canonical(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::VariationStart { .. } => {
                if std::mem::take(&mut self.has_mark) {
                    self.inner.write_all(MARK)?;
                }
                let start: &[u8] = if self.depth > 0 { b"\n(" } else { b"(" };
                self.begins_variation = self.depth > 0;
                self.depth += 1;
                self.after_node = false;
                self.inner.write_all(start)
            }
            Event::NodeStart { .. } => {
                let start: &[u8] = if self.after_node { b"\n;" } else { b";" };
                self.begins_variation &= !self.after_node;
                self.after_node = true;
                self.inner.write_all(start)
            }
            Event::Property(property) => self.property(property),
            Event::PropertyPart(part) => self.part(part),
            Event::VariationEnd { .. } => {
                self.depth = self.depth.saturating_sub(1);
                self.inner.write_all(if self.depth == 0 { b")\n" } else { b")" })
            }
            Event::Gap(bytes) => {
                self.has_mark |= self.depth == 0 && memmem::find(bytes, MARK).is_some();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Writes an identifier. A property that describes a game, at the start of a variation, may look like another game whose predecessor was
    /// cut off. A blank before its `[` prevents this.
    fn ident(&mut self, ident: Ident<'_>) -> io::Result<()> {
        let ident = ident.canonical();
        self.inner.write_all(&ident)?;
        match std::mem::take(&mut self.begins_variation) && begins_like_game(&[&ident, &b"["[..]].concat()) {
            true => self.inner.write_all(b" "),
            false => Ok(()),
        }
    }

    fn property(&mut self, property: &Property<'_>) -> io::Result<()> {
        self.ident(property.ident())?;
        for value in property.values() {
            let (content, end) = value.closing();
            self.inner.write_all(b"[")?;
            self.inner.write_all(content)?;
            self.inner.write_all(end.as_bytes())?;
        }
        Ok(())
    }

    fn part(&mut self, part: &PropertyPart<'_>) -> io::Result<()> {
        if part.is_property_start() {
            self.ident(part.ident())?;
        }
        if part.is_value_start() {
            self.inner.write_all(b"[")?;
        }
        let content = part.content();
        if !part.is_value_end() {
            return self.inner.write_all(content.as_bytes());
        }
        let (content, end) = content.closing();
        self.inner.write_all(content)?;
        self.inner.write_all(end.as_bytes())
    }

    /// Writes a property with these values, which must be escaped already ([`escape_text`](crate::escape_text)).
    ///
    /// # Errors
    ///
    /// `inner` fails to write.
    ///
    /// ```
    /// use sgfstream::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.write_property("AB", ["aa", "bb"])?;
    /// assert_eq!(writer.finish()?, b"AB[aa][bb]");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_property<V: AsRef<[u8]>>(
        &mut self,
        ident: impl AsRef<[u8]>,
        values: impl IntoIterator<Item = V>,
    ) -> io::Result<()> {
        self.inner.write_all(ident.as_ref())?;
        for value in values {
            self.inner.write_all(b"[")?;
            self.inner.write_all(value.as_ref())?;
            self.inner.write_all(b"]")?;
        }
        Ok(())
    }

    /// Returns the underlying output.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Flushes and returns the underlying output.
    ///
    /// # Errors
    ///
    /// Flushing fails, or writing failed while this writer was a [`Sink`].
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(err) = self.failed.take() {
            return Err(err);
        }
        self.inner.flush()?;
        Ok(self.inner)
    }
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// As a sink, the writer stores the first error and stops there; [`finish`](Writer::finish) returns the error.
impl<W: Write> Sink for Writer<W> {
    fn event(&mut self, event: &Event<'_>, _: &Place) -> Flow {
        match Writer::event(self, event) {
            Ok(()) => Flow::Go,
            Err(err) => {
                self.failed.get_or_insert(err);
                Flow::Stop
            }
        }
    }
}
