//! Games as editable trees.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyIterator, PyString};
use sgfstream::record::Outline;
use sgfstream::{Charset, Writer};
use sgfstream_adapt::{GameTree, Games, NodeId};
use sgfstream_draw::NodeView;
use sgfstream_engine::{Out, Part, PartEnd, PartSize, each_part};
use sgfstream_game::{Coordinates, Facts, GameBoard, Side, board::NoBoard};

use crate::args::Args;
use crate::board::Board;
use crate::errors::value_error;
use crate::feed::{Feed, push};
use crate::inputs::is_bytes;
use crate::problem::Problem;

/// A game as a tree of nodes, which you can edit and write.
///
/// `Game()` makes a game of one empty node: set `FF`, `GM` and `CA` yourself. Without `CA`, texts are
/// written in UTF-8.
#[pyclass(frozen, module = "sgfstream")]
pub(crate) struct Game {
    tree: Shared,
    /// The file, `archive!member` for a member; empty if the game was parsed or made.
    #[pyo3(get)]
    source: String,
}

/// A node of a game, with its properties and its neighbors.
///
/// `node["C"]` is the text of the first value that is not blank; assign a text or a list of texts
/// to set a property. Use `del` to remove a property.
#[pyclass(frozen, module = "sgfstream")]
pub(crate) struct Node {
    tree: Shared,
    id: NodeId,
}

impl Node {
    /// Returns the board after the node.
    fn position(&self) -> Result<GameBoard, NoBoard> {
        let tree = self.tree.lock();
        let start = tree.to_game(GameTree::FACT_NODES);
        let mut replay = Facts::of(start.record(), 0).replay()?;
        for property in tree
            .path(self.id)
            .into_iter()
            .flat_map(|node| tree.properties(node))
        {
            replay.apply(&property);
        }
        let game = replay.dialect().game();
        replay.into_board().ok_or(NoBoard::UnknownMoves(game))
    }
}

#[derive(Clone)]
struct Shared(Arc<Mutex<GameTree>>);

impl Shared {
    fn new(tree: GameTree) -> Self {
        Self(Arc::new(Mutex::new(tree)))
    }

    fn lock(&self) -> MutexGuard<'_, GameTree> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn node(&self, id: NodeId) -> Node {
        Node {
            tree: self.clone(),
            id,
        }
    }

    fn nodes(&self, ids: impl FnOnce(&GameTree) -> Vec<NodeId>) -> Vec<Node> {
        let ids = ids(&self.lock());
        ids.into_iter().map(|id| self.node(id)).collect()
    }
}

/// Returns the new values of a property: a text, a number, or several of them.
fn texts_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let one = |value: &Bound<'_, PyAny>| {
        let is_number = value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>();
        let is_text =
            value.is_instance_of::<PyString>() || (is_number && !value.is_instance_of::<PyBool>());
        is_text.then(|| value.str().map(|text| text.to_string()))
    };
    if let Some(text) = one(value) {
        return Ok(vec![text?]);
    }
    let all = value
        .try_iter()
        .ok()
        .filter(|_| !is_bytes(value))
        .map(|values| values.map(|each| one(&each?).transpose()).collect());
    let texts: Option<Vec<String>> = all
        .transpose()?
        .and_then(|texts: Vec<Option<String>>| texts.into_iter().collect());
    texts.ok_or_else(|| {
        PyTypeError::new_err(format!(
            "expected a text, a number or a list of them, found {value:?}"
        ))
    })
}

#[pymethods]
impl Game {
    /// A game of one empty node.
    #[new]
    fn new() -> Self {
        Self {
            tree: Shared::new(GameTree::new()),
            source: String::new(),
        }
    }

