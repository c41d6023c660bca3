//! Games of one person, or of two persons against each other: a record of all games, and of the
//! games of each part, such as the games as Black or the games of a year.

use sgfstream_game::internal::Opening;
use sgfstream_table::filter::{FilterError, PlayerAliases};
use sgfstream_table::row::GameRow;

use crate::players::{BETWEEN, Pairs, Record, pair_of, persons, text_of};

/// Columns of a game's row that its [`PersonPart::Game`] needs in addition to the columns of
/// [`FACTS`](crate::players::FACTS).
pub const GAME_COLUMNS: [&str; 4] = ["dt", "re", "ev", "reference"];

/// Sorts games without a date after all others.
const NO_DATE: &str = "~";

/// A person, and maybe an opponent, under their main names.
///
/// ```
/// use sgfstream_explore::person::PersonQuery;
/// use sgfstream_table::filter::PlayerAliases;
///
/// let aliases = PlayerAliases::parse("Go Seigen\t吴清源\n").expect("a person");
/// let query = PersonQuery::new("吴清源 四段", Some("Kitani 8p"), &aliases);
/// assert_eq!((&*query.player, query.against.as_deref()), ("Go Seigen", Some("Kitani")));
/// ```
#[derive(Clone, Debug)]
pub struct PersonQuery {
    /// The person.
    pub player: String,
    /// The opponent. Without one, all games of the person count.
    pub against: Option<String>,
}

impl PersonQuery {
    /// Returns the query for persons who have these names.
    #[must_use]
    pub fn new(player: &str, against: Option<&str>, aliases: &PlayerAliases) -> Self {
        let main = |name| aliases.person(name).to_owned();
        Self {
            player: main(player),
            against: against.map(main),
        }
    }

    /// Returns the condition that selects the games of the person.
    pub(crate) fn condition(&self, aliases: &PlayerAliases) -> Result<String, FilterError> {
        aliases.expand(&format!("player = '{}'", self.player.replace('\'', "''")))
    }
}

/// Part of a person's games. The parts of a person are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonPart {
    /// All games.
    All,
    /// Games as `B` or as `W`.
    Color,
    /// Games with a spelling of the person's name, without its rank.
    Spelling,
    /// Games against an opponent.
    Opponent,
    /// Games of a year.
    Year,
    /// Games with an opening.
    Opening,
    /// One game.
    Game,
}

impl PersonPart {
    const NAMED: [Self; 6] = [
        Self::Color,
        Self::Spelling,
        Self::Opponent,
        Self::Year,
        Self::Opening,
        Self::Game,
    ];

    /// Returns the first character of the part's names in keys. The games as a whole have no name.
    const fn sign(self) -> char {
        (b'0' + self as u8) as char
    }
}

/// Games of a part, with the name of the part.
#[derive(Debug)]
pub struct PersonRow {
    /// Kind of the part.
    pub part: PersonPart,
    /// Color, spelling, opponent or year; empty for all games.
    pub name: String,
    /// Record of the person's games in this part.
    pub record: Record,
}

/// Texts of one game.
#[derive(Debug)]
pub struct PersonGame<'r> {
    /// Input and number of the game.
    pub reference: &'r str,
    /// `DT`.
    pub date: &'r str,
    /// `RE`.
    pub result: &'r str,
    /// `EV`.
    pub event: &'r str,
}

/// Position after the first moves.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PersonOpening<'r> {
    /// `B` or `W`: the color of the person.
    pub(crate) color: &'r str,
    /// Hash of the position up to symmetry, in hexadecimal digits.
    pub(crate) hash: &'r str,
    pub(crate) board: &'r str,
    pub(crate) moves: &'r str,
    /// Moves in the players' coordinates.
    pub(crate) spelled: &'r str,
}

