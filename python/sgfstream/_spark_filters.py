"""Conditions of Spark as expressions of a scan. Spark has them since 4.1."""

from __future__ import annotations

import datetime
import math
from typing import Any

from pyspark.sql.datasource import (
    EqualNullSafe,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    IsNotNull,
    IsNull,
    LessThan,
    LessThanOrEqual,
    Not,
    StringContains,
    StringEndsWith,
    StringStartsWith,
)

from . import columns as all_columns

_OPERATORS = {
    EqualTo: "=",
    EqualNullSafe: "=",
    GreaterThan: ">",
    GreaterThanOrEqual: ">=",
    LessThan: "<",
    LessThanOrEqual: "<=",
}
_PATTERNS = {StringStartsWith: "{}%", StringEndsWith: "%{}", StringContains: "%{}%"}


def sql(condition: Filter) -> str | None:
    """The condition as an expression of a scan; none where there is no such one."""
    if isinstance(condition, Not):
        inner = sql(condition.child)
        return None if inner is None else f"NOT ({inner})"
    attribute: tuple[str, ...] = getattr(condition, "attribute", ())
    if len(attribute) != 1 or attribute[0] not in all_columns():
        return None
    column = attribute[0]
    if isinstance(condition, IsNotNull):
        return f"{column} IS NOT NULL"
    if isinstance(condition, IsNull):
        return f"{column} IS NULL"
    if isinstance(condition, In):
        values = [_literal(value) for value in condition.value]
        return None if None in values or not values else f"{column} IN ({', '.join(map(str, values))})"
    if type(condition) in _PATTERNS:
        escaped = "".join(f"\\{c}" if c in "\\%_" else c for c in condition.value)
        return f"{column} LIKE {_literal(_PATTERNS[type(condition)].format(escaped))}"
    operator = _OPERATORS.get(type(condition))
    value = _literal(condition.value) if operator else None
    if value is None:
        return None
    comparison = f"{column} {operator} {value}"
    return f"({column} IS NOT NULL AND {comparison})" if isinstance(condition, EqualNullSafe) else comparison


def _literal(value: Any) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int) or isinstance(value, float) and math.isfinite(value):
        return repr(value)
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return f"DATE '{value.isoformat()}'"
    return None
