//! Board at a node of a game: the fields of `sgfq board -f jsonl`, the stones as numbers, and a
//! picture.

use sgfstream::SliceReader;
use sgfstream::record::{GameReader, Outline};
use sgfstream_draw::{BoardMark, NodeView};
use sgfstream_game::go::GoBoard;
use sgfstream_game::{
    Coordinates, Facts, Side,
    facts::{NodePath, NodeTarget},
};

use crate::input::whole;
use crate::json::Json;

use super::{Answer, Args, Refusal};

pub(crate) fn board(args: &Args<'_>, bytes: &[u8]) -> Result<Answer, Refusal> {
    let (bytes, options) = whole(bytes, args.options()?);
    let target = match (args.get("node"), args.number("move")?) {
        ("", None) => NodeTarget::End,
        ("", Some(number)) => NodeTarget::Move(number),
        (path, _) => NodeTarget::Node(path.parse()?),
    };
    let coordinates = match args.get("coords") {
        "" | "gtp" => Coordinates::Gtp,
        "sgf" => Coordinates::Sgf,
        other => {
            return Err(format!("coords: expected \"gtp\" or \"sgf\", found {other:?}").into());
        }
    };
    let wanted = args.number("game")?.unwrap_or(1);
    let mut games = GameReader::new(SliceReader::with_options(&bytes, options));
    while games
        .next_root()
        .map_err(|err| Refusal::new("too-large", err.to_string()))?
    {
        if games.number() < wanted {
            continue;
        }
        games
            .read_rest()
            .map_err(|err| Refusal::new("too-large", err.to_string()))?;
        let game = games
            .game()
            .ok_or_else(|| Refusal::new("too-large", games.long_game().to_string()))?;
        let (outline, facts) = (Outline::of(game), Facts::of(game, 0));
        let node = target
            .find(&outline, &facts)
            .map_err(|message| Refusal::new("no-node", message))?;
        let view = NodeView::of(
            &outline,
            &facts,
            node,
            coordinates,
            args.number("numbers")?,
            &mut None,
        );
        let view = view.map_err(|message| Refusal::new("no-board", message))?;
        let path = |node| NodePath::of(&outline, node).to_string();
        let line = LineEnds {
            previous: outline.parent(node).map(path),
            end: outline.line(node).last().map(path),
        };
        return Ok(answer(&view, &line, args));
    }
    Err(Refusal::new("no-game", no_game(wanted, games.number())))
}

fn no_game(wanted: u64, games: u64) -> String {
    let s = if games == 1 { "" } else { "s" };
    format!("no game {wanted}: the text has {games} game{s}")
}

/// Paths of other nodes of the line that contains a node.
struct LineEnds {
    previous: Option<String>,
    end: Option<String>,
}

fn answer(view: &NodeView, line: &LineEnds, args: &Args<'_>) -> Answer {
    let diagram = &view.diagram;
    let (position, marks) = (&diagram.position, &diagram.marks);
    let (columns, rows) = (position.size().columns(), position.size().rows());
    let mut json = Json::default();
    json.open('{');
    json.name("node").text(&view.path);
    json.name("nodeName").optional(view.name.as_deref());
    json.name("move").number(view.ply);
    json.name("played").optional(view.played.as_deref());
    json.name("toPlay").optional(
        view.to_move
            .map(|side| side.name_in(position.dialect().game())),
    );
    json.name("game").text(position.dialect().game().name());
    json.name("size").numbers([columns, rows]);
    json.name("rows").texts(diagram.rows());
    let fields = (0..rows as u16).flat_map(|row| {
        (0..columns as u16).map(move |column| sgfstream_game::BoardCell::new(column, row))
    });
    json.name("cells")
        .numbers(fields.map(|field| position.stone(field).map_or(0, |side| side.index() + 1)));
    json.name("captures");
    match position.board::<GoBoard>() {
        Some(go) => {
            json.open('{');
            json.name("B").number(go.prisoners(Side::Black));
            json.name("W").number(go.prisoners(Side::White));
            json.close('}');
        }
        None => json.null(),
    }
    json.name("last")
        .texts(diagram.last.iter().map(|&field| diagram.name(field)));
    json.name("marks").open('{');
    for &mark in BoardMark::ALL {
        let mut names = diagram
            .fields()
            .filter(|&field| marks.has(mark, field))
            .peekable();
        if names.peek().is_some() {
            json.name(mark.as_str())
                .texts(names.map(|field| diagram.name(field)));
        }
    }
    json.close('}');
    json.name("labels").open('{');
    marks
        .labels
        .iter()
        .for_each(|(&field, label)| json.name(&diagram.name(field)).text(label));
    json.close('}');
    json.name("comment").optional(view.comment.as_deref());
    json.name("next").open('[');
    for (path, played) in &view.next {
        json.open('{');
        json.name("node").text(path);
        json.name("played").optional(played.as_deref());
        json.close('}');
    }
    json.close(']');
    json.name("nextMore").number(view.more);
    json.name("previous").optional(line.previous.as_deref());
    json.name("lineEnd").optional(line.end.as_deref());
    json.name("unread").number(view.unread + marks.unread);
    json.name("svg")
        .text(&diagram.svg(args.get("title"), !args.is_set("inline")));
    json.close('}');
    Answer {
        json: json.out,
        ..Answer::default()
    }
}