    /// Return the one game in `game`, which is bytes or a text.
    ///
    /// Raises `ValueError` if there is no game or more than one.
    ///
    /// >>> import sgfstream
    /// >>> game = sgfstream.Game.parse(b"(;GM[1]PB[Ada];B[pd](;W[dp])(;W[dd]))")
    /// >>> game.root["PB"], len(game), len(game.main_line())
    /// ('Ada', 4, 3)
    #[staticmethod]
    fn parse(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text = game
            .cast::<PyString>()
            .ok()
            .map(|text| text.to_str())
            .transpose()?;
        let bytes = text.map_or_else(|| game.extract(), |text| Ok(text.as_bytes()))?;
        let tree = GameTree::parse(bytes).map_err(value_error)?;
        if text.is_some_and(|text| !text.is_ascii())
            && ![Charset::AUTO, Charset::UTF_8].contains(&tree.charset())
        {
            let name = tree.charset().name();
            return Err(value_error(format!(
                "the game declares CA[{name}]; pass bytes instead of str"
            )));
        }
        Ok(Self {
            tree: Shared::new(tree),
            source: String::new(),
        })
    }

    /// The first node.
    #[getter]
    fn root(&self) -> Node {
        let root = self.tree.lock().root();
        self.tree.node(root)
    }

    /// Return the nodes of the main line, the root first.
    fn main_line(&self) -> Vec<Node> {
        self.tree.nodes(|tree| tree.main_line().collect())
    }

    /// Return all nodes in file order.
    fn nodes(&self) -> Vec<Node> {
        self.tree.nodes(|tree| tree.preorder().collect())
    }

    /// The problems of the game: for each its code, and the start and end of its bytes.
    #[getter]
    fn problems(&self) -> Vec<(&'static str, u64, u64)> {
        let tree = self.tree.lock();
        tree.problems()
            .iter()
            .map(|problem| (problem.code.as_str(), problem.span.start, problem.span.end))
            .collect()
    }

    /// The charset of the game's texts.
    #[getter]
    fn charset(&self) -> String {
        self.tree.lock().charset().name().to_owned()
    }

    /// Return the game as SGF. Properties that you did not edit keep their bytes.
    ///
    /// >>> import sgfstream
    /// >>> game = sgfstream.Game.parse(b"(;C[ a\\] ];B[pd])")
    /// >>> node = game.main_line()[-1].add_child()
    /// >>> node["C"] = "a [comment]"
    /// >>> game.to_bytes()
    /// b'(;C[ a\\] ];B[pd];C[a [comment\\]])'
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut writer = Writer::new(Vec::new());
        self.tree.lock().write_with(&mut writer)?;
        Ok(PyBytes::new(py, &writer.finish()?))
    }

    /// Return the board at the end of the main line as SVG, for notebooks.
    fn _repr_svg_(&self) -> Option<String> {
        self.main_line().last()?._repr_svg_()
    }

    fn __len__(&self) -> usize {
        self.tree.lock().node_count()
    }

    fn __getitem__(&self, number: isize) -> PyResult<Node> {
        let count = self.__len__();
        let at = if number < 0 {
            number.checked_add_unsigned(count)
        } else {
            Some(number)
        };
        let at = at.and_then(|at| usize::try_from(at).ok());
        let found = at.and_then(|at| self.tree.lock().preorder().nth(at));
        let id = found.ok_or_else(|| {
            PyIndexError::new_err(format!("no node {number}: the game has {count} nodes"))
        })?;
        Ok(self.tree.node(id))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.nodes().into_pyobject(py)?.try_iter()
    }

    fn __eq__(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.tree.0, &other.tree.0) {
            return true;
        }
        // Locks one tree at a time, because another thread may compare the two in the other order.
        let tree = self.tree.lock().clone();
        tree == *other.tree.lock()
    }

    fn __str__(&self) -> String {
        self.tree.lock().to_string()
    }

    fn __repr__(&self) -> String {
        format!(
            "<sgfstream.Game of {} nodes>",
            self.tree.lock().node_count()
        )
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((
            slf.get_type().getattr("parse")?,
            (slf.get().to_bytes(slf.py())?,),
        ))
    }
}

