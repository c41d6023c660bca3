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
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO, Literal, TypeAlias, cast

from ._arguments import LEVELS, flag, fraction, one_of, optional_text, reading, text, texts, whole
from ._arguments import share as _share
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
from ._remote import opened
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
"""A text that names an input, a path, bytes, or a file object that returns bytes.

A text may be a file, a directory, an archive, ``archive.zip!member.sgf``, a pattern (``games/**/*.sgf``), a list
(``@names``), ``-`` for standard input, each with ``#17`` for one game. A path object is a file or directory, whatever
characters it has. Bytes and file objects are copied to a temporary file first, archives included. fsspec opens URLs
(``https://``, ``s3://games/*.zip``), and the files of ``fsspec.open``.
"""

Inputs: TypeAlias = "Input | Iterable[Input]"
"""One input, or several."""

Output: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | BinaryIO"
"""A path, or a file object that accepts bytes. A file gets its name when it is complete."""

ReadSettings: TypeAlias = "tuple[int, str | None, Literal['auto', 'value', 'whole'], Literal['warn', 'raise', 'ignore']]"
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
    storage_options: Mapping[str, Any] | None = None,
) -> Scan:
    """Return a table with one row per game.

    Args:
        inputs: paths, patterns, bytes, file objects, or an iterable of them; see ``sgfq help inputs``.
        columns: names from :func:`columns`, or expressions such as ``prop('XX')``. ``key`` always comes first. Default: all.
        where: an SQL expression that selects games; see ``sgfq help expressions``.
        batch_size: the maximum number of rows per batch. A batch also has at most about 1 MiB.
        threads: the number of threads; 0 means one per core. It does not change the rows.
        charset: a charset name, ``"auto"`` (no guess) or ``"detect"`` (any guess). By default, games without ``CA`` are guessed
            from their text, and the column ``charset_source`` says ``guessed``.
        framing: ``"auto"``, ``"value"`` or ``"whole"``; see ``sgfq help charsets``.
        splits: splits of :func:`plan`, read instead of inputs.
        storage_options: options of fsspec for inputs that are URLs.
        errors: ``"warn"`` warns of unreadable or missing files when a reading ends, ``"raise"`` raises ``OSError`` at the first one, and
            ``"ignore"`` only lists them in ``scan.problems``.

    Returns:
        A :class:`Scan`, which pyarrow, Polars, pandas and DuckDB can read.

    >>> import pyarrow
    >>> strong = sgfstream.scan("corpus/go-server-kgs.sgf", columns=["pb", "moves * 2"], where="moves > 10")
    >>> pyarrow.table(strong).schema.names
    ['key', 'pb', 'moves * 2']
    """
    return _scan("games", inputs, where, batch_size, reading(threads, charset, framing, errors), splits, storage_options=storage_options, columns=columns)


def moves(
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
    storage_options: Mapping[str, Any] | None = None,
) -> Scan:
    """Return a table with one row per move of the main lines, and one per value of setup between the moves.

    ``kind`` is ``move``, or the identifier of the setup. ``is_legal`` says whether a move is legal, and ``changes`` lists the
    other points that change. ``columns`` are names of columns; :func:`scan` explains the other arguments.

    >>> import pyarrow
    >>> table = pyarrow.table(sgfstream.moves(b"(;SZ[9];B[ee];W[])"))
    >>> table.select(["ply", "kind", "color", "move", "is_pass"]).to_pylist()[1]
    {'ply': 2, 'kind': 'move', 'color': 'W', 'move': '', 'is_pass': True}
    """
    return _scan("moves", inputs, where, batch_size, reading(threads, charset, framing, errors), splits, storage_options=storage_options, columns=columns)


def comments(
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
    storage_options: Mapping[str, Any] | None = None,
) -> Scan:
    """Return a table with one row per comment, game comment or node name. :func:`scan` explains the arguments.

    >>> import pyarrow
    >>> pyarrow.table(sgfstream.comments(b"(;C[hello])")).to_pylist()[0]["text"]
    'hello'
    """
    return _scan("comments", inputs, where, batch_size, reading(threads, charset, framing, errors), splits, storage_options=storage_options, columns=columns)


