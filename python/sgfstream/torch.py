"""The dataset of PyTorch that `sgfstream.training.torch_dataset` returns. Processes that are not forked import it from here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import torch
import torch.distributed
import torch.utils.data

from . import Inputs
from ._epoch import Batches, Options, Parts, checked
from .training import batches

if TYPE_CHECKING:
    from ._planes import Columns

__all__ = ["BatchDataset"]

Tensors = dict[str, torch.Tensor]

# Number of workers that count their epochs.
_WORKERS = 1024


class BatchDataset(torch.utils.data.IterableDataset[Tensors]):
    """Batches of positions as dictionaries of tensors. :func:`sgfstream.training.batches` describes them."""

    def __init__(self, inputs: Inputs, rank: tuple[int, int] | None, options: dict[str, Any]) -> None:
        self.rank = _own_rank() if rank is None else rank
        first = batches(inputs, rank=self.rank, **options)
        self._parts, self._options = first._parts, first._options
        # Workers keep their own copies of this object, or are new in each pass. They share only this memory, in which each
        # worker has the number of its next epoch.
        self._epochs = torch.full((_WORKERS,), self._options["epoch"], dtype=torch.int64)
        self._epochs.share_memory_()  # type: ignore[no-untyped-call, unused-ignore]

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch of the next pass, also in workers that are waiting for it. The passes after it are the next epochs."""
        self._epochs.fill_(epoch)

    def __iter__(self) -> TensorBatches:
        info = torch.utils.data.get_worker_info()
        worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
        if worker >= _WORKERS:
            raise ValueError(f"workers must be at most {_WORKERS}, not {workers}")
        epochs = self._epochs[worker : worker + 1]
        reader, readers = self.rank[0] * workers + worker, self.rank[1] * workers
        options: Options = {**self._options, "epoch": int(epochs), "reader": reader, "readers": readers}
        if info is not None:
            options["threads"] = 1
        epochs += 1
        return TensorBatches(Batches(self._parts, checked(options)), epochs)


class TensorBatches(Iterator[Tensors]):
    """Iterator over the batches of one pass, as tensors. ``StatefulDataLoader`` saves and resumes it."""

    def __init__(self, found: Batches, epochs: torch.Tensor) -> None:
        self._found, self._epochs = found, epochs

    def __next__(self) -> Tensors:
        batch = cast("Columns", next(self._found))
        return {name: torch.from_numpy(array.copy()) for name, array in batch.items()}

    def state_dict(self) -> dict[str, int]:
        """Return the place after the latest batch."""
        return self._found.state_dict()

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Continue after the batch at which ``state`` was taken."""
        self._found.load_state_dict(state)
        self._epochs.fill_(state["epoch"] + 1)


def _own_rank() -> tuple[int, int]:
    """Returns the number of this process and the number of processes that train together."""
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size()
    return int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