impl PersonRow {
    /// Returns the row of a record that [`Pairs::take_person`] added. The rows are in the order of
    /// their parts, and games are sorted by their dates.
    #[must_use]
    pub fn of((key, record): (Vec<u8>, Record)) -> Self {
        let mut name = String::from_utf8_lossy(pair_of(&key).1).into_owned();
        let part = PersonPart::NAMED
            .into_iter()
            .find(|part| name.starts_with(part.sign()));
        if part.is_some() {
            name.remove(0);
        }
        Self {
            part: part.unwrap_or(PersonPart::All),
            name,
            record,
        }
    }

    /// Returns the texts of the game, or `None` if the part is not one game.
    #[must_use]
    pub fn game(&self) -> Option<PersonGame<'_>> {
        let [_, reference, date, result, event] = self.texts(PersonPart::Game)?;
        Some(PersonGame {
            reference,
            date,
            result,
            event,
        })
    }

    /// Returns the opening, or `None` if the part is not an opening.
    pub(crate) fn opening(&self) -> Option<PersonOpening<'_>> {
        let [color, hash, board, moves, spelled] = self.texts(PersonPart::Opening)?;
        Some(PersonOpening {
            color,
            hash,
            board,
            moves,
            spelled,
        })
    }

    fn texts(&self, part: PersonPart) -> Option<[&str; 5]> {
        let mut texts = self.name.splitn(5, BETWEEN);
        (self.part == part).then(|| std::array::from_fn(|_| texts.next().unwrap_or_default()))
    }
}

impl Pairs {
    /// Adds a game of the person of `query`: to all games and to each part. The game is a part of
    /// its own if `row` has a reference, and has the openings to whose positions its `openings`
    /// lead. Ignores games of other persons.
    pub fn take_person(
        &mut self,
        row: &GameRow,
        openings: &[Opening],
        query: &PersonQuery,
        aliases: &PlayerAliases,
    ) {
        let mut persons = persons(row, aliases);
        let Some(at) = persons.iter().position(|(name, _)| *name == query.player) else {
            return;
        };
        let (player, record) = persons.swap_remove(at);
        let is_against = |against: &String| persons.iter().any(|(name, _)| name == against);
        if !query.against.as_ref().is_none_or(is_against) {
            return;
        }
        let mut parts = Vec::new();
        let mut add = |part: PersonPart, name: &str| parts.push(format!("{}{name}", part.sign()));
        let mut hashes: Vec<u64> = Vec::new();
        let mut positions: Vec<String> = Vec::new();
        for opening in openings.iter().filter(|opening| !opening.has_setup) {
            let Some(&hash) = opening.hashes.last() else {
                continue;
            };
            if !hashes.contains(&hash) {
                hashes.push(hash);
                positions.push(format!("{hash:016x}{BETWEEN}{}", text_of(opening)));
            }
        }
        for (color, _) in ["B", "W"]
            .into_iter()
            .zip(record.colors)
            .filter(|(_, count)| *count > 0)
        {
            add(PersonPart::Color, color);
            positions
                .iter()
                .for_each(|name| add(PersonPart::Opening, &format!("{color}{BETWEEN}{name}")));
        }
        let mut spellings: Vec<&str> = row.persons().into_iter().flatten().collect();
        spellings.retain(|name| aliases.person(name) == player);
        spellings.sort_unstable();
        spellings.dedup();
        spellings
            .iter()
            .for_each(|name| add(PersonPart::Spelling, name));
        persons
            .iter()
            .for_each(|(name, _)| add(PersonPart::Opponent, name));
        if let Some((year, _)) = record.years {
            add(PersonPart::Year, &format!("{year:04}"));
        }
        if let Some(reference) = &row.reference {
            let date = row
                .date_min
                .map_or(NO_DATE.to_owned(), |date| date.to_string());
            let texts = [&row.dt, &row.re, &row.ev].map(|text| text.as_deref().unwrap_or_default());
            let texts = [&*date, reference, texts[0], texts[1], texts[2]]
                .map(|text| text.replace(BETWEEN, " "));
            add(PersonPart::Game, &texts.join(&BETWEEN.to_string()));
        }
        self.add_all(player, &record, parts.iter().map(String::as_str));
    }
}
