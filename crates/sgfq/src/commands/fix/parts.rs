//! Parts of a large entry: each worker makes the first pass over one. What they report and write is put together in order,
//! and the passes after it, where there are any, go over all of it.

use std::cell::RefCell;
use std::io::{self, Read, Write};

use sgfstream::parallel::End;
use sgfstream::{Options, Position};
use sgfstream_adapt::check::{Compared, Finding, InputGames, SourceWindow};
use sgfstream_adapt::fix::{Choice, Outcome};
use sgfstream_engine::{Monitor, OUTPUT_FULL, Out, Part, PartEnd, PartReader, RecordingReader};

use crate::args::input::shown_name;
use crate::commands::check;
use crate::io::spill::Spill;

use super::passes::{Entry, Passed, Report, UntilCancelled, pass};
use super::teller::{Ended, Fixed, Late, Rest, Teller, Told};

/// Makes the first pass over a part.
pub(super) fn read(
    part: Part<'_>,
    choice: &Choice,
    monitor: &Monitor,
    quiet: bool,
    out: &mut Out<'_, Fixed>,
) -> anyhow::Result<PartEnd> {
    let options = part.options();
    let begins = part.is_start().then(|| (shown_name(&part), options));
    let mut reader = part.through(|inner| {
        let offset = inner.offset();
        RecordingReader::new(UntilCancelled { inner, monitor }, offset)
    });
    read_part(&mut reader, begins, options, choice, quiet, out)
}

fn read_part<R: Read>(
    reader: &mut PartReader<'_, RecordingReader<R>>,
    begins: Option<(String, Options)>,
    options: Options,
    choice: &Choice,
    quiet: bool,
    out: &mut dyn Pieces,
) -> anyhow::Result<PartEnd> {
    let trail = SourceWindow::default();
    _ = trail.follow_from(io::empty(), reader.start(), &[]);
    let sent = SentPart { out: &RefCell::new(out), quiet };
    sent.add(|_, told| told.begins = begins);
    let Passed { is_done, is_known, end } = pass(reader, options, choice, &sent, &trail, &mut { sent })?;
    let position = trail.position_of(reader.offset());
    let is_last = !matches!(&end, Ok(end) if end.end != End::Input);
    sent.add(|_, told| told.ended = Some(Ended { is_done, is_known, position, is_last }));
    Ok(end?)
}

/// What a part comes to, handed out piece by piece.
trait Pieces {
    /// The piece that is being made.
    fn piece(&mut self) -> &mut Fixed;

    /// Hands it out. False if the run was cancelled.
    fn hand_out(&mut self) -> bool;
}

impl Pieces for Out<'_, Fixed> {
    fn piece(&mut self) -> &mut Fixed {
        self
    }

    fn hand_out(&mut self) -> bool {
        Out::hand_out(self)
    }
}

/// Bytes that a finding takes, or fewer.
const LATE: usize = 512;

/// The output of a part.
#[derive(Clone, Copy)]
struct SentPart<'s, 'o> {
    out: &'s RefCell<&'o mut dyn Pieces>,
    quiet: bool,
}

impl SentPart<'_, '_> {
    /// True if the games or lines before the part are needed.
    fn is_late(&self, finding: &Finding) -> bool {
        finding.compared.is_some() || (finding.remedy.is_some() && !self.quiet)
    }

    /// Adds to the output. False if the run was cancelled.
    fn add(&self, more: impl FnOnce(&mut Vec<u8>, &mut Told)) -> bool {
        let mut out = self.out.borrow_mut();
        let Fixed { bytes, part, .. } = out.piece();
        let told = part.get_or_insert_default();
        more(bytes, told);
        bytes.len() + told.late.len() * LATE <= OUTPUT_FULL || out.hand_out()
    }
}

impl Report for SentPart<'_, '_> {
    fn is_of_part(&self) -> bool {
        true
    }

    fn tell(&self, finding: &Finding, outcome: Outcome, trail: &SourceWindow) {
        self.add(|_, told| match outcome {
            _ if self.is_late(finding) => {
                let position = trail.position_of(finding.span.start);
                told.late.push(Late { finding: finding.clone(), outcome: Some(outcome), position });
            }
            Outcome::Repaired => told.unsaid.repaired += 1,
            Outcome::Guessed => told.unsaid.guessed += 1,
            _ => told.unsaid.left += 1,
        });
    }

    fn foresee(&self, finding: &Finding) {
        self.add(|_, told| {
            if self.is_late(finding) {
                let position = Position::default();
                told.late.push(Late { finding: finding.clone(), outcome: None, position });
            } else {
                told.foreseen += 1;
            }
        });
    }
}

