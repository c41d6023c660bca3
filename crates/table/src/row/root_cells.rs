//! Cells of a row that depend on the root and the game information.

use std::borrow::Cow;
use std::fmt::Write;

use sgfstream::Charset;
use sgfstream_game::value::{OvertimeSystem, Rank};
use sgfstream_game::{Facts, Game, dialect::Version, facts::Info, property::TypedValue};
use xxhash_rust::xxh3::Xxh3;

use super::game_row::at;
use super::text::{Outcome, days};
use super::{Column, ColumnSet, FilledRow, GameRow};

/// Returns the game information that the columns need and that may be outside of the root, one bit
/// each.
pub(super) fn infos(columns: ColumnSet) -> u32 {
    let infos = columns
        .columns()
        .filter_map(info_of)
        .filter(|info| !info.is_root_only());
    infos.fold(0, |infos, info| {
        // A rank may stand in the name.
        let name = match info {
            Info::BR => 1 << Info::PB as u32,
            Info::WR => 1 << Info::PW as u32,
            _ => 0,
        };
        infos | 1 << info as u32 | name
    })
}

impl FilledRow {
    /// Fills the columns that depend on the root and the game information.
    pub(crate) fn fill_root(&mut self, facts: &Facts<'_>) {
        let game = facts.record();
        let Self {
            row,
            spare,
            columns,
            texts,
            is_damaged,
            ..
        } = self;
        row.reset(spare);
        *is_damaged = false;
        row.game = Some(game.number() as i64);
        row.byte_offset = Some(game.span().start as i64);
        if columns.contains_index(at::key) {
            row.key = key_of(row);
        }
        if columns.contains_index(at::reference)
            && let GameRow {
                source: Some(source),
                member,
                game: Some(number),
                ..
            } = row
        {
            let mut reference = in_spare(spare, source);
            if let Some(member) = member {
                reference.push('!');
                reference.push_str(member);
            }
            _ = write!(reference, "#{number}");
            row.reference = Some(reference);
        }
        let wants = |column: usize| columns.contains_index(column);
        let (game, charset) = (facts.game, facts.charset());
        let read = |info: Info| Some(facts.value(info)?.with_charset(charset).try_simple_text());
        let text = |info: Info| Some(read(info)?.0);
        let mut owned = |text: &str| in_spare(spare, text);
        for (_, (info, cell)) in texts {
            *cell(row) = read(*info).map(|(text, is_lossy)| {
                *is_damaged |= is_lossy;
                owned(text.trim())
            });
        }
        if wants(at::gm) {
            row.gm = game.number();
        }
        if wants(at::variant) {
            row.variant = match game {
                Game::Other | Game::Number(_) => text(Info::GM).map(|text| owned(&text)),
                game => Some(owned(game.name())),
            };
        }
        if wants(at::ff) {
            row.ff = match facts.value(Info::FF) {
                Some(_) => typed(Info::FF, game, text(Info::FF)).and_then(|ff| ff.whole()),
                None => Some(Version::DEFAULT.number().into()),
            };
        }
        let size = facts.board_size();
        row.board_width = size
            .map(|size| i64::from(size.columns()))
            .filter(|_| wants(at::board_width));
        row.board_height = size
            .map(|size| i64::from(size.rows()))
            .filter(|_| wants(at::board_height));
        if wants(at::charset) {
            let named = if charset == Charset::AUTO {
                Charset::UTF_8
            } else {
                charset
            };
            row.charset = Some(owned(named.name()));
        }
        if wants(at::charset_source) {
            row.charset_source = Some(owned(facts.charset_source().as_str()));
        }
        for (info, name, column, cell) in [
            (Info::BR, Info::PB, at::br_level, &mut row.br_level),
            (Info::WR, Info::PW, at::wr_level, &mut row.wr_level),
        ] {
            if wants(column) {
                let rank = match text(info) {
                    Some(text) if !text.trim().is_empty() => Rank::parse_lenient(text.as_bytes())
                        .ok()
                        .map(|read| read.value),
                    _ => text(name).and_then(|name| Rank::split_name(&name).1),
                };
                *cell = rank.map(Rank::level);
            }
        }
        if wants(at::date_min) || wants(at::date_max) {
            let days = typed(Info::DT, game, text(Info::DT)).and_then(|dates| days(&dates));
            row.date_min = days.map(|days| days.0).filter(|_| wants(at::date_min));
            row.date_max = days.map(|days| days.1).filter(|_| wants(at::date_max));
        }
        if wants(at::winner) || wants(at::win_by) || wants(at::margin) {
            let outcome = text(Info::RE)
                .map(|text| Outcome::parse(game, &text))
                .unwrap_or_default();
            row.winner = outcome.winner.filter(|_| wants(at::winner)).map(&mut owned);
            row.win_by = outcome.win_by.filter(|_| wants(at::win_by)).map(&mut owned);
            row.margin = outcome.margin.filter(|_| wants(at::margin));
        }
        if wants(at::komi) {
            row.komi = typed(Info::KM, game, text(Info::KM)).and_then(|komi| komi.real());
        }
        if wants(at::handicap) {
            row.handicap = typed(Info::HA, game, text(Info::HA)).and_then(|stones| stones.whole());
        }
        if wants(at::tm) {
            row.tm = typed(Info::TM, game, text(Info::TM)).and_then(|time| time.real());
        }
        if wants(at::ot_system) || wants(at::ot_periods) || wants(at::ot_time) {
            let (name, periods, time) = match facts.overtime() {
                Some(OvertimeSystem::ByoYomi { periods, seconds }) => {
                    (Some("byo-yomi"), Some(periods), Some(seconds))
                }
                Some(OvertimeSystem::Canadian { moves, seconds }) => {
                    (Some("canadian"), Some(moves), Some(seconds))
                }
                Some(OvertimeSystem::Fischer { seconds }) => (Some("fischer"), None, Some(seconds)),
                _ => (None, None, None),
            };
            row.ot_system = name.filter(|_| wants(at::ot_system)).map(&mut owned);
            row.ot_periods = periods.map(i64::from).filter(|_| wants(at::ot_periods));
            row.ot_time = time.filter(|_| wants(at::ot_time));
        }
        // Otherwise this game would get the answers of the game before.
        self.probes.start_game();
        self.is_complete = !self.needs_nodes() && self.probes.is_settled();
    }
}

