//! Finds out which game a record is of, and which program's notation it uses: by GM, and without GM by other properties
//! and the moves. A missing GM means Go (spec R-02, G-04), but some programs leave GM out for other games too (spec
//! games §11: Little Golem).

use std::fmt;

use sgfstream::record::{GameItem, GameReader, GameRecord, Token, TokenKind};
use sgfstream::{Ident, Property, SliceReader};

use super::backgammon::Roll;
use super::coordinates::{read_lettered, read_pair};
use super::kropki::Dots;
use super::octi::OctiMove;
use super::{Game, Key, MoveIds, Program, Variant};
use crate::value::{BoardSize, Komi, without_blanks};

/// Reason for taking a record for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// GM names the game.
    Gm,
    /// GM names the game in a spelling that only the lenient reading accepts.
    LenientGm,
    /// The application that wrote the record supports no other game.
    Application,
    /// The source is a server whose files have no GM.
    Source,
    /// The record has identifiers of one dialect only.
    Idents,
    /// `SU` names a variant of the game.
    SetupType,
    /// The moves are in the game's notation.
    MoveSyntax,
    /// The moves contain a swap or a resignation, which do not exist in Go.
    Words,
    /// The komi is not zero: only Go has a komi (spec GI-03).
    Komi,
    /// Nothing shows the game, so it is Go by default.
    Default,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gm => "`GM` names it",
            Self::LenientGm => "`GM` names it in another spelling",
            Self::Application => "`AP` names a program for it",
            Self::Source => "`SO` names a server whose files have no `GM`",
            Self::Idents => "its properties belong to this dialect",
            Self::SetupType => "`SU` names a variant of it",
            Self::MoveSyntax => "its moves have this syntax",
            Self::Words => "its moves use words that Go does not have",
            Self::Komi => "it has a komi",
            Self::Default => "it has no `GM`, and nothing contradicts the default",
        })
    }
}

/// Detected game and program, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetectedGame {
    /// Detected game.
    pub game: Game,
    /// Program whose notation the record uses.
    pub program: Program,
    /// Reason for the result.
    pub evidence: Evidence,
}

/// Detects the game of the first record in `bytes`.
///
/// ```
/// use sgfstream_game::{Evidence, Game, Program, detect};
///
/// let found = detect(b"(;FF[4]SZ[11]SO[http://www.littlegolem.com];W[ad];B[swap];W[eg])");
/// assert_eq!((found.game, found.program), (Game::Hex, Program::LittleGolem));
/// assert_eq!(found.evidence.to_string(), "`SO` names a server whose files have no `GM`");
/// assert_eq!(detect(b"(;B[pd];W[dp])").evidence, Evidence::Default);
/// assert_eq!(detect(b"(;GM[11];B[pd])").evidence, Evidence::Gm);
/// ```
#[must_use]
pub fn detect(bytes: &[u8]) -> DetectedGame {
    let mut games = GameReader::new(SliceReader::new(bytes));
    match games.next_game() {
        Ok(Some(Ok(game))) => look_ahead(&game).0,
        _ => Detector::default().finish(),
    }
}

/// Moves of a game without GM that a lookahead reads.
const AHEAD_MOVES: u32 = 64;

/// Bytes after the root that a lookahead reads.
const AHEAD_BYTES: usize = 4096;

/// Detects the game of a record by its root and, without GM, by the bytes that follow. Also returns whether more of the game
/// could not change the result.
pub(crate) fn look_ahead(record: &GameRecord<'_>) -> (DetectedGame, bool) {
    let mut detector = Detector::default();
    let is_property = |token: &&Token| token.kind() != TokenKind::Problem;
    let root = || record.root_tokens().iter().filter(is_property);
    for &token in root().filter(|&&token| tells_of_program(Key::of_token(record, token))) {
        detector.observe(&record.property(token));
    }
    for &token in root() {
        detector.observe(&record.property(token));
    }
    let mut bytes = 0;
    for item in record.items(record.after_root(record.tokens())) {
        match item {
            GameItem::Node => {
                bytes += 1;
                let is_known = detector.gm.is_some() || detector.is_certain();
                if is_known || detector.moves >= AHEAD_MOVES {
                    return (detector.finish(), true);
                }
            }
            GameItem::Property(token, property) => {
                bytes += property.as_bytes().len();
                // GM is valid in the root only.
                if Key::of_token(record, token) != Key::GM {
                    detector.observe(&property);
                }
            }
            _ => {}
        }
        if bytes >= AHEAD_BYTES {
            return (detector.finish(), true);
        }
    }
    (detector.finish(), record.is_whole())
}

