//! The way through a game to the node that is shown: the board there, its marks, and what comes next. Nothing of the rest
//! of the game is held.

use std::collections::BTreeMap;
use std::rc::Rc;

use sgfstream::{Charset, Error, Event, EventReader, Place, Property, PropertyPart};
use sgfstream_game::{
    Applied, BOARD_MAX, Coordinates, Field, Game, GameBoard, GameState, Hold, Illegal, Move, NoBoard, RawMove, Reason,
    Setup, Side, Step,
};

use crate::diagram::{Diagram, fields_of};
use crate::layout::BoardLayout;
use crate::marks::Marks;
use crate::target::{NodeTarget, Walked};

/// Continuations that are listed.
const NEXT: usize = 64;

/// Bytes of a move that are shown.
const MOVE: usize = 40;

/// A node and its board.
pub struct Shown {
    /// Its board and marks.
    pub diagram: Diagram,
    /// Its path, as [`NodePath`](crate::NodePath) reads it.
    pub path: String,
    /// Moves up to it.
    pub ply: u64,
    /// Its last move, if it has one.
    pub played: Option<String>,
    /// The nodes that follow, and their first moves.
    pub next: Vec<(String, Option<String>)>,
    /// Those that are not listed.
    pub more: u64,
    /// Moves and setup that the board could not take.
    pub unread: u64,
    /// Its name.
    pub name: Option<String>,
    /// Its comment.
    pub comment: Option<String>,
}

/// Follows each game to its node.
///
/// ```
/// use sgfstream::{EventReader, SliceReader};
/// use sgfstream_draw::{NodeTarget, NodeWalk};
/// use sgfstream_game::Coordinates;
///
/// let mut reader = SliceReader::new(b"(;SZ[5];B[bb];W[bc];B[cc])");
/// reader.advance()?;
/// let shown = NodeWalk::new(NodeTarget::Move(2), Coordinates::Gtp, None).game(&mut reader)?.expect("a board of Go");
/// assert_eq!((shown.path.as_str(), shown.played.as_deref()), ("/2", Some("W B3")));
/// assert_eq!(shown.next, [("/3".to_owned(), Some("B C3".to_owned()))]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
pub struct NodeWalk {
    target: NodeTarget,
    coordinates: Coordinates,
    /// The first move that gets a number.
    numbers_from: u64,
    state: GameState,
    place: Walked,
    node: Node,
    /// The layout of the last board.
    layout: Option<Rc<BoardLayout>>,
    /// Texts that were too long to be read whole.
    cut: u64,
}

/// State of the node that the walk is in.
#[derive(Default)]
struct Node {
    /// Moves up to it.
    ply: u64,
    position: Option<GameBoard>,
    marks: Marks,
    last: Vec<Field>,
    played: Option<String>,
    numbers: BTreeMap<Field, u64>,
    unread: u64,
    name: Option<String>,
    comment: Option<String>,
}

impl NodeWalk {
    /// Shows `target` of each game, with numbers on the stones from move `numbers_from` on.
    #[must_use]
    pub fn new(target: NodeTarget, coordinates: Coordinates, numbers_from: Option<u64>) -> Self {
        Self {
            target,
            coordinates,
            numbers_from: numbers_from.unwrap_or(u64::MAX),
            state: GameState::new(Hold::All),
            place: Walked::default(),
            node: Node::default(),
            layout: None,
            cut: 0,
        }
    }

    /// The node of the game whose start `reader` has read, or a sentence that says why it is not shown. The rest of the
    /// game is left to be skipped.
    ///
    /// # Errors
    ///
    /// When the reader fails.
    pub fn game(&mut self, reader: &mut impl EventReader) -> Result<Result<Box<Shown>, String>, Error> {
        let _ = self.state.event(&reader.event(), &reader.place());
        self.place = Walked::default();
        self.node = Node::default();
        self.node.start();
        let mut shown = self.go(reader)?.and_then(|()| self.show());
        if let Ok(shown) = &mut shown {
            self.add_next(shown, reader)?;
        }
        Ok(shown)
    }

    /// Texts that were too long to be read whole since this was asked last.
    pub fn take_cut(&mut self) -> u64 {
        std::mem::take(&mut self.cut)
    }

    /// Reads on. None at the end of the input: a game has its `)` before that, if it lacks one.
    fn advance(&mut self, reader: &mut impl EventReader) -> Result<Option<(Step, Place)>, Error> {
        if !reader.advance()? {
            return Ok(None);
        }
        let place = reader.place();
        Ok(Some((self.state.event(&reader.event(), &place), place)))
    }

