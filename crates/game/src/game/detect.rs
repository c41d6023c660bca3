//! Which game and whose habits a record follows: by GM, and without it by what
//! the record shows. A missing GM means Go (spec R-02, G-04), and some programs
//! leave it out all the same (spec games §11: Little Golem).

use std::fmt;

use sgfstream::{Event, EventReader, Ident, Options, Property, SliceReader};

use super::backgammon::Roll;
use super::coordinates::{read_lettered, read_pair};
use super::kropki::Dots;
use super::octi::OctiMove;
use super::{Game, Key, MoveIds, Program, Variant};
use crate::value::{BoardSize, Komi, without_blanks};

/// Why a record was taken for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// GM names it.
    Gm,
    /// GM names it in a way that only the lenient reading takes.
    LenientGm,
    /// The application that wrote it plays nothing else.
    Application,
    /// Its source is a server whose files leave GM out.
    Source,
    /// Identifiers that only this dialect has.
    Idents,
    /// The variant that `SU` names.
    SetupType,
    /// How its moves are written.
    MoveSyntax,
    /// A swap or a resignation among its moves, which Go has none of.
    Words,
    /// A komi that is not zero: of all games, only Go has one (spec GI-03).
    Komi,
    /// Nothing: the default, Go.
    Default,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gm => "`GM` says so",
            Self::LenientGm => "`GM` says so in other words",
            Self::Application => "`AP` names a program for it",
            Self::Source => "`SO` names a server whose files have no `GM`",
            Self::Idents => "its property identifiers are of this dialect",
            Self::SetupType => "`SU` names a variant of it",
            Self::MoveSyntax => "its moves are written like this",
            Self::Words => "uses move words that do not exist in Go",
            Self::Komi => "it has a komi",
            Self::Default => "no `GM`, and nothing against the default",
        })
    }
}

/// A game, whose habits the record follows, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detected {
    /// The game.
    pub game: Game,
    /// Whose habits.
    pub program: Program,
    /// Why.
    pub evidence: Evidence,
}

/// How many moves are looked at before a record without GM is judged.
/// Kropki borders come late.
const MOVES_MAX: u32 = 1024;

/// The dialect of the first game in `bytes`.
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
pub fn detect(bytes: &[u8]) -> Detected {
    let mut detector = Detector::default();
    let mut reader = SliceReader::new(bytes);
    while let Some(event) = reader.next() {
        match event {
            Event::Property(property) => detector.observe(&property),
            Event::VariationEnd { .. } if reader.depth() <= 1 => break,
            _ => {}
        }
        if detector.has_enough() {
            break;
        }
    }
    detector.finish()
}

/// Moves of a game without GM that are looked at.
const AHEAD_MOVES: u32 = 64;

/// Bytes after its root that are looked at.
const AHEAD_BYTES: usize = 4096;

/// Looks at the beginning of a game, as far as it is to be known which game it is before anything is made of it: at its
/// root, and without GM at the bytes that follow. Whoever reads a game asks one of these, so that all take it for the
/// same.
#[derive(Clone, Debug, Default)]
pub struct Lookahead {
    detector: Detector,
    nodes: u64,
    /// Bytes of properties after the root.
    bytes: usize,
    is_done: bool,
}

impl Lookahead {
    /// A look ahead that has taken the root, of which `detector` has seen what tells of the program.
    pub(crate) fn after_root<'p>(detector: &Detector, root: impl Iterator<Item = Property<'p>>) -> Self {
        let mut detector = detector.clone();
        root.for_each(|property| detector.observe(&property));
        Self { detector, nodes: 1, ..Self::default() }
    }

    /// Takes an event of the game. True if nothing that follows is looked at.
    pub fn take(&mut self, event: &Event<'_>) -> bool {
        match event {
            _ if self.is_done => return true,
            Event::NodeStart { .. } => {
                self.nodes += 1;
                self.bytes += usize::from(self.nodes > 1);
                self.is_done = self.nodes > 1 && (self.detector.gm.is_some() || self.detector.moves >= AHEAD_MOVES);
            }
            Event::Property(property) => {
                // GM names a game in its root only.
                if self.nodes <= 1 || Key::of(property.ident()) != Key::GM {
                    self.detector.observe(property);
                }
                self.bytes += if self.nodes > 1 { property.as_bytes().len() } else { 0 };
            }
            // It cannot be held until the game is known.
            _ => self.is_done |= event.ident().is_some(),
        }
        self.is_done |= self.bytes >= AHEAD_BYTES;
        self.is_done
    }

    /// The game, as far as it was looked at.
    #[must_use]
    pub fn finish(&self) -> Detected {
        self.detector.finish()
    }

    /// The answer for a game that is held in memory. `options` are those it is read with.
    ///
    /// ```
    /// use sgfstream::Options;
    /// use sgfstream_game::{Game, Lookahead};
    ///
    /// let game = b"(;FF[4]SZ[8]PB[a]PW[b];B[a1];W[swap-pieces];B[c3])";
    /// assert_eq!(Lookahead::of_game(game, Options::default()).game, Game::Hex);
    /// ```
    #[must_use]
    pub fn of_game(bytes: &[u8], options: Options) -> Detected {
        let mut lookahead = Self::default();
        let mut reader = SliceReader::with_options(bytes, options);
        while let Some(event) = reader.next() {
            let is_end = matches!(event, Event::VariationEnd { .. }) && reader.depth() <= 1;
            if is_end || lookahead.take(&event) {
                break;
            }
        }
        lookahead.finish()
    }
}

