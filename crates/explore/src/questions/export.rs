//! Games that are downloaded: read and written part by part, so that memory does not depend on how many there are.

use std::io;

use sgfstream::{Options, SliceReader};
use sgfstream_table::row::{ColumnSet, Rows};

use super::findings;
use crate::{Index, Store};

/// Bytes of a part; it may be larger by a game.
const PART: usize = 1 << 20;

/// The games that are left to be written: [`Explorer::part`](crate::Explorer::part) writes them.
#[derive(Debug)]
pub struct Export {
    ids: std::vec::IntoIter<u32>,
    is_repaired: bool,
}

impl Export {
    pub(crate) fn new(ids: Vec<u32>, is_repaired: bool) -> Self {
        Self { ids: ids.into_iter(), is_repaired }
    }

    /// The next games, each with a newline after it, as they are or as `sgfq fix` repairs them; none at the end.
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

/// Writes a game with what its bytes lack to be one on their own.
fn write_closed(bytes: &[u8], options: Options, out: &mut Vec<u8>) -> io::Result<()> {
    let mut rows = Rows::new(SliceReader::with_options(bytes, options), ColumnSet::default());
    let read = rows.next_root().and_then(|_| rows.read_rest());
    read.map_err(io::Error::other)?;
    let extent = rows.extent().unwrap_or_default();
    let (head, kept, tail) = (extent.head(), extent.kept(), extent.tail());
    out.extend([head, &bytes[kept.start as usize..kept.end as usize], &tail].concat());
    Ok(())
}
