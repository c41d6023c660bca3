"""Types of options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Literal, TypedDict, Union

Switch = Union[str, int, float, bool, "os.PathLike[str]", None]
"""Value of a command-line option."""


class _ReadOptions(TypedDict, total=False):
    """Options for reading bytes."""

    charset: str | None
    framing: Literal["auto", "value", "whole"]
    errors: Literal["warn", "raise", "ignore"]


class TableOptions(_ReadOptions, total=False):
    """Options of all tables. Each table accepts the options of its function."""

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
    analysis: bool
    ownership: bool
    share: tuple[int, int]
    batch_size: int
    threads: int
    splits: Iterable[str] | None


class PositionsOptions(_ReadOptions, total=False):
    """Options that batches for training pass to the table of positions."""


class LoaderOptions(PositionsOptions, total=False):
    """Options of batches for training that a loader passes on."""

    size: int
    boards: int
    packed: bool
    superko: bool
    analysis: bool
    ownership: bool
    symmetries: bool
    legal: bool
    pad: bool
    every: int
    per_game: int | None
    shuffle: int
    dan: Literal["amateur", "pro"]
    sample: float
    seed: int
    epoch: int
    where: str | None
    threads: int


class BatchesOptions(LoaderOptions, total=False):
    """Options of batches for training, for a program that passes them on."""

    batch_size: int
