//! What the games say about a position.

use sgfstream_engine::Out;
use sgfstream_explore::remarks::RemarkText;
use sgfstream_table::find::Query;
use sgfstream_table::row::RowReader;

use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::{self, ANSWER, Lines, Pool};
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::json;
use crate::report::terminal::clean;

/// Writes the remarks about the position of `query` in the selected games.
pub(super) fn write(
    query: &Query,
    format: Format,
    io: &Io<Pool>,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let chooser = io.choice.following(query.clone())?;
    let job = threads::each_part(
        || chooser.row(RemarkText::columns()),
        |filled, part, lines: &mut Out<'_, Lines>| {
            let name = part.name().to_string();
            let listed = part.game().is_some().then(|| shown_name(&part));
            let mut rows = RowReader::of_part(part, filled)?;
            while chooser.next_whole(&mut rows)? {
                let Some(facts) = rows.facts() else { continue };
                let number = facts.record().number() as i64;
                for remark in RemarkText::of_game(rows.filled(), &facts) {
                    if format == Format::Jsonl {
                        write_json(&name, number, &remark, lines)?;
                    } else {
                        write_text(listed.as_ref().unwrap_or(&name), number, &remark, lines);
                    }
                }
                if !threads::hand_out_if_full(lines) {
                    break;
                }
            }
            Ok(rows.end()?)
        },
    );
    io.write_lines(out, &chooser, ANSWER, "", &job)
}

/// Writes a remark: a line with its place, and indented lines with its texts.
fn write_text(name: &str, number: i64, remark: &RemarkText, lines: &mut Lines) {
    lines.push_reference(name, number);
    let mut push = |text: &str| lines.text.extend_from_slice(text.as_bytes());
    push(&format!(" {} move {}", remark.node, remark.ply));
    let players = [&remark.pb, &remark.pw]
        .map(|name| clean(name).into_owned())
        .join(" - ");
    let game = format!("{players} {}", clean(&remark.dt));
    if game.trim() != "-" {
        push(&format!(": {}", game.trim()));
    }
    push("\n");
    for line in lines_of(remark) {
        push(&format!("    {}\n", clean(&line)));
    }
}

/// Returns the lines with the texts of a remark.
fn lines_of(remark: &RemarkText) -> Vec<String> {
    let mut lines = Vec::new();
    let judgments = remark.judgments.join(", ");
    match &remark.next {
        Some(next) => lines.push(format!("{next}: {judgments}")),
        None if !judgments.is_empty() => lines.push(judgments),
        None => {}
    }
    lines.extend(remark.name.clone());
    if let Some(comment) = &remark.comment {
        lines.extend(comment.lines().map(|line| line.trim_end().to_owned()));
    }
    if !remark.labels.is_empty() {
        let labels: Vec<String> = remark
            .labels
            .iter()
            .map(|label| format!("{} = {}", label.label, label.point))
            .collect();
        lines.push(labels.join(", "));
    }
    lines
}

/// Writes a remark as a JSON object.
fn write_json(
    name: &str,
    number: i64,
    remark: &RemarkText,
    lines: &mut Lines,
) -> anyhow::Result<()> {
    lines.begin_object(name, number)?;
    json::write_fields(&mut lines.text, remark)?;
    lines.text.extend_from_slice(b"}\n");
    Ok(())
}
