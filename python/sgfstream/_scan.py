"""The class `Scan`, with the methods that pass its rows to other libraries."""

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

    def to_arrow(self) -> pyarrow.Table:
        """Return the rows as a pyarrow table.

        >>> import sgfstream
        >>> sgfstream.scan("corpus/go-collection.sgf", columns=["moves"]).to_arrow().shape
        (4, 2)
        """
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a Polars frame; :meth:`lazy` reads only what a query needs."""
        import polars

        return polars.DataFrame(self)

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

