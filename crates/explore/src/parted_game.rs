//! Games that part in variations: the root names no player, and variations have their own game
//! information. Each of these variations is a game for those who count players.

use std::io;

use sgfstream::record::{GameItem, GameReader, GameRecord};
use sgfstream::{Charset, Options, SliceReader};
use sgfstream_game::Facts;
use sgfstream_table::row::{FilledRow, GameRow, PathInfo};

/// Returns whether the variations of a game name its players, and its root does not.
pub(crate) fn is_parted(facts: &Facts<'_>) -> bool {
    !facts.names_player && roots_of_variations(facts.record()).is_ok_and(|roots| !roots.is_empty())
}

/// Passes the row of each variation with its own game information to `each`, or `row` if there is
/// none. `game` names no player in its root. `of_variation` gets the rows.
///
/// # Errors
///
/// Returns an error if the root of a variation exceeds a limit of the reader.
pub fn each_variation(
    game: GameRecord<'_>,
    row: &GameRow,
    of_variation: &mut FilledRow,
    mut each: impl FnMut(&GameRow),
) -> io::Result<()> {
    let roots = roots_of_variations(game)?;
    if roots.is_empty() {
        each(row);
    }
    let charset = Some(game.charset()).filter(|&charset| charset != Charset::AUTO);
    let options = Options::default().with_charset(charset);
    let mut games = GameReader::new(SliceReader::with_options(&roots, options));
    while let Some(Ok(root)) = games.next_game().map_err(io::Error::other)? {
        of_variation.fill(&Facts::of(root, of_variation.infos()));
        let mut played = of_variation.row().clone();
        played.reference.clone_from(&row.reference);
        each(&played);
    }
    Ok(())
}

/// Returns the root of each variation that has its own game information, as a game. Returns no
/// bytes if there is no game information below the root.
fn roots_of_variations(game: GameRecord<'_>) -> io::Result<Vec<u8>> {
    let mut info = PathInfo::of_root(game);
    let (mut roots, mut forks, mut is_new) = (Vec::new(), Vec::new(), false);
    for item in game.items(game.after_root(game.tokens())) {
        if let GameItem::Property(_, property) = item {
            is_new |= info.add(property);
            continue;
        }
        let is_start = matches!(item, GameItem::VariationStart);
        if !is_start && !matches!(item, GameItem::VariationEnd) {
            continue;
        }
        if std::mem::take(&mut is_new) {
            roots.extend_from_slice(b"(;");
            info.write(&mut roots)?;
            roots.extend_from_slice(b")");
        }
        if is_start {
            forks.push(info.below_count() as u32);
        } else if let Some(count) = forks.pop() {
            info.truncate(count as usize);
        }
    }
    Ok(roots)
}
