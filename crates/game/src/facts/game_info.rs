//! Game information of a root, as typed values.

use crate::game::{Game, TypedValue};
use crate::value::{BoardSize, Dates, GameResult, Komi, Rank, Time};

use super::{Facts, Info};

/// Game information of a root as typed values: see [`Facts::info`].
///
/// A field is `None` if the root lacks its property, or if the value has no sure reading.
/// [`Facts::value`] has the bytes as written.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GameInfo {
    /// `GM`; without it, the game that other properties of the root show, else Go.
    pub game: Game,
    /// `SZ`, or the default of the game.
    pub board_size: Option<BoardSize>,
    /// `PB`: the name of Black.
    pub black: Option<String>,
    /// `PW`: the name of White.
    pub white: Option<String>,
    /// `BR`: the rank of Black.
    pub black_rank: Option<Rank>,
    /// `WR`: the rank of White.
    pub white_rank: Option<Rank>,
    /// `BT`: the team of Black.
    pub black_team: Option<String>,
    /// `WT`: the team of White.
    pub white_team: Option<String>,
    /// `RE`.
    pub result: Option<GameResult>,
    /// `DT`.
    pub dates: Option<Dates>,
    /// `KM`.
    pub komi: Option<Komi>,
    /// `HA`: the number of handicap stones.
    pub handicap: Option<i64>,
    /// `RU`.
    pub rules: Option<String>,
    /// `TM`: the main time.
    pub time: Option<Time>,
    /// `OT`: the overtime, as text.
    pub overtime: Option<String>,
    /// `EV`.
    pub event: Option<String>,
    /// `RO`.
    pub round: Option<String>,
    /// `PC`.
    pub place: Option<String>,
    /// `GN`: the name of the game.
    pub name: Option<String>,
    /// `AP`: the program that wrote the record, with its version.
    pub application: Option<String>,
}

impl Facts<'_> {
    /// Returns the game information of the root as typed values.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    /// use sgfstream_game::Facts;
    /// use sgfstream_game::value::{Color, GameResult};
    ///
    /// let input = b"(;GM[1]SZ[19]PB[Ada]BR[3d]PW[Ben]KM[6.5]RE[W+2.5]DT[2024-05-01];B[pd])";
    /// let mut games = GameReader::new(SliceReader::new(input));
    /// let game = games.next_game()?.expect("there is a game").expect("it is short");
    /// let info = Facts::of(game, 0).info();
    /// assert_eq!((info.black.as_deref(), info.white.as_deref()), (Some("Ada"), Some("Ben")));
    /// assert_eq!(info.black_rank.map(|rank| rank.to_string()).as_deref(), Some("3d"));
    /// assert_eq!(info.komi.map(|komi| komi.get()), Some(6.5));
    /// assert!(matches!(info.result, Some(GameResult::Win { winner: Color::White, .. })));
    /// assert_eq!((info.board_size.map(|size| size.columns()), info.handicap), (Some(19), None));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn info(&self) -> GameInfo {
        let text = |info: Info| Some(self.value(info)?.simple_text().into_owned());
        let typed = |info: Info| Some(info.read(self.game, &text(info)?).sure()?.value);
        let rank = |info: Info| Some(Rank::read(text(info)?.as_bytes()).sure()?.value);
        GameInfo {
            game: self.game,
            board_size: self.board_size(),
            black: text(Info::PB),
            white: text(Info::PW),
            black_rank: rank(Info::BR),
            white_rank: rank(Info::WR),
            black_team: text(Info::BT),
            white_team: text(Info::WT),
            result: match typed(Info::RE) {
                Some(TypedValue::Result(result)) => Some(result),
                _ => None,
            },
            dates: match typed(Info::DT) {
                Some(TypedValue::Dates(dates)) => Some(dates),
                _ => None,
            },
            komi: match typed(Info::KM) {
                Some(TypedValue::Komi(komi)) => Some(komi),
                _ => None,
            },
            handicap: typed(Info::HA).and_then(|stones| stones.whole()),
            rules: text(Info::RU),
            time: match typed(Info::TM) {
                Some(TypedValue::Time(time)) => Some(time),
                _ => None,
            },
            overtime: text(Info::OT),
            event: text(Info::EV),
            round: text(Info::RO),
            place: text(Info::PC),
            name: text(Info::GN),
            application: text(Info::AP),
        }
    }
}
