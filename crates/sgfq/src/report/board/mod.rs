//! Boards as people see them: where the fields of each game are, their names,
//! and a position drawn as text or as SVG. Whatever draws a board draws it with
//! this module.

mod diagram;
mod layout;
mod marks;
mod svg;
mod text;

pub(crate) use diagram::{Diagram, class_of, fields_of};
pub(crate) use layout::{Cell, Frame, LEFT, Layout, hexagon_of, outline};
pub(crate) use marks::{Mark, Marks};
pub(crate) use svg::STYLE;
