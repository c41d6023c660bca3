"""The class `Scan`: what hands the rows to other libraries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._dataset import SgfDataset


class Scan(_native.Scan):
    """Rows of a table, which are read when a consumer asks for them: each time anew, in the background, on all cores.

    Every library that takes Arrow streams takes a ``Scan``: ``polars.DataFrame(scan)``, ``pyarrow.table(scan)``,
    ``duckdb.sql("FROM scan")``. It pickles, so that it can be read in another process.
    """

    __module__ = "sgfstream"

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        """The record batches, as pyarrow's."""
        import pyarrow

        return iter(pyarrow.RecordBatchReader.from_stream(self))

    @property
    def schema(self) -> pyarrow.Schema:
        """The names and types of the columns, as pyarrow's."""
        import pyarrow

        return pyarrow.schema(self)

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of pyarrow.

        >>> import sgfstream
        >>> sgfstream.scan("corpus/go-collection.sgf", columns=["moves"]).to_arrow().shape
        (4, 2)
        """
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self) -> polars.DataFrame:
        """The rows as a frame of Polars; :meth:`lazy` reads only what a query asks for."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a frame of pandas."""
        return self.to_arrow().to_pandas()

    def lazy(self) -> polars.LazyFrame:
        """A lazy frame of Polars: columns, conditions and limits of a query reach the reader."""
        from .polars import lazy

        return lazy(self)

    def to_dataset(self) -> SgfDataset:
        """A dataset of pyarrow, of which DuckDB reads only the columns that a query asks for.

        >>> import duckdb, sgfstream
        >>> games = sgfstream.scan("corpus/go-*.sgf").to_dataset()
        >>> duckdb.sql("SELECT pb FROM games WHERE moves > 20").fetchall()
        [('Ada',)]
        """
        from ._dataset import SgfDataset

        return SgfDataset(self)

