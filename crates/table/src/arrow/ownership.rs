//! Owners of the points of a board of Go at the end of a game.

use sgfstream_game::{BoardCell, Facts, Game, GameBoard, Side, internal::neighbors};

/// Returns the owner of each point, row by row: 0 neutral, 1 Black, 2 White. The last node with
/// `TB` or `TW` tells them. If no node has them and the last two moves are passes, a player owns
/// his stones and the empty regions that touch only them. Returns `None` in other games.
pub(super) fn ownership(facts: &Facts<'_>) -> Option<Vec<i8>> {
    if facts.game != Game::Go {
        return None;
    }
    let board = GameBoard::after(facts, u64::MAX).ok()?;
    let size = board.size();
    let (columns, rows) = (size.columns() as u16, size.rows() as u16);
    let cells =
        (0..rows).flat_map(|row| (0..columns).map(move |column| BoardCell::new(column, row)));
    let mut owners: Vec<i8> = cells
        .map(|cell| board.stone(cell).map_or(0, |side| side.color() as i8))
        .collect();
    if mark_territory(facts, &mut owners, columns.into()) {
        return Some(owners);
    }
    let dialect = facts.dialect();
    let mut passes = 0;
    for played in facts
        .record()
        .main_line_nodes()
        .flat_map(|node| facts.moves_of_node(node))
    {
        let is_pass = dialect
            .parse_move(&played.bytes())
            .is_ok_and(|mv| mv.is_pass());
        passes = if is_pass { passes + 1 } else { 0 };
    }
    if passes < 2 {
        return None;
    }
    fill_regions(&mut owners, columns.into());
    Some(owners)
}

/// Gives the points of `TB` and `TW` of the last node that has them to their owners. Returns
/// whether there is one.
fn mark_territory(facts: &Facts<'_>, owners: &mut [i8], columns: usize) -> bool {
    let mut marks = Vec::new();
    let dialect = facts.dialect();
    for node in facts.record().main_line_nodes() {
        let mut found = Vec::new();
        for (_, property) in node.properties() {
            let owner = match property.ident().as_bytes() {
                b"TB" => Side::Black,
                b"TW" => Side::White,
                _ => continue,
            };
            for value in property.values() {
                let entry = dialect.read_entry(value.as_bytes()).ok();
                let clipped = entry.and_then(|entry| entry.value.clipped(dialect.size()));
                found.extend(
                    clipped
                        .into_iter()
                        .flat_map(|entry| entry.points())
                        .map(|point| (point, owner)),
                );
            }
        }
        if !found.is_empty() {
            marks = found;
        }
    }
    for (point, owner) in &marks {
        let cell = BoardCell::from(*point);
        owners[usize::from(cell.row) * columns + usize::from(cell.column)] = owner.color() as i8;
    }
    !marks.is_empty()
}

/// Gives each empty region that touches stones of one color to this color.
fn fill_regions(owners: &mut [i8], columns: usize) {
    let mut is_met: Vec<bool> = owners.iter().map(|&owner| owner != 0).collect();
    for start in 0..owners.len() {
        if is_met[start] {
            continue;
        }
        is_met[start] = true;
        let mut region = vec![start];
        let mut touched = 0;
        let mut next = 0;
        while let Some(&at) = region.get(next) {
            next += 1;
            for other in neighbors(at, columns, owners.len()) {
                touched |= owners[other];
                if !is_met[other] {
                    is_met[other] = true;
                    region.push(other);
                }
            }
        }
        // A region that touches both colors (1 | 2) has no owner.
        if touched == 1 || touched == 2 {
            region.into_iter().for_each(|at| owners[at] = touched);
        }
    }
}
