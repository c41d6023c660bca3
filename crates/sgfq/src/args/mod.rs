//! Arguments shared by several commands.

pub(crate) mod caps;
pub(crate) mod chosen;
pub(crate) mod coords;
pub(crate) mod destination;
pub(crate) mod games;
pub(crate) mod in_place;
pub(crate) mod input;
pub(crate) mod io;
pub(crate) mod listed_values;
pub(crate) mod position;
pub(crate) mod threads;
pub(crate) mod where_games;
