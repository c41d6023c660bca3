//! Two collections compared: games that only one of them has, and games that both have with other properties.
//!
//! Games are paired by the hash of their main line, equal bytes first, wherever they are. What the pairs mean is compared
//! in a second reading, for those pairs only whose bytes differ. All that grows with the number of games is sorted on disk.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::ops::ControlFlow;

use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

use sgfstream::EventReader;
use sgfstream_adapt::rewrite::Selector;
use sgfstream_engine::{Before, Out};
use sgfstream_table::games::Kept;
use sgfstream_table::row::{Cell, Column, ColumnSet};

use crate::args::input::{How, Inputs};
use crate::args::threads::{self, Pool, SUM};
use crate::args::where_games::Where;
use crate::io::output::Output;
use crate::io::sorter::{Sorted, Sorter};
use crate::io::spill::{Spill, numbers_of};
use crate::report::cut;
use crate::report::exit::Exit;
use crate::report::rows::{RowFormat, RowWriter, Table};
use crate::report::terminal;

use super::side::{Found, Side};

/// The columns of the answer.
const COLUMNS: [&str; 4] = ["change", "a", "b", "properties"];

/// Identifiers of a game that are told apart; the others count as one.
const IDENTS: usize = 100;

/// The structure of a game among its properties; no identifier has small letters.
const VARIATIONS: &[u8] = b"variations";

/// Compares the games of two inputs, and writes those that differ.
pub(super) fn compare(
    [one, other]: [&OsStr; 2],
    how: &How,
    pool: &Pool,
    ignore: Option<&Selector>,
    format: RowFormat,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let (mut one, exit) = Collection::read(one, how, pool)?;
    let (mut other, other_exit) = Collection::read(other, how, pool)?;
    let (mut rest, mut other_rest) = (Sorter::default(), Sorter::default());
    let mut equal = 0u64;
    join::<5>(&mut one.keys, &mut other.keys, |pair| {
        match pair {
            (Some([hash, low, .., game]), None) => rest.push_numbers(&[hash, low, game])?,
            (None, Some([hash, low, .., game])) => other_rest.push_numbers(&[hash, low, game])?,
            _ => equal += 1,
        }
        Ok(())
    })?;
    // Games of a pair, by their own numbers; and the answer: games of A in their order, then those that are only in B.
    let (mut wanted, mut other_wanted) = (Sorter::default(), Sorter::default());
    let (mut pairs, mut rows) = (Spill::default(), Sorter::default());
    join::<3>(&mut rest, &mut other_rest, |pair| {
        match pair {
            (Some([.., game]), None) => rows.push_numbers(&[game, u64::MAX])?,
            (None, Some([.., game])) => rows.push_numbers(&[u64::MAX, game])?,
            (Some([.., game]), Some([.., other])) => {
                let number = pairs.len() / 16;
                pairs.push_numbers(&[game, other])?;
                wanted.push_numbers(&[game, number])?;
                other_wanted.push_numbers(&[other, number])?;
            }
            (None, None) => {}
        }
        Ok(())
    })?;
    let mut respelled = 0u64;
    if pairs.len() > 0 {
        let mut sums = one.sums(wanted.sorted()?, ignore)?.sorted()?;
        let mut other_sums = other.sums(other_wanted.sorted()?, ignore)?.sorted()?;
        let (mut string, mut other_string) = (Vec::new(), Vec::new());
        while sums.next(&mut string)? && other_sums.next(&mut other_string)? {
            let (number, sums) = read_sums(&string);
            let (other_number, other_sums) = read_sums(&other_string);
            anyhow::ensure!(number == other_number, "expected inputs that stay as they are, found a change");
            let idents =
                sums.keys().chain(other_sums.keys()).filter(|ident| sums.get(*ident) != other_sums.get(*ident));
            let mut idents: Vec<&[u8]> = idents.copied().collect();
            idents.sort_unstable();
            idents.dedup();
            if idents.is_empty() {
                respelled += 1;
                continue;
            }
            let [game, other] = pairs.numbers::<2>(16 * number)?;
            rows.push(&[&game.to_be_bytes(), &other.to_be_bytes(), &*idents.join(&b' ')].concat())?;
        }
    }
    let counts = write_rows([&mut one, &mut other], &mut rows, format, out)?;
    let s = |count: u64| if count == 1 { "" } else { "s" };
    let [only, only_other, changed] = counts;
    terminal::say(&format!(
        "sgfq: {only} game{} only in A, {only_other} only in B, {changed} changed, {} equal, {respelled} of them written \
         differently",
        s(only),
        equal + respelled
    ));
    let found = if counts == [0; 3] { Exit::Done } else { Exit::Found };
    Ok(exit.or(other_exit).or(found))
}

