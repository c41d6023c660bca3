//! What a fix promises of damaged games: it keeps each word of a text, in its node and in order,
//! and each mark of a list of points; a second fix changes nothing; boards stay.

use std::collections::BTreeMap;

use fastrand::Rng;
use sgfstream::record::{GameReader, GameRecord};
use sgfstream::{Code, Options, Severity, SliceReader};
use sgfstream_adapt::fix::{FixFilter, Outcome, fix};
use sgfstream_game::value::{PointEntry, PointSet};

use super::boards::boards;
use super::{fixed, main_lines, with_borders};

/// Number of generated games. `SGF_DAMAGES` sets another one.
const GAMES: u64 = 2_000;

/// Kinds of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Damage {
    None,
    /// No `]` of a text has its `\`.
    BareBrackets,
    SomeBareBrackets,
    /// Bare brackets, and texts without their last `]`.
    LostEnds,
    Smileys,
    QuotedGames,
    StrayWords,
    StrayBrackets,
    Unclosed,
    TwoMoves,
    SetupWithMove,
    RepeatedTexts,
    EmptyValues,
    MissingSemicolons,
    MissingParentheses,
    TooManyParentheses,
    LongIdents,
    MisspelledValues,
}

const DAMAGES: [Damage; 18] = [
    Damage::None,
    Damage::BareBrackets,
    Damage::SomeBareBrackets,
    Damage::LostEnds,
    Damage::Smileys,
    Damage::QuotedGames,
    Damage::StrayWords,
    Damage::StrayBrackets,
    Damage::Unclosed,
    Damage::TwoMoves,
    Damage::SetupWithMove,
    Damage::RepeatedTexts,
    Damage::EmptyValues,
    Damage::MissingSemicolons,
    Damage::MissingParentheses,
    Damage::TooManyParentheses,
    Damage::LongIdents,
    Damage::MisspelledValues,
];

impl Damage {
    /// Returns whether the damage leaves the node of some words unknown.
    fn hides_nodes(self) -> bool {
        matches!(
            self,
            Self::LostEnds | Self::QuotedGames | Self::MissingSemicolons | Self::Unclosed
        )
    }
}

/// Bytes of a generated game with its damage, and what its author wrote.
struct DamagedGame {
    bytes: Vec<u8>,
    damage: Damage,
    /// For each text, the number of its node and its words.
    texts: Vec<(usize, Vec<String>)>,
}

struct Generator {
    rng: Rng,
    damage: Damage,
    ff: u8,
    words: usize,
    nodes: usize,
    moves: usize,
    texts: Vec<(usize, Vec<String>)>,
}

impl Generator {
    fn game(seed: u64) -> DamagedGame {
        let mut rng = Rng::with_seed(seed);
        let damage = DAMAGES[rng.usize(..DAMAGES.len())];
        let ff = if damage == Damage::LongIdents {
            3
        } else {
            [0, 1, 3, 4][rng.usize(..4)]
        };
        let mut generator = Self {
            rng,
            damage,
            ff,
            words: 0,
            nodes: 0,
            moves: 0,
            texts: Vec::new(),
        };
        let mut out = String::from("(");
        if damage == Damage::MissingParentheses && generator.rng.u8(..3) == 0 {
            out.clear();
        }
        generator.root(&mut out);
        for _ in 0..generator.rng.usize(1..5) {
            generator.node(&mut out);
        }
        if generator.rng.bool() {
            for _ in 0..2 {
                out.push_str("\n(");
                generator.node(&mut out);
                generator.node(&mut out);
                out.push(')');
            }
        }
        match damage {
            Damage::MissingParentheses => {}
            Damage::TooManyParentheses => out.push_str("))"),
            Damage::Unclosed => {
                let mut end = out.len() - generator.rng.usize(..out.len() / 4);
                while !out.is_char_boundary(end) {
                    end -= 1;
                }
                out.truncate(end);
            }
            _ => out.push(')'),
        }
        DamagedGame {
            bytes: out.into_bytes(),
            damage,
            texts: generator.texts,
        }
    }

    fn is_damaged(&mut self) -> bool {
        self.rng.u8(..3) > 0
    }

    fn word(&mut self) -> String {
        let number = self.words;
        self.words += 1;
        let letter = |index: usize| char::from(b'a' + (index % 26) as u8);
        [
            'q',
            letter(number / 676),
            letter(number / 26),
            letter(number),
            'z',
        ]
        .iter()
        .collect()
    }

    fn root(&mut self, out: &mut String) {
        out.push_str(";GM[1]SZ[19]");
        if self.ff > 0 {
            out.push_str(&format!("FF[{}]", self.ff));
        }
        for ident in ["PB", "GN", "C"] {
            if self.rng.bool() {
                self.text(ident, out);
            }
        }
        if self.damage == Damage::MisspelledValues {
            out.push_str("KM[6,5]RE[Black wins]");
        }
        self.nodes += 1;
    }

