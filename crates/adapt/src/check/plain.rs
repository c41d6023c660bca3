//! Checks the tokens of a game, with a fast path for the most common property: in Go, a move on the
//! board. The fast path reports the same findings as the general path.

use sgfstream::record::{GameRecord, Token, TokenKind};
use sgfstream::{Ident, Property, Span};
use sgfstream_game::{BoardCell, Game, Side, board::Turn};

use super::judge::GameValidator;
use super::node::out_of_turn;

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
                TokenKind::Move | TokenKind::Property => {
                    self.move_or_property(&record.property(token), span)
                }
                TokenKind::Problem => self.problem(*record.problem_of(token)),
            }
        }
    }

    /// Checks nodes that begin with a plain move each.
    fn run(&mut self, record: GameRecord<'_>, run: Token) {
        let mut number = 0;
        while number < run.nodes() {
            let token = run.of_run(number);
            let span = record.span_of(token);
            self.start_node(Span::new(span.start - 1, span.start));
            self.move_or_property(&record.property(token), span);
            number += 1;
            if !self.legality && self.context.game == Game::Go {
                number += self.pass_moves(record, run, number);
            }
        }
    }

    /// Passes moves of Go on the board by the side to move, about which there is no finding, from
    /// this one of a run on. The last node stays, because other properties may follow its move.
    /// Returns the number of moves.
    fn pass_moves(&mut self, record: GameRecord<'_>, run: Token, first: usize) -> usize {
        let (mut turn, mut moves) = (self.report.path.set_turn(Turn::Open(None)), 0);
        for at in run.places().take(run.nodes() - 1).skip(first) {
            let (color, [column, row]) = record.plain_move(at);
            let side = Side::of_color(color);
            if turn.excludes(side) || !self.is_on_board(column, row) {
                break;
            }
            turn = Turn::Next(side.opponent());
            self.report.path.node();
            moves += 1;
        }
        self.report.path.set_turn(turn);
        moves
    }

    #[inline]
    fn move_or_property(&mut self, property: &Property<'_>, span: Span) {
        match property.as_move() {
            Some((letter, point)) if self.play(letter, point, property, span) => {}
            _ => self.property::<true>(property, span),
        }
    }

    /// Checks a move if it is a move in Go, on the board and outside the root. Returns false and
    /// changes nothing for any other move.
    ///
    /// This takes 50 instructions; the general path takes about 1,000.
    #[inline(always)]
    fn play(
        &mut self,
        letter: u8,
        [column, row]: [u8; 2],
        property: &Property<'_>,
        span: Span,
    ) -> bool {
        if self.context.game == Game::Go
            && self.is_on_board(column, row)
            && !self.report.path.is_root()
            && self.node.plain_move(letter)
        {
            let side = if letter == b'B' {
                Side::Black
            } else {
                Side::White
            };
            let before = self.report.path.set_turn(Turn::Next(side.opponent()));
            if before.excludes(side) {
                // Mark the bytes that the general path marks: the whole property for a note of two
                // moves in a row, otherwise the identifier.
                let is_note = !self.legality && matches!(before, Turn::Next(_));
                let at = if is_note {
                    span
                } else {
                    Span::new(span.start, span.start + 1)
                };
                let id = [letter];
                out_of_turn(&mut self.report, before, self.legality, Ident::new(&id), at);
            }
            if self.legality {
                let field = BoardCell::new((column - b'a').into(), (row - b'a').into());
                self.replay
                    .place(&mut self.report, side.color(), field, *property, span);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::report::Reporter;
    use crate::check::{CheckOptions, Finding};
    use sgfstream::record::GameReader;
    use sgfstream::{Code, SliceReader};
    use sgfstream_game::Facts;

    /// Returns the findings about a game. With `is_slow`, each move and each point takes the
    /// general path.
    fn findings(game: &[u8], legality: bool, is_slow: bool) -> Vec<String> {
        let mut games = GameReader::new(SliceReader::new(game));
        let record = games
            .next_game()
            .expect("a slice")
            .expect("a game")
            .expect("a short game");
        let facts = Facts::of(record, 0);
        let mut found = Vec::new();
        let mut add = |finding: Finding| found.push(format!("{finding:?}"));
        let options = CheckOptions::default().with_legality(legality);
        let mut game = GameValidator::of(&facts, options, Reporter::of_game(1, &mut add));
        game.check_root(&facts, Span::new(0, 1));
        if !is_slow {
            game.check(record);
            return found;
        }
        for &token in &record.tokens()[1..] {
            let span = record.span_of(token);
            match token.kind() {
                TokenKind::Open => game.start_variation(span),
                TokenKind::Close => game.end_variation(),
                TokenKind::Node => game.start_node(span),
                TokenKind::Run => {
                    for number in 0..token.nodes() {
                        let played = token.of_run(number);
                        let span = record.span_of(played);
                        game.start_node(Span::new(span.start - 1, span.start));
                        game.property::<false>(&record.property(played), span);
                    }
                }
                TokenKind::Move | TokenKind::Property => {
                    game.property::<false>(&record.property(token), span);
                }
                TokenKind::Problem => game.problem(*record.problem_of(token)),
            }
        }
        found
    }

    /// On such a small board, stones are captured and replayed, moves hit occupied points, and kos
    /// are retaken at once.
    #[test]
    fn plain_moves_and_points_are_judged_as_any_property() {
        let words = [
            ";B[aa]",
            ";W[aa]",
            ";B[ba]",
            ";W[ba]",
            ";B[ab]",
            ";W[bb]",
            ";B[bb]",
            ";W[ca]",
            ";B[cb]",
            ";W[ab]",
            ";B[cc]",
            ";W[bc]",
            ";W[tt]",
            ";B[]",
            ";B[dd]",
            ";B[aa]KO[]",
            ";W[ac]B[cb]",
            ";AB[aa][bb]",
            "AB[bb][cc]TR[aa][aa]",
            ";AW[ab]W[ba]",
            ";AW[aa][dd][aa:bb]AE[bb][][Aa]",
            ";TR[ab][ba:cb]CR[ba]DD[][aa]",
            ";VW[aa][bb][cc]TB[aa]TW[aa]",
            "(",
            ")",
            ";W[aa]TE[1]BM[1]",
            ";B[aa][bb]",
            ";PL[W]",
            ";",
        ];
        let mut number = 1u64;
        let mut all = String::new();
        for root in [
            "(;FF[4]GM[1]SZ[3]",
            "(;FF[3]SZ[3:2]AB[aa]",
            "(;GM[1]SZ[3]RU[NZ]",
            "(;GM[2]SZ[3]",
            "(;B[aa]W[bb]",
        ] {
            for _ in 0..200 {
                let mut game = root.to_owned();
                for _ in 0..40 {
                    number = number
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    game.push_str(words[(number >> 33) as usize % words.len()]);
                }
                for legality in [false, true] {
                    let found = findings(game.as_bytes(), legality, false);
                    let slow = findings(game.as_bytes(), legality, true);
                    assert_eq!(without_ends(&found), without_ends(&slow), "{game}");
                    all.extend(found);
                }
            }
        }
        for code in [
            Code::OccupiedPoint,
            Code::IllegalKo,
            Code::IllegalSuicide,
            Code::TwoMovesInRow,
            Code::PointOffBoard,
            Code::RepeatedPoint,
            Code::FaultyView,
            Code::EmptyValue,
        ] {
            assert!(all.contains(&format!("code: {code:?},")), "{code}");
        }
    }

    /// Removes the ends of spans of two moves in a row, which the fast path sets to the end of the
    /// property.
    fn without_ends(found: &[String]) -> Vec<String> {
        let mut lines = Vec::new();
        for line in found {
            match line.split_once(", end: ") {
                Some((before, after)) if line.contains("TwoMovesInRow") => {
                    lines.push(format!(
                        "{before}{}",
                        after.trim_start_matches(|digit: char| digit.is_ascii_digit())
                    ));
                }
                _ => lines.push(line.clone()),
            }
        }
        lines
    }

    #[test]
    fn moves_of_one_property_have_each_fault_once() {
        let found = findings(b"(;FF[4]GM[1]SZ[9];B[aa];W[bb];B[aa][bb])", true, false);
        let occupied = found.iter().filter(|found| found.contains("OccupiedPoint"));
        assert_eq!(occupied.count(), 1, "{found:?}");
    }
}