/// Gives `each` the records that have the same numbers but the last in both, in pairs, and those that only one of the two has.
fn join<const N: usize>(
    one: &mut Sorter,
    other: &mut Sorter,
    mut each: impl FnMut((Option<[u64; N]>, Option<[u64; N]>)) -> io::Result<()>,
) -> io::Result<()> {
    let (mut ones, mut others) = (one.sorted()?, other.sorted()?);
    let (mut one, mut other) = (ones.next_numbers::<N>()?, others.next_numbers::<N>()?);
    while one.is_some() || other.is_some() {
        let order = match (&one, &other) {
            (Some(one), Some(other)) => one[..N - 1].cmp(&other[..N - 1]),
            (None, _) => Ordering::Greater,
            (_, None) => Ordering::Less,
        };
        let left = if order == Ordering::Greater { None } else { one };
        let right = if order == Ordering::Less { None } else { other };
        each((left, right))?;
        one = if left.is_some() { ones.next_numbers()? } else { one };
        other = if right.is_some() { others.next_numbers()? } else { other };
    }
    Ok(())
}

/// The number of a pair, and the sums of one of its games.
fn read_sums(string: &[u8]) -> (u64, BTreeMap<&[u8], &[u8]>) {
    let (number, mut rest) = string.split_at(8);
    let mut sums = BTreeMap::new();
    while let Some((&len, after)) = rest.split_first() {
        let (ident, after) = after.split_at(len.into());
        let (sum, after) = after.split_at(8);
        sums.insert(ident, sum);
        rest = after;
    }
    (u64::from_be_bytes(number.try_into().expect("eight bytes")), sums)
}

/// Writes the games that differ. Returns how many are only in the one, only in the other, and changed.
fn write_rows(
    [one, other]: [&mut Collection; 2],
    rows: &mut Sorter,
    format: RowFormat,
    out: &mut Output,
) -> anyhow::Result<[u64; 3]> {
    let is_shown = out.is_terminal();
    let writer = RowWriter::new(format, COLUMNS, is_shown);
    let mut table = Table::new(vec![false; COLUMNS.len()], is_shown);
    let (mut counts, mut string, mut sorted, mut line) = ([0; 3], Vec::new(), rows.sorted()?, writer.head());
    loop {
        match format {
            RowFormat::Table => table.write(&line, out)?,
            _ => out.write_all(&line)?,
        }
        line.clear();
        if !sorted.next(&mut string)? {
            break;
        }
        let idents = String::from_utf8_lossy(&string[16..]).into_owned();
        let [name, other_name] = numbers_of::<2>(&string).map(|number| (number != u64::MAX).then_some(number));
        let name = name.map(|game| one.name(game)).transpose()?;
        let other_name = other_name.map(|game| other.name(game)).transpose()?;
        let (at, change) = match (&name, &other_name) {
            (_, None) => (0, "only in A"),
            (None, _) => (1, "only in B"),
            _ => (2, "changed"),
        };
        counts[at] += 1;
        let idents = (at == 2).then_some(idents);
        let cells = [name, other_name, idents];
        let cells = cells.iter().map(|text| text.as_deref().map_or(Cell::Null, Cell::Text));
        writer.row([Cell::Text(change)].into_iter().chain(cells), &mut line);
    }
    table.print_waiting(out)?;
    Ok(counts)
}

/// Collection, as its games were read.
struct Collection {
    inputs: Inputs,
    /// For each game: the hash of its line, that of its bytes, and its number.
    keys: Sorter,
    names: Spill,
    /// Where each name ends.
    ends: Spill,
}

/// Games of a part.
#[derive(Default)]
struct Games(Vec<(Option<u128>, u128, String, u64)>);

impl threads::Output for Games {
    fn shift(&mut self, before: &Before) {
        self.0.iter_mut().for_each(|(.., number)| *number += before.games);
    }

    fn is_full(&self) -> bool {
        self.0.len() >= 4096
    }
}

