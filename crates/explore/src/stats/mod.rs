//! Statistics of games as text, as JSON, and as a self-contained page with charts.

pub mod json;
pub mod page;
mod report;
pub mod text;

use std::io;

use sgfstream_adapt::stats::Stats;
use sgfstream_game::Coordinates;

use crate::{AnswerError, Cores, Explorer, StopFlag, Store};

pub use report::StatsReport;

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// Returns the page of statistics of the games that match the condition, as `sgfq stats --html`
    /// writes it.
    ///
    /// # Errors
    ///
    /// Returns an error if the condition is invalid or games cannot be read.
    pub(crate) fn stats_page(
        &self,
        condition: Option<&str>,
        stop: &StopFlag,
    ) -> Result<Vec<u8>, AnswerError> {
        let (mut stats, mut file) = (Stats::default(), String::new());
        for game in self.chosen(condition, stop)? {
            stop.check()?;
            let index = self.index();
            let (Some(read), Some((name, _))) = (index.game(game)?, index.place(game)?) else {
                continue;
            };
            stats.add(read.record());
            stats.bytes += read.record().span().len();
            stats.files += u64::from(name != file);
            file = name;
        }
        self.index()
            .each_trailing(|_, problems| stats.add_problems(problems))?;
        Ok(page_of(&mut stats, self.inputs())?)
    }
}

/// Returns the page of complete statistics. `inputs` are the names of the inputs.
fn page_of(stats: &mut Stats, inputs: &[String]) -> io::Result<Vec<u8>> {
    stats.openings.boards.sort();
    let report = StatsReport::new(stats, page::TOP, Coordinates::Gtp);
    let mut out = Vec::new();
    page::write(&mut out, &report, None, inputs)?;
    Ok(out)
}
