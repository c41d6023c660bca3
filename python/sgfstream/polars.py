"""Lazy frames of Polars over archives: columns, conditions and limits of a query reach the reader.

>>> import polars
>>> import sgfstream.polars
>>> frame = sgfstream.polars.scan_sgf("corpus/go-*.sgf")
>>> frame.filter(polars.col("moves") > 20).select("pb", "moves").collect().rows()
[('Ada', 24)]
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import polars
from polars.io.plugins import register_io_source

from . import Inputs, Scan, columns
from ._dataset import expressions_of, narrowed
from ._tables import open_table
from ._types import TableOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["lazy", "scan_sgf"]


def scan_sgf(inputs: Inputs, table: str = "games", **options: Unpack[TableOptions]) -> polars.LazyFrame:
    """A lazy frame of a table: ``games``, ``moves``, ``comments``, ``lines``, ``positions`` or ``problems``.

    ``options`` are those of the function that reads the table, such as ``where`` and ``threads`` of
    :func:`sgfstream.scan`. Of the table of games, only the columns that a query names are read, and conditions on them
    that an expression of ``where`` can say are decided at the root of a game, of which the rest is skipped then.
    """
    return lazy(open_table(table, inputs=inputs, **options))


def lazy(scan: Scan) -> polars.LazyFrame:
    """A lazy frame of the rows of a scan."""
    # Of the columns of games, those that are what their names say: another may be called like one of them.
    computed = expressions_of(scan) or {} if scan.table == "games" else {}
    own = {name for name, expression in computed.items() if name == expression}

    def source(
        with_columns: list[str] | None,
        predicate: polars.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        where = None if predicate is None else condition(predicate, own)
        for batch in narrowed(scan, with_columns, where):
            frame = polars.DataFrame(batch)
            if with_columns is not None:
                frame = frame.select(with_columns)
            if predicate is not None:
                # What the reader left is still more than was asked for where it could not say all of it.
                frame = frame.filter(predicate)
            if n_rows is not None:
                frame = frame.head(n_rows)
                n_rows -= frame.height
            yield frame
            if n_rows == 0:
                return

    return register_io_source(source, schema=polars.Schema(scan), is_pure=True)


OPERATORS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}


def condition(predicate: polars.Expr, names: Collection[str]) -> str | None:
    """What of a condition on columns of these names the reader can decide, as an expression of ``where``.

    It may be true of more rows.
    """
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except (ValueError, polars.exceptions.PolarsError):
        return None
    return _condition(tree, names)


def _condition(tree: Any, names: Collection[str]) -> str | None:
    if not isinstance(tree, dict) or len(tree) != 1:
        return None
    if "Function" in tree:
        function = tree["Function"]
        tests = {"IsNull": "IS NULL", "IsNotNull": "IS NOT NULL"}
        kind = function.get("function", {})
        test = tests.get(kind.get("Boolean", "") if isinstance(kind, dict) and isinstance(kind.get("Boolean"), str) else "")
        column = _column(function.get("input", [None])[0], names)
        return f"{column} {test}" if test and column else None
    node = tree.get("BinaryExpr")
    if node is None:
        return None
    left, right, operator = node["left"], node["right"], node["op"]
    if operator in ("And", "LogicalAnd"):
        parts = [part for part in (_condition(left, names), _condition(right, names)) if part]
        return " AND ".join(f"({part})" for part in parts) or None
    if operator in ("Or", "LogicalOr"):
        one, other = _condition(left, names), _condition(right, names)
        return f"({one}) OR ({other})" if one and other else None
    column, literal = _column(left, names), _literal(right)
    if operator not in OPERATORS or column is None or literal is None:
        return None
    # The order of texts is that of Polars for equality only.
    if literal.startswith("'") and operator not in ("Eq", "NotEq"):
        return None
    return f"{column} {OPERATORS[operator]} {literal}"


def _column(tree: Any, names: Collection[str]) -> str | None:
    name = tree.get("Column") if isinstance(tree, dict) else None
    kind = columns().get(name, ("",))[0] if isinstance(name, str) and name in names else ""
    return name if kind in ("int", "float", "text", "string") else None


def _literal(tree: Any) -> str | None:
    value = tree.get("Literal") if isinstance(tree, dict) else None
    while isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if value == value and abs(value) < 1e15 else None
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return None
