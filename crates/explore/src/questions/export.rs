//! Downloads of games. They are written in parts, so memory does not depend on the number of games.

use std::io::{self, Write};

use sgfstream::record::GameReader;
use sgfstream::{Options, SliceReader};
use sgfstream_table::row::GameExtent;

use super::findings;
use crate::{Index, Store};

/// Bytes of a part. The last game of a part may exceed it.
const PART: usize = 1 << 20;

/// Remaining games of a download. [`Explorer::part`](crate::Explorer::part) writes them.
#[derive(Debug)]
pub struct Export {
    ids: std::vec::IntoIter<u32>,
    is_repaired: bool,
}

impl Export {
    pub(crate) fn new(ids: Vec<u32>, is_repaired: bool) -> Self {
        Self { ids: ids.into_iter(), is_repaired }
    }

    /// Returns the next games, each followed by a newline, unchanged or repaired as by `sgfq fix`, or `None` at the end.
    pub(crate) fn part(&mut self, index: &Index<impl Store>, options: Options) -> io::Result<Option<Vec<u8>>> {
        let mut out = Vec::new();
        for id in self.ids.by_ref() {
            let bytes = index.bytes(id)?.unwrap_or_default();
            match self.is_repaired {
                true => out.extend(findings::repaired(&bytes, options)),
                false => write_closed(&bytes, options, &mut out)?,
            }
            out.push(b'\n');
            if out.len() >= PART {
                break;
            }
        }
        Ok(Some(out).filter(|out| !out.is_empty()))
    }
}

/// Writes a game and adds the brackets that it lacks to stand on its own.
fn write_closed(bytes: &[u8], options: Options, out: &mut Vec<u8>) -> io::Result<()> {
    let mut games = GameReader::new(SliceReader::with_options(bytes, options));
    match games.next_game().map_err(io::Error::other)? {
        Some(Ok(game)) => GameExtent::of(&game).write(&game, out),
        _ => out.write_all(bytes),
    }
}
