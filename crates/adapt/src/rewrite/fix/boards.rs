//! Compares the boards of all nodes, and whose turn it is, before and after a repair.

use std::hash::{DefaultHasher, Hash, Hasher};

use sgfstream::{Charset, CharsetSource, Event, EventReader, Place, Result};
use sgfstream_game::{Dialect, GameBoard, GameState, Replay, RootRetention, Setup, Step};

/// The boards of games node by node, as hashes. A board that equals the one before it is skipped.
pub(super) struct Boards<R> {
    reader: R,
    /// Offset of the end of the input.
    end: u64,
    state: GameState,
    replay: Option<Replay>,
    /// Hash of the game and the size of its board.
    game: u64,
    last: Option<u64>,
    /// Hashes of the boards at the starts of the open variations.
    open: Vec<u64>,
    /// The last event ended a variation, so the board must return to the variation's start.
    ends_variation: bool,
}

impl<R: EventReader> Boards<R> {
    /// Returns the boards of the games of `reader`, whose input ends at offset `end`.
    pub(super) fn new(reader: R, end: u64) -> Self {
        Self {
            reader,
            end,
            state: GameState::new(RootRetention::Line),
            replay: None,
            game: 0,
            last: None,
            open: Vec::new(),
            ends_variation: false,
        }
    }

    /// Returns whether `after` has the same boards in the same order. It may have further boards between them, because a
    /// repair may split a node. The last `same` bytes of both inputs are equal: from equal boards on, they need no replay.
    pub(super) fn are_kept_by(mut self, mut after: Boards<impl EventReader>, same: u64) -> Result<bool> {
        while let Some(board) = self.next()? {
            loop {
                match after.next()? {
                    None => return Ok(false),
                    Some(other) if other == board => break,
                    Some(_) => {}
                }
            }
            let rest = self.rest();
            if rest.0[0] <= same && rest == after.rest() {
                return Ok(true);
            }
        }
        Ok(after.next()?.is_none())
    }

    /// Returns everything that determines the later boards, except the last board and the rest of the bytes: the number of
    /// these bytes, and the state of the reader and of the game.
    fn rest(&self) -> ([u64; 4], Charset, CharsetSource, Dialect, &[u64]) {
        let Place { span, depth, charset, charset_source, .. } = self.reader.place();
        let numbers = [self.end - span.start, span.len(), depth, u64::from(self.state.is_go_by_default())];
        (numbers, charset, charset_source, self.state.dialect(), &self.open)
    }

    /// Returns the hash of the next board.
    fn next(&mut self) -> Result<Option<u64>> {
        while self.reader.advance()? {
            if self.ends_node() {
                let board = self.board();
                if self.last.replace(board) != Some(board) {
                    return Ok(Some(board));
                }
            }
        }
        Ok(None)
    }

    /// Handles the current event. Returns whether a node ends with it.
    fn ends_node(&mut self) -> bool {
        let Self { reader, state, replay, game, open, ends_variation, .. } = self;
        if std::mem::take(ends_variation)
            && let Some(replay) = replay
        {
            replay.end_variation();
            open.pop();
        }
        let (event, place) = (reader.event(), reader.place());
        let step = state.event(&event, &place);
        if step == Step::RootEnd {
            let dialect = state.dialect();
            let mut hasher = DefaultHasher::new();
            (dialect.game(), dialect.size(), dialect.has_size()).hash(&mut hasher);
            *game = hasher.finish();
            *replay = Replay::without_legality(state).ok();
            if let Some(replay) = replay {
                replay.board_mut().into_iter().for_each(GameBoard::keep_plain_hash);
                state.root().for_each(|property| replay.apply(&property));
            }
        }
        if state.in_root() {
            return false;
        }
        let Some(replay) = replay else { return step == Step::RootEnd };
        match event {
            Event::Property(property) if step != Step::Held => replay.apply(&property),
            Event::NodeStart { .. } => return replay.follows(),
            Event::VariationStart { .. } => {
                let follows = replay.follows();
                replay.start_variation();
                let board = self.board();
                self.open.push(board);
                return follows;
            }
            Event::VariationEnd { .. } => {
                *ends_variation = place.depth > 1;
                return replay.follows();
            }
            Event::PropertyPart(part) => {
                let setup = Setup::of(state.game(), &part.ident().canonical());
                if state.part_move(&part).is_some() || setup.is_some() {
                    replay.lose_board();
                }
            }
            _ => {}
        }
        false
    }

    fn board(&self) -> u64 {
        let Some(replay) = &self.replay else { return self.game };
        let turn = replay.to_move().map_or(0, |side| u64::from(side.color()));
        let hash = replay.board().and_then(GameBoard::hash).map_or(0, |hash| hash.plain());
        hash.rotate_left(1) ^ self.game ^ turn
    }
}
