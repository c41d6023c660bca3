//! Files that commands read and write: temporary files, outputs, interrupts.

pub(crate) mod file_name;
pub(crate) mod game_buffer;
pub(crate) mod interrupt;
pub(crate) mod new_files;
pub(crate) mod output;
pub(crate) mod relative_names;
pub(crate) mod sorted_spill;
pub(crate) mod spill;
pub(crate) mod temp_file;
pub(crate) mod temporary;
pub(crate) mod whole_file;
