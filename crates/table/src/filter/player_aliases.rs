//! Aliases of players: a condition about one name of a person applies to all of them.

use std::collections::HashMap;
use std::ops::Range;

use sgfstream_game::value::Rank;

use super::FilterError;
use super::tokens::{Token, tokens};

/// Persons and their names in games. A condition about `player` or `opponent` with one of the names
/// applies to all names of the person. Lists of players show the first name.
///
/// ```
/// use sgfstream_table::filter::PlayerAliases;
///
/// let aliases = PlayerAliases::parse("Lee Sedol\tYi Se-tol\t李世乭\n").expect("a person");
/// assert_eq!((aliases.person("李世乭"), aliases.person("Gu Li")), ("Lee Sedol", "Gu Li"));
/// let condition = aliases.expand("player = 'Yi Se-tol' AND moves > 9").expect("a condition");
/// assert_eq!(condition, "player IN ('Lee Sedol', 'Yi Se-tol', '李世乭') AND moves > 9");
/// ```
#[derive(Clone, Debug, Default)]
pub struct PlayerAliases {
    persons: Vec<Vec<String>>,
    /// Index of the person for each name.
    by_name: HashMap<String, usize>,
}

impl PlayerAliases {
    /// Parses a list with one person per line: names separated by TAB, the preferred name first.
    /// Ignores empty lines and lines that begin with `#`.
    ///
    /// # Errors
    ///
    /// Returns a message if two persons share a name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut aliases = Self::default();
        for (number, line) in (1..)
            .zip(text.trim_start_matches('\u{FEFF}').lines())
            .filter(|(_, line)| !line.starts_with('#'))
        {
            let names: Vec<String> = line
                .split('\t')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect();
            let person = aliases.persons.len();
            for name in &names {
                if aliases
                    .by_name
                    .insert(Rank::split_name(name).0.to_owned(), person)
                    .is_some_and(|other| other != person)
                {
                    return Err(format!(
                        "line {number}: `{name}` is a name of another person, too"
                    ));
                }
            }
            aliases.persons.extend((!names.is_empty()).then_some(names));
        }
        Ok(aliases)
    }

    /// Returns whether there are no persons.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.persons.is_empty()
    }

    /// Returns the preferred name for a name in a game, or the name without a rank at its end.
    #[must_use]
    pub fn person<'n>(&'n self, name: &'n str) -> &'n str {
        self.names_of(name)
            .map_or(Rank::split_name(name).0, |names| &names[0])
    }

    /// Returns all names of the person with this name, the preferred one first, or `None` if the
    /// name is unknown.
    #[must_use]
    pub fn names_of(&self, name: &str) -> Option<&[String]> {
        self.by_name
            .get(Rank::split_name(name).0)
            .map(|&person| &*self.persons[person])
    }

    /// Expands names in a condition: where it compares `player` or `opponent` with a name, by `=`,
    /// `<>` or `IN`, it gets all names of that person. The name may stand first.
    ///
    /// # Errors
    ///
    /// Returns an error if the condition is empty or has an unclosed quote.
    pub fn expand(&self, condition: &str) -> Result<String, FilterError> {
        if self.is_empty() {
            return Ok(condition.to_owned());
        }
        let tokens = tokens(condition)?;
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let is = |at: usize, word: &str| tokens.get(at).is_some_and(|(token, _)| token.is(word));
        let operator = |at: usize| match tokens.get(at)?.0 {
            Token::Sign("=" | "==") => Some("IN"),
            Token::Sign("<>" | "!=") => Some("NOT IN"),
            _ => None,
        };
        let listed = |at: usize| match &tokens.get(at)?.0 {
            Token::Text(name) => Some(list_of(self.names_of(name)?)),
            _ => None,
        };
        let span = |from: usize, to: usize| tokens[from].1.start..tokens[to].1.end;
        for at in (0..tokens.len()).filter(|&at| is(at, "player") || is(at, "opponent")) {
            if let Some(is_in) = operator(at + 1) {
                let Some(names) = listed(at + 2) else {
                    continue;
                };
                edits.push((span(at + 1, at + 2), format!("{is_in} ({names})")));
            }
            // In `'x' = player`, the name comes first, unless it ends an earlier comparison.
            if let Some(first) = at.checked_sub(2)
                && let Some(is_in) = operator(first + 1)
                && let Some(names) = listed(first)
                && edits
                    .last()
                    .is_none_or(|(earlier, _)| earlier.end <= tokens[first].1.start)
            {
                let role = &condition[span(at, at)];
                edits.push((span(first, at), format!("{role} {is_in} ({names})")));
                continue;
            }
            let list = at + 1 + usize::from(is(at + 1, "NOT"));
            if is(list, "IN") && is(list + 1, "(") {
                let names = (list + 2..tokens.len()).take_while(|&name| !is(name, ")"));
                edits.extend(names.filter_map(|name| Some((span(name, name), listed(name)?))));
            }
        }
        let mut expanded = condition.to_owned();
        for (span, text) in edits.into_iter().rev() {
            // `player='x'` has no space before the operator.
            let is_after_word = condition[..span.start].ends_with(char::is_alphanumeric);
            expanded.replace_range(
                span,
                &format!("{}{text}", if is_after_word { " " } else { "" }),
            );
        }
        Ok(expanded)
    }
}

/// Returns names as quoted texts of a list.
fn list_of(names: &[String]) -> String {
    names
        .iter()
        .map(|name| format!("'{}'", name.replace('\'', "''")))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;

    #[test]
    fn conditions_are_expanded() {
        let aliases =
            PlayerAliases::parse("# names\n\nCho Chikun\t趙治勲\nO'Neil\tO'N\n").expect("names");
        for (condition, expected) in [
            ("player = '趙治勲'", "player IN ('Cho Chikun', '趙治勲')"),
            ("opponent <> 'O''N'", "opponent NOT IN ('O''Neil', 'O''N')"),
            (
                "player='趙治勲'AND moves>9",
                "player IN ('Cho Chikun', '趙治勲')AND moves>9",
            ),
            (
                "moves>9 AND'趙治勲'<>player",
                "moves>9 AND player NOT IN ('Cho Chikun', '趙治勲')",
            ),
            ("'趙治勲' = player", "player IN ('Cho Chikun', '趙治勲')"),
            (
                "moves > 9 AND 'O''N' != OPPONENT",
                "moves > 9 AND OPPONENT NOT IN ('O''Neil', 'O''N')",
            ),
            (
                "player = '趙治勲' = player",
                "player IN ('Cho Chikun', '趙治勲') = player",
            ),
            (
                "player NOT IN ('x', 'O''N') AND pb = '趙治勲'",
                "player NOT IN ('x', 'O''Neil', 'O''N') AND pb = '趙治勲'",
            ),
            (
                "player = 'x' OR player IN ('y')",
                "player = 'x' OR player IN ('y')",
            ),
            ("player LIKE '趙治勲'", "player LIKE '趙治勲'"),
            ("player =", "player ="),
            ("player IN ('O''N'", "player IN ('O''Neil', 'O''N'"),
        ] {
            assert_eq!(aliases.expand(condition).expect("words"), expected);
        }
        Filter::parse(
            &aliases
                .expand("player = 'O''N' AND opponent = '趙治勲'")
                .expect("words"),
        )
        .expect("a condition");
        let twice = PlayerAliases::parse("a\tb\nc\tb").expect_err("two persons have one name");
        assert_eq!(twice, "line 2: `b` is a name of another person, too");
        PlayerAliases::parse("a\ta").expect("one person has one name twice");
    }
}
