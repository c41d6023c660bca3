//! The requests of the page: their names and parameters, as JSON objects.

use serde::Deserialize;

use sgfstream_game::board::Symmetry;

/// Names of the requests that an [`Explorer`](crate::Explorer) answers.
///
/// | name | request | reply |
/// |---|---|---|
/// | `status` | `StatusRequest` | `StatusReply` |
/// | `position` | `PositionRequest` | `PositionReply` |
/// | `copy` | `PositionRequest` | `CopyReply` |
/// | `said` | `SaidRequest` | `SaidReply` |
/// | `road` | `RoadRequest` | `RoadReply` |
/// | `games` | `GamesRequest` | `GamesReply` |
/// | `game` | `GameRequest` | `GameReply` |
/// | `players` | `PlayersRequest` | `PlayersReply` |
/// | `names` | `NamesRequest` | `NamesReply` |
/// | `person` | `PersonRequest` | `PersonReply` |
/// | `findings` | `FilterRequest` | `FindingsReply` |
/// | `repair` | `RepairRequest` | `RepairReply` |
/// | `tree` | `QuestionRequest` | SGF |
/// | `lines` | `LinesRequest` | SGF |
/// | `export` | `ExportRequest` | SGF in parts |
/// | `stats` | `FilterRequest` | HTML |
pub const QUESTIONS: [&str; 16] = [
    "status", "position", "copy", "said", "road", "games", "game", "players", "names", "person",
    "findings", "repair", "tree", "lines", "export", "stats",
];

/// Maximum number of rows per reply.
pub(crate) const ROWS: u64 = 500;

/// Text of a request. Blanks around it are removed, and a blank text counts as absent.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Option<String>")]
pub(crate) struct Text(Option<String>);

impl From<Option<String>> for Text {
    fn from(text: Option<String>) -> Self {
        Self(
            text.map(|text| text.trim().to_owned())
                .filter(|text| !text.is_empty()),
        )
    }
}

impl Text {
    pub(crate) fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Returns the words of the text in lowercase.
    pub(crate) fn words(&self) -> Vec<String> {
        self.get()
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_lowercase)
            .collect()
    }

    /// Returns the inverse of the transform of this name, so that the page shows the board in the
    /// orientation of a pattern.
    pub(crate) fn as_rotation(&self) -> Symmetry {
        self.get()
            .and_then(Symmetry::for_name)
            .map_or(Symmetry::Identity, Symmetry::inverse)
    }
}

/// Parameters of the request `status`, which has none.
#[derive(Deserialize)]
pub(crate) struct StatusRequest {}

/// Requests `findings` and `stats`: the games that match a filter expression.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct FilterRequest {
    #[serde(rename = "where")]
    pub(crate) condition: Text,
}

/// Request `tree`, and the part of other requests that selects games: those with a position or a
/// pattern.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct QuestionRequest {
    /// Moves of a position: `B[pd] W[dp]`, `B[pd];W[dp]` or `pd dp`.
    pub(crate) moves: Text,
    /// Node after which the moves are tried, instead of at the start of a game.
    pub(crate) from: Option<NodeRequest>,
    /// Pattern, instead of a position.
    pub(crate) pattern: Text,
    /// Whether all games are meant, without a position or pattern.
    pub(crate) all: bool,
    /// Name of a board, as in the reply to `status`.
    pub(crate) board: Text,
    #[serde(flatten)]
    pub(crate) filter: FilterRequest,
    pub(crate) swap_colors: bool,
    /// Whether only the same orientation matches.
    pub(crate) exact: bool,
    /// Player who moves next.
    pub(crate) mover: Text,
    /// Whether variations are searched, too.
    pub(crate) variations: bool,
}

impl QuestionRequest {
    /// Returns the name of the board, unless the request names a node of a game.
    pub(crate) fn named_board(&self) -> Option<&str> {
        if self.from.is_some() {
            None
        } else {
            self.board.get()
        }
    }
}

/// Node of a game.
#[derive(Deserialize)]
pub(crate) struct NodeRequest {
    pub(crate) id: u32,
    #[serde(default)]
    pub(crate) path: Option<String>,
}

/// Parameters of the requests `position` and `copy`: the question, and how to show the board.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct PositionRequest {
    #[serde(flatten)]
    pub(crate) question: QuestionRequest,
    /// Name of the transform in which the page shows the board.
    pub(crate) rotation: Text,
}

/// Parameters of the request `said`: a part of the remarks about a position.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct SaidRequest {
    #[serde(flatten)]
    pub(crate) question: QuestionRequest,
    /// Whether the longest remarks come first, instead of the newest.
    pub(crate) longest: bool,
    pub(crate) skip: u64,
    pub(crate) count: Option<u64>,
}

/// Parameters of the request `road`: a game of the archive, or a game in SGF.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct RoadRequest {
    #[serde(flatten)]
    pub(crate) question: QuestionRequest,
    pub(crate) id: Option<u32>,
    pub(crate) sgf: Text,
}

/// Request `lines`: lines of the user after the setup of a position, as one game in SGF.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct LinesRequest {
    #[serde(flatten)]
    pub(crate) question: QuestionRequest,
    pub(crate) lines: Vec<LineRequest>,
}

/// A line of the user.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct LineRequest {
    pub(crate) moves: String,
    /// Comment on the last position.
    pub(crate) comment: Text,
    /// Whether the last position has a bookmark.
    pub(crate) marked: bool,
}

/// Part of requests that gives a list of games.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct ListRequest {
    #[serde(flatten)]
    pub(crate) question: QuestionRequest,
    /// Words that the games must contain.
    pub(crate) search: Text,
    /// Code of a finding that the games must have.
    pub(crate) code: Text,
    /// Name of the column by which the list is sorted.
    pub(crate) sort: Text,
    pub(crate) descending: bool,
}

/// Request `games`: a part of a list.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct GamesRequest {
    #[serde(flatten)]
    pub(crate) list: ListRequest,
    pub(crate) skip: u64,
    pub(crate) count: Option<u64>,
}

/// Request `game`: a node of a game of a list.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct GameRequest {
    #[serde(flatten)]
    pub(crate) list: ListRequest,
    pub(crate) id: Option<u32>,
    pub(crate) path: Text,
    /// Number of a move of the main line, instead of a path.
    #[serde(rename = "move")]
    pub(crate) ply: Option<u64>,
    /// As in `position`, or `hit` for the orientation of the pattern.
    pub(crate) rotation: Text,
}

/// Request `export`: the games of a list, or one game.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct ExportRequest {
    #[serde(flatten)]
    pub(crate) list: ListRequest,
    pub(crate) id: Option<u32>,
    pub(crate) repaired: bool,
    /// Whether only games that say something about the position are meant.
    pub(crate) said: bool,
}

/// Parameters of the request `repair`: the game to repair.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct RepairRequest {
    pub(crate) id: Option<u32>,
}

/// Request `players`: the players of the games that match a filter expression.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct PlayersRequest {
    #[serde(flatten)]
    pub(crate) filter: FilterRequest,
    /// Words that the names must contain.
    pub(crate) search: Text,
}

/// Request `names`: the players whose names begin with a text.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct NamesRequest {
    pub(crate) prefix: Text,
    pub(crate) count: Option<u64>,
}

/// Request `person`: the games of a person, or of two persons against each other.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct PersonRequest {
    #[serde(flatten)]
    pub(crate) filter: FilterRequest,
    pub(crate) person: Text,
    pub(crate) against: Text,
    /// Number of moves of an opening.
    pub(crate) depth: Option<u64>,
    pub(crate) variations: bool,
}
