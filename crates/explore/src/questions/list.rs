//! Lists of the games of an answer: sorted, searched for words, or restricted to a finding.

use std::io;
use std::sync::Arc;

use sgfstream::Code;
use sgfstream::record::{GameRecord, Outline};
use sgfstream_game::facts::NodePath;
use sgfstream_table::filter::Filter;
use sgfstream_table::find::Query;
use sgfstream_table::row::{Cell, Column, ColumnSet};

use super::answer_error::AnswerError;
use super::cores::{Cores, SearchContext};
use super::findings::{self, CodeFinder};
use super::node_text::NodeText;
use super::requests::ListRequest;
use super::search::{Answer, MatchedGame, board_number};
use crate::record_list::RecordList;
use crate::{Index, ScratchStore, Sorter, Store, StoredGames};

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
const NAMES: [&str; 16] = [
    "PB", "PW", "P1", "P2", "P3", "P4", "BT", "WT", "EV", "RO", "PC", "GN", "SO", "AN", "US", "CP",
];
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
pub(crate) struct GameList<S> {
    pub(crate) answer: Arc<Answer<S>>,
    pub(crate) games: Arc<RecordList<MatchedGame, S>>,
}

impl<S: ScratchStore> GameList<S> {
    /// Returns the approximate bytes of the list in a cache.
    pub(crate) fn bytes(&self) -> usize {
        self.games.bytes() + self.answer.bytes()
    }
}

/// Number of games that are read at once.
const READ: usize = 16_384;

/// Maximum bytes of a text by which a list is sorted.
const KEY: usize = 512;

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

    fn is_search(&self) -> bool {
        !self.words.is_empty() || self.code.is_some()
    }

    /// Searches a game for the finding and the words. Returns whether it has them, and sets its
    /// place.
    fn find(
        &self,
        games: &mut StoredGames<'_, impl Store>,
        found: &mut MatchedGame,
    ) -> io::Result<bool> {
        if let Some(code) = self.code.filter(|code| !findings::is_of_file(*code)) {
            found.place = CodeFinder::new(code).find(games, found.game)?;
            if found.place.is_none() {
                return Ok(false);
            }
        }
        if self.words.is_empty() {
            return Ok(true);
        }
        let words = find_words(games, found.game, &self.words)?;
        let is_found = words.is_some();
        found.place = words.flatten().or(found.place.take());
        Ok(is_found)
    }
}

fn code_of(name: &str) -> Result<Code, AnswerError> {
    name.parse()
        .map_err(|_| AnswerError::Refused(format!("unknown code of a finding: `{name}`")))
}

/// Returns the columns of a sort order.
fn columns_of(name: &str) -> Result<&'static [&'static str], AnswerError> {
    let known = SORTS.iter().find(|(known, _)| *known == name);
    let names = SORTS.map(|(name, _)| name).join(", ");
    let error =
        || AnswerError::Refused(format!("unknown column `{name}`; the columns are {names}"));
    Ok(known.ok_or_else(error)?.1)
}

/// Returns the games of an answer that `options` describe, in their order.
pub(crate) fn of_answer<S: Store + Sync, C: Cores>(
    context: &SearchContext<'_, S, C>,
    options: &ListOptions,
    answer: &Arc<Answer<C::Scratch>>,
) -> Result<GameList<C::Scratch>, AnswerError> {
    let mut games = Arc::clone(&answer.hits);
    let is_position = answer.query.as_ref().is_some_and(Query::is_position);
    let named = options.board.as_deref().filter(|_| is_position);
    if let Some(code) = options.code.filter(|code| findings::is_of_file(*code)) {
        games = Arc::new(with_code(context, code, &games)?);
    }
    if named.is_some() || options.is_search() || !options.sort.is_empty() {
        let number = |named| board_number(context.index, |board| board.to_string() == named);
        let board = named.map(number);
        games = Arc::new(chosen(context, options, board, &games)?);
    }
    Ok(GameList {
        answer: Arc::clone(answer),
        games,
    })
}

/// Returns the games with a finding that compares the games of a file.
fn with_code<C: Cores>(
    context: &SearchContext<'_, impl Store, C>,
    code: Code,
    games: &RecordList<MatchedGame, C::Scratch>,
) -> io::Result<RecordList<MatchedGame, C::Scratch>> {
    let mut by_game = Sorter::<_, C::Scratch>::default();
    for (number, game) in (0_u64..).zip(games.iter()) {
        let game = game?;
        by_game.push(([game.game.into(), number], game))?;
    }
    let (mut stored, mut finder, mut sorted) = (
        context.index.games(),
        CodeFinder::new(code),
        by_game.sorted()?,
    );
    let mut found = Sorter::default();
    while let Some(([_, number], mut game)) = sorted.next()? {
        context.stop.check()?;
        game.place = finder.find(&mut stored, game.game)?;
        if game.place.is_some() {
            found.push(([number], game))?;
        }
    }
    RecordList::of_sorted(found.sorted()?, |(_, game)| game)
}

