//! Parses dates in other forms than the form of FF\[4\] (spec ): other separators,
//! one-digit parts, ranges, times of day, names of months.

use std::fmt::Write as _;

use super::words::is_among;
use super::{Date, Dates, LenientValue, Reading, Repair};

/// Longest text to parse, in bytes: no real game needs more for its dates.
const LONGEST: usize = 512;

/// Longest range to expand, in days, months or years.
const LONGEST_RANGE: usize = 366;

/// Names of eras, with the year before the era's first year and the era's number of years at most.
const ERAS: [(&[&str], u16, u16); 6] = [
    (&["昭和", "showa"], 1925, 64),
    (&["平成", "heisei"], 1988, 31),
    (&["令和", "reiwa"], 2018, 99),
    (&["大正", "taisho"], 1911, 15),
    (&["明治", "meiji"], 1867, 45),
    (&["民国", "民國", "minguo"], 1911, 200),
];

/// Words beside a date that do not change it; most are time zones. Names of months and weekdays are
/// matched by their first letters instead.
const WORDS: &str = "in on the of and to st nd rd th am pm 年 月 utc gmt bst wet west cet cest eet eest msk msd ist hkt sgt \
    cst cdt jst kst est edt mst mdt pst pdt akst akdt hst aest aedt nzst";

/// Parses dates in a form that FF\[4\] does not have.
pub(super) fn read_form(text: &str) -> Reading<Dates> {
    if text.len() > LONGEST {
        return Reading::Unknown;
    }
    let chinese = text.contains('년').then(|| in_chinese_units(text));
    let text = chinese.as_deref().unwrap_or(text);
    let western = match in_western_years(text) {
        Ok(western) => western,
        Err(()) => return Reading::Unknown,
    };
    let is_of_era = western.is_some();
    let text = western.as_deref().unwrap_or(text);
    if let Some(read) = tidied(text) {
        let repair = read
            .repair
            .filter(|&repair| !is_of_era || repair == Repair::TimeOfDay)
            .or(Some(Repair::DateForm));
        return Reading::Sure(LenientValue { repair, ..read });
    }
    if let Some(years) = years(text.trim()) {
        return Reading::Guess(LenientValue::repaired(years, Repair::DateForm));
    }
    if let Some(decade) = decade(text.trim()) {
        return Reading::Guess(LenientValue::repaired(decade, Repair::DateForm));
    }
    match guess_from_parts(text) {
        Some((dates, is_sure, repair)) => {
            Reading::sure_if(is_sure, LenientValue::repaired(dates, repair))
        }
        None => Reading::Unknown,
    }
}

/// Replaces Korean units by Chinese ones: `1995년 3월 4일` becomes `1995年3月4日`.
fn in_chinese_units(text: &str) -> String {
    let units = [('년', "年"), ('월', "月"), ('일', "日")];
    units
        .into_iter()
        .fold(text.to_owned(), |text, (korean, chinese)| {
            text.split(korean)
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(chinese)
        })
}

/// Replaces the year of an era by the year of the Gregorian calendar. Returns `None` if `text`
/// names no era, and an error if it names an era without a year.
fn in_western_years(text: &str) -> Result<Option<String>, ()> {
    let lower = text.to_lowercase();
    for (names, before, years) in ERAS {
        let Some((at, name)) = names
            .iter()
            .find_map(|name| Some((lower.find(name)?, name)))
        else {
            continue;
        };
        let rest = lower[at + name.len()..].trim_start();
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (year, rest) = match rest.strip_prefix('元') {
            Some(rest) => (1, rest),
            None => (rest[..digits].parse().map_err(|_| ())?, &rest[digits..]),
        };
        if !(1..=years).contains(&year) {
            return Err(());
        }
        return Ok(Some(format!("{}{}{rest}", &lower[..at], before + year)));
    }
    Ok(None)
}

/// Parses a decade, `196?` or `1960s`, as its ten years.
fn decade(text: &str) -> Option<Dates> {
    let start = match (text.strip_suffix('?'), text.strip_suffix("0s")) {
        (Some(start), _) | (_, Some(start)) if start.len() == 3 => start.parse::<u16>().ok()?,
        _ => return None,
    };
    Dates::new(
        (0..10)
            .filter_map(|year| Date::new(start * 10 + year, None, None))
            .collect(),
    )
}

