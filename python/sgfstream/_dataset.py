"""Narrows scans to fewer columns and rows, and makes a pyarrow dataset of a scan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pyarrow
import pyarrow.dataset

from . import Scan
from ._arrow_filters import condition
from ._conditions import sql


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


class SgfDataset(pyarrow.dataset.Dataset):
    """Dataset that reads only the requested columns, and skips games whose roots fail the filter.

    DuckDB finds it by the name of the variable, as it finds a table.
    """

    def __init__(self, scan: Scan) -> None:
        self._scan = scan

    @property
    def schema(self) -> pyarrow.Schema:
        return pyarrow.schema(self._scan)

    def scanner(
        self, columns: Sequence[str] | None = None, filter: Any = None, batch_size: int | None = None, **_: Any
    ) -> SgfScanner:
        """Return a scanner of these columns, in rows for which the pyarrow expression `filter` is true."""
        every: list[str] = self.schema.names
        wanted = every if columns is None else list(columns)
        # A filter does not list its columns, but its text contains their names.
        text = "" if filter is None else str(filter)
        read = [name for name in every if name in wanted or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
        where = None if filter is None else sql(condition(filter), own_names(self._scan))
        return SgfScanner(pyarrow.RecordBatchReader.from_stream(narrowed(self._scan, read, where)), wanted, filter)

    def __reduce__(self) -> tuple[Any, ...]:
        return SgfDataset, (self._scan,)


class SgfScanner:
    """Scanner with the methods of `pyarrow.dataset.Scanner`. It reads only when its caller takes a batch.

    pyarrow's own scanner reads ahead in threads. After a LIMIT, these threads still read while Python exits, which crashes it.
    """

    def __init__(self, found: pyarrow.RecordBatchReader, columns: list[str], filter: Any) -> None:
        self._found, self._columns, self._filter = found, columns, filter
        self.projected_schema = pyarrow.schema([found.schema.field(name) for name in columns])

    def to_batches(self) -> Iterator[pyarrow.RecordBatch]:
        """Return the batches that have rows."""
        for batch in self._found:
            rows = pyarrow.Table.from_batches([batch])
            yield from (rows if self._filter is None else rows.filter(self._filter)).select(self._columns).to_batches()

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
        return sum(map(len, self.to_batches()))

    def take(self, indices: Any) -> pyarrow.Table:
        """Return the rows with these numbers."""
        return self.to_table().take(indices)
