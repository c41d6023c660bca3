//! Steps to a position: moves and setup. Users and addresses write them as properties.

use std::fmt::Display;

use sgfstream::{Framing, Property};

use crate::game::{Dialect, GameBoard, Move, Setup, Side};
use crate::value::from_fn;

use super::{Facts, MoveFault, Replay};

/// Step to a position: a move, or a setup property. [`written`](Self::written) shows it as a
/// property.
///
/// ```
/// use sgfstream_game::{Dialect, Game, Side, facts::Replay, internal::PositionStep};
///
/// let go = Dialect::new(Game::Go, None);
/// let stones = PositionStep::set_up(&go, "AB", ["Q16", "dp"]).expect("two points");
/// let turn = PositionStep::set_up(&go, "PL", ["W"]).expect("a color");
/// assert_eq!(stones.written(&go).to_string(), "AB[pd][dp]");
///
/// let mut replay = Replay::of_dialect(&go)?;
/// assert!(stones.apply_to(&mut replay).is_ok() && turn.apply_to(&mut replay).is_ok());
/// assert_eq!(replay.to_move(), Some(Side::White));
/// assert!(PositionStep::set_up(&go, "AB", ["Q20"]).is_none());
/// # Ok::<(), sgfstream_game::board::NoBoard>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionStep {
    /// Move of a side.
    Move(Side, Move),
    /// Setup property with its values in the spelling of the dialect: `AB[dp][pd]`, `PL[W]`.
    SetUp(String),
}

impl PositionStep {
    /// Returns the setup of the property `ident` with these values, or `None` if the game has no
    /// such setup. Points may be in either notation, `pd` or `Q16`, and two points with a colon are
    /// the corners of a rectangle.
    #[must_use]
    pub fn set_up<'v>(
        dialect: &Dialect,
        ident: &str,
        values: impl IntoIterator<Item = &'v str>,
    ) -> Option<Self> {
        let mut text = ident.to_owned();
        for value in values {
            let value = match (ident, Setup::of(dialect.game(), ident.as_bytes())) {
                ("PL", _) => Side::named_in(dialect.game(), value.as_bytes())?
                    .name_in(dialect.game())
                    .to_owned(),
                (_, Some(setup)) => setup_value(dialect, setup, value)?,
                (_, None) => return None,
            };
            text.push_str(&format!("[{value}]"));
        }
        (text.len() > ident.len()).then_some(Self::SetUp(text))
    }

    /// Returns the steps of a property: its moves, or its setup. Returns `None` if a value is
    /// unreadable.
    #[must_use]
    pub fn of_property(facts: &Facts<'_>, property: &Property<'_>) -> Option<Vec<Self>> {
        let dialect = facts.dialect();
        let mut steps = Vec::new();
        for played in facts.moves_of(property) {
            let mv = dialect.parse_move(&played.bytes()).ok()?;
            steps.push(Self::Move(Side::of_color(played.color), mv));
        }
        let ident = property.ident().canonical();
        if steps.is_empty() && facts.changes_board(property.ident()) && *ident != *b"KO" {
            let mut values = Vec::new();
            for value in property.values() {
                values.push(str::from_utf8(value.as_bytes()).ok()?);
            }
            steps.push(Self::set_up(
                &dialect,
                str::from_utf8(&ident).ok()?,
                values,
            )?);
        }
        Some(steps)
    }

    /// Returns the setup of all stones of `board`, and of the cells that are empty although the
    /// game begins with stones there. Pieces, pods and arrows are no stones.
    ///
    /// ```
    /// use sgfstream_game::{Dialect, Game, GameBoard, facts::Replay, internal::PositionStep};
    ///
    /// let othello = Dialect::new(Game::Othello, None);
    /// let mut replay = Replay::of_dialect(&othello)?;
    /// replay.play(1, b"dc");
    /// let steps = PositionStep::of_board(replay.board().expect("a board"));
    /// let shown: Vec<_> = steps.iter().map(|step| step.written(&othello).to_string()).collect();
    /// assert_eq!(shown, ["AB[d3][d4][e4][d5]", "AW[e5]"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_board(board: &GameBoard) -> Vec<Self> {
        let [mut black, mut white, mut empty] = ["AB", "AW", "AE"].map(str::to_owned);
        let dialect = board.dialect();
        let add =
            |text: &mut String, cell| text.push_str(&format!("[{}]", dialect.show_point(cell)));
        for (cell, side) in board.stones() {
            match side {
                Side::Black => add(&mut black, cell),
                Side::White => add(&mut white, cell),
                _ => {}
            }
        }
        let start = GameBoard::new(dialect).ok();
        for (cell, _) in start.iter().flat_map(GameBoard::stones) {
            if board.stone(cell).is_none() {
                add(&mut empty, cell);
            }
        }
        let texts = [black, white, empty]
            .into_iter()
            .filter(|text| text.contains('['));
        texts.map(Self::SetUp).collect()
    }

    /// Makes the step on the board of `replay`.
    ///
    /// # Errors
    ///
    /// Returns the fault of a move or of setup, which are made as far as possible.
    pub fn apply_to(&self, replay: &mut Replay) -> Result<(), MoveFault> {
        match self {
            Self::Move(side, mv) => replay
                .play_move(side.color(), mv)
                .legality
                .unwrap_or(Ok(())),
            Self::SetUp(text) => Property::parse(text.as_bytes(), Framing::Value)
                .and_then(|property| replay.apply_each(&property, |_, _| {}))
                .unwrap_or(Ok(())),
        }
    }

    /// Displays the step as a property: `B[pd]`, `AB[dp][pd]`.
    pub fn written<'s>(&'s self, dialect: &Dialect) -> impl Display + 's {
        let dialect = *dialect;
        from_fn(move |f| match self {
            Self::Move(side, mv) => {
                write!(
                    f,
                    "{}[{}]",
                    side.name_in(dialect.game()),
                    dialect.show_move(mv)
                )
            }
            Self::SetUp(text) => f.write_str(text),
        })
    }
}

/// Returns a value of a setup property in the spelling of the dialect.
fn setup_value(dialect: &Dialect, setup: Setup, value: &str) -> Option<String> {
    let point = |text: &str| {
        let cell = dialect.parse_point_in_any(text.as_bytes()).ok()?;
        Some(dialect.show_point(cell).to_string())
    };
    match setup {
        Setup::Reserve(_) => value.parse::<u32>().ok().map(|parts| parts.to_string()),
        Setup::Territory(_) => dialect
            .parse_territory(value.as_bytes())
            .ok()
            .map(|territory| territory.to_string()),
        _ => match value.split_once(':') {
            Some((from, to)) => Some(format!("{}:{}", point(from)?, point(to)?)),
            None => point(value).or_else(|| {
                let stone = dialect
                    .parse_stone(value.as_bytes())
                    .ok()
                    .filter(|_| dialect.has_points())?;
                Some(dialect.show_stone(&stone).to_string())
            }),
        },
    }
}
