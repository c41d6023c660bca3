//! The filter: a compiled expression that selects games.

use sgfstream::record::GameRecord;
use sgfstream_game::Facts;

use crate::find::{Finder, Query};
use crate::row::{ColumnSet, FilledRow};

use super::FilterError;
use super::compile::{RequiredInputs, compile};
use super::evaluate::Subject;
use super::expression::{Expression, Value};

/// Selects games by an SQL expression over the columns of [`GameRow`](crate::row::GameRow).
///
/// | | |
/// |---|---|
/// | comparison | `=` `<>` `!=` `<` `<=` `>` `>=`, `BETWEEN … AND …`, `IN (…)` |
/// | text | `LIKE`, `ILIKE` (`%` any text, `_` any character, `\` itself), `~` and `~*` (regular expression; `!~` not), `\|\|` (nothing beyond 16 MiB), `lower` `upper` `length` |
/// | NULL | `IS NULL`, `IS NOT NULL`, `coalesce`; a comparison with NULL is NULL, and selects no game |
/// | logic | `AND` `OR` `NOT`, `IS TRUE`, `IS FALSE`, `CASE WHEN … THEN … ELSE … END`, `CASE … WHEN …` |
/// | numbers | `+` `-` `*` `/` `%` (whole numbers stay whole), `abs`, `CAST(… AS FLOAT)` (also `INT`, `TEXT`, `DATE`) |
/// | dates | `date_min >= '1990'` (its first day), `DATE '1990-12-24'`, `CURRENT_DATE - INTERVAL '7 days'`, `year(…)` `month(…)` `day(…)` |
/// | `prop('KM')` | the game's first value of the first such property, as text; as a number beside a number |
/// | `has('C')` | whether the game has the property |
/// | `any('C')` | some value of the property: `any('C') LIKE '%ko%'`; the other side must be a constant |
/// | `position('pd dp')` | whether the main line has the board after these moves and setup such as `AB[pd]`, in any orientation and move order |
/// | `pattern('X.O')`, `sequence('pd qf')` | whether the main line has this pattern, or these consecutive moves |
/// | `opening('pd dp')` | whether the main line has that board after the same number of moves |
/// | `player` `opponent` | in a condition: any player, and any other player: `player = 'Shusaku' AND opponent LIKE 'Gen%'` |
/// | `player_color` | in a condition: the color of that player, as `winner` names it: `player = 'Shusaku' AND player_color = winner` |
/// | `first_moves_canonical` | the first eight moves, oriented so that symmetric openings are equal |
/// | `move(4)` | the fourth move of the main line, as written: `'dp'`; empty for a pass |
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_table::{filter::Filter, row::RowReader};
///
/// let filter =
///     Filter::parse("winner = 'B' AND moves BETWEEN 1 AND 100").expect("a condition");
/// let games = b"(;RE[B+R];B[aa])(;RE[W+1];B[aa])(;RE[B+T])";
/// let mut filled = filter.row(Default::default());
/// let mut rows = RowReader::new(SliceReader::new(games), &mut filled);
/// let mut chosen = Vec::new();
/// while rows.next_root()? {
///     // A root may be enough: the second game is not read further.
///     chosen.push(rows.decide(&filter)?);
/// }
/// assert_eq!(chosen, [Some(true), Some(false), Some(false)]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Filter {
    expression: Expression,
    pub(super) wanted: RequiredInputs,
}

impl Default for Filter {
    /// Returns the filter that selects all games.
    fn default() -> Self {
        Self {
            expression: Expression::Constant(Value::Bool(true)),
            wanted: RequiredInputs::default(),
        }
    }
}

