//! Which games are near duplicates of others, however many games there are.
//!
//! Two lines are near if game, board and setup are the same and at most N of
//! their moves differ, one by one, as far as the shorter line goes. Lines are cut
//! into blocks of [`BLOCK`] moves. Where at most N moves differ, one of the last
//! N + 1 whole blocks of the shorter line is the same in the longer one, at the
//! same place: so these blocks are looked up among all blocks of the other games, and
//! each pair that shares one is compared move by move. What is looked up is sorted
//! on disk; a game costs a bit of memory.

use std::io::{self, Write};

use xxhash_rust::xxh3::xxh3_64;

use sgfstream_game::Symmetry;
use sgfstream_table::row::{LineMove, LineMoves};

use crate::io::sorter::{Sorted, Sorter};
use crate::io::spill::Spill;

/// Moves that are looked up together.
const BLOCK: usize = 10;

/// Games that a line is compared with, for each of its blocks that is looked up.
const COMPARED: u64 = 1000;

/// Games whose notes are read at once.
const READ: u64 = 512;

/// Why a game is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Duplicate {
    /// The number of the game, from 0.
    pub(super) game: u64,
    /// The game that stays.
    pub(super) kept: u64,
    /// Moves that differ.
    pub(super) differing: u32,
    /// Moves that it lacks at its end.
    pub(super) missing: u32,
    /// The one move that differs is in the same column or row: a coordinate was mistyped.
    pub(super) is_coordinate: bool,
    /// Its board is turned.
    pub(super) is_turned: bool,
}

impl Duplicate {
    /// One word for what differs.
    pub(super) fn reason(&self) -> &'static str {
        match (self.differing, self.missing) {
            (0, 0) if self.is_turned => "turned",
            (0, 0) => "same",
            (0, _) => "prefix",
            _ if self.is_coordinate => "coordinate",
            _ => "moves",
        }
    }

    fn to_bytes(self) -> [u8; 26] {
        let mut bytes = [0; 26];
        bytes[..8].copy_from_slice(&self.game.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.kept.to_be_bytes());
        bytes[16..20].copy_from_slice(&self.differing.to_be_bytes());
        bytes[20..24].copy_from_slice(&self.missing.to_be_bytes());
        bytes[24..].copy_from_slice(&[u8::from(self.is_coordinate), u8::from(self.is_turned)]);
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        let [is_coordinate, is_turned] = [24, 25].map(|at| bytes[at] == 1);
        let [differing, missing] = [16, 20].map(|at| number(&bytes[at..at + 4]) as u32);
        Self { game: number(&bytes[..8]), kept: number(&bytes[8..16]), differing, missing, is_coordinate, is_turned }
    }
}

/// A big-endian number.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Notes on the line of a game.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    at: u64,
    count: u32,
    size: (u32, u32),
    head: u64,
    /// Ways to turn its board, the identity among them.
    ways: u8,
}

impl Kept {
    const LEN: u64 = 33;

    fn to_bytes(self) -> [u8; Self::LEN as usize] {
        let mut bytes = [0; Self::LEN as usize];
        bytes[..8].copy_from_slice(&self.at.to_be_bytes());
        bytes[8..12].copy_from_slice(&self.count.to_be_bytes());
        bytes[12..16].copy_from_slice(&self.size.0.to_be_bytes());
        bytes[16..20].copy_from_slice(&self.size.1.to_be_bytes());
        bytes[20..28].copy_from_slice(&self.head.to_be_bytes());
        bytes[32] = self.ways;
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        Self {
            at: number(&bytes[..8]),
            count: number(&bytes[8..12]) as u32,
            size: (number(&bytes[12..16]) as u32, number(&bytes[16..20]) as u32),
            head: number(&bytes[20..28]),
            ways: bytes[32],
        }
    }

    fn symmetries(self) -> &'static [Symmetry] {
        match self.ways {
            8 => &Symmetry::ALL,
            2 => &Symmetry::HEX,
            _ => &[Symmetry::Identity],
        }
    }
}

