//! The shapes of generated collections. One seeded random generator draws
//! game after game. Memory holds one game, or a piece of it if one game is
//! the whole collection.

use std::io::{self, Write};

use encoding_rs::{Encoding, GBK, SHIFT_JIS, UTF_8};
use fastrand::Rng;

/// Shape of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Moves,
    Lines,
    Comments,
    Deep,
    Wide,
    Value,
    Gbk,
    Sjis,
    Utf8,
    Hex,
    Sgfs,
    Real,
    Played,
    Mixed,
}

impl Shape {
    pub const ALL: [(&'static str, Self); 14] = [
        ("moves", Self::Moves),
        ("lines", Self::Lines),
        ("comments", Self::Comments),
        ("deep", Self::Deep),
        ("wide", Self::Wide),
        ("value", Self::Value),
        ("gbk", Self::Gbk),
        ("sjis", Self::Sjis),
        ("utf8", Self::Utf8),
        ("hex", Self::Hex),
        ("sgfs", Self::Sgfs),
        ("real", Self::Real),
        ("played", Self::Played),
        ("mixed", Self::Mixed),
    ];

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, shape)| *shape)
    }
}

/// Size of the collection.
#[derive(Clone, Copy, Debug)]
pub enum Amount {
    /// Whole games, until they have at least this number of bytes.
    Bytes(u64),
    Games(u64),
}

/// Counts of the written collection, which a reader must find again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub games: u64,
    pub nodes: u64,
    /// Values of B and W.
    pub moves: u64,
    pub bytes: u64,
}

/// Writes a collection. The same arguments give the same bytes.
pub fn write_collection(
    out: &mut impl Write,
    shape: Shape,
    amount: Amount,
    seed: u64,
) -> io::Result<Counts> {
    let texts = Texts::new();
    let mut pen = Pen {
        out,
        texts: &texts,
        game: Vec::new(),
        rng: Rng::with_seed(seed),
        counts: Counts::default(),
    };
    match (shape, amount) {
        // One game of the requested size.
        (Shape::Deep | Shape::Wide | Shape::Value, Amount::Bytes(bytes)) => {
            pen.large_game(shape, bytes)?
        }
        (_, Amount::Bytes(bytes)) => {
            while pen.counts.bytes < bytes {
                pen.game(shape)?;
            }
        }
        (_, Amount::Games(games)) => {
            for _ in 0..games {
                pen.game(shape)?;
            }
        }
    }
    Ok(pen.counts)
}

struct Pen<'a, W> {
    out: &'a mut W,
    texts: &'a Texts,
    game: Vec<u8>,
    rng: Rng,
    counts: Counts,
}