/// Parses a range of years, `1832-40`. Such a text is a guess: 40 is not a month, but it may be a
/// month with a wrong digit.
fn years(text: &str) -> Option<Dates> {
    let (from, to) = text
        .split_once('-')
        .filter(|(from, to)| from.len() == 4 && to.len() == 2)?;
    let (first, last) = (
        from.parse::<u16>().ok()?,
        to.parse::<u16>().ok().filter(|&to| to > 12)?,
    );
    let last = first / 100 * 100 + last;
    Dates::new(
        (first..=last)
            .filter_map(|year| Date::new(year, None, None))
            .collect(),
    )
    .filter(|_| first < last)
}

/// Parses digits with separators, with the year first (or last, with dots). Converts each entry to
/// the form of FF\[4\], expands ranges, and drops times of day.
fn tidied(text: &str) -> Option<LenientValue<Dates>> {
    let mut repair = Repair::Blanks;
    let mut out = String::with_capacity(text.len());
    for entry in text.split([',', '，', '、']) {
        let date = without_time(entry, &mut repair)?;
        let (from, to) = match date.split_once("..").or_else(|| date.split_once('~')) {
            Some((from, to)) => (from, Some(to)),
            None => match date.split_once('-') {
                // `1667-1668`
                Some((from, to)) if from.len() == 4 && to.len() == 4 && !to.contains('-') => {
                    (from, Some(to))
                }
                // `1934.10.10-11`
                Some((from, to)) if from.matches(['.', '/']).count() == 2 && to.len() <= 2 => {
                    (from, Some(to))
                }
                _ => (date, None),
            },
        };
        let from = in_form(from)?;
        if from != *date && repair == Repair::Blanks {
            repair = Repair::DateForm;
        }
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(&from);
        if let Some(to) = to {
            let ends = Dates::parse(format!("{out},{}", in_form(to)?).as_bytes()).ok()?;
            let [.., first, last] = *ends.as_slice() else {
                return None;
            };
            write_range(&mut out, first, last)?;
        }
    }
    let dates = Dates::parse(out.as_bytes()).ok()?;
    Some(LenientValue::repaired(dates, repair))
}

/// Returns the first word of an entry if only a time of day follows.
fn without_time<'a>(entry: &'a str, repair: &mut Repair) -> Option<&'a str> {
    let mut words = entry.split_whitespace();
    let mut date = words.next()?;
    // `C2006.02.10 18:40`: one site writes a letter before the day and its time.
    if let Some(day) = date.strip_prefix('C')
        && day.len() == 10
        && day.starts_with(|c: char| c.is_ascii_digit())
        && words.clone().any(is_time)
    {
        date = day;
    }
    if let Some((day, time)) = date.split_once('T')
        && is_time(time)
    {
        date = day;
        *repair = Repair::TimeOfDay;
    }
    let is_two_digits =
        |word: &str| word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_spaced_time = words.clone().count() == 3 && words.clone().all(is_two_digits);
    for word in words {
        if !is_spaced_time && !is_time(word) {
            return None;
        }
        *repair = Repair::TimeOfDay;
    }
    Some(date)
}

/// Converts one date or shortcut, in parts of two or four digits, to the form with dashes.
fn in_form(date: &str) -> Option<String> {
    let date = date.trim_end_matches(['日', '号', '號', '月', '年']);
    let mut parts: Vec<&str> = date.split(['-', '/', '.', '年', '月']).collect();
    if let [all] = *parts
        && all.len() == 8
        && all.is_ascii()
    {
        parts = vec![&all[..4], &all[4..6], &all[6..]];
    }
    if parts.len() == 3 && parts[2].len() == 4 && date.matches('.').count() == 2 {
        parts.reverse();
    }
    let mut out = String::with_capacity(10);
    for (index, part) in parts.iter().enumerate() {
        if !matches!(part.len(), 1 | 2 | 4) || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let _ = write!(out, "{}{part:0>2}", if index > 0 { "-" } else { "" });
    }
    Some(out)
}

