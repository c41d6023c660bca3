//! 7z archives.

use super::disk::Disk;
use super::fault::Fault;
use super::name::EntryName;
use super::problem::Trouble;
use super::stream::Source;
use super::visit::{Flow, Place, Visitor};

impl Visitor<'_, '_> {
    pub(super) fn seven_zip_file(&mut self, name: &EntryName, _disk: &mut Disk, _place: Place<'_>) -> Flow {
        self.problem(name, &Fault::new(Trouble::Unsupported, "another archive", "7z"))
    }

    pub(super) fn seven_zip_stream(&mut self, name: &EntryName, _source: &mut dyn Source, _place: Place<'_>) -> Flow {
        self.problem(name, &Fault::new(Trouble::Unsupported, "another archive", "7z"))
    }
}
