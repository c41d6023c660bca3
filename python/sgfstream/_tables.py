"""Opens tables by name, and divides inputs into tasks for engines: splits of files that all machines see, or URLs for fsspec."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, cast

from . import Input, Inputs, Problem, Scan, comments, lines, moves, positions, problems, scan
from ._native import plan as _plan

TABLES = {
    "games": scan,
    "moves": moves,
    "comments": comments,
    "lines": lines,
    "positions": positions,
    "problems": problems,
}


def open_table(table: str, **options: Any) -> Scan:
    """Return the scan of a table. Ignores options set to ``None``."""
    if table not in TABLES:
        raise ValueError(f"table: expected one of {', '.join(TABLES)}, found {table!r}")
    return TABLES[table](**{name: value for name, value in options.items() if value is not None})


Task: TypeAlias = tuple[str, tuple[str, ...]]
"""A split, or URLs."""


def plan_tasks(inputs: Inputs, split_bytes: int, charset: str | None = None, framing: Any = "auto") -> tuple[list[Task], list[Problem]]:
    """Return the tasks that read the inputs, and the problems of unopened inputs. There is at least one task, because some engines need one."""
    is_one = isinstance(inputs, (str, bytes, bytearray, memoryview, os.PathLike)) or hasattr(inputs, "read")
    every: list[Any] = [inputs] if is_one else [*cast(Iterable[Input], inputs)]
    urls = [input for input in every if isinstance(input, str) and "://" in input]
    files = [input for input in every if not any(input is url for url in urls)]
    splits, unopened = _plan(files, split_bytes, (0, charset, framing, "ignore"))
    tasks: list[Task] = [(split, ()) for split in splits]
    tasks += [("", tuple(group)) for group in _groups(urls, split_bytes)]
    return tasks or [("", ())], unopened


def _groups(patterns: list[str], split_bytes: int) -> Iterator[list[str]]:
    """Returns the files that URLs name, in groups of small files."""
    group: list[str] = []
    size = 0
    for pattern in patterns:
        import fsspec

        system, path = fsspec.core.url_to_fs(pattern)
        is_pattern = any(sign in path for sign in "*?[")
        found = system.glob(path, detail=True) if is_pattern else {path: system.info(path)}
        files = {name: about for name, about in found.items() if about["type"] != "directory"}
        if not files:
            why = "no file matches" if is_pattern else "the URL is a directory; write a pattern such as **.sgf"
            raise FileNotFoundError(f"{pattern}: {why}")
        for name, about in sorted(files.items()):
            group.append(system.unstrip_protocol(name))
            size += about.get("size") or 0
            if size >= split_bytes:
                yield group
                group, size = [], 0
    if group:
        yield group


class _Remote:
    """File object with the content of a URL, and the URL as its name."""

    def __init__(self, url: str):
        self.full_name = url
        self.file: Any = None

    def read(self, size: int) -> bytes:
        if self.file is None:
            import fsspec

            self.file = fsspec.open(self.full_name, "rb").open()
        data: bytes = self.file.read(size)
        if not data:
            self.file.close()
        return data


def open_task(table: str, task: Task, **options: Any) -> Scan:
    """Returns the scan of a task. It uses one thread, because a task has one core."""
    split, urls = task
    if table != "problems":
        # The scan reports the URLs that it cannot open.
        options.setdefault("errors", "ignore")
    if urls:
        return open_table(table, inputs=[_Remote(url) for url in urls], threads=1, **options)
    return open_table(table, splits=[split], threads=1, **options)


def read_task(table: str, task: Task, **options: Any) -> Iterator[Any]:
    """Return the record batches of a task, with a warning for unreadable files."""
    found = open_task(table, task, **options)
    yield from found
    warn(found)


def how_of(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options that a plan needs."""
    return {name: options[name] for name in ("charset", "framing") if name in options}


def warn_of(found: Iterable[Problem]) -> None:
    """Warn of unreadable files."""
    for problem in found:
        warnings.warn(str(problem), RuntimeWarning, stacklevel=3)


def warn(found: Scan) -> None:
    """Warn of files that were not read to their end."""
    warn_of(found.problems)
