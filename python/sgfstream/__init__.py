"""Archives of SGF game records as Arrow tables, events and trees.

>>> import sgfstream
>>> scan = sgfstream.scan("corpus/go-ff4.sgf", columns=["pb", "winner", "moves"])
>>> import pyarrow
>>> pyarrow.table(scan).column_names
['key', 'pb', 'winner', 'moves']
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from typing import BinaryIO, Literal, TypeAlias

from ._native import (
    Board,
    Events,
    Filtered,
    Finding,
    Findings,
    Fixed,
    Game,
    GameReader,
    Node,
    Problem,
    __version__,
    columns,
)
from ._native import filter as _filter
from ._native import fix as _fix
from ._native import plan as _plan
from ._scan import Scan

__all__ = [
    "Board",
    "Events",
    "Filtered",
    "Finding",
    "Findings",
    "Fixed",
    "Game",
    "GameReader",
    "Input",
    "Inputs",
    "Node",
    "Output",
    "Problem",
    "Report",
    "Scan",
    "__version__",
    "check",
    "columns",
    "comments",
    "dedup",
    "events",
    "filter",
    "find",
    "fix",
    "freq",
    "games",
    "grep",
    "lines",
    "merge",
    "moves",
    "openings",
    "plan",
    "players",
    "positions",
    "problems",
    "report",
    "scan",
    "stats",
]

Input: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | bytes | bytearray | memoryview | BinaryIO"
"""A text that names an input, a path, bytes, or a file object that gives bytes.