/// Writes all dates after `first` up to `last`. Returns `None` if they are of different kinds, out
/// of order, or too far apart.
fn write_range(out: &mut String, first: Date, last: Date) -> Option<()> {
    let mut date = first;
    for _ in 0..LONGEST_RANGE {
        date = date.next()?;
        let _ = write!(out, ",{date}");
        if date == last {
            return Some(());
        }
    }
    None
}

/// Returns whether `word` is a time of day or belongs to one: `23:34`, `23:34:21`, `23:34Z`, `PM`.
fn is_time(word: &str) -> bool {
    let is_clock = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | '+' | '-' | 'Z');
    (word.contains(':') && word.chars().all(is_clock))
        || matches!(word, "AM" | "PM" | "am" | "pm" | "UTC" | "GMT")
}

/// Parses dates by SGFC's rule: the name of a month is the month; a number above 31 is the year; a
/// number above 12, or beside a month's name, is the day; any other number is the month (spec
/// The boolean is true if the text contains nothing else and the year has four digits. If
/// there are other words, only a year alone, or a date with its month's name, is likely enough to
/// return.
fn guess_from_parts(text: &str) -> Option<(Dates, bool, Repair)> {
    let (mut is_sure, mut has_words) = (true, false);
    let is_no_clock = |word: &&str| !is_time(word);
    let lower = text
        .split_whitespace()
        .filter(is_no_clock)
        .collect::<Vec<_>>()
        .join(" ")
        .to_ascii_lowercase();
    let mut month = None;
    for word in lower
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
    {
        match month_named(word) {
            Some(named) if month.replace(named).is_some() => return None,
            Some(_) => {}
            None => has_words |= !is_among(WORDS, word) && !is_weekday(word),
        }
    }
    let has_time = text.split_whitespace().any(is_time);
    let has_name = month.is_some();
    let mut year = None;
    let mut days: [Option<u8>; 2] = [None; 2];
    for number in lower
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
    {
        let number: u16 = number.parse().ok()?;
        let small = u8::try_from(number).unwrap_or(u8::MAX);
        match number {
            0 | 100..1000 | 10000.. => return None,
            32.. => {
                is_sure &= number >= 1000;
                let full = if number < 100 { 1900 + number } else { number };
                if year.replace(full).is_some() {
                    return None;
                }
            }
            _ if number > 12 || has_name => {
                *days.iter_mut().find(|day| day.is_none())? = Some(small)
            }
            _ => {
                // In `2021-13-01`, a wrong month is as likely as a swapped day and month.
                is_sure &= year.is_none() || days[0].is_none();
                if month.replace(small).is_some() {
                    return None;
                }
            }
        }
    }
    // Two digits alone are ambiguous: `96` may be a year of any century, or the number of a game.
    if year? < 2000 && month.is_none() && !lower.contains(&year?.to_string()) {
        return None;
    }
    if has_words && !has_name && (month.is_some() || days[0].is_some()) {
        return None;
    }
    let first = Date::new(year?, month, days[0])?;
    let mut dates = vec![first];
    if days[1].is_some() {
        dates.push(Date::new(year?, month, days[1])?);
    }
    let repair = match (has_words, has_time) {
        (true, _) => Repair::Junk,
        (_, true) => Repair::TimeOfDay,
        _ => Repair::DateForm,
    };
    Some((Dates::new(dates)?, is_sure && !has_words, repair))
}

/// Returns whether `word` is the name of a weekday, in full or cut to at least three letters:
/// `sun`, `sunday`.
fn is_weekday(word: &str) -> bool {
    const NAMES: &str = "sunday monday tuesday wednesday thursday friday saturday";
    word.len() >= 3 && NAMES.split(' ').any(|name| name.starts_with(word))
}

/// Returns the month that `word`, in small letters, names in full or cut to at least three letters.
fn month_named(word: &str) -> Option<u8> {
    const NAMES: &str =
        "january february march april may june july august september october november december";
    if matches!(word, "okt" | "oktober") {
        return Some(10);
    }
    let index = NAMES
        .split(' ')
        .position(|name| word.len() >= 3 && name.starts_with(word))?;
    u8::try_from(index + 1).ok()
}