impl<W: Write> Pen<'_, W> {
    fn game(&mut self, shape: Shape) -> io::Result<()> {
        match shape {
            Shape::Moves => self.moves_game("\n"),
            Shape::Sgfs => self.moves_game(" "),
            Shape::Lines => self.lines_game(),
            Shape::Comments => self.commented_game(&self.texts.english),
            Shape::Utf8 => self.commented_game(&self.texts.many),
            Shape::Gbk => self.commented_game(&self.texts.chinese),
            Shape::Sjis => self.commented_game(&self.texts.japanese),
            Shape::Hex => self.hex_game(),
            Shape::Real => self.real_game(),
            Shape::Played => self.played_game(),
            Shape::Deep | Shape::Wide | Shape::Value => return self.large_game(shape, 20_000),
            Shape::Mixed => {
                let shapes = [
                    Shape::Moves,
                    Shape::Lines,
                    Shape::Comments,
                    Shape::Utf8,
                    Shape::Gbk,
                    Shape::Sjis,
                    Shape::Hex,
                ];
                let shape = shapes[self.rng.usize(..shapes.len())];
                return self.game(shape);
            }
        }
        self.flush()
    }

    /// Writes a game of about `bytes` bytes while it draws it.
    fn large_game(&mut self, shape: Shape, bytes: u64) -> io::Result<()> {
        let start = self.counts.bytes;
        self.header(" ", None);
        match shape {
            Shape::Deep => {
                // `(;B[aa]` and its `)` are eight bytes a level.
                let levels = bytes.saturating_sub(self.game.len() as u64).div_ceil(8);
                for level in 0..levels {
                    self.game.push(b'(');
                    let point = self.point();
                    self.node(color(level as usize), point);
                    self.flush_piece()?;
                }
                for _ in 0..levels {
                    self.game.push(b')');
                    self.flush_piece()?;
                }
            }
            Shape::Wide => {
                while self.counts.bytes + (self.game.len() as u64) < start + bytes {
                    let (first, second) = (self.point(), self.point());
                    self.game.push(b'(');
                    self.node(b'B', first);
                    self.node(b'W', second);
                    self.game.push(b')');
                    self.flush_piece()?;
                }
            }
            _ => {
                self.put("C[");
                let text = &self.texts.english;
                while self.counts.bytes + (self.game.len() as u64) < start + bytes {
                    text.put_sentence(&mut self.rng, &mut self.game);
                    self.flush_piece()?;
                }
                self.put("]");
            }
        }
        self.put(")\n");
        self.counts.games += 1;
        self.flush()
    }

    /// One line for each game: the root, then moves to its end.
    fn moves_game(&mut self, after_root: &str) {
        self.header(if after_root == "\n" { "" } else { " " }, None);
        if self.rng.u8(..4) == 0 {
            self.put(after_root);
        }
        let count = self.rng.usize(120..290);
        for (index, point) in self.points(count).into_iter().enumerate() {
            self.node(color(index), point);
        }
        if self.rng.u8(..3) == 0 {
            self.put(";W[];B[tt]");
            self.counts.nodes += 2;
            self.counts.moves += 2;
        }
        self.put(")\n");
        self.counts.games += 1;
    }

    /// One line for each node, with the time left.
    fn lines_game(&mut self) {
        self.header("\n", None);
        let mut left = [self.rng.u32(600..3600) * 1000; 2];
        let count = self.rng.usize(120..290);
        for (index, point) in self.points(count).into_iter().enumerate() {
            let left = &mut left[index % 2];
            *left = left.saturating_sub(self.rng.u32(500..30_000));
            let seconds = *left;
            self.put("\n");
            self.node(color(index), point);
            let color = char::from(color(index));
            self.put(&format!(
                "{color}L[{}.{:03}]",
                seconds / 1000,
                seconds % 1000
            ));
            if seconds == 0 {
                let moves_left = self.rng.u8(1..26);
                self.put(&format!("O{color}[{moves_left}]"));
            }
        }
        self.put("\n)\n");
        self.counts.games += 1;
    }

    /// A game like the games of real archives. 64 MB of records of professionals and servers have,
    /// of 1,000 games: 560 in a few long lines; 410 of a server that writes each root property on
    /// its own line, and in 3 of 4 games each node as well; 30 lessons with times and long
    /// comments. A game has 209 nodes, two variations of two moves and 1.5 comments of 42 bytes; 1
    /// of 3 roots has two private properties, 1 of 4 a property twice, 1 of 40 the territory at the
    /// end. `check` reports the same kinds of findings in generated and in real games.
    fn real_game(&mut self) {
        match self.rng.u8(..100) {
            0..56 => self.record_game(),
            56..97 => self.server_game(),
            _ => self.lesson_game(),
        }
        self.counts.games += 1;
    }

    /// A game without FF, GM, SZ or CA, with its moves on one line.
    fn record_game(&mut self) {
        let (year, month, day) = (
            self.rng.u16(1950..2026),
            self.rng.u8(1..13),
            self.rng.u8(1..29),
        );
        let (round, black, white) = (
            self.rng.u8(1..9),
            self.rng.u16(1..900),
            self.rng.u16(1..900),
        );
        let halves = self.rng.u8(1..20);
        self.put(&format!(
            "(;DT[{year}-{month:02}-{day:02}]EV[{round}th Honinbo]RO[round {round}]\nPB[Player {black}]BR[{round}p]\
             PW[Player {white}]WR[9p]\nKM[5.5]RE[W+{halves}.5]SO[archive]\n"
        ));
        self.counts.nodes += 1;
        let count = self.rng.usize(130..290);
        let mut open = 0;
        for (index, point) in self.points(count).into_iter().enumerate() {
            if self.rng.u8(..100) == 0 {
                let (first, second) = (self.point(), self.point());
                self.put("\n(");
                self.node(color(index), first);
                self.node(color(index + 1), second);
                self.put(")\n(");
                open += 1;
            }
            self.node(color(index), point);
            if self.rng.u8(..140) == 0 {
                self.put("C[");
                self.texts
                    .english
                    .put_words(&mut self.rng, 8, &mut self.game);
                self.put("]");
            }
        }
        (0..open).for_each(|_| self.put(")"));
        self.put(")\n");
    }

    /// A game in the layout of servers: a line for each root property, and mostly one for each
    /// node.
    fn server_game(&mut self) {
        let (black, white) = (self.rng.u32(1..40_000), self.rng.u32(1..40_000));
        let (year, month, day) = (
            self.rng.u16(2001..2020),
            self.rng.u8(1..13),
            self.rng.u8(1..29),
        );
        let (rank, points) = (self.rng.u8(1..10), self.rng.u8(1..60));
        self.put(&format!(
            "(;GM[1]\nFF[4]\nSZ[19]\nPW[player{white}]\nWR[{rank}d]\nPB[player{black}]\nBR[6d]\n\
             DT[{year}-{month:02}-{day:02}]\nPC[The Go Server at http://go.example/]\nKM[0.50]\nRE[W+{points}.50]\n\
             RU[Japanese]CA[UTF-8]TM[1200]OT[5x30 byo-yomi]"
        ));
        if self.rng.u8(..3) == 0 {
            self.put("TT[3]TC[30]");
        }
        if self.rng.u8(..4) == 0 {
            self.put("RU[Japanese]\nHA[2]AB[pd]\n[dp]\n");
        }
        self.counts.nodes += 1;
        let between = if self.rng.u8(..4) == 0 { "" } else { "\n" };
        let count = self.rng.usize(120..290);
        for (index, point) in self.points(count).into_iter().enumerate() {
            self.put(between);
            self.node(color(index), point);
        }
        if self.rng.u8(..20) == 0 {
            self.put("\n;");
            self.counts.nodes += 1;
            for ident in ["TW", "TB"] {
                self.put(ident);
                for (index, point) in self.points(40).into_iter().enumerate() {
                    self.put(if index % 20 == 19 { "\n" } else { "" });
                    self.put(&format!("[{}]", shown(point)));
                }
            }
        }
        self.put("\n)\n");
    }

    /// A game with the time left at each move, and a comment of 300 bytes at every tenth.
    fn lesson_game(&mut self) {
        self.header("\r\n", None);
        let count = self.rng.usize(60..120);
        for (index, point) in self.points(count).into_iter().enumerate() {
            self.put("\r\n");
            self.node(color(index), point);
            let (color, left) = (char::from(color(index)), self.rng.u16(1..1800));
            self.put(&format!("{color}L[{left}.5]O{color}[5]"));
            if self.rng.u8(..10) == 0 {
                self.put("C[");
                (0..5).for_each(|_| {
                    self.texts
                        .english
                        .put_sentence(&mut self.rng, &mut self.game)
                });
                self.put("]");
            }
        }
        self.put("\r\n)\r\n");
    }

    /// A game with a usual opening: a stone in each corner, approaches, then moves near the last
    /// ones. It has names, dates and results, for pictures and examples of searches.
    fn played_game(&mut self) {
        const NAMES: [&str; 16] = [
            "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gia", "Hugo", "Ida", "Jon", "Kai", "Lea",
            "Max", "Nia", "Otto", "Pia",
        ];
        // Points relative to the corner, the most frequent first.
        const CORNERS: [(u8, u8, u8); 5] =
            [(3, 3, 45), (2, 3, 22), (3, 2, 22), (2, 2, 8), (4, 2, 3)];
        const APPROACHES: [(u8, u8, u8); 6] = [
            (5, 2, 40),
            (2, 5, 40),
            (2, 2, 10),
            (5, 3, 4),
            (3, 5, 4),
            (6, 2, 2),
        ];
        let rng = &mut self.rng;
        let [black, other] = [0, 1].map(|_| (rng.usize(..16) * rng.usize(..16)) / 15);
        let [black, white] = [
            black,
            if other == black {
                (other + 1) % 16
            } else {
                other
            },
        ]
        .map(|at| NAMES[at]);
        let (year, month, day) = (rng.u16(1990..2026), rng.u8(1..13), rng.u8(1..29));
        let (winner, points, is_resigned) = (
            if rng.u8(..100) < 49 { 'B' } else { 'W' },
            rng.u8(..15),
            rng.bool(),
        );
        let result = if is_resigned {
            "R".to_owned()
        } else {
            format!("{points}.5")
        };
        let mut corners = [(false, false), (true, false), (false, true), (true, true)];
        // Most games begin in the upper right corner, by custom.
        corners.swap(0, if rng.u8(..10) < 9 { 1 } else { rng.usize(..4) });
        rng.shuffle(&mut corners[1..]);
        let mut points: Vec<[u8; 2]> = Vec::new();
        for choices in [&CORNERS[..], &APPROACHES] {
            for &(is_right, is_low) in corners.iter().skip(points.len() / 4).take(4) {
                let mut at = rng.u8(..choices.iter().map(|choice| choice.2).sum::<u8>());
                let choice = choices
                    .iter()
                    .find(|choice| at.checked_sub(choice.2).map(|rest| at = rest).is_none());
                let Some(&(column, row, _)) = choice else {
                    continue;
                };
                let place = |is_far: bool, line: u8| if is_far { 18 - line } else { line };
                points.push([place(is_right, column), place(is_low, row)]);
            }
        }
        let count = rng.usize(60..240);
        while points.len() < count {
            let last = points[points.len() - 1 - rng.usize(..points.len().min(4))];
            points.push(last.map(|line| (line + rng.u8(..5)).saturating_sub(2).min(18)));
        }
        let mut is_taken = [[false; 19]; 19];
        points.retain(|&[column, row]| {
            !std::mem::replace(&mut is_taken[usize::from(column)][usize::from(row)], true)
        });
        self.put(&format!(
            "(;GM[1]FF[4]CA[UTF-8]SZ[19]PB[{black}]PW[{white}]DT[{year}-{month:02}-{day:02}]KM[6.5]RE[{winner}+{result}]"
        ));
        self.counts.nodes += 1;
        for (index, point) in points.into_iter().enumerate() {
            self.node(color(index), point.map(|line| b'a' + line));
        }
        self.put(")\n");
        self.counts.games += 1;
    }

    /// A game with a comment at every other node and a few variations.
    fn commented_game(&mut self, text: &Text) {
        self.header("\n", Some(text));
        let count = self.rng.usize(60..220);
        let mut open = 1;
        for (index, point) in self.points(count).into_iter().enumerate() {
            if index > 5 && self.rng.u8(..12) == 0 {
                let (first, second) = (self.point(), self.point());
                self.put("\n(");
                self.node(color(index), first);
                self.node(color(index + 1), second);
                self.comment(text);
                self.put(")\n(");
                open += 1;
            }
            self.node(color(index), point);
            if self.rng.bool() {
                self.comment(text);
            }
            if self.rng.u8(..16) == 0 {
                let (first, second) = (self.point(), self.point());
                self.put(&format!(
                    "LB[{}:A][{}:B\\:2]TR[{}]",
                    shown(first),
                    shown(second),
                    shown(point)
                ));
            }
        }
        (0..open).for_each(|_| self.put(")"));
        self.put("\n");
        self.counts.games += 1;
    }

    fn hex_game(&mut self) {
        let size = self.rng.usize(11..20);
        let result = ["B+", "W+", "B+Resign"][self.rng.usize(..3)];
        self.put(&format!(
            "(;FF[4]GM[11]SZ[{size}]PB[ada]PW[ben]RE[{result}]"
        ));
        self.counts.nodes += 1;
        let mut cells: Vec<usize> = (0..size * size).collect();
        self.rng.shuffle(&mut cells);
        let count = self.rng.usize(20..60);
        for (index, cell) in cells.into_iter().take(count).enumerate() {
            let letter = char::from(b'a' + (cell % size) as u8);
            let color = char::from(color(index));
            if index == 1 && self.rng.u8(..4) == 0 {
                self.put(";W[swap-pieces]");
            } else {
                self.put(&format!(";{color}[{letter}{}]", cell / size + 1));
            }
            self.counts.nodes += 1;
            self.counts.moves += 1;
        }
        self.put(")\n");
        self.counts.games += 1;
    }

    /// Writes `(`, and a root in the form that one of the servers writes.
    fn header(&mut self, between: &str, text: Option<&Text>) {
        let rng = &mut self.rng;
        let (black, white) = (rng.u32(1..40_000), rng.u32(1..40_000));
        let (year, month, day) = (rng.u16(1995..2026), rng.u8(1..13), rng.u8(1..29));
        let komi = ["0.50", "5.5", "6.5", "7.5"][rng.usize(..4)];
        let winner = ["B", "W"][rng.usize(..2)];
        let (kind, points) = (rng.u8(..3), rng.u8(1..60));
        let result = match kind {
            0 => format!("{winner}+Resign"),
            1 => format!("{winner}+{points}.50"),
            _ => format!("{winner}+R"),
        };
        let root = match rng.u8(..3) {
            0 => format!("(;GM[1]FF[4]{between}SZ[19]GN[]DT[{year}-{month:02}-{day:02}]"),
            1 => format!(
                "(;FF[4]GM[1]SZ[19]AP[server:3]ST[2]{between}RU[Japanese]KM[{komi}]TM[1800]"
            ),
            _ => format!("(;FF[3]GM[1]{between}SZ[19]EV[ladder]RO[{day}]"),
        };
        self.put(&root);
        match text {
            Some(text) => {
                if let Some(label) = text.label {
                    self.put(&format!("CA[{label}]"));
                }
                for ident in ["PB[", "]PW[", "]PC["] {
                    self.put(ident);
                    text.put_words(&mut self.rng, 2, &mut self.game);
                }
                self.put("]");
            }
            None => self.put(&format!("PB[player{black}]PW[player{white}]")),
        }
        self.put(&format!("RE[{result}]"));
        self.counts.nodes += 1;
    }

    fn comment(&mut self, text: &Text) {
        self.put("C[");
        for _ in 0..self.rng.u8(1..6) {
            text.put_sentence(&mut self.rng, &mut self.game);
        }
        self.put("]");
    }

    /// A node with a move.
    fn node(&mut self, color: u8, point: [u8; 2]) {
        self.game
            .extend_from_slice(&[b';', color, b'[', point[0], point[1], b']']);
        self.counts.nodes += 1;
        self.counts.moves += 1;
    }

    fn point(&mut self) -> [u8; 2] {
        [b'a' + self.rng.u8(..19), b'a' + self.rng.u8(..19)]
    }

    /// Points of the 19x19 board, none twice.
    fn points(&mut self, count: usize) -> Vec<[u8; 2]> {
        let mut points: Vec<[u8; 2]> = (0..361)
            .map(|at| [b'a' + (at % 19) as u8, b'a' + (at / 19) as u8])
            .collect();
        self.rng.shuffle(&mut points);
        points.truncate(count);
        points
    }

    fn put(&mut self, text: &str) {
        self.game.extend_from_slice(text.as_bytes());
    }

    fn flush_piece(&mut self) -> io::Result<()> {
        if self.game.len() < 1 << 15 {
            Ok(())
        } else {
            self.flush()
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.game)?;
        self.counts.bytes += self.game.len() as u64;
        self.game.clear();
        Ok(())
    }
}

