//! Writes events as bytes.

use std::io::{self, Write};

use memchr::memchr_iter;

use crate::base::Charset;
use crate::event::{Event, Flow, Ident, Place, Property, PropertyPart, Sink, Variation};
use crate::scan::{Framing, begins_like_game};

use super::TextCharset;
use super::encode::{WriteError, encode_property, encode_texts};

/// Layout of a [`Writer`]'s output.
///
/// ```
/// use sgfstream::{Layout, SliceReader, Writer};
///
/// let mut writer = Writer::with_layout(Vec::new(), Layout::Canonical);
/// for event in SliceReader::new(b"( ;GaMe [1] ;B[aa]").events() {
///     writer.event(&event?)?;
/// }
/// assert_eq!(writer.finish()?, b"(;GM[1]\n;B[aa])\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// Every byte as it was read. With [`Options::gaps`](crate::Options::gaps) the output equals
    /// the input. Parts that the reader inserted are not written, except a node start after the
    /// properties of another node.
    #[default]
    AsWritten,
    /// Each node on a line, each variation on a line of its own, identifiers without lowercase
    /// letters, no blanks between values. Parts that the reader inserted are written, so that the
    /// output is well-formed. Values do not change.
    Canonical,
}

/// Writer of events, games and properties.
///
/// [`event`](Self::event) writes the events of a reader, also problems. All methods that write new
/// parts check them: [`start_game`](Self::start_game), [`start_node`](Self::start_node),
/// [`text`](Self::text) and [`property`](Self::property) return an error if a reader would not find
/// the same part in the output. Only [`raw`](Self::raw) does not check.
///
/// ```
/// use sgfstream::{Event, EventReader, Options, SliceReader, Writer};
///
/// // Sets a property and keeps all other bytes. The text gets the charset of the game.
/// let input = b"( ;CA [GBK]\nPB[\xba\xda] ;B[pd])";
/// let mut reader = SliceReader::with_options(input, Options::default().with_gaps(true));
/// let mut writer = Writer::new(Vec::new());
/// while reader.advance()? {
///     match reader.event() {
///         Event::Property(property) if property.ident() == "PB" => {
///             writer.text("PB", "李 [9]")?
///         }
///         event => writer.event(&event)?,
///     }
/// }
/// assert_eq!(writer.finish()?, b"( ;CA [GBK]\nPB[\xc0\xee [9\\]] ;B[pd])");
///
/// // Writes a new game.
/// let mut writer = Writer::new(Vec::new());
/// writer.start_game()?;
/// writer.start_node()?;
/// writer.text("PB", "Ada [9]")?;
/// writer.start_node()?;
/// writer.property("B", ["pd"])?;
/// writer.end_variation()?;
/// assert_eq!(writer.finish()?, b"(;PB[Ada [9\\]];B[pd])");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```
/// use sgfstream::{Layout, Options, SliceReader, Writer};
///
/// let input = b"mail: see game\n( ;GM[1] AddBlack [aa][bb]\n;B[cc)] ; (;W[dd]";
/// let options = Options::default().with_gaps(true);
///
/// let mut same = Writer::new(Vec::new());
/// for event in SliceReader::with_options(input, options).events() {
///     same.event(&event?)?;
/// }
/// assert_eq!(same.finish()?, input);
///
/// let mut tidy = Writer::with_layout(Vec::new(), Layout::Canonical);
/// for event in SliceReader::new(input).events() {
///     tidy.event(&event?)?;
/// }
/// assert_eq!(tidy.finish()?, b"(;GM[1]AB[aa][bb]\n;B[cc)]\n;\n(;W[dd]))\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    inner: W,
    layout: Layout,
    depth: u64,
    place: WriterPlace,
    /// Whether the current node is the first of its game.
    in_root: bool,
    /// Whether the current game was started by a call, so that it must end.
    is_new: bool,
    /// Charset and framing of the current game.
    texts: TextCharset,
    framing: Framing,
    /// Whether a variation below the game's own has started, and none of its properties was
    /// written.
    begins_variation: bool,
    /// Whether a byte order mark came before the next game; it states the charset of the game.
    has_mark: bool,
    /// The first error, if the writer is used as a sink.
    failed: Option<io::Error>,
}

