"""Archives as a dataset of Ray: a read task for each split of :func:`sgfstream.plan`. All nodes must see the files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow
import ray.data
from ray.data import Datasource
from ray.data.block import BlockMetadata
from ray.data.datasource import ReadTask

from . import Inputs, plan
from ._tables import open_table, read_split

__all__ = ["read_sgf"]


def read_sgf(inputs: Inputs, *, table: str = "games", split_bytes: int = 64 << 20, **options: Any) -> ray.data.Dataset:
    """The rows of a table: ``games``, ``moves``, ``comments``, ``lines``, ``positions`` or ``problems``.

    The options are those of the function of this name, such as ``columns`` and ``where`` for games.
    """
    open_table(table, splits=[], **options)
    return ray.data.read_datasource(_Source(plan(inputs, split_bytes=split_bytes), table, options))


class _Source(Datasource):
    def __init__(self, splits: list[str], table: str, options: dict[str, Any]):
        super().__init__()
        self.splits, self.table, self.options = splits, table, options

    def estimate_inmemory_data_size(self) -> int | None:
        return None

    def get_read_tasks(self, parallelism: int, *_: Any, **__: Any) -> list[ReadTask]:
        metadata = BlockMetadata(num_rows=None, size_bytes=None, exec_stats=None, input_files=None)
        table, options = self.table, self.options

        def task(split: str) -> ReadTask:
            def read() -> Iterator[pyarrow.Table]:
                for batch in read_split(table, split, **options):
                    yield pyarrow.Table.from_batches([batch])

            return ReadTask(read, metadata)

        return [task(split) for split in self.splits or [""]]
