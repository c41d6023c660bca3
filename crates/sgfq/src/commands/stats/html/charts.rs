//! Charts of counts. Rows of names and numbers are tables, whose text is as large as other text on any screen; columns over
//! an axis are pictures. Colours are classes, so that the page's style has them in light and dark.

use std::fmt::Write;

use sgfstream_adapt::stats::WinShare;

use crate::report::svg::{Svg, WIDTH, counted, escape, isolated, number, px, short, widest, width_of};

/// One column of [`columns`].
pub(super) struct Column {
    /// Under the axis.
    pub(super) label: String,
    /// In full.
    pub(super) name: String,
    pub(super) count: u64,
}

/// One row of [`wins`].
pub(super) struct Wins {
    pub(super) name: String,
    /// All of its games.
    pub(super) games: u64,
    pub(super) won: u64,
    pub(super) lost: u64,
}

fn share(count: u64, most: u64, of: f64) -> f64 {
    if most == 0 { 0.0 } else { count as f64 / most as f64 * of }
}

/// Bars from the left, a row each, with name, number and share of `total`.
pub(super) fn bars(unit: &str, rows: &[(String, u64)], total: u64) -> String {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0);
    let mut table = "<table class=\"rows\"><tbody>".to_owned();
    for (name, count) in rows {
        let (name, what) = (isolated(name), counted(*count, unit));
        let width = share(*count, most, 100.0);
        _ = write!(
            table,
            "<tr title=\"{name}: {what}\"><th scope=\"row\">{name}</th>\
             <td class=\"track\"><i style=\"width:{width:.1}%\"></i></td><td>{}</td><td class=\"dim\">{}</td></tr>",
            number(*count),
            percent(*count, total)
        );
    }
    table + "</tbody></table>"
}

fn percent(count: u64, total: u64) -> String {
    match share(count, total, 100.0) {
        share if count > 0 && share < 0.05 => "&lt; 0.1 %".to_owned(),
        share => format!("{share:.1} %"),
    }
}

/// For each row the part of its decided games that was won, as a bar with the middle marked. `winner` says whose wins
/// they are.
pub(super) fn wins(winner: &str, rows: &[Wins]) -> String {
    let mut table = format!(
        "<table class=\"rows\"><thead><tr><td></td><td></td><th>{}</th><th>games</th></tr></thead><tbody>",
        escape(winner)
    );
    for Wins { name, games, won, lost } in rows {
        let name = isolated(name);
        let Some(share) = WinShare::of(*won, won + lost) else {
            let games = number(*games);
            _ = write!(
                table,
                "<tr><th scope=\"row\">{name}</th><td></td><td class=\"dim\">–</td><td class=\"dim\">{games}</td></tr>"
            );
            continue;
        };
        let won = format!("{} of {} won: {share}", number(*won), counted(won + lost, "decided games"));
        _ = write!(
            table,
            "<tr title=\"{name}: {won}\"><th scope=\"row\">{name}</th>\
             <td class=\"track split\"><i style=\"width:{:.1}%\"></i></td><td>{:.1} %</td><td class=\"dim\">{}</td></tr>",
            100.0 * share.share,
            100.0 * share.share,
            number(*games)
        );
    }
    table + "</tbody></table>"
}

/// Parts of a whole, side by side: a class, a name and a count each.
pub(super) fn parts(all: &[(&str, &str, u64)]) -> String {
    let total = all.iter().map(|part| part.2).sum();
    let (mut bar, mut key) = ("<p class=\"parts\">".to_owned(), "<ul class=\"key\">".to_owned());
    for (class, name, count) in all.iter().filter(|part| part.2 > 0) {
        let width = share(*count, total, 100.0);
        _ = write!(bar, "<i class=\"{class}\" style=\"width:{width:.2}%\"></i>");
        _ = write!(
            key,
            "<li><i class=\"{class}\"></i>{} <b>{}</b> <span class=\"dim\">{}</span></li>",
            escape(name),
            number(*count),
            percent(*count, total)
        );
    }
    bar + "</p>" + &key + "</ul>"
}

