//! Prints the board of each game after a number of moves as one line of JSON:
//! `board_probe MOVES FILE...`. Tests compare these boards with the boards of other programs.

use std::error::Error;

use sgfstream::SliceReader;
use sgfstream::record::{GameReader, Outline};
use sgfstream_draw::NodeView;
use sgfstream_game::{Coordinates, Facts, facts::NodeTarget};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let target = NodeTarget::Move(
        arguments
            .next()
            .ok_or("expected a number of moves")?
            .parse()?,
    );
    for path in arguments {
        let bytes = std::fs::read(&path)?;
        let (mut games, mut layout) = (GameReader::new(SliceReader::new(&bytes)), None);
        while let Some(read) = games.next_game()? {
            let Ok(game) = read else { continue };
            let (outline, facts) = (Outline::of(game), Facts::of(game, 0));
            let Ok(node) = target.find(&outline, &facts) else {
                continue;
            };
            let Ok(shown) =
                NodeView::of(&outline, &facts, node, Coordinates::Sgf, None, &mut layout)
            else {
                continue;
            };
            let game = game.number();
            let (rows, size) = (shown.diagram.rows(), shown.diagram.position.size());
            let (columns, count) = (size.columns(), size.rows());
            println!(
                r#"{{"name": {:?}, "size": [{columns}, {count}], "rows": {rows:?}}}"#,
                format!("{path}#{game}")
            );
        }
    }
    Ok(())
}
