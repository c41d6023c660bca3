"""Positions of Go for training: batches of numpy arrays in random orientations, reproducible by a seed.

>>> import sgfstream.training
>>> batch = next(sgfstream.training.batches(b"(;GM[1]SZ[9]KM[6.5]RE[W+R];B[ee];W[cc];B[])", size=9, boards=2))
>>> batch["planes"].shape, batch["policy"].shape, batch["value"].tolist(), batch["komi"].tolist()
((3, 21, 9, 9), (3,), [-1.0, 1.0, -1.0], [-6.5, 6.5, -6.5])

A test set must not contain a game of the training set in any orientation. To split games by their moves, use the last digit
of the canonical hash: ``where="canonical_hash ~ '[01]$'"`` selects an eighth, ``!~ '[01]$'`` the rest.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, cast

from . import Inputs, plan, positions, scan
from ._native import rule_set
from ._types import BatchesOptions, PositionsOptions

if TYPE_CHECKING:
    import numpy
    import pyarrow
    import torch.utils.data
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    Number = TypeVar("Number", bound=numpy.generic)
    Columns = dict[str, NDArray[Any]]
    Rows = TypeVar("Rows", "Batch", Columns)

__all__ = ["RULES", "Batch", "batches", "plane_names", "symmetry", "torch_dataset"]

LAST = 5
"""Number of earlier moves that have a plane each."""

RULES = ("", "japanese", "chinese", "korean", "aga", "nz", "ing", "tromp-taylor", "area", "territory")
"""Rules by their number in ``rules``. ``area`` and ``territory`` stand for rules that KataGo or a server describes only by their scoring. 0 stands
for all other rules, and for games that name no rules."""


class Batch(TypedDict):
    """Arrays of a batch; :func:`batches` describes them."""

    planes: NDArray[numpy.uint8]
    policy: NDArray[numpy.int64]
    value: NDArray[numpy.float32]
    margin: NDArray[numpy.float32]
    komi: NDArray[numpy.float32]
    ranks: NDArray[numpy.float32]
    prisoners: NDArray[numpy.int64]
    handicap: NDArray[numpy.int64]
    rules: NDArray[numpy.int64]
    symmetry: NDArray[numpy.uint8]
    key: NDArray[numpy.int64]
    ply: NDArray[numpy.int64]


def plane_names(boards: int = 1) -> list[str]:
    """Return the names of the planes in order, for this number of boards.

    The planes are: stones of the mover and of the opponent on this board and on the boards before it; empty points; stones of the
    mover and of the opponent with one, two, and three or more liberties; points that a ko forbids (with ``superko``, points that superko forbids); the
    last five moves; the mover is Black, or White; ones; the edge.
    """
    names = [f"{side}-{back}" for back in range(boards) for side in ("own", "other")]
    names += ["empty", *(f"{side}-liberties-{count}" for side in ("own", "other") for count in (1, 2, 3)), "ko"]
    return [*names, *(f"last-{back}" for back in range(1, LAST + 1)), "black", "white", "ones", "edge"]


def symmetry(boards: NDArray[Number], number: int) -> NDArray[Number]:
    """Return boards, whose last two axes are rows and columns, in one of eight orientations."""
    if number & 4:
        boards = boards.swapaxes(-1, -2)
    if number & 2:
        boards = boards[..., ::-1, :]
    return boards[..., :, ::-1] if number & 1 else boards


def batches(
    inputs: Inputs = (),
    *,
    size: int = 19,
    batch_size: int = 256,
    boards: int = 1,
    packed: bool = False,
    superko: bool = False,
    symmetries: bool = True,
    sample: float = 1.0,
    per_game: int | None = None,
    shuffle: int = 0,
    seed: int = 0,
    where: str | None = "gm = 1",
    legal: bool = True,
    pad: bool = False,
    every: int = 1,
    dan: Literal["amateur", "pro"] = "amateur",
    threads: int = 0,
    worker: tuple[int, int] = (0, 1),
    **options: Unpack[PositionsOptions],
) -> Iterator[Batch]:
    """Return an iterator over batches of ``batch_size`` positions; the last one may be smaller.

    | array | type and shape | |
    |---|---|---|
    | ``planes`` | uint8, (n, planes, size, size) | 0 or 1; :func:`plane_names` names them |
    | ``policy`` | int64, (n,) | the move: ``row * size + column``; a pass is ``size * size`` |
    | ``value`` | float32, (n,) | 1 if the mover won, -1 if the opponent won, 0 for a draw; NaN if unknown |
    | ``margin`` | float32, (n,) | points by which the mover won; NaN if unknown |
    | ``komi`` | float32, (n,) | from the mover's side: negative for Black; NaN if missing |
    | ``ranks`` | float32, (n, 2) | strength of the mover and the opponent in amateur grades, see below; NaN if unknown |
    | ``prisoners`` | int64, (n, 2) | stones that the mover and the opponent have captured |
    | ``handicap`` | int64, (n,) | HA; 0 if it is missing |
    | ``rules`` | int64, (n,) | number of the rules in :data:`RULES` |
    | ``symmetry`` | uint8, (n,) | orientation of the position |
    | ``key``, ``ply`` | int64, (n,) | the game, and the number of the move |

    Args:
        packed: write one bit per point: planes are uint8, (n, planes, bytes), as from ``numpy.packbits`` and in KataGo.
        boards: the number of boards per position, this one and those before it. Boards before the first one are empty.
        superko: mark all points where a move would repeat a position of the game in the plane of the ko.
        sample: take this share of the positions at random.
        every: take every N-th position of a game, from the first on.
        legal: leave out moves onto a stone or a point that the ko forbids. Default: ``True``
        pad: also take smaller square boards. They lie in the upper left corner, and the plane ``ones`` is 0 outside them.
            Games on boards of other sizes are left out, and a warning at the end reports how many.
        per_game: take at most this many positions of a game at random, among those that the other options leave.
        shuffle: mix the positions of this many rows. Each batch is drawn from a buffer of this size. A plane
            in the buffer takes 46 bytes. The first batch comes when the buffer is full.
        dan: ``"pro"`` reads every dan as professional, for archives of professional games.
        worker: the number of this reader and the number of readers. All readers together return the positions of one reader.
        options: those of :func:`sgfstream.positions`.

    The seed and the position decide what is taken and how it is rotated, for any number of threads or workers. With
    ``shuffle``, the order depends on the seed and the number of the worker.

    ``ranks`` has one scale for amateurs and professionals: the grades of the European Go Federation. 1 kyu is 0, 1 dan is 1,
    n dan is n, and n kyu is 1 - n. 1p is 7, and each further professional dan adds 0.3, so 9p is 9.4. A dan without ``p`` is
    an amateur dan, even if the record means a professional.
    """
    import numpy

    number, workers = worker
    splits = None
    for name, least, count in (("every", 1, every), ("per_game", 1, 1 if per_game is None else per_game), ("shuffle", 0, shuffle)):
        if count < least:
            raise ValueError(f"{name} must be at least {least}, not {count}")
    if dan not in ("amateur", "pro"):
        raise ValueError(f"dan must be 'amateur' or 'pro', not {dan!r}")
    inputs = _read_again(inputs)
    if workers > 1:
        # All workers make the same plan, and each reads its own splits.
        inputs, splits = (), plan(inputs, split_bytes=1 << 20)[number::workers]
        if not splits:
            return
    output = _Output(batch_size, size, packed, shuffle, numpy.random.default_rng([seed % (1 << 64), number]))
    others: Counter[tuple[int | None, int | None]] = Counter()
    sides = [size]
    while sides:
        side = sides.pop()
        reading = positions(inputs, splits=splits, size=side, history=LAST, liberties=True, superko=superko, where=where, threads=threads, **options)
        # Add the history before rows are dropped, because it consists of the rows before each row.
        before = _Before(boards - 1, side)
        games = None if per_game is None else _PerGame(per_game)
        # `None` comes after the last rows: `games` still has the rows of the last game.
        for rows in chain(reading, [None]):
            if rows is not None:
                table = _columns(rows, side, dan)
                table["history"] = before.take(table)
                table["chance"] = _chance(table["key"], table["ply"], seed)
                taken = (table["move"] >= -1) & (table["chance"] % numpy.uint64(1 << 32) < numpy.uint64(round(sample * (1 << 32))))
                taken &= (table["ply"] - 1) % every == 0
                if legal:
                    taken &= _is_legal(table, side)
                last = table["key"][-1]
                table = _part(table, taken)
                table = table if games is None else games.take(table, last)
            elif games is None or games.waiting is None:
                break
            else:
                table = games.waiting
            turns = (table["chance"] >> numpy.uint64(40)) % numpy.uint64(8 if symmetries else 1)
            arrays = _padded(_arrays(table, turns.astype(numpy.uint8), side), side, size)
            yield from output.push(arrays)
        # Count the other sizes last, so that the first batch does not wait until all roots are read.
        if side == size:
            others = _sizes(inputs, splits, where, threads, options)
            if pad:
                sides = sorted({width for width, height in others if width is not None and width == height and width < size})
        del others[side, side]
    yield from output.rest()
    if left_out := sum(others.values()):
        hint = "" if pad else "; pad=True takes smaller square boards"
        warnings.warn(f"left out {left_out} games on boards of other sizes than {size}x{size}{hint}", stacklevel=2)


def _read_again(inputs: Inputs) -> Inputs:
    """Returns inputs that can be read twice. Reads file objects and iterators into memory."""
    if isinstance(inputs, (str, bytes, os.PathLike)):
        return inputs
    if hasattr(inputs, "read"):
        return bytes(cast(Any, inputs).read())
    return [cast(Any, _read_again(cast(Any, each))) for each in cast("Iterable[Any]", inputs)]


def _sizes(inputs: Inputs, splits: Any, where: str | None, threads: int, options: Any) -> Counter[tuple[int | None, int | None]]:
    """Returns the number of games on boards of each size."""
    rows = scan(inputs, splits=splits, columns=["board_width", "board_height"], where=where, threads=threads, **{**options, "errors": "ignore"})
    found: Counter[tuple[int | None, int | None]] = Counter()
    for batch in rows:
        found.update(zip(batch["board_width"].to_pylist(), batch["board_height"].to_pylist()))
    return found


def _is_legal(table: Columns, size: int) -> NDArray[Any]:
    """Returns for each move whether its point is empty and no ko forbids it."""
    import numpy

    rows, points = len(table["move"]), numpy.maximum(table["move"], 0)
    at = numpy.arange(rows)
    found: NDArray[Any] = (table["stones"].reshape(rows, -1)[at, points] == 0) & (table["move"] != table["ko"])
    if "superko" in table:
        found &= table["superko"].reshape(rows, -1)[at, points] == 0
    return found | (table["move"] < 0)


def _padded(batch: Batch, side: int, size: int) -> Batch:
    """Returns the arrays with each board in the upper left corner of a larger one."""
    import numpy

    if side == size:
        return batch
    policy = batch["policy"]
    larger = numpy.where(policy == side * side, size * size, policy // side * size + policy % side)
    planes = numpy.pad(batch["planes"], ((0, 0), (0, 0), (0, size - side), (0, size - side)))
    return cast(Batch, {**batch, "planes": planes, "policy": larger})


def _packed(batch: Batch) -> Batch:
    """Returns the arrays with one bit per point in ``planes``."""
    import numpy

    planes = batch["planes"]
    return cast(Batch, {**batch, "planes": numpy.packbits(planes.reshape(*planes.shape[:2], -1), axis=-1)})


def _joined(batches: list[Rows]) -> Rows:
    """Returns the rows of all batches as one batch."""
    import numpy

    return cast("Rows", {name: numpy.concatenate([cast(Any, batch)[name] for batch in batches]) for name in batches[0]})


def _part(batch: Rows, rows: slice | NDArray[Any]) -> Rows:
    """Returns the selected rows of a batch."""
    return cast("Rows", {name: cast(Any, array)[rows] for name, array in batch.items()})


class _PerGame:
    """Selects at most ``most`` random rows of each game. It buffers the rows of the last game, because more of them may follow."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.waiting: Columns | None = None

    def take(self, table: Columns, last: int) -> Columns:
        """Adds rows, and returns the selected rows of complete games. The game ``last`` is not complete."""
        import numpy

        table = table if self.waiting is None else _joined([self.waiting, table])
        keys = table["key"]
        games = numpy.cumsum(numpy.concatenate([[False], keys[1:] != keys[:-1]])) if len(keys) else keys
        order = numpy.lexsort((table["chance"], games))
        place = numpy.arange(len(order)) - numpy.searchsorted(games[order], games[order])
        table = _part(table, numpy.sort(order[place < self.most]))
        self.waiting = _part(table, table["key"] == last)
        return _part(table, table["key"] != last)


