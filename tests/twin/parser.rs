//! The rules of `docs/spec/reader.md`, row by row.

use std::collections::HashSet;
use std::ops::Range;

use sgfstream::Charset;

use super::bytes::*;
use super::step::{Kind, Step};

/// Limits, as in `sgfstream::Limits`.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub property: usize,
    pub identifier: usize,
    pub lookahead: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            property: 1 << 20,
            identifier: 4096,
            lookahead: 4096,
        }
    }
}

/// Returns all events of `bytes`.
pub fn parse(bytes: &[u8], bounds: Bounds) -> Vec<Step> {
    let bounds = Bounds {
        property: bounds.property.max(16),
        lookahead: bounds.lookahead.max(64),
        ..bounds
    };
    let mut twin = Twin {
        bytes,
        bounds,
        ..Twin::default()
    };
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        twin.problem("wide-encoding", 0..2);
        twin.at = 2;
    }
    while twin.at < bytes.len() {
        if twin.depth() == 0 {
            twin.outside();
        } else {
            twin.inside();
        }
    }
    if twin.depth() > 0 {
        twin.end_game();
    } else if twin.games == 0 {
        twin.problem("no-game", twin.at..twin.at);
    }
    twin.steps
}

/// Effect of an open parenthesis.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// It began a game or variation, as the missing `(` of a headless game does.
    Variation,
    /// Inserted before a node after a variation, so it has no `)`.
    Supplied,
    /// The parser dropped it.
    Dropped,
}

/// State of the innermost variation.
#[derive(Clone, Copy, Default, PartialEq)]
enum Place {
    /// After the `(` of the variation.
    #[default]
    BeforeNode,
    InNode,
    AfterVariation,
}

/// Bytes after a `(` or `;` and blanks, as far as the lookahead reaches.
enum Ahead {
    Semicolon,
    /// Identifier with a capital or digit, blanks, `[`.
    Property,
    Open,
    /// The place of the `)`.
    Close(usize),
    OnlyBlanks,
    Other,
}

#[derive(Default)]
struct Twin<'a> {
    bytes: &'a [u8],
    bounds: Bounds,
    at: usize,
    steps: Vec<Step>,
    open: Vec<Open>,
    place: Place,
    games: usize,
    nodes: usize,
    /// Number of the last game that has a variation that looks like a game.
    tree_of_games: usize,
    is_ff4: bool,
    early_lowercase: Option<Range<usize>>,
    /// The `(` of another game, found inside a value.
    lost_bracket: Option<usize>,
}