fn color(index: usize) -> u8 {
    if index.is_multiple_of(2) { b'B' } else { b'W' }
}

fn shown(point: [u8; 2]) -> String {
    point.map(char::from).iter().collect()
}

/// Words of a charset, for comments.
struct Text {
    words: Vec<Vec<u8>>,
    between: &'static str,
    /// Value of `CA`. ASCII text needs none.
    label: Option<&'static str>,
}

const ENGLISH: &[&str] = &[
    "Black", "White", "the", "corner", "is", "alive", "after", "this", "exchange", "a", "ladder",
    "works", "here", "and", "[joseki]", "too", "slow;", "sente", "(see", "below)", "ko", "fight",
    "moyo", "points", "3:1", "\\",
];

/// Words, some with `[`, `\` or `]` as second byte of a character.
const CHINESE: &[&str] = &[
    "黑棋", "白棋", "定石", "運", "黒番", "角上", "註", "閉", "活棋", "先手", "打劫", "好點", "a1",
    "誡", "大場",
];
const JAPANESE: &[&str] = &[
    "黒番",
    "白番",
    "ソフト",
    "表",
    "申",
    "定石",
    "能",
    "ゾーン",
    "次の一手",
    "ｺﾐ",
    "予想",
    "十",
    "先手",
    "a1",
    "劫",
];
const MANY: &[&str] = &[
    "Zürich",
    "naïve",
    "黑棋",
    "囲碁",
    "바둑",
    "Здравствуйте",
    "–",
    "“so”",
    "ﾊﾈ",
    "🙂",
    "joseki",
    "¿qué?",
    "B[pd\\]",
];