class _Output:
    """Divides rows into batches of one size. With ``shuffle``, it draws each batch from a buffer of that many rows."""

    def __init__(self, batch_size: int, size: int, packed: bool, shuffle: int, draw: numpy.random.Generator) -> None:
        self.batch_size, self.size, self.packed, self.shuffle, self.draw = batch_size, size, packed, shuffle, draw
        self.waiting: list[Batch] = []
        self.count = 0
        self.buffer: list[Batch] = []
        self.buffered = 0

    def push(self, batch: Batch) -> Iterator[Batch]:
        # Packed bits need an eighth of the memory of the buffer.
        self.waiting.append(_packed(batch) if self.packed or self.shuffle else batch)
        self.count += len(batch["key"])
        if self.count < self.batch_size:
            return
        whole = _joined(self.waiting)
        full = self.count - self.count % self.batch_size
        for start in range(0, full, self.batch_size):
            yield from self._exchange(_part(whole, slice(start, start + self.batch_size)))
        self.waiting, self.count = [_part(whole, slice(full, None))], self.count - full

    def _exchange(self, batch: Batch) -> Iterator[Batch]:
        """Puts a batch into the buffer. If the buffer is full, yields as many random rows of it in exchange."""
        if not self.shuffle:
            yield batch
        elif self.buffered < self.shuffle:
            self.buffer.append(batch)
            self.buffered += self.batch_size
        else:
            self.buffer = [_joined(self.buffer)] if len(self.buffer) > 1 else self.buffer
            places = self.draw.choice(self.buffered, self.batch_size, replace=False)
            drawn = _part(self.buffer[0], places)
            for name, array in batch.items():
                cast(Any, self.buffer[0])[name][places] = array
            yield self._unpacked(drawn)

    def rest(self) -> Iterator[Batch]:
        """Yields the remaining rows."""
        if not self.count + self.buffered:
            return
        whole = _joined(self.buffer + self.waiting)
        if self.shuffle:
            whole = _part(whole, self.draw.permutation(len(whole["key"])))
        for start in range(0, len(whole["key"]), self.batch_size):
            yield self._unpacked(_part(whole, slice(start, start + self.batch_size)))

    def _unpacked(self, batch: Batch) -> Batch:
        import numpy

        if self.packed or not self.shuffle:
            return batch
        planes = numpy.unpackbits(batch["planes"], axis=-1, count=self.size**2)
        return cast(Batch, {**batch, "planes": planes.reshape(*planes.shape[:2], self.size, self.size)})


