//! Finds near duplicates among any number of games.
//!
//! Two lines are near if game, board and setup are equal and at most N of their moves differ,
//! compared one by one up to the end of the shorter line. Lines are divided into blocks of
//! [`BLOCK`] moves. If at most N moves differ, one of the last N + 1 whole blocks of the shorter
//! line equals the block at the same place of the longer one. So these blocks are looked up among
//! all blocks of the other games, and each pair that shares a block is compared move by move. The
//! blocks are sorted on disk; a game costs one bit of memory.

use std::io::{self, Write};

use xxhash_rust::xxh3::xxh3_64;

use sgfstream_explore::SortRecord;
use sgfstream_game::board::Symmetry;
use sgfstream_table::row::LineMove;

use super::HashedGame;
use crate::io::spill::Spill;
use crate::io::temp_file::{Sorted, Sorter};

/// Number of moves in a block.
const BLOCK: usize = 10;

/// Maximum number of games that a line is compared with, for each of its blocks.
const COMPARED: u64 = 1000;

/// A game that is left out, with the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Duplicate {
    /// Number of the game, from 0.
    pub(super) game: u64,
    /// Game that stays.
    pub(super) kept: u64,
    /// Number of moves that differ.
    pub(super) differing: u64,
    /// Number of moves missing at the end.
    pub(super) missing: u64,
    /// Number of a reason in [`REASONS`].
    reason: u64,
}

/// Reasons by number: [`SAME`], [`TURNED`], and others.
const REASONS: [&str; 5] = ["same", "turned", "prefix", "coordinate", "moves"];

/// The lines are equal.
const SAME: u64 = 0;

/// The lines are equal, but one board is rotated or mirrored.
const TURNED: u64 = 1;

impl Duplicate {
    /// Returns one word for the difference. `turned` is the word for boards that are rotated or
    /// mirrored.
    pub(super) fn reason(&self, turned: &'static str) -> &'static str {
        if self.reason == TURNED {
            turned
        } else {
            REASONS[self.reason as usize]
        }
    }
}

impl SortRecord for Duplicate {
    fn append_to(&self, out: &mut Vec<u8>) {
        let Self {
            game,
            kept,
            differing,
            missing,
            reason,
        } = *self;
        [game, kept, differing, missing, reason].append_to(out);
    }

    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let ([game, kept, differing, missing, reason], len) = SortRecord::parse(bytes)?;
        Some((
            Self {
                game,
                kept,
                differing,
                missing,
                reason,
            },
            len,
        ))
    }
}

/// Data about the line of a game.
#[derive(Clone, Copy, Debug, Default)]
struct StoredLine {
    at: u64,
    count: u32,
    size: (u32, u32),
    head: u64,
    /// Number of symmetries of the board, including the identity.
    symmetries: u8,
}

impl StoredLine {
    fn to_numbers(self) -> [u64; 6] {
        let Self {
            at,
            count,
            size: (columns, rows),
            head,
            symmetries,
        } = self;
        [
            at,
            count.into(),
            columns.into(),
            rows.into(),
            head,
            symmetries.into(),
        ]
    }

    fn of_numbers([at, count, columns, rows, head, symmetries]: [u64; 6]) -> Self {
        Self {
            at,
            count: count as u32,
            size: (columns as u32, rows as u32),
            head,
            symmetries: symmetries as u8,
        }
    }

    fn symmetries(self) -> &'static [Symmetry] {
        match self.symmetries {
            8 => &Symmetry::ALL,
            2 => &Symmetry::HEX,
            _ => &[Symmetry::Identity],
        }
    }
}

/// Collects the lines of all games, then finds the duplicates.
#[derive(Default)]
pub(super) struct NearDuplicates {
    /// Maximum number of different moves, or `None` if only equal lines are duplicates.
    near: Option<u32>,
    /// Equal lines: the hash that equal games share, the rank and the number of the game, and the
    /// hash of the line as played.
    hashes: Sorter<[u64; 6]>,
    kept: Spill,
    lines: Spill,
    games: u64,
    /// Duplicates so far, one bit per game.
    dropped: Vec<u64>,
    /// Games with the line of an earlier game, by the number of the earlier one.
    equal: Sorter<[u64; 3]>,
    /// Games that are near to another game.
    near_found: Sorter<Duplicate>,
    /// All duplicates.
    found: Sorter<Duplicate>,
    /// Number of games that were not compared with all games that share a block.
    pub(super) unfinished: u64,
    /// Pairs of a game that stays and a game left out for it, if they are requested.
    groups: Option<Sorter<[u64; 2]>>,
}

