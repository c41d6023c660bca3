//! Boards in replies.

use sgfstream_draw::{BoardMark, Diagram, PictureFrame};
use sgfstream_game::Side;
use sgfstream_game::go::GoBoard;

use super::replies::{BoardReply, Captures, MarkReply, Picture, Points};

impl BoardReply {
    pub(super) fn of(diagram: &mut Diagram, to_move: Option<Side>) -> Self {
        let game = diagram.position.dialect().game();
        let numbers = std::mem::take(&mut diagram.numbers);
        let captures = diagram.position.board::<GoBoard>().map(|board| Captures {
            b: board.prisoners(Side::Black),
            w: board.prisoners(Side::White),
        });
        Self {
            picture: Picture::of(diagram),
            numbers: numbers
                .into_iter()
                .map(|(field, number)| (field.column, field.row, number))
                .collect(),
            last: diagram.last.first().map(|field| [field.column, field.row]),
            marks: marks_of(diagram),
            captures,
            to_play: to_move.map(|side| side.name_in(game)),
        }
    }
}

/// Returns the points that a label or a mark of the record covers. Territory covers no point.
fn marks_of(diagram: &Diagram) -> Vec<MarkReply> {
    let mut marks = Vec::new();
    for cell in &diagram.layout.cells {
        let field = cell.field;
        let label = diagram.marks.labels.get(&field).cloned();
        let is_territory =
            |mark| matches!(mark, BoardMark::BlackTerritory | BoardMark::WhiteTerritory);
        let mark = diagram
            .marks
            .on(field)
            .find(|&mark| !is_territory(mark))
            .map(BoardMark::as_str);
        if label.is_some() || mark.is_some() {
            marks.push(MarkReply {
                column: field.column,
                row: field.row,
                label,
                mark,
            });
        }
    }
    marks
}

impl Picture {
    fn of(diagram: &Diagram) -> Self {
        let frame = PictureFrame::of(&diagram.layout);
        let dialect = diagram.position.dialect();
        let round = |number: f64| (number * 10.0).round() / 10.0;
        let mut all = Vec::with_capacity(diagram.layout.cells.len());
        for cell in &diagram.layout.cells {
            let (x, y) = frame.at(cell.middle());
            let field = cell.field;
            let name = dialect.show_point(field).to_string();
            all.push((
                name,
                diagram.name(field),
                round(x),
                round(y),
                field.column,
                field.row,
            ));
        }
        Self {
            svg: diagram.svg("", false),
            points: Points {
                radius: round(frame.scale / 2.0),
                all,
            },
        }
    }
}
