//! Events of a game record, and the writer of a record.

use std::io::{self, Write};

use super::{GameRecord, Token, TokenKind};
use crate::event::{Event, Place, Variation};
use crate::write::{Layout, Writer};

impl<W: Write> Writer<W> {
    /// Writes a whole game: the bytes that were read, or its parts in the canonical layout.
    ///
    /// ```
    /// use sgfstream::record::GameReader;
    /// use sgfstream::{SliceReader, Writer};
    ///
    /// let mut games = GameReader::new(SliceReader::new(b"mail (;GM[1] ;B[pd];W[dp])"));
    /// let game = games.next_game()?.expect("there is a game").expect("it is short");
    /// let mut writer = Writer::new(Vec::new());
    /// writer.game(&game)?;
    /// assert_eq!(writer.finish()?, b"(;GM[1] ;B[pd];W[dp])");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The output fails, or another game has not ended.
    pub fn game(&mut self, game: &GameRecord<'_>) -> io::Result<()> {
        self.check_between_games()?;
        match self.layout() {
            Layout::AsWritten => self.raw(game.as_bytes()),
            Layout::Canonical => game.each_event(|event, _| self.event(event)),
        }
    }
}

impl GameRecord<'_> {
    /// Passes the events of the game to `take`, for consumers of events such as counters and
    /// writers. First come the problems of the bytes between this game and the game before it.
    /// Stops at the first error of `take` and returns it.
    ///
    /// They equal the events of a reader that [holds games](crate::EventReader::hold_games), with
    /// the charset at the end of the game.
    ///
    /// # Errors
    ///
    /// Returns the error of `take`.
    ///
    /// ```
    /// use sgfstream::record::GameReader;
    /// use sgfstream::{SliceReader, Writer};
    ///
    /// let mut games = GameReader::new(SliceReader::new(b"mail (;GM[1] ;B[pd];W[dp])"));
    /// let game = games.next_game()?.expect("there is a game").expect("it is short");
    /// let mut writer = Writer::new(Vec::new());
    /// game.each_event(|event, _| writer.event(event))?;
    /// assert_eq!(writer.finish()?, b"(;GM[1];B[pd];W[dp])");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn each_event<E>(
        &self,
        mut take: impl FnMut(&Event<'_>, &Place) -> Result<(), E>,
    ) -> Result<(), E> {
        let (charset, source) = (self.charset(), self.charset_source());
        for problem in self.problems_before() {
            let place = Place::new(problem.span, 0, self.number() - 1, charset, source);
            take(&Event::Problem(*problem), &place)?;
        }
        let mut depth = 0;
        let mut take_token = |event: Event<'_>, token: Token, depth: u64| {
            let span = match event {
                Event::Problem(problem) => problem.span,
                _ => self.span_of(token),
            };
            take(
                &event,
                &Place::new(span, depth, self.number(), charset, source),
            )
        };
        for &token in self.tokens() {
            let supplied = token.is_inserted();
            match token.kind() {
                TokenKind::Open => {
                    depth += 1;
                    take_token(
                        Event::VariationStart(Variation { depth, supplied }),
                        token,
                        depth,
                    )?;
                }
                TokenKind::Close => {
                    take_token(
                        Event::VariationEnd(Variation { depth, supplied }),
                        token,
                        depth,
                    )?;
                    depth -= 1;
                }
                TokenKind::Node => take_token(Event::NodeStart { supplied }, token, depth)?,
                TokenKind::Run => {
                    for number in 0..token.nodes() {
                        let played = token.of_run(number);
                        let node = Token::new(TokenKind::Node, played.at() as u64 - 1, 0);
                        take_token(Event::NodeStart { supplied: false }, node, depth)?;
                        take_token(Event::Property(self.property(played)), played, depth)?;
                    }
                }
                TokenKind::Move | TokenKind::Property => {
                    take_token(Event::Property(self.property(token)), token, depth)?;
                }
                TokenKind::Problem => {
                    take_token(Event::Problem(*self.problem_of(token)), token, depth)?
                }
            }
        }
        Ok(())
    }
}
