//! Finds out which game a record without GM is of, and which program's notation it uses, by other
//! properties and the moves. A missing GM means Go (spec R-02, G-04), but some programs leave GM
//! out for other games too (spec games §11: Little Golem).

use sgfstream::{Ident, Property};

use super::backgammon::Roll;
use super::coordinates::{read_lettered, read_pair};
use super::kropki::Dots;
use super::octi::OctiMove;
use super::{Game, Key, Program, Variant};
use crate::value::{BoardSize, Komi, without_blanks};

/// Game of a record without `GM`, and its program.
#[derive(Clone, Copy)]
pub(crate) struct DetectedGame {
    pub(crate) game: Game,
    pub(crate) program: Program,
    /// Whether nothing shows the game, so that it is Go by default.
    pub(crate) is_default: bool,
}

/// Collects evidence from the properties of one game tree, in their order.
#[derive(Default)]
pub(crate) struct Detector {
    application: Option<Game>,
    little_golem: bool,
    lg_rules: bool,
    /// Game that EV starts with.
    event: Option<Game>,
    /// `GC[game #17]`: among the games that Little Golem writes with two letters, only Hex has it.
    game_number: bool,
    gorilla: bool,
    hexgui: bool,
    /// Properties of game information that occurred, one bit each.
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
    pub(crate) moves: u32,
    swaps: bool,
    words: bool,
    /// Number of moves in each notation.
    forms: [u32; Form::COUNT],
}

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
        } else if let Some(at) = without_marks
            .iter()
            .position(|byte| matches!(byte, b'-' | b':'))
        {
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
    pub(crate) fn observe(&mut self, property: &Property<'_>) {
        self.add_property(
            Key::of(property.ident()),
            property.ident(),
            property.first().as_bytes(),
        );
    }

    /// Adds the evidence of the first value of a property.
    pub(crate) fn add_property(&mut self, key: Key, ident: Ident<'_>, raw: &[u8]) {
        if !self.counts(key, raw) {
            return;
        }
        match key {
            Key::AP => self.observe_application(raw),
            Key::EV => {
                let games: [(&[u8], Game); 2] = [(b"hex", Game::Hex), (b"twixt", Game::Twixt)];
                self.event = named(&games, raw);
            }
            Key::GC => self.game_number = starts_with(raw.trim_ascii_start(), b"game #"),
            Key::SO | Key::PC => self.little_golem |= contains(raw, b"littlegolem"),
            // Little Golem writes it in Havannah files.
            Key::RU => {
                self.lg_rules = raw == b"LG";
                self.little_golem |= self.lg_rules;
            }
            Key::XS | Key::XV | Key::XP | Key::XB => self.gorilla = true,
            Key::SU => {
                let games: [(&[u8], Game); 2] = [(b"hive", Game::Hive), (b"zertz", Game::Zertz)];
                self.setup_type = named(&games, raw);
            }
            Key::P0 => self.boardspace = true,
            // Number of fifth moves on offer: a Renju record of iwzq.com.
            Key::FIFTH_MOVES => self.renju = true,
            Key::KM => {
                self.komi = Komi::parse_lenient(raw).is_ok_and(|komi| komi.value.get() != 0.0)
            }
            Key::AB | Key::AW if self.stones => {}
            Key::AB | Key::AW => {
                let corner = raw.split(|&byte| byte == b':').next();
                self.stones = corner.is_some_and(|point| read_pair(point).is_some());
            }
            Key::B | Key::W => self.observe_move(raw),
            Key::A1 | Key::A2 | Key::A3 | Key::A4 => self.four_colors = true,
            _ if Game::Pentobi(Variant::Blokus).move_ids().contains(ident) => {
                self.moves += 1;
                self.four_colors = true;
            }
            _ => {}
        }
    }

    /// Returns whether a property is evidence. Of game information, it is the first that is not
    /// empty, which `fix` keeps.
    fn counts(&mut self, key: Key, raw: &[u8]) -> bool {
        let bit = match key {
            Key::AP => 0,
            Key::EV => 1,
            Key::GC => 2,
            Key::SO => 3,
            Key::PC => 4,
            Key::RU => 5,
            Key::SU => 6,
            Key::KM => 7,
            _ => return true,
        };
        let is_first = !raw.trim_ascii().is_empty() && self.occurred & 1 << bit == 0;
        self.occurred |= u8::from(is_first) << bit;
        is_first
    }

    fn observe_application(&mut self, raw: &[u8]) {
        let games: [(&[u8], Game); 7] = [
            (b"hexgui", Game::Hex),
            (b"gnu backgammon", Game::Backgammon),
            (b"edax", Game::Othello),
            (b"kropki", Game::Kropki),
            (b"zagram", Game::Kropki),
            (b"twixt", Game::Twixt),
            (b"pentobi", Game::Pentobi(Variant::Blokus)),
        ];
        self.application = named(&games, raw);
        let program = Program::of_application(raw);
        self.gorilla |= program == Program::Gorilla;
        self.hexgui |= program == Program::HexGui;
    }

    fn observe_move(&mut self, raw: &[u8]) {
        self.moves += 1;
        self.two_colors = true;
        // Most moves are points of two letters.
        if read_pair(raw).is_some() {
            self.forms[Form::Pair as usize] += 1;
            return;
        }
        let raw = &*without_blanks(raw);
        if starts_with(raw, b"swap") {
            self.swaps = true;
        } else if [&b"resign"[..], b"forfeit"]
            .iter()
            .any(|word| raw.eq_ignore_ascii_case(word))
        {
            self.words = true;
        } else if raw.contains(&b',')
            && raw
                .split(|&byte| byte == b',')
                .all(|part| read_lettered(part).is_some())
        {
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

    /// Returns whether the record is a position of Go, such as a problem: stones on points of two
    /// letters, and nothing else that another game has.
    fn is_position(&self) -> bool {
        let is_other = self.little_golem || self.boardspace || self.renju;
        self.stones && !is_other && self.application.is_none() && self.setup_type.is_none()
    }

    /// Returns the result so far.
    pub(crate) fn finish(&self) -> DetectedGame {
        let shown = self.shown_game();
        let game = shown.unwrap_or(Game::Go);
        let is_swapped = self.swaps && matches!(game, Game::Hex | Game::Havannah);
        let program = match self.program(game) {
            Program::Standard | Program::HexGui if is_swapped => Program::LittleGolem,
            program => program,
        };
        DetectedGame {
            game,
            program,
            is_default: shown.is_none(),
        }
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

    /// Returns the game that a property or the moves show.
    fn shown_game(&self) -> Option<Game> {
        let count = |form: Form| self.forms[form as usize];
        let (pairs, lettered) = (count(Form::Pair), count(Form::Lettered));
        if self.komi {
            return Some(Game::Go);
        }
        if self.is_renju() {
            return Some(Game::Gomoku);
        }
        if self.is_position() {
            return None;
        }
        if let Some(game) = self.setup_type {
            return Some(game);
        }
        // A game of four colors has no moves of `B` and `W`.
        if self.four_colors && !self.two_colors {
            return Some(Game::Pentobi(Variant::Blokus));
        }
        if self.boardspace {
            return Some(Game::Other);
        }
        if let Some(game) = self.application {
            return Some(game);
        }
        if self.pieces {
            return Some(Game::Pentobi(Variant::BlokusDuo));
        }
        if self.little_golem && self.event == Some(Game::Twixt) {
            return Some(Game::Twixt);
        }
        // Little Golem writes Hex with two letters, and Havannah with letter and number.
        if self.little_golem && (lettered > pairs || (self.lg_rules && pairs == 0)) {
            return Some(Game::Havannah);
        }
        let is_hex =
            self.swaps || self.event == Some(Game::Hex) || (self.game_number && !self.lg_rules);
        if self.little_golem && is_hex {
            return Some(Game::Hex);
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
                return Some(game);
            }
        }
        if lettered > pairs {
            return Some(Game::Hex);
        }
        if self.swaps {
            return Some(Game::Hex);
        }
        None
    }
}

/// Returns the game or program of the first name that the value starts with.
pub(super) fn named<T: Copy>(names: &[(&[u8], T)], raw: &[u8]) -> Option<T> {
    names
        .iter()
        .find(|(name, _)| starts_with(raw, name))
        .map(|&(_, named)| named)
}

fn starts_with(raw: &[u8], name: &[u8]) -> bool {
    raw.get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name))
}

