//! Caps of archives, as arguments.

use clap::Args;

use sgfstream_archive::{self as archive, Caps};

/// Limits on what an archive may expand to.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct CapArgs {
    /// Maximum compression ratio, after the first MiB.
    #[arg(long, value_name = "N", default_value_t = Caps::default().ratio, hide = true, help_heading = "Caps")]
    cap_ratio: u64,

    /// Maximum unpacked size of one archive.
    #[arg(long, value_name = "BYTES", default_value_t = Caps::default().bytes, hide = true, help_heading = "Caps")]
    cap_bytes: u64,

    /// Maximum number of members of one archive.
    #[arg(long, value_name = "N", default_value_t = Caps::default().entries, hide = true, help_heading = "Caps")]
    cap_entries: u64,

    /// Maximum depth of archives inside archives.
    #[arg(long, value_name = "N", default_value_t = Caps::default().nesting, hide = true, help_heading = "Caps")]
    cap_nesting: u32,

    /// Maximum memory of a decoder.
    #[arg(long, value_name = "BYTES", default_value_t = Caps::default().memory, hide = true, help_heading = "Caps")]
    cap_memory: u64,

    /// Maximum unpacked size of the member list of a `.7z` file.
    #[arg(long, value_name = "BYTES", default_value_t = Caps::default().header, hide = true, help_heading = "Caps")]
    cap_header: u64,

    /// Maximum size of the temporary file for a `.7z` that comes through a pipe or is inside an archive.
    #[arg(long, value_name = "BYTES", default_value_t = Caps::default().spool, hide = true, help_heading = "Caps")]
    cap_spool: u64,
}

impl CapArgs {
    /// The options for reading archives.
    pub(crate) fn archives(self) -> archive::ReadOptions {
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