impl Twin<'_> {
    fn step(&mut self, kind: Kind, span: Range<usize>) {
        self.steps.push(Step {
            kind,
            span: span.start as u64..span.end as u64,
        });
    }

    fn problem(&mut self, code: &'static str, span: Range<usize>) {
        self.step(Kind::Problem(code), span);
    }

    fn depth(&self) -> usize {
        self.open
            .iter()
            .filter(|&&open| open != Open::Dropped)
            .count()
    }

    // --- Outside a game ---

    fn outside(&mut self) {
        let mut text: Option<Range<usize>> = None;
        while self.skip_blanks_and_marks() && self.is_text_outside(text.is_some()) {
            let start = text.map_or(self.at, |text| text.start);
            self.at += 1;
            text = Some(start..self.at);
        }
        if let Some(text) = text {
            let code = if self.games > 0 {
                "text-after-game"
            } else if holds_value(&self.bytes[text.clone()]) {
                "value-before-game"
            } else {
                "text-before-game"
            };
            self.problem(code, text);
        }
        let at = self.at;
        match self.bytes.get(at) {
            None => {}
            Some(b';') => {
                self.problem("missing-parenthesis", at..at);
                self.start_game(at..at, true);
            }
            Some(b')') => {
                if self.open.pop().is_none() {
                    self.problem("stray-parenthesis", at..at + 1);
                }
                self.at += 1;
            }
            Some(_) => match self.ahead(at) {
                Ahead::Semicolon => self.start_game(at..at + 1, false),
                Ahead::Property => {
                    self.start_game(at..at + 1, false);
                    self.missing_semicolon();
                }
                Ahead::Open => self.drop_parenthesis(),
                Ahead::Close(close) => self.drop_empty_variation(close),
                Ahead::OnlyBlanks | Ahead::Other => unreachable!("that is text"),
            },
        }
    }

    /// Skips blanks and byte order marks. Returns false at the end of input.
    fn skip_blanks_and_marks(&mut self) -> bool {
        loop {
            self.at = after_blanks(self.bytes, self.at);
            if !self.bytes[self.at..].starts_with(BOM) {
                return self.at < self.bytes.len();
            }
            self.at += BOM.len();
        }
    }

    fn is_text_outside(&self, after_text: bool) -> bool {
        match self.bytes[self.at] {
            b'(' => match self.ahead(self.at) {
                Ahead::Semicolon | Ahead::Property | Ahead::Open => false,
                Ahead::Close(_) => after_text,
                Ahead::OnlyBlanks | Ahead::Other => true,
            },
            b')' => after_text,
            b';' => {
                !(self.is_line_start(self.at) && matches!(self.ahead(self.at), Ahead::Property))
            }
            _ => true,
        }
    }

    /// Opens a game or variation. `span` is empty if the parenthesis is inserted.
    fn start_game(&mut self, span: Range<usize>, supplied: bool) {
        self.games += 1;
        self.nodes = 0;
        self.is_ff4 = false;
        self.early_lowercase = None;
        self.start_variation(span, supplied, Open::Variation);
    }

    // --- Inside a game ---

    fn inside(&mut self) {
        self.skip_blanks_in_game();
        let mut text: Option<Range<usize>> = None;
        while let Some(end) = self.text_end(text.is_some()) {
            text = Some(text.map_or(self.at, |text| text.start)..end);
            self.at = end;
            while self
                .bytes
                .get(self.at)
                .is_some_and(|&byte| is_blank(byte) && byte != 0)
            {
                self.at += 1;
            }
        }
        if let Some(text) = text {
            self.problem("unexpected-text", text);
        }
        let at = self.at;
        match self.bytes.get(at) {
            None => {}
            Some(b';') => {
                self.leave_closed_variation(at);
                self.start_node(at..at + 1, false);
            }
            Some(b'(') => self.parenthesis(),
            Some(b')') => self.close_parenthesis(),
            Some(b'[') => self.dropped_property("value-without-identifier", at, at),
            Some(b']') => {
                self.problem("stray-bracket", at..at + 1);
                self.at += 1;
            }
            Some(_) => self.identifier(),
        }
    }

    /// Skips blanks inside a game. Each run of NULs is a problem.
    fn skip_blanks_in_game(&mut self) {
        while self.bytes.get(self.at).is_some_and(|&byte| is_blank(byte)) {
            let start = self.at;
            self.at += 1;
            if self.bytes[start] == 0 {
                while self.bytes.get(self.at) == Some(&0) {
                    self.at += 1;
                }
                self.problem("nul-byte", start..self.at);
            }
        }
    }

    /// Returns where a run of text inside a game ends, if one begins here. A NUL
    /// in the run is text.
    fn text_end(&self, after_text: bool) -> Option<usize> {
        match *self.bytes.get(self.at)? {
            b';' | b'(' | b')' | b'[' | b']' => None,
            0 if after_text => Some(self.at + 1),
            byte if byte.is_ascii_alphanumeric() => {
                let end = after_identifier(self.bytes, self.at);
                let is_text = end - self.at <= self.bounds.identifier
                    && !has_capital_or_digit(&self.bytes[self.at..end])
                    && self.value_after(end).is_none();
                is_text.then_some(end)
            }
            _ => Some(self.at + 1),
        }
    }

    fn parenthesis(&mut self) {
        let at = self.at;
        if self.is_next_game(at) {
            self.end_game();
            return self.start_game(at..at + 1, false);
        }
        match self.ahead(at) {
            Ahead::Semicolon | Ahead::OnlyBlanks => {
                self.supply_missing_node();
                self.start_variation(at..at + 1, false, Open::Variation);
            }
            Ahead::Property => {
                self.supply_missing_node();
                self.start_variation(at..at + 1, false, Open::Variation);
                self.missing_semicolon();
            }
            Ahead::Close(close) => self.drop_empty_variation(close),
            Ahead::Open | Ahead::Other => self.drop_parenthesis(),
        }
    }

    fn drop_parenthesis(&mut self) {
        self.problem("variation-without-node", self.at..self.at + 1);
        self.open.push(Open::Dropped);
        self.at += 1;
    }

    fn drop_empty_variation(&mut self, close: usize) {
        self.problem("empty-variation", self.at..close + 1);
        self.at = close + 1;
    }

    fn close_parenthesis(&mut self) {
        let at = self.at;
        if self.open.last() != Some(&Open::Dropped) {
            self.supply_missing_node();
        }
        while self.open.last() == Some(&Open::Supplied) {
            self.end_variation(at..at, true);
        }
        if self.open.last() == Some(&Open::Dropped) {
            self.open.pop();
        } else {
            self.end_variation(at..at + 1, false);
        }
        self.at = at + 1;
    }

    /// Ends the game at the end of input, or at the start of another game. A `(`
    /// that was dropped outside the game stays open.
    fn end_game(&mut self) {
        let at = self.at;
        self.supply_missing_node();
        self.problem("unclosed-game", at..at);
        while self.depth() > 0 {
            if self.open.last() == Some(&Open::Dropped) {
                self.open.pop();
            } else {
                self.end_variation(at..at, true);
            }
        }
    }

    fn start_variation(&mut self, span: Range<usize>, supplied: bool, open: Open) {
        self.at = span.end;
        self.open.push(open);
        let depth = self.depth() as u64;
        self.step(Kind::VariationStart { depth, supplied }, span);
        self.place = Place::BeforeNode;
    }

    fn end_variation(&mut self, span: Range<usize>, supplied: bool) {
        let depth = self.depth() as u64;
        self.step(Kind::VariationEnd { depth, supplied }, span);
        self.open.pop();
        self.place = Place::AfterVariation;
    }

    fn start_node(&mut self, span: Range<usize>, supplied: bool) {
        self.at = span.end;
        self.step(Kind::NodeStart { supplied }, span);
        self.nodes += 1;
        self.place = Place::InNode;
    }

    /// Handles the start of a node or property at `at`: after a closed variation,
    /// inserts a variation around it.
    fn leave_closed_variation(&mut self, at: usize) {
        if self.place == Place::AfterVariation {
            self.problem("node-after-variation", at..at);
            self.start_variation(at..at, true, Open::Supplied);
        }
    }

    /// Inserts a node for a property that follows a `(` and blanks, unless its
    /// identifier is too long, so that the property is dropped.
    fn missing_semicolon(&mut self) {
        self.skip_blanks_in_game();
        if after_identifier(self.bytes, self.at) - self.at <= self.bounds.identifier {
            self.supply_missing_node();
        }
    }

    /// Inserts a node into a variation that continues or ends without one.
    fn supply_missing_node(&mut self) {
        if self.place == Place::BeforeNode {
            let code = if self.depth() == 1 {
                "missing-root-semicolon"
            } else {
                "missing-semicolon"
            };
            self.problem(code, self.at..self.at);
            self.start_node(self.at..self.at, true);
        }
    }

    // --- Properties ---

    fn identifier(&mut self) {
        let ident = self.at..after_identifier(self.bytes, self.at);
        let next = after_blanks(self.bytes, ident.end);
        let has_value = self.value_after(ident.end).is_some();
        if ident.len() > self.bounds.identifier {
            // The property is dropped, so its values may be any distance away.
            if self.bytes.get(next) == Some(&b'[') {
                return self.dropped_property("identifier-too-long", ident.start, next);
            }
            self.problem("identifier-too-long", ident.clone());
            self.at = next;
            return;
        } else if has_value && has_capital_or_digit(&self.bytes[ident.clone()]) {
            return self.property(ident, next);
        } else if has_value {
            return self.dropped_property("identifier-without-capital", ident.start, next);
        } else if next == self.bytes.len() && next < ident.end + self.bounds.lookahead {
            self.problem("unclosed-identifier", ident.clone());
        } else {
            self.problem("identifier-without-value", ident.clone());
        }
        self.at = ident.end;
    }

    /// Returns the `[` after an identifier that ends at `end`, within the lookahead.
    fn value_after(&self, end: usize) -> Option<usize> {
        let next = after_blanks(self.bytes, end);
        (next < end + self.bounds.lookahead && self.bytes.get(next) == Some(&b'[')).then_some(next)
    }

    /// Drops values without an identifier, and reports one problem for all of them.
    fn dropped_property(&mut self, code: &'static str, start: usize, bracket: usize) {
        let values = self.values(start, bracket);
        self.problem(code, start..values.end);
        self.at = values.end;
        if values.closed {
            self.at = after_blanks(self.bytes, values.end);
        } else {
            self.lost_bracket = Some(values.end);
            self.problem("unclosed-value", values.end..values.end);
        }
    }

    fn property(&mut self, ident: Range<usize>, bracket: usize) {
        if self.place == Place::AfterVariation {
            self.leave_closed_variation(ident.start);
            self.start_node(ident.start..ident.start, true);
        }
        self.supply_missing_node();
        let name = self.bytes[ident.clone()].to_vec();
        let values = self.values(ident.start, bracket);
        let contents: Vec<_> = values
            .contents
            .iter()
            .map(|content| self.bytes[content.clone()].to_vec())
            .collect();
        self.at = values.end;
        let first_step = self.steps.len();
        if values.long {
            self.parts(&ident, &values);
            if values.closed {
                self.at = after_blanks(self.bytes, values.end);
            }
        } else {
            self.step(
                Kind::Property {
                    ident: name.clone(),
                    values: contents.clone(),
                },
                ident.start..values.end,
            );
        }
        let canonical: Vec<_> = name
            .iter()
            .copied()
            .filter(|byte| !byte.is_ascii_lowercase())
            .collect();
        let first = contents[0].trim_ascii();
        let in_root = self.nodes == 1 && !values.long;
        let lowercase = (canonical.len() < name.len()).then_some(ident.clone());
        if in_root && canonical == b"FF" && first == b"4" && !self.is_ff4 {
            self.is_ff4 = true;
            if let Some(early) = self.early_lowercase.take().or(lowercase) {
                self.problem("lowercase-identifier", early);
            }
        } else if let (true, Some(lowercase)) = (self.is_ff4, lowercase.clone()) {
            self.problem("lowercase-identifier", lowercase);
            if values.long {
                // The problem comes after the first part.
                let problem = self.steps.pop().expect("just pushed");
                self.steps.insert(first_step + 1, problem);
            }
        } else if self.nodes == 1 && self.early_lowercase.is_none() {
            self.early_lowercase = lowercase;
        }
        if in_root && canonical == b"CA" && Charset::for_label(first).is_none() {
            self.problem("unknown-charset", ident.start..values.end);
        }
        if !values.closed {
            self.lost_bracket = Some(values.end);
            self.problem("unclosed-value", values.end..values.end);
        }
    }

    /// Returns the parts of a long property.
    fn parts(&mut self, ident: &Range<usize>, values: &Values) {
        for (index, content) in values.contents.iter().enumerate() {
            let mut start = content.start - 1;
            if index == 0 {
                start = ident.start;
            }
            let is_closed = values.closed || index + 1 < values.contents.len();
            let pieces = self.pieces(content.clone());
            for (number, piece) in pieces.iter().enumerate() {
                let (first, last) = (number == 0, number + 1 == pieces.len());
                let end = if last {
                    content.end + usize::from(is_closed)
                } else {
                    piece.end
                };
                let part = Kind::Part {
                    ident: self.bytes[ident.clone()].to_vec(),
                    value: index as u64,
                    content: self.bytes[piece.clone()].to_vec(),
                    first,
                    last,
                };
                self.step(part, start..end);
                start = end;
            }
        }
    }

    /// Reads the values from the `[` at `bracket` on, of a property from `start`.
    fn values(&self, start: usize, bracket: usize) -> Values {
        let (whole, decided) = self.values_by(bracket, |content| content.start);
        if decided < start + self.bounds.property {
            return whole;
        }
        // Returned pieces are final, so in a long property only the last
        // piece of a value can contain another game.
        let last_piece =
            |content: Range<usize>| self.pieces(content).pop().expect("at least one").start;
        Values {
            long: true,
            ..self.values_by(bracket, last_piece).0
        }
    }

    /// Returns the values, and the place of the byte that ended them. The search
    /// for another game begins at `search(content)`.
    fn values_by(&self, bracket: usize, search: impl Fn(Range<usize>) -> usize) -> (Values, usize) {
        let mut values = Values {
            contents: Vec::new(),
            end: bracket,
            closed: true,
            long: false,
        };
        let mut next = bracket;
        while self.bytes.get(next) == Some(&b'[') {
            let content = next + 1..value_end(self.bytes, next + 1);
            let game = self.next_game_in_value(search(content.clone()), content.end);
            values.end = game.unwrap_or(content.end);
            values.contents.push(content.start..values.end);
            values.closed = game.is_none() && content.end < self.bytes.len();
            if !values.closed {
                return (values, content.end);
            }
            values.end += 1;
            next = after_blanks(self.bytes, values.end);
        }
        (values, next)
    }

    /// Returns the pieces of a value in a long property. Each is as long as the
    /// limit allows, and cuts no escape, line-break pair or character.
    fn pieces(&self, content: Range<usize>) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let mut start = content.start;
        while content.end - start > self.bounds.property {
            let mut cut = start;
            loop {
                let next = cut + unit_len(&self.bytes[cut..content.end]);
                if next > start + self.bounds.property {
                    break;
                }
                cut = next;
            }
            pieces.push(start..cut);
            start = cut;
        }
        pieces.push(start..content.end);
        pieces
    }

    // --- Looks ahead and back ---

    fn ahead(&self, from: usize) -> Ahead {
        let sight = self.bytes.len().min(from + self.bounds.lookahead);
        let seen = &self.bytes[..sight];
        let next = after_blanks(seen, from + 1);
        match seen.get(next) {
            None if sight == from + self.bounds.lookahead => Ahead::OnlyBlanks,
            None => Ahead::Other,
            Some(b';') => Ahead::Semicolon,
            Some(b'(') => Ahead::Open,
            Some(b')') => Ahead::Close(next),
            Some(_) => {
                let end = after_identifier(seen, next);
                let is_property = has_capital_or_digit(&seen[next..end])
                    && seen.get(after_blanks(seen, end)) == Some(&b'[');
                if is_property {
                    Ahead::Property
                } else {
                    Ahead::Other
                }
            }
        }
    }

    fn is_line_start(&self, at: usize) -> bool {
        let mut before = &self.bytes[..at];
        loop {
            match before {
                [] | [0xFF, 0xFE] | [0xFE, 0xFF] | [.., b'\r' | b'\n'] => return true,
                [rest @ .., byte] if is_blank(*byte) => before = rest,
                [rest @ .., 0xEF, 0xBB, 0xBF] => before = rest,
                _ => return false,
            }
        }
    }

    /// Returns whether a `(` starts another game: it looks like a game, and the
    /// visible bytes after its `)` do not show that it is a variation.
    fn is_next_game(&mut self, at: usize) -> bool {
        let sight = at + self.bounds.lookahead;
        // A missing node is supplied before the `(`.
        let nodes = self.nodes + usize::from(self.place == Place::BeforeNode);
        let is_after_node = self.place != Place::AfterVariation && nodes > 1;
        let looks = self.looks_like_game(
            at,
            sight,
            self.place == Place::AfterVariation,
            is_after_node,
        );
        if self.lost_bracket == Some(at) {
            return true;
        }
        if looks == LooksLike::Variation {
            return false;
        }
        let is_in_tree =
            self.tree_of_games == self.games || (self.place != Place::AfterVariation && nodes == 1);
        let is_game = self.is_cut_off(at, sight, looks, is_after_node, is_in_tree);
        if !is_game {
            self.tree_of_games = self.games;
        }
        is_game
    }

    /// Returns whether the visible bytes after the `)` of the `(` at `at` show that the
    /// game before it was cut off.
    fn is_cut_off(
        &self,
        at: usize,
        sight: usize,
        looks: LooksLike,
        is_after_node: bool,
        is_in_tree: bool,
    ) -> bool {
        let mut is_repeated = false;
        let seen = &self.bytes[..self.bytes.len().min(sight)];
        let mut depth = 1;
        let mut next = at + 1;
        while next < seen.len() {
            match seen[next] {
                b'[' => next = value_end(seen, next + 1),
                b')' if depth == 0 => return false,
                b')' => depth -= 1,
                b'(' => {
                    if depth == 0
                        && let Some(open) = next_node(seen, next)
                    {
                        if self.looks_like_game(open, sight, true, is_after_node)
                            == LooksLike::Variation
                        {
                            return false;
                        }
                        if self.is_line_start(open) && !self.is_line_start(at) {
                            return true;
                        }
                        is_repeated = true;
                    }
                    depth += 1;
                }
                _ => {}
            }
            next += 1;
        }
        self.bytes.len() < sight
            || (is_repeated && !is_in_tree)
            || (self.is_line_start(at) && looks == LooksLike::Root)
    }

    /// Returns what the node after a `(` at `at` looks like, as far as it lies before
    /// `sight`. Its first property must describe a game.
    fn looks_like_game(
        &self,
        at: usize,
        sight: usize,
        is_after_variation: bool,
        is_after_node: bool,
    ) -> LooksLike {
        const ROOT: [&str; 6] = ["FF", "GM", "CA", "AP", "SZ", "ST"];
        const INFO: &str = "AN BR BT CP DT EV GC GN HA KM ON OT PB PC PW RE RO RU SO TM US WR WT";
        let seen = &self.bytes[..self.bytes.len().min(sight)];
        let is_line_start = self.is_line_start(at);
        let mut idents: Vec<String> = Vec::new();
        let mut next = after_blanks(seen, at + 1);
        if seen.get(next) == Some(&b';') {
            next = after_blanks(seen, next + 1);
        }
        loop {
            let end = after_identifier(seen, next);
            let bracket = after_blanks(seen, end);
            if end == next || seen.get(bracket) != Some(&b'[') {
                break;
            }
            // A blank before the `[` says that this is a variation.
            let is_apart = bracket > end;
            let ident = String::from_utf8_lossy(&seen[next..end]).into_owned();
            idents.push(if is_apart { format!("{ident} ") } else { ident });
            next = bracket;
            while seen.get(next) == Some(&b'[') {
                next = (value_end(seen, next + 1) + 1).min(seen.len());
                next = after_blanks(seen, next);
            }
        }
        let root: HashSet<&String> = idents
            .iter()
            .filter(|ident| ROOT.contains(&ident.as_str()))
            .collect();
        let info: HashSet<&String> = idents
            .iter()
            .filter(|ident| INFO.split(' ').any(|info| info == *ident))
            .collect();
        let Some(first) = idents
            .first()
            .filter(|first| root.contains(first) || info.contains(first))
        else {
            return LooksLike::Variation;
        };
        let is_format = is_line_start && ["FF", "GM"].contains(&first.as_str());
        let is_mixed =
            (is_line_start || is_after_variation) && !root.is_empty() && !info.is_empty();
        if is_format || root.len() >= 2 || is_mixed {
            return LooksLike::Root;
        }
        let has = |ident: &str| idents.iter().any(|other| other.trim_end() == ident);
        let has_players =
            info.iter().any(|ident| *ident == "PB") && info.iter().any(|ident| *ident == "PW");
        match is_line_start
            && is_after_node
            && has_players
            && info.len() >= 3
            && !has("B")
            && !has("W")
        {
            true => LooksLike::GameInfo,
            false => LooksLike::Variation,
        }
    }

    /// Returns the `(` of another game, if the value that ends at `end` contains
    /// its start after the line break. The search begins at `from`.
    fn next_game_in_value(&self, from: usize, end: usize) -> Option<usize> {
        if end == self.bytes.len() {
            return None;
        }
        let value = &self.bytes[from..end];
        let bracket = value.iter().rposition(|&byte| byte == b'[')?;
        let number = &value[bracket + 1..];
        if number.len() > 8 || number.iter().any(|byte| b"\\\r\n".contains(byte)) {
            return None;
        }
        let ident = &value[..bracket];
        let semicolon = trim_end(ident.strip_suffix(b"FF").or(ident.strip_suffix(b"GM"))?);
        let parenthesis = trim_end(semicolon.strip_suffix(b";")?);
        let before = parenthesis.strip_suffix(b"(")?;
        let has_break = before[trim_end(before).len()..]
            .iter()
            .any(|byte| b"\r\n".contains(byte));
        let is_behind = has_break || trim_end(before).ends_with(b")");
        let at = from + before.len();
        (is_behind && bracket - before.len() < self.bounds.lookahead).then_some(at)
    }
}

/// Returns the place of the `(` before a node, which the `(` at `at` or one that follows
/// it directly is.
fn next_node(seen: &[u8], at: usize) -> Option<usize> {
    let next = after_blanks(seen, at + 1);
    let end = after_identifier(seen, next);
    let is_property =
        has_capital_or_digit(&seen[next..end]) && seen.get(after_blanks(seen, end)) == Some(&b'[');
    match seen.get(next) {
        Some(b'(') => next_node(seen, next),
        Some(b';') => Some(at),
        _ => is_property.then_some(at),
    }
}

/// What the first node of a variation looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LooksLike {
    Variation,
    /// Both players and another property of the game.
    GameInfo,
    Root,
}

/// Values of a property.
struct Values {
    contents: Vec<Range<usize>>,
    /// Place after the last `]`, or where the last value ends without one.
    end: usize,
    closed: bool,
    long: bool,
}
