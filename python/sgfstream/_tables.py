"""Opens tables by name, and divides inputs into tasks for engines: splits of files that all machines see, or URLs for fsspec."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import uuid
import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from . import Input, Inputs, Problem, Scan, comments, lines, moves, positions, problems, scan
from ._native import plan as _plan
from ._remote import Remote, files_of, is_one, is_url

if TYPE_CHECKING:
    import pyarrow

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
    every: list[Any] = [inputs] if is_one(inputs) else [*cast(Iterable[Input], inputs)]
    urls = [input for input in every if is_url(input)]
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
        for url, bytes in files_of(pattern):
            group.append(url)
            size += bytes
            if size >= split_bytes:
                yield group
                group, size = [], 0
    if group:
        yield group


def open_task(table: str, task: Task, **options: Any) -> Scan:
    """Returns the scan of a task. It uses one thread, because a task has one core."""
    split, urls = task
    if table != "problems":
        # The scan reports the URLs that it cannot open.
        options.setdefault("errors", "ignore")
    if urls:
        return open_table(table, inputs=[Remote(url) for url in urls], threads=1, **options)
    return open_table(table, splits=[split], threads=1, **options)


def read_task(table: str, task: Task, problems_to: str | None = None, **options: Any) -> Iterator[Any]:
    """Return the record batches of a task, with a warning for unreadable files. Writes them to a folder, too."""
    found = open_task(table, task, **options)
    yield from found
    warn(found)
    if problems_to is not None:
        write_problems(problems_to, repr(task), found.problems)


# One file per task, with a line of JSON for each file that the task could not read.
_FILE = "sgf-problems-{}.jsonl"


def begin_problems(folder: str, unopened: Iterable[Problem] = ()) -> None:
    """Creates the folder for the problems of a query, and removes the files of an earlier query."""
    os.makedirs(folder, exist_ok=True)
    for path in pathlib.Path(folder).glob(_FILE.format("*")):
        path.unlink(missing_ok=True)
    write_problems(folder, "unopened", unopened)


def write_problems(folder: str, task: str, problems: Iterable[Problem]) -> None:
    """Writes the unreadable files of a task. A repeated task replaces its file."""
    if rows := [row_of(problem) for problem in problems]:
        name = hashlib.sha256(task.encode()).hexdigest()[:24]
        path = os.path.join(folder, _FILE.format(name))
        unfinished = f"{path}.{uuid.uuid4().hex}"
        with open(unfinished, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
        os.replace(unfinished, path)


def row_of(problem: Problem) -> dict[str, str | None]:
    """Returns the row of a problem in the table of problems."""
    return {name: getattr(problem, name) for name in ("source", "member", "code", "message")}


def read_problems(folder: str | os.PathLike[str]) -> pyarrow.Table:
    """Return the files that the tasks of a query could not read, as the table ``problems``."""
    import pyarrow

    rows: list[dict[str, str | None]] = []
    for path in sorted(pathlib.Path(folder).glob(_FILE.format("*"))):
        rows += map(json.loads, path.read_text(encoding="utf-8").splitlines())
    rows.sort(key=lambda row: (row["source"] or "", row["member"] or "", row["code"] or ""))
    return pyarrow.Table.from_pylist(rows, pyarrow.schema(problems(splits=[])))


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
