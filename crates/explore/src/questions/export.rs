//! Downloads of games. They are written in parts, so memory does not depend on the number of games.

use std::io;

use sgfstream::Options;
use sgfstream_table::row::write_complete;

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
        Self {
            ids: ids.into_iter(),
            is_repaired,
        }
    }

    /// Returns the next games, each followed by a newline, unchanged or repaired as by `sgfq fix`,
    /// or `None` at the end.
    pub(crate) fn part(
        &mut self,
        index: &Index<impl Store>,
        options: Options,
    ) -> io::Result<Option<Vec<u8>>> {
        let mut out = Vec::new();
        for id in self.ids.by_ref() {
            let Some(game) = index.game(id)? else {
                continue;
            };
            let (game, is_transcoded) = (game.record(), index.is_transcoded(id)?);
            if self.is_repaired {
                out.extend(findings::repaired(&game, is_transcoded, options)?);
            } else {
                let mut text = Vec::new();
                write_complete(&game, &mut text)?;
                out.extend_from_slice(&findings::with_charset(&text, is_transcoded)?);
            }
            out.push(b'\n');
            if out.len() >= PART {
                break;
            }
        }
        Ok(Some(out).filter(|out| !out.is_empty()))
    }
}
