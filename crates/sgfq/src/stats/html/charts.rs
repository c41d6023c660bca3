//! Charts of counts: sizes in pixels, colours by class, so that the page's
//! style has them in light and dark.

use std::fmt::Write;

use super::svg::{WIDTH, counted, isolated, number, open, px, short, width_of};

/// How many rows a description reads out.
const TOLD: usize = 5;

/// One column of [`columns`].
pub(super) struct Column {
    /// Under the axis.
    pub(super) label: String,
    /// In full.
    pub(super) name: String,
    pub(super) count: u64,
}

/// The names of the axes of [`columns`].
#[derive(Clone, Copy)]
pub(super) struct Axes {
    pub(super) across: &'static str,
    pub(super) up: &'static str,
}

fn share(count: u64, most: u64, of: f64) -> f64 {
    if most == 0 { 0.0 } else { count as f64 / most as f64 * of }
}

/// Bars from the left, a row each, with name and number.
pub(super) fn bars(title: &str, unit: &'static str, rows: &[(String, u64)]) -> String {
    const ROW: f64 = 20.0;
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0);
    let label = rows.iter().map(|row| width_of(&row.0)).fold(40.0, f64::max).min(210.0);
    let room = WIDTH - label - 8.0 - width_of(&number(most)) - 10.0;
    let mut told: Vec<_> = rows.iter().collect();
    told.sort_by_key(|row| std::cmp::Reverse(row.1));
    let told = told.iter().take(TOLD).map(|(name, count)| format!("{name}: {}", counted(*count, unit)));
    let mut told = told.collect::<Vec<_>>().join("; ");
    if rows.len() > TOLD {
        _ = write!(told, "; and {} more", rows.len() - TOLD);
    }
    let mut svg = open("chart", rows.len() as f64 * ROW + 2.0, title, &told);
    for (at, (name, count)) in rows.iter().enumerate() {
        let y = at as f64 * ROW;
        let width = share(*count, most, room).max(1.0);
        _ = write!(
            svg,
            "<g><title>{}: {}</title><text x=\"{}\" y=\"{}\" class=\"end\">{}</text>\
             <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"14\" class=\"bar\"/>\
             <text x=\"{}\" y=\"{}\" class=\"dim\">{}</text></g>",
            isolated(name),
            counted(*count, unit),
            px(label),
            px(y + 14.0),
            short(name, label),
            px(label + 8.0),
            px(y + 3.0),
            px(width),
            px(label + 13.0 + width),
            px(y + 14.0),
            number(*count)
        );
    }
    svg + "</svg>"
}

/// Where an axis from 0 to `most` has its lines: five at most, at 1, 2 or 5
/// times a power of ten.
fn ticks(most: u64) -> Vec<u64> {
    let steps = (0..19).flat_map(|power| [1, 2, 5].map(|step| step * 10u64.pow(power)));
    let step = steps.into_iter().find(|step| most / step < 5).unwrap_or(u64::MAX);
    (0..=most / step).map(|at| at * step).collect()
}

