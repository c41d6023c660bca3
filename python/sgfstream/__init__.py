"""Archives of SGF game records as Arrow tables, events and trees.

>>> import sgfstream
>>> scan = sgfstream.scan("corpus/go-ff4.sgf", columns=["pb", "winner", "moves"])
>>> import pyarrow
>>> pyarrow.table(scan).column_names
['key', 'pb', 'winner', 'moves']
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import BinaryIO, Literal, TypeAlias

from ._native import Problem, Scan, __version__, columns

__all__ = [
    "Input",
    "Inputs",
    "Problem",
    "Scan",
    "__version__",
    "columns",
    "comments",
    "lines",
    "moves",
    "positions",
    "problems",
    "scan",
]

Input: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | bytes | bytearray | memoryview | BinaryIO"
"""A text that names an input, a path, bytes, or a file object that gives bytes.

A text may be a file, a directory, an archive, ``archive.zip!member.sgf``, a pattern (``games/**/*.sgf``), a list
(``@names``), ``-`` for standard input, each with ``#17`` for one game. A path object is a file or directory, whatever
characters it has. Bytes and file objects are copied to a temporary file first, archives included.
"""

Inputs: TypeAlias = "Input | Iterable[Input]"
"""One input, or several."""


def scan(
    inputs: Inputs,
    *,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str = "auto",
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["report", "raise"] = "report",
) -> Scan:
    """One row for each game.

    ``columns`` are names of :func:`columns`, or other expressions such as ``prop('XX')``; ``key`` always comes first.
    ``where`` is an expression of SQL that chooses games; ``sgfq help expressions`` describes it. A batch has at most
    ``batch_size`` rows, and about 1 MiB. ``threads=0`` means as many as there are cores; the rows are the same for any
    number. ``charset`` and ``framing`` are those of ``sgfq``. What cannot be read is in ``scan.problems``;
    ``errors="raise"`` raises ``OSError`` instead.

    >>> import pyarrow
    >>> strong = sgfstream.scan("corpus/go-server-kgs.sgf", columns=["pb", "moves * 2"], where="moves > 10")
    >>> pyarrow.table(strong).schema.names
    ['key', 'pb', 'moves * 2']
    """
    return Scan("games", inputs, _list(columns), where, batch_size, threads, charset, framing, errors, False, None)


def moves(
    inputs: Inputs,
    *,
    where: str | None = None,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str = "auto",
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["report", "raise"] = "report",
) -> Scan:
    """One row for each move of the main lines of games, and one for each value of a setup between them.

    ``kind`` is ``move``, or the identifier of the setup. The arguments are those of :func:`scan`.

    >>> import pyarrow
    >>> table = pyarrow.table(sgfstream.moves(b"(;SZ[9];B[ee];W[])"))
    >>> table.select(["ply", "kind", "color", "move", "is_pass"]).to_pylist()[1]
    {'ply': 2, 'kind': 'move', 'color': 'W', 'move': '', 'is_pass': True}
    """
    return Scan("moves", inputs, None, where, batch_size, threads, charset, framing, errors, False, None)


def comments(
    inputs: Inputs,
    *,
    where: str | None = None,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str = "auto",
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["report", "raise"] = "report",
) -> Scan:
    """One row for each comment, game comment or name of a node. The arguments are those of :func:`scan`.

    >>> import pyarrow
    >>> pyarrow.table(sgfstream.comments(b"(;C[hello])")).to_pylist()[0]["text"]
    'hello'
    """
    return Scan("comments", inputs, None, where, batch_size, threads, charset, framing, errors, False, None)


def lines(
    inputs: Inputs,
    *,
    where: str | None = None,
    legality: bool = False,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str = "auto",
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["report", "raise"] = "report",
) -> Scan:
    """One row for each game: its main line as lists of numbers, as a program that learns from games needs it.

    A point is ``row * columns + column``, from the upper left corner; a pass is -1, any other move -2. ``legality=True``
    plays the moves on a board, and fills ``is_legal``. The other arguments are those of :func:`scan`.

    >>> import pyarrow
    >>> line = pyarrow.table(sgfstream.lines(b"(;SZ[9]AB[aa]RE[W+3.5];W[ba];B[])")).to_pylist()[0]
    >>> line["black"], line["moves"], line["colors"], line["winner"], line["margin"]
    ([0], [1, -1], [2, 1], 2, 3.5)
    """
    return Scan("lines", inputs, None, where, batch_size, threads, charset, framing, errors, legality, None)


def positions(
    inputs: Inputs,
    *,
    size: int = 19,
    history: int = 5,
    every: int = 1,
    sample: float = 1.0,
    seed: int = 0,
    where: str | None = None,
    batch_size: int = 65_536,
    threads: int = 0,
    charset: str = "auto",
    framing: Literal["auto", "value", "whole"] = "auto",
    errors: Literal["report", "raise"] = "report",
) -> Scan:
    """One row for each position of the main lines of games on boards of ``size`` columns and rows: the board before a move.

    ``stones`` has 0 for an empty point, 1 for Black, 2 for White, row by row from the upper left corner; ``last`` has
    the ``history`` moves before, the last one first. ``every`` takes every so many moves, ``sample`` a share of them by
    chance, the same one for a seed whatever the threads. The other arguments are those of :func:`scan`. Games of all
    kinds have boards: ``where="gm = 1"`` chooses Go.

    >>> import pyarrow
    >>> table = pyarrow.table(sgfstream.positions(b"(;SZ[2];B[aa];W[bb])", size=2, history=1))
    >>> table.select(["ply", "color", "move", "stones", "last"]).to_pylist()[1]
    {'ply': 2, 'color': 2, 'move': 3, 'stones': [1, 0, 0, 0], 'last': [0]}
    """
    options = (size, history, every, sample, seed)
    return Scan("positions", inputs, None, where, batch_size, threads, charset, framing, errors, False, options)


def problems(inputs: Inputs, *, batch_size: int = 65_536, threads: int = 0) -> Scan:
    """One row for each file or member of an archive that cannot be read, or not to its end.

    >>> import pyarrow
    >>> pyarrow.table(sgfstream.problems("corpus/packed/two.zip")).num_rows
    0
    """
    return Scan("problems", inputs, None, None, batch_size, threads, "auto", "auto", "report", False, None)


def _list(columns: Sequence[str] | None) -> list[str] | None:
    if columns is None or isinstance(columns, str):
        return columns if columns is None else [columns]
    return list(columns)