/// Takes the lines of all games, then says which are duplicates.
#[derive(Default)]
pub(super) struct NearDuplicates {
    /// Moves that may differ; none: only equal lines are duplicates.
    near: Option<u32>,
    /// Equal lines: the hash by which they are equal, the rank and the number of the game, and the hash of the line as it was
    /// played.
    hashes: Sorter,
    kept: Spill,
    lines: Spill,
    games: u64,
    /// Duplicates so far, a bit for each game.
    dropped: Vec<u64>,
    /// Games with the line of an earlier one, by the number of that one.
    equal: Sorter,
    /// Games that are near to another.
    near_found: Sorter,
    /// Games that were not compared with all that share a block.
    pub(super) unfinished: u64,
}

impl NearDuplicates {
    pub(super) fn new(near: Option<u32>) -> Self {
        Self { near, ..Self::default() }
    }

    /// Adds the next game: its hash, and its line if it is to be compared. Of equal games that of the lowest `rank` stays,
    /// of those the first. `ways` are those to turn its board of `size`.
    pub(super) fn add(
        &mut self,
        hash: Option<u128>,
        rank: (u64, u64),
        line: Option<&LineMoves>,
        ways: u8,
        size: (u32, u32),
    ) -> io::Result<()> {
        let mut as_played = 0;
        let mut kept = Kept { at: self.lines.len(), ways: 1, ..Kept::default() };
        if let Some(line) = line {
            let bytes: Vec<u8> = line.moves.iter().flat_map(|played| played.0.to_le_bytes()).collect();
            self.lines.write_all(&bytes)?;
            as_played = xxh3_64(&[&line.head.to_be_bytes()[..], &bytes].concat());
            // Setup is not turned.
            let ways = if line.has_setup { 1 } else { ways };
            kept = Kept { count: line.moves.len() as u32, size, head: line.head, ways, ..kept };
        }
        if let Some(hash) = hash {
            let numbers = [rank.0, rank.1, self.games, as_played].map(u64::to_be_bytes).concat();
            self.hashes.push(&[&hash.to_be_bytes()[..], &numbers].concat())?;
        }
        self.games += 1;
        self.kept.write_all(&kept.to_bytes())
    }

    /// Finds the duplicates, in the order of the games.
    pub(super) fn find(&mut self) -> io::Result<Duplicates> {
        self.dropped = vec![0; (self.games / 64 + 1) as usize];
        self.find_equal()?;
        if let Some(near) = self.near {
            self.find_near(near as usize)?;
        }
        let mut all = Sorter::default();
        let mut near = Duplicates::new(self.near_found.sorted()?)?;
        let mut equal = self.equal.sorted()?;
        let (mut record, mut of_kept): (_, Option<Duplicate>) = (Vec::new(), None);
        while equal.next(&mut record)? {
            let (kept, game, is_turned) = (number(&record[..8]), number(&record[8..16]), record[16] == 1);
            if of_kept.is_none_or(|of_kept| of_kept.game != kept) {
                while let Some(before) = near.next.filter(|before| before.game <= kept) {
                    all.push(&before.to_bytes())?;
                    of_kept = Some(before);
                    near.advance()?;
                }
            }
            // The game that it is equal to may be near to another.
            let equal = Duplicate { game, kept, differing: 0, missing: 0, is_coordinate: false, is_turned };
            let stays = of_kept.filter(|of_kept| of_kept.game == kept);
            let stays = stays.map(|stays| Duplicate { game, is_turned: is_turned || stays.is_turned, ..stays });
            all.push(&stays.unwrap_or(equal).to_bytes())?;
        }
        while let Some(left) = near.next {
            all.push(&left.to_bytes())?;
            near.advance()?;
        }
        Duplicates::new(all.sorted()?)
    }

    fn mark(&mut self, game: u64) {
        self.dropped[(game / 64) as usize] |= 1 << (game % 64);
    }

    fn is_dropped(&self, game: u64) -> bool {
        self.dropped[(game / 64) as usize] >> (game % 64) & 1 == 1
    }

    /// Of equal lines, the first in rank stays.
    fn find_equal(&mut self) -> io::Result<()> {
        let mut sorted = self.hashes.sorted()?;
        let (mut record, mut hash, mut kept) = (Vec::new(), [0; 16], None::<(u64, u64)>);
        while sorted.next(&mut record)? {
            let (game, as_played) = (number(&record[32..40]), number(&record[40..]));
            match kept {
                Some((kept, first)) if hash == record[..16] => {
                    let is_turned = u8::from(as_played != first);
                    self.equal.push(&[&kept.to_be_bytes()[..], &game.to_be_bytes(), &[is_turned]].concat())?;
                    self.mark(game);
                }
                _ => {
                    hash.copy_from_slice(&record[..16]);
                    kept = Some((game, as_played));
                }
            }
        }
        Ok(())
    }

