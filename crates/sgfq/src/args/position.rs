//! Positions given as option values: the board of a file, or the board after moves.

use std::ffi::OsStr;
use std::ops::ControlFlow;

use sgfstream_game::GameBoard;
use sgfstream_table::find::{Query, position_in};

use crate::args::input::{Inputs, ReadArgs, board_file};
use crate::args::threads::ProgressWhen;
use crate::report::exit::Exit;

/// Returns the query for the position in the value of `option`: the board of a file, or the board
/// after moves.
pub(crate) fn position_query(text: &str, option: &str, how: &ReadArgs) -> anyhow::Result<Query> {
    match board_of(text, option, how)? {
        Some(board) => Ok(Query::position(board)),
        None => Query::position_after(text).map_err(|err| anyhow::anyhow!("--{option}: {err}")),
    }
}

/// Returns the board of a file, or `None` if the text contains moves.
fn board_of(text: &str, option: &str, how: &ReadArgs) -> anyhow::Result<Option<GameBoard>> {
    let Some((_, (name, moves))) = board_file(text) else {
        let is_path = text.contains(['.', '/', '\\', '!']);
        anyhow::ensure!(
            !is_path,
            "--{option}: no such file: {text}; write a file or moves such as `Q16 D4`"
        );
        return Ok(None);
    };
    let inputs = Inputs::of(OsStr::new(name), how.clone());
    let mut found = None;
    let exit = inputs.each(ProgressWhen::Never, |part| {
        found = position_in(part.reader(), moves)?;
        Ok(ControlFlow::Break(()))
    })?;
    anyhow::ensure!(exit < Exit::Unreadable, "--{option}: cannot read {name}");
    let expected = match moves {
        Some(moves) => format!("a board and {moves} moves"),
        None => "a board".to_owned(),
    };
    match found {
        Some(position) => Ok(Some(position)),
        None => anyhow::bail!("--{option}: no game in {name} has {expected}"),
    }
}