impl Write for SentPart<'_, '_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = buf.len().min(OUTPUT_FULL);
        if !self.add(|bytes, _| bytes.extend_from_slice(&buf[..len])) {
            return Err(io::Error::new(io::ErrorKind::BrokenPipe, "cancelled"));
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An entry whose parts are put together.
pub(super) struct Joining {
    name: String,
    options: Options,
    spill: Spill,
    is_done: bool,
    is_known: bool,
    /// What the games have in common, and will have after this pass.
    found: InputGames,
    foreseen: InputGames,
    /// The end of the parts so far.
    position: Position,
}

impl Joining {
    pub(super) fn new(name: String, options: Options) -> Self {
        let (found, foreseen) = (InputGames::default(), InputGames::default());
        let (spill, position) = (Spill::default(), Position::default());
        Self { name, options, spill, is_done: true, is_known: true, found, foreseen, position }
    }

    /// Adds what comes next of the first pass, after `games` games. True if that was the last.
    pub(super) fn add(&mut self, games: u64, bytes: &[u8], told: Told, teller: &Teller<'_>) -> io::Result<bool> {
        self.spill.write_all(bytes)?;
        for Late { mut finding, outcome, position } in told.late {
            finding.game += games;
            if let Some(fact) = finding.compared.take() {
                let fact = match fact {
                    Compared::Number(number) => Compared::Number(number + games),
                    fact => fact,
                };
                let all = if outcome.is_some() { &mut self.found } else { &mut self.foreseen };
                if all.compare(fact).is_none() {
                    continue;
                }
            }
            let position = &|| check::after(self.position, position);
            match outcome {
                Some(outcome) => teller.tell(&self.name, 1, &finding, outcome, position),
                None => teller.foresee(&self.name, 2, &finding),
            }
        }
        teller.add_unsaid(&told.unsaid, told.foreseen);
        let Some(ended) = told.ended else { return Ok(false) };
        self.is_done &= ended.is_done;
        self.is_known &= ended.is_known;
        self.position = check::after(self.position, ended.position);
        Ok(ended.is_last)
    }

    /// Makes the other passes, and writes the entry to `out`.
    pub(super) fn end(
        self,
        choice: &Choice,
        monitor: &Monitor,
        teller: &Teller<'_>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let Self { name, options, spill, is_done, is_known, .. } = self;
        let rest = Rest::after(1, is_done, is_known);
        Entry { name: &name, options, choice, teller, monitor }.end(rest, spill, out)
    }
}

#[cfg(test)]
mod tests {
    use sgfstream::Severity;

    use super::super::teller::{Counts, Form};
    use super::*;

    /// Pieces in a list, each as small as can be.
    #[derive(Default)]
    struct List {
        pieces: Vec<Fixed>,
        next: Fixed,
    }

    impl Pieces for List {
        fn piece(&mut self) -> &mut Fixed {
            &mut self.next
        }

        fn hand_out(&mut self) -> bool {
            self.pieces.push(std::mem::take(&mut self.next));
            true
        }
    }

    /// The output, the report and the counts.
    type Answer = (Vec<u8>, String, [u64; 3]);

    fn answer(form: Form, quiet: bool, repair: impl FnOnce(&Teller<'_>, &mut Vec<u8>)) -> Answer {
        let (mut said, mut out) = (Vec::new(), Vec::new());
        let teller = Teller::new(form, quiet, &mut said);
        repair(&teller, &mut out);
        let Counts { repaired, guessed, left } = teller.counts();
        (out, String::from_utf8(said).expect("UTF-8"), [repaired, guessed, left])
    }

    fn whole(bytes: &[u8], choice: &Choice, form: Form, quiet: bool) -> Answer {
        answer(form, quiet, |teller, out| {
            let (options, monitor) = (Options::default(), &Monitor::default());
            Entry { name: "x.sgf", options, choice, teller, monitor }.repair_large(bytes, out).expect("no disk");
        })
    }

    /// The same by parts, and how many there were.
    fn by_parts(bytes: &[u8], block: u64, choice: &Choice, form: Form, quiet: bool) -> (Answer, u64) {
        let (options, monitor) = (Options::default(), Monitor::default());
        let (mut index, mut games, mut parts) = (0, 0, 0);
        let mut joining = None;
        let answer = answer(form, quiet, |teller, out| {
            loop {
                let part = PartReader::open(&bytes, options, block, index, &|| true).expect("from memory");
                let part = part.expect("the part before ended where this one begins");
                let start = part.start();
                let mut reader = part.through(|read| RecordingReader::new(read, start));
                let begins = (index == 0).then(|| ("x.sgf".to_owned(), options));
                let mut list = List::default();
                let end = read_part(&mut reader, begins, options, choice, quiet, &mut list).expect("from memory");
                list.hand_out();
                parts += 1;
                let mut is_last = false;
                for Fixed { bytes, part, .. } in list.pieces {
                    let mut told = part.expect("of a part");
                    if let Some((name, options)) = told.begins.take() {
                        joining = Some(Joining::new(name, options));
                    }
                    let entry: &mut Joining = joining.as_mut().expect("begun");
                    is_last = entry.add(games, &bytes, told, teller).expect("no disk");
                }
                games += end.games;
                match end.end {
                    End::Unit(next) => index = next,
                    End::Input => {
                        assert!(is_last);
                        break;
                    }
                }
            }
            joining.take().expect("begun").end(choice, &monitor, teller, out).expect("no disk");
        });
        (answer, parts)
    }

    const GAMES: [&[u8]; 28] = [
        b"(;FF[4]GM[1]SZ[19];B[aa];W[bb])",
        b"(;FF[4]GM[1]SZ[19]\nGN[];B[aa];W[bb](;B[cc])(;B[dd]))",
        b"(;FF[4]GM[1]KM[6,5]\n;B[dd]\n;W[pp]C[x])",
        b"(;FF[4]GM[1]KM[6,5];B[d d];W[zz])",
        b"(;FF[4]GM[1]RE[W+Resignation]DT[2001.2.3](;B[aa])(;B[bb]))",
        b"(;FF[3]GM[1]SZ[9];B[aa]AB[bb:cc])",
        b"(;GM[1]SZ[19:19];B[aa]W[bb])",
        b"(;FF[4]SZ[19]KM[6,5];B[aa])",
        b"(;FF[4]GM[1]AB[aa][bb]B[cc];W[dd])",
        b"(;FF[4]GM[1]C[caf\xe9];B[aa])",
        b"(;FF[4]GM[1]CA[UTF-8]C[caf\xc3\xa9]KM[7,5];B[aa])",
        b"(;FF[4]GM[1]CA[GBK]C[\xba\xda\x5d\x81];B[aa])",
        b"(;FF[4]GM[11]SZ[11];B[a1];W[swap-sides])",
        b"(;FF[4]GM[1];B[aa];W[bb]",
        b"(;FF[4]GM[1];B[aa];W[bb]))",
        b"(;FF[4]GM[1]KM[6,5])",
        b"(;FF[4]GM[1]KM[6,5](;B[aa]))",
        b"(;FF[4]GM[1]HA[1]KM[0];B[aa];W[bb];;B[cc]C[]N[])",
        b"(;FF[4]GM[1]C[a bare ] in a text];B[aa])",
        b"(;FF[4]GM[1]TB[aa][aa]DM[1]GB[1];B[aa]BL[x])",
        b"(;B[aa]FF[4]GM[1]PB[x]PB[y];W[bb])",
        b"(;1[a1,a2]GM[Blokus];2[t20](;3[t1])(;3[s1]))",
        b"((;FF[4]GM[1];B[aa])",
        b"(;FF[4]GM[1]RE[0-1]DT[196?];B[resign])",
        b"(;FF[4]GM[1];B[aa]C[no end",
        b"(;FF[4]GM[1]C[caf\xe9 ) \xe9t\xe9 text];B[d d] \xe9t\xe9)",
        b";B[aa]",
        b"(;FF[4]GM[1]PB[\xba\xda]PW[\xd5\x5c];B[aa])",
    ];
    const BETWEEN: [&[u8]; 10] =
        [b"\n", b"\n", b"", b"\r\n", b" ", b" mail ", b"\xEF\xBB\xBF", b"\n\0\n", b"]\n", b"\n;B[bb]\n"];

    /// Parts of all sizes are put together to what a pass over the whole comes to.
    #[test]
    fn parts_are_the_whole() {
        let choices = [
            Choice::default(),
            Choice::from_level(Severity::Note).with_guesses(),
            Choice::default().without([sgfstream::Code::UnclosedGame, sgfstream::Code::TextAfterGame]),
        ];
        let mut parts = 0;
        for seed in 0..48 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut input = if seed % 3 == 0 { b"text\n".to_vec() } else { Vec::new() };
            // In most inputs faults are rare: games are passed over, and borders are clean.
            let rare = [3, 30, 200][seed as usize % 3];
            for _ in 0..random.usize(..150) {
                let is_fault = random.u8(..) < rare;
                input.extend_from_slice(GAMES[random.usize(..if is_fault { GAMES.len() } else { 5 })]);
                let is_fault = random.u8(..) < rare / 3;
                input.extend_from_slice(BETWEEN[random.usize(..if is_fault { BETWEEN.len() } else { 5 })]);
            }
            let choice = &choices[random.usize(..choices.len())];
            let form = if random.bool() { Form::Short } else { Form::Jsonl };
            let quiet = random.u8(..) < 40;
            let expected = whole(&input, choice, form, quiet);
            for block in [64, 300, 2000, 9000] {
                let (found, count) = by_parts(&input, block, choice, form, quiet);
                parts += count;
                let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                assert_eq!(shown(&found.0), shown(&expected.0), "seed {seed}, block {block}: {}", shown(&input));
                assert_eq!(found, expected, "seed {seed}, block {block}: {}", shown(&input));
            }
        }
        assert!(parts > 800, "only {parts} parts");
    }
}
