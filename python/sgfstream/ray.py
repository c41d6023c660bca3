"""Archives as a dataset of Ray: a read task for each split of :func:`sgfstream.plan`. All nodes must see the files,
or open them with fsspec: ``s3://games/*.zip``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow
import ray.data
from ray.data import Datasource
from ray.data.block import BlockMetadata
from ray.data.datasource import ReadTask

from . import Inputs
from ._tables import Task, begin_problems, how_of, open_table, plan_tasks, read_problems, read_task, warn_of
from ._types import TableOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["read_problems", "read_sgf"]


def read_sgf(inputs: Inputs, *, table: str = "games", split_bytes: int = 64 << 20, problems_to: str | None = None, **options: Unpack[TableOptions]) -> ray.data.Dataset:
    """Return the rows of a table: ``games``, ``moves``, ``comments``, ``lines``, ``positions`` or ``problems``.

    ``options`` go to the function with this name, such as ``columns`` and ``where`` for games. With ``problems_to``,
    each task writes the files that it could not read to this folder, which all nodes must see; :func:`read_problems` returns
    them after the query.
    """
    given: dict[str, Any] = {**options}
    open_table(table, splits=[], **given)
    tasks, unopened = plan_tasks(inputs, split_bytes, **how_of(given))
    warn_of(unopened)
    if problems_to is not None:
        begin_problems(problems_to, unopened)
        given["problems_to"] = problems_to
    return ray.data.read_datasource(_Source(tasks, table, given))


class _Source(Datasource):
    def __init__(self, tasks: list[Task], table: str, options: dict[str, Any]):
        super().__init__()
        self.tasks, self.table, self.options = tasks, table, options

    def estimate_inmemory_data_size(self) -> int | None:
        return None

    def get_read_tasks(self, parallelism: int, *_: Any, **__: Any) -> list[ReadTask]:
        metadata = BlockMetadata(num_rows=None, size_bytes=None, exec_stats=None, input_files=None)
        table, options = self.table, self.options

        def read_of(task: Task) -> ReadTask:
            def read() -> Iterator[pyarrow.Table]:
                for batch in read_task(table, task, **options):
                    yield pyarrow.Table.from_batches([batch])

            return ReadTask(read, metadata)

        return [read_of(task) for task in self.tasks]
