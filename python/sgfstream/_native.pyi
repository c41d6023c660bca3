from collections.abc import Iterator
from typing import Any, Literal, final

from . import Inputs

__version__: str

@final
class Problem:
    @property
    def source(self) -> str: ...
    @property
    def member(self) -> str | None: ...
    @property
    def code(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def found(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Scan:
    def __new__(
        cls,
        table: str,
        inputs: Inputs,
        columns: list[str] | None,
        where: str | None,
        batch_size: int,
        threads: int,
        charset: str,
        framing: Literal["auto", "value", "whole"],
        errors: Literal["report", "raise"],
        legality: bool,
        positions: tuple[int, int, int, float, int] | None,
    ) -> Scan: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __iter__(self) -> Iterator[Any]: ...
    @property
    def problems(self) -> list[Problem]: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def table(self) -> str: ...

def columns() -> dict[str, tuple[str, str]]: ...