impl Filter {
    /// Compiles the filter `text`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not valid SQL, a name or type is wrong, or there are more
    /// than 1000 words and signs or 64 levels.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let (expression, wanted) = compile(text)?;
        Ok(Self { expression, wanted })
    }

    /// Returns a filter that selects the games in which `query` has a hit and for which `condition`
    /// is true. A [row](Self::row) of this filter returns the hits from [`FilledRow::hits`].
    ///
    /// # Errors
    ///
    /// Same as [`parse`](Self::parse).
    pub fn finding(query: Query, condition: Option<&str>) -> Result<Self, FilterError> {
        let mut filter = condition.map_or(Ok(Self::default()), Self::parse)?;
        let found = filter.wanted.probes.push_query(query, true);
        let expression = Expression::And(vec![filter.expression, Expression::ProbeTruth(found)]);
        Ok(Self {
            expression,
            ..filter
        })
    }

    /// Returns this filter, whose [row](Self::row) also follows `query`. The row returns the
    /// results of the query, which do not affect the selection of games.
    #[must_use]
    pub fn following(mut self, query: Query) -> Self {
        self.wanted.probes.push_query(query, true);
        self
    }

    /// Returns the searches of the filter, such as `position('pd dp')`.
    pub fn queries(&self) -> impl Iterator<Item = &Query> {
        self.wanted.probes.finders.iter().map(Finder::query)
    }

    /// Returns the columns that the filter uses.
    #[must_use]
    pub fn columns(&self) -> ColumnSet {
        self.wanted.columns
    }

    /// Returns whether the filter uses texts, so that the charset of a game matters.
    #[must_use]
    pub fn asks_text(&self) -> bool {
        self.wanted.ask_text()
    }

    /// Returns an empty row with the inputs of the filter and with `more` columns.
    #[must_use]
    pub fn row(&self, more: ColumnSet) -> FilledRow {
        self.wanted.row(more)
    }

    /// Returns whether the filter selects a game. Before the end of what it asks for, returns
    /// `None` if that may change.
    pub(crate) fn verdict_of(&self, filled: &FilledRow, at_end: bool) -> Option<bool> {
        match self.expression.evaluate(Subject::game(filled, at_end)) {
            Value::Open => None,
            value => Some(value == Value::Bool(true)),
        }
    }

    /// Returns whether the filter selects a game that was read to its end. Fills `filled`, which
    /// comes from [`row`](Self::row), as far as the decision needs it; the row of a selected game
    /// completely if `is_completed`.
    pub fn selects(
        &self,
        game: GameRecord<'_>,
        filled: &mut FilledRow,
        is_completed: bool,
    ) -> bool {
        let facts_of = if filled.needs_game {
            Facts::of
        } else {
            Facts::of_values
        };
        let facts = facts_of(game, filled.infos());
        filled.fill_root(&facts);
        let mut verdict = self.verdict_of(filled, false);
        if verdict.is_none() || is_completed && verdict == Some(true) {
            filled.fill_rest(&facts);
        }
        if verdict.is_none() {
            verdict = self.verdict_of(filled, true);
        }
        verdict == Some(true)
    }

    /// Returns whether the filter rejects the game, whatever the parts have that were not searched.
    pub(crate) fn is_false_of(&self, filled: &FilledRow) -> bool {
        self.expression.evaluate(Subject::game(filled, true)) == Value::Bool(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Column, RowReader, write_complete};
    use sgfstream::SliceReader;

    /// Evaluates the expression for a game that was read to its end. Asserts that an earlier
    /// decision from the root is the same.
    fn verdict(expression: &str, game: &[u8]) -> bool {
        let filter = Filter::parse(expression).unwrap_or_else(|err| panic!("{err}"));
        let mut filled = filter.row(ColumnSet::default());
        let mut rows = RowReader::new(SliceReader::new(game), &mut filled);
        assert!(rows.next_root().expect("no I/O"));
        let early = filter.verdict_of(rows.filled(), false);
        rows.read_rest().expect("no I/O");
        let verdict = filter.verdict_of(rows.filled(), true).unwrap_or(false);
        let mut filled = filter.row(ColumnSet::default());
        let mut rows = RowReader::new(SliceReader::new(game), &mut filled);
        assert!(rows.next_root().expect("no I/O"));
        assert_eq!(
            rows.decide(&filter).expect("no I/O"),
            Some(verdict),
            "{expression}"
        );
        rows.read_rest().expect("no I/O");
        let whole = rows.game().expect("it is short");
        let mut written = Vec::new();
        write_complete(&whole, &mut written).expect("memory");
        assert_eq!(written, whole.as_bytes(), "{expression}");
        assert!(early.is_none_or(|early| early == verdict), "{expression}");
        if needs_only_root(&filter) {
            assert!(early.is_some(), "{expression}");
        }
        verdict
    }

    fn needs_only_root(filter: &Filter) -> bool {
        let mut columns = filter.wanted.columns.columns();
        columns.all(Column::is_in_root) && filter.wanted.probes.is_empty()
    }

    const GAME: &[u8] =
        b"(;GM[1]FF[4]PB[Go Seigen]PW[Kitani]RE[B+R]KM[6.5]HA[2]DT[1933-10-16]SZ[19]\
        ;B[qd]C[joseki];W[dc];B[tt](;W[dd]C[a ko fight])(;W[pp]TW[aa]))";

    #[test]
    fn true_of_the_game() {
        for expression in [
            "winner = 'B'",
            "winner='B' AND moves = 4",
            "moves BETWEEN 4 AND 4",
            "moves NOT BETWEEN 5 AND 9",
            "winner IN ('B', 'draw')",
            "winner NOT IN ('W')",
            "pb LIKE 'Go%'",
            "pb ILIKE 'go %'",
            "pb NOT LIKE 'go%'",
            "pb ~ '^G.*n$'",
            "pb ~* 'SEIGEN'",
            "pb !~ 'x'",
            "ev IS NULL",
            "pb IS NOT NULL",
            "NOT (winner = 'W')",
            "(ev = 'x') IS NULL",
            "(ev = 'x') IS NOT TRUE",
            "moves * 2 + 1 = 9",
            "moves / 3 = 1",
            "moves % 3 = 1",
            "-moves = -4",
            "km = 6.5",
            "km > 6",
            "km / 2 = 3.25",
            "date_min >= '1933'",
            "date_min = '1933-10-16'",
            "date_min BETWEEN '1933-10-01' AND '1933-10-31'",
            "date_max < DATE '1934-01-01'",
            "year(date_min) = 1933 AND month(date_min) = 10",
            "prop('KM') = '6.5'",
            "prop('KM') > 6",
            "prop('KM') BETWEEN 6 AND 7",
            "CAST(prop('KM') AS FLOAT) = 6.5",
            "prop('ZZ') IS NULL",
            "has('C') AND NOT has('ZZ')",
            "has('TW')",
            "any('C') LIKE '%ko%'",
            "any('C') = 'joseki'",
            "'joseki' = any('C')",
            "'joseki' = ANY('C')",
            "any('C') IN ('x', 'joseki')",
            "any('C') ~ 'f[ij]ght'",
            "length(any('C')) > 8",
            "length(any('C') || 'y') > 9",
            "NOT any('C') = 'x'",
            "move(1) = 'qd' AND move(4) = 'dd'",
            "move(5) IS NULL",
            "lower(pb) = 'go seigen'",
            "pb || '!' = 'Go Seigen!'",
            "length(pb) = 9",
            "substr(pb, 1, 2) = 'Go' AND substr(pb, 4) = 'Seigen' AND substr(pb, 0, 3) = 'Go' AND substr(pb, 40) = ''",
            "trim(' ' || pb || ' ') = pb AND upper(substr(any('C'), 1, 1)) = 'J'",
            "round(km) = 7 AND round(km / 4, 1) = 1.6 AND round(moves) = 4",
            "coalesce(ev, 'none') = 'none'",
            "moves > 2 and any('C') LIKE '%ko%'",
            "any('C') IS NOT NULL",
            "any('C') NOT LIKE '%ko%'",
            "CASE winner WHEN 'W' THEN pw WHEN 'B' THEN pb END = 'Go Seigen'",
            "CASE WHEN ev = 'x' THEN 1 WHEN moves > 100 THEN 2 ELSE 3 END = 3",
            "CASE WHEN any('C') = 'joseki' AND moves = 4 THEN TRUE END",
            "any('C') = 'joseki' AND any('C') = 'a ko fight' AND NOT (any('C') = 'a ko fight') IS NOT TRUE",
            "'dp' NOT IN (move(1), move(2)) AND 'qd' IN (move(1), move(2)) AND move(2) IN ('dc', 'aa')",
            "moves>-1 AND 2.5e0 = 2.5",
            "pb LIKE 'Go_Seigen' AND NOT pb LIKE 'Go\\_%'",
            "pb NOT ILIKE 'x%' AND pb !~* 'x'",
            "TRUE",
            "true AND columns = rows",
            "\"pb\" = 'Go Seigen'",
            "PB = 'Go Seigen' or pw = 'unknown'",
            "player = 'Kitani' AND opponent LIKE 'Go%'",
            "player IN ('Kitani', 'x') AND NOT opponent = 'Kitani'",
            "position('qd dc') AND position('C4 Q3') AND NOT position('qd pp')",
            "opening('qd dc') AND opening('qd dc pass dd') AND NOT opening('dc qd') AND NOT opening('qd dd')",
            "pattern('O/O') AND pattern('OO') AND NOT pattern('X/O') AND NOT pattern('OOO')",
            "sequence('qd dc') AND NOT sequence('dc qd')",
            "first_moves_canonical = 'qd dc pass dd'",
            "nodes = 6 AND variations = 2 AND depth = 2 AND length > 100 AND offset = 0 AND game = 1",
        ] {
            assert!(verdict(expression, GAME), "{expression}");
        }
    }

    #[test]
    fn not_true_of_the_game() {
        for expression in [
            "ev = 'x'",
            "NOT ev = 'x'",
            "ev IN ('x', NULL)",
            "winner NOT IN ('W', NULL)",
            "ev = 'x' OR ev <> 'x'",
            "moves / 0 = 1",
            "moves + 9223372036854775807 > 0",
            "any('ZZ') = 'x'",
            "NOT any('ZZ') = 'x'",
            "NULL",
            "FALSE",
            "move(9) = 'aa'",
            "prop('PB') > 6",
            "any('C') LIKE 'ko'",
            "ev LIKE '%'",
            "moves BETWEEN NULL AND 3",
            "player = 'Kitani' AND opponent = 'Kitani'",
            "player = 'x'",
        ] {
            assert!(!verdict(expression, GAME), "{expression}");
        }
    }

    /// With other binding powers, each of these would be false, NULL or an error.
    #[test]
    fn operators_bind_as_in_postgresql() {
        for expression in [
            "TRUE OR FALSE AND NOT 1 = 2 AND FALSE",
            "10 - 3 - 2 = 5 AND 1 + 2 * -3 = -5 AND 8 / 2 * 2 = 8",
            "'a' || 'x' LIKE 'ax' AND 'ab' = 'a' || 'b'",
            "1 = 2 IS NOT TRUE AND NULL = 1 IS NULL",
            "1 NOT BETWEEN 2 AND 3 AND TRUE",
            "NOT 1 IN (2, 3) AND 1 NOT IN (2, 3)",
            "'x' ~ 'x' = TRUE",
            "1 IS NOT NULL AND TRUE",
            "NOT (FALSE AND FALSE OR TRUE) OR TRUE",
        ] {
            assert!(verdict(expression, GAME), "{expression}");
        }
    }

    #[test]
    fn every_column_can_be_named() {
        for column in Column::all() {
            let filter = Filter::parse(&format!("{} IS NOT NULL", column.name));
            let filter = filter.unwrap_or_else(|err| panic!("{err}"));
            assert!(filter.columns().contains(column));
            assert_eq!(needs_only_root(&filter), column.is_in_root());
        }
    }

    /// Games with three or four players have names of their own for them (spec P-24).
    #[test]
    fn any_player_may_be_meant() {
        let four = b"(;GM[Blokus]P1[Ann]P2[Bob]P3[Cy]P4[Dee];1[a20])";
        for (expression, expected) in [
            ("player = 'Cy'", true),
            ("player = 'Dee' AND opponent = 'Bob'", true),
            ("player = 'Dee' AND opponent = 'Dee'", false),
            ("player = 'Eve'", false),
            ("player IS NULL", false),
            ("player IN ('Eve', 'Ann') AND moves = 1", true),
            ("player = 'Cy' AND player_color = '3'", true),
            ("player = 'Cy' AND player_color = '4'", false),
        ] {
            assert_eq!(verdict(expression, four), expected, "{expression}");
        }
        assert!(verdict(
            "player IS NULL AND opponent = 'Ann'",
            b"(;PB[Ann];B[aa])"
        ));
        assert!(verdict(
            "player = 'Ann' AND opponent IS NULL",
            b"(;GM[Blokus]P1[Ann])"
        ));
        assert!(!verdict("player IS NULL", b"(;PB[Ann]PW[Bob];B[aa])"));
    }

    #[test]
    fn a_player_has_a_color() {
        let game = b"(;PB[Ann 2d]PW[Bob]RE[W+R];B[aa])";
        for (expression, expected) in [
            ("player = 'Ann' AND player_color = 'B'", true),
            ("player = 'Ann' AND player_color = 'W'", false),
            (
                "player = 'Bob' AND opponent = 'Ann' AND player_color = winner",
                true,
            ),
            ("player = 'Ann' AND player_color <> winner", true),
            ("player_color = 'B' AND player_color = 'W'", false),
            ("player_color IN ('1', '2')", false),
        ] {
            assert_eq!(verdict(expression, game), expected, "{expression}");
        }
    }

    /// Ranks compare by strength. As texts, 10d would come before 3d, and 9k after it.
    #[test]
    fn ranks_have_the_order_of_strength() {
        let game = b"(;BR[10d]WR[9k];B[aa])";
        for expression in [
            "br >= '3d'",
            "br < '1p'",
            "wr BETWEEN '10k' AND '1d'",
            "'3d' <= br",
            "br > wr",
            "wr = '9k'",
        ] {
            assert!(verdict(expression, game), "{expression}");
        }
        for expression in ["wr >= '3d'", "br < wr", "br BETWEEN '1d' AND '9d'"] {
            assert!(!verdict(expression, game), "{expression}");
        }
    }

    #[test]
    fn dates_are_counted_from_others() {
        let game = b"(;DT[2024-01-31];B[aa])";
        for expression in [
            "date_min + INTERVAL '1 month' = DATE '2024-02-29'",
            "date_min - interval '1 Year 31 days' = DATE '2022-12-31'",
            "DATE '2024-02-07' - INTERVAL '1 week' = date_min",
            "date_min BETWEEN CURRENT_DATE - INTERVAL '300 years' AND current_date",
            "date_min + INTERVAL '9000 years' IS NULL",
            "year(CURRENT_DATE) >= 2024",
        ] {
            assert!(verdict(expression, game), "{expression}");
        }
        assert!(!verdict(
            "date_min >= CURRENT_DATE - INTERVAL '7 days'",
            game
        ));
        assert!(!verdict(
            "date_min + INTERVAL '1 day' > '1990'",
            b"(;B[aa])"
        ));
    }

    #[test]
    fn faults() {
        for (expression, message, column) in [
            (
                "winer = 'B'",
                "unknown column `winer`; did you mean `winner`?",
                1,
            ),
            (
                "winner = B",
                "unknown column `B`; see `sgfq get --list`, or quote text as 'B'",
                10,
            ),
            (
                "winner = \"B\"",
                "unknown column `B`; see `sgfq get --list`, or quote text as 'B'",
                10,
            ),
            (
                "moves = 'x'",
                "expected a number to compare with `moves`, found a text",
                9,
            ),
            (
                "moves = pb",
                "expected a number to compare with `moves`, found a text",
                9,
            ),
            (
                "pb > 3",
                "expected a text to compare with `pb`, found a number",
                6,
            ),
            (
                "date_min > 'soon'",
                "expected a date such as '1990-12-24', '1990-12' or '1990', found 'soon'",
                12,
            ),
            ("moves", "expected a condition, found a number", 1),
            ("moves > 3 AND pb", "expected a condition, found a text", 15),
            ("moves + pb > 3", "expected a number, found a text", 9),
            (
                "pb LIKE pw",
                "expected a pattern between single quotes, found an expression",
                9,
            ),
            (
                "pb ~ '('",
                "invalid regular expression `(`: unclosed group",
                6,
            ),
            (
                "sum(moves) > 3",
                "unknown function `sum`; an expression is evaluated per game; `sgfq freq` and `sgfq index` count games",
                1,
            ),
            (
                "soundex(pb) > 3",
                "unknown function `soundex`; the functions are abs, any, cast, coalesce, day, has, length, lower, month, move, opening, pattern, position, prop, round, sequence, substr, trim, upper, year",
                1,
            ),
            (
                "date_min >= CURENT_DATE",
                "unknown column `CURENT_DATE`; did you mean `current_date`?",
                13,
            ),
            (
                "oponent = 'x'",
                "unknown column `oponent`; did you mean `opponent`?",
                1,
            ),
            (
                "pb LKE 'x'",
                "expected an operator or the end of the expression, found `LKE`; did you mean LIKE?",
                4,
            ),
            (
                "CAST(km AS FLAOT) > 1",
                "expected INT, FLOAT, TEXT or DATE, found `FLAOT`; did you mean FLOAT?",
                12,
            ),
            (
                "date_min > CURRENT_DATE - INTERVAL '7 dyas'",
                "expected a unit of whole days, found `dyas`; did you mean `days`?",
                36,
            ),
            (
                "date_min > CURRENT_DATE - INTERVAL 'a week'",
                "expected an interval such as '7 days', '6 months' or '1 year', found 'a week'",
                36,
            ),
            (
                "date_min > INTERVAL '7 days'",
                "expected a value or condition, found `INTERVAL`; an INTERVAL follows a date and `+` or `-`",
                12,
            ),
            (
                "moves - INTERVAL '7 days' > 3",
                "expected a date, found a number",
                1,
            ),
            (
                "date_min > CURRENT_DATE - INTERVAL '9999 years'",
                "the date is outside the years 1 to 9999",
                12,
            ),
            (
                "winner = 'Black'",
                "`winner` is never 'Black'; did you mean 'B'?",
                10,
            ),
            (
                "winner IN ('B', 'draws')",
                "`winner` is never 'draws'; did you mean 'draw'?",
                17,
            ),
            (
                "'time out' <> win_by",
                "`win_by` is never 'time out'; did you mean 'time'?",
                1,
            ),
            (
                "win_by = 'x'",
                "`win_by` is never 'x'; it is one of score, resign, time, forfeit",
                10,
            ),
            (
                "variant = 'hex'",
                "`variant` is never 'hex'; did you mean 'Hex'?",
                11,
            ),
            (
                "variant IN ('Hex', 'gomoku')",
                "`variant` is never 'gomoku'; did you mean 'Gomoku+Renju'?",
                20,
            ),
            (
                "br >= 'strong'",
                "expected a rank such as '3d', found 'strong'",
                7,
            ),
            (
                "ply > 3",
                "unknown column `ply`; `moves` is the number of moves",
                1,
            ),
            (
                "comment LIKE 'x'",
                "unknown column `comment`; `any('C')` tests each comment",
                1,
            ),
            (
                "moves > 3 && pb = 'x'",
                "expected an operator or the end of the expression, found `&&`; write AND",
                11,
            ),
            (
                "has(pb)",
                "expected an identifier between single quotes, such as has('C'), found an expression",
                5,
            ),
            (
                "has('c')",
                "expected an identifier with a capital letter or digit, found 'c'",
                5,
            ),
            ("any('C')", "any('C') must be compared with a constant", 1),
            (
                "any('C') || 'y'",
                "any('C') must be compared with a constant",
                1,
            ),
            (
                "moves - length(any('C')) > length(any('C')) + 2 IS TRUE",
                "any() can only be compared with a constant, found the column `moves`",
                1,
            ),
            (
                "any('C') = pb",
                "any() can only be compared with a constant, found the column `pb`",
                12,
            ),
            (
                "any('C') = any('N')",
                "all any() in one comparison must name the same property",
                12,
            ),
            ("move(0) = 'aa'", "moves are numbered from 1, found 0", 6),
            (
                "coalesce(pb, 3) = 'x'",
                "the values in `coalesce` must have one type",
                14,
            ),
            (
                "length(pb, pw) = 3",
                "`length` takes one argument; found 2",
                1,
            ),
            (
                "move(1) = 'nowhere'",
                "expected a move such as 'pd', 'Q16' or 'e3-c3', found 'nowhere'; to match other text, use LIKE",
                11,
            ),
            (
                "CASE WHEN TRUE THEN any('C') || 'y' END = 'y'",
                "any('C') must be compared with a constant",
                21,
            ),
            (
                "CASE WHEN TRUE THEN 1 ELSE pb END = 1",
                "the values in CASE must have one type",
                28,
            ),
            (
                "CASE gm WHEN 'x' THEN 1 END = 1",
                "expected a number to compare with `gm`, found a text",
                14,
            ),
            (
                "CASE WHEN TRUE THEN 1",
                "expected `end`, found the end of the expression",
                22,
            ),
            (
                "moves == 3",
                "expected an operator or the end of the expression, found `==`; write `=`",
                7,
            ),
            (
                "moves >",
                "expected an expression, found the end of the expression",
                8,
            ),
            (
                "moves > 3 4",
                "expected an operator or the end of the expression, found `4`",
                11,
            ),
            ("", "the expression is empty", 0),
            (
                "(SELECT 1) = 1",
                "expected a value or condition, found `SELECT`",
                2,
            ),
            (
                "position(pb)",
                "expected moves between single quotes, such as position('pd dp'), found an expression",
                10,
            ),
            (
                "pattern(1)",
                "expected rows between single quotes, such as pattern('X.O'), found an expression",
                9,
            ),
            (
                "sequence('pd d')",
                "expected a move such as `pd`, `Q16` or `B[pd]`, found `d`",
                10,
            ),
            (
                "opening('pd d')",
                "expected a move such as `pd`, `Q16` or `B[pd]`, found `d`",
                9,
            ),
            (
                "any('C') = player",
                "any() can only be compared with a constant, found `player`",
                12,
            ),
            (
                "lenght(pb) > 3",
                "unknown function `lenght`; did you mean `length`?",
                1,
            ),
            (
                "moves > 2 AND OR pb = 'x'",
                "expected a value or condition, found `OR`",
                15,
            ),
            (
                "pb = 'x",
                "expected `'` at the end of the text, found the end of the expression",
                6,
            ),
            (
                "moves IN (1, 2",
                "expected `)`, found the end of the expression",
                15,
            ),
            (
                "moves NOT 3",
                "expected an operator or the end of the expression, found `NOT`",
                7,
            ),
            (
                "moves IS 3",
                "expected NULL, TRUE or FALSE after IS, found `3`",
                10,
            ),
            ("moves = [3]", "expected an expression, found `[`", 9),
            (
                "CAST(pb AS point) = 3",
                "expected INT, FLOAT, TEXT or DATE, found `point`",
                12,
            ),
            ("moves BETWEEN 3 OR 4", "expected `and`, found `OR`", 17),
            (
                "pb = 'x'\n AND moves > pw",
                "expected a number to compare with `moves`, found a text",
                14,
            ),
        ] {
            let err = Filter::parse(expression).expect_err(expression);
            assert_eq!(
                (err.message(), err.column().unwrap_or(0)),
                (message, column),
                "{expression}"
            );
        }
    }

    #[test]
    fn joined_texts_have_a_limit() {
        let game = format!("(;GM[1]C[{}])", "a".repeat(4 << 20));
        let joined = |count: usize| format!("length({}) > 0", vec!["any('C')"; count].join("||"));
        assert!(verdict(&joined(4), game.as_bytes()));
        assert!(!verdict(&joined(5), game.as_bytes()));
    }

    #[test]
    fn no_expression_exhausts_the_stack() {
        let refused = [
            "(".repeat(100_000),
            format!("{}TRUE", "NOT ".repeat(100_000)),
            format!("{}1", "-".repeat(3)),
            "1+".repeat(400) + "1 = 1",
            "TRUE AND ".repeat(2000) + "TRUE",
            "x".repeat(2 << 20),
            "CASE ".repeat(900),
            "coalesce(".repeat(900),
            "a IN (".repeat(900),
            "a.".repeat(400),
            "[".repeat(900),
            "TRUE BETWEEN ".repeat(300) + "TRUE",
            format!("TRUE{}", " BETWEEN TRUE AND TRUE".repeat(70)),
            format!("TRUE{}", " IS TRUE".repeat(70)),
        ];
        let thread = std::thread::Builder::new().stack_size(1 << 20);
        let check = move || {
            refused
                .iter()
                .for_each(|text| assert!(Filter::parse(text).is_err()))
        };
        thread
            .spawn(check)
            .expect("a thread")
            .join()
            .expect("no overflow");
        assert!(Filter::parse(&("TRUE AND ".repeat(400) + "TRUE")).is_ok());
        // Time and size grow linearly with the length.
        assert!(verdict(
            &format!("TRUE{}", " BETWEEN TRUE AND TRUE".repeat(60)),
            GAME
        ));
        assert!(
            Filter::parse(&format!(
                "{}moves > 1{}",
                "(NOT (TRUE AND ".repeat(5),
                "))".repeat(5)
            ))
            .is_ok()
        );
        let list: Vec<String> = (0..20_000).map(|n| n.to_string()).collect();
        assert!(verdict(&format!("moves IN ({})", list.join(",")), GAME));
    }
}
