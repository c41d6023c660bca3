//! Charts of counts: sizes in pixels, colours by class, so that the page's
//! style has them in light and dark.

use std::cmp::Reverse;
use std::fmt::Write;

use crate::report::svg::{Svg, WIDTH, counted, first_five, isolated, number, px, short, widest, width_of};

/// One column of [`columns`].
pub(super) struct Column {
    /// Under the axis.
    pub(super) label: String,
    /// In full.
    pub(super) name: String,
    pub(super) count: u64,
}

fn share(count: u64, most: u64, of: f64) -> f64 {
    if most == 0 { 0.0 } else { count as f64 / most as f64 * of }
}

/// Bars from the left, a row each, with name and number.
pub(super) fn bars(title: &str, unit: &str, rows: &[(String, u64)]) -> String {
    const ROW: f64 = 20.0;
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0);
    let label = widest(rows.iter().map(|row| row.0.as_str())).clamp(40.0, 210.0);
    let longest = WIDTH - label - 8.0 - width_of(&number(most)) - 10.0;
    let mut sorted: Vec<_> = rows.iter().collect();
    sorted.sort_by_key(|row| Reverse(row.1));
    let mut description =
        first_five(sorted.into_iter().map(|(name, count)| format!("{name}: {}", counted(*count, unit))));
    if rows.len() > 5 {
        _ = write!(description, "; and {} more", rows.len() - 5);
    }
    let mut svg = Svg::new("chart", rows.len() as f64 * ROW + 2.0, title, &description);
    for (at, (name, count)) in rows.iter().enumerate() {
        let y = at as f64 * ROW;
        let width = share(*count, most, longest).max(1.0);
        svg.push(&format!("<g><title>{}: {}</title>", isolated(name), counted(*count, unit)));
        svg.text(label, y + 14.0, "end", &short(name, label));
        svg.rect([label + 8.0, y + 3.0, width, 14.0], "bar", None);
        svg.text(label + 13.0 + width, y + 14.0, "dim", &number(*count));
        svg.push("</g>");
    }
    svg.finish()
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
    let left = width_of(&number(ticks.last().copied().unwrap_or(0))).max(20.0) + 6.0;
    let step = ((WIDTH - left - 2.0) / rows.len().max(1) as f64).min(60.0);
    let widest = widest(rows.iter().map(|row| row.label.as_str())) + 8.0;
    let every = (widest / step).ceil().max(1.0) as usize;
    let description = match (rows.first(), rows.last(), rows.iter().max_by_key(|row| row.count)) {
        (Some(first), Some(last), Some(high)) => {
            format!("From {} to {}; most at {}: {}", first.name, last.name, high.name, counted(high.count, "games"))
        }
        _ => String::new(),
    };
    let mut svg = Svg::new("chart", 222.0, title, &description);
    svg.text(0.0, 11.0, "dim", "games");
    for tick in ticks {
        let (x, y) = (px(left - 5.0), px(LOW - share(tick, most, LOW - TOP)));
        svg.push(&format!("<path d=\"M{} {y}H{WIDTH}\" class=\"axis\"/>", px(left)));
        svg.push(&format!("<text x=\"{x}\" y=\"{y}\" dy=\"4\" class=\"end dim\">{}</text>", number(tick)));
    }
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
            svg.text(middle, 202.0, "mid dim", &short(&row.label, widest));
        }
    }
    svg.text((left + WIDTH) / 2.0, 219.0, "mid dim", across);
    svg.finish()
}

/// The results of each row as shares: Black won, White won, no winner, not known.
pub(super) fn shares(title: &str, rows: &[(String, [u64; 4])]) -> String {
    const ROW: f64 = 22.0;
    const TOP: f64 = 26.0;
    const KINDS: [(&str, &str); 4] =
        [("black", "Black won"), ("white", "White won"), ("draw", "no winner"), ("unknown", "not known")];
    let label = widest(rows.iter().map(|row| row.0.as_str())).clamp(40.0, 150.0);
    let total = |counts: &[u64; 4]| counts.iter().sum::<u64>();
    let most = rows.iter().map(|row| total(&row.1)).max().unwrap_or(0);
    let full = WIDTH - label - 8.0 - width_of(&number(most)) - 8.0;
    let description = first_five(rows.iter().map(|(name, [black, white, ..])| {
        format!("{name}: Black won {}, White won {}", counted(*black, "games"), counted(*white, "games"))
    }));
    let mut svg = Svg::new("chart", rows.len() as f64 * ROW + TOP, title, &description);
    let mut x = 0.0;
    for (class, name) in KINDS {
        svg.rect([x + 1.0, 2.0, 12.0, 12.0], class, None);
        svg.text(x + 18.0, 12.0, "", name);
        x += 32.0 + width_of(name);
    }
    for (at, (name, counts)) in rows.iter().enumerate() {
        let y = at as f64 * ROW + TOP;
        svg.text(label, y + 13.0, "end", &short(name, label));
        let mut x = label + 8.0;
        for ((class, kind), count) in KINDS.into_iter().zip(counts) {
            let width = share(*count, total(counts), full);
            if width > 0.0 {
                let title = format!("{}, {kind}: {}", isolated(name), counted(*count, "games"));
                svg.rect([x, y + 1.0, width, 16.0], class, Some(&title));
            }
            x += width;
        }
        svg.text(label + 14.0 + full, y + 13.0, "dim", &number(total(counts)));
    }
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
        let rows = [("</svg><b>".to_owned(), 3)];
        assert!(bars("x", "games", &rows).contains("&lt;/svg&gt;&lt;b&gt;: 3 games"));
        let svg = shares("x", &[("<b>".to_owned(), [1, 2, 0, 0])]);
        assert!(!svg.contains("<b>"), "{svg}");
    }
}