/// Returns whether a property of a root may show the program that wrote it or, without `GM`, the game.
pub(crate) fn tells_of_program(key: Key) -> bool {
    use Key as K;
    matches!(
        key,
        K::AP
            | K::SO
            | K::PC
            | K::RU
            | K::EV
            | K::GC
            | K::KM
            | K::SU
            | K::P0
            | K::AB
            | K::AW
            | K::FIFTH_MOVES
            | K::XS
            | K::XV
            | K::XP
            | K::XB
    )
}

/// Collects evidence from the properties of one game tree, in their order.
///
/// ```
/// use sgfstream::{Framing, Property};
/// use sgfstream_game::{Detector, Game};
///
/// let mut detector = Detector::default();
/// for raw in [&b"SZ[30]"[..], b"B[ce.cecfdgefdece]"] {
///     detector.observe(&Property::parse(raw, Framing::Value).expect("a property"));
/// }
/// assert_eq!(detector.finish().game, Game::Kropki);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Detector {
    gm: Option<(Game, Evidence)>,
    application: Option<Game>,
    little_golem: bool,
    lg_rules: bool,
    /// Whether EV starts with `hex`.
    hex_event: bool,
    /// `GC[game #17]`: among the games that Little Golem writes with two letters, only Hex has it.
    game_number: bool,
    gorilla: bool,
    hexgui: bool,
    /// Properties of [`GAME_INFO`] that occurred, one bit each.
    occurred: u8,
    setup_type: Option<Game>,
    four_colors: bool,
    /// Whether `B` or `W` plays.
    two_colors: bool,
    pieces: bool,
    boardspace: bool,
    renju: bool,
    komi: bool,
    /// Whether stones are set up, with two letters for a point.
    stones: bool,
    moves: u32,
    swaps: bool,
    words: bool,
    /// Number of moves in each notation.
    forms: [u32; Form::COUNT],
}

/// Properties of game information that are evidence.
const GAME_INFO: [Key; 8] = [Key::AP, Key::EV, Key::GC, Key::SO, Key::PC, Key::RU, Key::SU, Key::KM];

/// Notation of a move, if it identifies a game.
#[derive(Clone, Copy)]
enum Form {
    Pair,
    Lettered,
    Shot,
    Border,
    Dice,
    Octi,
    LettersStep,
    PairStep,
}

impl Form {
    const COUNT: usize = Self::PairStep as usize + 1;

    fn of(raw: &[u8]) -> Option<Self> {
        let is_lettered = |raw: &[u8]| read_lettered(raw).is_some();
        let without_marks = raw.trim_ascii_end().strip_suffix(b"+").unwrap_or(raw);
        if read_pair(raw).is_some() {
            Some(Self::Pair)
        } else if is_lettered(raw) {
            Some(Self::Lettered)
        } else if raw.len() == 6 && raw.chunks_exact(2).all(|pair| read_pair(pair).is_some()) {
            Some(Self::Shot)
        } else if raw.contains(&b'.') && Dots::parse(raw).is_ok() {
            Some(Self::Border)
        } else if Roll::parse(raw).is_ok_and(|roll| !roll.steps().is_empty()) {
            Some(Self::Dice)
        } else if raw.len() > 2 && OctiMove::parse(BoardSize::square(9), raw).is_ok() {
            Some(Self::Octi)
        } else if let Some(at) = without_marks.iter().position(|byte| matches!(byte, b'-' | b':')) {
            let (from, to) = (&without_marks[..at], &without_marks[at + 1..]);
            if is_lettered(from) && is_lettered(to) {
                Some(Self::LettersStep)
            } else if read_pair(from).is_some() && read_pair(to).is_some() {
                Some(Self::PairStep)
            } else {
                None
            }
        } else {
            None
        }
    }
}

