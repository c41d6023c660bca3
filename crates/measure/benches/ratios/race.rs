//! Times kinds of work in turns, so that a disturbance slows all of them.

use std::time::Instant;

use bytes::Bytes;

use crate::set::Set;

/// Runners and the number of rounds.
pub(crate) struct Race<'a> {
    rounds: u32,
    runners: Vec<Runner<'a>>,
}

/// Work on the piece at an index.
type Work<'a> = dyn Fn(&Bytes, usize) -> u64 + 'a;

struct Runner<'a> {
    set: &'a Set,
    work: Box<Work<'a>>,
    /// Seconds, for each piece.
    best: Vec<f64>,
    answers: Vec<u64>,
}

impl<'a> Race<'a> {
    pub(crate) fn of(rounds: u32) -> Self {
        Self {
            rounds: rounds.max(1),
            runners: Vec::new(),
        }
    }

    /// Adds a runner that does `work` on each piece. Its result must
    /// be the same in every round.
    pub(crate) fn runner(mut self, set: &'a Set, work: impl Fn(&Bytes, usize) -> u64 + 'a) -> Self {
        let best = vec![f64::INFINITY; set.pieces.len()];
        self.runners.push(Runner {
            set,
            work: Box::new(work),
            best,
            answers: Vec::new(),
        });
        self
    }

    /// Bytes per second of each runner, from the best time of each piece.
    pub(crate) fn run(mut self) -> Vec<f64> {
        let pieces = self
            .runners
            .iter()
            .map(|runner| runner.set.pieces.len())
            .max()
            .unwrap_or(0);
        for _ in 0..self.rounds {
            for at in 0..pieces {
                for runner in &mut self.runners {
                    let Some(piece) = runner.set.pieces.get(at) else {
                        continue;
                    };
                    let start = Instant::now();
                    let answer = (runner.work)(piece, at);
                    let seconds = start.elapsed().as_secs_f64();
                    runner.best[at] = runner.best[at].min(seconds);
                    match runner.answers.get(at) {
                        None => runner.answers.push(answer),
                        Some(&before) => {
                            assert_eq!(answer, before, "the same answer in every round")
                        }
                    }
                }
            }
        }
        let rate = |runner: &Runner<'_>| runner.set.len() as f64 / runner.best.iter().sum::<f64>();
        self.runners.iter().map(rate).collect()
    }
}
