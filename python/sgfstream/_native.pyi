import os
from typing import Literal, final

from typing_extensions import Self, disjoint_base

import numpy.typing

from . import ReadSettings, Input, Inputs, Output

__all__ = [
    "__version__",
    "Board",
    "Events",
    "Filtered",
    "Finding",
    "Findings",
    "Fixed",
    "Game",
    "GameReader",
    "Node",
    "Problem",
    "Scan",
    "columns",
    "filter",
    "fix",
    "plan",
    "rule_set",
    "run",
]

__version__: str

@final
class Problem:
    """A file or archive member that could not be read, or not to its end.

    ``str(problem)`` names the file, the member and the reason.
    """

    @property
    def source(self) -> str:
        """The file, or the name of the bytes or file object."""
    @property
    def member(self) -> str | None:
        """The member of the archive, ``outer!inner`` in nested archives; ``None`` for a plain file."""
    @property
    def code(self) -> str:
        """A stable name: ``not-found``, ``unreadable``, ``damaged``, ``truncated``, ``encrypted``, ``unsupported``, ``cap``,
        ``lossy`` or ``long-game``.
        """
    @property
    def message(self) -> str:
        """The reason, and what to try."""
    def __eq__(self, other: object, /) -> bool: ...

@disjoint_base
class Scan:
    """Rows of a table. Each consumer reads the inputs again, in the background and on all cores.

    Every library that accepts Arrow streams accepts a ``Scan``: ``polars.DataFrame(scan)``, ``pyarrow.table(scan)``,
    ``duckdb.sql("FROM scan")``. A ``Scan`` can be pickled and read in another process.
    To make one, call :func:`sgfstream.scan`.
    """

    def __new__(
        cls,
        inputs: Inputs,
        settings: dict[str, object],
    ) -> Self: ...
    def __reduce__(self) -> tuple[type[Scan], tuple[list[Input], dict[str, object]]]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def count(self) -> int:
        """Return the number of rows, reading as little as possible.

        >>> import sgfstream
        >>> sgfstream.scan("corpus/go-collection.sgf").count()
        4
        """
    @property
    def problems(self) -> list[Problem]:
        """The files and members that the latest reading could not read."""
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    @property
    def table(self) -> str:
        """The name of the table, such as ``games``."""

def run(arguments: list[str | os.PathLike[str]]) -> int:
    """Run ``sgfq`` with these arguments, the program name first, and return its exit status. It may end the process."""
def plan(
    inputs: Inputs,
    split_bytes: int,
    how: ReadSettings,
) -> tuple[list[str], list[Problem]]:
    """Divide inputs into splits of about ``split_bytes`` bytes.

    Return the splits and the inputs that could not be opened.
    """
def columns() -> dict[str, tuple[str, str]]:
    """Return the columns of the table of games: for each name its type and description.

    >>> import sgfstream
    >>> sgfstream.columns()["komi"]
    ('float', 'KM: komi, points')
    """

@final
class Events:
    """Iterator over the events of inputs. To make one, call :func:`sgfstream.events`."""

    def __new__(
        cls,
        inputs: Inputs,
        how: ReadSettings,
    ) -> Events: ...
    def __iter__(self) -> Events: ...
    def __next__(self) -> tuple[str, str | None, list[bytes] | None]:
        """Return the next event: its kind, identifier and values, as in the table of :func:`sgfstream.events`."""
    @property
    def problems(self) -> list[Problem]:
        """The files and members that could not be read so far."""

