"""Positions of Go for training: batches of arrays of numpy, turned at random, the same ones for a seed.

>>> import sgfstream.training
>>> batch = next(sgfstream.training.batches(b"(;GM[1]SZ[9]KM[6.5]RE[W+R];B[ee];W[cc];B[])", size=9, boards=2))
>>> batch["planes"].shape, batch["policy"].shape, batch["value"].tolist(), batch["komi"].tolist()
((3, 21, 9, 9), (3,), [-1.0, 1.0, -1.0], [-6.5, 6.5, -6.5])

A program that learns should not meet in its test a game that it has learnt from, turned or not. The first digit of the canonical
hash of a game divides games by what was played: ``where="canonical_hash < '2'"`` is an eighth, ``>= '2'`` the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import Inputs, plan, positions

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

__all__ = ["batches", "plane_names", "symmetry", "torch_dataset"]

LAST = 5
"""The moves before that have a plane."""


def plane_names(boards: int = 1) -> list[str]:
    """The names of the planes in their order, for so many boards.

    Stones of the mover and of the opponent on this board and on those before it; empty points; the stones of the mover and of the
    opponent with one, two, and three or more liberties; the point that a ko forbids; the last five moves; the mover is
    Black, or White; ones.
    """
    names = [f"{side}-{back}" for back in range(boards) for side in ("own", "other")]
    names += ["empty", *(f"{side}-liberties-{count}" for side in ("own", "other") for count in (1, 2, 3)), "ko"]
    return [*names, *(f"last-{back}" for back in range(1, LAST + 1)), "black", "white", "ones", "edge"]


def symmetry(boards: NDArray[Any], number: int) -> NDArray[Any]:
    """Boards, whose last two axes are rows and columns, turned in one of eight ways."""
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
    symmetries: bool = True,
    sample: float = 1.0,
    seed: int = 0,
    where: str | None = "gm = 1",
    threads: int = 0,
    worker: tuple[int, int] = (0, 1),
    **options: Any,
) -> Iterator[dict[str, NDArray[Any]]]:
    """Batches of `batch_size` positions; the last one may be smaller.

    | array | type and shape | |
    |---|---|---|
    | ``planes`` | uint8, (n, planes, size, size) | 0 or 1; :func:`plane_names` names them |
    | ``policy`` | int64, (n,) | the move: ``row * size + column``, a pass is ``size * size`` |
    | ``value`` | float32, (n,) | 1 if the mover won, -1 if the opponent did, 0 for a draw and where it is not known |
    | ``margin`` | float32, (n,) | points by which the mover won; NaN where that is not known |
    | ``komi`` | float32, (n,) | from the mover's side: negative for Black; NaN where there is none |
    | ``symmetry`` | uint8, (n,) | how the position was turned |
    | ``key``, ``ply`` | int64, (n,) | the game, and the number of the move |

    With ``packed``, a bit is a point: planes are uint8, (n, planes, bytes), as ``numpy.packbits`` makes them of a plane and
    as KataGo keeps them. ``boards`` is how many boards a position has, this one and those before it; before the first, they are empty. With ``sample``
    a share of the positions is taken. What is taken, and how it is turned, follows from the seed and the position, whatever the threads or workers.
    ``worker`` is the number of this reader and how many there are: together they give what one gives. ``options`` are
    those of :func:`sgfstream.positions`.
    """
    import numpy

    number, workers = worker
    source: dict[str, Any] = {"inputs": inputs}
    if workers > 1:
        # All workers plan alike; each reads its own.
        source = {"splits": plan(inputs, split_bytes=1 << 20)[number::workers]}
        if not source["splits"]:
            return
    scan = positions(**source, size=size, history=LAST, liberties=True, where=where, threads=threads, **options)
    waiting: list[dict[str, NDArray[Any]]] = []
    count = 0
    before = _Before(boards - 1, size)
    for rows in scan:
        table = _columns(rows, size)
        history = before.take(table)
        chance = _chance(table["key"], table["ply"], seed)
        taken = (table["move"] >= -1) & (chance % numpy.uint64(1 << 32) < numpy.uint64(round(sample * (1 << 32))))
        table = {name: column[taken] for name, column in table.items()}
        turns = (chance[taken] >> numpy.uint64(40)) % numpy.uint64(8) if symmetries else numpy.zeros(int(taken.sum()), numpy.uint64)
        arrays = _arrays(table, history[taken], turns.astype(numpy.uint8), size)
        if packed:
            planes = arrays["planes"]
            arrays["planes"] = numpy.packbits(planes.reshape(*planes.shape[:2], size * size), axis=-1)
        waiting.append(arrays)
        count += len(table["move"])
        if count >= batch_size:
            whole = {name: numpy.concatenate([part[name] for part in waiting]) for name in waiting[0]}
            full = count - count % batch_size
            for start in range(0, full, batch_size):
                yield {name: array[start : start + batch_size] for name, array in whole.items()}
            waiting, count = [{name: array[full:] for name, array in whole.items()}], count - full
    if count:
        yield {name: numpy.concatenate([part[name] for part in waiting]) for name in waiting[0]}


def torch_dataset(inputs: Inputs, **options: Any) -> Any:
    """An ``IterableDataset`` of PyTorch over the batches: give ``batch_size=None`` to its ``DataLoader``.

    With workers, each reads its own part of the inputs on one thread. ``options`` are those of :func:`batches`.
    """
    import torch.utils.data

    class Batches(torch.utils.data.IterableDataset):  # type: ignore[misc, type-arg, unused-ignore]
        def __iter__(self) -> Iterator[dict[str, Any]]:
            info = torch.utils.data.get_worker_info()
            worker = (0, 1) if info is None else (info.id, info.num_workers)
            threads = {} if info is None else {"threads": 1}
            for batch in batches(inputs, worker=worker, **{**options, **threads}):
                yield {name: torch.from_numpy(array.copy()) for name, array in batch.items()}

    return Batches()


def _columns(rows: Any, size: int) -> dict[str, NDArray[Any]]:
    """The columns of a batch of the table of positions."""
    import numpy

    def numbers(name: str, missing: float) -> NDArray[Any]:
        column = rows[name]
        found: NDArray[Any] = numpy.asarray(column.fill_null(missing) if column.null_count else column)
        return found

    columns = {name: numbers(name, missing) for name, missing in
               [("key", 0), ("ply", 0), ("color", 0), ("move", -2), ("ko", -1), ("winner", 0), ("margin", numpy.nan), ("komi", numpy.nan)]}
    for name in ("stones", "liberties"):
        columns[name] = numpy.asarray(rows[name].flatten()).reshape(-1, size, size)
    columns["last"] = numpy.asarray(rows["last"].flatten()).reshape(-1, LAST)
    return columns


class _Before:
    """The boards before each position: its rows before, as far as they are of the same game."""

    def __init__(self, boards: int, size: int) -> None:
        import numpy

        self.boards = boards
        self.stones: NDArray[Any] = numpy.zeros((boards, size, size), numpy.int8)
        self.keys: NDArray[Any] = numpy.zeros(boards, numpy.int64)
        self.known = 0

    def take(self, table: dict[str, NDArray[Any]]) -> NDArray[Any]:
        """The boards before each row, the last one first; empty ones before a game."""
        import numpy

        stones, keys = numpy.concatenate([self.stones, table["stones"]]), numpy.concatenate([self.keys, table["key"]])
        rows, size = len(table["key"]), table["stones"].shape[-1]
        found = numpy.zeros((rows, self.boards, size, size), numpy.int8)
        for back in range(1, self.boards + 1):
            # A row that is none has no key of a game, but for the first ones.
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
    """A number for each position, by chance (the finisher of splitmix64)."""
    import numpy

    with numpy.errstate(over="ignore"):
        mixed = keys.astype(numpy.uint64) + plies.astype(numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
        mixed = mixed ^ numpy.uint64((seed * 0xD1342543DE82EF95) & 0xFFFFFFFFFFFFFFFF)
        mixed = (mixed ^ (mixed >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        found: NDArray[Any] = mixed ^ (mixed >> numpy.uint64(31))
    return found


def _arrays(table: dict[str, NDArray[Any]], history: NDArray[Any], turns: NDArray[Any], size: int) -> dict[str, NDArray[Any]]:
    """The arrays of positions."""
    import numpy

    stones, color, rows = table["stones"], table["color"].astype(numpy.int8), len(table["key"])
    own = color[:, None, None]
    planes = []
    for board in [stones, *(history[:, back] for back in range(history.shape[1]))]:
        planes += [board == own, board == 3 - own]
    liberties = table["liberties"]
    planes.append(stones == 0)
    for side in (own, 3 - own):
        planes += [(stones == side) & (liberties == 1), (stones == side) & (liberties == 2), (stones == side) & (liberties >= 3)]
    points = numpy.arange(size * size)
    for point in [table["ko"], *table["last"].T]:
        planes.append((points == point[:, None]).reshape(rows, size, size))
    edge = numpy.zeros((size, size), bool)
    edge[[0, -1]] = True
    edge[:, [0, -1]] = True
    planes += [numpy.broadcast_to(plane, stones.shape) for plane in (own == 1, own == 2, True, edge)]
    whole = numpy.stack(planes, axis=1).astype(numpy.uint8)
    policy = (points == table["move"][:, None]).reshape(rows, size, size)
    for turn in range(1, 8):
        turned = turns == turn
        whole[turned] = symmetry(whole[turned], turn)
        policy[turned] = symmetry(policy[turned], turn)
    move = numpy.where(table["move"] < 0, size * size, policy.reshape(rows, -1).argmax(axis=1))
    sign = numpy.where(color == 1, 1, -1).astype(numpy.float32)
    value = numpy.select([table["winner"] == color, table["winner"] == 3 - color], [1, -1], 0)
    margin = numpy.where(table["winner"] == color, table["margin"], -table["margin"])
    return {
        "planes": whole,
        "policy": move.astype(numpy.int64),
        "value": value.astype(numpy.float32),
        "margin": margin.astype(numpy.float32),
        "komi": -table["komi"].astype(numpy.float32) * sign,
        "symmetry": turns,
        "key": table["key"],
        "ply": table["ply"].astype(numpy.int64),
    }
