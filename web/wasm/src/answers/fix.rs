//! Repairs: the fields of `sgfq fix -f jsonl`, and the repaired bytes.

use sgfstream::Severity;
use sgfstream::parallel::PartReader;
use sgfstream_adapt::fix::{FindingOutcome, FixFilter, Fixer, GameChunks};

use crate::input::whole;
use crate::json::Json;

use super::check::{write_head, write_repair};
use super::{Answer, Args, Refusal};

pub(crate) fn fix(args: &Args<'_>, bytes: &[u8]) -> Result<Answer, Refusal> {
    let choice = FixFilter {
        level: args.level(Severity::Error)?,
        only: args.codes("only")?,
        without: args.codes("allow")?,
        guesses: args.is_set("guess"),
        in_comments: args.is_set("comments"),
    };
    let (bytes, options) = whole(bytes, args.options()?);
    let mut answer = Answer {
        bytes: Vec::with_capacity(bytes.len()),
        ..Answer::default()
    };
    let mut json = Json::default();
    json.open('[');
    let mut fixer = Fixer::new(choice, options);
    let mut read = &bytes[..];
    let mut reader = PartReader::whole(&mut read, options, Some(bytes.len() as u64));
    let mut pieces = GameChunks::new(&reader);
    let mut unreported = 0;
    while let Some(piece) = pieces
        .next(&mut reader)
        .map_err(|err| Refusal::new("too-large", err.to_string()))?
    {
        let game = &bytes[piece.span.start as usize..piece.span.end as usize];
        let mut report = |FindingOutcome {
                              finding,
                              outcome,
                              position,
                              pass,
                              is_blocked,
                              ..
                          }: FindingOutcome<'_>| {
            json.open('{');
            json.name("pass").number(pass);
            write_head(&mut json, finding, position);
            json.name("message").text(&finding.message);
            json.name("done").text(outcome.as_str());
            json.name("blocked").number(is_blocked);
            write_repair(&mut json, finding);
            json.close('}');
        };
        let fixed = fixer
            .fix(game, &piece, &mut report)
            .map_err(|err| Refusal::new("too-large", err.to_string()))?;
        answer.bytes.extend_from_slice(&fixed.bytes);
        unreported += fixed.unreported;
    }
    json.close(']');
    answer.json = format!("{{\"findings\":{},\"unlisted\":{unreported}}}", json.out);
    Ok(answer)
}