fn contains(raw: &[u8], name: &[u8]) -> bool {
    // The first bytes of a value are enough, so that a long value costs no more.
    raw[..raw.len().min(1024)]
        .windows(name.len())
        .any(|part| part.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use sgfstream::{Event, SliceReader};

    use super::*;

    fn detect(raw: &str) -> DetectedGame {
        let mut detector = Detector::default();
        for event in SliceReader::new(raw.as_bytes()).events().flatten() {
            if let Event::Property(property) = event {
                detector.observe(&property);
            }
        }
        detector.finish()
    }

    #[test]
    fn evidence_of_records() {
        for (raw, game, is_default) in [
            ("(;B[pd];W[dp])", Game::Go, true),
            ("(;C[empty])", Game::Go, true),
            ("(;KM[6.5];B[q16];W[d4])", Game::Go, false),
            ("(;KM[0];B[a1];W[swap-pieces])", Game::Hex, false),
            ("(;AB[pd][qc];W[b2];B[c3])", Game::Go, true),
            ("(;AB[a1];W[b2];B[c3])", Game::Hex, false),
            ("(;AW[aa:cc]SU[hive-plm])", Game::Hive, false),
            ("(;AB[pd]AP[HexGui:0.9];W[b2])", Game::Hex, false),
            ("", Game::Go, true),
            ("(;AP[HexGui:0.9];AB[b2])", Game::Hex, false),
            ("(;B[e4];W[swap-pieces])", Game::Hex, false),
            ("(;W[ad];B[swap])", Game::Hex, false),
            (
                "(;EV[hex.mc.2009]SO[http://www.littlegolem.net];W[ad])",
                Game::Hex,
                false,
            ),
            ("(;EV[hex.mc.2009];W[ad])", Game::Go, true),
            (
                "(;EV[twixt.ld.SIZE30]SZ[30]SO[https://www.littlegolem.net];b[dc];r[op])",
                Game::Twixt,
                false,
            ),
            ("(;EV[twixt.ld.SIZE30];b[dc];r[op])", Game::Go, true),
            (
                "(;EV[null]SZ[11]GC[ game #1]SO[http://www.littlegolem.net];W[ad])",
                Game::Hex,
                false,
            ),
            (
                "(;EV[go19.ch.10]KM[6.5]SZ[19]SO[http://www.littlegolem.com];B[pd])",
                Game::Go,
                false,
            ),
            ("(;EV[null]GC[game #1];W[ad])", Game::Go, true),
            ("(;RU[LG];W[G8];B[G6];W[resign])", Game::Havannah, false),
            ("(;B[e8,e9,f9])", Game::Pentobi(Variant::BlokusDuo), false),
            ("(;BLUE[a20][b20])", Game::Pentobi(Variant::Blokus), false),
            ("(;1[a1,b1];2[a20])", Game::Pentobi(Variant::Blokus), false),
            (
                "(;P0[id \"x\"]SU[hive-plm];P0[0 Start P0])",
                Game::Hive,
                false,
            ),
            ("(;5A[2]SW[True]SZ[15];B[hh];W[ii])", Game::Gomoku, false),
            ("(;P0[id \"x\"];P0[0 Start P0])", Game::Other, false),
            ("(;B[djddgd];W[dadbda])", Game::Amazons, false),
            ("(;B[e1-e3];W[C2:C5+])", Game::LinesOfAction, false),
            ("(;B[cc:cf])", Game::Gess, false),
            ("(;W[31hefe];B[61yg])", Game::Backgammon, false),
            ("(;B[33+B!];W[84-86-68x])", Game::Octi, false),
        ] {
            let found = detect(raw);
            assert_eq!((found.game, found.is_default), (game, is_default), "{raw}");
        }
    }

    #[test]
    fn programs() {
        assert_eq!(detect("(;XS[];B[cd])").program, Program::Gorilla);
        assert_eq!(
            detect("(;RU[LG];W[G8];B[G6])").program,
            Program::LittleGolem
        );
        assert_eq!(
            detect("(;AP[HexGui:0.9.0];B[d2];W[f6])").program,
            Program::HexGui
        );
        assert_eq!(detect("(;B[c4])").program, Program::Standard);
    }
}
