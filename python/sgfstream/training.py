"""Positions of Go for training: batches of numpy arrays in random orientations, reproducible by a seed.

>>> import sgfstream.training
>>> batch = next(sgfstream.training.batches(b"(;GM[1]SZ[9]KM[6.5]RE[W+R];B[ee];W[cc];B[])", size=9, boards=2))
>>> batch["planes"].shape, batch["policy"].shape, batch["value"].tolist(), batch["komi"].tolist()
((3, 21, 9, 9), (3,), [-1.0, 1.0, -1.0], [-6.5, 6.5, -6.5])

A test set must not contain a game of the training set in any orientation. To split games by their moves, use the last digit
of the canonical hash: ``where="canonical_hash ~ '[01]$'"`` selects an eighth, ``!~ '[01]$'`` the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from . import Inputs
from ._epoch import Batches, Parts, checked, reader_of
from ._planes import RULES, Batch, plane_names, symmetry
from ._types import BatchesOptions, LoaderOptions, PositionsOptions

if TYPE_CHECKING:
    import torch
    import torch.utils.data
    from typing_extensions import Unpack

    from .torch import BatchDataset

__all__ = ["RULES", "Batch", "Batches", "batches", "loader", "plane_names", "symmetry", "torch_dataset"]


def batches(
    inputs: Inputs = (),
    *,
    size: int = 19,
    batch_size: int = 256,
    boards: int = 1,
    packed: bool = False,
    superko: bool = False,
    analysis: bool = False,
    ownership: bool = False,
    symmetries: bool = True,
    sample: float = 1.0,
    per_game: int | None = None,
    shuffle: int = 0,
    seed: int = 0,
    epoch: int = 0,
    where: str | None = "gm = 1",
    legal: bool = True,
    pad: bool = False,
    every: int = 1,
    dan: Literal["amateur", "pro"] = "amateur",
    threads: int = 0,
    worker: tuple[int, int] = (0, 1),
    rank: tuple[int, int] = (0, 1),
    **options: Unpack[PositionsOptions],
) -> Batches:
    """Return an iterator over batches of ``batch_size`` positions; the last one may be smaller.

    Arguments are checked before anything is read. ``state_dict()`` of the iterator is its place, and ``load_state_dict()``
    continues there.

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
    | ``winrate``, ``score_lead``, ``visits`` | float32, (n,) | with ``analysis``: chance of the mover to win, points by which the mover leads, and visits, as an analysis program wrote them into the node before; NaN if it did not |
    | ``ownership`` | float32, (n, size, size) | with ``ownership``: 1 for points that the mover owns at the end of the game, -1 for points of the opponent, 0 for neutral points; NaN if unknown |

    Args:
        packed: write one bit per point: planes are uint8, (n, planes, bytes), as from ``numpy.packbits`` and in KataGo.
        boards: the number of boards per position, this one and those before it. Boards before the first one are empty.
        superko: mark all points where a move would repeat a position of the game in the plane of the ko.
        analysis: add the evaluations that an analysis program wrote.
        ownership: add the owners of the points at the end from ``TB`` and ``TW``; without them, and after two passes,
            from the last board, as if all its stones lived.
        sample: take this share of the positions at random.
        every: take every N-th position of a game, from the first on.
        legal: leave out moves onto a stone or a point that the ko forbids. Default: ``True``
        pad: also take smaller square boards. They lie in the upper left corner, and the plane ``ones`` is 0 outside them.
            Games on boards of other sizes are left out, and a warning at the end reports how many.
        per_game: take at most this many positions of a game at random, among those that the other options leave.
        shuffle: read the parts of the inputs in random order, and draw each batch at random from a block of this many
            positions. The first batch comes when a block is full. While one block is drawn, the next one is read, so
            memory holds two. A plane of a position takes 46 bytes. 0 keeps the order of the inputs.
        seed: the seed of the sample, the orientations and the order.
        epoch: the number of the pass. Another epoch takes another sample in another order and other orientations; in
            eight epochs in sequence, a position has every orientation once.
        dan: ``"pro"`` reads every dan as professional, for archives of professional games.
        worker: the number of this reader, from 0, and the number of readers. All readers together return the positions of
            one reader. If the inputs cannot be divided into enough parts, as a tar file cannot, each reader reads all
            of them and takes some of the games.
        rank: the number of this process, from 0, and the number of processes with this number of workers each.
        options: arguments of :func:`sgfstream.positions`.

    The seed, the epoch and the position decide what is taken and how it is rotated, for any number of threads or workers.
    With ``shuffle``, the order also depends on the number of the worker.

    ``ranks`` has one scale for amateurs and professionals: the grades of the European Go Federation. 1 kyu is 0, 1 dan is 1,
    n dan is n, and n kyu is 1 - n. 1p is 7, and each further professional dan adds 0.3, so 9p is 9.4. A dan without ``p`` is
    an amateur dan, even if the record means a professional.
    """
    number, count = reader_of(worker, rank)
    chosen = checked({
        "size": size, "batch_size": batch_size, "boards": boards, "packed": packed, "superko": superko, "analysis": analysis,
        "ownership": ownership, "symmetries": symmetries, "sample": sample, "per_game": per_game, "shuffle": shuffle, "seed": seed,
        "epoch": epoch, "where": where, "legal": legal, "pad": pad, "every": every, "dan": dan, "threads": threads,
        "reader": number, "readers": count, "reading": {**options},
    })  # fmt: skip
    return Batches(Parts.of(inputs, {**options}), chosen)


def torch_dataset(inputs: Inputs, *, rank: tuple[int, int] | None = None, **options: Unpack[BatchesOptions]) -> BatchDataset:
    """Return a PyTorch ``IterableDataset`` of the batches. Pass ``batch_size=None`` to its ``DataLoader``, or use :func:`loader`.

    Each worker reads its own positions on one thread. ``rank`` is the number of this process and the number of processes;
    by default, ``torch.distributed`` or the variables ``RANK`` and ``WORLD_SIZE`` of ``torchrun`` tell it. Each pass is the
    next epoch; ``set_epoch(number)`` chooses another one. ``options`` go to :func:`batches`.
    """
    from .torch import BatchDataset

    if "worker" in options:
        raise TypeError("worker is not an option here: the DataLoader numbers its workers; pass rank for several processes")
    return BatchDataset(inputs, rank, {**options})


def loader(
    inputs: Inputs,
    *,
    batch_size: int = 256,
    workers: int = 0,
    rank: tuple[int, int] | None = None,
    pin_memory: bool = False,
    persistent_workers: bool = False,
    prefetch_factor: int | None = None,
    multiprocessing_context: Literal["fork", "forkserver", "spawn"] | None = None,
    resumable: bool = False,
    **options: Unpack[LoaderOptions],
) -> torch.utils.data.DataLoader[dict[str, torch.Tensor]]:
    """Return a ``DataLoader`` of PyTorch with batches of ``batch_size`` positions, as dictionaries of tensors.

    Args:
        inputs: as in :func:`batches`.
        workers: the number of processes that read. 0 reads in this process.
        rank: as in :func:`torch_dataset`.
        resumable: return the ``StatefulDataLoader`` of torchdata. Its ``state_dict()`` resumes in the middle of an epoch.
        options: arguments of :func:`batches`.

    The other arguments go to ``DataLoader``. ``loader.dataset.set_epoch(number)`` chooses an epoch.
    """
    import torch.utils.data

    kind: Any = torch.utils.data.DataLoader
    if resumable:
        import torchdata.stateful_dataloader

        kind = torchdata.stateful_dataloader.StatefulDataLoader
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 0:
        raise ValueError(f"workers must be a whole number from 0, not {workers!r}")
    dataset = torch_dataset(inputs, rank=rank, batch_size=batch_size, **options)
    found = kind(
        dataset, batch_size=None, num_workers=workers, pin_memory=pin_memory, persistent_workers=persistent_workers,
        prefetch_factor=prefetch_factor, multiprocessing_context=multiprocessing_context,
    )  # fmt: skip
    return cast("torch.utils.data.DataLoader[dict[str, torch.Tensor]]", found)
