"""Scans with other columns and conditions, and a dataset of pyarrow that makes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pyarrow
import pyarrow.dataset

from . import Scan


def expressions_of(scan: Scan) -> dict[str, str] | None:
    """What each column of a scan of games is computed from, by its name; none where an element is several columns."""
    _, (_, settings) = scan.__reduce__()
    given = cast("list[str] | None", settings["columns"])
    names = [name for name in scan.columns if name != "key"]
    if given is not None and len(given) != len(names):
        return None
    return dict(zip(names, names if given is None else given))


def narrowed(scan: Scan, columns: Sequence[str] | None, where: str | None = None) -> Scan:
    """The scan with these of its columns only, as far as its table can leave columns out, and with one condition more."""
    inputs, settings = scan.__reduce__()[1]
    settings = dict(settings)
    if columns is not None and scan.table == "games":
        expressions = expressions_of(scan)
        if expressions is not None:
            settings["columns"] = [expressions[name] for name in columns if name in expressions]
    if where is not None:
        old = settings["condition"]
        settings["condition"] = where if old is None else f"({old}) AND ({where})"
    return Scan(inputs, settings)


def batches(scan: Scan, columns: Sequence[str]) -> Iterator[pyarrow.RecordBatch]:
    """The rows of a scan with these columns, in this order."""
    for batch in narrowed(scan, columns):
        yield batch.select(list(columns))


class SgfDataset(pyarrow.dataset.Dataset):
    """A dataset that reads the columns that it is asked for.

    DuckDB finds it by the name of the variable, as it finds a table.
    """

    def __init__(self, scan: Scan) -> None:
        self._scan = scan

    @property
    def schema(self) -> pyarrow.Schema:
        return pyarrow.schema(self._scan)

    def scanner(
        self, columns: Sequence[str] | None = None, filter: Any = None, batch_size: int | None = None, **_: Any
    ) -> pyarrow.dataset.Scanner:
        """Rows with these columns for which `filter`, an expression of pyarrow, is true."""
        every: list[str] = self.schema.names
        wanted = every if columns is None else list(columns)
        # A filter does not say what it asks about, but whatever that is, its text has the names.
        text = "" if filter is None else str(filter)
        read = [name for name in every if name in wanted or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
        schema = pyarrow.schema([self.schema.field(name) for name in read])
        found = batches(self._scan, read)
        return pyarrow.dataset.Scanner.from_batches(found, schema=schema, columns=wanted, filter=filter)

    def __reduce__(self) -> tuple[Any, ...]:
        return SgfDataset, (self._scan,)