/// Place of the last part that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriterPlace {
    /// After `(`.
    VariationStart,
    /// In a node.
    Node,
    /// After `)`, or before the first game.
    VariationEnd,
}

impl<W: Write> Writer<W> {
    /// Returns a writer that writes the bytes that were read. `inner` should be buffered.
    pub fn new(inner: W) -> Self {
        Self::with_layout(inner, Layout::AsWritten)
    }

    /// Returns a writer with this layout.
    pub fn with_layout(inner: W, layout: Layout) -> Self {
        Self {
            inner,
            layout,
            depth: 0,
            place: WriterPlace::VariationEnd,
            in_root: false,
            is_new: false,
            texts: TextCharset::default(),
            framing: Framing::Auto,
            begins_variation: false,
            has_mark: false,
            failed: None,
        }
    }

    /// Writes one event.
    ///
    /// # Errors
    ///
    /// `inner` fails to write, or the event does not fit a [`text`](Self::text) before: it shows
    /// that the game has another charset, or that its charset is unknown.
    pub fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Property(property) => {
                self.framing = property.framing();
                if property.charset() != self.texts.charset() {
                    self.texts = self.texts.declare(property.charset())?;
                }
                if has_text_beyond_ascii(property) {
                    self.texts = self.texts.with_bytes(property.as_bytes())?;
                }
            }
            Event::PropertyPart(part) => {
                self.texts = self.texts.with_bytes(whole_characters(part.as_bytes()))?
            }
            _ => {}
        }
        match self.layout {
            Layout::AsWritten => self.as_written(event)?,
            Layout::Canonical => self.canonical(event)?,
        }
        match event {
            Event::VariationStart(_) => {
                if self.depth == 0 {
                    (self.texts, self.framing) = (TextCharset::default(), Framing::Auto);
                    self.is_new = false;
                }
                self.begins_variation = self.depth > 0;
                self.depth += 1;
                self.place = WriterPlace::VariationStart;
            }
            Event::NodeStart { .. } => {
                let is_first = self.place == WriterPlace::VariationStart;
                self.begins_variation &= is_first;
                self.in_root = is_first && self.depth == 1;
                self.place = WriterPlace::Node;
            }
            Event::Property(_) | Event::PropertyPart(_) => self.begins_variation = false,
            Event::VariationEnd(_) => {
                self.depth = self.depth.saturating_sub(1);
                self.place = WriterPlace::VariationEnd;
            }
            Event::Gap(_) | Event::Problem(_) => {}
        }
        Ok(())
    }

    /// Returns an error if a game cannot start, because another game has not ended.
    pub(crate) fn check_between_games(&self) -> Result<(), WriteError> {
        match self.depth {
            0 => Ok(()),
            _ => Err(WriteError::Nesting(
                "a game cannot start before the previous game ends",
            )),
        }
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// Starts a game. Call [`start_node`](Self::start_node) next.
    ///
    /// # Errors
    ///
    /// `inner` fails to write, or another game has not ended.
    pub fn start_game(&mut self) -> io::Result<()> {
        self.check_between_games()?;
        self.event(&Event::VariationStart(Variation {
            depth: 1,
            supplied: false,
        }))?;
        self.is_new = true;
        Ok(())
    }

    /// Starts a variation after the current node, or after another variation of that node.
    ///
    /// # Errors
    ///
    /// `inner` fails to write, or the game has no node yet.
    pub fn start_variation(&mut self) -> io::Result<()> {
        if self.depth == 0 || self.place == WriterPlace::VariationStart {
            return Err(WriteError::Nesting("a variation needs a node before it").into());
        }
        self.event(&Event::VariationStart(Variation {
            depth: self.depth + 1,
            supplied: false,
        }))
    }

    /// Starts a node.
    ///
    /// # Errors
    ///
    /// `inner` fails to write, or the node would follow a variation or be outside of a game.
    pub fn start_node(&mut self) -> io::Result<()> {
        if self.place == WriterPlace::VariationEnd {
            return Err(WriteError::Nesting(
                "a node needs a game or variation that starts before it",
            )
            .into());
        }
        self.event(&Event::NodeStart { supplied: false })
    }

    /// Ends the current variation, or the game if no variation is open.
    ///
    /// # Errors
    ///
    /// `inner` fails to write, or the variation has no node.
    pub fn end_variation(&mut self) -> io::Result<()> {
        if self.depth == 0 || self.place == WriterPlace::VariationStart {
            return Err(WriteError::Nesting("a variation needs a node before its end").into());
        }
        self.event(&Event::VariationEnd(Variation {
            depth: self.depth,
            supplied: false,
        }))
    }

    fn as_written(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::VariationStart(Variation {
                supplied: false, ..
            }) => self.inner.write_all(b"("),
            // A filter may have dropped the `(` before it. Then the properties would belong to the
            // node before.
            Event::NodeStart { supplied } if !supplied || self.place == WriterPlace::Node => {
                self.inner.write_all(b";")
            }
            Event::VariationEnd(Variation {
                supplied: false, ..
            }) => self.inner.write_all(b")"),
            Event::Property(property) => self.inner.write_all(property.as_bytes()),
            Event::PropertyPart(part) => self.inner.write_all(part.as_bytes()),
            Event::Gap(bytes) => self.inner.write_all(bytes),
            _ => Ok(()),
        }
    }

    fn canonical(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::VariationStart(_) => {
                if std::mem::take(&mut self.has_mark) {
                    self.inner.write_all(MARK)?;
                }
                self.inner
                    .write_all(if self.depth > 0 { b"\n(" } else { b"(" })
            }
            Event::NodeStart { .. } => {
                let is_first = self.place == WriterPlace::VariationStart;
                self.begins_variation &= is_first;
                self.inner.write_all(if is_first { b";" } else { b"\n;" })
            }
            Event::Property(property) => self.canonical_property(property),
            Event::PropertyPart(part) => self.part(part),
            Event::VariationEnd(_) => {
                self.inner
                    .write_all(if self.depth <= 1 { b")\n" } else { b")" })
            }
            Event::Gap(bytes) => {
                self.has_mark |= self.depth == 0
                    && memchr_iter(MARK[0], bytes).any(|at| bytes[at..].starts_with(MARK));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Writes an identifier. A property that describes a game, at the start of a variation, may
    /// look like another game whose predecessor was cut off. A blank before its `[` prevents this.
    fn ident(&mut self, ident: Ident<'_>) -> io::Result<()> {
        let ident = ident.canonical();
        self.inner.write_all(&ident)?;
        match std::mem::take(&mut self.begins_variation)
            && begins_like_game(&[&ident, &b"["[..]].concat())
        {
            true => self.inner.write_all(b" "),
            false => Ok(()),
        }
    }

    fn canonical_property(&mut self, property: &Property<'_>) -> io::Result<()> {
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

    /// Writes a property with one text, escaped and in the charset of the game. That is UTF-8 until
    /// the game declares another charset, so write `CA` before other texts.
    ///
    /// A game without `CA` whose texts are not UTF-8 takes ASCII texts only, unless the reader has
    /// another charset for it. If other bytes came before the text, this method returns the error.
    /// If they come after the text, [`event`](Self::event) returns the error; the output then ends
    /// within the game.
    ///
    /// ```
    /// use sgfstream::{Event, EventReader, SliceReader, Writer};
    ///
    /// // A game in GBK that does not say so.
    /// let mut reader = SliceReader::new(b"(;PB[?]PW[\xba\xda])");
    /// let mut writer = Writer::new(Vec::new());
    /// let mut result = Ok(());
    /// while result.is_ok() && reader.advance()? {
    ///     result = match reader.event() {
    ///         Event::Property(property) if property.ident() == "PB" => writer.text("PB", "李"),
    ///         event => writer.event(&event),
    ///     };
    /// }
    /// assert!(result.is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `inner` fails to write, no node is open, `ident` is not an identifier, the charset of the
    /// game lacks a character, or it is unknown.
    pub fn text(&mut self, ident: impl AsRef<[u8]>, text: &str) -> io::Result<()> {
        self.texts(ident, &[text])
    }

    /// Writes a property with these texts; see [`text`](Self::text).
    ///
    /// # Errors
    ///
    /// Same as [`text`](Self::text).
    pub fn texts<T: AsRef<str>>(&mut self, ident: impl AsRef<[u8]>, texts: &[T]) -> io::Result<()> {
        let mut charset = self.texts;
        for text in texts {
            charset = charset.with_text(text.as_ref())?;
        }
        let raw = encode_texts(ident, texts, charset.charset(), self.framing)?;
        self.check_in_node()?;
        self.texts = charset;
        self.add_property(&raw)
    }

    /// Writes a property with these values, which are in the charset of the game and escaped
    /// ([`escape_text`](crate::escape_text), [`escape_bytes`](crate::escape_bytes)).
    ///
    /// # Errors
    ///
    /// `inner` fails to write, no node is open, `ident` is not an identifier, or a value is not
    /// escaped.
    ///
    /// ```
    /// use sgfstream::{Writer, escape_text};
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.start_game()?;
    /// writer.start_node()?;
    /// writer.property("AB", ["aa", "bb"])?;
    /// writer.property("C", [escape_text("see [1]")])?;
    /// assert!(writer.property("C", ["see [1]"]).is_err());
    /// writer.end_variation()?;
    /// assert_eq!(writer.finish()?, b"(;AB[aa][bb]C[see [1\\]])");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn property<V: AsRef<[u8]>>(
        &mut self,
        ident: impl AsRef<[u8]>,
        values: impl IntoIterator<Item = V>,
    ) -> io::Result<()> {
        let raw = encode_property(ident, values, self.framing)?;
        self.check_in_node()?;
        self.add_property(&raw)
    }

    fn check_in_node(&self) -> Result<(), WriteError> {
        match self.place {
            WriterPlace::Node => Ok(()),
            _ => Err(WriteError::Nesting("a property needs a node before it")),
        }
    }

    /// Writes a checked property.
    fn add_property(&mut self, raw: &[u8]) -> io::Result<()> {
        let mut charset = self.texts.charset();
        let mut framing = self.framing;
        let mut property = Property::from_raw(raw, framing);
        if self.in_root && property.ident() == "CA" {
            charset = Charset::for_label(property.first().as_bytes()).unwrap_or(Charset::AUTO);
            let is_bytewise = charset != Charset::AUTO && !charset.has_structural_trail_bytes();
            framing = if is_bytewise {
                Framing::Value
            } else {
                Framing::Auto
            };
            property = Property::from_raw(raw, framing);
        }
        let spaced;
        if self.begins_variation && self.layout == Layout::AsWritten && property.begins_game() {
            spaced = property.to_bytes_spaced();
            property = Property::from_raw(&spaced, framing);
        }
        self.event(&Event::Property(property.with_charset(charset)))
    }

    /// Writes these bytes. Nothing checks them.
    ///
    /// ```
    /// use sgfstream::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.raw(b"From: Ada\n\n")?;
    /// assert_eq!(writer.finish()?, b"From: Ada\n\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `inner` fails to write.
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.inner.write_all(bytes)
    }

    /// Returns the underlying output.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Flushes and returns the underlying output.
    ///
    /// # Errors
    ///
    /// Flushing fails, writing failed while this writer was a [`Sink`], or a game that
    /// [`start_game`](Self::start_game) started has not ended.
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(err) = self.failed.take() {
            return Err(err);
        }
        if self.is_new && self.depth > 0 {
            return Err(WriteError::Nesting("the last game has not ended").into());
        }
        self.inner.flush()?;
        Ok(self.inner)
    }
}

/// Returns whether a property has other bytes than ASCII.
fn has_text_beyond_ascii(property: &Property<'_>) -> bool {
    match *property.as_bytes() {
        // Most properties are moves.
        [first, bracket, column, row, last] => (first | bracket | column | row | last) >= 0x80,
        ref bytes => !bytes.is_ascii(),
    }
}

/// Returns a part of a property without the halves of UTF-8 characters at its ends.
fn whole_characters(part: &[u8]) -> &[u8] {
    let half = part
        .iter()
        .take(3)
        .take_while(|&&byte| byte & 0xC0 == 0x80)
        .count();
    let part = &part[half..];
    match std::str::from_utf8(part) {
        Err(err) if err.error_len().is_none() => &part[..err.valid_up_to()],
        _ => part,
    }
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// As a sink, the writer stores the first error and stops there; [`finish`](Writer::finish) returns
/// the error.
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
