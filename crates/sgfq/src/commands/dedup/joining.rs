//! Games with one main line as one game, which has what each of them has.

use std::io::{self, Write};

use bytes::Bytes;

use sgfstream::{Event, Flow, Options, Place, PushReader};
use sgfstream_game::{GameState, Hold};

use crate::commands::merge::{GameInfo, Tree};
use crate::report::exit::Exit;
use crate::report::unread::Unread;

use super::held::Held;

/// Games that were joined, and what could not be.
#[derive(Debug, Default)]
pub(super) struct Joining {
    /// Games that were joined with another.
    pub(super) joined: u64,
    /// Properties of which another game has another value; that of the fullest stays.
    pub(super) differences: u64,
    /// Games that stay alone, as a join would lose something of them.
    pub(super) alone: u64,
}

impl Joining {
    /// Writes a game and the `others` of its group as one game. It is the fullest, and is written as it is where a join would
    /// lose something: if bytes are no text in their charset or are not understood by any reader, if there is no space for
    /// all nodes, or if the starting positions are set up in different nodes.
    pub(super) fn write(
        &mut self,
        held: &mut Held,
        fullest: u64,
        mut others: impl FnMut() -> io::Result<Option<u64>>,
        options: Options,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let (mut tree, mut is_unread, mut joined) = (Tree::new(GameInfo::Root), false, 0);
        let (mut game, mut next) = (fullest, others()?);
        while joined > 0 || next.is_some() {
            let mut unread = Unread::default();
            let reader = PushReader::with_options(options.with_charset(held.charset(game)?).with_detection(None));
            let mut feed = Feed { reader, state: GameState::new(Hold::All), tree: &mut tree, unread: &mut unread };
            held.copy(game..game + 1, &mut feed)?;
            feed.reader.finish();
            feed.drive();
            is_unread |= !unread.is_empty();
            let Some(other) = next else { break };
            (game, next, joined) = (other, others()?, joined + 1);
        }
        tree.finish();
        if joined == 0 || tree.is_lossy() || is_unread {
            self.alone += u64::from(joined > 0);
            return held.copy(fullest..fullest + 1, out);
        }
        self.joined += joined;
        self.differences += tree.differences();
        Ok(tree.write(out)?)
    }
}

impl Joining {
    /// Says what it was.
    pub(super) fn tell(&self) {
        let Self { joined, differences, alone } = self;
        let counts = [
            (*joined, "game was joined with another", "games were joined with others"),
            (
                *differences,
                "property of a game was left out: the fullest has another value of it",
                "properties of games were left out: the fullest have other values of them",
            ),
            (
                *alone,
                "game stays as it is: a join would lose something of it",
                "games stay as they are: a join would lose something of them",
            ),
        ];
        for (count, one, many) in counts {
            _ = Exit::say_count(count, one, many);
        }
    }
}

/// Reads what is written to it, and puts it into a tree.
struct Feed<'t> {
    reader: PushReader,
    state: GameState,
    tree: &'t mut Tree,
    unread: &'t mut Unread,
}

impl Feed<'_> {
    fn drive(&mut self) {
        let Self { reader, state, tree, unread } = self;
        _ = reader.drive(&mut |event: &Event<'_>, place: &Place| {
            unread.take(event, place, "");
            tree.take(state, event, place);
            Flow::Go
        });
    }
}

impl Write for Feed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.reader.feed(Bytes::copy_from_slice(bytes));
        self.drive();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
