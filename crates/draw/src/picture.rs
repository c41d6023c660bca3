//! Diagrams as SVG.

use sgfstream_game::octi::Prong;
use sgfstream_game::{BoardCell, Game, Side};

use crate::svg::{Svg, escape, px, short};

use crate::diagram::{Diagram, class_of};
use crate::layout::{DrawnCell, LEFT, PictureFrame, PicturePoint, Style, circle, outline};
use crate::marks::BoardMark;

/// Colors of a board, for a page and for a standalone file.
pub const STYLE: &str = include_str!("board.css");

impl Diagram {
    /// Returns the board as SVG with a line of text below it, unless `title` is empty. With
    /// `alone`, it is a standalone file with its own colors.
    pub fn svg(&self, title: &str, alone: bool) -> String {
        let frame = PictureFrame::of(&self.layout);
        let height = frame.base + if title.is_empty() { 6.0 } else { 26.0 };
        let description = format!("{} stones", self.position.stones().count());
        let mut svg = match alone {
            true => Svg::alone("board", height, title, &description, STYLE),
            false => Svg::new("board", height, title, &description),
        };
        self.layout.draw_ground(&mut svg, &frame);
        self.layout.draw_lines(&mut svg, &frame);
        if self.position.dialect().game() == Game::Hex {
            self.draw_goals(&mut svg, &frame);
        }
        svg.push("<g class=\"stones\">");
        for cell in &self.layout.cells {
            self.draw_stone(&mut svg, &frame, cell);
        }
        svg.push("</g>");
        for line in &self.marks.lines {
            self.draw_line(&mut svg, &frame, line.from, line.to, line.is_arrow);
        }
        for cell in &self.layout.cells {
            self.draw_marks(&mut svg, &frame, cell);
        }
        self.layout.draw_names(&mut svg, &frame);
        svg.text(
            LEFT,
            frame.base + 17.0,
            "",
            &short(title, crate::svg::WIDTH - LEFT),
        );
        svg.finish()
    }

    fn cell(&self, field: BoardCell) -> Option<&DrawnCell> {
        self.layout.cells.iter().find(|cell| cell.field == field)
    }

    /// Draws the goal sides of Hex: Black connects top and bottom, White left and right (spec
    /// H-05).
    fn draw_goals(&self, svg: &mut Svg, frame: &PictureFrame) {
        let (last_column, last_row) = (
            self.position.size().columns() as u16 - 1,
            self.position.size().rows() as u16 - 1,
        );
        for DrawnCell { field, corners, .. } in &self.layout.cells {
            let sides = [
                (field.row == 0, [5, 0, 1], "black-side"),
                (field.row == last_row, [4, 3, 2], "black-side"),
                (field.column == 0, [5, 4, 3], "white-side"),
                (field.column == last_column, [2, 1, 0], "white-side"),
            ];
            for (_, ends, class) in sides.into_iter().filter(|side| side.0) {
                let [a, b, c] = ends
                    .map(|end| frame.at(corners[end]))
                    .map(|(x, y)| format!("{} {}", px(x), px(y)));
                svg.push(&format!("<path class=\"{class}\" d=\"M{a}L{b}L{c}\"/>"));
            }
        }
    }

    fn draw_stone(&self, svg: &mut Svg, frame: &PictureFrame, cell: &DrawnCell) {
        let (middle, scale) = (frame.at(cell.middle()), frame.scale);
        let game = self.position.dialect().game();
        let class = self.class(cell.field);
        if game == Game::Kropki {
            let board: Option<&sgfstream_game::kropki::KropkiBoard> = self.position.board();
            if let Some(owner) = board.and_then(|board| board.owner(cell.field)) {
                let class = if owner == Side::Black {
                    "owned black"
                } else {
                    "owned white"
                };
                svg.push(&format!(
                    "<path class=\"{class}\" d=\"{}\"/>",
                    outline(cell, frame)
                ));
            }
        }
        match (
            self.layout.style,
            self.position.character(cell.field),
            class,
        ) {
            (_, '*', _) => {
                let size = 0.3 * scale;
                let path = polygon(
                    middle,
                    &[(0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0)],
                );
                svg.push(&format!("<path class=\"arrow\" d=\"{path}\"/>"));
            }
            (_, _, None) => {}
            (Style::Pieces, _, Some(class)) => {
                svg.push(&format!(
                    "<path class=\"{class}\" d=\"{}\"/>",
                    outline(cell, frame)
                ));
            }
            (_, _, Some(class)) if game == Game::Octi => self.draw_pod(svg, frame, cell, class),
            (style, _, Some(class)) => {
                let radius = match (game, style) {
                    (Game::Kropki, _) => 0.32,
                    (_, Style::Crossings) => 0.48,
                    _ => 0.41,
                };
                circle(svg, middle, radius * scale, class);
            }
        }
    }

    /// Draws the top pod of a stack with its prongs.
    fn draw_pod(&self, svg: &mut Svg, frame: &PictureFrame, cell: &DrawnCell, class: &str) {
        let ((x, y), scale) = (frame.at(cell.middle()), frame.scale);
        let pods = self.pods(cell.field);
        let prongs = pods.last().map(|pod| pod.prongs).unwrap_or_default();
        for at in 0..8u8 {
            if Prong::of_letter(b'A' + at).is_some_and(|prong| prongs.has(prong)) {
                // Prongs go clockwise from north.
                let (across, up) = (f64::from(at) * std::f64::consts::FRAC_PI_4).sin_cos();
                let [x1, y1] = [x + across * scale * 0.25, y - up * scale * 0.25].map(px);
                let [x2, y2] = [x + across * scale * 0.46, y - up * scale * 0.46].map(px);
                svg.push(&format!(
                    "<path class=\"prong\" d=\"M{x1} {y1}L{x2} {y2}\"/>"
                ));
            }
        }
        circle(svg, (x, y), scale * 0.27, class);
        if pods.len() > 1 {
            caption(
                svg,
                frame,
                (x, y),
                &pods.len().to_string(),
                &format!("on-{class}"),
                0.3,
            );
        }
    }