#[pymethods]
impl Node {
    /// The nodes directly after this node: the next node of its line, then the variations.
    #[getter]
    fn children(&self) -> Vec<Node> {
        self.tree.nodes(|tree| tree.children(self.id).collect())
    }

    /// The node before this node; `None` for the root.
    #[getter]
    fn parent(&self) -> Option<Node> {
        let parent = self.tree.lock().parent(self.id);
        parent.map(|id| self.tree.node(id))
    }

    /// Return all properties: for each identifier its values as texts.
    ///
    /// >>> import sgfstream
    /// >>> sgfstream.Game.parse(b"(;AB[aa][bb]C[a\\]b])").root.properties()
    /// {'AB': ['aa', 'bb'], 'C': ['a]b']}
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tree = self.tree.lock();
        let charset = tree.charset();
        let all = PyDict::new(py);
        for property in tree.properties(self.id) {
            let ident = String::from_utf8_lossy(&property.ident().canonical()).into_owned();
            let mut values: Vec<_> = match all.get_item(&ident)? {
                Some(before) => before.extract()?,
                None => Vec::new(),
            };
            values.extend(
                property
                    .values()
                    .map(|value| value.with_charset(charset).text().into_owned()),
            );
            all.set_item(ident, values)?;
        }
        Ok(all)
    }

    /// Return the text of the first value of the property `ident` that is not blank, or `default` if
    /// the node lacks the property.
    #[pyo3(signature = (ident, default=None))]
    fn get(&self, ident: &str, default: Option<String>) -> Option<String> {
        let tree = self.tree.lock();
        let property = tree.property(self.id, ident.as_bytes());
        property
            .map(|property| property.with_charset(tree.charset()).text().into_owned())
            .or(default)
    }

    /// Return the values of a property as bytes between their brackets; `None` if the node lacks
    /// the property.
    fn raw<'py>(&self, py: Python<'py>, ident: &str) -> Option<Vec<Bound<'py, PyBytes>>> {
        let tree = self.tree.lock();
        let property = tree.property(self.id, ident.as_bytes())?;
        Some(
            property
                .values()
                .map(|value| PyBytes::new(py, value.as_bytes()))
                .collect(),
        )
    }

    /// Set the values of a property, as bytes between their brackets.
    fn set_raw(&self, ident: &str, values: Vec<Vec<u8>>) -> PyResult<()> {
        self.tree
            .lock()
            .set_property(self.id, ident.as_bytes(), values)
            .map_err(value_error)
    }

    fn __getitem__(&self, ident: &str) -> PyResult<String> {
        self.get(ident, None)
            .ok_or_else(|| PyKeyError::new_err(ident.to_owned()))
    }

    fn __setitem__(&self, ident: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let texts = texts_of(value)?;
        self.tree
            .lock()
            .set_texts(self.id, ident.as_bytes(), &texts)
            .map_err(value_error)
    }

    fn __delitem__(&self, ident: &str) -> PyResult<()> {
        match self
            .tree
            .lock()
            .remove_property(self.id, ident.as_bytes())
            .map_err(value_error)?
        {
            0 => Err(PyKeyError::new_err(ident.to_owned())),
            _ => Ok(()),
        }
    }

    fn __contains__(&self, ident: &str) -> bool {
        self.tree
            .lock()
            .property(self.id, ident.as_bytes())
            .is_some()
    }

    /// The move of the node as color and text, such as `("B", "pd")`; `None` without a move.
    #[getter]
    fn r#move(&self) -> Option<(&'static str, String)> {
        let tree = self.tree.lock();
        let start = tree.to_game(GameTree::FACT_NODES);
        let facts = Facts::of(start.record(), 0);
        let mut moves = tree
            .properties(self.id)
            .flat_map(|property| facts.moves_of(&property));
        moves.next().map(|found| {
            (
                Side::of_color(found.color).name_in(facts.game),
                String::from_utf8_lossy(&found.bytes()).into_owned(),
            )
        })
    }

    /// The color that moves in the node; `None` without a move.
    #[getter]
    fn color(&self) -> Option<&'static str> {
        self.r#move().map(|(color, _)| color)
    }

    /// Return the board after the node. Illegal moves are played as far as possible.
    ///
    /// >>> import sgfstream
    /// >>> game = sgfstream.Game.parse(b"(;GM[1]SZ[9]AB[cc];W[ee](;B[gg])(;B[gc]))")
    /// >>> game.main_line()[-1].board().get("gg"), game.nodes()[-1].board().get("gg")
    /// ('B', None)
    fn board(&self) -> PyResult<Board> {
        self.position().map(Board::of).map_err(value_error)
    }

    /// Return the board after the node as SVG, with marks and the last move; `None` if the game has
    /// no board.
    fn _repr_svg_(&self) -> Option<String> {
        let tree = self.tree.lock();
        let (game, node) = (
            tree.to_game(usize::MAX),
            tree.preorder().position(|id| id == self.id)?,
        );
        let (outline, facts) = (Outline::of(game.record()), Facts::of(game.record(), 0));
        let view = NodeView::of(&outline, &facts, node, Coordinates::Gtp, None, &mut None);
        Some(view.ok()?.diagram.svg("", true))
    }

    /// Add an empty node after this node and return it. It continues the line, or begins another
    /// variation.
    fn add_child(&self) -> PyResult<Node> {
        let child = self.tree.lock().add_node(self.id).map_err(value_error)?;
        Ok(self.tree.node(child))
    }

    /// Remove the node and all nodes after it. The root cannot be removed.
    fn remove(&self) -> PyResult<()> {
        self.tree.lock().remove_node(self.id).map_err(value_error)
    }

    /// Make the node the first child of its parent.
    fn promote(&self) -> PyResult<()> {
        self.tree.lock().promote(self.id).map_err(value_error)
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tree.0, &other.tree.0) && self.id == other.id
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.tree.0) as usize ^ self.id.index()
    }

    fn __repr__(&self) -> String {
        let tree = self.tree.lock();
        let bytes: Vec<_> = tree
            .properties(self.id)
            .take(8)
            .map(|property| property.as_bytes().to_vec())
            .collect();
        format!(
            "<sgfstream.Node {}>",
            String::from_utf8_lossy(&bytes.concat())
        )
    }
}