/// Columns over an axis; every so often one is named.
pub(super) fn columns(title: &str, axes: Axes, rows: &[Column]) -> String {
    const TOP: f64 = 26.0;
    const LOW: f64 = 186.0;
    let most = rows.iter().map(|row| row.count).max().unwrap_or(0);
    let ticks = ticks(most);
    let left = width_of(&number(ticks.last().copied().unwrap_or(0))).max(20.0) + 6.0;
    let step = ((WIDTH - left - 2.0) / rows.len().max(1) as f64).min(60.0);
    let widest = rows.iter().map(|row| width_of(&row.label)).fold(0.0, f64::max) + 8.0;
    let every = (widest / step).ceil().max(1.0) as usize;
    let told = match (rows.first(), rows.last(), rows.iter().max_by_key(|row| row.count)) {
        (Some(first), Some(last), Some(high)) => {
            format!("From {} to {}; most at {}: {}", first.name, last.name, high.name, counted(high.count, axes.up))
        }
        _ => String::new(),
    };
    let mut svg = open("chart", 222.0, title, &told);
    _ = write!(svg, "<text x=\"0\" y=\"11\" class=\"dim\">{}</text>", axes.up);
    for tick in ticks {
        let y = px(LOW - share(tick, most, LOW - TOP));
        _ = write!(
            svg,
            "<path d=\"M{} {y}H{WIDTH}\" class=\"axis\"/><text x=\"{}\" y=\"{y}\" dy=\"4\" class=\"end dim\">{}</text>",
            px(left),
            px(left - 5.0),
            number(tick)
        );
    }
    for (at, row) in rows.iter().enumerate() {
        let x = left + at as f64 * step + step * 0.08;
        if row.count > 0 {
            let height = share(row.count, most, LOW - TOP).max(1.0);
            _ = write!(
                svg,
                "<rect x=\"{x:.2}\" y=\"{}\" width=\"{:.2}\" height=\"{}\" class=\"bar\"><title>{}: {}</title></rect>",
                px(LOW - height),
                step * 0.84,
                px(height),
                isolated(&row.name),
                counted(row.count, axes.up)
            );
        }
        if at.is_multiple_of(every) {
            let middle = (x + step * 0.42).clamp(widest / 2.0, (WIDTH - widest / 2.0 + 4.0).max(widest / 2.0));
            _ = write!(
                svg,
                "<text x=\"{}\" y=\"202\" class=\"mid dim\">{}</text>",
                px(middle),
                short(&row.label, widest)
            );
        }
    }
    _ = write!(svg, "<text x=\"{}\" y=\"219\" class=\"mid dim\">{}</text>", px((left + WIDTH) / 2.0), axes.across);
    svg + "</svg>"
}

/// Who won, as shares of each row: Black, White, nobody, not known.
pub(super) fn shares(title: &str, rows: &[(String, [u64; 4])]) -> String {
    const ROW: f64 = 22.0;
    const TOP: f64 = 26.0;
    const KINDS: [(&str, &str); 4] =
        [("black", "Black won"), ("white", "White won"), ("draw", "nobody won"), ("unknown", "not known")];
    let label = rows.iter().map(|row| width_of(&row.0)).fold(40.0, f64::max).min(150.0);
    let total = |counts: &[u64; 4]| counts.iter().sum::<u64>();
    let most = rows.iter().map(|row| total(&row.1)).max().unwrap_or(0);
    let room = WIDTH - label - 8.0 - width_of(&number(most)) - 8.0;
    let told = rows.iter().take(TOLD).map(|(name, [black, white, ..])| {
        format!("{name}: Black won {}, White won {}", counted(*black, "games"), counted(*white, "games"))
    });
    let told = told.collect::<Vec<_>>().join("; ");
    let mut svg = open("chart", rows.len() as f64 * ROW + TOP, title, &told);
    let mut x = 0.0;
    for (class, name) in KINDS {
        _ = write!(
            svg,
            "<rect x=\"{}\" y=\"2\" width=\"12\" height=\"12\" class=\"{class}\"/><text x=\"{}\" y=\"12\">{name}</text>",
            px(x + 1.0),
            px(x + 18.0)
        );
        x += 32.0 + width_of(name);
    }
    for (at, (name, counts)) in rows.iter().enumerate() {
        let y = at as f64 * ROW + TOP;
        _ = write!(svg, "<text x=\"{}\" y=\"{}\" class=\"end\">{}</text>", px(label), px(y + 13.0), short(name, label));
        let mut x = label + 8.0;
        for ((class, kind), count) in KINDS.into_iter().zip(counts) {
            let width = share(*count, total(counts), room);
            if width > 0.0 {
                _ = write!(
                    svg,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"16\" class=\"{class}\"><title>{}, {kind}: {}</title></rect>",
                    px(x),
                    px(y + 1.0),
                    px(width),
                    isolated(name),
                    counted(*count, "games"),
                );
            }
            x += width;
        }
        _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" class=\"dim\">{}</text>",
            px(label + 14.0 + room),
            px(y + 13.0),
            number(total(counts))
        );
    }
    svg + "</svg>"
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
