//! Benchmark stages.

use sgfstream::{Event, EventReader, Options, Place, Property, RawValue, SliceReader};
use sgfstream_game::value::{Color, Double, Number, Real, SimpleText, Text};
use sgfstream_game::{Definition, Dialect, GameState, RawMove, RootRetention, Step, ValueType};

/// Function of a stage. It processes one collection in memory.
pub(super) type Stage = fn(&[u8], Options) -> Work;

pub(super) const STAGES: [(&str, Stage); 5] =
    [("search", search), ("events", events), ("text", text), ("values", values), ("moves", moves)];

/// Counts of the work. They keep the compiler from removing it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Work {
    /// Number of events. The stage `search` reads none.
    pub(super) events: u64,
    /// Number of items that the stage counts: bytes found, games, bytes of text, or readable values and moves.
    pub(super) items: u64,
}

impl Work {
    pub(super) fn add(&mut self, other: Self) {
        self.events += other.events;
        self.items += other.items;
    }
}

/// Finds each `]` and `\`.
fn search(collection: &[u8], _: Options) -> Work {
    // The sum keeps the compiler from removing the positions.
    let (count, sum) = memchr::memchr2_iter(b']', b'\\', collection)
        .fold((0, 0), |(count, sum): (u64, u64), at| (count + 1, sum.wrapping_add(at as u64)));
    std::hint::black_box(sum);
    Work { events: 0, items: count }
}

/// Reads every event. `items` returns the number of items of an event.
#[inline]
fn each_event(collection: &[u8], options: Options, mut items: impl FnMut(Event<'_>, &Place) -> u64) -> Work {
    let mut work = Work::default();
    let mut reader = SliceReader::with_options(collection, options);
    while let Some(event) = reader.next() {
        work.events += 1;
        work.items += items(event, &reader.place());
    }
    work
}

fn events(collection: &[u8], options: Options) -> Work {
    each_event(collection, options, |event, place| {
        if let Event::Property(property) = event {
            std::hint::black_box(property.as_bytes().len());
        }
        u64::from(place.depth == 1 && matches!(event, Event::VariationStart { .. }))
    })
}

/// Decodes every value as text.
fn text(collection: &[u8], options: Options) -> Work {
    each_event(collection, options, |event, _| event.pieces().map(|piece| piece.content().text().len() as u64).sum())
}

/// Parses every value as the type of its property. Values of a root are parsed at its end, because only then the game is
/// known.
fn values(collection: &[u8], options: Options) -> Work {
    let mut state = GameState::new(RootRetention::All);
    let mut work = each_event(collection, options, |event, place| {
        let step = state.event(&event, place);
        let root =
            if step == Step::RootEnd { state.root().map(|property| readable(&state, &property)).sum() } else { 0 };
        match event {
            Event::Property(property) if step != Step::Held => root + readable(&state, &property),
            _ => root,
        }
    });
    if state.end_input() == Step::RootEnd {
        work.items += state.root().map(|property| readable(&state, &property)).sum::<u64>();
    }
    work
}

/// Returns the number of valid values of a property.
fn readable(state: &GameState, property: &Property<'_>) -> u64 {
    let (game, dialect) = (state.game(), state.dialect());
    let found = Definition::find(game, state.version().number(), &property.ident().canonical());
    let value_type = found.map_or(ValueType::Unknown, |found| found.definition.value_type);
    property.values().filter(|value| can_be_read(value_type, *value, &dialect)).count() as u64
}

/// Returns whether `value` is valid for its type.
fn can_be_read(value_type: ValueType, value: RawValue<'_>, dialect: &Dialect) -> bool {
    let raw = value.as_bytes();
    match value_type {
        ValueType::None => raw.is_empty(),
        ValueType::Number => Number::parse(raw).is_ok(),
        ValueType::Real => Real::parse(raw).is_ok(),
        ValueType::Double => Double::parse(raw).is_ok(),
        ValueType::Color => Color::parse(raw).is_ok(),
        ValueType::SimpleText => !SimpleText::parse(raw).as_str().is_empty() || raw.is_empty(),
        ValueType::Text => !Text::parse(raw).as_str().is_empty() || raw.is_empty(),
        ValueType::Move => dialect.parse_move(raw).is_ok(),
        ValueType::Point => dialect.parse_point(raw).is_ok(),
        ValueType::Stone => dialect.parse_stone(raw).is_ok(),
        ValueType::Compose(..) => value.compose().is_some(),
        _ => !raw.is_empty(),
    }
}

/// Parses every move.
fn moves(collection: &[u8], options: Options) -> Work {
    let mut state = GameState::default();
    let root_moves = |state: &GameState| state.root_moves().filter(|played| is_move(state, played)).count() as u64;
    let mut work = each_event(collection, options, |event, place| {
        let step = state.event(&event, place);
        match (step, event) {
            (Step::Move { point, .. }, _) => u64::from(state.dialect().parse_move(&point).is_ok()),
            (Step::Moves, Event::Property(property)) => {
                state.moves(&property).filter(|played| is_move(&state, played)).count() as u64
            }
            (Step::RootEnd, _) => root_moves(&state),
            _ => 0,
        }
    });
    if state.end_input() == Step::RootEnd {
        work.items += root_moves(&state);
    }
    work
}

fn is_move(state: &GameState, played: &RawMove<'_>) -> bool {
    state.dialect().parse_move(&played.bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages() {
        let collection = b"(;GM[1]SZ[9]C[a\\]b];B[aa];W[tt];B[jj](;W[zz]))(;GM[11]SZ[9];B[a9])";
        let found = STAGES.map(|(name, stage)| {
            let work = stage(collection, Options::default());
            (name, work.events, work.items)
        });
        // `jj` and `zz` are outside a board of size 9; `tt` is a pass.
        let text = "19a]baattjjzz119a9".len() as u64;
        let expected = [("search", 0, 12), ("events", 23, 2), ("text", 23, text), ("values", 23, 8), ("moves", 23, 3)];
        assert_eq!(found, expected);
        // The properties of a root apply to all of it, in any order.
        let late = b"(;SZ[5]B[e5]GM[11];W[f6])";
        assert_eq!((moves(late, Options::default()).items, values(late, Options::default()).items), (1, 3));
    }
}