/// Steps of 1, 2 or 5 times a power of ten, and the first of them that `fits`.
pub(super) fn step(fits: impl Fn(u64) -> bool) -> Option<u64> {
    (0..19).flat_map(|power| [1, 2, 5].map(|step| step * 10u64.pow(power))).find(|&step| fits(step))
}

/// Where an axis from 0 to `most` has its lines: five at most.
fn ticks(most: u64) -> Vec<u64> {
    let step = step(|step| most / step < 5).unwrap_or(u64::MAX);
    (0..=most / step).map(|at| at * step).collect()
}

/// Columns of games over an axis that counts `across`; every so often one is
/// named.
pub(super) fn columns(title: &str, across: &str, rows: &[Column]) -> String {
    const TOP: f64 = 26.0;
    const LOW: f64 = 186.0;
    let most = rows.iter().map(|row| row.count).max().unwrap_or(0);
    let ticks = ticks(most);
    // Texts of a chart have 14.5 pixels (page.css), in fonts of any width.
    let left = width_of(&number(ticks.last().copied().unwrap_or(0))).max(20.0) * 1.3 + 6.0;
    let step = ((WIDTH - left - 2.0) / rows.len().max(1) as f64).min(60.0);
    let widest = widest(rows.iter().map(|row| row.label.as_str())) * 1.3 + 6.0;
    let every = (widest / step).ceil().max(1.0) as usize;
    let description = match (rows.first(), rows.last(), rows.iter().max_by_key(|row| row.count)) {
        (Some(first), Some(last), Some(high)) => {
            format!("From {} to {}; most at {}: {}", first.name, last.name, high.name, counted(high.count, "games"))
        }
        _ => String::new(),
    };
    let mut svg = Svg::new("chart", 224.0, title, &description);
    svg.text(0.0, 11.0, "dim", "games");
    for tick in ticks {
        let (x, y) = (px(left - 5.0), px(LOW - share(tick, most, LOW - TOP)));
        svg.push(&format!("<path d=\"M{} {y}H{WIDTH}\" class=\"axis\"/>", px(left)));
        svg.push(&format!("<text x=\"{x}\" y=\"{y}\" dy=\"4\" class=\"end dim\">{}</text>", number(tick)));
    }
    let mut before = f64::MIN;
    for (at, row) in rows.iter().enumerate() {
        let x = left + at as f64 * step + step * 0.08;
        if row.count > 0 {
            let height = share(row.count, most, LOW - TOP).max(1.0);
            // Columns may be narrower than a pixel: one decimal is too coarse for their places.
            svg.push(&format!(
                "<rect x=\"{x:.2}\" y=\"{}\" width=\"{:.2}\" height=\"{}\" class=\"bar\"><title>{}: {}</title></rect>",
                px(LOW - height),
                step * 0.84,
                px(height),
                isolated(&row.name),
                counted(row.count, "games")
            ));
        }
        if at.is_multiple_of(every) {
            let middle = (x + step * 0.42).clamp(widest / 2.0, (WIDTH - widest / 2.0 + 4.0).max(widest / 2.0));
            // One that is moved away from the edge may come too near to the one before it.
            if middle - before >= widest {
                svg.text(middle, 202.0, "mid dim", &short(&row.label, widest));
                before = middle;
            }
        }
    }
    svg.text((left + WIDTH) / 2.0, 221.0, "mid dim", across);
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_an_axis() {
        assert_eq!(ticks(0), [0]);
        assert_eq!(ticks(4), [0, 1, 2, 3, 4]);
        assert_eq!(ticks(32_166), [0, 10_000, 20_000, 30_000]);
        assert_eq!(ticks(24), [0, 5, 10, 15, 20]);
        assert!(ticks(u64::MAX).len() <= 5);
    }

    #[test]
    fn names_are_text() {
        let rows = [("</table><b>".to_owned(), 3)];
        assert!(bars("games", &rows, 4).contains("&lt;/table&gt;&lt;b&gt;: 3 games"));
        let table = wins("<b>", &[Wins { name: "<b>".to_owned(), games: 4, won: 1, lost: 2 }]);
        assert!(!table.contains("<b>") && table.contains("<td>33.3 %</td><td class=\"dim\">4</td>"), "{table}");
    }
}