def torch_dataset(inputs: Inputs, **options: Unpack[BatchesOptions]) -> torch.utils.data.IterableDataset[dict[str, torch.Tensor]]:
    """Return a PyTorch ``IterableDataset`` of the batches. Pass ``batch_size=None`` to its ``DataLoader``.

    Each worker reads its own part of the inputs on one thread. ``options`` are those of :func:`batches`.
    """
    import torch.utils.data

    class Batches(torch.utils.data.IterableDataset):  # type: ignore[misc, type-arg, unused-ignore]
        def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
            info = torch.utils.data.get_worker_info()
            worker, own = (0, 1), options
            if info is not None:
                worker, own = (info.id, info.num_workers), {**options, "threads": 1}
            for batch in batches(inputs, worker=worker, **own):
                yield {name: torch.from_numpy(array.copy()) for name, array in cast("Columns", batch).items()}

    return Batches()


def _columns(rows: pyarrow.RecordBatch, size: int, dan: str) -> Columns:
    """Returns the columns of a batch of the table of positions as arrays."""
    import numpy

    def numbers(name: str, missing: float) -> NDArray[Any]:
        column = rows[name].cast("float64") if numpy.isnan(missing) else rows[name]
        found: NDArray[Any] = numpy.asarray(column.fill_null(missing) if column.null_count else column)
        return found

    columns = {name: numbers(name, missing) for name, missing in
               [("key", 0), ("ply", 0), ("color", 0), ("move", -2), ("ko", -1), ("winner", numpy.nan), ("margin", numpy.nan), ("komi", numpy.nan),
                ("br_level", numpy.nan), ("wr_level", numpy.nan), ("black_prisoners", 0), ("white_prisoners", 0), ("handicap", 0)]}
    for name in ("stones", "liberties", "superko"):
        if name in rows.schema.names:
            columns[name] = numpy.asarray(rows[name].flatten()).reshape(-1, size, size)
    for name in ("br_level", "wr_level"):
        columns[name] = _grades(columns[name], dan)
    texts = rows["rules"].dictionary_encode()
    codes = numpy.array([RULES.index(rule_set(text) or "") for text in texts.dictionary.to_pylist()] + [0], numpy.int64)
    columns["rules"] = codes[numpy.asarray(texts.indices.fill_null(len(codes) - 1))]
    columns["last"] = numpy.asarray(rows["last"].flatten()).reshape(-1, LAST)
    return columns


