"""URLs as inputs: files that fsspec opens, each with its URL as its name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from . import Input, Inputs

Storage = Mapping[str, Any]


class Remote:
    """File object with the content of a URL, and the URL as its name."""

    def __init__(self, url: str, storage_options: Storage | None = None, opened: Any = None):
        self.full_name = url
        self.options = storage_options or {}
        self.opened = opened
        self.file: Any = None

    def read(self, size: int) -> bytes:
        if self.file is None:
            import fsspec

            self.file = (self.opened or fsspec.open(self.full_name, "rb", **self.options)).open()
        data: bytes = self.file.read(size)
        if not data:
            self.file.close()
        return data


def is_url(input: object) -> bool:
    return isinstance(input, str) and "://" in input and not os.path.exists(input)


def is_one(inputs: Inputs) -> bool:
    """Returns whether an object is one input, and not several."""
    return isinstance(inputs, (str, bytes, bytearray, memoryview, os.PathLike)) or hasattr(inputs, "read") or _is_open_file(inputs)


def _is_open_file(input: object) -> bool:
    """Returns whether an object is an `OpenFile` of fsspec, which has no `read` before it is opened."""
    return hasattr(input, "fs") and hasattr(input, "full_name") and hasattr(input, "open") and not hasattr(input, "read")


def files_of(pattern: str, storage_options: Storage | None = None) -> list[tuple[str, int]]:
    """Returns the files that a URL or a pattern names, each with its size, or 0 if it is unknown."""
    try:
        import fsspec
    except ImportError:
        raise ImportError(f"{pattern}: to read URLs, install fsspec") from None

    system, path = fsspec.core.url_to_fs(pattern, **(storage_options or {}))
    is_pattern = any(sign in path for sign in "*?[")
    found = system.glob(path, detail=True) if is_pattern else {path: system.info(path)}
    files = {name: about for name, about in found.items() if about["type"] != "directory"}
    if not files:
        why = "no file matches" if is_pattern else "the URL is a directory; write a pattern such as **.sgf"
        raise FileNotFoundError(f"{pattern}: {why}")
    return [(system.unstrip_protocol(name), about.get("size") or 0) for name, about in sorted(files.items())]


def opened(inputs: Inputs, storage_options: Storage | None = None) -> Inputs:
    """Returns the inputs with file objects in place of URLs and of files that fsspec has not opened."""
    if not is_one(inputs) and not isinstance(inputs, Iterable):
        # The reader refuses it.
        return inputs
    every = [inputs] if is_one(inputs) else [*cast("Iterable[Input]", inputs)]
    if not any(is_url(input) or _is_open_file(input) for input in every):
        return cast("Inputs", inputs if is_one(inputs) else every)
    found: list[Any] = []
    for input in every:
        if _is_open_file(input):
            found.append(Remote(str(cast(Any, input).full_name), opened=input))
        elif is_url(input):
            found += [Remote(url, storage_options) for url, _ in files_of(str(input), storage_options)]
        else:
            found.append(input)
    return found
