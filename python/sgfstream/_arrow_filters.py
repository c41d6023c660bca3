"""Converts filters of pyarrow, which DuckDB passes to a dataset, to conditions.

Only the serialized form of a pyarrow expression shows its parts. It is a row of Arrow with the literals and the options of
functions. Its metadata lists calls, columns and literals from the outside to the inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pyarrow
import pyarrow.ipc

from ._conditions import like

COMPARISONS = {"equal": "=", "not_equal": "!=", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="}
LINKS = {"and_kleene": "and", "and": "and", "or_kleene": "or", "or": "or"}
UNKNOWN = ("unknown",)


def condition(filter: Any) -> Any:
    """Returns the condition of a pyarrow expression."""
    try:
        (buffer,) = filter.__reduce__()[1]
        batch = pyarrow.ipc.open_file(buffer).get_batch(0)
        text = batch.schema.to_string(show_schema_metadata=True, truncate_metadata=False)
        # Metadata as a dictionary would lose repeated calls.
        entries = re.findall(r"^(\w+): '(.*)'$", text.partition("-- schema metadata --")[2], re.MULTILINE)
        return _part(iter(entries), batch)
    except (pyarrow.ArrowInvalid, AttributeError, KeyError, IndexError, StopIteration, TypeError, ValueError):
        return UNKNOWN


def _part(entries: Iterator[tuple[str, str]], batch: pyarrow.RecordBatch) -> Any:
    kind, value = next(entries)
    if kind == "field_ref":
        return "column", value
    if kind == "call":
        parts = []
        while (part := _part(entries, batch))[0] != "end":
            parts.append(part)
        return _call(value, parts)
    # The values of `literal` and `options` are column numbers, and the value of `end` is the name of the call.
    return kind, value if kind == "end" else batch[int(value)][0].as_py()


def _call(name: str, parts: list[Any]) -> Any:
    options: Any = parts.pop()[1] if parts[-1][0] == "options" else {}
    kinds = [part[0] for part in parts]
    if name in LINKS:
        return LINKS[name], parts
    if name == "invert":
        return "not", parts[0]
    if name == "if_else" and kinds[:2] == ["valid", "and"] and parts[2] == ("literal", None):
        # `if_else(is_valid(x), is_in(x, …), null)` is IN of SQL.
        is_valid, test = parts[1][1]
        return test if is_valid == parts[0] and test[0] == "in" else UNKNOWN
    if kinds[:1] != ["column"]:
        return UNKNOWN
    column = parts[0][1]
    if name in COMPARISONS and kinds[1] == "literal":
        return COMPARISONS[name], column, parts[1][1]
    if name == "is_valid" or (name == "is_null" and not options["nan_is_null"]):
        return "valid" if name == "is_valid" else "null", column
    if name == "is_in" and None not in options["value_set"]:
        # `is_in` is false for null, and IN of SQL is null.
        return "and", [("valid", column), ("in", column, options["value_set"])]
    if name in ("starts_with", "ends_with", "match_substring") and not options["ignore_case"]:
        return "like", column, like(options["pattern"], starts=name == "starts_with", ends=name == "ends_with")
    return UNKNOWN