/// Iterator over games. To make one, call `sgfstream.games`.
#[pyclass(frozen, module = "sgfstream")]
pub(crate) struct GameReader(Feed<(String, GameTree)>);

/// Maximum bytes of buffered trees. Few games wait, because a program may have many readers open.
const WAITING: u64 = 64 << 10;

fn read(part: Part<'_>, out: &mut Out<'_, Vec<(String, GameTree)>>) -> anyhow::Result<PartEnd> {
    let name = part.name().to_string();
    let mut games = Games::new(part.reader());
    let mut waiting = 0;
    while let Some(tree) = games.next_game()? {
        let tree = std::mem::take(tree);
        waiting += tree.memory();
        let goes_on = push(out, (name.clone(), tree)) && (waiting < WAITING || out.hand_out());
        if out.is_empty() {
            waiting = 0;
        }
        if !goes_on {
            break;
        }
    }
    Ok(games.into_reader().finish()?)
}

#[pymethods]
impl GameReader {
    #[new]
    fn new(inputs: &Bound<'_, PyAny>, how: Args) -> PyResult<Self> {
        let job = each_part(|| (), |_| None, |(), part, out| read(part, out));
        Feed::start(inputs, &how, PartSize::default(), job).map(Self)
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        Ok(self.0.next(py)?.map(|(source, tree)| Game {
            tree: Shared::new(tree),
            source,
        }))
    }

    /// The files and members that could not be read so far.
    #[getter]
    fn problems(&self, py: Python<'_>) -> PyResult<Vec<Problem>> {
        self.0.problems(py)
    }
}
