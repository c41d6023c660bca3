//! The replies to the requests of the page, as JSON objects.

use serde::Serialize;

use sgfstream_game::Side;
use sgfstream_game::value::Evaluation;

use crate::remarks::RemarkText;
use crate::tally::RowFields;

/// Reply to `status`: progress of reading, or the totals of the archive.
#[derive(Debug, Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum StatusReply<'a> {
    /// The games are still being read.
    Reading {
        /// Number of games read so far.
        games: u64,
        /// Number of files and members read so far.
        files: u64,
        /// Bytes of the inputs read so far.
        read_bytes: u64,
        /// Bytes of the inputs known so far.
        total_bytes: u64,
        /// Inputs as the user named them.
        inputs: &'a [String],
    },
    /// The games could not be read.
    Failed {
        /// The reason.
        message: &'a str,
    },
    /// All games are read.
    Ready {
        /// Number of games.
        games: u32,
        /// Number of positions of main lines.
        positions: u64,
        /// Whether the index has the positions of variations.
        variations: bool,
        /// Number of positions that only variations have.
        variation_positions: Option<u64>,
        /// Size of the index.
        bytes: Option<u64>,
        /// Inputs as the user named them.
        inputs: &'a [String],
        /// Whether some games are missing.
        partial: bool,
        /// Names of the boards.
        boards: Vec<String>,
        /// Starts of the games with a known board.
        starts: &'a [StartReply],
    },
}

/// Games of a board and a declared handicap that begin with one setup, or with other setups than
/// the listed ones.
#[derive(Clone, Debug, Serialize)]
pub struct StartReply {
    /// Name of the board.
    pub board: String,
    /// Declared handicap, or 0.
    pub handicap: u8,
    /// Number of black stones that are set up.
    pub black: u16,
    /// Number of white stones that are set up.
    pub white: u16,
    /// Number of games.
    pub games: u32,
    /// Number of different setups, each in all its orientations.
    pub setups: u32,
    /// The most frequent orientation of the setup, as requests write it: `AB[dp][pd]`. Empty for
    /// the usual board. `None` for several setups, or if requests cannot write it.
    pub moves: Option<String>,
}

/// Reply to `position`: the boards that have it, the next moves, and a board to show.
#[derive(Serialize)]
pub(crate) struct PositionReply {
    /// Name of each board, with its number of games.
    pub(crate) boards: Vec<(String, u64)>,
    pub(crate) games: u64,
    /// Whether the game of the node is the only game with its position.
    pub(crate) is_alone: bool,
    /// Black's share of the decided games of the archive.
    pub(crate) mean: Option<f64>,
    /// A move that no board of the archive can have.
    pub(crate) impossible: Option<String>,
    /// Command line that finds the same games.
    pub(crate) command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) board: Option<String>,
    #[serde(flatten)]
    pub(crate) next: Option<NextMovesReply>,
    /// The pattern as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pattern: Option<String>,
    #[serde(flatten)]
    pub(crate) tried: Option<TriedReply>,
}

/// A position in forms for other programs.
#[derive(Serialize)]
pub(crate) struct CopyReply {
    /// Game that begins with the stones of the position.
    pub(crate) sgf: String,
    pub(crate) text: String,
    /// Standalone picture.
    pub(crate) svg: String,
}

/// Next moves on a board.
#[derive(Serialize)]
pub(crate) struct NextMovesReply {
    /// Number of games with further next moves.
    pub(crate) left_out: u64,
    /// Player of the most frequent next move.
    #[serde(skip)]
    pub(crate) mover: Option<Side>,
    pub(crate) replies: Vec<RowFields<NextMoveReply>>,
}

/// Name of a next move, before its counts.
#[derive(Serialize)]
pub(crate) struct NextMoveReply {
    pub(crate) color: Option<&'static str>,
    /// The move as players write it, or `end`.
    pub(crate) next: String,
    /// Text that the page appends to its moves to go there.
    pub(crate) add: Option<String>,
    pub(crate) field: Option<[u16; 2]>,
}