impl Text {
    /// Escapes the characters first and then encodes them, as most programs
    /// do (spec CA-03).
    fn new(words: &[&str], between: &'static str, encoding: &'static Encoding) -> Self {
        let encode = |word: &&str| {
            let escaped = word.replace('\\', "\\\\").replace(']', "\\]");
            let (bytes, _, unmappable) = encoding.encode(&escaped);
            assert!(!unmappable, "`{word}` is no word of {}", encoding.name());
            bytes.into_owned()
        };
        Self {
            words: words.iter().map(encode).collect(),
            between,
            label: Some(encoding.name()),
        }
    }

    fn put_sentence(&self, rng: &mut Rng, out: &mut Vec<u8>) {
        let count = rng.usize(3..18);
        self.put_words(rng, count, out);
        out.extend_from_slice([&b". "[..], b".\n", b"\\\n", b"! "][rng.usize(..4)]);
    }

    fn put_words(&self, rng: &mut Rng, count: usize, out: &mut Vec<u8>) {
        for index in 0..count {
            if index > 0 {
                out.extend_from_slice(self.between.as_bytes());
            }
            out.extend_from_slice(&self.words[rng.usize(..self.words.len())]);
        }
    }
}

/// The words of all shapes, each encoded once, since encoding is slow.
struct Texts {
    english: Text,
    many: Text,
    chinese: Text,
    japanese: Text,
}

impl Texts {
    fn new() -> Self {
        Self {
            english: Text {
                label: None,
                ..Text::new(ENGLISH, " ", UTF_8)
            },
            many: Text::new(MANY, " ", UTF_8),
            chinese: Text::new(CHINESE, "", GBK),
            japanese: Text::new(JAPANESE, "", SHIFT_JIS),
        }
    }
}
