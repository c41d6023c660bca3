"""The class `Scan`, with the methods that pass its rows to other libraries."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, NoReturn

from . import _native

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._dataset import SgfDataset


class Scan(_native.Scan):
    """Rows of a table. Each consumer reads the inputs again, in the background and on all cores.

    Every library that accepts Arrow streams accepts a ``Scan``: ``polars.DataFrame(scan)``, ``pyarrow.table(scan)``,
    ``duckdb.sql("FROM scan")``. A ``Scan`` can be pickled and read in another process.
    """

    __module__ = "sgfstream"

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        """Iterate over the record batches of pyarrow."""
        import pyarrow

        return iter(pyarrow.RecordBatchReader.from_stream(self))

    @property
    def schema(self) -> pyarrow.Schema:
        """The names and types of the columns, as a pyarrow schema."""
        import pyarrow

        return pyarrow.schema(self)

    def __array__(self, *_: object, **__: object) -> NoReturn:
        """Refuse, because numpy and ``pandas.DataFrame`` would make one object of each batch."""
        raise TypeError("a Scan is not an array; for pandas use scan.to_pandas(), for numpy scan.to_arrow()['moves'].to_numpy()")

    def head(self, rows: int = 5) -> pyarrow.Table:
        """Return the first rows as a pyarrow table. Reads no more than they need.

        >>> import sgfstream
        >>> sgfstream.scan("corpus/go-collection.sgf", columns=["moves"]).head(2).num_rows
        2
        """
        return self.to_dataset().head(rows)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{escape(field.name)}</td><td>{escape(str(field.type))}</td></tr>" for field in self.schema)
        return f"<details><summary>{escape(repr(self))}</summary><table>{rows}</table></details>"

    def to_arrow(self) -> pyarrow.Table:
        """Return the rows as a pyarrow table.

        >>> import sgfstream
        >>> sgfstream.scan("corpus/go-collection.sgf", columns=["moves"]).to_arrow().shape
        (4, 2)
        """
        import pyarrow

        try:
            return pyarrow.table(self)
        except OSError:
            _raise_interrupt()
            raise

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a Polars frame; :meth:`lazy` reads only what a query needs."""
        import polars

        try:
            return polars.DataFrame(self)
        except (OSError, polars.exceptions.PolarsError):
            _raise_interrupt()
            raise

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas frame."""
        return self.to_arrow().to_pandas()

    def lazy(self) -> polars.LazyFrame:
        """Return a lazy Polars frame, which passes columns, conditions and limits of a query to the reader."""
        from .polars import lazy

        return lazy(self)

    def to_dataset(self) -> SgfDataset:
        """Return a pyarrow dataset, from which DuckDB reads only the columns that a query needs.

        >>> import duckdb, sgfstream
        >>> games = sgfstream.scan("corpus/go-*.sgf").to_dataset()
        >>> duckdb.sql("SELECT pb FROM games WHERE moves > 20").fetchall()
        [('Ada',)]
        """
        from ._dataset import SgfDataset

        return SgfDataset(self)


def _raise_interrupt() -> None:
    """Raises `KeyboardInterrupt` if Ctrl-C ended a reading. Python raises it when a function begins; a library's error comes earlier."""
