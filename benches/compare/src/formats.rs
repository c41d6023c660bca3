//! Games as SGF, XML, CSV and PGN.

use std::fmt::Write as _;

use sgfstream::{Charset, Event, EventReader, SliceReader};

/// Games in all formats, and what a reader of each must find.
pub(crate) struct Games {
    pub(crate) sgf: String,
    /// The games of `sgf` one by one.
    pub(crate) sgf_games: Vec<String>,
    pub(crate) xml: String,
    pub(crate) csv: String,
    pub(crate) pgn: String,
    pub(crate) moves: u64,
    sgf_events: u64,
    sgf_nodes: u64,
    ends: u64,
    xml_events: u64,
    csv_fields: u64,
    pgn_events: u64,
}

/// Format that a peer reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Told by events.
    Sgf,
    /// Told by a tree; what counts is nodes.
    SgfTree,
    /// Only searched.
    SgfEnds,
    Xml,
    Csv,
    Pgn,
}

impl Format {
    pub(crate) fn bytes(self, games: &Games) -> &[u8] {
        match self {
            Self::Sgf | Self::SgfTree | Self::SgfEnds => games.sgf.as_bytes(),
            Self::Xml => games.xml.as_bytes(),
            Self::Csv => games.csv.as_bytes(),
            Self::Pgn => games.pgn.as_bytes(),
        }
    }

    /// Events that a reader must find.
    pub(crate) fn expected(self, games: &Games) -> u64 {
        match self {
            Self::Sgf => games.sgf_events,
            Self::SgfTree => games.sgf_nodes,
            Self::SgfEnds => games.ends,
            Self::Xml => games.xml_events,
            Self::Csv => games.csv_fields,
            Self::Pgn => games.pgn_events,
        }
    }
}

/// Moves of chess, as long as they are in games; which moves does not matter
/// to a reader that plays no chess.
const SANS: [&str; 16] =
    ["e4", "d5", "Nf3", "Nc6", "Bb5", "a6", "O-O", "exd5", "Qd2", "Rfe1", "Bxc6+", "Nbd7", "h3", "Qxf7+", "c5", "Kg1"];

impl Games {
    /// The games of an SGF collection in UTF-8, in every format.
    ///
    /// XML: an element for a game, a variation and a node; a property is an
    /// element with its value as text. CSV: a line for a node's start, `depth`,
    /// and for a value, `depth,ident,value`. PGN: tags for the root's
    /// properties, as many moves, comments and variations as there are; what
    /// else there is has no place in PGN and is left out.
    pub(crate) fn of(sgf: Vec<u8>) -> Self {
        let mut games = Self {
            sgf: String::from_utf8(sgf).expect("the generator's moves and comments are ASCII"),
            sgf_games: Vec::new(),
            xml: String::from("<collection>"),
            csv: String::new(),
            pgn: String::new(),
            moves: 0,
            sgf_events: 0,
            sgf_nodes: 0,
            ends: 0,
            xml_events: 2,
            csv_fields: 0,
            pgn_events: 0,
        };
        games.ends = games.sgf.bytes().filter(|byte| matches!(byte, b']' | b'\\')).count() as u64;
        let sgf = games.sgf.clone();
        let mut reader = SliceReader::new(sgf.as_bytes());
        let mut start = 0;
        // Nodes of the game so far, and open nodes of variations are closed by
        // the next node or the end of the variation.
        let (mut nodes, mut in_node, mut in_tags) = (0, false, false);
        let mut moves = 0;
        while let Some(event) = reader.next() {
            games.sgf_events += 1;
            match event {
                Event::VariationStart { .. } => {
                    games.close_node(&mut in_node);
                    if reader.depth() == 1 {
                        (nodes, moves, in_tags) = (0, 0, true);
                        start = reader.span().start as usize;
                        games.pgn_events += 1;
                    } else {
                        games.leave_tags(&mut in_tags);
                        games.pgn.push_str("( ");
                        games.pgn_events += 1;
                    }
                    games.xml.push_str(if reader.depth() == 1 { "<game>" } else { "<variation>" });
                    games.xml_events += 1;
                }
                Event::NodeStart { .. } => {
                    games.close_node(&mut in_node);
                    in_node = true;
                    nodes += 1;
                    games.sgf_nodes += 1;
                    games.xml.push_str("<node>");
                    games.xml_events += 1;
                    if nodes > 1 {
                        games.leave_tags(&mut in_tags);
                    }
                }
                Event::Property(property) => {
                    let ident = property.ident().to_string();
                    for value in property.values() {
                        let text = value.with_charset(Charset::UTF_8).text();
                        games.xml_value(&ident, &text);
                        games.csv_row(reader.depth(), &ident, &text);
                        match &*ident {
                            "B" | "W" => {
                                games.leave_tags(&mut in_tags);
                                games.pgn_move(moves);
                                moves += 1;
                                games.moves += 1;
                            }
                            "C" if !in_tags => {
                                // A comment of PGN ends at the first brace.
                                write!(games.pgn, "{{{}}} ", text.replace('}', ")")).expect("memory");
                                games.pgn_events += 1;
                            }
                            _ if in_tags => {
                                writeln!(games.pgn, "[{ident} \"{}\"]", text.replace(['"', '\\', '\n'], " "))
                                    .expect("memory");
                                games.pgn_events += 1;
                            }
                            _ => {}
                        }
                    }
                }
                Event::VariationEnd { .. } => {
                    games.close_node(&mut in_node);
                    games.xml.push_str(if reader.depth() == 1 { "</game>" } else { "</variation>" });
                    games.xml_events += 1;
                    games.leave_tags(&mut in_tags);
                    // The game's end: its outcome, and the end itself.
                    games.pgn.push_str(if reader.depth() == 1 { "1-0\n\n" } else { ") " });
                    games.pgn_events += if reader.depth() == 1 { 2 } else { 1 };
                    if reader.depth() == 1 {
                        games.sgf_games.push(sgf[start..reader.offset() as usize].to_owned());
                    }
                }
                other => panic!("the generator's games are faultless: {other:?}"),
            }
        }
        games.xml.push_str("</collection>");
        games
    }

    fn close_node(&mut self, in_node: &mut bool) {
        if std::mem::take(in_node) {
            self.xml.push_str("</node>");
            self.xml_events += 1;
        }
    }

    fn leave_tags(&mut self, in_tags: &mut bool) {
        if std::mem::take(in_tags) {
            self.pgn.push('\n');
        }
    }

    fn xml_value(&mut self, ident: &str, text: &str) {
        let text = text.replace('&', "+").replace('<', "(");
        write!(self.xml, "<{ident}>{text}</{ident}>").expect("memory");
        self.xml_events += if text.is_empty() { 2 } else { 3 };
    }

    fn csv_row(&mut self, depth: u64, ident: &str, text: &str) {
        let quote = if text.contains(['"', ',', '\n']) { "\"" } else { "" };
        writeln!(self.csv, "{depth},{ident},{quote}{}{quote}", text.replace('"', "\"\"")).expect("memory");
        self.csv_fields += 3;
    }

    fn pgn_move(&mut self, index: u64) {
        if index.is_multiple_of(2) {
            write!(self.pgn, "{}. ", index / 2 + 1).expect("memory");
        }
        self.pgn.push_str(SANS[(index * 7 % SANS.len() as u64) as usize]);
        self.pgn.push(if index % 12 == 11 { '\n' } else { ' ' });
        self.pgn_events += 1;
    }
}