/// Looks at the properties of one game tree, in their order.
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
    /// The event is one of Hex.
    hex_event: bool,
    /// `GC[game #17]`: of the games that Little Golem writes with two letters, Hex has it and Go has not.
    game_number: bool,
    gorilla: bool,
    hexgui: bool,
    setup_type: Option<Game>,
    four_colors: bool,
    /// `B` or `W` plays.
    two_colors: bool,
    pieces: bool,
    boardspace: bool,
    renju: bool,
    komi: bool,
    moves: u32,
    swaps: bool,
    words: bool,
    /// How many moves have each form.
    forms: [u32; Form::COUNT],
}

/// The forms of moves that tell games apart.
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
    /// True once nothing further can change the answer much: GM and some moves
    /// were seen, or many moves without GM.
    #[must_use]
    pub fn has_enough(&self) -> bool {
        self.moves >= if self.gm.is_some() { 1 } else { MOVES_MAX }
    }

    /// Looks at one property.
    pub fn observe(&mut self, property: &Property<'_>) {
        self.look(Key::of(property.ident()), property.ident(), property.first().as_bytes());
    }

    /// Looks at the first value of a property.
    pub(crate) fn look(&mut self, key: Key, ident: Ident<'_>, raw: &[u8]) {
        match key {
            Key::GM if self.gm.is_none() => {
                let read = Game::parse_lenient(raw);
                self.gm = Some((read.value, if read.repair.is_none() { Evidence::Gm } else { Evidence::LenientGm }));
            }
            Key::AP => self.observe_application(raw),
            Key::EV => self.hex_event = starts_with(raw, b"hex"),
            Key::GC => self.game_number = starts_with(raw.trim_ascii_start(), b"game #"),
            Key::SO | Key::PC if contains(raw, b"littlegolem") => self.little_golem = true,
            // What Little Golem writes in its Havannah files.
            Key::RU if raw == b"LG" => {
                self.little_golem = true;
                self.lg_rules = true;
            }
            Key::XS | Key::XV | Key::XP | Key::XB => self.gorilla = true,
            Key::SU if starts_with(raw, b"hive") => self.setup_type = Some(Game::Hive),
            Key::SU if starts_with(raw, b"zertz") => self.setup_type = Some(Game::Zertz),
            Key::P0 => self.boardspace = true,
            // The number of fifth moves offered: Renju, as iwzq.com saves it.
            Key::FIFTH_MOVES => self.renju = true,
            Key::KM => self.komi |= Komi::parse_lenient(raw).is_ok_and(|komi| komi.value.get() != 0.0),
            Key::B | Key::W => self.observe_move(raw),
            Key::A1 | Key::A2 | Key::A3 | Key::A4 => self.four_colors = true,
            _ if MoveIds::of(Game::Pentobi(Variant::Blokus)).contains(ident) => {
                self.moves += 1;
                self.four_colors = true;
            }
            _ => {}
        }
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
        self.application =
            games.iter().find(|(name, _)| starts_with(raw, name)).map(|&(_, game)| game).or(self.application);
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
        self.komi
    }

    /// The answer.
    #[must_use]
    pub fn finish(&self) -> Detected {
        let (game, evidence) = self.gm.unwrap_or_else(|| self.without_gm());
        let swaps_without_gm = self.gm.is_none() && self.swaps && matches!(game, Game::Hex | Game::Havannah);
        let program = match self.program(game) {
            Program::Standard | Program::HexGui if swaps_without_gm => Program::LittleGolem,
            program => program,
        };
        Detected { game, program, evidence }
    }

    /// The program that wrote a record of `game`, as far as its root shows it.
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
        if let Some(game) = self.setup_type {
            return (game, Evidence::SetupType);
        }
        // A game of four colors has no moves of Black and White.
        if self.four_colors && !self.two_colors {
            return (Game::Pentobi(Variant::Blokus), Evidence::Idents);
        }
        if self.boardspace {
            return (Game::Other, Evidence::Idents);
        }
        if self.renju {
            return (Game::Gomoku, Evidence::Idents);
        }
        if let Some(game) = self.application {
            return (game, Evidence::Application);
        }
        if self.pieces {
            return (Game::Pentobi(Variant::BlokusDuo), Evidence::MoveSyntax);
        }
        // Little Golem writes Hex with two letters, Havannah with letter and
        // number; its Twixt has a GM.
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
            // A border is one move among plain dots; the other forms are in all moves.
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
    // The first bytes of a value are enough, however long it is.
    raw[..raw.len().min(1024)].windows(name.len()).any(|part| part.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_records_show() {
        use Evidence as E;
        for (raw, game, evidence) in [
            ("(;GM[11];B[a1])", Game::Hex, E::Gm),
            ("(;GM[ hex ];B[a1])", Game::Hex, E::LenientGm),
            ("(;GM[blokus duo];B[a1,b1])", Game::Pentobi(Variant::BlokusDuo), E::LenientGm),
            ("(;B[pd];W[dp])", Game::Go, E::Default),
            ("(;C[empty])", Game::Go, E::Default),
            ("(;KM[6.5];B[q16];W[d4])", Game::Go, E::Komi),
            ("(;KM[0];B[a1];W[swap-pieces])", Game::Hex, E::MoveSyntax),
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
