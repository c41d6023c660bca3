//! Converts dates to the day numbers of Arrow.

use sgfstream_game::value::Date;

/// Returns the days since 1970-01-01 in the Gregorian calendar, by Howard Hinnant's algorithm,
/// whose years begin in March.
pub(super) fn days(date: Date) -> i32 {
    let (month, day) = (
        i32::from(date.month().unwrap_or(1)),
        i32::from(date.day().unwrap_or(1)),
    );
    let year = i32::from(date.year()) - i32::from(month <= 2);
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted() {
        for (year, month, day, count) in [
            (1970, 1, 1, 0),
            (2000, 3, 1, 11_017),
            (1846, 9, 11, -45_037),
            (1, 1, 1, -719_162),
            (2024, 2, 29, 19_782),
        ] {
            let date = Date::new(year, Some(month), Some(day)).expect("a day");
            assert_eq!(days(date), count);
        }
    }
}