A text may be a file, a directory, an archive, ``archive.zip!member.sgf``, a pattern (``games/**/*.sgf``), a list
(``@names``), ``-`` for standard input, each with ``#17`` for one game. A path object is a file or directory, whatever
characters it has. Bytes and file objects are copied to a temporary file first, archives included.
"""

Inputs: TypeAlias = "Input | Iterable[Input]"
"""One input, or several."""

Output: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | BinaryIO"
"""A path, or a file object that takes bytes. A file gets its name when it is complete."""

How: TypeAlias = "tuple[int, str | None, Literal['auto', 'value', 'whole'], Literal['warn', 'raise', 'ignore']]"
"""Threads, charset, framing, errors."""


def scan(
    inputs: Inputs = (),
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
    splits: Iterable[str] | None = None,
) -> Scan:
    """One row for each game.

    ``columns`` are names of :func:`columns`, or other expressions such as ``prop('XX')``; ``key`` always comes first.
    ``where`` is an expression of SQL that chooses games; ``sgfq help expressions`` describes it. A batch has at most
    ``batch_size`` rows, and about 1 MiB. ``threads=0`` means as many as there are cores; the rows are the same for any
    number. ``charset`` and ``framing`` are those of ``sgfq``: without ``charset``, games that name none are read by what
    their text looks like (the column ``charset_source`` says ``guessed``); ``"auto"`` guesses nothing. ``splits`` are read instead of inputs: see :func:`plan`. What cannot be read is in ``scan.problems``,
    and warned of when a reading ends; ``errors="raise"`` raises ``OSError`` at the first, ``"ignore"`` only notes them.

    >>> import pyarrow
    >>> strong = sgfstream.scan("corpus/go-server-kgs.sgf", columns=["pb", "moves * 2"], where="moves > 10")
    >>> pyarrow.table(strong).schema.names
    ['key', 'pb', 'moves * 2']
    """
    return _scan("games", inputs, where, batch_size, (threads, charset, framing, errors), splits, columns=_list(columns))


def moves(
    inputs: Inputs = (),
    *,
    where: str | None = None,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
    splits: Iterable[str] | None = None,
) -> Scan:
    """One row for each move of the main lines of games, and one for each value of a setup between them.

    ``kind`` is ``move``, or the identifier of the setup. ``is_legal`` tells of each move, and ``changes`` lists what else the
    board has after a row. The arguments are those of :func:`scan`.

    >>> import pyarrow
    >>> table = pyarrow.table(sgfstream.moves(b"(;SZ[9];B[ee];W[])"))
    >>> table.select(["ply", "kind", "color", "move", "is_pass"]).to_pylist()[1]
    {'ply': 2, 'kind': 'move', 'color': 'W', 'move': '', 'is_pass': True}
    """
    return _scan("moves", inputs, where, batch_size, (threads, charset, framing, errors), splits)


def comments(
    inputs: Inputs = (),
    *,
    where: str | None = None,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
    splits: Iterable[str] | None = None,
) -> Scan:
    """One row for each comment, game comment or name of a node. The arguments are those of :func:`scan`.

    >>> import pyarrow
    >>> pyarrow.table(sgfstream.comments(b"(;C[hello])")).to_pylist()[0]["text"]
    'hello'
    """
    return _scan("comments", inputs, where, batch_size, (threads, charset, framing, errors), splits)


def lines(
    inputs: Inputs = (),
    *,
    where: str | None = None,
    legality: bool = False,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
    splits: Iterable[str] | None = None,
) -> Scan:
    """One row for each game: its main line as lists of numbers, as a program that learns from games needs it.

    A point is ``y * board_width + x``, from the upper left corner; a pass is -1, any other move -2. ``legality=True``
    plays the moves on a board, and fills ``is_legal``. The other arguments are those of :func:`scan`.

    >>> import pyarrow
    >>> line = pyarrow.table(sgfstream.lines(b"(;SZ[9]AB[aa]RE[W+3.5];W[ba];B[])")).to_pylist()[0]
    >>> line["black"], line["moves"], line["colors"], line["winner"], line["margin"]
    ([0], [1, -1], [2, 1], 2, 3.5)
    """
    return _scan("lines", inputs, where, batch_size, (threads, charset, framing, errors), splits, legality=legality)


def positions(
    inputs: Inputs = (),
    *,
    size: int = 19,
    history: int = 5,
    every: int = 1,
    sample: float = 1.0,
    seed: int = 0,
    liberties: bool = False,
    superko: bool = False,
    where: str | None = None,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
    splits: Iterable[str] | None = None,
) -> Scan:
    """One row for each position of the main lines of games on boards of ``size`` columns and rows: the board before a move.

    ``stones`` has 0 for an empty point, 1 for Black, 2 for White, row by row from the upper left corner; ``last`` has
    the ``history`` moves before, the last one first. ``liberties=True`` adds the liberties of each stone's group, ``superko=True`` the points where a
    move would bring back a position of the game. ``every`` takes every so many moves, ``sample`` a share of them by chance,
    the same one for a seed whatever the threads. The other arguments are those of :func:`scan`. Games of all
    kinds have boards: ``where="gm = 1"`` chooses Go.

    >>> import pyarrow
    >>> table = pyarrow.table(sgfstream.positions(b"(;SZ[2];B[aa];W[bb])", size=2, history=1))
    >>> table.select(["ply", "color", "move", "stones", "last"]).to_pylist()[1]
    {'ply': 2, 'color': 2, 'move': 3, 'stones': [1, 0, 0, 0], 'last': [0]}
    """
    options = (size, history, every, sample, seed, liberties, superko)
    return _scan("positions", inputs, where, batch_size, (threads, charset, framing, errors), splits, positions=options)


def problems(
    inputs: Inputs = (),
    *,
    batch_size: int = 65_536,
    threads: int = 0,
    splits: Iterable[str] | None = None,
) -> Scan:
    """One row for each file or member of an archive that cannot be read, or not to its end.

    >>> import pyarrow
    >>> pyarrow.table(sgfstream.problems("corpus/packed/two.zip")).num_rows
    0
    """
    return _scan("problems", inputs, None, batch_size, (threads, "auto", "auto", "ignore"), splits)


def events(
    inputs: Inputs,
    *,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
) -> Events:
    """The events of games in the order of the inputs, as tuples of kind, identifier and values.

    | kind | | |
    |---|---|---|
    | ``file`` | the name of the file or member that begins | |
    | ``(`` ``;`` ``)`` | a game or variation begins, a node begins, a game or variation ends | |
    | ``property`` | the identifier | its values, as bytes |
    | ``part`` | the identifier of a property of more than 1 MiB | the next piece of its values |
    | ``problem`` | the code of a fault | |

    >>> for event in sgfstream.events(b"(;B[pd];W[dp]"):
    ...     print(event)
    ('file', '<bytes>', None)
    ('(', None, None)
    (';', None, None)
    ('property', 'B', [b'pd'])
    (';', None, None)
    ('property', 'W', [b'dp'])
    ('problem', 'unclosed-game', None)
    (')', None, None)
    """
    return Events(inputs, (threads, charset, framing, errors))


def games(
    inputs: Inputs,
    *,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
) -> GameReader:
    """The games as trees, one after another in the order of the inputs.

    >>> for game in sgfstream.games(b"(;PB[Ada];B[pd](;W[dp])(;W[dd]))(;PB[Bob])"):
    ...     print(game.root["PB"], len(game), [node.get("W") for node in game.main_line()])
    Ada 4 [None, None, 'dp']
    Bob 1 [None]
    """
    return GameReader(inputs, (threads, charset, framing, errors))


def check(
    inputs: Inputs,
    *,
    level: Literal["note", "warning", "error"] = "warning",
    allow: Sequence[str] = (),
    legality: bool = False,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
) -> Findings:
    """What is wrong with games, as ``sgfq check`` finds it: findings of this level at least, one after another.

    ``allow`` has codes that are not reported; ``legality=True`` also replays the moves.

    >>> for finding in sgfstream.check(b"(;FF[4]GM[1]KM[6,5];B[zz])"):
    ...     print(finding.line, finding.column, finding.severity, finding.code)
    1 16 error malformed-game-info
    1 23 error point-off-board
    """
    return Findings(inputs, level, list(allow), legality, (threads, charset, framing, errors))


def filter(
    inputs: Inputs,
    where: str,
    out: Output,
    *,
    rejects: Output | None = None,
    invert: bool = False,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
) -> Filtered:
    """Writes the games for which an expression is true, byte for byte as ``sgfq filter`` does, each followed by a newline.

    ``rejects`` takes the other games; ``invert=True`` exchanges the two. A file is replaced only when it is complete, and
    must not be an input. A game that its root refuses is skipped. The other arguments are those of :func:`scan`. What
    comes back says how many games were written, and what could not be read.

    >>> import io
    >>> out = io.BytesIO()
    >>> sgfstream.filter(b"(;PB[Ada];B[pd])(;PB[Bob];B[dd])", "pb = 'Ada'", out)
    <sgfstream.Filtered: 1 games, 1 rejected, 0 problems>
    >>> out.getvalue()
    b'(;PB[Ada];B[pd])\\n'
    """
    return _filter(inputs, where, out, rejects, invert, (threads, charset, framing, errors))


def fix(
    input: Input,
    *,
    level: Literal["note", "warning", "error"] = "error",
    allow: Sequence[str] = (),
    only: Sequence[str] = (),
    guess: bool = False,
    to_comments: bool = False,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
) -> Fixed:
    """The bytes of one file, repaired as ``sgfq fix`` does it; every other byte is kept.

    The file is held in memory. ``only`` has codes that are repaired whatever their level, ``allow`` those that are left;
    ``guess=True`` also makes repairs that are guesses. Values without a place are kept in the property XK, with
    ``to_comments=True`` in the comments C and GC.

    >>> fixed = sgfstream.fix(b"(;FF[4]GM[1]KM[6,5];B[aa")
    >>> fixed.data
    b'(;FF[4]GM[1]KM[6.5];B[aa])'
    >>> [(finding.code, finding.outcome) for finding in fixed.findings]
    [('malformed-game-info', 'repaired'), ('unclosed-value', 'repaired'), ('unclosed-game', 'repaired')]
    """
    return _fix(input, level, list(allow), list(only), guess, to_comments, (1, charset, framing, "ignore"))


def plan(
    inputs: Inputs,
    *,
    split_bytes: int = 64 << 20,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
) -> list[str]:
    """Divides inputs into splits of about ``split_bytes`` on disk, to be read by other processes or machines.

    A split is a text. Whoever reads it, ``scan(splits=[split])``, needs the files and nothing else. The rows of all
    splits, one after another, are those of the inputs: plain files are cut between games, zip files between members;
    other archives are read whole, small files together. Large plain files are read once to find where games begin.
    What could not be opened is warned of.

    >>> splits = sgfstream.plan("corpus/go-collection.sgf")
    >>> import pyarrow
    >>> pyarrow.table(sgfstream.scan(splits=splits)) == pyarrow.table(sgfstream.scan("corpus/go-collection.sgf"))
    True
    """
    splits, problems = _plan(inputs, split_bytes, (threads, charset, framing, "ignore"))
    for problem in problems:
        warnings.warn(str(problem), RuntimeWarning, stacklevel=2)
    return splits


def _scan(
    table: str,
    inputs: Inputs,
    where: str | None,
    batch_size: int,
    how: How,
    splits: Iterable[str] | None,
    *,
    columns: list[str] | None = None,
    legality: bool = False,
    positions: tuple[int, int, int, float, int, bool, bool] | None = None,
) -> Scan:
    return Scan(
        inputs,
        {
            "table": table,
            "columns": columns,
            "condition": where,
            "batch_size": batch_size,
            "how": how,
            "legality": legality,
            "positions": positions,
            "splits": None if splits is None else list(splits),
        },
    )


def _list(columns: Sequence[str] | None) -> list[str] | None:
    if columns is None or isinstance(columns, str):
        return columns if columns is None else [columns]
    return list(columns)


def __dir__() -> list[str]:
    return __all__


from ._commands import Report, dedup, find, freq, grep, merge, openings, players, report, stats  # noqa: E402  # they need the names above
