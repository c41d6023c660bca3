//! Boards of positions.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sgfstream_draw::Diagram;
use sgfstream_game::go::{GoBoard, GoRules, Liberties, RuleSet};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{BoardCell, Coordinates, Dialect, Game, GameBoard, Move, Side};

use crate::errors::value_error;

/// A board position of Go, or of another game whose moves are known.
///
/// `size` is the number of lines, and `rules` a text as in `RU`; the rules decide which moves are
/// illegal.
///
/// >>> import sgfstream
/// >>> board = sgfstream.Board(9)
/// >>> for color, move in [("B", "ba"), ("W", "aa"), ("B", "ab")]:
/// ...     captured = board.play(color, move)
/// >>> captured, board.get("aa"), board.get("ab"), board.liberties("ab"), board.is_legal("W", "aa")
/// (1, None, 'B', 3, False)
#[pyclass(frozen, module = "sgfstream")]
pub(crate) struct Board(Mutex<GameBoard>);

/// Parses a color of the board's game.
fn side(board: &GameBoard, color: &str) -> PyResult<Side> {
    let game = board.dialect().game();
    let found = Side::parse(color.as_bytes())
        .ok()
        .filter(|side| side.color() <= game.colors());
    let expected = if game.colors() == 2 {
        "\"B\" or \"W\""
    } else {
        "the number of a color, such as \"1\""
    };
    found.ok_or_else(|| value_error(format!("expected {expected}, found {color:?}")))
}

impl Board {
    pub(crate) fn of(board: GameBoard) -> Self {
        Self(Mutex::new(board))
    }

    fn lock(&self) -> MutexGuard<'_, GameBoard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the size and the stones row by row: 0, or the number of a color.
fn cells(board: &GameBoard) -> (BoardSize, Vec<i8>) {
    let size = board.size();
    let fields = (0..size.rows() as u16)
        .flat_map(|row| (0..size.columns() as u16).map(move |column| BoardCell::new(column, row)));
    let stone = |field| board.stone(field).map_or(0, |side| side.index() as i8 + 1);
    (size, fields.map(stone).collect())
}

/// Returns the cell that a text or a pair of column and row names.
fn field(board: &GameBoard, point: &Bound<'_, PyAny>) -> PyResult<BoardCell> {
    let found = match point.extract::<(u16, u16)>() {
        Ok((column, row)) => BoardCell::new(column, row),
        Err(_) => {
            let text: String = point.extract().map_err(|_| {
                PyTypeError::new_err("expected a point such as \"pd\", or its column and row")
            })?;
            board
                .dialect()
                .parse_point(text.as_bytes())
                .map_err(value_error)?
        }
    };
    if found.is_on(board.size()) {
        Ok(found)
    } else {
        Err(PyIndexError::new_err(format!(
            "the point is not on the {} board",
            board.size()
        )))
    }
}

fn parse_move(board: &GameBoard, mv: &str) -> PyResult<Move> {
    board
        .dialect()
        .parse_move(mv.as_bytes())
        .map_err(value_error)
}

#[pymethods]
impl Board {
    /// An empty board of Go. `rules` are those that an RU names: they say which moves are illegal.
    #[new]
    #[pyo3(signature = (size=19, *, rules=""))]
    fn new(size: u32, rules: &str) -> PyResult<Self> {
        let dialect = Dialect::new(Game::Go, Some(BoardSize::square(size)));
        GameBoard::with_rules(&dialect, GoRules::named(rules.as_bytes()))
            .map(Self::of)
            .map_err(value_error)
    }

    /// The number of columns and rows.
    #[getter]
    fn size(&self) -> (u32, u32) {
        let size = self.lock().size();
        (size.columns(), size.rows())
    }

