//! What the nodes of a game say about a position: comments, names, labels and judgments, turned to
//! the board of the query.

use serde::Serialize;

use sgfstream::record::Outline;
use sgfstream_draw::NodeMarks;
use sgfstream_game::{BoardCell, Coordinates, Dialect, Facts, GameBoard, facts::NodePath};
use sgfstream_table::find::{Continuation, Query, Remark};
use sgfstream_table::row::{Column, ColumnSet, FilledRow};

/// Maximum number of characters of a comment.
const COMMENT: usize = 4000;

/// Judgments: property, text, and the property of the judgment with swapped colors.
const JUDGMENTS: [(&str, &str, &str); 8] = [
    ("TE", "good move", "TE"),
    ("BM", "mistake", "BM"),
    ("DO", "doubtful", "DO"),
    ("IT", "interesting", "IT"),
    ("GB", "good for Black", "GW"),
    ("GW", "good for White", "GB"),
    ("UC", "unclear", "UC"),
    ("DM", "even", "DM"),
];

/// Label of a point, as a move of the shown board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelPoint {
    /// The author's label.
    pub label: String,
    /// The point as players write it.
    pub point: String,
    /// The point as moves in requests name it.
    pub sgf: String,
}

/// Remark of a game about a position, with its texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RemarkText {
    /// Path of the node.
    pub node: String,
    /// Number of moves before the position.
    #[serde(rename = "move")]
    pub ply: u64,
    /// The judged next move, `B N16`, or `None` if the remark is about the position.
    pub next: Option<String>,
    /// The judged next move as requests name it: `B[qd]`.
    pub add: Option<String>,
    /// Judgments such as `mistake (BM)`.
    pub judgments: Vec<String>,
    /// Name of the node.
    pub name: Option<String>,
    /// Comment, as its author wrote it: it names points in the orientation of the game.
    pub comment: Option<String>,
    /// Labels of points.
    pub labels: Vec<LabelPoint>,
    /// Symmetry from the shown board to the game.
    pub symmetry: &'static str,
    /// Whether the game has the colors swapped.
    pub is_exchanged: bool,
    /// Black player.
    pub pb: String,
    /// White player.
    pub pw: String,
    /// Date.
    pub dt: String,
}

/// Columns of the games in remarks.
const COLUMNS: [&str; 3] = ["pb", "pw", "dt"];

impl RemarkText {
    /// Returns the columns that [`of_game`](Self::of_game) needs.
    #[must_use]
    pub fn columns() -> ColumnSet {
        ColumnSet::of(COLUMNS.iter().filter_map(|name| Column::find(name)))
    }

    /// Returns the remarks that a finder of [`Query::remarks`] collected in a game that was read to
    /// its end.
    #[must_use]
    pub fn of_game(filled: &FilledRow, facts: &Facts<'_>) -> Vec<Self> {
        let Some(finder) = filled
            .finder()
            .filter(|finder| !finder.remarks().is_empty())
        else {
            return Vec::new();
        };
        let outline = Outline::of(facts.record());
        let reader = RemarkReader {
            query: finder.query(),
            outline: &outline,
            facts,
            filled,
        };
        finder
            .remarks()
            .iter()
            .filter_map(|remark| reader.text_of(remark))
            .collect()
    }

    /// Returns the number of characters of its texts.
    #[must_use]
    pub fn text_len(&self) -> usize {
        self.comment
            .as_ref()
            .map_or(0, |comment| comment.chars().count())
    }
}

struct RemarkReader<'g> {
    query: &'g Query,
    outline: &'g Outline<'g>,
    facts: &'g Facts<'g>,
    filled: &'g FilledRow,
}

impl RemarkReader<'_> {
    /// Returns the texts of a remark, or `None` if all are empty.
    fn text_of(&self, remark: &Remark) -> Option<RemarkText> {
        let node = remark.node.parse::<NodePath>().ok()?.find(self.outline)?;
        let board = self
            .query
            .board(&remark.board)
            .map_or(remark.board, |board| *board.dialect());
        let is_judged_move = remark.next.is_some();
        let (name, comment) = (self.text(node, "N"), self.text(node, "C"));
        let labels = if is_judged_move {
            Vec::new()
        } else {
            self.labels(node, remark, &board)
        };
        let judgments = self.judgments(node, remark);
        if name.is_none() && comment.is_none() && labels.is_empty() && judgments.is_empty() {
            return None;
        }
        let [pb, pw, dt] = COLUMNS.map(|name| {
            Column::find(name).map_or_else(String::new, |column| {
                column.get(self.filled.row()).to_string()
            })
        });
        let next = remark.next.as_ref();
        Some(RemarkText {
            node: remark.node.clone(),
            ply: remark.ply,
            next: next.map(|next| next.text(self.query, &board, Coordinates::Gtp)),
            add: next.and_then(|next| added(next, &board)),
            judgments,
            name,
            comment,
            labels,
            symmetry: remark.transform.symmetry.as_str(),
            is_exchanged: remark.transform.is_exchanged,
            pb,
            pw,
            dt,
        })
    }

    fn text(&self, node: usize, ident: &str) -> Option<String> {
        let text = self.outline.property(node, ident)?.text();
        let text = text.trim();
        (!text.is_empty()).then(|| text.chars().take(COMMENT).collect())
    }

    /// Returns the judgments of a node; for a judged move only the judgments of moves.
    fn judgments(&self, node: usize, remark: &Remark) -> Vec<String> {
        let mut found = Vec::new();
        let judgments = if remark.next.is_some() {
            &JUDGMENTS[..4]
        } else {
            &JUDGMENTS[..]
        };
        for (ident, text, swapped) in judgments {
            let written = if remark.transform.is_exchanged {
                swapped
            } else {
                ident
            };
            let Some(property) = self.outline.property(node, written) else {
                continue;
            };
            let degree = if property.text().trim() == "2" {
                " 2"
            } else {
                ""
            };
            found.push(format!("{text} ({ident}{degree})"));
        }
        found
    }

    /// Returns the labels of a node on the board of the query.
    fn labels(&self, node: usize, remark: &Remark, board: &Dialect) -> Vec<LabelPoint> {
        let mut marks = NodeMarks::default();
        for property in self
            .outline
            .properties(node)
            .filter(|property| property.ident().is(b"LB"))
        {
            marks.add(
                &property,
                &self.facts.dialect(),
                self.facts.record().charset(),
            );
        }
        let size = (remark.board.size().columns(), remark.board.size().rows());
        let mut labels: Vec<_> = marks.labels.into_iter().collect();
        labels.sort_by(|(_, one), (_, other)| one.cmp(other));
        let shown = |(field, label): (BoardCell, String)| {
            let straight = GameBoard::new(&remark.board).ok()?.straight(field)?;
            let turned = board.numbered(remark.transform.symmetry.inverse().turn(straight, size));
            let point = board.show_point_in(turned, Coordinates::Gtp).to_string();
            Some(LabelPoint {
                label,
                point,
                sgf: board.show_point(turned).to_string(),
            })
        };
        labels.into_iter().filter_map(shown).collect()
    }
}

/// Returns a next move as requests name it.
fn added(next: &Continuation, board: &Dialect) -> Option<String> {
    let side = next.side()?.name_in(board.game());
    match next {
        Continuation::Field(_, field) => Some(format!(
            "{side}[{}]",
            board.show_point(board.numbered(*field))
        )),
        _ => None,
    }
}
