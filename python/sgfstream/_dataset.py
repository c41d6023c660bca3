"""Narrows scans to fewer columns and rows, and makes a pyarrow dataset of a scan."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from typing import Any, Union, cast

import pyarrow
import pyarrow.dataset

from . import Scan
from ._arrow_filters import condition
from ._conditions import sql

Columns = Union[Sequence[str], "dict[str, Any]", None]
"""Names of columns, or expressions by name."""

_INSTEAD = "pass dataset.scanner(columns).to_reader() or dataset.to_table() instead of the dataset"


def expressions_of(scan: Scan) -> dict[str, str] | None:
    """Returns the expression of each column of a scan of games, or `None` if one element of `columns` names several columns."""
    _, (_, settings) = scan.__reduce__()
    given = cast("list[str] | None", settings["columns"])
    names = [name for name in scan.columns if name != "key"]
    if given is not None and len(given) != len(names):
        return None
    return dict(zip(names, names if given is None else given))


def narrowed(scan: Scan, columns: Sequence[str] | None, where: str | None = None) -> Scan:
    """Returns the scan with one more condition and only these columns, if its table can leave columns out."""
    inputs, settings = scan.__reduce__()[1]
    settings = dict(settings)
    if columns is not None and scan.table == "games":
        expressions = expressions_of(scan)
        if expressions is not None:
            # A scan without columns would have all columns. The number of a game takes no time.
            settings["columns"] = [expressions[name] for name in columns if name in expressions] or ["game"]
    if where is not None:
        old = settings["condition"]
        settings["condition"] = where if old is None else f"({old}) AND ({where})"
    return Scan(inputs, settings)


def own_names(scan: Scan) -> set[str]:
    """Returns the columns of a scan of games that no expression of the same name replaces."""
    computed = expressions_of(scan) or {} if scan.table == "games" else {}
    return {name for name, expression in computed.items() if name == expression}


class SgfDataset(pyarrow.dataset.UnionDataset):
    """Dataset that reads only the requested columns, and skips games whose roots fail the filter.

    DuckDB finds it by the name of the variable, as it finds a table. ``pyarrow.dataset.write_dataset`` and other functions
    that read a dataset in C++ take ``scanner(columns=…).to_reader()`` instead.
    """

    def __init__(self, scan: Scan, filter: Any = None) -> None:
        super().__init__(pyarrow.schema(scan), [_native_part(pyarrow.schema(scan))])
        self._scan, self._filter = scan, filter

    @property
    def schema(self) -> pyarrow.Schema:
        return pyarrow.schema(self._scan)

    @property
    def partition_expression(self) -> pyarrow.dataset.Expression:
        """An expression that is true for all rows, because a scan has no partitions."""
        return pyarrow.dataset.scalar(True)

    def scanner(self, columns: Columns = None, filter: Any = None, batch_size: int | None = None, **_: Any) -> SgfScanner:
        """Return a scanner of these columns, in rows for which the pyarrow expression `filter` is true.

        ``columns`` are names, or a dictionary of names and expressions.
        """
        every: list[str] = self.schema.names
        wanted = every if columns is None else columns if isinstance(columns, dict) else list(columns)
        both = self._filter if filter is None else filter if self._filter is None else self._filter & filter
        # An expression does not list its columns, but its text contains their names.
        expressions = [*(wanted.values() if isinstance(wanted, dict) else ()), *(() if both is None else (both,))]
        text = " ".join(map(str, expressions))
        read = [name for name in every if name in wanted or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
        where = None if both is None else sql(condition(both), own_names(self._scan))
        return SgfScanner(narrowed(self._scan, read, where), self.schema, wanted, both)

    def filter(self, expression: Any) -> SgfDataset:
        """Return the dataset of the rows for which this pyarrow expression is true, too."""
        if not isinstance(expression, pyarrow.dataset.Expression):
            raise TypeError(f"expected a pyarrow expression, such as pyarrow.dataset.field('moves') > 3, found {expression!r}")
        return SgfDataset(self._scan, expression if self._filter is None else self._filter & expression)

    def to_batches(self, columns: Columns = None, filter: Any = None, **_: Any) -> Iterator[pyarrow.RecordBatch]:
        """Return the batches that have rows."""
        return self.scanner(columns, filter).to_batches()

    def to_table(self, columns: Columns = None, filter: Any = None, **_: Any) -> pyarrow.Table:
        """Return all rows."""
        return self.scanner(columns, filter).to_table()

    def head(self, num_rows: int, columns: Columns = None, filter: Any = None, **_: Any) -> pyarrow.Table:
        """Return the first rows."""
        return self.scanner(columns, filter).head(num_rows)

    def take(self, indices: Any, columns: Columns = None, filter: Any = None, **_: Any) -> pyarrow.Table:
        """Return the rows with these numbers."""
        return self.scanner(columns, filter).take(indices)

    def count_rows(self, filter: Any = None, **_: Any) -> int:
        """Return the number of rows, reading as little as possible."""
        if filter is None and self._filter is None:
            return self._scan.count()
        return self.scanner([], filter).count_rows()

    def sort_by(self, sorting: Any, **options: Any) -> pyarrow.dataset.InMemoryDataset:
        """Return the sorted rows, which are in memory."""
        return pyarrow.dataset.InMemoryDataset(self.to_table().sort_by(sorting, **options))

    def join(self, right_dataset: Any, *about: Any, **options: Any) -> pyarrow.dataset.InMemoryDataset:
        """Return a join with another dataset, as ``pyarrow.Table.join`` makes it in memory."""
        return pyarrow.dataset.InMemoryDataset(self.to_table().join(_table(right_dataset), *about, **options))

    def join_asof(self, right_dataset: Any, *about: Any, **options: Any) -> pyarrow.dataset.InMemoryDataset:
        """Return a join with another dataset on the nearest key, as ``pyarrow.Table.join_asof`` makes it in memory."""
        return pyarrow.dataset.InMemoryDataset(self.to_table().join_asof(_table(right_dataset), *about, **options))

    def get_fragments(self, filter: Any = None) -> Iterator[pyarrow.dataset.Fragment]:
        """Refuse, because a scan is one stream; :func:`sgfstream.plan` divides inputs."""
        raise NotImplementedError("a dataset of SGF has no fragments; sgfstream.plan(inputs) divides inputs into parts")

    def replace_schema(self, schema: pyarrow.Schema) -> pyarrow.dataset.Dataset:
        """Refuse, because the reader determines the types."""
        raise NotImplementedError(f"a dataset of SGF keeps its schema; {_INSTEAD}")

    @property
    def children(self) -> list[pyarrow.dataset.Dataset]:
        """An empty list: the dataset consists of no others."""
        return []

    def __reduce__(self) -> tuple[Any, ...]:
        return SgfDataset, (self._scan, self._filter)


class _Unreadable(io.RawIOBase):
    """File that raises at the first use."""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        raise NotImplementedError(f"pyarrow cannot read SGF by itself; {_INSTEAD}")

    seek = readinto = tell  # type: ignore[assignment]


def _native_part(schema: pyarrow.Schema) -> pyarrow.dataset.Dataset:
    """Returns a dataset that raises when it is read. pyarrow's own functions read the native part of a dataset, and would crash without one."""
    kind = pyarrow.dataset.IpcFileFormat()
    return pyarrow.dataset.FileSystemDataset([kind.make_fragment(_Unreadable())], schema, kind)


