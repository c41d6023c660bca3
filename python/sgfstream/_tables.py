"""A table by its name, for engines whose options are texts and whose tasks are splits."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from . import Scan, comments, lines, moves, positions, problems, scan

TABLES = {
    "games": scan,
    "moves": moves,
    "comments": comments,
    "lines": lines,
    "positions": positions,
    "problems": problems,
}


def open_table(table: str, **options: Any) -> Scan:
    """The scan of a table. Options that are none are left out."""
    if table not in TABLES:
        raise ValueError(f"table: expected one of {', '.join(TABLES)}, found {table!r}")
    return TABLES[table](**{name: value for name, value in options.items() if value is not None})


def read_split(table: str, split: str, **options: Any) -> Iterator[Any]:
    """The record batches of a split, on one thread: a task has one core. What could not be read is warned of."""
    found = open_table(table, splits=[split], threads=1, **options)
    yield from found
    warn(found)


def warn(found: Scan) -> None:
    """Warns of what could not be read, or not to its end."""
    for problem in found.problems:
        warnings.warn(str(problem), RuntimeWarning, stacklevel=3)
    if found.cut_texts > 0:
        warnings.warn(f"{found.cut_texts} texts of more than 4 MiB were cut", RuntimeWarning, stacklevel=3)