impl Detector {
    /// Adds the evidence of one property.
    pub fn observe(&mut self, property: &Property<'_>) {
        self.look(Key::of(property.ident()), property.ident(), property.first().as_bytes());
    }

    /// Adds the evidence of the first value of a property.
    pub(crate) fn look(&mut self, key: Key, ident: Ident<'_>, raw: &[u8]) {
        match key {
            Key::GM if self.gm.is_none() => {
                let read = Game::parse_lenient(raw);
                self.gm = Some((read.value, if read.repair.is_none() { Evidence::Gm } else { Evidence::LenientGm }));
            }
            Key::AP if self.is_first(Key::AP) => self.observe_application(raw),
            Key::EV if self.is_first(Key::EV) => self.hex_event = starts_with(raw, b"hex"),
            Key::GC if self.is_first(Key::GC) => self.game_number = starts_with(raw.trim_ascii_start(), b"game #"),
            Key::SO if self.is_first(Key::SO) => self.little_golem |= contains(raw, b"littlegolem"),
            Key::PC if self.is_first(Key::PC) => self.little_golem |= contains(raw, b"littlegolem"),
            // Little Golem writes it in Havannah files.
            Key::RU if self.is_first(Key::RU) => {
                self.lg_rules = raw == b"LG";
                self.little_golem |= self.lg_rules;
            }
            Key::XS | Key::XV | Key::XP | Key::XB => self.gorilla = true,
            Key::SU if self.is_first(Key::SU) => {
                let games: [(&[u8], Game); 2] = [(b"hive", Game::Hive), (b"zertz", Game::Zertz)];
                self.setup_type = games.iter().find(|(name, _)| starts_with(raw, name)).map(|&(_, game)| game);
            }
            Key::P0 => self.boardspace = true,
            // Number of fifth moves on offer: a Renju record of iwzq.com.
            Key::FIFTH_MOVES => self.renju = true,
            Key::KM if self.is_first(Key::KM) => {
                self.komi = Komi::parse_lenient(raw).is_ok_and(|komi| komi.value.get() != 0.0)
            }
            Key::AB | Key::AW if self.stones => {}
            Key::AB | Key::AW => {
                let corner = raw.split(|&byte| byte == b':').next();
                self.stones = corner.is_some_and(|point| read_pair(point).is_some());
            }
            Key::B | Key::W => self.observe_move(raw),
            Key::A1 | Key::A2 | Key::A3 | Key::A4 => self.four_colors = true,
            _ if MoveIds::of(Game::Pentobi(Variant::Blokus)).contains(ident) => {
                self.moves += 1;
                self.four_colors = true;
            }
            _ => {}
        }
    }

    /// Returns whether a property of [`GAME_INFO`] occurs for the first time. `fix` keeps the first of several, so
    /// another one is no evidence.
    fn is_first(&mut self, key: Key) -> bool {
        let before = self.occurred;
        self.occurred |= GAME_INFO.iter().position(|&each| each == key).map_or(0, |bit| 1 << bit);
        self.occurred != before
    }

    fn observe_application(&mut self, raw: &[u8]) {
        let games: [(&[u8], Game); 6] = [
            (b"hexgui", Game::Hex),
            (b"gnu backgammon", Game::Backgammon),
            (b"edax", Game::Othello),
            (b"kropki", Game::Kropki),
            (b"zagram", Game::Kropki),
            (b"pentobi", Game::Pentobi(Variant::Blokus)),
        ];
        self.application = games.iter().find(|(name, _)| starts_with(raw, name)).map(|&(_, game)| game);
        let program = Program::of_application(raw);
        self.gorilla |= program == Program::Gorilla;
        self.hexgui |= program == Program::HexGui;
    }

    fn observe_move(&mut self, raw: &[u8]) {
        self.moves += 1;
        self.two_colors = true;
        let raw = &*without_blanks(raw);
        if starts_with(raw, b"swap") {
            self.swaps = true;
        } else if [&b"resign"[..], b"forfeit"].iter().any(|word| raw.eq_ignore_ascii_case(word)) {
            self.words = true;
        } else if raw.contains(&b',') && raw.split(|&byte| byte == b',').all(|part| read_lettered(part).is_some()) {
            self.pieces = true;
        } else if raw.len() <= 4096
            && let Some(form) = Form::of(raw)
        {
            self.forms[form as usize] += 1;
        }
    }

