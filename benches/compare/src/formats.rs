//! Games as SGF, XML, CSV and PGN.

use std::fmt::Write as _;

use sgfstream::{Charset, Event, EventReader, SliceReader};

/// The same games in all formats, and the number of events in each.
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
    /// The peer returns events.
    Sgf,
    /// The peer builds a tree; the benchmark counts its nodes.
    SgfTree,
    /// The peer only searches the bytes.
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

    /// Number of events that a reader must return.
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

/// Chess moves of usual length. They need not be legal: the PGN reader does
/// not play them.
const SANS: [&str; 16] =
    ["e4", "d5", "Nf3", "Nc6", "Bb5", "a6", "O-O", "exd5", "Qd2", "Rfe1", "Bxc6+", "Nbd7", "h3", "Qxf7+", "c5", "Kg1"];

impl Games {
    /// The games of an SGF collection in UTF-8, in every format.
    ///
    /// XML has an element for each game, variation and node; a property is an
    /// element with its value as text. CSV has a line `depth` for the start of
    /// a node and a line `depth,ident,value` for a value. PGN has tags for the
    /// root's properties and the same number of moves, comments and variations;
    /// PGN cannot store the other properties, so it omits them.
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
        // The next node or the end of the variation closes an open node element.
        // `nodes` counts the nodes of the game so far.
        let (mut nodes, mut in_node, mut in_tags) = (0, false, false);
        let mut moves = 0;
        while let Some(Ok(event)) = reader.events().next() {
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
                                // A PGN comment ends at the first `}`.
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
                    // Two events: the result of the game, and its end.
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
