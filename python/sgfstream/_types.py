"""Types of options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Literal, TypedDict, Union

Switch = Union[str, int, float, bool, "os.PathLike[str]", None]
"""The value of a switch of the command line."""


class _How(TypedDict, total=False):
    """How bytes are read."""

    charset: str | None
    framing: Literal["auto", "value", "whole"]
    errors: Literal["warn", "raise", "ignore"]


class TableOptions(_How, total=False):
    """The options of all tables; each table has those that its function has."""

    columns: Sequence[str] | None
    where: str | None
    legality: bool
    size: int
    history: int
    every: int
    sample: float
    seed: int
    liberties: bool
    superko: bool
    batch_size: int
    threads: int
    splits: Iterable[str] | None


class PositionsOptions(_How, total=False):
    """What batches for training hand on to the table of positions."""


class BatchesOptions(PositionsOptions, total=False):
    """The options of batches for training, for a program that hands them on."""

    size: int
    batch_size: int
    boards: int
    packed: bool
    superko: bool
    symmetries: bool
    legal: bool
    pad: bool
    every: int
    per_game: int | None
    shuffle: int
    dan: Literal["amateur", "pro"]
    sample: float
    seed: int
    where: str | None
    threads: int