def _grades(levels: NDArray[Any], dan: str) -> NDArray[Any]:
    """Converts levels (kyu below 0, dan from 1, professionals from 21) to amateur grades; see `batches`."""
    import numpy

    professional = numpy.where(levels > 20, levels - 20, levels if dan == "pro" else 0)
    found: NDArray[Any] = numpy.where(levels < 0, levels + 1, numpy.where(professional > 0, 7 + 0.3 * (professional - 1), levels))
    return found


class _Before:
    """Finds the earlier boards of each position: the rows before it that belong to the same game."""

    def __init__(self, boards: int, size: int) -> None:
        import numpy

        self.boards = boards
        self.stones: NDArray[Any] = numpy.zeros((boards, size, size), numpy.int8)
        self.keys: NDArray[Any] = numpy.zeros(boards, numpy.int64)
        self.known = 0

    def take(self, table: Columns) -> NDArray[Any]:
        """Returns the boards before each row, the latest first. Boards before the start of a game are empty."""
        import numpy

        stones, keys = numpy.concatenate([self.stones, table["stones"]]), numpy.concatenate([self.keys, table["key"]])
        rows, size = len(table["key"]), table["stones"].shape[-1]
        found = numpy.zeros((rows, self.boards, size, size), numpy.int8)
        for back in range(1, self.boards + 1):
            # The first rows have no row before them, so their board is empty whatever the key.
            start = self.boards - back
            is_same = keys[start : start + rows] == table["key"]
            if back > self.known:
                is_same[: back - self.known] = False
            found[is_same, back - 1] = stones[start : start + rows][is_same]
        if self.boards:
            self.stones, self.keys = stones[-self.boards :], keys[-self.boards :]
            self.known = min(self.boards, self.known + rows)
        return found


