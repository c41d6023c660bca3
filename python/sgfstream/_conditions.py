"""Conditions of other libraries as expressions of ``where``.

A condition is a tuple, its kind first: ``("and", [conditions])``, ``("or", [conditions])``, ``("not", condition)``,
``("null", operand)``, ``("valid", operand)``, ``("in", operand, values)``, ``("like", operand, text)``, and ``("=", operand, value)``
with ``=``, ``<=>`` (null is a value), ``!=``, ``<``, ``<=``, ``>`` or ``>=``. An operand is the name of a column, or
``("year", name)``, also with ``month`` and ``day``. The kind ``unknown`` has no expression.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from . import columns, scan

ORDERS = ("<", "<=", ">", ">=")
SIGNS = ("=", "!=", "<=>", *ORDERS)
# `where` compares these by strength, all other libraries as text.
RANKS = ("br", "wr")


def sql(condition: Any, names: Collection[str], *, is_negated: bool = False) -> str | None:
    """Returns an expression on these columns that is true for each row of the condition, and perhaps for more rows.

    The expression is exact where the condition has no ``and``, and no ``or`` below a ``not``. Returns ``None`` if no
    expression excludes a row.
    """
    kind, *about = condition
    if kind == "not":
        return sql(about[0], names, is_negated=not is_negated)
    if kind in ("and", "or"):
        parts = [sql(part, names, is_negated=is_negated) for part in about[0]]
        # The caller can evaluate parts of a conjunction, so leave out unknown parts. `NOT (a OR b)` is a conjunction, too.
        is_conjunction = (kind == "and") != is_negated
        known = [f"({part})" for part in parts if part]
        if not known or (not is_conjunction and len(known) < len(parts)):
            return None
        return (" AND " if is_conjunction else " OR ").join(known)
    text = _test(kind, *about, names=names) if about else None
    if text is None or not _compiles(text):
        return None
    return f"NOT ({text})" if is_negated else text


@lru_cache(maxsize=256)
def _compiles(text: str) -> bool:
    """Returns whether the reader accepts the expression. It refuses impossible values of `winner`, and long expressions."""
    try:
        scan((), columns=["game"], where=text)
    except ValueError:
        return False
    return True


def _test(kind: str, operand: Any, *about: Any, names: Collection[str]) -> str | None:
    function, name = operand if isinstance(operand, tuple) else (None, operand)
    column_type = columns().get(name, ("",))[0] if name in names else ""
    column = name
    if function is not None:
        column, column_type = f"{function}({name})", "int" if column_type == "date" else ""
    if column_type not in ("int", "float", "text", "string", "date"):
        return None
    if kind in ("null", "valid"):
        return f"{column} IS {'NOT ' if kind == 'valid' else ''}NULL"
    if kind == "like":
        return f"{column} LIKE {_literal(about[0], 'text')}" if column_type in ("text", "string") else None
    if kind == "in":
        values = [_literal(value, column_type) for value in about[0]]
        return None if None in values or not values else f"{column} IN ({', '.join(map(str, values))})"
    value = _literal(about[0], column_type) if kind in SIGNS else None
    if value is None or (kind in ORDERS and name in RANKS):
        return None
    return f"{column} IS NOT NULL AND {column} = {value}" if kind == "<=>" else f"{column} {kind} {value}"


def _literal(value: Any, column_type: str) -> str | None:
    if column_type in ("text", "string"):
        return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else None
    if column_type == "date":
        is_date = isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)
        return f"DATE '{value.isoformat()}'" if is_date else None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and abs(value) < 1e15
    return repr(value) if is_number else None


def like(text: Any, *, starts: bool = False, ends: bool = False) -> Any:
    """Returns the LIKE pattern for texts that contain, start with or end with this text."""
    if not isinstance(text, str):
        return None
    escaped = "".join(f"\\{sign}" if sign in "\\%_" else sign for sign in text)
    return f"{'' if starts else '%'}{escaped}{'' if ends else '%'}"
