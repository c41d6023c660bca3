//! The way through a game to the node that is shown: the board there, its
//! marks, and what comes next. Nothing of the rest of the game is held.

use std::collections::BTreeMap;
use std::rc::Rc;

use sgfstream::{Charset, Event, Flow, Place, Property, PropertyPart};
use sgfstream_game::{
    Applied, BOARD_MAX, Coordinates, Field, Game, GameBoard, GameState, Hold, Illegal, Move, NoBoard, RawMove, Reason,
    Setup, Side, Step,
};

use crate::report::board::{Diagram, Layout, Marks, fields_of};
use crate::report::cut;

use super::target::{Target, Walked};

/// Continuations that are listed.
const NEXT: usize = 64;

/// Bytes of a move that are shown.
const MOVE: usize = 40;

/// A node and its board.
pub(super) struct Shown {
    pub(super) diagram: Diagram,
    /// The number of its game.
    pub(super) game: u64,
    pub(super) path: String,
    /// Moves up to it.
    pub(super) ply: u64,
    /// Its last move, if it has one.
    pub(super) played: Option<String>,
    /// The nodes that follow, and their first moves.
    pub(super) next: Vec<(String, Option<String>)>,
    /// Those that are not listed.
    pub(super) more: u64,
    /// Moves and setup that the board could not take.
    pub(super) unread: u64,
}

/// Result of the walk through a game.
pub(super) type Found = Result<Box<Shown>, (u64, String)>;

/// Follows each game to its node.
pub(super) struct Walk {
    target: Target,
    coordinates: Coordinates,
    state: GameState,
    game: u64,
    phase: Phase,
    place: Walked,
    node: Node,
    shown: Option<Box<Shown>>,
    /// The layout of the last board.
    layout: Option<Rc<Layout>>,
}

/// State of the node that the walk is in.
#[derive(Default)]
struct Node {
    /// The first move that gets a number.
    numbers_from: u64,
    /// Moves up to it.
    ply: u64,
    position: Option<GameBoard>,
    marks: Marks,
    last: Vec<Field>,
    played: Option<String>,
    numbers: BTreeMap<Field, u64>,
    unread: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Between two games, or in one that is done.
    Done,
    /// On the way.
    Walking,
    /// In the node after the one that is shown.
    NextNode,
    /// In the variations after the one that is shown.
    NextVariations,
}

impl Walk {
    pub(super) fn new(target: Target, coordinates: Coordinates, numbers_from: Option<u64>) -> Self {
        Self {
            target,
            coordinates,
            state: GameState::new(Hold::All),
            game: 0,
            phase: Phase::Done,
            place: Walked::default(),
            node: Node { numbers_from: numbers_from.unwrap_or(u64::MAX), ..Node::default() },
            shown: None,
            layout: None,
        }
    }

    /// Takes an event; `found` gets what each game comes to, and says whether it wants no more.
    pub(super) fn event(&mut self, event: &Event<'_>, place: &Place, found: &mut dyn FnMut(Found) -> bool) -> Flow {
        let step = self.state.event(event, place);
        if place.depth == 1 && matches!(event, Event::VariationStart { .. }) {
            self.start_game(place.game);
            return Flow::Go;
        }
        if self.phase == Phase::Done {
            return Flow::SkipGame;
        }
        if step == Step::RootEnd
            && let Err(sentence) = self.start_board()
        {
            return self.finish(Err(sentence), found);
        }
        match event {
            Event::NodeStart { .. } => self.node_start(place, found),
            Event::VariationStart { .. } => self.variation_start(place, found),
            Event::VariationEnd { .. } => self.variation_end(place, found),
            Event::Property(property) if step != Step::Held && !self.state.in_root() => {
                self.property(property, place.charset);
                Flow::Go
            }
            Event::PropertyPart(part) => match self.part(part) {
                Ok(()) => Flow::Go,
                Err(sentence) => self.finish(Err(sentence), found),
            },
            _ => Flow::Go,
        }
    }

    fn start_game(&mut self, game: u64) {
        (self.game, self.phase, self.place, self.shown) = (game, Phase::Walking, Walked::default(), None);
        let Node { numbers_from, marks, .. } = std::mem::take(&mut self.node);
        self.node = Node { numbers_from, marks, ..Node::default() };
        self.node.start();
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
        let Self { state, node, coordinates, .. } = self;
        state.root().for_each(|property| node.property(state, &property, state.charset(), *coordinates));
        Ok(())
    }

    /// Takes a property of a node on the way, or of one that follows.
    fn property(&mut self, property: &Property<'_>, charset: Charset) {
        let Self { state, node, coordinates, shown, .. } = self;
        if self.phase == Phase::Walking {
            node.property(state, property, charset, *coordinates);
        } else if let Some((_, played @ None)) = shown.as_mut().and_then(|shown| shown.next.last_mut())
            && let Some(first) = state.moves(property).next()
        {
            *played = Some(self::played(state, &first, *coordinates));
        }
    }

    /// A property that is too long to be read whole.
    fn part(&mut self, part: &PropertyPart<'_>) -> Result<(), String> {
        let (ident, game) = (part.ident().canonical(), self.state.game());
        if !part.is_property_start() || self.phase != Phase::Walking || self.state.in_root() {
            return Ok(());
        }
        if self.state.part_move(part).is_some() || Setup::of(game, &ident).is_some() {
            return Err(format!("expected {} of at most 1 MiB, found a longer one", String::from_utf8_lossy(&ident)));
        }
        cut::add(u64::from(Marks::knows(&ident, game)));
        Ok(())
    }