/// Board after the moves of a request.
#[derive(Serialize)]
pub(crate) struct TriedReply {
    pub(crate) rows: Vec<String>,
    #[serde(rename = "move")]
    pub(crate) ply: u64,
    #[serde(flatten)]
    pub(crate) board: BoardReply,
    /// The moves as players write them.
    pub(crate) line: Vec<String>,
    /// The reason why a move is illegal, and its number.
    pub(crate) illegal: Option<String>,
    pub(crate) illegal_at: Option<usize>,
}

/// A board with its picture.
#[derive(Serialize)]
pub(crate) struct BoardReply {
    #[serde(flatten)]
    pub(crate) picture: Picture,
    /// Column, row and number of each numbered stone.
    pub(crate) numbers: Vec<(u16, u16, u64)>,
    pub(crate) last: Option<[u16; 2]>,
    /// Points with labels and marks of the record.
    pub(crate) marks: Vec<MarkReply>,
    pub(crate) captures: Option<Captures>,
    pub(crate) to_play: Option<&'static str>,
}

/// Point with a label or a mark.
#[derive(Serialize)]
pub(crate) struct MarkReply {
    pub(crate) column: u16,
    pub(crate) row: u16,
    pub(crate) label: Option<String>,
    pub(crate) mark: Option<&'static str>,
}

/// Picture of a board.
#[derive(Serialize)]
pub(crate) struct Picture {
    pub(crate) svg: String,
    pub(crate) points: Points,
}

/// Points of a picture.
#[derive(Serialize)]
pub(crate) struct Points {
    /// Half of the distance between neighbors.
    pub(crate) radius: f64,
    /// Name of each point in requests, its name for players, its place in the picture, column and
    /// row.
    pub(crate) all: Vec<(String, String, f64, f64, u16, u16)>,
}

/// Stones that each side has captured.
#[derive(Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) struct Captures {
    pub(crate) b: u64,
    pub(crate) w: u64,
}

/// Reply to `said`: remarks about a position, and judgments of its next moves.
#[derive(Serialize)]
pub(crate) struct SaidReply {
    /// Number of games that say something about the position.
    pub(crate) games: usize,
    /// Number of those games that were read, the newest first.
    pub(crate) read: usize,
    /// Number of remarks in the games that were read.
    pub(crate) total: usize,
    pub(crate) rows: Vec<SaidRow>,
    pub(crate) judged: Vec<JudgedMoveReply>,
    pub(crate) command: String,
}

/// Remark about a position, with its game.
#[derive(Serialize)]
pub(crate) struct SaidRow {
    pub(crate) id: u32,
    pub(crate) game: String,
    #[serde(flatten)]
    pub(crate) remark: RemarkText,
}

/// Judgment of a next move, with the number of nodes that have it.
#[derive(Serialize)]
pub(crate) struct JudgedMoveReply {
    /// The move as requests name it.
    pub(crate) add: String,
    pub(crate) judgment: String,
    pub(crate) count: u64,
}

/// Reply to `road`: the main line of a game, and how many other games have its positions.
#[derive(Serialize)]
pub(crate) struct RoadReply {
    /// Name of the board.
    pub(crate) board: String,
    pub(crate) steps: Vec<RoadStep>,
}

/// Node of a main line.
#[derive(Serialize)]
pub(crate) struct RoadStep {
    pub(crate) path: String,
    /// Its setup as requests write it.
    pub(crate) setup: String,
    /// Its move as requests name it, and as players do.
    pub(crate) add: Option<String>,
    pub(crate) name: Option<String>,
    /// Number of other games that have the position.
    pub(crate) games: u64,
}

/// Reply to `games`: rows of a list.
#[derive(Serialize)]
pub(crate) struct GamesReply {
    pub(crate) total: u64,
    pub(crate) skip: u64,
    pub(crate) rows: Vec<GameRowReply>,
    pub(crate) command: String,
}