def _chance(keys: NDArray[Any], plies: NDArray[Any], seed: int) -> NDArray[Any]:
    """Returns a pseudorandom number for each position (the finalizer of SplitMix64)."""
    import numpy

    with numpy.errstate(over="ignore"):
        mixed = keys.astype(numpy.uint64) + plies.astype(numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
        mixed = mixed ^ numpy.uint64((seed * 0xD1342543DE82EF95) & 0xFFFFFFFFFFFFFFFF)
        mixed = (mixed ^ (mixed >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        found: NDArray[Any] = mixed ^ (mixed >> numpy.uint64(31))
    return found


def _arrays(table: Columns, turns: NDArray[numpy.uint8], size: int) -> Batch:
    """Returns the arrays of :func:`batches` for positions in these orientations."""
    import numpy

    history = table["history"]
    rows, points = len(table["key"]), size * size
    color = table["color"].astype(numpy.int8)
    own = color[:, None, None]
    # Rotate the boards before planes are made of them, and map single points by a table, because both are fewer than planes.
    boards = [table["stones"][:, None], history, table["liberties"][:, None]]
    boards += [table["superko"][:, None]] if "superko" in table else []
    turned = _turned(numpy.concatenate(boards, axis=1), turns)
    goes_to = numpy.stack([numpy.argsort(symmetry(numpy.arange(points).reshape(size, size), turn), axis=None) for turn in range(8)])
    names = plane_names(1 + history.shape[1])
    whole = numpy.zeros((rows, len(names), size, size), bool)
    at = {name: whole[:, number] for number, name in enumerate(names)}
    for back in range(1 + history.shape[1]):
        numpy.equal(turned[:, back], own, out=at[f"own-{back}"])
        numpy.equal(turned[:, back], 3 - own, out=at[f"other-{back}"])
    numpy.equal(turned[:, 0], 0, out=at["empty"])
    liberties = numpy.minimum(turned[:, 1 + history.shape[1]], 3)
    for side in ("own", "other"):
        for count in (1, 2, 3):
            numpy.logical_and(at[f"{side}-0"], liberties == count, out=at[f"{side}-liberties-{count}"])
    if "superko" in table:
        numpy.equal(turned[:, -1], 1, out=at["ko"])
    flat = whole.reshape(rows, len(names), points)
    for name, point in [("ko", table["ko"]), *((f"last-{number}", point) for number, point in enumerate(table["last"].T, 1))]:
        there = numpy.flatnonzero(point >= 0)
        flat[there, names.index(name), goes_to[turns[there], point[there]]] = True
    at["black"][:] = own == 1
    at["white"][:] = own == 2
    at["ones"][:] = True
    for edge in (numpy.s_[:, 0], numpy.s_[:, -1], numpy.s_[:, :, 0], numpy.s_[:, :, -1]):
        at["edge"][edge] = True
    move = numpy.where(table["move"] < 0, points, goes_to[turns, numpy.maximum(table["move"], 0)])
    sign = numpy.where(color == 1, 1, -1).astype(numpy.float32)
    value = numpy.select([table["winner"] == color, table["winner"] == 3 - color, table["winner"] == 0], [1, -1, 0], numpy.nan)
    margin = numpy.where(table["winner"] == color, table["margin"], -table["margin"])
    return {
        "planes": whole.view(numpy.uint8),
        "policy": move.astype(numpy.int64),
        "value": value.astype(numpy.float32),
        "margin": margin.astype(numpy.float32),
        "komi": -table["komi"].astype(numpy.float32) * sign,
        "ranks": _of_mover(table, "br_level", "wr_level").astype(numpy.float32),
        "prisoners": _of_mover(table, "black_prisoners", "white_prisoners").astype(numpy.int64),
        "handicap": table["handicap"].astype(numpy.int64),
        "rules": table["rules"],
        "symmetry": turns,
        "key": table["key"],
        "ply": table["ply"].astype(numpy.int64),
    }


def _turned(boards: NDArray[Number], turns: NDArray[numpy.uint8]) -> NDArray[Number]:
    """Returns the boards of each row in the orientation of the row."""
    import numpy

    whole = numpy.empty_like(boards)
    for turn in range(8):
        rows = turns == turn
        whole[rows] = symmetry(boards[rows], turn)
    return whole


def _of_mover(table: Columns, black: str, white: str) -> NDArray[Any]:
    """Returns the values of two columns as those of the mover and of the opponent."""
    import numpy

    both = numpy.stack([table[black], table[white]], axis=1)
    return numpy.where(table["color"][:, None] == 1, both, both[:, ::-1])
