//! Caps of archives, as arguments.

use clap::Args;

use sgfstream_archive::{self as archive, Caps};

/// How much an archive may turn into.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Caps of archives")]
pub(super) struct CapArgs {
    /// Unpacked bytes for each packed byte, behind the first MiB.
    #[arg(long, value_name = "N", default_value_t = Caps::default().ratio, hide_short_help = true)]
    cap_ratio: u64,

    /// Unpacked bytes of one archive.
    #[arg(long, value_name = "BYTES", default_value_t = Caps::default().bytes, hide_short_help = true)]
    cap_bytes: u64,

    /// Members of one archive.
    #[arg(long, value_name = "N", default_value_t = Caps::default().entries, hide_short_help = true)]
    cap_entries: u64,

    /// Archives and compressed files in each other.
    #[arg(long, value_name = "N", default_value_t = Caps::default().nesting, hide_short_help = true)]
    cap_nesting: u32,

    /// Bytes of memory that a decoder may ask for.
    #[arg(long, value_name = "BYTES", default_value_t = Caps::default().memory, hide_short_help = true)]
    cap_memory: u64,

    /// Bytes of the unpacked list of members of a `.7z`.
    #[arg(long, value_name = "BYTES", default_value_t = Caps::default().header, hide_short_help = true)]
    cap_header: u64,

    /// Bytes of a temporary file, for a `.7z` that comes through a pipe or inside an archive.
    #[arg(long, value_name = "BYTES", default_value_t = Caps::default().spool, hide_short_help = true)]
    cap_spool: u64,
}

impl CapArgs {
    /// How archives are read.
    pub(super) fn archives(self) -> archive::ReadOptions {
        let mut caps = Caps::default();
        caps.ratio = self.cap_ratio;
        caps.bytes = self.cap_bytes;
        caps.entries = self.cap_entries;
        caps.nesting = self.cap_nesting;
        caps.memory = self.cap_memory;
        caps.header = self.cap_header;
        caps.spool = self.cap_spool;
        archive::ReadOptions::new(caps)
    }
}