    fn of_game(&mut self, game: u64) -> io::Result<Kept> {
        let mut bytes = Vec::new();
        self.kept.copy(game * Kept::LEN, Kept::LEN, &mut bytes)?;
        Ok(Kept::of_bytes(&bytes))
    }

    fn moves(&mut self, kept: Kept) -> io::Result<Vec<LineMove>> {
        let mut bytes = Vec::new();
        self.lines.copy(kept.at, u64::from(kept.count) * 8, &mut bytes)?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| LineMove(u64::from_le_bytes(*bytes))).collect())
    }

    /// Of near lines, the longest stays, of those the first.
    fn find_near(&mut self, near: usize) -> io::Result<()> {
        let mut queries = Sorter::default();
        let mut groups = Spill::default();
        self.group(near, &mut groups, &mut queries)?;
        let mut sorted = queries.sorted()?;
        let (mut record, mut game, mut moves, mut is_unfinished) =
            (Vec::new(), None, (Kept::default(), Vec::new()), false);
        while sorted.next(&mut record)? {
            let query = Query::of_bytes(&record);
            if game.replace(query.game) != Some(query.game) {
                self.unfinished += u64::from(std::mem::take(&mut is_unfinished));
                let kept = self.of_game(query.game)?;
                moves = (kept, if self.is_dropped(query.game) { Vec::new() } else { self.moves(kept)? });
            }
            if self.is_dropped(query.game) {
                is_unfinished = false;
                continue;
            }
            let symmetry = moves.0.symmetries()[usize::from(query.symmetry)];
            let line: Vec<_> = moves.1.iter().map(|played| played.turned(symmetry, moves.0.size)).collect();
            is_unfinished |= self.look_up(near, &query, symmetry, &line, &mut groups)?;
            is_unfinished &= !self.is_dropped(query.game);
        }
        self.unfinished += u64::from(is_unfinished);
        Ok(())
    }

    /// Compares a line with those of a group; true if that was too many.
    fn look_up(
        &mut self,
        near: usize,
        query: &Query,
        symmetry: Symmetry,
        line: &[LineMove],
        groups: &mut Spill,
    ) -> io::Result<bool> {
        let mut compared = 0;
        let mut buffer = Vec::new();
        for start in (0..query.count).step_by(512) {
            let count = (query.count - start).min(512);
            buffer.clear();
            groups.copy(query.group + start * 8, count * 8, &mut buffer)?;
            for other in buffer.as_chunks::<8>().0.iter().map(|bytes| u64::from_be_bytes(*bytes)) {
                if other == query.game || self.is_dropped(other) {
                    continue;
                }
                compared += 1;
                if compared > COMPARED {
                    return Ok(true);
                }
                let kept = self.of_game(other)?;
                let longer = self.moves(Kept { count: kept.count.min(line.len() as u32), ..kept })?;
                let Some((differing, is_coordinate)) = differing(line, &longer, near) else { continue };
                let missing = kept.count - line.len() as u32;
                let is_turned = symmetry != Symmetry::Identity;
                let (game, kept) = (query.game, other);
                self.mark(game);
                let duplicate = Duplicate { game, kept, differing, missing, is_coordinate, is_turned };
                self.near_found.push(&duplicate.to_bytes())?;
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Writes the games that have a block, block by block, to `groups`, and pushes what each game must look up.
    fn group(&mut self, near: usize, groups: &mut Spill, queries: &mut Sorter) -> io::Result<()> {
        let mut blocks = Sorter::default();
        let mut read = Vec::new();
        for game in 0..self.games {
            let at = game % READ;
            if at == 0 {
                read.clear();
                self.kept.copy(game * Kept::LEN, (self.games - game).min(READ) * Kept::LEN, &mut read)?;
            }
            if self.is_dropped(game) {
                continue;
            }
            let kept = Kept::of_bytes(&read[(at * Kept::LEN) as usize..]);
            let whole = kept.count as usize / BLOCK;
            if whole <= near {
                continue;
            }
            let moves = self.moves(kept)?;
            for (way, &symmetry) in kept.symmetries().iter().enumerate() {
                // The size of a turned board is that of the other one.
                if symmetry.size(kept.size) != kept.size {
                    continue;
                }
                let first = if way == 0 { 0 } else { whole - near - 1 };
                for block in first..whole {
                    let bytes: Vec<u8> = moves[block * BLOCK..(block + 1) * BLOCK]
                        .iter()
                        .flat_map(|played| played.turned(symmetry, kept.size).0.to_le_bytes())
                        .collect();
                    let mut push = |kind: u8| blocks.push(&block_record(kept, block, xxh3_64(&bytes), game, kind));
                    if way == 0 {
                        push(0)?;
                    }
                    if block + near >= whole - 1 {
                        push(1 + way as u8)?;
                    }
                }
            }
        }
        let mut sorted = blocks.sorted()?;
        let (mut record, mut key, mut start, mut end) = (Vec::new(), [0; KEY], 0u64, 0u64);
        let mut groups = io::BufWriter::with_capacity(64 << 10, groups);
        while sorted.next(&mut record)? {
            if key != record[..KEY] {
                key.copy_from_slice(&record[..KEY]);
                start = end;
            }
            let (game, kind) = (&record[KEY + 4..KEY + 12], record[KEY + 12]);
            if kind == 0 {
                groups.write_all(game)?;
                end += 8;
            } else if end - start > 8 || (kind > 1 && end > start) {
                let count = (end - start) / 8;
                let query = [&record[KEY..KEY + 12], &[kind - 1], &start.to_be_bytes(), &count.to_be_bytes()].concat();
                queries.push(&query)?;
            }
        }
        groups.flush()
    }
}

/// Bytes of a block's key: head, place, hash.
const KEY: usize = 8 + 4 + 8;

/// Sorted by block, then the longest line first, then by number.
fn block_record(kept: Kept, block: usize, hash: u64, game: u64, kind: u8) -> [u8; KEY + 13] {
    let mut record = [0; KEY + 13];
    record[..8].copy_from_slice(&kept.head.to_be_bytes());
    record[8..12].copy_from_slice(&(block as u32).to_be_bytes());
    record[12..20].copy_from_slice(&hash.to_be_bytes());
    record[20..24].copy_from_slice(&(u32::MAX - kept.count).to_be_bytes());
    record[24..32].copy_from_slice(&game.to_be_bytes());
    record[32] = kind;
    record
}

/// A block of a game, and the games that have it and come before it.
struct Query {
    game: u64,
    symmetry: u8,
    group: u64,
    count: u64,
}

impl Query {
    fn of_bytes(bytes: &[u8]) -> Self {
        Self {
            game: number(&bytes[4..12]),
            symmetry: bytes[12],
            group: number(&bytes[13..21]),
            count: number(&bytes[21..29]),
        }
    }
}

/// How many moves differ, if they are not more than `near`; and whether it is one coordinate of one move.
fn differing(line: &[LineMove], other: &[LineMove], near: usize) -> Option<(u32, bool)> {
    let mut pairs = line.iter().zip(other).filter(|(one, other)| one != other);
    let mut found = Vec::new();
    found.extend(pairs.by_ref().take(near));
    if pairs.next().is_some() {
        return None;
    }
    let is_coordinate = match found[..] {
        [(one, other)] => match (one.point(), other.point()) {
            // Bits 32 and above are the colour.
            (Some(a), Some(b)) => one.0 >> 32 == other.0 >> 32 && (a.0 == b.0 || a.1 == b.1),
            _ => false,
        },
        _ => false,
    };
    Some((found.len() as u32, is_coordinate))
}

/// The duplicates, in the order of the games.
pub(super) struct Duplicates {
    sorted: Sorted,
    next: Option<Duplicate>,
}

impl Duplicates {
    fn new(sorted: Sorted) -> io::Result<Self> {
        let mut duplicates = Self { sorted, next: None };
        duplicates.advance()?;
        Ok(duplicates)
    }

    fn advance(&mut self) -> io::Result<()> {
        let mut record = Vec::new();
        self.next = self.sorted.next(&mut record)?.then(|| Duplicate::of_bytes(&record));
        Ok(())
    }

    /// Why this game is a duplicate, if it is one. To be asked for each game in order.
    pub(super) fn of(&mut self, game: u64) -> io::Result<Option<Duplicate>> {
        let found = self.next.filter(|duplicate| duplicate.game == game);
        if found.is_some() {
            self.advance()?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &[u64]) -> LineMoves {
        let mut line = LineMoves::default();
        line.moves = moves.iter().map(|&at| LineMove(1 << 63 | 1 << 32 | (at / 19) << 16 | (at % 19))).collect();
        line
    }

    /// All pairs, the longest line first.
    fn brute_force(lines: &[Vec<u64>], near: usize) -> Vec<(u64, u64, u32)> {
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by_key(|&game| (usize::MAX - lines[game].len(), game));
        let (mut kept, mut found): (Vec<usize>, Vec<_>) = (Vec::new(), Vec::new());
        for game in order {
            let differ = |other: usize| lines[game].iter().zip(&lines[other]).filter(|(a, b)| a != b).count();
            let is_long = lines[game].len() / BLOCK > near;
            let is_near = |other: usize| lines[game] == lines[other] || (is_long && differ(other) <= near);
            match kept.iter().find(|&&other| is_near(other)) {
                Some(&other) => found.push((game as u64, other as u64, differ(other) as u32)),
                None => kept.push(game),
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn as_brute_force_over_all_pairs() {
        let mut random = fastrand::Rng::with_seed(3);
        for round in 0..60 {
            let near = round % 4;
            let mut lines: Vec<Vec<u64>> = Vec::new();
            for _ in 0..40 {
                let mut moves: Vec<u64> = match lines.len() {
                    0 => Vec::new(),
                    len if random.bool() => lines[random.usize(..len)].clone(),
                    _ => Vec::new(),
                };
                if moves.is_empty() {
                    // A few openings in common.
                    let opening = random.u64(..3);
                    moves = (0..12).map(|at| opening * 40 + at).collect();
                    moves.extend((0..random.usize(..60)).map(|_| random.u64(..361)));
                } else {
                    for _ in 0..random.usize(..4) {
                        let at = random.usize(..moves.len());
                        moves[at] = random.u64(..361);
                    }
                    if random.bool() {
                        moves.truncate(random.usize(1..=moves.len()));
                    }
                }
                lines.push(moves);
            }
            let mut duplicates = NearDuplicates::new(Some(near as u32));
            for moves in &lines {
                let bytes: Vec<u8> = moves.iter().flat_map(|at| at.to_le_bytes()).collect();
                let hash = xxhash_rust::xxh3::xxh3_128(&bytes);
                duplicates.add(Some(hash), (0, 0), Some(&line(moves)), 1, (19, 19)).expect("disk space");
            }
            let mut sorted = duplicates.find().expect("disk space");
            let mut found = Vec::new();
            for game in 0..lines.len() as u64 {
                if let Some(duplicate) = sorted.of(game).expect("disk space") {
                    found.push(duplicate);
                }
            }
            let expected = brute_force(&lines, near);
            let games: Vec<_> = found.iter().map(|duplicate| duplicate.game).collect();
            assert_eq!(games, expected.iter().map(|row| row.0).collect::<Vec<_>>(), "{near}");
            // Which of several games it is near to depends on the block that is looked up first.
            for duplicate in found {
                let [one, other] = [duplicate.game, duplicate.kept].map(|game| &lines[game as usize]);
                let differ = one.iter().zip(other).filter(|(a, b)| a != b).count();
                assert_eq!((differ as u32, other.len() - one.len()), (duplicate.differing, duplicate.missing as usize));
                assert!(!games.contains(&duplicate.kept));
            }
            assert_eq!(duplicates.unfinished, 0);
        }
    }

    #[test]
    fn one_coordinate() {
        let [a, b, c] = [0, 1, 19 * 3 + 7].map(|at| line(&[at]).moves);
        assert_eq!(differing(&a, &b, 1), Some((1, true)));
        assert_eq!(differing(&a, &c, 1), Some((1, false)));
        assert_eq!(differing(&a, &c, 0), None);
        assert_eq!(differing(&a, &a, 0), Some((0, false)));
    }
}
