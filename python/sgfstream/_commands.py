"""Commands of ``sgfq`` as functions. Each runs the command in another process, and most return its rows as a pyarrow table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from . import Inputs
from ._types import Switch

if TYPE_CHECKING:
    import pyarrow

Words = Sequence[str | os.PathLike[str]]


def run(words: Words, inputs: Inputs, *positional: str) -> bytes:
    """Returns the output of a command. ``positional`` are the arguments before the inputs.

    If the command read only some of the inputs or left something out, its messages become a warning. If it wrote no output,
    they become a ``ValueError``.
    """
    given, stdin = _given(inputs)
    command = [sys.executable, "-m", "sgfstream", *(os.fspath(word) for word in words), "--", *positional, *given]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in (0, 1, 2):
        # A signal ended the command, so its output is incomplete.
        raise RuntimeError(f"sgfq ended with status {done.returncode}: {said}")
    if done.returncode == 2 and not done.stdout:
        raise ValueError(said)
    if said and done.returncode != 0:
        warnings.warn(said, RuntimeWarning, stacklevel=3)
    return done.stdout


def _given(inputs: Inputs) -> tuple[list[str], bytes | None]:
    if isinstance(inputs, (str, os.PathLike)):
        return [os.fsdecode(inputs)], None
    if isinstance(inputs, (bytes, bytearray, memoryview)):
        return ["-"], bytes(inputs)
    if hasattr(inputs, "read"):
        return ["-"], inputs.read()
    every = list(inputs)
    if not all(isinstance(input, (str, os.PathLike)) for input in every):
        raise TypeError("pass the names of inputs, or the bytes of one input")
    return [os.fsdecode(input) for input in every], None  # type: ignore[arg-type]


def table(words: Words, inputs: Inputs, *positional: str) -> pyarrow.Table:
    """Returns the rows of a command, with the types of its JSON."""
    import pyarrow

    rows = [json.loads(line) for line in run([*words, "--format", "jsonl"], inputs, *positional).splitlines()]
    for row in rows:
        row.pop("schema", None)
    # The JSON reader of pyarrow would convert texts that look like dates.
    return pyarrow.Table.from_pylist(rows)


def switches(options: Mapping[str, Switch]) -> list[str]:
    """Return options as command-line arguments: ``swap_colors=True`` is ``--swap-colors``. Ignores options set to ``None``."""
    words = []
    for name, value in options.items():
        switch = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(switch)
        elif value is not None and value is not False:
            words.append(f"{switch}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return words


def find(
    inputs: Inputs,
    *,
    position: str | None = None,
    pattern: str | None = None,
    sequence: str | None = None,
    summary: bool = False,
    columns: Iterable[str] | str | None = None,
    where: str | None = None,
    **options: Switch,
) -> pyarrow.Table:
    """Return the games with a position, a pattern or a sequence of moves; with ``summary``, the next moves and their results.

    Pass one of ``position``, ``pattern`` and ``sequence``. ``columns`` selects columns of the game, in addition to
    ``found_move``, ``symmetry``, ``colors`` and ``next``. ``options`` are those of ``sgfq find``, such as ``exact=True``,
    ``variations=True`` or ``index="games.index"``. The result is a pyarrow table.

    >>> import sgfstream
    >>> sgfstream.find("corpus/go-*.sgf", position="pd dp", columns="pb,found_move").to_pylist()[0]
    {'pb': 'Ada', 'found_move': 2}
    """
    if not summary and columns is None:
        columns = "source,member,game,found_move,symmetry,colors,next"
    if columns is not None and not isinstance(columns, str):
        columns = ", ".join(columns)
    named = {"position": position, "pattern": pattern, "sequence": sequence, "summary": summary, "columns": columns}
    return table(["find", *switches({**named, "where": where, **options})], inputs)


def openings(inputs: Inputs, *, depth: int = 4, where: str | None = None, **options: Switch) -> pyarrow.Table:
    """Return the positions after the first moves with the results of their games, as by ``sgfq openings``.

    >>> import sgfstream
    >>> sgfstream.openings("corpus/go-*.sgf", depth=1)["moves"].to_pylist()[0]
    'B[pd]'
    """
    return table(["openings", *switches({"depth": depth, "where": where, **options})], inputs)


def players(inputs: Inputs, *, where: str | None = None, **options: Switch) -> pyarrow.Table:
    """Return the players with their games, wins and opponents, as by ``sgfq players``."""
    return table(["players", *switches({"where": where, **options})], inputs)


def freq(inputs: Inputs, column: str, *, where: str | None = None, **options: Switch) -> pyarrow.Table:
    """Return the values of a column with their counts, the most frequent first."""
    return table(["freq", *switches({"where": where, **options})], inputs, column)


def grep(inputs: Inputs, pattern: str, *, where: str | None = None, **options: Switch) -> pyarrow.Table:
    """Return the lines of comments that a regular expression matches; for other texts, pass ``in_="C,GC,N"``.

    >>> import sgfstream
    >>> sgfstream.grep(b"(;C[a ladder])", "ladder").column("text").to_pylist()
    ['a ladder']
    """
    return table(["grep", *switches({"where": where, **options})], inputs, pattern)


def stats(inputs: Inputs, *, where: str | None = None, **options: Switch) -> dict[str, Any]:
    """Return statistics of the games as a dictionary, as by ``sgfq stats --format json``.

    >>> import sgfstream
    >>> sgfstream.stats("corpus/go-collection.sgf")["games"]
    4
    """
    found: dict[str, Any] = json.loads(run(["stats", "--format", "json", *switches({"where": where, **options})], inputs))
    return found


class Report:
    """HTML page of statistics with charts. It needs no network, and notebooks show it."""

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="600" sandbox></iframe>'


def report(inputs: Inputs, *, title: str | None = None, where: str | None = None) -> Report:
    """Return an HTML page of statistics with charts, as by ``sgfq stats --html``.

    >>> import sgfstream
    >>> page = sgfstream.report("corpus/go-collection.sgf", title="My games")
    >>> "My games" in page.html, page._repr_html_().startswith("<iframe")
    (True, True)
    """
    return Report(run(["stats", "--html=-", *switches({"title": title, "where": where})], inputs).decode())


def dedup(inputs: Inputs, out: str | os.PathLike[str], **options: Switch) -> None:
    """Write each game once. ``options`` are those of ``sgfq dedup``, such as ``near=2`` or ``report="dropped.csv"``."""
    _write(["dedup", *switches(options)], inputs, out)


def merge(inputs: Inputs, out: str | os.PathLike[str], **options: Switch) -> None:
    """Write one tree of all games, which share their common moves."""
    _write(["merge", *switches(options)], inputs, out)


def _write(words: Words, inputs: Inputs, out: str | os.PathLike[str]) -> None:
    """Runs a command that writes a file. The command replaces the file when its output is complete."""
    before = _identity(out)
    try:
        # An absolute path, so that the command takes `-` for the name of a file.
        run([*words, f"--output={os.path.abspath(out)}"], inputs)
    except ValueError as error:
        if _identity(out) == before:
            raise
        # The command could not read one of several inputs, and wrote the games of the others.
        warnings.warn(str(error), RuntimeWarning, stacklevel=3)


def _identity(path: str | os.PathLike[str]) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns
