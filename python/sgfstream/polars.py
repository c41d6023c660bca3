"""Lazy frames of Polars over archives: columns, conditions and limits of a query reach the reader.

>>> import polars
>>> import sgfstream.polars
>>> frame = sgfstream.polars.scan_sgf("corpus/go-*.sgf")
>>> frame.filter(polars.col("moves") > 20).select("pb", "moves").collect().rows()
[('Ada', 24)]
"""

from __future__ import annotations

import datetime
import io
import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import polars
import pyarrow
from polars.io.plugins import register_io_source

from . import Inputs, Scan
from ._conditions import like, sql
from ._dataset import narrowed, own_names
from ._tables import open_table
from ._types import TableOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["lazy", "scan_sgf"]


def scan_sgf(inputs: Inputs, table: str = "games", **options: Unpack[TableOptions]) -> polars.LazyFrame:
    """Return a lazy frame of a table: ``games``, ``moves``, ``comments``, ``lines``, ``positions`` or ``problems``.

    ``options`` go to the function that reads the table, such as ``where`` and ``threads`` of :func:`sgfstream.scan`.
    For the table of games, the reader reads only the columns of the query. It evaluates conditions that ``where`` can express
    at the root of a game, and skips the rest of the game if they fail.
    """
    return lazy(open_table(table, inputs=inputs, **options))


def lazy(scan: Scan) -> polars.LazyFrame:
    """Return a lazy frame of the rows of a scan."""
    own = own_names(scan)

    def source(
        with_columns: list[str] | None,
        predicate: polars.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        where = None if predicate is None else condition(predicate, own)
        for table in _grouped(narrowed(scan, with_columns, where)):
            frame = polars.DataFrame(table)
            if with_columns is not None:
                frame = frame.select(with_columns)
            if predicate is not None:
                # The reader may have evaluated only a part of the predicate.
                frame = frame.filter(predicate)
            if n_rows is not None:
                frame = frame.head(n_rows)
                n_rows -= frame.height
            yield frame
            if n_rows == 0:
                return

    return register_io_source(source, schema=polars.Schema(scan), is_pure=True)


def _grouped(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.Table]:
    """Yields the first batch as a table, then tables of a MiB, because making a frame takes as long as reading a hundred small files."""
    group: list[pyarrow.RecordBatch] = []
    size, wanted = 0, 0
    for batch in batches:
        group.append(batch)
        size += batch.nbytes
        if size >= wanted:
            yield pyarrow.Table.from_batches(group)
            group, size, wanted = [], 0, 1 << 20
    if group:
        yield pyarrow.Table.from_batches(group)


OPERATORS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
# Names that Polars' JSON wraps around values: kinds of literals, and types of numbers and texts.
VALUES = ("Literal", "Scalar", "Dyn", "Int", "Float", "Str", "String", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float64")
EPOCH = datetime.date(1970, 1, 1)


def condition(predicate: polars.Expr, names: Collection[str]) -> str | None:
    """Returns the part of a predicate on these columns that the reader can evaluate, as an expression of ``where``.

    The expression may be true for more rows than the predicate.
    """
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except (ValueError, polars.exceptions.PolarsError):
        return None
    return sql(_condition(tree), names)


def _condition(tree: Any) -> Any:
    """Returns the condition in Polars' JSON. The JSON differs between versions of Polars, so an unexpected form becomes `UNKNOWN`."""
    try:
        if "BinaryExpr" in tree:
            return _binary(tree["BinaryExpr"])
        inputs, function = tree["Function"]["input"], tree["Function"]["function"]
        ((kind, what),) = function.items()
        if (kind, what) == ("Boolean", "Not"):
            return "not", _condition(inputs[0])
        operand = _operand(inputs[0])
        if kind == "StringExpr":
            is_literal = isinstance(what, str) or what["Contains"]["literal"] or re.fullmatch(r"[\w ,']*", _value(inputs[1]))
            return ("like", operand, like(_value(inputs[1]), starts=what == "StartsWith", ends=what == "EndsWith")) if is_literal else UNKNOWN
        if what in ("IsNull", "IsNotNull"):
            return "null" if what == "IsNull" else "valid", operand
        ((what, options),) = what.items()
        if what == "IsIn" and not options["nulls_equal"]:
            # No value equals a null in the list.
            return "in", operand, [value for value in _values(inputs[1]) if value is not None]
        if what == "IsBetween":
            low = ">=" if options["closed"] in ("Both", "Left") else ">"
            high = "<=" if options["closed"] in ("Both", "Right") else "<"
            return "and", [(low, operand, _value(inputs[1])), (high, operand, _value(inputs[2]))]
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, polars.exceptions.PolarsError):
        pass
    return UNKNOWN


UNKNOWN = ("unknown",)


def _binary(node: Any) -> Any:
    left, right, operator = node["left"], node["right"], node["op"]
    if operator in ("And", "LogicalAnd", "Or", "LogicalOr"):
        return "and" if "And" in operator else "or", [_condition(left), _condition(right)]
    sign = OPERATORS[operator]
    if "Literal" in left:
        left, right, sign = right, left, MIRRORED.get(sign, sign)
    return sign, _operand(left), _value(right)


def _operand(tree: Any) -> Any:
    if "Column" in tree:
        return tree["Column"]
    if "Cast" in tree and tree["Cast"]["dtype"]["Literal"] == "Float64":
        # Polars casts an integer column to compare it with a float; the reader compares both. Polars casts no text to a float.
        return _operand(tree["Cast"]["expr"])
    part = {"Year": "year", "Month": "month", "Day": "day"}[tree["Function"]["function"]["TemporalExpr"]]
    return part, tree["Function"]["input"][0]["Column"]


def _value(tree: Any) -> Any:
    while isinstance(tree, dict):
        ((kind, tree),) = tree.items()
        if kind == "Date":
            return EPOCH + datetime.timedelta(days=tree)
        if kind not in VALUES:
            raise ValueError(f"expected a literal, found {kind}")
    return tree


def _values(tree: Any) -> list[Any]:
    """Returns the values of a list, which Polars' JSON contains as an Arrow stream."""
    tree = tree["Literal"]
    frame = polars.read_ipc_stream(io.BytesIO(bytes(tree["Series"] if "Series" in tree else tree["Scalar"]["List"])))
    series = frame.to_series()
    return (series.explode() if isinstance(series.dtype, polars.List) else series).to_list()