    /// Returns the class of the stone on a cell.
    fn class(&self, field: BoardCell) -> Option<&'static str> {
        let side = self.position.stone(field)?;
        Some(class_of(self.position.dialect().game(), side))
    }

    fn draw_marks(&self, svg: &mut Svg, frame: &PictureFrame, cell: &DrawnCell) {
        let (field, scale) = (cell.field, frame.scale);
        let (x, y) = frame.at(cell.middle());
        let stone = self.class(field);
        let on = stone.map_or_else(String::new, |class| format!(" on-{class}"));
        for mark in self.marks.on(field) {
            let class = format!("mark{on}");
            let mut path =
                |path: String| svg.push(&format!("<path class=\"{class}\" d=\"{path}\"/>"));
            let square = |size: f64| {
                polygon(
                    (x, y),
                    &[(-size, -size), (size, -size), (size, size), (-size, size)],
                )
            };
            match mark {
                BoardMark::Circle => circle(svg, (x, y), 0.27 * scale, &class),
                BoardMark::Square => path(square(0.24 * scale)),
                BoardMark::Triangle => {
                    let (wide, high) = (0.27 * scale, 0.31 * scale);
                    path(polygon(
                        (x, y),
                        &[(0.0, -high), (wide, high * 0.55), (-wide, high * 0.55)],
                    ));
                }
                BoardMark::Cross => {
                    let size = 0.22 * scale;
                    let [left, right, top, low] = [x - size, x + size, y - size, y + size].map(px);
                    path(format!(
                        "M{left} {top}L{right} {low}M{left} {low}L{right} {top}"
                    ));
                }
                BoardMark::Selected => svg.push(&format!(
                    "<path class=\"selected{on}\" d=\"{}\"/>",
                    square(0.16 * scale)
                )),
                BoardMark::BlackTerritory | BoardMark::WhiteTerritory => {
                    let class = if mark == BoardMark::BlackTerritory {
                        "black"
                    } else {
                        "white"
                    };
                    svg.push(&format!(
                        "<path class=\"{class}\" d=\"{}\"/>",
                        square(0.17 * scale)
                    ));
                }
            }
        }
        let number = self.numbers.get(&field).map(u64::to_string);
        let label = number.or_else(|| {
            self.marks
                .labels
                .get(&field)
                .map(|label| label.trim().to_owned())
        });
        if let Some(label) = label.filter(|label| !label.is_empty()) {
            if stone.is_none() && self.layout.style == Style::Crossings {
                circle(svg, (x, y), 0.36 * scale, "patch");
            }
            caption(svg, frame, (x, y), &label, on.trim_start(), 0.52);
        } else if self.last.contains(&field) && self.marks.on(field).next().is_none() {
            let radius = if self.layout.style == Style::Pieces {
                0.14
            } else {
                0.22
            };
            circle(svg, (x, y), radius * scale, &format!("last{on}"));
        }
    }

    fn draw_line(
        &self,
        svg: &mut Svg,
        frame: &PictureFrame,
        from: BoardCell,
        to: BoardCell,
        is_arrow: bool,
    ) {
        let (Some(from), Some(to)) = (self.cell(from), self.cell(to)) else {
            return;
        };
        let ((x1, y1), (x2, y2)) = (frame.at(from.middle()), frame.at(to.middle()));
        svg.push(&format!(
            "<path class=\"line\" d=\"M{} {}L{} {}\"/>",
            px(x1),
            px(y1),
            px(x2),
            px(y2)
        ));
        let length = (x2 - x1).hypot(y2 - y1);
        if is_arrow && length > 0.0 {
            let size = 0.3 * frame.scale;
            let (across, down) = ((x2 - x1) / length * size, (y2 - y1) / length * size);
            let wing = |side: f64| (-across - down * side, -down + across * side);
            let head = polygon((x2, y2), &[(0.0, 0.0), wing(0.5), wing(-0.5)]);
            svg.push(&format!("<path class=\"head\" d=\"{head}\"/>"));
        }
    }
}

/// Draws a text in a cell. Longer texts get a smaller font.
fn caption(
    svg: &mut Svg,
    frame: &PictureFrame,
    (x, y): PicturePoint,
    text: &str,
    class: &str,
    share: f64,
) {
    let text: String = match text.char_indices().nth(8) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    let width = crate::svg::width_of(&text) / 12.0;
    let size = (share * frame.scale).min(0.86 * frame.scale / width);
    let (class, text) = (format!("mid {class}"), escape(&text));
    svg.sized_text((x, y + size * 0.36), size, class.trim_end(), &text);
}

/// Returns the path of a polygon around a point.
fn polygon((x, y): PicturePoint, corners: &[PicturePoint]) -> String {
    let corners: Vec<_> = corners
        .iter()
        .map(|at| format!("{} {}", px(x + at.0), px(y + at.1)))
        .collect();
    format!("M{}Z", corners.join("L"))
}