    /// Goes to the node: the last event is the first after it.
    fn go(&mut self, reader: &mut impl EventReader) -> Result<Result<(), String>, Error> {
        loop {
            let Some((step, place)) = self.advance(reader)? else {
                return Ok(Err("expected the end of a game, found the end of the input".to_owned()));
            };
            if step == Step::RootEnd
                && let Err(sentence) = self.start_board()
            {
                return Ok(Err(sentence));
            }
            let is_there = self.place.nodes > 0 && self.target.is_at(&self.place, self.node.ply);
            match reader.event() {
                Event::NodeStart { .. } | Event::VariationStart { .. } if is_there => return Ok(Ok(())),
                Event::NodeStart { .. } => {
                    self.place.nodes += 1;
                    self.node.start();
                }
                Event::VariationStart { .. } => {
                    if self.target.variation(self.place.depth) == Some(self.place.children) {
                        self.place = Walked { depth: self.place.depth + 1, nodes: 0, children: 0 };
                    } else {
                        self.place.children += 1;
                        reader.skip_variation();
                    }
                }
                // Not of one that was skipped.
                Event::VariationEnd { .. } if place.depth == self.place.depth + 1 => {
                    let is_end = self.target == NodeTarget::End && self.place.nodes > 0;
                    let missing = || self.target.missing(self.node.ply);
                    return Ok(if is_end || is_there { Ok(()) } else { Err(missing()) });
                }
                Event::Property(property) if step != Step::Held && !self.state.in_root() => {
                    let Self { state, node, coordinates, numbers_from, .. } = self;
                    node.property(state, &property, place.charset, *coordinates, *numbers_from);
                }
                Event::PropertyPart(part) => {
                    if let Err(sentence) = self.part(&part) {
                        return Ok(Err(sentence));
                    }
                }
                _ => {}
            }
        }
    }

    /// The root has ended: which board it is, is known.
    fn start_board(&mut self) -> Result<(), String> {
        let (game, dialect) = (self.state.game(), self.state.dialect());
        let board = GameBoard::new(&dialect);
        let has_size = matches!(game, Game::Pentobi(_) | Game::Octi) || self.state.board_size().is_some();
        if !has_size && matches!(board, Ok(_) | Err(NoBoard::TooLarge(..))) {
            let name = game.name();
            return Err(format!("expected SZ to give the size of the board, which {name} needs, found none"));
        }
        let board = board.map_err(|no_board| no_board.to_string())?;
        let (size, most) = (dialect.size(), if game == Game::Havannah { BOARD_MAX / 2 } else { BOARD_MAX });
        if size.longer() > most && !matches!(game, Game::Pentobi(_)) {
            return Err(format!("expected a board of at most {most}x{most}, found {size}"));
        }
        self.node.position = Some(board);
        let Self { state, node, coordinates, numbers_from, .. } = self;
        let charset = state.charset();
        state.root().for_each(|property| node.property(state, &property, charset, *coordinates, *numbers_from));
        Ok(())
    }

    /// A property that is too long to be read whole.
    fn part(&mut self, part: &PropertyPart<'_>) -> Result<(), String> {
        let (ident, game) = (part.ident().canonical(), self.state.game());
        if !part.is_property_start() || self.state.in_root() {
            return Ok(());
        }
        if self.state.part_move(part).is_some() || Setup::of(game, &ident).is_some() {
            return Err(format!("expected {} of at most 1 MiB, found a longer one", String::from_utf8_lossy(&ident)));
        }
        self.cut += u64::from(Marks::knows(&ident, game) || *ident == *b"C");
        Ok(())
    }

    /// The node that was looked for, which has ended.
    fn show(&mut self) -> Result<Box<Shown>, String> {
        let node = &mut self.node;
        let position = node.position.take().ok_or("expected a board, found none")?;
        let diagram = Diagram::like(position, self.coordinates, &mut self.layout);
        let mut diagram =
            diagram.ok_or_else(|| format!("expected a board of at most {BOARD_MAX}x{BOARD_MAX} points"))?;
        diagram.marks = std::mem::take(&mut node.marks);
        diagram.last = std::mem::take(&mut node.last);
        diagram.numbers = std::mem::take(&mut node.numbers);
        diagram.numbers.retain(|&field, _| diagram.position.stone(field).is_some());
        Ok(Box::new(Shown {
            diagram,
            path: self.target.path(&self.place),
            ply: node.ply,
            played: node.played.take(),
            next: Vec::new(),
            more: 0,
            unread: node.unread,
            name: node.name.take(),
            comment: node.comment.take(),
        }))
    }

