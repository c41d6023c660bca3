//! One file for each command: its arguments, its help, its run.

pub(crate) mod bench;
pub(crate) mod board;
pub(crate) mod cat;
pub(crate) mod charset;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod dedup;
pub(crate) mod diff;
pub(crate) mod events;
pub(crate) mod explain;
pub(crate) mod filter;
pub(crate) mod find;
pub(crate) mod fix;
pub(crate) mod freq;
pub(crate) mod get;
pub(crate) mod help;
pub(crate) mod index;
pub(crate) mod man;
pub(crate) mod moves;
pub(crate) mod openings;
pub(crate) mod rewrite;
pub(crate) mod select;
pub(crate) mod split;
pub(crate) mod stats;
pub(crate) mod tree;
