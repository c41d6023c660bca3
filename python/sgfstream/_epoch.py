"""One pass over positions for training: which parts of the inputs a reader reads, in which order, and from where to resume."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from . import Inputs, ReadSettings, Scan, positions, scan
from ._native import plan as _plan
from ._planes import LAST, Batch, EarlierBoards, arrays_of, chance, columns_of, is_legal, joined, packed, padded, part
from ._types import BatchesOptions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._planes import Columns

Place: TypeAlias = tuple[int, int]
"""A group of parts of the pass, and the number of its rows before."""

LEAST = 64 << 10
"""Bytes of a small part."""

OPEN = 16
"""Parts that a shuffle reads side by side, so that its block has games of many places."""

MOST = 4096
"""Number of parts from which on they become larger. Each part of a zip reads the list of its members again."""

_GOLDEN = 0x9E3779B97F4A7C15


class Options(BatchesOptions):
    """Options of `sgfstream.training.batches`, the number of the reader among all readers, and the options for reading."""

    reader: int
    readers: int
    reading: dict[str, Any]


def checked(options: Options) -> Options:
    """Returns the options. Raises an error for the first wrong one."""
    per_game = 1 if options["per_game"] is None else options["per_game"]
    for name, value, least, most in (
        ("size", options["size"], 1, 52),
        ("batch_size", options["batch_size"], 1, 1 << 24),
        ("boards", options["boards"], 1, 256),
        ("per_game", per_game, 1, 1 << 62),
        ("shuffle", options["shuffle"], 0, 1 << 40),
        ("epoch", options["epoch"], 0, 1 << 62),
        ("every", options["every"], 1, (1 << 32) - 1),
        ("threads", options["threads"], 0, 1 << 16),
    ):
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeError(f"{name} must be a whole number, not {value!r}")
        if value < least:
            raise ValueError(f"{name} must be at least {least}, not {value}")
        if value > most:
            raise ValueError(f"{name} must be at most {most}, not {value}")
    if not 0 <= options["sample"] <= 1:
        raise ValueError(f"sample must be 0 to 1, not {options['sample']}")
    if options["dan"] not in ("amateur", "pro"):
        raise ValueError(f"dan must be 'amateur' or 'pro', not {options['dan']!r}")
    _positions(options, (), None, options["size"], False, options["threads"])
    return options


def _mixed(options: Options, epoch: int) -> int:
    """Returns the seed of this epoch."""
    return (options["seed"] + epoch * _GOLDEN) % (1 << 64)


def _positions(options: Options, inputs: Inputs, splits: list[str] | None, side: int, is_shared: bool, threads: int) -> Scan:
    """Returns the rows of boards of this size. The reader selects rows, unless rows need the boards of rows before them."""
    every, sample = (options["every"], options["sample"]) if options["boards"] == 1 else (1, 1.0)
    return positions(
        inputs, splits=splits, size=side, history=LAST, liberties=True, superko=options["superko"], analysis=options["analysis"],
        ownership=options["ownership"], where=options["where"], every=every, sample=sample, seed=_mixed(options, options["epoch"]),
        share=(options["reader"], options["readers"]) if is_shared else (0, 1), threads=threads, **options["reading"],
    )  # fmt: skip


def reader_of(worker: tuple[int, int], rank: tuple[int, int]) -> tuple[int, int]:
    """Returns the number of a reader among the readers of all ranks, and how many there are."""
    for name, pair in (("worker", worker), ("rank", rank)):
        number, count = pair
        if not 0 <= number < count:
            raise ValueError(f"{name} must be a number from 0 and a larger count, such as (0, 2), not {pair!r}")
    return rank[0] * worker[1] + worker[0], rank[1] * worker[1]


@dataclass(frozen=True)
class Parts:
    """Parts of the inputs: splits of `sgfstream.plan`, or the inputs themselves if other processes cannot open them."""

    inputs: Inputs
    splits: list[str]
    large: frozenset[int]
    """Parts that cannot be divided, such as a tar file. All readers read them, and each takes some of the games."""

    @classmethod
    def of(cls, inputs: Inputs, reading: dict[str, Any]) -> Parts:
        inputs = read_again(inputs)
        errors = reading.get("errors", "warn")
        how: ReadSettings = (0, reading.get("charset"), reading.get("framing", "auto"), "ignore")
        # Missing inputs raise an error here.
        scan(inputs, **reading)
        split_bytes = LEAST
        try:
            splits, problems = _plan(inputs, split_bytes, how)
            if len(splits) > MOST:
                split_bytes = LEAST * len(splits) // MOST
                splits, problems = _plan(inputs, split_bytes, how)
        except ValueError:
            # Bytes and file objects.
            return cls(inputs, [], frozenset({0}))
        for problem in problems:
            if errors == "raise":
                raise OSError(str(problem))
            if errors == "warn":
                warnings.warn(str(problem), RuntimeWarning, stacklevel=3)
        return cls((), splits, frozenset(at for at, split in enumerate(splits) if _is_large(split, 4 * split_bytes)))

    def __len__(self) -> int:
        return len(self.splits) or (1 if self.inputs else 0)

    def of_reader(self, options: Options) -> list[tuple[int, bool]]:
        """Returns the parts of a reader in order, each with whether all readers share its games."""
        import numpy

        order = numpy.arange(len(self))
        if options["shuffle"]:
            order = numpy.random.default_rng([options["seed"] % (1 << 64), options["epoch"]]).permutation(len(self))
        found = []
        turn = 0
        for at in order.tolist():
            is_shared = options["readers"] > 1 and (at in self.large or len(self) < 4 * options["readers"])
            if is_shared or turn % options["readers"] == options["reader"]:
                found.append((at, is_shared))
            turn += not is_shared
        return found

    def source(self, at: int) -> tuple[Inputs, list[str] | None]:
        return ((), [self.splits[at]]) if self.splits else (self.inputs, None)


def _is_large(split: str, most: int) -> bool:
    """Returns whether a split is one whole file of more than `most` bytes."""
    start, end, _, _, path = f"{split}\t\t\t\t".split("\t", 4)
    try:
        return "\n" not in split and (start, end) == ("0", "") and os.path.getsize(path.rstrip("\t")) > most
    except (OSError, ValueError):
        return False


def read_again(inputs: Inputs) -> Inputs:
    """Returns inputs that can be read twice. Reads file objects and iterators into memory."""
    if isinstance(inputs, (str, bytes, os.PathLike)):
        return inputs
    if hasattr(inputs, "read"):
        return bytes(cast(Any, inputs).read())
    if isinstance(inputs, (bytearray, memoryview)):
        return bytes(inputs)
    return [cast(Any, read_again(cast(Any, each))) for each in cast("Iterable[Any]", inputs)]


class Batches(Iterator[Batch]):
    """Iterator over the batches of one pass, which :func:`batches` describes. It can be saved and resumed."""

    __module__ = "sgfstream.training"

    def __init__(self, parts: Parts, options: Options) -> None:
        self._parts, self._options = parts, options
        self._mine = parts.of_reader(options)
        self._at = {"group": 0, "row": 0, "block": 0, "given": 0}
        self._found: Iterator[Batch] | None = None
        self._left_out: Counter[tuple[int | None, int | None]] = Counter()
        self._is_empty = True

    @property
    def epoch(self) -> int:
        """The number of this pass, on which the sample, the orientations and the order depend."""
        return self._options["epoch"]

    def __next__(self) -> Batch:
        if self._found is None:
            self._found = self._shuffled() if self._options["shuffle"] else self._plain()
        return next(self._found)

    def state_dict(self) -> dict[str, int]:
        """Return the place after the latest batch. It contains numbers only."""
        options = self._options
        pass_of = {"epoch": options["epoch"], "seed": options["seed"], "reader": options["reader"], "readers": options["readers"]}
        return {**self._at, **pass_of, "parts": len(self._parts), "batch_size": options["batch_size"], "shuffle": options["shuffle"]}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Continue after the batch at which ``state`` was taken, by an iterator over the same inputs with the same options.

        The state names the epoch. Of the positions before, only those are read again that are near: in the same part of
        the inputs, or with ``shuffle`` in the block and in the parts that are read side by side.
        """
        own = self.state_dict()
        differing = [name for name in own if name not in (*self._at, "epoch") and state.get(name) != own[name]]
        if differing:
            raise ValueError(f"the state belongs to other options: {', '.join(differing)}")
        self._options = checked({**self._options, "epoch": state["epoch"]})
        self._mine = self._parts.of_reader(self._options)
        self._at = {name: state[name] for name in self._at}
        self._found = None
        # The rows before may have been on other boards or none at all.
        self._is_empty = False

    def _plain(self) -> Iterator[Batch]:
        """Yields batches in the order of the parts."""
        for batch, place in self._cut((self._at["group"], self._at["row"])):
            self._at["group"], self._at["row"] = place
            yield batch

    def _shuffled(self) -> Iterator[Batch]:
        """Yields batches, each drawn from a block of rows. While one block is drawn, the next one is read."""
        import numpy

        options = self._options
        size = options["batch_size"]
        given = self._at["given"]
        start = self._at["group"], self._at["row"]
        source = self._cut(start)
        count = max(1, -(-options["shuffle"] // size))
        block = [each for _, each in zip(range(count), source)]
        for number in range(self._at["block"], 1 << 62):
            if not block:
                return
            rows = joined([batch for batch, _ in block])
            end = block[-1][1]
            draw = numpy.random.default_rng([options["seed"] % (1 << 64), options["epoch"], options["reader"], number])
            order = draw.permutation(len(rows["key"]))
            following = []
            for turn in range(len(block)):
                following += [each for _, each in zip(range(1), source)]
                if turn >= given:
                    self._at = {"group": start[0], "row": start[1], "block": number, "given": turn + 1}
                    yield self._unpacked(part(rows, order[turn * size : (turn + 1) * size]))
            given, start, block = 0, end, following

    def _unpacked(self, batch: Batch) -> Batch:
        import numpy

        options = self._options
        if options["packed"]:
            return batch
        planes = numpy.unpackbits(batch["planes"], axis=-1, count=options["size"]**2)
        return cast(Batch, {**batch, "planes": planes.reshape(*planes.shape[:2], options["size"], options["size"])})

    def _cut(self, start: Place) -> Iterator[tuple[Batch, Place]]:
        """Yields batches of the wanted size, each with the place after it."""
        size = self._options["batch_size"]
        waiting: list[Batch] = []
        count = 0
        for number, first, rows in self._rows(start):
            at = 0
            while at < len(rows["key"]):
                taken = part(rows, slice(at, at + size - count))
                at += len(taken["key"])
                count += len(taken["key"])
                waiting.append(taken)
                if count == size:
                    yield joined(waiting), (number, first + at)
                    waiting, count = [], 0
        if waiting:
            yield joined(waiting), (self._groups(), 0)
        self._warn()

    def _rows(self, start: Place) -> Iterator[tuple[int, int, Batch]]:
        """Yields the rows from a place on: the number of the group of parts, the number of its rows before, the rows."""
        skipped = start[1]
        for number in range(start[0], self._groups()):
            before = 0
            for table in self._of_group(number):
                count = len(table["key"])
                self._is_empty = False
                if before + count > skipped:
                    missing = max(0, skipped - before)
                    yield number, before + missing, self._arrays(part(table, slice(missing, None)))
                before += count
            skipped = 0

    def _arrays(self, table: Columns) -> Batch:
        """Returns the arrays of rows. Making them costs more than reading, so a pass that resumes makes none for skipped rows."""
        options = self._options
        whole = padded(arrays_of(table), table["stones"].shape[-1], options["size"])
        # Packed bits need an eighth of the memory of a block.
        return packed(whole) if options["packed"] or options["shuffle"] else whole

    def _width(self) -> int:
        """Returns the number of parts that are read side by side."""
        return OPEN if self._options["shuffle"] else 1

    def _threads(self) -> int:
        """Returns the number of threads that read a part. Parts that are read side by side share the cores."""
        threads = self._options["threads"]
        count = min(self._width(), len(self._mine))
        return threads if count <= 1 else max(1, (threads or os.cpu_count() or 1) // count)

    def _groups(self) -> int:
        return -(-len(self._mine) // self._width())

    def _of_group(self, number: int) -> Iterator[Columns]:
        """Yields rows of the parts in turn, until all of them end."""
        width = self._width()
        found = [self._of_part(*each) for each in self._mine[number * width : (number + 1) * width]]
        while found:
            going = []
            for each in found:
                if (rows := next(each, None)) is not None:
                    going.append(each)
                    yield rows
            found = going

    def _of_part(self, at: int, is_shared: bool) -> Iterator[Columns]:
        """Yields the rows of a part of the inputs."""
        options = self._options
        inputs, splits = self._parts.source(at)
        sides = [options["size"]]
        while sides:
            side = sides.pop()
            yield from self._of_boards(inputs, splits, side, is_shared)
            # Count the other sizes last, so that the first batch does not wait until all roots are read.
            if side == options["size"]:
                others = self._sizes(inputs, splits)
                del others[side, side]
                # If all readers share the games, the first one counts them.
                if not is_shared or options["reader"] == 0:
                    self._left_out += others
                if options["pad"]:
                    sides = sorted({width for width, height in others if width is not None and width == height and width < side})
            else:
                del self._left_out[side, side]

    def _of_boards(self, inputs: Inputs, splits: list[str] | None, side: int, is_shared: bool) -> Iterator[Columns]:
        """Yields the rows of the boards of one size, each with its orientation."""
        import numpy

        options = self._options
        # Add the history before rows are dropped, because it consists of the rows before each row.
        before = EarlierBoards(options["boards"] - 1, side)
        games = None if options["per_game"] is None else _PerGame(options["per_game"])
        # Over eight epochs, a position has every orientation once.
        era, turn = divmod(options["epoch"], 8)
        # `None` comes after the last rows: `games` still has the rows of the last game.
        for rows in chain(_positions(options, inputs, splits, side, is_shared, self._threads()), [None]):
            if rows is not None:
                table = columns_of(rows, side, options["dan"])
                table["history"] = before.take(table)
                table["chance"] = chance(table["key"], table["ply"], _mixed(options, options["epoch"]))
                last = table["key"][-1]
                table = part(table, self._is_wanted(table, side))
                table = table if games is None else games.take(table, last)
            elif games is None or games.waiting is None:
                break
            else:
                table = games.waiting
            if len(table["key"]) == 0:
                continue
            turns = numpy.zeros(len(table["key"]), numpy.uint8)
            if options["symmetries"]:
                first = chance(table["key"], table["ply"], _mixed(options, -1 - era)) >> numpy.uint64(40)
                turns = (first % numpy.uint64(8)).astype(numpy.uint8) ^ numpy.uint8(turn)
            yield {**table, "symmetry": turns}

    def _is_wanted(self, table: Columns, side: int) -> NDArray[Any]:
        """Returns for each row whether it is selected."""
        import numpy

        options = self._options
        wanted = table["move"] >= -1
        if options["boards"] > 1:
            wanted &= table["chance"] % numpy.uint64(1 << 32) < numpy.uint64(round(options["sample"] * (1 << 32)))
            wanted &= (table["ply"] - 1) % options["every"] == 0
        if options["legal"]:
            wanted &= is_legal(table, side)
        return wanted

    def _sizes(self, inputs: Inputs, splits: list[str] | None) -> Counter[tuple[int | None, int | None]]:
        """Returns the number of games on boards of each size."""
        options = self._options
        how = {**options["reading"], "errors": "ignore"}
        rows = scan(inputs, splits=splits, columns=["board_width", "board_height"], where=options["where"], threads=options["threads"], **how)
        found: Counter[tuple[int | None, int | None]] = Counter()
        for batch in rows:
            found.update(zip(batch["board_width"].to_pylist(), batch["board_height"].to_pylist()))
        return found

    def _warn(self) -> None:
        """Warns of games that were left out, and of a reader without positions."""
        options = self._options
        if left_out := sum(self._left_out.values()):
            hint = "" if options["pad"] else "; pad=True takes smaller square boards"
            warnings.warn(f"left out {left_out} games on boards of other sizes than {options['size']}x{options['size']}{hint}", stacklevel=5)
        if self._is_empty and options["readers"] > 1:
            sentence = f"reader {options['reader']} of {options['readers']} has no positions, because the inputs have too few games; use fewer workers"
            warnings.warn(sentence, RuntimeWarning, stacklevel=5)


class _PerGame:
    """Selects at most ``most`` random rows of each game. It buffers the rows of the last game, because more of them may follow."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.waiting: Columns | None = None

    def take(self, table: Columns, last: int) -> Columns:
        """Adds rows, and returns the selected rows of complete games. The game ``last`` is not complete."""
        import numpy

        table = table if self.waiting is None else joined([self.waiting, table])
        keys = table["key"]
        games = numpy.cumsum(numpy.concatenate([[False], keys[1:] != keys[:-1]])) if len(keys) else keys
        order = numpy.lexsort((table["chance"], games))
        place = numpy.arange(len(order)) - numpy.searchsorted(games[order], games[order])
        table = part(table, numpy.sort(order[place < self.most]))
        self.waiting = part(table, table["key"] == last)
        return part(table, table["key"] != last)