impl NearDuplicates {
    /// Creates a collector. With `has_groups`, the games of each group are listed.
    pub(super) fn new(near: Option<u32>, has_groups: bool) -> Self {
        Self {
            near,
            groups: has_groups.then(Sorter::default),
            ..Self::default()
        }
    }

    /// Returns the pairs of a game that stays and a game left out for it, in order. Call it after
    /// [`find`](Self::find).
    pub(super) fn groups(&mut self) -> io::Result<Sorted<[u64; 2]>> {
        self.groups.take().unwrap_or_default().sorted()
    }

    /// Adds the next game. Of equal games, the one with the lowest `rank` stays; among equal ranks,
    /// the first.
    pub(super) fn add(&mut self, game: &HashedGame, rank: (u64, u64)) -> io::Result<()> {
        let mut as_played = 0;
        let mut kept = StoredLine {
            at: self.lines.len(),
            symmetries: 1,
            ..StoredLine::default()
        };
        if let Some(line) = &game.moves {
            let bytes: Vec<u8> = line
                .moves
                .iter()
                .flat_map(|played| played.0.to_le_bytes())
                .collect();
            self.lines.write_all(&bytes)?;
            as_played = xxh3_64(&[&line.head.to_be_bytes()[..], &bytes].concat());
            // Compare a line with setup as it was played: the setup is not rotated or mirrored.
            let symmetries = if line.has_setup { 1 } else { game.symmetries };
            kept = StoredLine {
                count: line.moves.len() as u32,
                size: game.size,
                head: line.head,
                symmetries,
                ..kept
            };
        }
        if let Some(hash) = game.hash {
            let (high, low) = ((hash >> 64) as u64, hash as u64);
            self.hashes
                .push([high, low, rank.0, rank.1, self.games, as_played])?;
        }
        self.games += 1;
        self.kept.push_numbers(kept.to_numbers())
    }

    /// Returns the duplicates in the order of the games.
    pub(super) fn find(&mut self) -> io::Result<Duplicates> {
        self.dropped = vec![0; (self.games / 64 + 1) as usize];
        self.find_equal()?;
        if let Some(near) = self.near {
            self.find_near(near as usize)?;
        }
        let mut near = Duplicates::new(self.near_found.sorted()?)?;
        let mut equal = self.equal.sorted()?;
        while let Some([kept, game, is_turned]) = equal.next()? {
            // The kept game of the pair may itself be dropped as near to a third game.
            let stays = near.of(kept)?.unwrap_or(Duplicate {
                kept,
                ..Duplicate::default()
            });
            let reason = if stays.reason == SAME {
                is_turned * TURNED
            } else {
                stays.reason
            };
            self.push(Duplicate {
                game,
                reason,
                ..stays
            })?;
        }
        Duplicates::new(self.found.sorted()?)
    }

    fn push(&mut self, found: Duplicate) -> io::Result<()> {
        if let Some(groups) = &mut self.groups {
            groups.push([found.kept, found.game])?;
        }
        self.found.push(found)
    }

    fn mark(&mut self, game: u64) {
        self.dropped[(game / 64) as usize] |= 1 << (game % 64);
    }

    fn is_dropped(&self, game: u64) -> bool {
        self.dropped[(game / 64) as usize] >> (game % 64) & 1 == 1
    }

    /// Of equal lines, keeps the first by rank.
    fn find_equal(&mut self) -> io::Result<()> {
        let mut sorted = self.hashes.sorted()?;
        let mut kept = None::<([u64; 2], u64, u64)>;
        while let Some([high, low, _, _, game, as_played]) = sorted.next()? {
            match kept {
                Some((hash, kept, first)) if hash == [high, low] => {
                    self.equal
                        .push([kept, game, u64::from(as_played != first)])?;
                    self.mark(game);
                }
                _ => kept = Some(([high, low], game, as_played)),
            }
        }
        Ok(())
    }