    /// Lists the nodes that follow; the first event after the node was read last.
    fn add_next(&mut self, shown: &mut Shown, reader: &mut impl EventReader) -> Result<(), Error> {
        let (depth, mut nodes) = (self.place.depth + 1, 0);
        let has_variations = matches!(reader.event(), Event::VariationStart { .. });
        let mut at = reader.place();
        loop {
            match reader.event() {
                Event::VariationStart { .. } if has_variations && at.depth == depth + 1 => {
                    shown.add_next(self.target.path_below(&self.place, self.place.children));
                    self.place.children += 1;
                    nodes = 0;
                }
                Event::VariationStart { .. } if has_variations => reader.skip_variation(),
                Event::NodeStart { .. } if has_variations => {
                    nodes += 1;
                    if nodes > 1 {
                        reader.skip_variation();
                    }
                }
                Event::NodeStart { .. } if nodes == 0 => {
                    nodes = 1;
                    self.place.nodes += 1;
                    shown.add_next(self.target.path(&self.place));
                }
                Event::VariationEnd { .. } if at.depth > depth => {}
                Event::NodeStart { .. } | Event::VariationStart { .. } | Event::VariationEnd { .. } => return Ok(()),
                Event::Property(property) => {
                    if let (0, Some((_, played @ None))) = (shown.more, shown.next.last_mut())
                        && let Some(first) = self.state.moves(&property).next()
                    {
                        *played = Some(self::played(&self.state, &first, self.coordinates));
                    }
                }
                _ => {}
            }
            let Some((_, next)) = self.advance(reader)? else { return Ok(()) };
            at = next;
        }
    }
}

impl Shown {
    fn add_next(&mut self, path: String) {
        if self.next.len() < NEXT {
            self.next.push((path, None));
        } else {
            self.more += 1;
        }
    }
}

impl Node {
    fn start(&mut self) {
        self.marks.clear();
        self.last.clear();
        (self.played, self.name, self.comment) = (None, None, None);
    }

    /// Takes a property on the way.
    fn property(
        &mut self,
        state: &GameState,
        property: &Property<'_>,
        charset: Charset,
        coordinates: Coordinates,
        numbers_from: u64,
    ) {
        let text = || Some(property.first().with_charset(charset).text().into_owned());
        if property.ident().is(b"C") {
            self.comment = text();
        } else if property.ident().is(b"N") {
            self.name = text();
        }
        let Some(position) = &mut self.position else { return };
        let mut has_moves = false;
        for raw in state.moves(property) {
            has_moves = true;
            self.ply += 1;
            self.played = Some(played(state, &raw, coordinates));
            self.last.clear();
            let Ok(mv) = state.dialect().parse_move(&raw.bytes()) else {
                self.unread += 1;
                continue;
            };
            let side = Side::of_color(raw.color);
            let is_off = |illegal: Illegal| matches!(illegal.reason, Reason::OffBoard | Reason::NotAMove);
            self.unread += u64::from(position.play(side, &mv).is_err_and(is_off));
            self.last = fields_of(&mv);
            if let Some(&field) = self.last.first() {
                // A move on a field takes the number of an older one there.
                self.numbers.remove(&field);
                if self.ply >= numbers_from && u32::from(field.column.max(field.row)) < BOARD_MAX {
                    self.numbers.insert(field, self.ply);
                }
            }
        }
        if has_moves {
            return;
        }
        if Setup::of(state.game(), &property.ident().canonical()).is_some() {
            self.unread += u64::from(matches!(position.apply(property), Applied::Misread(_)));
        } else {
            self.marks.add(property, position.dialect(), charset);
        }
    }
}

/// A move with the letter of its side: `B Q16`.
fn played(state: &GameState, raw: &RawMove<'_>, coordinates: Coordinates) -> String {
    let bytes = raw.bytes();
    let text = match state.dialect().parse_move(&bytes) {
        Ok(Move::Pass) => "pass".to_owned(),
        Ok(mv) => state.dialect().show_move_in(&mv, coordinates).to_string(),
        Err(_) => String::from_utf8_lossy(&bytes).into_owned(),
    };
    let mut text = format!("{} {}", String::from_utf8_lossy(&raw.ident.canonical()), text.trim());
    if let Some((end, _)) = text.char_indices().nth(MOVE) {
        text.truncate(end);
        text.push('…');
    }
    text
}