/// Row of a list of games.
#[derive(Serialize)]
pub(crate) struct GameRowReply {
    pub(crate) id: u32,
    #[serde(rename = "move")]
    pub(crate) ply: u64,
    pub(crate) next: String,
    /// Node of the match, of the words or of the finding.
    pub(crate) path: Option<String>,
    #[serde(flatten)]
    pub(crate) columns: GameColumns,
    /// Text with the words, or message of the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) excerpt: Option<String>,
    pub(crate) name: String,
}

/// Columns of a game in a list, as the tables of `sgfq get` show them.
#[derive(Default, Serialize)]
pub(crate) struct GameColumns {
    pub(crate) pb: String,
    pub(crate) br: String,
    pub(crate) pw: String,
    pub(crate) wr: String,
    pub(crate) dt: String,
    pub(crate) re: String,
    pub(crate) ev: String,
    pub(crate) km: String,
    pub(crate) moves: String,
    pub(crate) handicap: String,
}

/// Reply to `game`: a node with its board, and the line through it.
#[derive(Serialize)]
pub(crate) struct GameReply {
    #[serde(flatten)]
    pub(crate) node: NodeReply,
    /// Command line that draws the node.
    pub(crate) command: String,
    pub(crate) id: u32,
    pub(crate) file: String,
    pub(crate) list: Option<PlaceInList>,
    pub(crate) rotation: Option<String>,
    pub(crate) hit: Option<PatternPlace>,
}

/// A node of a game, and the line through it.
#[derive(Serialize)]
pub(crate) struct NodeReply {
    /// The nodes from the root to the node, and on along first children.
    pub(crate) line: Vec<LineNode>,
    /// Index of the node in the line.
    pub(crate) at: usize,
    /// Number of nodes of the game.
    pub(crate) nodes: usize,
    pub(crate) name: Option<String>,
    pub(crate) comment: Option<String>,
    /// Label and text of each game information.
    pub(crate) info: Vec<(&'static str, String)>,
    pub(crate) tree: TreeReply,
    /// Variations that an engine proposes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) engine: Vec<EngineLineReply>,
    /// Next moves of a problem.
    pub(crate) judged: Option<Vec<JudgedReply>>,
    #[serde(flatten)]
    pub(crate) shown: ShownNode,
    pub(crate) turn: Option<&'static str>,
    /// Moves and setup that lead to the board, as requests write them.
    pub(crate) moves: Option<String>,
    /// Name of the board of these moves.
    pub(crate) board: String,
}

/// Variation tree of a game.
#[derive(Serialize)]
pub(crate) struct TreeReply {
    pub(crate) nodes: Vec<DrawnNode>,
    /// Column and row of each node with variations, and the row of its last variation.
    pub(crate) branches: Vec<(usize, usize, usize)>,
    /// Whether the tree lacks nodes.
    pub(crate) is_cut: bool,
}

/// Node of a tree: its path, its column and row, whether it begins a variation, the color of its
/// move, and flags: 1 has a comment, 2 a name, 4 setup, 8 a good move, 16 a bad move.
pub(crate) type DrawnNode = (String, usize, usize, bool, Option<&'static str>, u8);

/// Node of a line.
#[derive(Serialize)]
pub(crate) struct LineNode {
    pub(crate) path: String,
    /// Number of the move.
    pub(crate) number: Option<usize>,
    #[serde(rename = "move")]
    pub(crate) played: Option<String>,
    /// True if the node has a comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) comment: Option<bool>,
    /// Other nodes after the same parent, if the node begins a variation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) others: Option<Vec<OtherNode>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) evaluation: Option<EvaluationReply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<ClockReply>,
}

/// Evaluation that a node states, from Black's view, as in the table of moves.
#[derive(Serialize)]
pub(crate) struct EvaluationReply {
    pub(crate) winrate: Option<f64>,
    pub(crate) score_lead: Option<f64>,
    pub(crate) visits: Option<i64>,
    /// Winrate and points that the player lost by the move.
    pub(crate) cost: Option<f64>,
    pub(crate) score_cost: Option<f64>,
}

/// Clock of the player of a move, as in the table of moves.
#[derive(Serialize)]
pub(crate) struct ClockReply {
    pub(crate) time_left: Option<f64>,
    pub(crate) overtime_moves: Option<f64>,
    /// Seconds for the move.
    pub(crate) time_used: Option<f64>,
}

/// Variation that an engine proposes.
#[derive(Serialize)]
pub(crate) struct EngineLineReply {
    pub(crate) winrate: Option<f64>,
    pub(crate) score_lead: Option<f64>,
    pub(crate) visits: Option<i64>,
    pub(crate) steps: Vec<EngineStep>,
}

impl EngineLineReply {
    pub(crate) fn new(of: &Evaluation, steps: Vec<EngineStep>) -> Self {
        Self {
            winrate: of.winrate,
            score_lead: of.score_lead,
            visits: of.visits,
            steps,
        }
    }
}

/// Move of a variation of an engine: a move to try after the node, or the path of its own node.
#[derive(Serialize)]
pub(crate) struct EngineStep {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) add: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
}

/// Node beside another node.
#[derive(Serialize)]
pub(crate) struct OtherNode {
    pub(crate) path: String,
    #[serde(rename = "move")]
    pub(crate) played: Option<String>,
}

/// Next node of a problem.
#[derive(Serialize)]
pub(crate) struct JudgedReply {
    #[serde(flatten)]
    pub(crate) node: OtherNode,
    /// `right`, `wrong`, or none without evidence.
    pub(crate) judged: Option<&'static str>,
}

/// Board of a node, or the reason why it has none.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum ShownNode {
    Board {
        is_rotated: bool,
        #[serde(flatten)]
        board: Box<BoardReply>,
        #[serde(rename = "move")]
        ply: u64,
        played: Option<String>,
    },
    None {
        no_board: String,
    },
}

