//! Lists of the games of an answer: sorted, searched for words, or restricted to a finding.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use sgfstream::Code;
use sgfstream::record::{GameRecord, Outline};
use sgfstream_adapt::stats::BoardId;
use sgfstream_game::{Dialect, NodePath};
use sgfstream_table::find::Query;
use sgfstream_table::row::{Cell, Column, ColumnSet, FilledRow};

use super::answer_error::AnswerError;
use super::cores::{Cores, runs_of};
use super::findings;
use super::findings::NodeText;
use super::requests::ListRequest;
use super::search::{Answer, MatchedGame, filter_of};
use super::stop_flag::StopFlag;
use crate::{Index, Store, StoredGames};

/// Sort orders by their names in requests, each with the columns that give the order.
const SORTS: [(&str, &[&str]); 9] = [
    ("pb", &["pb"]),
    ("br", &["br_level"]),
    ("pw", &["pw"]),
    ("wr", &["wr_level"]),
    ("dt", &["date_min"]),
    ("re", &["winner", "margin", "win_by"]),
    ("ev", &["ev"]),
    ("km", &["komi"]),
    ("moves", &["moves"]),
];

/// Properties whose texts describe a game, and properties whose texts belong to a node.
const NAMES: [&str; 16] =
    ["PB", "PW", "P1", "P2", "P3", "P4", "BT", "WT", "EV", "RO", "PC", "GN", "SO", "AN", "US", "CP"];
const TEXTS: [&str; 3] = ["C", "GC", "N"];

/// Number of nodes from the root on that may contain game information.
const INFO_NODES: usize = 4;

/// Maximum characters of an excerpt, and of the part before the word.
const EXCERPT: usize = 160;
const BEFORE: usize = 40;

/// Options of a list: which games of an answer, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListOptions {
    /// Name of the board, for a position.
    pub(crate) board: Option<String>,
    /// Lowercase words that must occur in the names, the texts or the file name.
    pub(crate) words: Vec<String>,
    /// Code of a finding that the games must have.
    pub(crate) code: Option<Code>,
    /// Columns that give the order. If empty, the list has the order of the answer.
    sort: &'static [&'static str],
    descending: bool,
}

/// List of games of an answer.
#[derive(Debug)]
pub(crate) struct GameList {
    pub(crate) answer: Arc<Answer>,
    /// Indices among the games of the answer.
    rows: Vec<u32>,
    options: ListOptions,
    /// Places of the finding, if it compares games of a file.
    of_files: BTreeMap<u32, NodeText>,
}

impl GameList {
    /// Returns the approximate bytes of the list in a cache.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.rows) + self.answer.bytes()
    }

    /// Returns the games in the order of the list.
    pub(crate) fn games(&self) -> impl ExactSizeIterator<Item = &MatchedGame> {
        self.rows.iter().map(|&row| &self.answer.hits[row as usize])
    }

    /// Returns the node of a listed game that has the words or the finding, if they are in a node.
    pub(crate) fn place(&self, index: &Index<impl Store>, game: u32) -> Result<Option<NodeText>, AnswerError> {
        Ok(self.options.find(&mut index.games(), &self.of_files, game)?.flatten())
    }
}

impl ListOptions {
    /// Returns the options that a request names.
    ///
    /// # Errors
    ///
    /// Returns an error if the code or the sort order is unknown.
    pub(super) fn of(asked: &ListRequest) -> Result<Self, AnswerError> {
        let code = match asked.code.get() {
            Some(name) => Some(code_of(name)?),
            None => None,
        };
        let sort = match asked.sort.get() {
            Some(name) => columns_of(name)?,
            None => &[],
        };
        Ok(Self {
            board: asked.question.named_board().map(str::to_owned),
            words: asked.search.words(),
            code,
            sort,
            descending: asked.descending,
        })
    }

    /// Returns whether the list must read games.
    fn reads_games(&self) -> bool {
        self.is_search() || !self.sort.is_empty()
    }

    fn is_search(&self) -> bool {
        !self.words.is_empty() || self.code.is_some()
    }

    /// Searches a game for the finding and the words. The node is `None` if the words are not in a node.
    fn find(
        &self,
        games: &mut StoredGames<'_, impl Store>,
        of_files: &BTreeMap<u32, NodeText>,
        game: u32,
    ) -> Result<Option<Option<NodeText>>, AnswerError> {
        let mut place = None;
        if let Some(code) = self.code {
            place = match findings::is_of_file(code) {
                true => of_files.get(&game).cloned(),
                false => findings::places_of_code(games, code, &[game])?.remove(&game),
            };
            if place.is_none() {
                return Ok(None);
            }
        }
        match &*self.words {
            [] => Ok(Some(place)),
            words => Ok(find_words(games, game, words)?.map(|found| found.or(place))),
        }
    }
}

