//! Writes a collection of games of any size to standard output, in
//! constant memory. The same seed gives the same bytes.
//!
//! ```text
//! cargo run --release --example generate -- --shape moves --bytes 100M --seed 1 > big.sgf
//! ```
//!
//! The shapes are in the separate file `shapes.rs`. The benches include it by its
//! path, so they measure the same data that this command writes.

#![allow(unreachable_pub, reason = "`shapes.rs` has more than one home")]

#[path = "../../benches/support/shapes.rs"]
mod shapes;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use shapes::{Amount, Shape, write_collection};

const USAGE: &str = "\
usage: generate --shape SHAPE [--bytes N[K|M|G] | --games N] [--seed N]

  --shape   moves     Go as servers keep it: a game a line, moves and little else
            lines     a node a line, with the time left
            comments  comments and variations
            deep      variations nested in each other, a game of them
            wide      many variations of one node
            value     one value as large as the game
            gbk sjis utf8
                      comments and names in that charset
            hex       Hex
            sgfs      a game a line, no line break inside
            real      what archives have, in their proportions
            played    Go as people begin it, with names and results
            mixed     a game of this, a game of that
  --bytes   at least so many (default 1M; K is 1000): the last game is whole
  --games   so many games
  --seed    another number, other games (default 1)";

fn main() -> ExitCode {
    let (shape, amount, seed) = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match write_collection(&mut out, shape, amount, seed)
        .and_then(|counts| out.flush().map(|()| counts))
    {
        Ok(counts) => {
            eprintln!(
                "{} games, {} nodes, {} moves, {} bytes",
                counts.games, counts.nodes, counts.moves, counts.bytes
            );
            ExitCode::SUCCESS
        }
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("standard output: {err}");
            ExitCode::from(2)
        }
    }
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<(Shape, Amount, u64), String> {
    let (mut shape, mut amount, mut seed) = (None, Amount::Bytes(1_000_000), 1);
    while let Some(word) = words.next() {
        let mut value = || {
            words
                .next()
                .ok_or_else(|| format!("`{word}` needs a value"))
        };
        match word.as_str() {
            "--shape" => {
                let name = value()?;
                shape = Some(
                    Shape::parse(&name)
                        .ok_or_else(|| format!("expected a shape, found `{name}`"))?,
                );
            }
            "--bytes" => amount = Amount::Bytes(number(&value()?)?),
            "--games" => amount = Amount::Games(number(&value()?)?),
            "--seed" => seed = number(&value()?)?,
            _ => return Err(format!("expected an option, found `{word}`")),
        }
    }
    Ok((shape.ok_or("`--shape` is missing")?, amount, seed))
}

/// `12`, `12K`, `12M`, `12G`.
fn number(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'K') => (&text[..text.len() - 1], 1_000),
        Some(b'M') => (&text[..text.len() - 1], 1_000_000),
        Some(b'G') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    let number = digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(factor));
    number.ok_or_else(|| format!("expected a number, found `{text}`"))
}
