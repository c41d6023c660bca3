//! Prints the board of each game after a number of moves as one line of JSON: `board_probe MOVES FILE...`. Tests compare
//! these boards with those of other programs.

use std::error::Error;

use sgfstream::{Event, EventReader, SliceReader};
use sgfstream_adapt::tree::{GameTree, MemoryLimit, NodeTarget};
use sgfstream_draw::NodeView;
use sgfstream_game::Coordinates;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let target = NodeTarget::Move(arguments.next().ok_or("expected a number of moves")?.parse()?);
    for path in arguments {
        let bytes = std::fs::read(&path)?;
        let (mut reader, mut layout) = (SliceReader::new(&bytes), None);
        while reader.advance()? {
            if reader.depth() != 1 || !matches!(reader.event(), Event::VariationStart { .. }) {
                continue;
            }
            let game = reader.game();
            let tree = GameTree::read_game(&mut reader, MemoryLimit::default())?;
            let node = tree.find_node(&target);
            let Ok(shown) = node.and_then(|node| NodeView::of(&tree, node, Coordinates::Sgf, None, &mut layout)) else {
                continue;
            };
            let (rows, size) = (shown.diagram.rows(), shown.diagram.position.size());
            let (columns, count) = (size.columns(), size.rows());
            println!(r#"{{"name": {:?}, "size": [{columns}, {count}], "rows": {rows:?}}}"#, format!("{path}#{game}"));
        }
    }
    Ok(())
}