    /// A board has no text form, because its rules refer to earlier positions.
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a Board cannot be pickled: pickle the bytes of its game, and ask for the board again",
        ))
    }

    /// Return the color of the stone or piece at `point`, or `None` if the point is empty.
    ///
    /// `point` is a text as in the file, such as `"pd"`, or a pair of column and row from 0.
    fn get(&self, point: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
        let board = self.lock();
        let field = field(&board, point)?;
        Ok(board
            .stone(field)
            .map(|side| side.name_in(board.dialect().game())))
    }

    /// Play a move and return the number of captured stones.
    ///
    /// `color` is `"B"` or `"W"`, and `move` a text as in the file. If the move is illegal,
    /// `ValueError` gives the reason and the board is unchanged.
    ///
    /// >>> import sgfstream
    /// >>> sgfstream.Board().play("B", "pd")
    /// 0
    #[pyo3(name = "play")]
    fn make_move(&self, color: &str, r#move: &str) -> PyResult<u32> {
        let mut board = self.lock();
        let mv = parse_move(&board, r#move)?;
        let mut next = board.clone();
        let played = next
            .play(side(&board, color)?, &mv)
            .map_err(|illegal| value_error(illegal.reason))?;
        *board = next;
        Ok(played.captured)
    }

    /// Return whether `color` may play `move`.
    fn is_legal(&self, color: &str, r#move: &str) -> PyResult<bool> {
        let mut board = self.lock().clone();
        let mv = parse_move(&board, r#move)?;
        Ok(board.play(side(&board, color)?, &mv).is_ok())
    }

    /// Go: return the number of liberties of the group at `point`; 0 for an empty point.
    fn liberties(&self, point: &Bound<'_, PyAny>) -> PyResult<u16> {
        let board = self.lock();
        let BoardCell { column, row } = field(&board, point)?;
        if board.board::<GoBoard>().is_none() {
            return Err(value_error("only Go boards have liberties and captures"));
        }
        let (size, cells) = cells(&board);
        let columns = size.columns() as usize;
        Ok(Liberties::default().count(&cells, columns)
            [usize::from(row) * columns + usize::from(column)])
    }

    /// Go: return the number of stones that `color` has captured.
    fn captures(&self, color: &str) -> PyResult<u64> {
        let board = self.lock();
        let go = board
            .board::<GoBoard>()
            .ok_or_else(|| value_error("only Go boards have liberties and captures"))?;
        Ok(go.prisoners(side(&board, color)?))
    }

    /// The color that has won on the board, for games where the board decides; else `None`.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        let board = self.lock();
        Some(board.winner()?.name_in(board.dialect().game()))
    }

    /// Return one byte per point, row by row from the upper left: 0 empty, 1 Black, 2 White, or the
    /// number of the color.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let (_, cells) = cells(&self.lock());
        PyBytes::new(
            py,
            &cells
                .into_iter()
                .map(|stone| stone as u8)
                .collect::<Vec<u8>>(),
        )
    }

    /// Return the numbers of `to_bytes` as an array of rows and columns.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let size = self.lock().size();
        let numpy = py.import("numpy")?;
        let flat = numpy.call_method1("frombuffer", (self.to_bytes(py), "int8"))?;
        flat.call_method0("copy")?
            .call_method1("reshape", (size.rows(), size.columns()))
    }

    /// Return the board as SVG, for notebooks; `None` if it is too large to draw.
    fn _repr_svg_(&self) -> Option<String> {
        let diagram = Diagram::new(self.lock().clone(), Coordinates::Gtp)?;
        Some(diagram.svg("", true))
    }

    /// Return a copy of the board.
    fn copy(&self) -> Self {
        Self::of(self.lock().clone())
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __eq__(&self, other: &Self) -> bool {
        // Locks one board at a time, because both may be the same board.
        let own = cells(&self.lock());
        own == cells(&other.lock())
    }

    fn __str__(&self) -> String {
        self.lock().to_string()
    }

    fn __repr__(&self) -> String {
        let board = self.lock();
        format!(
            "<sgfstream.Board of {}, {}>",
            board.dialect().game().name(),
            board.size()
        )
    }
}

/// Return the name of the rules that a text of `RU` names, or `None` if it names no known rules.
#[pyfunction]
pub(crate) fn rule_set(rules: &str) -> Option<&'static str> {
    RuleSet::named(rules.as_bytes()).map(RuleSet::as_str)
}