@final
class Game:
    """A game as a tree of nodes, which you can edit and write.

    ``Game()`` makes a game of one empty node: set ``FF``, ``GM`` and ``CA`` yourself. Without ``CA``, texts are written in
    UTF-8.
    """

    def __new__(cls) -> Game: ...
    @staticmethod
    def parse(game: bytes | str) -> Game:
        """Return the one game in ``game``, which is bytes or a text.

        Raises ``ValueError`` if there is no game or more than one.

        >>> import sgfstream
        >>> game = sgfstream.Game.parse(b"(;GM[1]PB[Ada];B[pd](;W[dp])(;W[dd]))")
        >>> game.root["PB"], len(game), len(game.main_line())
        ('Ada', 4, 3)
        """
    @property
    def source(self) -> str:
        """The file, ``archive!member`` for a member; empty if the game was parsed or made."""
    @property
    def root(self) -> Node:
        """The first node."""
    @property
    def problems(self) -> list[tuple[str, int, int]]:
        """The problems of the game: for each its code, and the start and end of its bytes."""
    @property
    def charset(self) -> str:
        """The charset of the game's texts."""
    def main_line(self) -> list[Node]:
        """Return the nodes of the main line, the root first."""
    def nodes(self) -> list[Node]:
        """Return all nodes in file order."""
    def to_bytes(self) -> bytes:
        """Return the game as SGF. Properties that you did not edit keep their bytes."""
    def _repr_svg_(self) -> str | None:
        """Return the board at the end of the main line as SVG, for notebooks."""
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Board:
    """A board position of Go, or of another game whose moves are known.

    ``size`` is the number of lines, and ``rules`` a text as in ``RU``; the rules decide which moves are illegal.

    >>> import sgfstream
    >>> board = sgfstream.Board(9)
    >>> for color, move in [("B", "ba"), ("W", "aa"), ("B", "ab")]:
    ...     captured = board.play(color, move)
    >>> captured, board.get("aa"), board.get("ab"), board.liberties("ab"), board.is_legal("W", "aa")
    (1, None, 'B', 3, False)
    """

    def __new__(cls, size: int = 19, *, rules: str = "") -> Board: ...
    @property
    def size(self) -> tuple[int, int]:
        """The number of columns and rows."""
    @property
    def winner(self) -> str | None:
        """The color that has won on the board, for games where the board decides; else ``None``."""
    def get(self, point: str | tuple[int, int]) -> str | None:
        """Return the color of the stone or piece at ``point``, or ``None`` if the point is empty.

        ``point`` is a text as in the file, such as ``"pd"``, or a pair of column and row from 0.
        """
    def play(self, color: str, move: str) -> int:
        """Play a move and return the number of captured stones.

        ``color`` is ``"B"`` or ``"W"``, and ``move`` a text as in the file. If the move is illegal, ``ValueError`` gives the
        reason and the board is unchanged.

        >>> import sgfstream
        >>> sgfstream.Board().play("B", "pd")
        0
        """
    def is_legal(self, color: str, move: str) -> bool:
        """Return whether ``color`` may play ``move``."""
    def liberties(self, point: str | tuple[int, int]) -> int:
        """Go: return the number of liberties of the group at ``point``; 0 for an empty point."""
    def captures(self, color: str) -> int:
        """Go: return the number of stones that ``color`` has captured."""
    def to_bytes(self) -> bytes:
        """Return one byte per point, row by row from the upper left: 0 empty, 1 Black, 2 White, or the number of the color."""
    def to_numpy(self) -> numpy.typing.NDArray[numpy.int8]:
        """Return the numbers of ``to_bytes`` as an array of rows and columns."""
    def _repr_svg_(self) -> str | None:
        """Return the board as SVG, for notebooks; ``None`` if it is too large to draw."""
    def copy(self) -> Board:
        """Return a copy of the board."""
    def __copy__(self) -> Board: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Node:
    """A node of a game, with its properties and its neighbors.

    ``node["C"]`` is the text of the first value that is not blank; assign a text or a list of texts to set a property.
    Use ``del`` to remove a property.
    """

    @property
    def move(self) -> tuple[str, str] | None:
        """The move of the node as color and text, such as ``("B", "pd")``; ``None`` without a move."""
    @property
    def color(self) -> str | None:
        """The color that moves in the node; ``None`` without a move."""
    def board(self) -> Board:
        """Return the board after the node. Illegal moves are played as far as possible.

        >>> import sgfstream
        >>> game = sgfstream.Game.parse(b"(;GM[1]SZ[9]AB[cc];W[ee](;B[gg])(;B[gc]))")
        >>> game.main_line()[-1].board().get("gg"), game.nodes()[-1].board().get("gg")
        ('B', None)
        """
    def _repr_svg_(self) -> str | None:
        """Return the board after the node as SVG, with marks and the last move; ``None`` if the game has no board."""
    @property
    def children(self) -> list[Node]:
        """The nodes directly after this node: the next node of its line, then the variations."""
    @property
    def parent(self) -> Node | None:
        """The node before this node; ``None`` for the root."""
    def properties(self) -> dict[str, list[str]]:
        """Return all properties: for each identifier its values as texts.

        >>> import sgfstream
        >>> sgfstream.Game.parse(b"(;AB[aa][bb]C[a\\\\]b])").root.properties()
        {'AB': ['aa', 'bb'], 'C': ['a]b']}
        """
    def get(self, ident: str, default: str | None = None) -> str | None:
        """Return the text of the first value of ``ident`` that is not blank, or ``default`` if the node lacks ``ident``."""
    def raw(self, ident: str) -> list[bytes] | None:
        """Return the values of a property as bytes between their brackets; ``None`` if the node lacks the property."""
    def set_raw(self, ident: str, values: list[bytes]) -> None:
        """Set the values of a property, as bytes between their brackets."""
    def add_child(self) -> Node:
        """Add an empty node after this node and return it. It continues the line, or begins another variation."""
    def remove(self) -> None:
        """Remove the node and all nodes after it. The root cannot be removed."""
    def promote(self) -> None:
        """Make the node the first child of its parent."""
    def __getitem__(self, ident: str, /) -> str:
        """Return the text of the first value that is not blank. Raise ``KeyError`` if the node lacks the property."""
    def __setitem__(self, ident: str, value: str | list[str], /) -> None: ...
    def __delitem__(self, ident: str, /) -> None: ...
    def __contains__(self, ident: str, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class GameReader:
    """Iterator over games. To make one, call :func:`sgfstream.games`."""

    def __new__(
        cls,
        inputs: Inputs,
        how: ReadSettings,
    ) -> GameReader: ...
    def __iter__(self) -> GameReader: ...
    def __next__(self) -> Game: ...
    @property
    def problems(self) -> list[Problem]:
        """The files and members that could not be read so far."""

@final
class Finding:
    """A problem that ``check`` or ``fix`` found in a game.

    ``str(finding)`` is ``file:line:column: severity[code]: message``.
    """

    @property
    def source(self) -> str:
        """The file, ``archive!member`` for a member."""
    @property
    def line(self) -> int | None:
        """The line, counted from 1; ``None`` if it is unknown."""
    @property
    def column(self) -> int | None:
        """The column in bytes, counted from 1; ``None`` if it is unknown."""
    @property
    def start(self) -> int:
        """The offset of the first byte of the finding."""
    @property
    def end(self) -> int:
        """The offset after the last byte of the finding."""
    @property
    def game(self) -> int:
        """The number of the game in its file, counted from 1; 0 before the first game."""
    @property
    def path(self) -> str:
        """The path of the node: ``/3`` is the fourth node of the main line."""
    @property
    def code(self) -> str:
        """A stable name; ``sgfq explain CODE`` explains it."""
    @property
    def severity(self) -> str:
        """``error``, ``warning`` or ``note``."""
    @property
    def message(self) -> str:
        """The finding as a sentence."""
    @property
    def repair(self) -> str | None:
        """The repair as a sentence; ``None`` if ``fix`` has none."""
    @property
    def outcome(self) -> str | None:
        """The outcome of ``fix``: ``repaired``, ``guessed`` or ``left``; ``None`` after ``check``."""
    @property
    def blocked(self) -> bool:
        """Whether ``fix`` did not make the repair because stray text near it may belong to a property."""
    def __eq__(self, other: object, /) -> bool: ...

@final
class Findings:
    """Iterator over findings. To make one, call :func:`sgfstream.check`."""

    def __new__(
        cls,
        inputs: Inputs,
        level: Literal["note", "warning", "error"],
        allow: list[str],
        legality: bool,
        how: ReadSettings,
    ) -> Findings: ...
    def __iter__(self) -> Findings: ...
    def __next__(self) -> Finding: ...
    @property
    def problems(self) -> list[Problem]:
        """The files and members that could not be read so far."""

@final
class Fixed:
    """The result of :func:`sgfstream.fix`."""

    @property
    def data(self) -> bytes:
        """The repaired bytes of the file."""
    @property
    def findings(self) -> list[Finding]:
        """The findings, each with its outcome."""
    def count(self, outcome: Literal["repaired", "guessed", "left"]) -> int:
        """Return the number of findings with this outcome."""

def fix(
    input: Input,
    level: Literal["note", "warning", "error"],
    allow: list[str],
    only: list[str],
    guess: bool,
    to_comments: bool,
    how: ReadSettings,
) -> Fixed:
    """Repair the file ``input``; see :func:`sgfstream.fix` for the arguments."""

@final
class Filtered:
    """The result of :func:`sgfstream.filter`."""

    @property
    def games(self) -> int:
        """The number of games written to ``out``."""
    @property
    def rejected(self) -> int:
        """The number of games not written to ``out``."""
    @property
    def problems(self) -> list[Problem]:
        """The files and members that could not be read, or not to their end."""
    @property
    def unsearched(self) -> int:
        """The number of positions not searched because a search reached a cap; see ``sgfq help caps``."""

def filter(
    inputs: Inputs,
    where: str,
    out: Output,
    rejects: Output | None,
    invert: bool,
    how: ReadSettings,
) -> Filtered:
    """Write the games that match ``where`` to ``out``; see :func:`sgfstream.filter` for the arguments."""

def rule_set(rules: str) -> str | None:
    """Return the name of the rules that a text of ``RU`` names, or ``None`` if it names no known rules."""
