//! Arguments for caps of archives.

use clap::Args;

use sgfstream::Limits;
use sgfstream_archive::{Caps, ReadOptions};

/// Limits on the unpacked size of an archive, and on a game.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct CapArgs {
    /// Limit the unpacked size of one archive.
    #[arg(long, value_name = "BYTES", default_value_t = Caps::default().bytes, hide = true, help_heading = "Caps")]
    cap_bytes: u64,

    /// Limit the memory of a decoder; the default allows a window of 256 MiB and 64 MiB for the
    /// rest.
    #[arg(long, value_name = "BYTES", default_value_t = Caps::default().memory, hide = true, help_heading = "Caps")]
    cap_memory: u64,

    /// Limit the size of a game; a longer one is reported, and copied or skipped.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().game, hide = true, help_heading = "Caps")]
    max_game: usize,
}

impl CapArgs {
    /// Returns the limits of a reader.
    pub(crate) fn limits(self) -> Limits {
        Limits::default().with_game(self.max_game)
    }

    /// Returns the options for reading archives.
    pub(crate) fn archives(self) -> ReadOptions {
        let mut caps = Caps::default();
        caps.bytes = self.cap_bytes;
        caps.memory = self.cap_memory;
        ReadOptions::new(caps)
    }
}