fn code_of(name: &str) -> Result<Code, AnswerError> {
    let code = Code::ALL.iter().copied().find(|code| code.as_str() == name);
    code.ok_or_else(|| AnswerError::Refused(format!("unknown code of a finding: `{name}`")))
}

/// Returns the columns of a sort order.
fn columns_of(name: &str) -> Result<&'static [&'static str], AnswerError> {
    let known = SORTS.iter().find(|(known, _)| *known == name);
    let names = SORTS.map(|(name, _)| name).join(", ");
    let error = || AnswerError::Refused(format!("unknown column `{name}`; the columns are {names}"));
    Ok(known.ok_or_else(error)?.1)
}

/// Returns the games of an answer on the board of `options`, in the order of the answer.
///
/// # Errors
///
/// Returns an error if the list must read games but the answer lists only a part of them.
pub(crate) fn rows_of(answer: &Answer, options: &ListOptions) -> Result<Vec<u32>, AnswerError> {
    if options.reads_games() && answer.more > 0 {
        let (most, all) = (answer.hits.len(), answer.hits.len() as u64 + answer.more);
        return Err(AnswerError::Refused(format!(
            "{all} games are too many to sort or search (at most {most}); narrow them with a filter"
        )));
    }
    let is_position = answer.query.as_ref().is_some_and(Query::is_position);
    let named = options.board.as_deref().filter(|_| is_position);
    let is_meant = |board: Option<Dialect>| match named {
        Some(named) => board.is_some_and(|board| BoardId::of_dialect(&board).to_string() == *named),
        None => true,
    };
    let meant = (0..).zip(&answer.hits).filter(|(_, hit)| is_meant(hit.board));
    Ok(meant.map(|(row, _)| row).collect())
}

/// Filters and sorts `rows`, games of `answer`, by `options`.
pub(crate) fn of_rows<S: Store + Sync>(
    index: &Index<S>,
    cores: &impl Cores,
    stop: &StopFlag,
    options: &ListOptions,
    answer: Arc<Answer>,
    mut rows: Vec<u32>,
) -> Result<GameList, AnswerError> {
    let of_files = match options.code.filter(|code| findings::is_of_file(*code)) {
        Some(code) => {
            let mut games: Vec<_> = answer.hits.iter().map(|hit| hit.game).collect();
            games.sort_unstable();
            findings::places_of_code(&mut index.games(), code, &games)?
        }
        None => BTreeMap::new(),
    };
    if options.is_search() {
        let games = games_of(&answer, &rows);
        let found = cores.each(&runs_of(&games, cores), |run| {
            let mut games = index.games();
            let is_found = |game| Ok(options.find(&mut games, &of_files, game)?.is_some());
            stop.until(run).map(is_found).collect()
        });
        let found = found.into_iter().collect::<Result<Vec<Vec<bool>>, AnswerError>>()?;
        stop.check()?;
        let mut found = found.into_iter().flatten();
        rows.retain(|_| found.next() == Some(true));
    }
    if !options.sort.is_empty() {
        sort(index, cores, stop, options, &answer, &mut rows)?;
    }
    Ok(GameList { answer, rows, options: options.clone(), of_files })
}

fn games_of(answer: &Answer, rows: &[u32]) -> Vec<u32> {
    rows.iter().map(|&row| answer.hits[row as usize].game).collect()
}

/// Sorts games by their columns. Games without a value come last.
fn sort<S: Store + Sync>(
    index: &Index<S>,
    cores: &impl Cores,
    stop: &StopFlag,
    options: &ListOptions,
    answer: &Answer,
    rows: &mut Vec<u32>,
) -> Result<(), AnswerError> {
    let columns: Vec<&Column> = options.sort.iter().filter_map(|name| Column::find(name)).collect();
    let games = games_of(answer, rows);
    let every = filter_of(None)?;
    let keys = cores.each(&runs_of(&games, cores), |run| {
        let (mut keys, set) = (Vec::with_capacity(run.len()), ColumnSet::of(columns.iter().copied()));
        let each = |_, filled: &FilledRow| {
            keys.push(columns.iter().map(|column| SortKey::of(column.get(filled.row()))).collect());
        };
        index.search(stop.until(run), &every, every.row(set), each)?;
        Ok(keys)
    });
    let keys = keys.into_iter().collect::<io::Result<Vec<Vec<Vec<SortKey>>>>>()?;
    stop.check()?;
    let mut keyed: Vec<_> = keys.into_iter().flatten().zip(std::mem::take(rows)).collect();
    keyed.sort_by(|(one, _), (other, _)| {
        let orders = one.iter().zip(other).map(|(one, other)| one.compare(other, options.descending));
        orders.fold(Ordering::Equal, Ordering::then)
    });
    rows.extend(keyed.into_iter().map(|(_, row)| row));
    Ok(())
}

