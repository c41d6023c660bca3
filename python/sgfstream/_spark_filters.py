"""Converts filters of Spark 4.1 and later to expressions of `where`."""

from __future__ import annotations

from collections.abc import Collection
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

from . import _conditions

_SIGNS = {
    EqualTo: "=",
    EqualNullSafe: "<=>",
    GreaterThan: ">",
    GreaterThanOrEqual: ">=",
    LessThan: "<",
    LessThanOrEqual: "<=",
}
_PATTERNS = (StringStartsWith, StringEndsWith, StringContains)


def sql(filter: Filter, names: Collection[str]) -> str | None:
    """Returns the filter as an expression of `where`, or `None` if no expression means the same."""
    return _conditions.sql(_condition(filter), names)


def _condition(filter: Any) -> Any:
    if isinstance(filter, Not):
        return "not", _condition(filter.child)
    attribute: tuple[str, ...] = getattr(filter, "attribute", ())
    if len(attribute) != 1:
        return ("unknown",)
    column = attribute[0]
    if isinstance(filter, (IsNull, IsNotNull)):
        return "null" if isinstance(filter, IsNull) else "valid", column
    value = getattr(filter, "value", None)
    if isinstance(filter, In):
        return "in", column, filter.value
    if isinstance(filter, _PATTERNS):
        starts, ends = isinstance(filter, StringStartsWith), isinstance(filter, StringEndsWith)
        return "like", column, _conditions.like(value, starts=starts, ends=ends)
    sign = _SIGNS.get(type(filter))
    return (sign, column, value) if sign else ("unknown",)