    fn of_game(&mut self, game: u64) -> io::Result<StoredLine> {
        Ok(StoredLine::of_numbers(
            self.kept.numbers(game * size_of::<[u64; 6]>() as u64)?,
        ))
    }

    fn moves(&mut self, kept: StoredLine) -> io::Result<Vec<LineMove>> {
        let mut bytes = vec![0; kept.count as usize * 8];
        self.lines.read_exact(kept.at, &mut bytes)?;
        Ok(bytes
            .as_chunks()
            .0
            .iter()
            .map(|bytes| LineMove(u64::from_le_bytes(*bytes)))
            .collect())
    }

    /// Of near lines, keeps the longest, and of these the first.
    fn find_near(&mut self, near: usize) -> io::Result<()> {
        let (mut groups, mut lookups) = self.group(near)?;
        let (mut game, mut line, mut moves) = (u64::MAX, StoredLine::default(), Vec::new());
        let mut is_unfinished = false;
        // All lookups of a game follow one another.
        while let Some([_, next, symmetry, group, count]) = lookups.next()? {
            if next != game {
                self.unfinished += u64::from(is_unfinished);
                (game, line, is_unfinished) = (next, self.of_game(next)?, false);
                moves = self.moves(line)?;
            }
            if self.is_dropped(game) {
                continue;
            }
            let symmetry = line.symmetries()[symmetry as usize];
            let turned: Vec<_> = moves
                .iter()
                .map(|played| played.turned(symmetry, line.size))
                .collect();
            let mut compared = 0;
            for nth in 0..count {
                let [other] = groups.numbers(group + 8 * nth)?;
                if other == game || self.is_dropped(other) {
                    continue;
                }
                compared += 1;
                if compared > COMPARED {
                    is_unfinished = true;
                    break;
                }
                let longer = self.of_game(other)?;
                let start = self.moves(StoredLine {
                    count: line.count,
                    ..longer
                })?;
                let Some((differing, is_coordinate)) = differing(&turned, &start, near) else {
                    continue;
                };
                let missing = u64::from(longer.count - line.count);
                let reason = match (differing, missing) {
                    (0, 0) => u64::from(symmetry != Symmetry::Identity) * TURNED,
                    (0, _) => 2,
                    _ if is_coordinate => 3,
                    _ => 4,
                };
                let duplicate = Duplicate {
                    game,
                    kept: other,
                    differing,
                    missing,
                    reason,
                };
                self.mark(game);
                self.near_found.push(duplicate)?;
                self.push(duplicate)?;
                is_unfinished = false;
                break;
            }
        }
        self.unfinished += u64::from(is_unfinished);
        Ok(())
    }

    /// Returns the games of each block, one group after another, and the sorted lookups of each
    /// game in these groups.
    fn group(&mut self, near: usize) -> io::Result<(Spill, Sorted<[u64; 5]>)> {
        let (mut groups, mut lookups, mut blocks) =
            (Spill::default(), Sorter::default(), Sorter::default());
        for game in 0..self.games {
            if self.is_dropped(game) {
                continue;
            }
            let kept = self.of_game(game)?;
            let whole = kept.count as usize / BLOCK;
            if whole <= near {
                continue;
            }
            let moves = self.moves(kept)?;
            for (way, &symmetry) in kept.symmetries().iter().enumerate() {
                // The transformed board must have the same size.
                if symmetry.size(kept.size) != kept.size {
                    continue;
                }
                let first = if way == 0 { 0 } else { whole - near - 1 };
                for block in first..whole {
                    let turned = moves[block * BLOCK..(block + 1) * BLOCK]
                        .iter()
                        .map(|played| played.turned(symmetry, kept.size).0);
                    let key: Vec<u8> = [kept.head, block as u64]
                        .into_iter()
                        .chain(turned)
                        .flat_map(u64::to_le_bytes)
                        .collect();
                    // Sort by block, then the longest line first, then by number.
                    let (key, last) = (xxh3_64(&key), u64::from(u32::MAX - kept.count));
                    if way == 0 {
                        blocks.push([key, last, game, 0])?;
                    }
                    if block + near >= whole - 1 {
                        blocks.push([key, last, game, 1 + way as u64])?;
                    }
                }
            }
        }
        let mut sorted = blocks.sorted()?;
        let (mut last_key, mut start) = (None, 0);
        while let Some([key, last, game, kind]) = sorted.next()? {
            if last_key.replace(key) != Some(key) {
                start = groups.len();
            }
            let count = (groups.len() - start) / 8;
            if kind == 0 {
                groups.push_numbers([game])?;
            } else if count > 1 || (kind > 1 && count > 0) {
                lookups.push([last, game, kind - 1, start, count])?;
            }
        }
        Ok((groups, lookups.sorted()?))
    }
}