/// Value by which a list is sorted.
enum SortKey {
    Number(f64),
    Text(String),
    None,
}

impl SortKey {
    fn of(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Null => Self::None,
            Cell::Int(number) => Self::Number(number as f64),
            Cell::Float(number) => Self::Number(number),
            // The texts of dates sort by day.
            cell => Self::Text(cell.to_string().to_lowercase()),
        }
    }

    fn compare(&self, other: &Self, descending: bool) -> Ordering {
        let order = match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.total_cmp(other),
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            // Games without a value come last in both directions.
            (one, other) => return matches!(one, Self::None).cmp(&matches!(other, Self::None)),
        };
        if descending { order.reverse() } else { order }
    }
}

/// Searches a game for lowercase words. Each word must occur in the names or in the file name, or all remaining words
/// together in the texts of one node. The place is then that node.
fn find_words(
    games: &mut StoredGames<'_, impl Store>,
    game: u32,
    words: &[String],
) -> io::Result<Option<Option<NodeText>>> {
    let Some((name, bytes)) = games.name_and_bytes(game)? else { return Ok(None) };
    let name = name.to_lowercase();
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !name.contains(word)).collect();
    if words.is_empty() {
        return Ok(Some(None));
    }
    if !words.iter().all(|word| may_contain(bytes, word)) {
        return Ok(None);
    }
    games.read(game)?;
    Ok(find_in_game(games.game.record(), words))
}

fn find_in_game(game: GameRecord<'_>, mut words: Vec<&str>) -> Option<Option<NodeText>> {
    let outline = Outline::of(game);
    let mut names = String::new();
    for node in outline.line(0).take(INFO_NODES) {
        push_texts(&outline, node, &NAMES, &mut names);
    }
    let names = names.to_lowercase();
    words.retain(|word| !names.contains(word));
    let Some(first) = words.first() else { return Some(None) };
    let mut text = String::new();
    for node in outline.below(0) {
        text.clear();
        push_texts(&outline, node, &TEXTS, &mut text);
        let lower = text.to_lowercase();
        if !text.is_empty() && words.iter().all(|word| lower.contains(word)) {
            let path = NodePath::of(&outline, node).to_string();
            return Some(Some(NodeText { path, text: excerpt(&text, first) }));
        }
    }
    None
}

fn push_texts(outline: &Outline<'_>, node: usize, idents: &[&str], out: &mut String) {
    for property in idents.iter().filter_map(|ident| outline.property(node, ident)) {
        out.push_str(&property.text());
        out.push('\n');
    }
}

/// Returns whether the game may contain an ASCII word in any case. If not, it need not be read. With a backslash in the
/// text, the word may be interrupted by an escape, so the result is true.
fn may_contain(bytes: &[u8], word: &str) -> bool {
    let word = word.as_bytes();
    !word.is_ascii()
        || bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
        || bytes.contains(&b'\\')
}

/// Returns the text around a word, on one line.
fn excerpt(text: &str, word: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Lowercase letters may need more bytes than capital ones, so the position is computed in characters.
    let lower = text.to_lowercase();
    let at = lower.find(word).map_or(0, |at| lower[..at].chars().count());
    let start = at.saturating_sub(BEFORE);
    let mut chars = text.chars().skip(start);
    let shown: String = chars.by_ref().take(EXCERPT).collect();
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{shown}{}", dots(start > 0), dots(chars.next().is_some()))
}

#[cfg(test)]
mod tests {
    use sgfstream::SliceReader;
    use sgfstream::record::GameReader;

    use super::*;

    #[test]
    fn excerpts_are_around_the_word() {
        let long = format!("{} Ladder {}", "a".repeat(100), "b".repeat(300));
        let shown = excerpt(&long, "ladder");
        assert!(shown.starts_with("…a") && shown.contains("Ladder b") && shown.ends_with("b…"), "{shown}");
        assert_eq!(shown.chars().count(), EXCERPT + 2);
        assert_eq!(excerpt("A\n  ladder", "ladder"), "A ladder");
    }

    #[test]
    fn words_are_found_in_names_or_in_a_node() {
        let game = br"(;PB[Honinbo Shusaku];C[A lad\
der, of course](;N[x];C[A LADDER in 19])(;C[one]))";
        let mut games = GameReader::new(SliceReader::new(game));
        let record = games.next_game().expect("a slice").expect("a game").expect("a short game");
        let find = |text: &str| find_in_game(record, text.split(' ').collect());
        let place = |text: &str| find(text).expect("it is there").map(|place| place.path);
        assert_eq!(place("shusaku honinbo"), None);
        assert_eq!(place("shusaku ladder"), Some("/1".to_owned()));
        assert_eq!(place("ladder 19"), Some("0/1".to_owned()));
        assert!(find("one ladder").is_none() && may_contain(game, "ladder") && !may_contain(b"(;C[x])", "ladder"));
    }
}