def lines(
    inputs: Inputs = (),
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    legality: bool = False,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
    splits: Iterable[str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Scan:
    """Return a table with one row per game: its main line as lists of numbers, for machine learning.

    A point is ``y * board_width + x``, counted from the upper left corner. A pass is -1, and any other move -2.
    ``legality=True`` replays the moves on a board and fills ``is_legal``. :func:`scan` explains the other arguments.

    >>> import pyarrow
    >>> line = pyarrow.table(sgfstream.lines(b"(;SZ[9]AB[aa]RE[W+3.5];W[ba];B[])")).to_pylist()[0]
    >>> line["black"], line["moves"], line["colors"], line["winner"], line["margin"]
    ([0], [1, -1], [2, 1], 2, 3.5)
    """
    return _scan("lines", inputs, where, batch_size, reading(threads, charset, framing, errors), splits, storage_options=storage_options, columns=columns, legality=flag("legality", legality))


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
    analysis: bool = False,
    ownership: bool = False,
    share: tuple[int, int] = (0, 1),
    columns: Sequence[str] | None = None,
    where: str | None = None,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
    splits: Iterable[str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Scan:
    """Return a table with one row per position of the main lines: the board before each move.

    ``stones`` has 0 for an empty point, 1 for Black and 2 for White, row by row from the upper left corner. ``last`` has the
    moves before, the last one first.

    Args:
        size: the number of columns and rows. Games on other boards are left out.
        history: the number of moves in ``last``.
        every: take every N-th position.
        sample: take this share of the positions at random.
        seed: the seed of the sample. The same seed takes the same positions for any number of threads.
        liberties: add the liberties of each stone's group.
        superko: add the points where a move would repeat a position of the game.
        analysis: add ``winrate``, ``score_lead`` and ``visits`` of the position, for Black, as an analysis program wrote
            them into the node before.
        ownership: add the owner of each point at the end of the game: 1 Black, 2 White, 0 neutral, -1 unknown. The last
            node with ``TB`` or ``TW`` tells it. Without them, and after two passes, each player owns their stones and the
            regions that only these stones touch, as if all stones lived.
        share: the number of this reader, from 0, and the number of readers that share the games by their keys.

    :func:`scan` explains the other arguments. Other games than Go have boards, too; to select Go, pass ``where="gm = 1"``.

    >>> import pyarrow
    >>> table = pyarrow.table(sgfstream.positions(b"(;SZ[2];B[aa];W[bb])", size=2, history=1))
    >>> table.select(["ply", "color", "move", "stones", "last"]).to_pylist()[1]
    {'ply': 2, 'color': 2, 'move': 3, 'stones': [1, 0, 0, 0], 'last': [0]}
    """
    options = (
        whole("size", size, 1, 52),
        whole("history", history, 0, 255),
        whole("every", every, 1, (1 << 32) - 1),
        fraction("sample", sample),
        whole("seed", seed, 0, (1 << 64) - 1),
        flag("liberties", liberties),
        flag("superko", superko),
        flag("analysis", analysis),
        flag("ownership", ownership),
        _share("share", share),
    )
    return _scan("positions", inputs, where, batch_size, reading(threads, charset, framing, errors), splits, storage_options=storage_options, columns=columns, positions=options)


def problems(
    inputs: Inputs = (),
    *,
    batch_size: int = 65_536,
    threads: int = 0,
    splits: Iterable[str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Scan:
    """Return a table with one row per file or archive member that cannot be read, or not to its end.

    >>> import pyarrow
    >>> pyarrow.table(sgfstream.problems("corpus/packed/two.zip")).num_rows
    0
    """
    return _scan("problems", inputs, None, batch_size, reading(threads, "auto", "auto", "ignore"), splits, storage_options=storage_options)


def events(
    inputs: Inputs,
    *,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
) -> Events:
    """Return an iterator over the events of the inputs, as tuples of kind, identifier and values.

    | kind | | |
    |---|---|---|
    | ``file`` | the name of the file or member that begins | |
    | ``(`` ``;`` ``)`` | a game or variation begins, a node begins, a game or variation ends | |
    | ``property`` | the identifier | its values, as bytes |
    | ``part`` | the identifier of a property of more than 1 MiB | the next piece of its values |
    | ``problem`` | the code of a problem | |

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
    return Events(opened(inputs), reading(threads, charset, framing, errors))


def games(
    inputs: Inputs,
    *,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["warn", "raise", "ignore"] = "warn",
) -> GameReader:
    """Return an iterator over the games as trees (:class:`Game`), in the order of the inputs.

    >>> for game in sgfstream.games(b"(;PB[Ada];B[pd](;W[dp])(;W[dd]))(;PB[Bob])"):
    ...     print(game.root["PB"], len(game), [node.get("W") for node in game.main_line()])
    Ada 4 [None, None, 'dp']
    Bob 1 [None]
    """
    return GameReader(opened(inputs), reading(threads, charset, framing, errors))


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
    """Return an iterator over the findings (:class:`Finding`) of ``sgfq check``.

    Args:
        level: the minimum severity: ``"note"``, ``"warning"`` or ``"error"``.
        allow: codes to ignore.
        legality: also replay the moves by the rules of the game.

    >>> for finding in sgfstream.check(b"(;FF[4]GM[1]KM[6,5];B[zz])"):
    ...     print(finding.line, finding.column, finding.severity, finding.code)
    1 16 error malformed-game-info
    1 23 error point-off-board
    """
    return Findings(opened(inputs), one_of("level", level, LEVELS), texts("allow", allow), flag("legality", legality), reading(threads, charset, framing, errors))


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
    """Write the games that match ``where`` to ``out``, byte for byte, each followed by a newline.

    Args:
        inputs: as in :func:`scan`.
        where: an SQL expression that selects games.
        out: a path or a binary file object. A file is replaced only on success, and must not be an input.
        rejects: a path or file object for the other games.
        invert: write the games that do not match.

    :func:`scan` explains the other arguments. If the root already fails the filter, the rest of the game is skipped.

    Returns:
        A :class:`Filtered` with the numbers of games and the unreadable files.

    >>> import io
    >>> out = io.BytesIO()
    >>> sgfstream.filter(b"(;PB[Ada];B[pd])(;PB[Bob];B[dd])", "pb = 'Ada'", out)
    <sgfstream.Filtered: 1 games, 1 rejected, 0 problems>
    >>> out.getvalue()
    b'(;PB[Ada];B[pd])\\n'
    """
    return _filter(opened(inputs), text("where", where), out, rejects, flag("invert", invert), reading(threads, charset, framing, errors))


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
    """Return the bytes of one file, repaired as by ``sgfq fix``. Every other byte is kept.

    Args:
        input: a path, bytes or file object. The file is read into memory.
        level: the minimum severity to repair.
        allow: codes not to repair.
        only: repair only these codes, whatever their severity.
        guess: also make repairs that are guesses.
        to_comments: move values without a place into ``C`` and ``GC`` instead of ``XK``.

    Returns:
        A :class:`Fixed` with the bytes and the findings.

    >>> fixed = sgfstream.fix(b"(;FF[4]GM[1]KM[6,5];B[aa")
    >>> fixed.data
    b'(;FF[4]GM[1]KM[6.5];B[aa])'
    >>> [(finding.code, finding.outcome) for finding in fixed.findings]
    [('malformed-game-info', 'repaired'), ('unclosed-value', 'repaired'), ('unclosed-game', 'repaired')]
    """
    codes = texts("allow", allow), texts("only", only)
    how = reading(1, charset, framing, "ignore")
    return _fix(cast(Input, opened(input)), one_of("level", level, LEVELS), *codes, flag("guess", guess), flag("to_comments", to_comments), how)


def plan(
    inputs: Inputs,
    *,
    split_bytes: int = 64 << 20,
    threads: int = 0,
    charset: str | None = None,
    framing: Literal["auto", "value", "whole"] = "auto",
) -> list[str]:
    """Divide inputs into splits of about ``split_bytes`` on disk, for other processes or machines.

    A split is a text. To read it, call ``scan(splits=[split])``; the reader needs only the split and the files. All
    splits, in order, return the rows of the inputs. Plain files are split between games and zip files between members. Other
    archives are not split, and small files share a split. Large plain files are read once to find the starts of games. Files
    that cannot be opened cause a warning.

    >>> splits = sgfstream.plan("corpus/go-collection.sgf")
    >>> import pyarrow
    >>> pyarrow.table(sgfstream.scan(splits=splits)) == pyarrow.table(sgfstream.scan("corpus/go-collection.sgf"))
    True
    """
    splits, problems = _plan(inputs, whole("split_bytes", split_bytes, 0), reading(threads, charset, framing, "ignore"))
    for problem in problems:
        warnings.warn(str(problem), RuntimeWarning, stacklevel=2)
    return splits


def _scan(
    table: str,
    inputs: Inputs,
    where: str | None,
    batch_size: int,
    how: ReadSettings,
    splits: Iterable[str] | None,
    *,
    storage_options: Mapping[str, Any] | None = None,
    columns: Sequence[str] | None = None,
    legality: bool = False,
    positions: tuple[int, int, int, float, int, bool, bool, bool, bool, tuple[int, int]] | None = None,
) -> Scan:
    return Scan(
        opened(inputs, storage_options),
        {
            "table": table,
            "columns": columns if columns is None else texts("columns", columns),
            "condition": optional_text("where", where),
            "batch_size": whole("batch_size", batch_size, 1),
            "how": how,
            "legality": legality,
            "positions": positions,
            "splits": None if splits is None else texts("splits", splits),
        },
    )


def __dir__() -> list[str]:
    return __all__


from ._commands import Report, dedup, find, freq, grep, merge, openings, players, report, stats  # noqa: E402  # they need the names above