/// Place of a game in a list.
#[derive(Serialize)]
pub(crate) struct PlaceInList {
    pub(crate) number: u64,
    pub(crate) total: u64,
    pub(crate) before: Option<Neighbor>,
    pub(crate) after: Option<Neighbor>,
}

/// Game before or after another game in a list.
#[derive(Serialize)]
pub(crate) struct Neighbor {
    pub(crate) id: u32,
    #[serde(rename = "move")]
    pub(crate) ply: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
}

/// Place of a pattern on a board.
#[derive(Serialize)]
pub(crate) struct PatternPlace {
    pub(crate) column: u16,
    pub(crate) row: u16,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) transform: &'static str,
    /// Whether the colors are exchanged.
    pub(crate) exchanged: bool,
}

/// Reply to `findings`: the findings by code, with the command line that lists them.
#[derive(Serialize)]
pub(crate) struct FindingsReply {
    pub(crate) rows: Vec<FindingRow>,
    pub(crate) command: String,
}

/// Findings of one code and severity.
#[derive(Serialize)]
pub(crate) struct FindingRow {
    pub(crate) code: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) count: u64,
    /// Number of games with them.
    pub(crate) games: u64,
    pub(crate) examples: Vec<FindingExample>,
    pub(crate) explain: CodeReply,
}

/// Example of a finding.
#[derive(Serialize)]
pub(crate) struct FindingExample {
    /// The game, or `None` if the finding is after the last game of a file.
    pub(crate) id: Option<u32>,
    /// Name of the game, or of the file.
    pub(crate) game: String,
    pub(crate) path: String,
    pub(crate) message: String,
}

/// Explanation of a code.
#[derive(Serialize)]
pub(crate) struct CodeReply {
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) advice: &'static str,
    /// SGFC's number of the message.
    pub(crate) sgfc: Option<u8>,
}

/// Reply to `repair`: the findings of a game, and its text before and after.
#[derive(Serialize)]
pub(crate) struct RepairReply {
    pub(crate) findings: Vec<RepairedFinding>,
    pub(crate) changed: bool,
    pub(crate) before: String,
    pub(crate) after: String,
}

/// A finding of a repaired game.
#[derive(Serialize)]
pub(crate) struct RepairedFinding {
    pub(crate) code: &'static str,
    pub(crate) path: String,
    pub(crate) message: String,
    /// Whether the finding is not repaired.
    pub(crate) left: bool,
}
