//! Detects the kind of a run of bytes, unpacks it, visits its members, and passes the records among
//! them to the callback.

use std::collections::HashSet;
use std::io::Seek;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::caps::Ledger;
use crate::codecs::decode;
use crate::codecs::window::{WINDOW_HEAD, window};
use crate::disk::Disk;
use crate::fault::Fault;
use crate::member_selection::MemberSelection;
use crate::members::{Halt, Members, Stop};
use crate::name::EntryName;
use crate::problem::{ArchiveErrorKind, ArchiveProblem};
use crate::sniff::{
    Sniff, is_backup_name, is_container_name, is_record_name, is_tar_name, unpacked_name,
};
use crate::stream::{Source, Stream, WINDOW};
use crate::tar_header::BLOCK;
use crate::walk::entry::{Entry, Summary};
use crate::zip::{ZipDirectory, ZipPart};
use crate::{sevenz, tar, zip};

/// Known facts about a run of bytes before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context<'p> {
    /// Number of containers around it.
    pub(crate) level: u32,
    /// Whether it comes directly out of a compressed stream.
    pub(crate) is_unpacked: bool,
    /// Whether the caller named it, so that it is read whatever its content.
    pub(crate) is_named: bool,
    /// Whether to read all members, whatever their content.
    pub(crate) is_all: bool,
    /// The members that the caller named.
    pub(crate) picks: Option<&'p MemberSelection>,
    /// Whether the caller named the whole container, beside members of it.
    pub(crate) is_whole: bool,
    /// The games that the caller asked for; `None` for all games.
    pub(crate) games: Option<&'p [u64]>,
    /// The size, if a header states it.
    pub(crate) size: Option<u64>,
    /// Whether it is a whole file on disk.
    pub(crate) is_plain: bool,
    /// Memory of the windows of the decoders around it.
    pub(crate) window: u64,
    /// Recognizes records in the caller's formats.
    pub(crate) is_record: Option<fn(&[u8]) -> bool>,
}

/// State of the visit of one top-level input.
pub(crate) struct Visitor<'v> {
    sink: Sink<'v>,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) visited: VisitResult,
    /// Members that were named exactly and have been read.
    pub(crate) done: HashSet<EntryName>,
    /// Number of members that were named; 0 if all are wanted.
    pub(crate) wanted: usize,
}

/// Callback for items.
pub(crate) type Sink<'v> =
    &'v mut (dyn FnMut(Result<Entry<'_>, ArchiveProblem>) -> ControlFlow<()> + 'v);

/// Result of a visit.
#[derive(Debug, Default)]
pub(crate) struct VisitResult {
    pub(crate) summary: Summary,
    /// Numbers of the references whose members were found.
    pub(crate) found: HashSet<usize>,
}

impl<'v> Visitor<'v> {
    pub(crate) fn new(sink: Sink<'v>, ledger: Arc<Ledger>, wanted: usize) -> Self {
        Self {
            sink,
            ledger,
            visited: VisitResult::default(),
            done: HashSet::new(),
            wanted,
        }
    }

    fn send(&mut self, item: Result<Entry<'_>, ArchiveProblem>) -> Result<(), Stop> {
        if (self.sink)(item).is_break() {
            self.visited.summary.stopped = true;
            return Err(Stop);
        }
        Ok(())
    }

    /// Reports `fault` at `name`, unless an inner layer has reported it.
    pub(crate) fn problem(&mut self, name: &EntryName, fault: &Fault) -> Result<(), Stop> {
        if !fault.report_once() {
            return Ok(());
        }
        self.visited.summary.problems += 1;
        self.send(Err(fault.at(name.clone())))
    }

    /// Reads `source`, whatever its kind.
    pub(crate) fn content(
        &mut self,
        name: &EntryName,
        source: &mut dyn Source,
        mut context: Context<'_>,
    ) -> Result<(), Stop> {
        let sniff = Sniff::of_source(source);
        // A tar and the compression around it count as one container.
        if sniff.is_container() && !(sniff == Sniff::Tar && context.is_unpacked) {
            context.level += 1;
        }
        let nesting = self.ledger.caps.nesting;
        if sniff.is_container() && context.level > nesting {
            let message = format!(
                "more than {nesting} nested archives (cap `nesting`); unpack the outer one first"
            );
            return self.problem(name, &Fault::new(ArchiveErrorKind::Cap, message));
        }
        match sniff {
            Sniff::Gzip | Sniff::Bzip2 | Sniff::Xz | Sniff::Zstd | Sniff::Lz4 => {
                let ledger = Arc::clone(&self.ledger);
                context.window += window(sniff, source.peek(WINDOW_HEAD));
                match decode::decoder(sniff, source, &ledger) {
                    Ok(decoder) => {
                        let context = Context {
                            is_unpacked: true,
                            size: None,
                            is_plain: false,
                            ..context
                        };
                        self.content(name, &mut Stream::new(decoder, WINDOW), context)
                    }
                    Err(fault) => self.problem(name, &fault),
                }
            }
            Sniff::Tar => self.container(name, context, |members| tar::visit(source, members)),
            Sniff::Zip => {
                self.container(name, context, |members| zip::visit_stream(source, members))
            }
            Sniff::SevenZip => self.container(name, context, |members| {
                let mut disk = Disk::spool(source, members.ledger())?;
                sevenz::visit(&mut disk, members)
            }),
            Sniff::Rar => {
                let message =
                    "RAR archives are not supported; unpack it first with `unar` or `bsdtar -xf`";
                self.problem(name, &Fault::unsupported(message))
            }
            Sniff::Sgf | Sniff::Other => {
                let is_record = |is: fn(&[u8]) -> bool| is(source.peek(BLOCK));
                let is_record = sniff == Sniff::Sgf || context.is_record.is_some_and(is_record);
                self.plain(name, source, context, is_record)
            }
        }
    }