/// Returns the games on a board that have the words and the finding of `options`, sorted.
fn chosen<S: Store + Sync, C: Cores>(
    context: &SearchContext<'_, S, C>,
    options: &ListOptions,
    board: Option<u16>,
    games: &RecordList<MatchedGame, C::Scratch>,
) -> io::Result<RecordList<MatchedGame, C::Scratch>> {
    let (mut sorter, mut number) = (Sorter::default(), 0_u64);
    let mut rest = games.iter();
    loop {
        let mut read = rest
            .by_ref()
            .take(READ)
            .collect::<io::Result<Vec<MatchedGame>>>()?;
        if read.is_empty() {
            return RecordList::of_sorted(sorter.sorted()?, |(_, (_, game))| game);
        }
        read.retain(|game| board.is_none_or(|board| game.board == board));
        let keyed = context.each(&read, |run| keyed(context.index, options, run))?;
        for (key, game) in keyed.into_iter().flatten() {
            sorter.push((key, ([number], game)))?;
            number += 1;
        }
    }
}

/// Returns the games of a run that have the words and the finding of `options`, each with the start
/// of its key.
fn keyed<'g>(
    index: &Index<impl Store>,
    options: &ListOptions,
    run: impl Iterator<Item = &'g MatchedGame>,
) -> io::Result<Vec<(Vec<u8>, MatchedGame)>> {
    let columns: Vec<&Column> = options
        .sort
        .iter()
        .filter_map(|name| Column::find(name))
        .collect();
    let every = Filter::default();
    let mut rows = index.reader(&every, ColumnSet::of(columns.iter().copied()));
    let (mut stored, mut keyed) = (index.games(), Vec::new());
    for game in run {
        let mut game = game.clone();
        if options.is_search() && !options.find(&mut stored, &mut game)? {
            continue;
        }
        let mut key = Vec::new();
        if !columns.is_empty()
            && let Some(row) = rows.read(game.game)?
        {
            columns
                .iter()
                .for_each(|column| push_key(column.get(row.row()), options.descending, &mut key));
        }
        keyed.push((key, game));
    }
    Ok(keyed)
}

/// Appends a value by which a list is sorted. Capital and small letters are equal.
fn push_key(cell: Cell<'_>, descending: bool, key: &mut Vec<u8>) {
    let Cell::Text(text) = cell else {
        return cell.push_key(descending, key);
    };
    let lower = text.to_lowercase();
    Cell::Text(&lower[..lower.floor_char_boundary(KEY)]).push_key(descending, key);
}

/// Searches a game for lowercase words. Each word must occur in the names or in the file name, or
/// all remaining words together in the texts of one node. The place is then that node.
fn find_words(
    games: &mut StoredGames<'_, impl Store>,
    game: u32,
    words: &[String],
) -> io::Result<Option<Option<NodeText>>> {
    let Some((name, bytes)) = games.name_and_bytes(game)? else {
        return Ok(None);
    };
    let name = name.to_lowercase();
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| !name.contains(word))
        .collect();
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
    let Some(first) = words.first() else {
        return Some(None);
    };
    let mut text = String::new();
    for node in outline.below(0) {
        text.clear();
        push_texts(&outline, node, &TEXTS, &mut text);
        let lower = text.to_lowercase();
        if !text.is_empty() && words.iter().all(|word| lower.contains(word)) {
            let path = NodePath::of(&outline, node).to_string();
            return Some(Some(NodeText {
                path,
                text: excerpt(&text, first),
            }));
        }
    }
    None
}

fn push_texts(outline: &Outline<'_>, node: usize, idents: &[&str], out: &mut String) {
    for property in idents
        .iter()
        .filter_map(|ident| outline.property(node, ident))
    {
        out.push_str(&property.text());
        out.push('\n');
    }
}

/// Returns whether the game may contain an ASCII word in any case. If not, it need not be read.
/// With a backslash in the text, the word may be interrupted by an escape, so the result is true.
fn may_contain(bytes: &[u8], word: &str) -> bool {
    let word = word.as_bytes();
    !word.is_ascii()
        || bytes
            .windows(word.len())
            .any(|window| window.eq_ignore_ascii_case(word))
        || bytes.contains(&b'\\')
}

/// Returns the text around a word, on one line.
fn excerpt(text: &str, word: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Lowercase letters may need more bytes than capital ones, so the position is computed in
    // characters.
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
        assert!(
            shown.starts_with("…a") && shown.contains("Ladder b") && shown.ends_with("b…"),
            "{shown}"
        );
        assert_eq!(shown.chars().count(), EXCERPT + 2);
        assert_eq!(excerpt("A\n  ladder", "ladder"), "A ladder");
    }

    #[test]
    fn words_are_found_in_names_or_in_a_node() {
        let game = br"(;PB[Honinbo Shusaku];C[A lad\
der, of course](;N[x];C[A LADDER in 19])(;C[one]))";
        let mut games = GameReader::new(SliceReader::new(game));
        let record = games
            .next_game()
            .expect("a slice")
            .expect("a game")
            .expect("a short game");
        let find = |text: &str| find_in_game(record, text.split(' ').collect());
        let place = |text: &str| find(text).expect("it is there").map(|place| place.path);
        assert_eq!(place("shusaku honinbo"), None);
        assert_eq!(place("shusaku ladder"), Some("/1".to_owned()));
        assert_eq!(place("ladder 19"), Some("0/1".to_owned()));
        assert!(
            find("one ladder").is_none()
                && may_contain(game, "ladder")
                && !may_contain(b"(;C[x])", "ladder")
        );
    }
}