    /// Returns whether the root alone shows which game it is, whatever the moves are.
    pub(crate) fn is_certain(&self) -> bool {
        self.komi || self.is_renju() || self.is_position()
    }

    fn is_renju(&self) -> bool {
        self.renju && !self.boardspace && self.setup_type.is_none()
    }

    /// Returns whether the record is a position of Go, such as a problem: stones on points of two letters, and nothing
    /// else that another game has.
    fn is_position(&self) -> bool {
        let is_other = self.little_golem || self.boardspace || self.renju;
        self.stones && !is_other && self.application.is_none() && self.setup_type.is_none()
    }

    /// Returns the result so far.
    #[must_use]
    pub fn finish(&self) -> DetectedGame {
        let (game, evidence) = self.gm.unwrap_or_else(|| self.without_gm());
        let swaps_without_gm = self.gm.is_none() && self.swaps && matches!(game, Game::Hex | Game::Havannah);
        let program = match self.program(game) {
            Program::Standard | Program::HexGui if swaps_without_gm => Program::LittleGolem,
            program => program,
        };
        DetectedGame { game, program, evidence }
    }

    /// Returns the program that wrote a record of `game`, as far as the root shows it.
    pub(crate) fn program(&self, game: Game) -> Program {
        if self.gorilla {
            Program::Gorilla
        } else if self.little_golem {
            Program::LittleGolem
        } else if self.hexgui && game == Game::Hex {
            Program::HexGui
        } else {
            Program::Standard
        }
    }

    fn without_gm(&self) -> (Game, Evidence) {
        let count = |form: Form| self.forms[form as usize];
        let (pairs, lettered) = (count(Form::Pair), count(Form::Lettered));
        if self.komi {
            return (Game::Go, Evidence::Komi);
        }
        if self.is_renju() {
            return (Game::Gomoku, Evidence::Idents);
        }
        if self.is_position() {
            return (Game::Go, Evidence::Default);
        }
        if let Some(game) = self.setup_type {
            return (game, Evidence::SetupType);
        }
        // A game of four colors has no moves of `B` and `W`.
        if self.four_colors && !self.two_colors {
            return (Game::Pentobi(Variant::Blokus), Evidence::Idents);
        }
        if self.boardspace {
            return (Game::Other, Evidence::Idents);
        }
        if let Some(game) = self.application {
            return (game, Evidence::Application);
        }
        if self.pieces {
            return (Game::Pentobi(Variant::BlokusDuo), Evidence::MoveSyntax);
        }
        // Little Golem writes Hex with two letters, and Havannah with letter and number. Its Twixt files have a GM.
        if self.little_golem && (lettered > pairs || (self.lg_rules && pairs == 0)) {
            return (Game::Havannah, Evidence::Source);
        }
        if self.little_golem && (self.swaps || self.hex_event || (self.game_number && !self.lg_rules)) {
            return (Game::Hex, Evidence::Source);
        }
        for (form, game) in [
            (Form::Border, Game::Kropki),
            (Form::Shot, Game::Amazons),
            (Form::LettersStep, Game::LinesOfAction),
            (Form::PairStep, Game::Gess),
            (Form::Octi, Game::Octi),
            (Form::Dice, Game::Backgammon),
        ] {
            // Kropki has a few borders among plain dots. In other games all moves have the form.
            if count(form) > 0 && (game == Game::Kropki || count(form) > pairs + lettered) {
                return (game, Evidence::MoveSyntax);
            }
        }
        if lettered > pairs {
            return (Game::Hex, Evidence::MoveSyntax);
        }
        if self.swaps {
            return (Game::Hex, Evidence::Words);
        }
        (Game::Go, Evidence::Default)
    }
}