    /// Reads a file by seeking, or a part of its members. If the file is not packed, `context` has
    /// its size and path.
    pub(crate) fn file(
        &mut self,
        name: &EntryName,
        disk: &mut Disk,
        context: Context<'_>,
        part: Option<ZipPart>,
    ) -> Result<(), Stop> {
        if !disk.seekable {
            // A pipe or a device is read as a stream, like stdin.
            return self.content(
                name,
                &mut Stream::new(disk, WINDOW),
                Context {
                    size: None,
                    is_plain: false,
                    ..context
                },
            );
        }
        let mut stream = Stream::new(&mut *disk, 0);
        let mut sniff = Sniff::of_source(&mut stream);
        if sniff == Sniff::Other && stream.failed().is_none() {
            drop(stream);
            if ends_with_zip(disk) {
                sniff = Sniff::Zip;
            }
            if let Err(err) = disk.rewind() {
                return self.problem(name, &Fault::unreadable(&err));
            }
            stream = Stream::new(&mut *disk, 0);
        }
        match sniff {
            Sniff::Zip | Sniff::SevenZip if self.ledger.caps.nesting > 0 => {
                drop(stream);
                let context = Context {
                    level: 1,
                    size: None,
                    is_plain: false,
                    ..context
                };
                match (disk.rewind(), sniff) {
                    (Err(err), _) => self.problem(name, &Fault::unreadable(&err)),
                    (Ok(()), Sniff::Zip) => self.container(name, context, |members| {
                        zip::visit_file(disk, part, members)
                    }),
                    (Ok(()), _) => {
                        self.container(name, context, |members| sevenz::visit(disk, members))
                    }
                }
            }
            // The first of the parts reports it, so that it is reported once.
            Sniff::Zip if part.is_some_and(|part| !part.is_first()) => Ok(()),
            _ if sniff.is_container() => {
                stream.grow(WINDOW);
                self.content(
                    name,
                    &mut stream,
                    Context {
                        size: None,
                        is_plain: false,
                        ..context
                    },
                )
            }
            _ => self.content(name, &mut stream, context),
        }
    }

    fn container(
        &mut self,
        name: &EntryName,
        context: Context<'_>,
        visit: impl FnOnce(&mut Members<'_, 'v>) -> Result<(), Halt>,
    ) -> Result<(), Stop> {
        match visit(&mut Members {
            visitor: self,
            name,
            context,
        }) {
            Ok(()) => Ok(()),
            Err(Halt::Stop) => Err(Stop),
            Err(Halt::Fault(fault)) => self.problem(name, &fault),
        }
    }

    /// Handles bytes that do not begin like a container.
    fn plain(
        &mut self,
        name: &EntryName,
        source: &mut dyn Source,
        context: Context<'_>,
        is_record: bool,
    ) -> Result<(), Stop> {
        let last = name.last();
        let last = if context.is_unpacked {
            unpacked_name(&last)
        } else {
            &last
        };
        if !is_record && source.failed().is_none() && is_container_name(last) {
            // A packed file has this name, so the first bytes are damaged.
            if source.peek(1).is_empty() {
                return self.problem(name, &Fault::truncated("a packed file"));
            }
            // A tar has a header before each member, so the next member may be readable.
            if is_tar_name(last) {
                return self.container(name, context, |members| tar::visit(source, members));
            }
            let fault = Fault::corrupt("not a packed file, although its name ends like one");
            return self.problem(name, &fault);
        }
        if context.picks.is_some() && !context.is_whole {
            // A member is wanted, but this is not an archive.
            return Ok(());
        }
        if context.is_named || is_record_name(last) || (is_record && !is_backup_name(last)) {
            self.visited.summary.entries += 1;
            let entry = Entry {
                name: name.clone(),
                size: context.size,
                games: context.games,
                is_plain: context.is_plain,
                window: context.window,
                read: &mut &mut *source,
            };
            self.send(Ok(entry))?;
        } else {
            self.visited.summary.skipped += 1;
            self.ledger.meter.skip_member();
        }
        source
            .failed()
            .cloned()
            .map_or(Ok(()), |fault| self.problem(name, &fault))
    }
}

/// Returns whether the file ends with a zip archive that has members. Call it only if the file's
/// start is unknown.
pub(crate) fn ends_with_zip(disk: &mut Disk) -> bool {
    let len = disk.len();
    len > 0 && ZipDirectory::is_at_end(disk, len)
}
