"""Commands of ``sgfq`` as functions. Each runs the command in another process, and most return its rows as a pyarrow table."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from . import Inputs, scan
from ._types import Switch

if TYPE_CHECKING:
    import pyarrow

Words = Sequence[str | os.PathLike[str]]
Types = Mapping[str, Any]


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
        raise _error(said, words)
    if said and done.returncode != 0:
        warnings.warn(said, RuntimeWarning, stacklevel=3)
    return done.stdout


def _error(said: str, words: Words) -> Exception:
    """Returns the error of a command, with Python's names for its options."""
    python = {switch: name for name, switch in _SWITCHES.items()}

    def name_of(found: re.Match[str]) -> str:
        return python.get(found[1], found[1].replace("-", "_"))

    if found := re.match(r"error: unexpected argument '--([a-z-]+)", said):
        return TypeError(f"{words[0]!s}() got an unexpected keyword argument '{name_of(found)}'")
    if said.startswith("error: "):
        # The rest tells how to use the command.
        said = said.removeprefix("error: ").partition("\n\n")[0]
    return ValueError(re.sub(r"'?--([a-z][a-z-]*)( <[^>]*>)?'?", name_of, said.removeprefix("sgfq: ")))


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


def table(words: Words, inputs: Inputs, *positional: str, types: Types) -> pyarrow.Table:
    """Returns the rows of a command as a table with these columns, and with all others that the rows have."""
    import pyarrow

    lines = run([*words, "--format", "jsonl"], inputs, *positional).splitlines()
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    names = dict.fromkeys([*types, *(name for row in rows[:1] for name in row if name != "schema")])
    arrays = [_array([row.get(name) for row in rows], types.get(name)) for name in names]
    return pyarrow.table(arrays, list(names))


def _array(values: list[Any], type: pyarrow.DataType | str | None) -> pyarrow.Array:
    import pyarrow

    is_text = any(isinstance(value, str) for value in values)
    # JSON has dates and keys as texts.
    found = pyarrow.array(values, "string" if is_text else type)
    return found if type is None or not is_text else found.cast(type)


_GAMES = {"black_wins": "int64", "white_wins": "int64", "black_share": "float64", "black_low": "float64", "black_high": "float64",
          "first_year": "int64", "last_year": "int64", "example": "string"}  # fmt: skip
_NEXT = {"board": "string", "next": "string", "color": "string", "count": "int64", "share": "float64", **_GAMES}
_OPENINGS = {"board": "string", "depth": "int64", "moves": "string", "direct": "int64", "count": "int64", "share": "float64", **_GAMES}
_WINS = {"games": "int64", "black": "int64", "white": "int64", "won": "int64", "lost": "int64", "share": "float64",
         "share_low": "float64", "share_high": "float64", "first": "int64", "last": "int64"}  # fmt: skip
_PLAYERS = {"player": "string", **_WINS, "opponents": "int64", "most_frequent": "string"}
_PLAYER_OPENINGS = {"player": "string", "board": "string", "moves": "string", **_WINS}
_AGAINST = {"player": "string", "against": "string", "color": "string", **_WINS, "dt": "string", "re": "string", "ev": "string", "reference": "string"}
_LINES = {"file": "string", "game": "int64", "node": "string", "move": "int64", "property": "string", "text": "string"}
_FOUND = {"found_move": "int64", "symmetry": "string", "colors": "string", "next": "string"}


def _types_of(columns: str) -> dict[str, Any]:
    """Returns the types of these columns of `find`: names and expressions, with commas between them."""
    types: dict[str, Any] = {}
    text = ""
    for piece in columns.split(","):
        # An expression may contain commas, so pieces are joined until they are one.
        text = f"{text},{piece}" if text else piece
        if text.strip() in _FOUND:
            types[text.strip()] = _FOUND[text.strip()]
            text = ""
            continue
        try:
            schema = scan((), columns=[text]).schema
        except ValueError:
            continue
        is_key = text.strip() == "key"
        types.update((field.name, field.type) for field in schema if is_key or field.name != "key")
        text = ""
    return types


# Options that have another name in Python.
_SWITCHES = {"depth": "moves", "threads": "jobs"}


def switches(options: Mapping[str, Switch]) -> list[str]:
    """Return options as command-line arguments: ``swap_colors=True`` is ``--swap-colors``. Ignores options set to ``None``."""
    words = []
    for name, value in options.items():
        switch = "--" + _SWITCHES.get(name, name.rstrip("_").replace("_", "-"))
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
    ``found_move``, ``symmetry``, ``colors`` and ``next``. ``options`` are options of ``sgfq find``, such as ``exact=True``,
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
    types = _NEXT if summary else _types_of(columns or "")
    return table(["find", *switches({**named, "where": where, **options})], inputs, types=types)


def openings(inputs: Inputs, *, depth: int = 4, where: str | None = None, **options: Switch) -> pyarrow.Table:
    """Return the positions after the first moves with the results of their games, as by ``sgfq openings``.

    >>> import sgfstream
    >>> sgfstream.openings("corpus/go-*.sgf", depth=1)["moves"].to_pylist()[0]
    'B[pd]'
    """
    return table(["openings", *switches({"depth": depth, "where": where, **options})], inputs, types=_OPENINGS)


def players(inputs: Inputs, *, where: str | None = None, **options: Switch) -> pyarrow.Table:
    """Return the players with their games, wins and opponents, as by ``sgfq players``."""
    types = _AGAINST if options.get("against") is not None else _PLAYER_OPENINGS if options.get("openings") is not None else _PLAYERS
    return table(["players", *switches({"where": where, **options})], inputs, types=types)


def freq(inputs: Inputs, column: str, *, where: str | None = None, **options: Switch) -> pyarrow.Table:
    """Return the values of a column with their counts, the most frequent first."""
    types = {**_types_of(column), "games": "int64"}
    return table(["freq", *switches({"where": where, **options})], inputs, column, types=types)


def grep(inputs: Inputs, pattern: str, *, where: str | None = None, **options: Switch) -> pyarrow.Table:
    """Return the lines of comments that a regular expression matches; for other texts, pass ``in_="C,GC,N"``.

    >>> import sgfstream
    >>> sgfstream.grep(b"(;C[a ladder])", "ladder").column("text").to_pylist()
    ['a ladder']
    """
    return table(["grep", *switches({"where": where, **options})], inputs, pattern, types=_LINES)


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
    """Write each game once. ``options`` are options of ``sgfq dedup``, such as ``near=2`` or ``report="dropped.csv"``."""
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