    fn node(&mut self, out: &mut String) {
        if self.damage != Damage::MissingSemicolons || self.rng.bool() {
            out.push(';');
        }
        self.play(out);
        match self.damage {
            Damage::TwoMoves if self.rng.bool() => self.play(out),
            Damage::SetupWithMove if self.rng.bool() => out.push_str("AB[sa][sb]"),
            Damage::EmptyValues if self.rng.bool() => out.push_str("TR[]N[]GB[]"),
            Damage::MisspelledValues if self.rng.bool() => out.push_str("BL[1:00]SQ[a a]"),
            _ => {}
        }
        let idents: &[&str] = match self.rng.u8(..4) {
            0 => &[],
            1 => &["N", "C"],
            2 => &["C", "LB"],
            _ => &["C"],
        };
        for ident in idents {
            self.text(ident, out);
            if self.damage == Damage::StrayWords && self.rng.bool() {
                let word = self.word();
                out.push_str(&format!(" {word} "));
                self.texts.push((self.nodes, vec![word]));
            }
            if self.damage == Damage::StrayBrackets && self.rng.bool() {
                out.push_str("]\n");
            }
        }
        if self.damage == Damage::RepeatedTexts && self.rng.bool() {
            self.text("C", out);
        }
        self.nodes += 1;
    }

    fn play(&mut self, out: &mut String) {
        let letter = |index: usize| char::from(b'a' + index as u8);
        let (column, row) = (letter(self.moves % 17), letter(self.moves / 17 % 19));
        let ident = match (self.moves % 2, self.damage) {
            (0, Damage::LongIdents) => "Black",
            (_, Damage::LongIdents) => "White",
            (0, _) => "B",
            _ => "W",
        };
        self.moves += 1;
        out.push_str(&format!("{ident}[{column}{row}]"));
    }

    /// Adds a property with a text, as its author damaged it.
    fn text(&mut self, ident: &str, out: &mut String) {
        out.push_str(ident);
        out.push('[');
        if ident == "LB" {
            out.push_str("dd:");
        }
        let (mut words, mut text) = (Vec::new(), String::new());
        for _ in 0..self.rng.usize(1..7) {
            let (word, other) = (self.word(), self.word());
            let bracket = self.bracket();
            match self.rng.u8(..7) {
                0 => text.push_str(&format!("[{word}{bracket} {other}")),
                1 => text.push_str(&format!("{word} [3k{bracket}: {other}")),
                2 => text.push_str(&format!("{word}[1{bracket}, {other}")),
                3 if self.damage == Damage::Smileys => {
                    text.push_str(&format!("{word} :) (x; B[2{bracket}) ;) {other}"))
                }
                3 if self.damage == Damage::QuotedGames => {
                    text.push_str(&format!(
                        "{word} (;B[aa{bracket};W[bb{bracket}C[x{bracket}) {other}"
                    ));
                }
                _ => text.push_str(&format!("{word}. {other}")),
            }
            text.push(' ');
            words.extend([word, other]);
        }
        out.push_str(&text);
        if self.damage != Damage::LostEnds || !self.is_damaged() {
            out.push(']');
        }
        self.texts.push((self.nodes, words));
    }

    fn bracket(&mut self) -> &'static str {
        let is_bare = match self.damage {
            Damage::None => false,
            Damage::BareBrackets | Damage::LostEnds | Damage::Smileys => true,
            _ => self.is_damaged(),
        };
        if is_bare { "]" } else { "\\]" }
    }
}

/// Returns the words of each node, in the order of the bytes.
fn words_of_nodes(bytes: &[u8]) -> Vec<Vec<String>> {
    let (mut nodes, mut games) = (Vec::new(), GameReader::new(SliceReader::new(bytes)));
    while let Some(game) = games.next_game().expect("no limit is set") {
        let game: GameRecord<'_> = game.expect("the game is short");
        for node in game.nodes() {
            let mut words = Vec::new();
            for (_, property) in node.properties() {
                for value in property.values() {
                    words.extend(words_of(value.as_bytes()));
                }
            }
            nodes.push(words);
        }
    }
    nodes
}

fn words_of(text: &[u8]) -> impl Iterator<Item = String> {
    let words = text.split(|byte| !byte.is_ascii_lowercase());
    let is_word = |word: &&[u8]| word.len() == 5 && word.starts_with(b"q") && word.ends_with(b"z");
    words
        .filter(is_word)
        .map(|word| String::from_utf8_lossy(word).into_owned())
}

#[test]
fn words_stay_in_their_nodes() {
    let games = std::env::var("SGF_DAMAGES")
        .ok()
        .and_then(|games| games.parse().ok())
        .unwrap_or(GAMES);
    let choice = FixFilter::from_level(Severity::Warning);
    // Counts for each kind of damage: games, changed games, and games whose nodes were all
    // compared.
    let mut counts: BTreeMap<Damage, [u64; 3]> = BTreeMap::new();
    for seed in 0..games {
        let game = Generator::game(seed);
        let mut is_left = false;
        let once = fix(
            &game.bytes,
            &choice,
            Options::default(),
            |_, finding, outcome| {
                let is_border =
                    finding.code <= Code::DigitInIdentifier || finding.code == Code::TextAfterGame;
                is_left |= outcome == Outcome::Left && is_border;
            },
        );
        let shown = || {
            let [before, after] =
                [&game.bytes, &once].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            format!("seed {seed}, {:?}:\n{before}\n{after}", game.damage)
        };
        assert!(fixed(&once, &choice) == once, "twice: {}", shown());
        let bounded = with_borders(&game.bytes, &choice);
        assert_eq!(
            main_lines(&bounded),
            main_lines(&once),
            "moves: {}",
            shown()
        );
        let (before, after) = (boards(&bounded), boards(&once));
        let mut rest = after.iter();
        assert!(
            before.iter().all(|board| rest.any(|other| other == board)),
            "boards: {}",
            shown()
        );

        // No word is lost or doubled, and the words of a text keep their order. Without its last
        // `]`, a text has no end.
        let found: Vec<String> = words_of(&once).collect();
        let expected: Vec<String> = words_of(&game.bytes).collect();
        assert_eq!(found.len(), expected.len(), "lost: {}", shown());
        for (_, words) in &game.texts {
            let words: Vec<&String> = words
                .iter()
                .filter(|word| expected.contains(word))
                .collect();
            let mut found = found.iter();
            let has_order = words.iter().all(|&word| found.any(|other| other == word));
            assert!(
                has_order || game.damage == Damage::LostEnds,
                "order: {}",
                shown()
            );
        }
        let count = counts.entry(game.damage).or_default();
        count[0] += 1;
        count[1] += u64::from(once != game.bytes);
        if is_left || game.damage.hides_nodes() {
            continue;
        }
        count[2] += 1;
        let nodes = words_of_nodes(&once);
        let in_nodes: usize = nodes.iter().map(Vec::len).sum();
        assert_eq!(in_nodes, expected.len(), "outside of nodes: {}", shown());
        let mut node_of = BTreeMap::new();
        for (node, words) in &game.texts {
            node_of.extend(words.iter().map(|word| (word.clone(), *node)));
        }
        for words in &nodes {
            let of: Vec<usize> = words.iter().map(|word| node_of[word]).collect();
            assert!(
                of.windows(2).all(|pair| pair[0] == pair[1]),
                "another node: {}",
                shown()
            );
        }
    }
    for (damage, [all, changed, compared]) in counts {
        println!("{damage:?}: {all} games, {changed} changed, {compared} compared node by node");
    }
}

/// Returns the points of lists in a node: for each property its own, together with its values in
/// `XK`.
fn points(bytes: &[u8]) -> BTreeMap<String, PointSet> {
    let mut found: BTreeMap<String, PointSet> = BTreeMap::new();
    let mut games = GameReader::new(SliceReader::new(bytes));
    let game = games
        .next_game()
        .expect("no limit is set")
        .expect("a game")
        .expect("it is short");
    for (_, property) in game.nodes().flat_map(|node| node.properties()) {
        for value in property.values() {
            let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
            let (ident, values) = match text.split_once(": ") {
                Some((ident, values)) => (ident.to_owned(), values.to_owned()),
                None => (
                    String::from_utf8_lossy(property.ident().as_bytes()).into_owned(),
                    text,
                ),
            };
            for entry in values
                .split(", ")
                .filter_map(|value| PointEntry::parse(value.as_bytes()).ok())
            {
                found
                    .entry(ident.clone())
                    .or_default()
                    .extend(entry.points());
            }
        }
    }
    found
}

/// Each point of a list stays in its property, or goes to `XK`.
#[test]
fn points_stay() {
    let mut rng = Rng::with_seed(7);
    let choice = FixFilter::from_level(Severity::Warning);
    for _ in 0..GAMES {
        let mut input = String::from("(;FF[4]GM[1]SZ[9];");
        for _ in 0..rng.usize(1..6) {
            input.push_str(["AB", "AW", "AE", "TR", "SQ", "TB", "TW", "DD", "SL"][rng.usize(..9)]);
            for _ in 0..rng.usize(1..4) {
                let mut letter = || char::from(b'a' + rng.u8(..5));
                let (first, second) = ([letter(), letter()], [letter(), letter()]);
                let corner =
                    |at: fn(char, char) -> char, index: usize| at(first[index], second[index]);
                let upper: String = [corner(char::min, 0), corner(char::min, 1)]
                    .iter()
                    .collect();
                let lower: String = [corner(char::max, 0), corner(char::max, 1)]
                    .iter()
                    .collect();
                match upper == lower || first[0] < second[0] {
                    true => input.push_str(&format!("[{upper}]")),
                    false => input.push_str(&format!("[{upper}:{lower}]")),
                }
            }
        }
        input.push_str(";B[ii])");
        let output = fixed(input.as_bytes(), &choice);
        assert!(
            points(&output) == points(input.as_bytes()),
            "{input}\n{}",
            String::from_utf8_lossy(&output)
        );
        assert!(
            fixed(&output, &choice) == output,
            "{input}\n{}",
            String::from_utf8_lossy(&output)
        );
        assert_eq!(
            boards(&output).last(),
            boards(input.as_bytes()).last(),
            "{input}"
        );
    }
}
