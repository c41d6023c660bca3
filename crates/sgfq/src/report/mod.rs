//! What commands print: JSON, text that is safe on a terminal, exit statuses.

pub(crate) mod csv;
pub(crate) mod cut;
pub(crate) mod exit;
pub(crate) mod json;
pub(crate) mod terminal;
