"""Archives as a dataframe of Dask: a partition for each split of :func:`sgfstream.plan`. All nodes must see the files,
or open them with fsspec: ``s3://games/*.zip``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import dask.dataframe
import pandas
import pyarrow

from . import Inputs
from ._tables import Task, begin_problems, how_of, open_table, plan_tasks, read_problems, read_task, warn_of
from ._types import TableOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["read_problems", "read_sgf"]


def read_sgf(
    inputs: Inputs, *, table: str = "games", split_bytes: int = 64 << 20, problems_to: str | None = None, **options: Unpack[TableOptions]
) -> dask.dataframe.DataFrame:
    """Return the rows of a table: ``games``, ``moves``, ``comments``, ``lines``, ``positions`` or ``problems``.

    ``options`` go to the function with this name, such as ``columns`` and ``where`` for games. With ``problems_to``,
    each task writes the files that it could not read to this folder, which all nodes must see; :func:`read_problems` returns
    them after the query.
    """
    given: dict[str, Any] = {**options}
    schema = pyarrow.schema(open_table(table, splits=[], **given))
    tasks, unopened = plan_tasks(inputs, split_bytes, **how_of(given))
    warn_of(unopened)
    if problems_to is not None:
        begin_problems(problems_to, unopened)
        given["problems_to"] = problems_to
    meta = _frame(schema.empty_table())
    return dask.dataframe.from_map(_read, tasks, table=table, options=given, meta=meta)


def _read(task: Task, table: str, options: dict[str, Any]) -> pandas.DataFrame:
    plain = {name: value for name, value in options.items() if name != "problems_to"}
    schema = pyarrow.schema(open_table(table, splits=[], **plain))
    return _frame(pyarrow.Table.from_batches(read_task(table, task, **options), schema))


def _frame(table: pyarrow.Table) -> pandas.DataFrame:
    # With Arrow's own types a column has one type, whether or not a partition has nulls.
    return table.to_pandas(types_mapper=pandas.ArrowDtype)
