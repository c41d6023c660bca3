//! Compression methods of zip. Each is a reader that ends with the member.

use std::io::Read;

use super::headers::ZipMember;
use crate::caps::Ledger;
use crate::codecs;
use crate::codecs::pump::{Inflater, Pump};
use crate::fault::Fault;
use crate::stream::Source;

/// Returns a reader of a member's unpacked bytes; `source` begins with its packed bytes. `open_end`
/// means that the header does not state where they end, so the compressed bytes have to show it.
pub(crate) fn unpack<'a>(
    member: &ZipMember,
    source: &'a mut dyn Source,
    open_end: bool,
    ledger: &'a Ledger,
) -> Result<Box<dyn Read + 'a>, Fault> {
    let inner: Box<dyn Read + 'a> = match member.method {
        0 if open_end => {
            let message = "stored members whose size is stated after their bytes are not supported in a stream";
            return Err(Fault::unsupported(message));
        }
        0 => Box::new(source),
        8 => Box::new(Pump::new(source, Inflater::new(), "deflate data")),
        9 => Box::new(Pump::new(
            source,
            Box::new(deflate64::InflaterManaged::new()),
            "deflate64 data",
        )),
        12 => Box::new(Pump::new(
            source,
            bzip2::Decompress::new(false),
            "bzip2 data",
        )),
        14 => lzma(member, source, open_end, ledger)?,
        20 | 93 => codecs::zstd(source, open_end, &ledger.caps)?,
        95 => codecs::xz(source, true, &ledger.caps)?,
        other => {
            let found = match other {
                1..=6 | 10 => format!("method {other}, of the time before deflate"),
                96 => "JPEG".to_owned(),
                97 => "WavPack".to_owned(),
                98 => "PPMd".to_owned(),
                _ => other.to_string(),
            };
            return Err(Fault::unsupported(format!(
                "the compression method {found} is not supported"
            )));
        }
    };
    Ok(inner)
}

/// Unpacks LZMA: version (2 bytes), length of the properties (2), properties (5), data. The
/// decoders read it with the header of a `.lzma` file instead.
fn lzma<'a>(
    member: &ZipMember,
    source: &'a mut dyn Source,
    open_end: bool,
    ledger: &Ledger,
) -> Result<Box<dyn Read + 'a>, Fault> {
    let mut head = [0; 9];
    source
        .read_exact(&mut head)
        .map_err(|err| Fault::of(&err, "LZMA properties"))?;
    if head[2..4] != [5, 0] {
        return Err(Fault::damaged("5 bytes of LZMA properties", head[2]));
    }
    // Flag bit 1: the data ends with a marker.
    let size = if open_end || member.flags & 2 != 0 {
        u64::MAX
    } else {
        member.size
    };
    let mut alone = [0; 13];
    alone[..5].copy_from_slice(&head[4..]);
    alone[5..].copy_from_slice(&size.to_le_bytes());
    codecs::lzma(source, alone, open_end, &ledger.caps)
}