    fn is_there(&self) -> bool {
        self.place.nodes > 0 && self.target.is_at(&self.place, self.node.ply)
    }

    fn node_start(&mut self, place: &Place, found: &mut dyn FnMut(Found) -> bool) -> Flow {
        match self.phase {
            Phase::Walking if self.is_there() => {
                if let Err(sentence) = self.show() {
                    return self.finish(Err(sentence), found);
                }
                self.place.nodes += 1;
                let path = self.target.path(&self.place);
                self.add_next(path);
                self.phase = Phase::NextNode;
                Flow::Go
            }
            Phase::Walking => {
                self.place.nodes += 1;
                self.node.start();
                Flow::Go
            }
            Phase::NextNode => self.finish(Ok(()), found),
            // The first node of a variation, or its second.
            Phase::NextVariations => match std::mem::replace(&mut self.place.nodes, 1) {
                0 => Flow::Go,
                _ if place.depth > self.place.depth + 1 => Flow::SkipVariation,
                _ => Flow::Go,
            },
            Phase::Done => Flow::SkipGame,
        }
    }

    fn variation_start(&mut self, place: &Place, found: &mut dyn FnMut(Found) -> bool) -> Flow {
        match self.phase {
            Phase::Walking if self.is_there() => {
                if let Err(sentence) = self.show() {
                    return self.finish(Err(sentence), found);
                }
                self.phase = Phase::NextVariations;
                self.next_variation()
            }
            Phase::Walking => {
                let child = self.place.children;
                self.place.children += 1;
                if self.target.variation(self.place.depth) != Some(child) {
                    return Flow::SkipVariation;
                }
                self.place = Walked { depth: self.place.depth + 1, nodes: 0, children: 0 };
                Flow::Go
            }
            Phase::NextNode => self.finish(Ok(()), found),
            Phase::NextVariations if place.depth == self.place.depth + 2 => self.next_variation(),
            Phase::NextVariations => Flow::SkipVariation,
            Phase::Done => Flow::SkipGame,
        }
    }

    fn next_variation(&mut self) -> Flow {
        let child = self.place.children;
        self.place.children += 1;
        self.place.nodes = 0;
        let path = self.shown.as_ref().map_or_else(String::new, |_| self.target.path_below(&self.place, child));
        self.add_next(path);
        Flow::Go
    }

    fn add_next(&mut self, path: String) {
        if let Some(shown) = &mut self.shown {
            if shown.next.len() < NEXT {
                shown.next.push((path, None));
            } else {
                shown.more += 1;
            }
        }
    }

    fn variation_end(&mut self, place: &Place, found: &mut dyn FnMut(Found) -> bool) -> Flow {
        // One that was skipped, or one that follows.
        if place.depth > self.place.depth + 1 {
            return Flow::Go;
        }
        match self.phase {
            Phase::Walking => {
                let is_end = self.target == Target::End && self.place.nodes > 0;
                let result =
                    if is_end || self.is_there() { self.show() } else { Err(self.target.missing(self.node.ply)) };
                self.finish(result, found)
            }
            Phase::NextNode | Phase::NextVariations => self.finish(Ok(()), found),
            Phase::Done => Flow::Go,
        }
    }

    /// The node that was looked for ends.
    fn show(&mut self) -> Result<(), String> {
        let node = &mut self.node;
        let position = node.position.take().ok_or("expected a board, found none")?;
        let diagram = Diagram::like(position, self.coordinates, &mut self.layout);
        let mut diagram =
            diagram.ok_or_else(|| format!("expected a board of at most {BOARD_MAX}x{BOARD_MAX} fields"))?;
        diagram.marks = std::mem::take(&mut node.marks);
        diagram.last = std::mem::take(&mut node.last);
        diagram.numbers = std::mem::take(&mut node.numbers);
        diagram.numbers.retain(|&field, _| diagram.position.stone(field).is_some());
        self.shown = Some(Box::new(Shown {
            diagram,
            game: self.game,
            path: self.target.path(&self.place),
            ply: node.ply,
            played: node.played.take(),
            next: Vec::new(),
            more: 0,
            unread: node.unread,
        }));
        Ok(())
    }

    /// The rest of the game is not looked at.
    fn finish(&mut self, result: Result<(), String>, found: &mut dyn FnMut(Found) -> bool) -> Flow {
        self.phase = Phase::Done;
        let is_enough = match (result, self.shown.take()) {
            (Ok(()), Some(shown)) => found(Ok(shown)),
            (Ok(()), None) => false,
            (Err(sentence), _) => found(Err((self.game, sentence))),
        };
        if is_enough { Flow::Stop } else { Flow::SkipGame }
    }
}

impl Node {
    fn start(&mut self) {
        self.marks.clear();
        self.last.clear();
        self.played = None;
    }

    /// Takes a property on the way.
    fn property(&mut self, state: &GameState, property: &Property<'_>, charset: Charset, coordinates: Coordinates) {
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
                if self.ply >= self.numbers_from && u32::from(field.column.max(field.row)) < BOARD_MAX {
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
