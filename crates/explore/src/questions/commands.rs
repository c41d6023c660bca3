//! Command lines in replies, which find the same games.

use sgfstream_draw::Diagram;
use sgfstream_game::Game;

use super::cores::Cores;
use super::explorer::Explorer;
use super::search::{QueryKind, Question};
use crate::Store;
use crate::safe::quoted;

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// Returns the command line that finds the games of a question.
    pub(super) fn command(&self, question: &Question) -> String {
        let condition = question.condition.as_deref();
        let what = match &question.what {
            // A slash ends a row as a newline does, and needs no shell quoting.
            QueryKind::Pattern(pattern) => {
                format!("find --pattern {}", quoted(&pattern.replace('\n', "/")))
            }
            QueryKind::Position(moves) => format!("find --position {}", quoted(moves)),
            QueryKind::Node { game, path, moves } => match self.tried_after(*game, path, moves) {
                Ok(tried) => format!("find --pattern {}", quoted(&whole_board(&tried.diagram))),
                Err(_) => return String::new(),
            },
            QueryKind::Nothing => return self.command_of("get pb,pw,dt,re", condition),
        };
        let all = if question.variations {
            " --variations"
        } else {
            ""
        };
        let exact = if question.exact { " --exact" } else { "" };
        let swap = if question.swap_colors {
            " --swap-colors"
        } else {
            ""
        };
        // The command may search games of many kinds, so its option has the name that all kinds
        // share.
        let mover = question
            .mover
            .map(|mover| format!(" --mover {}", mover.name_in(Game::Other)))
            .unwrap_or_default();
        self.command_of(
            &format!("{what}{exact}{swap}{mover}{all} --summary"),
            condition,
        )
    }

    /// Returns a command line for the inputs and a condition.
    pub(super) fn command_of(&self, command: &str, condition: Option<&str>) -> String {
        let mut words = vec![format!("sgfq {command}")];
        words.extend(condition.map(|condition| format!("--where {}", quoted(condition))));
        words.extend(self.inputs.iter().map(|input| quoted(input)));
        words.join(" ")
    }
}

/// Returns a pattern of the whole board with its four edges.
fn whole_board(diagram: &Diagram) -> String {
    let rows = diagram.rows();
    let edge = format!(
        "-{}-",
        "-".repeat(rows.first().map_or(0, |row| row.chars().count()))
    );
    let mut lines = vec![edge.clone()];
    lines.extend(rows.iter().map(|row| format!("|{row}|")));
    lines.push(edge);
    lines.join("/")
}