/// Returns the number of different moves if it is at most `near`, and whether the only difference
/// is one coordinate of one move.
fn differing(line: &[LineMove], other: &[LineMove], near: usize) -> Option<(u64, bool)> {
    let pairs = line.iter().zip(other).filter(|(one, other)| one != other);
    let found: Vec<_> = pairs.take(near + 1).collect();
    let is_coordinate = match found[..] {
        // Bits 32 and above contain the color.
        [(one, other)] if one.0 >> 32 == other.0 >> 32 => one
            .point()
            .zip(other.point())
            .is_some_and(|(one, other)| one.0 == other.0 || one.1 == other.1),
        _ => false,
    };
    (found.len() <= near).then_some((found.len() as u64, is_coordinate))
}

/// Iterator over the duplicates in the order of the games.
pub(super) struct Duplicates {
    sorted: Sorted<Duplicate>,
    next: Option<Duplicate>,
}

impl Duplicates {
    fn new(mut sorted: Sorted<Duplicate>) -> io::Result<Self> {
        Ok(Self {
            next: sorted.next()?,
            sorted,
        })
    }

    /// Returns the duplicate for this game, if it is one. Games must be queried in order.
    pub(super) fn of(&mut self, game: u64) -> io::Result<Option<Duplicate>> {
        while self.next.is_some_and(|duplicate| duplicate.game < game) {
            self.next = self.sorted.next()?;
        }
        Ok(self.next.filter(|duplicate| duplicate.game == game))
    }
}

#[cfg(test)]
mod tests {
    use sgfstream_table::row::LineMoves;

    use super::*;

    fn line(moves: &[u64]) -> LineMoves {
        let mut line = LineMoves::default();
        line.moves = moves
            .iter()
            .map(|&at| LineMove(1 << 63 | 1 << 32 | (at / 19) << 16 | (at % 19)))
            .collect();
        line
    }

    /// Compares all pairs, the longest line first.
    fn brute_force(lines: &[Vec<u64>], near: usize) -> Vec<(u64, u64, u64)> {
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by_key(|&game| (usize::MAX - lines[game].len(), game));
        let (mut kept, mut found): (Vec<usize>, Vec<_>) = (Vec::new(), Vec::new());
        for game in order {
            let differ = |other: usize| {
                lines[game]
                    .iter()
                    .zip(&lines[other])
                    .filter(|(a, b)| a != b)
                    .count()
            };
            let is_long = lines[game].len() / BLOCK > near;
            let is_near =
                |other: usize| lines[game] == lines[other] || (is_long && differ(other) <= near);
            match kept.iter().find(|&&other| is_near(other)) {
                Some(&other) => found.push((game as u64, other as u64, differ(other) as u64)),
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
            let mut duplicates = NearDuplicates::new(Some(near as u32), false);
            for moves in &lines {
                let bytes: Vec<u8> = moves.iter().flat_map(|at| at.to_le_bytes()).collect();
                let hash = xxhash_rust::xxh3::xxh3_128(&bytes);
                let moves = Some(line(moves));
                let game = HashedGame {
                    hash: Some(hash),
                    moves,
                    symmetries: 1,
                    size: (19, 19),
                    ..HashedGame::default()
                };
                duplicates.add(&game, (0, 0)).expect("disk space");
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
            assert_eq!(
                games,
                expected.iter().map(|row| row.0).collect::<Vec<_>>(),
                "{near}"
            );
            // Which of several near games is found depends on the block that is looked up first.
            for duplicate in found {
                let [one, other] =
                    [duplicate.game, duplicate.kept].map(|game| &lines[game as usize]);
                let differ = one.iter().zip(other).filter(|(a, b)| a != b).count();
                assert_eq!(
                    (differ as u64, (other.len() - one.len()) as u64),
                    (duplicate.differing, duplicate.missing)
                );
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