def _table(dataset: Any) -> pyarrow.Table:
    return dataset if isinstance(dataset, pyarrow.Table) else dataset.to_table()


class SgfScanner:
    """Scanner with the methods of `pyarrow.dataset.Scanner`. It reads only when its caller takes a batch.

    pyarrow's own scanner reads ahead in threads. After a LIMIT, these threads still read while Python exits, which crashes it.
    """

    def __init__(self, scan: Scan, schema: pyarrow.Schema, columns: Sequence[str] | dict[str, Any], filter: Any) -> None:
        self._scan, self._columns, self._filter = scan, columns, filter
        self.dataset_schema = schema
        self.projected_schema: pyarrow.Schema = self._projected(schema.empty_table()).schema

    def _projected(self, rows: pyarrow.Table) -> pyarrow.Table:
        if isinstance(self._columns, dict):
            return pyarrow.dataset.InMemoryDataset(rows).to_table(columns=self._columns)
        return rows.select(self._columns)

    def _rows(self) -> Iterator[pyarrow.Table]:
        """Yields the rows for which the filter is true, with all columns that were read."""
        for batch in pyarrow.RecordBatchReader.from_stream(self._scan):
            rows = pyarrow.Table.from_batches([batch])
            yield rows if self._filter is None else rows.filter(self._filter)

    def to_batches(self) -> Iterator[pyarrow.RecordBatch]:
        """Return the batches that have rows."""
        for rows in self._rows():
            yield from self._projected(rows).to_batches()

    def scan_batches(self) -> Iterator[Any]:
        """Refuse, because there are no fragments."""
        raise NotImplementedError("a dataset of SGF has no fragments; use to_batches()")

    def to_reader(self) -> pyarrow.RecordBatchReader:
        """Return the batches as a reader."""
        return pyarrow.RecordBatchReader.from_batches(self.projected_schema, self.to_batches())

    def to_table(self) -> pyarrow.Table:
        """Return all rows."""
        return self.to_reader().read_all()

    def head(self, num_rows: int) -> pyarrow.Table:
        """Return the first rows."""
        batches: list[pyarrow.RecordBatch] = []
        for batch in self.to_batches():
            batches.append(batch)
            if sum(map(len, batches)) >= num_rows:
                break
        return pyarrow.Table.from_batches(batches, self.projected_schema).slice(0, num_rows)

    def count_rows(self) -> int:
        """Return the number of rows."""
        return sum(rows.num_rows for rows in self._rows())

    def take(self, indices: Any) -> pyarrow.Table:
        """Return the rows with these numbers."""
        return self.to_table().take(indices)