/// Returns the key of the game at the row's place.
fn key_of(row: &GameRow) -> Option<i64> {
    let mut hash = Xxh3::new();
    for part in [
        row.source.as_deref()?,
        "!",
        row.member.as_deref().unwrap_or(""),
        "@",
    ] {
        hash.update(part.as_bytes());
    }
    hash.update(row.byte_offset?.to_string().as_bytes());
    Some(hash.digest() as i64)
}

/// Returns the game information that a column needs.
fn info_of(column: &Column) -> Option<Info> {
    Some(match column.index() {
        at::br_level => Info::BR,
        at::wr_level => Info::WR,
        at::date_min | at::date_max => Info::DT,
        at::winner | at::win_by | at::margin => Info::RE,
        at::komi => Info::KM,
        at::handicap => Info::HA,
        at::tm => Info::TM,
        at::ot_system | at::ot_periods | at::ot_time => Info::OT,
        _ => column.text_of?.0,
    })
}

/// Returns the typed value of a text, if its reading is sure.
fn typed(info: Info, game: Game, text: Option<Cow<'_, str>>) -> Option<TypedValue> {
    Some(info.read(game, &text?).sure()?.value)
}

/// Returns `text` in a reused string, if there is one.
pub(super) fn in_spare(spare: &mut Vec<String>, text: &str) -> String {
    let mut owned = spare.pop().unwrap_or_default();
    owned.clear();
    owned.push_str(text);
    owned
}