fn starts_with(raw: &[u8], name: &[u8]) -> bool {
    raw.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

fn contains(raw: &[u8], name: &[u8]) -> bool {
    // The first bytes of a value are enough, so that a long value costs no more.
    raw[..raw.len().min(1024)].windows(name.len()).any(|part| part.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_of_records() {
        use Evidence as E;
        for (raw, game, evidence) in [
            ("(;GM[11];B[a1])", Game::Hex, E::Gm),
            ("(;GM[ hex ];B[a1])", Game::Hex, E::LenientGm),
            ("(;GM[blokus duo];B[a1,b1])", Game::Pentobi(Variant::BlokusDuo), E::LenientGm),
            ("(;B[pd];W[dp])", Game::Go, E::Default),
            ("(;C[empty])", Game::Go, E::Default),
            ("(;KM[6.5];B[q16];W[d4])", Game::Go, E::Komi),
            ("(;KM[0];B[a1];W[swap-pieces])", Game::Hex, E::MoveSyntax),
            ("(;AB[pd][qc];W[b2];B[c3])", Game::Go, E::Default),
            ("(;AB[a1];W[b2];B[c3])", Game::Hex, E::MoveSyntax),
            ("(;AW[aa:cc]SU[hive-plm])", Game::Hive, E::SetupType),
            ("(;AB[pd]AP[HexGui:0.9];W[b2])", Game::Hex, E::Application),
            ("", Game::Go, E::Default),
            ("(;AP[HexGui:0.9];AB[b2])", Game::Hex, E::Application),
            ("(;B[e4];W[swap-pieces])", Game::Hex, E::MoveSyntax),
            ("(;W[ad];B[swap])", Game::Hex, E::Words),
            ("(;EV[hex.mc.2009]SO[http://www.littlegolem.net];W[ad])", Game::Hex, E::Source),
            ("(;EV[hex.mc.2009];W[ad])", Game::Go, E::Default),
            ("(;EV[null]SZ[11]GC[ game #1]SO[http://www.littlegolem.net];W[ad])", Game::Hex, E::Source),
            ("(;EV[go19.ch.10]KM[6.5]SZ[19]SO[http://www.littlegolem.com];B[pd])", Game::Go, E::Komi),
            ("(;EV[null]GC[game #1];W[ad])", Game::Go, E::Default),
            ("(;RU[LG];W[G8];B[G6];W[resign])", Game::Havannah, E::Source),
            ("(;B[e8,e9,f9])", Game::Pentobi(Variant::BlokusDuo), E::MoveSyntax),
            ("(;BLUE[a20][b20])", Game::Pentobi(Variant::Blokus), E::Idents),
            ("(;1[a1,b1];2[a20])", Game::Pentobi(Variant::Blokus), E::Idents),
            ("(;P0[id \"x\"]SU[hive-plm];P0[0 Start P0])", Game::Hive, E::SetupType),
            ("(;5A[2]SW[True]SZ[15];B[hh];W[ii])", Game::Gomoku, E::Idents),
            ("(;P0[id \"x\"];P0[0 Start P0])", Game::Other, E::Idents),
            ("(;B[djddgd];W[dadbda])", Game::Amazons, E::MoveSyntax),
            ("(;B[e1-e3];W[C2:C5+])", Game::LinesOfAction, E::MoveSyntax),
            ("(;B[cc:cf])", Game::Gess, E::MoveSyntax),
            ("(;W[31hefe];B[61yg])", Game::Backgammon, E::MoveSyntax),
            ("(;B[33+B!];W[84-86-68x])", Game::Octi, E::MoveSyntax),
        ] {
            let found = detect(raw.as_bytes());
            assert_eq!((found.game, found.evidence), (game, evidence), "{raw}");
        }
    }

    #[test]
    fn programs() {
        assert_eq!(detect(b"(;GM[11]XS[];B[cd])").program, Program::Gorilla);
        assert_eq!(detect(b"(;RU[LG];W[G8];B[G6])").program, Program::LittleGolem);
        assert_eq!(detect(b"(;GM[11]AP[HexGui:0.9.0];B[d2];W[swap-pieces];W[f6])").program, Program::HexGui);
        assert_eq!(detect(b"(;GM[11];B[c4])").program, Program::Standard);
    }

    #[test]
    fn only_the_first_game_counts() {
        assert_eq!(detect(b"(;B[pd])(;GM[11];B[a1])").game, Game::Go);
    }
}