struct Hashed(Xxh3);

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Collection {
    /// Reads all games of an input.
    fn read(input: &OsStr, how: &How, pool: &Pool) -> anyhow::Result<(Self, Exit)> {
        let mut inputs = Inputs::of(input, how.clone());
        // No text is looked at in the first reading.
        inputs.how.ask_text(false);
        let chooser = Where::default().parse()?;
        let hash = Column::find("hash").expect("a column");
        let job = threads::each_game(
            &chooser,
            || chooser.builder(ColumnSet::of([hash])),
            Kept::Games,
            |game, part, games: &mut Out<'_, Games>| {
                let line = hash.get(game.read_rest()?.row());
                let line = if let Cell::Text(digits) = line { u128::from_str_radix(digits, 16).ok() } else { None };
                let mut bytes = Hashed(Xxh3::new());
                game.write(&mut bytes)?;
                games.0.push((line, bytes.0.digest128(), part.name.to_string(), game.number()));
                Ok(())
            },
        );
        let (mut keys, mut names, mut ends) = (Sorter::default(), Spill::default(), Spill::default());
        let exit = threads::sum(SUM, pool, &inputs, &job, |unit| {
            for (line, bytes, name, number) in unit.output.take().unwrap_or_default().0 {
                let halves = |hash: u128| [(hash >> 64) as u64, hash as u64];
                // Of games without a line, only those of the same bytes are a pair.
                let ([one, other], [more, last]) = (halves(line.unwrap_or(bytes)), halves(bytes));
                keys.push_numbers(&[one, other, more, last, ends.len() / 8])?;
                write!(names, "{name}#{number}")?;
                ends.push_numbers(&[names.len()])?;
            }
            Ok(())
        })?;
        Ok((Self { inputs: Inputs::of(input, how.clone()), keys, names, ends }, exit))
    }

    /// The name of a game.
    fn name(&mut self, game: u64) -> io::Result<String> {
        let [start] = if game == 0 { [0] } else { self.ends.numbers(8 * (game - 1))? };
        let [end] = self.ends.numbers(8 * game)?;
        let mut name = Vec::new();
        self.names.copy(start, end - start, &mut name)?;
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    /// Reads the `wanted` games again, each with the number of its pair. Returns the pairs, each with sums over the values of
    /// each property.
    fn sums(&self, mut wanted: Sorted, ignore: Option<&Selector>) -> anyhow::Result<Sorter> {
        let mut sums = Sorter::default();
        let (mut next, mut before) = (wanted.next_numbers::<2>()?, 0);
        self.inputs.each(self.inputs.how.options(), |part| {
            let mut reader = part.reader();
            let mut side = Side::new(&mut reader, ignore);
            let mut found = side.next()?.0;
            while let (Found::VariationStart, Some([number, pair])) = (found, next) {
                if before + side.game - 1 == number {
                    let mut string = pair.to_be_bytes().to_vec();
                    for (ident, sum) in side.sums()? {
                        string.push(ident.len() as u8);
                        string.extend(ident);
                        string.extend(sum.to_be_bytes());
                    }
                    sums.push(&string)?;
                    next = wanted.next_numbers()?;
                } else {
                    side.reader.skip_game();
                }
                found = side.next_game()?;
            }
            before += side.game;
            match next {
                Some(_) => Ok(ControlFlow::Continue(reader.finish()?)),
                None => Ok(ControlFlow::Break(())),
            }
        })?;
        Ok(sums)
    }
}

impl Side<'_, '_> {
    /// Goes on to the start of the next game, or to the end.
    fn next_game(&mut self) -> anyhow::Result<Found> {
        loop {
            match self.next()?.0 {
                Found::VariationStart if self.reader.depth() == 1 => return Ok(Found::VariationStart),
                Found::End => return Ok(Found::End),
                _ => {}
            }
        }
    }

    /// The sums of a game that was begun: for each identifier, of all its values with their places.
    fn sums(&mut self) -> anyhow::Result<BTreeMap<Vec<u8>, u64>> {
        let mut sums = BTreeMap::<Vec<u8>, u64>::new();
        let mut depth = 1u64;
        while depth > 0 {
            let found = self.next()?.0;
            match found {
                Found::Node if self.properties.is_whole() => {
                    let values = self.values();
                    let (mut at, mut first) = (0, 0);
                    while let Some((ident, value)) = values.get(at) {
                        let is_next = values.get(first).is_some_and(|(before, _)| before == ident);
                        first = if is_next { first } else { at };
                        let place = [self.node, (at - first) as u64].map(u64::to_be_bytes);
                        let seed = xxh3_64(place.as_flattened());
                        let is_known = sums.len() < IDENTS && ident.len() < 256;
                        let ident = if is_known || sums.contains_key(ident) { ident } else { b"others" };
                        let sum = sums.entry(ident.to_vec()).or_default();
                        *sum = sum.wrapping_add(xxh3_64_with_seed(value, seed));
                        at += 1;
                    }
                    continue;
                }
                Found::Node => cut::add(1),
                Found::VariationStart => depth += 1,
                Found::VariationEnd => depth -= 1,
                Found::End => break,
            }
            let sum = sums.entry(VARIATIONS.to_vec()).or_default();
            *sum = sum.wrapping_add(xxh3_64([self.node, depth].map(u64::to_be_bytes).as_flattened()));
        }
        Ok(sums)
    }
}
