//! Checks the tokens of a game, with a fast path for the most common property: in Go, a move on the board. The fast path
//! reports the same findings as the general path.

use sgfstream::record::{GameRecord, Token, TokenKind};
use sgfstream::{Property, Span};
use sgfstream_game::{BoardCell, Game};

use super::judge::GameValidator;
use super::node::{contradicts, out_of_turn};

impl GameValidator<'_> {
    /// Checks all tokens of a game.
    pub(super) fn check(&mut self, record: GameRecord<'_>) {
        for &token in &record.tokens()[1..] {
            let span = record.span_of(token);
            match token.kind() {
                TokenKind::Open => self.start_variation(span),
                TokenKind::Close => self.end_variation(),
                TokenKind::Node => self.start_node(span),
                TokenKind::Run => self.run(record, token),
                TokenKind::Move | TokenKind::Property => self.move_or_property(&record.property(token), span),
                TokenKind::Problem => self.problem(*record.problem_of(token)),
            }
        }
    }

    /// Checks nodes that begin with a plain move each.
    fn run(&mut self, record: GameRecord<'_>, run: Token) {
        for number in 0..run.nodes() {
            let token = run.of_run(number);
            let span = record.span_of(token);
            self.start_node(Span::new(span.start - 1, span.start));
            self.move_or_property(&record.property(token), span);
        }
    }

    #[inline]
    fn move_or_property(&mut self, property: &Property<'_>, span: Span) {
        match property.as_move() {
            Some((letter, point)) if self.play(letter, point, property, span) => {}
            _ => self.property(property, span),
        }
    }

    /// Checks a move, as [`Sink::play`](sgfstream::Sink::play) receives it, if it is a move in Go, on the board and outside
    /// the root. Returns false and changes nothing for any other move.
    ///
    /// This takes 50 instructions; the general path takes about 1,000.
    #[inline(always)]
    pub(super) fn play(&mut self, letter: u8, [column, row]: [u8; 2], property: &Property<'_>, span: Span) -> bool {
        if self.context.game == Game::Go
            && self.is_on_board(column, row)
            && !self.report.path.is_root()
            && self.node.plain_move(letter)
        {
            let number = if letter == b'B' { 1 } else { 2 };
            let before = self.report.path.moved(number);
            if contradicts(before, number) {
                // A note of two moves in a row marks the whole property, as in the general path. Any other finding marks the
                // identifier.
                let at = if self.legality || before != number { Span::new(span.start, span.start + 1) } else { span };
                out_of_turn(&mut self.report, before, self.legality, &[letter], at);
            }
            if self.legality {
                let field = BoardCell::new((column - b'a').into(), (row - b'a').into());
                self.replay.place(&mut self.report, number, field, *property, span);
            }
            return true;
        }
        false
    }

    #[inline(always)]
    fn is_on_board(&self, column: u8, row: u8) -> bool {
        let size = self.context.dialect.size();
        // Capitals are rare on boards, so leave them to the general path.
        u32::from(column.wrapping_sub(b'a')) < size.columns().min(26)
            && u32::from(row.wrapping_sub(b'a')) < size.rows().min(26)
    }
}
