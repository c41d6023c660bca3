"""Rows of the table of positions as arrays: planes of boards in one of eight orientations, and the facts beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast

from ._native import rule_set

if TYPE_CHECKING:
    import numpy
    import pyarrow
    from numpy.typing import NDArray

    Number = TypeVar("Number", bound=numpy.generic)
    Columns = dict[str, NDArray[Any]]
    Rows = TypeVar("Rows", "Batch", Columns)

LAST = 5
"""Number of earlier moves that have a plane each."""

RULES = ("", "japanese", "chinese", "korean", "aga", "nz", "ing", "tromp-taylor", "area", "territory")
"""Rules by their number in ``rules``. ``area`` and ``territory`` stand for rules that KataGo or a server describes only by their scoring. 0 stands
for all other rules, and for games that name no rules."""


class Targets(TypedDict, total=False):
    """Arrays that a batch has on request."""

    winrate: NDArray[numpy.float32]
    score_lead: NDArray[numpy.float32]
    visits: NDArray[numpy.float32]
    ownership: NDArray[numpy.float32]


class Batch(Targets):
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


def columns_of(rows: pyarrow.RecordBatch, size: int, dan: str) -> Columns:
    """Returns the columns of a batch of the table of positions as arrays."""
    import numpy

    def numbers(name: str, missing: float) -> NDArray[Any]:
        column = rows[name].cast("float64") if numpy.isnan(missing) else rows[name]
        found: NDArray[Any] = numpy.asarray(column.fill_null(missing) if column.null_count else column)
        return found

    columns = {name: numbers(name, missing) for name, missing in
               [("key", 0), ("ply", 0), ("color", 0), ("move", -2), ("ko", -1), ("winner", numpy.nan), ("margin", numpy.nan), ("komi", numpy.nan),
                ("br_level", numpy.nan), ("wr_level", numpy.nan), ("black_prisoners", 0), ("white_prisoners", 0), ("handicap", 0)]}
    for name in ("winrate", "score_lead", "visits"):
        if name in rows.schema.names:
            columns[name] = numbers(name, numpy.nan)
    for name in ("stones", "liberties", "superko", "ownership"):
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


class EarlierBoards:
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


def chance(keys: NDArray[Any], plies: NDArray[Any], seed: int) -> NDArray[Any]:
    """Returns a pseudorandom number for each position (the finalizer of SplitMix64)."""
    import numpy

    with numpy.errstate(over="ignore"):
        mixed = keys.astype(numpy.uint64) + plies.astype(numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
        mixed = mixed ^ numpy.uint64((seed * 0xD1342543DE82EF95) & 0xFFFFFFFFFFFFFFFF)
        mixed = (mixed ^ (mixed >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        found: NDArray[Any] = mixed ^ (mixed >> numpy.uint64(31))
    return found


def is_legal(table: Columns, size: int) -> NDArray[Any]:
    """Returns for each move whether its point is empty and no ko forbids it."""
    import numpy

    rows, points = len(table["move"]), numpy.maximum(table["move"], 0)
    at = numpy.arange(rows)
    found: NDArray[Any] = (table["stones"].reshape(rows, -1)[at, points] == 0) & (table["move"] != table["ko"])
    if "superko" in table:
        found &= table["superko"].reshape(rows, -1)[at, points] == 0
    return found | (table["move"] < 0)


def arrays_of(table: Columns) -> Batch:
    """Returns the arrays of :func:`batches` for positions with their orientations."""
    import numpy

    history, turns = table["history"], table["symmetry"]
    rows, size = len(table["key"]), table["stones"].shape[-1]
    points = size * size
    color = table["color"].astype(numpy.int8)
    own = color[:, None, None]
    # Rotate the boards before planes are made of them, and map single points by a table, because both are fewer than planes.
    boards = [table["stones"][:, None], history, table["liberties"][:, None]]
    boards += [table["superko"][:, None]] if "superko" in table else []
    turned = turned_boards(numpy.concatenate(boards, axis=1), turns)
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
    targets: Targets = {}
    if "winrate" in table:
        winrate = numpy.where(color == 1, table["winrate"], 1 - table["winrate"])
        targets["winrate"] = winrate.astype(numpy.float32)
        targets["score_lead"] = table["score_lead"].astype(numpy.float32) * sign
        targets["visits"] = table["visits"].astype(numpy.float32)
    if "ownership" in table:
        owners = turned_boards(table["ownership"][:, None], turns)[:, 0]
        targets["ownership"] = numpy.select([owners == 0, owners == own, owners == 3 - own], [0, 1, -1], numpy.nan).astype(numpy.float32)
    return {
        **targets,
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


def turned_boards(boards: NDArray[Number], turns: NDArray[numpy.uint8]) -> NDArray[Number]:
    """Returns the boards of each row in the orientation of the row."""
    import numpy

    whole = numpy.empty_like(boards)
    for turn in range(8):
        rows = turns == turn
        whole[rows] = symmetry(boards[rows], turn)
    return whole


def _of_mover(table: Columns, black: str, white: str) -> NDArray[Any]:
    """Returns the values of two columns as values of the mover and of the opponent."""
    import numpy

    both = numpy.stack([table[black], table[white]], axis=1)
    return numpy.where(table["color"][:, None] == 1, both, both[:, ::-1])


def padded(batch: Batch, side: int, size: int) -> Batch:
    """Returns the arrays with each board in the upper left corner of a larger one."""
    import numpy

    if side == size:
        return batch
    policy = batch["policy"]
    larger = numpy.where(policy == side * side, size * size, policy // side * size + policy % side)
    planes = numpy.pad(batch["planes"], ((0, 0), (0, 0), (0, size - side), (0, size - side)))
    if "ownership" in batch:
        outside = numpy.pad(batch["ownership"], ((0, 0), (0, size - side), (0, size - side)), constant_values=numpy.nan)
        batch = cast(Batch, {**batch, "ownership": outside})
    return cast(Batch, {**batch, "planes": planes, "policy": larger})


def packed(batch: Batch) -> Batch:
    """Returns the arrays with one bit per point in ``planes``."""
    import numpy

    planes = batch["planes"]
    return cast(Batch, {**batch, "planes": numpy.packbits(planes.reshape(*planes.shape[:2], -1), axis=-1)})


def joined(batches: list[Rows]) -> Rows:
    """Returns the rows of all batches as one batch."""
    import numpy

    return cast("Rows", {name: numpy.concatenate([cast(Any, batch)[name] for batch in batches]) for name in batches[0]})


def part(batch: Rows, rows: slice | NDArray[Any]) -> Rows:
    """Returns the selected rows of a batch."""
    return cast("Rows", {name: cast(Any, array)[rows] for name, array in batch.items()})
