"""Checks arguments, so that errors name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

ERRORS = ("warn", "raise", "ignore")
LEVELS = ("note", "warning", "error")
FRAMINGS = ("auto", "value", "whole")


def whole(name: str, value: Any, least: int, most: int = (1 << 63) - 1) -> int:
    """Returns a whole number of this range."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number: int = value.__index__()
    except (AttributeError, TypeError):
        raise TypeError(f"{name}: expected a whole number, found {value!r}") from None
    if number < least:
        raise ValueError(f"{name}: expected a whole number from {least}, found {value!r}")
    if number > most:
        raise ValueError(f"{name}: expected at most {most}, found {value!r}")
    return number


def text(name: str, value: Any) -> str:
    """Returns a text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a text, found {value!r}")
    return value


def optional_text(name: str, value: Any) -> str | None:
    """Returns a text or `None`."""
    return None if value is None else text(name, value)


def texts(name: str, values: Any) -> list[str]:
    """Returns a list of texts, also for one text."""
    if isinstance(values, str):
        return [values]
    try:
        found = list(values)
    except TypeError:
        raise TypeError(f"{name}: expected a list of texts, found {values!r}") from None
    return [text(name, value) for value in found]


def one_of(name: str, value: Any, choices: Sequence[str]) -> Any:
    """Returns a text that is one of several."""
    if value not in choices:
        kind = ValueError if isinstance(value, str) else TypeError
        *first, last = (f'"{choice}"' for choice in choices)
        raise kind(f"{name}: expected {', '.join(first)} or {last}, found {value!r}")
    return value


def flag(name: str, value: Any) -> bool:
    """Returns a truth value, also of numpy."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise TypeError(f"{name}: expected True or False, found {value!r}")
    return bool(value)


def share(name: str, value: Any) -> tuple[int, int]:
    """Returns a number and the larger count that it belongs to."""
    try:
        number, count = value
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected a number and a count, such as (0, 2), found {value!r}") from None
    count = whole(name, count, 1, (1 << 32) - 1)
    return whole(name, number, 0, count - 1), count


def fraction(name: str, value: Any) -> float:
    """Returns a number from 0 to 1."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{name}: expected a number from 0 to 1, found {value!r}")
    if not 0 <= value <= 1:
        raise ValueError(f"{name}: expected a number from 0 to 1, found {value!r}")
    return float(value)


def reading(threads: Any, charset: Any, framing: Any, errors: Any) -> tuple[int, str | None, Any, Any]:
    """Returns the arguments of all readers."""
    return (
        whole("threads", threads, 0, 1 << 16),
        optional_text("charset", charset),
        one_of("framing", framing, FRAMINGS),
        one_of("errors", errors, ERRORS),
    )
