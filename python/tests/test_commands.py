"""Commands as functions, and boards."""

import json
import random
import subprocess
import sys

import numpy
import pytest

import sgfstream
from conftest import ROOT, sgfq

CORPUS = str(ROOT / "corpus")


def rows(*words):
    done = subprocess.run([sgfq(), *words, "-f", "jsonl", CORPUS], capture_output=True, text=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for row in found:
        row.pop("schema", None)
    return found


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sgfstream.find(CORPUS, position="pd", summary=True), ["find", "--position", "pd", "--summary"]),
        (lambda: sgfstream.find(CORPUS, sequence="pd dp", exact=True, columns=["pb", "found_move"]),
         ["find", "--sequence", "pd dp", "--exact", "--columns", "pb,found_move"]),
        (lambda: sgfstream.openings(CORPUS, depth=2, where="gm = 1"), ["openings", "--depth", "2", "--where", "gm = 1"]),
        (lambda: sgfstream.players(CORPUS), ["players"]),
        (lambda: sgfstream.freq(CORPUS, "pb", top=3), ["freq", "pb", "--top", "3"]),
        (lambda: sgfstream.grep(CORPUS, "a", ignore_case=True), ["grep", "-i", "a"]),
    ],
)
def test_rows_are_those_of_the_command(call, words):
    found = call().to_pylist()
    assert found and found == rows(*words)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    "call",
    [
        lambda **more: sgfstream.find(CORPUS, position="pd", summary=True, **more),
        lambda **more: sgfstream.find(CORPUS, position="pd", **more),
        lambda **more: sgfstream.find(CORPUS, position="pd", columns="key, coalesce(pb, pw, ',') AS both, date_min, found_move, moves * 2", **more),
        lambda **more: sgfstream.openings(CORPUS, **more),
        lambda **more: sgfstream.players(CORPUS, **more),
        lambda **more: sgfstream.players(CORPUS, openings=2, **more),
        lambda **more: sgfstream.players(CORPUS, player="Ada", against="Ben", **more),
        lambda **more: sgfstream.freq(CORPUS, "date_min", **more),
        lambda **more: sgfstream.freq(CORPUS, "year(date_min)", **more),
        lambda **more: sgfstream.grep(CORPUS, "a", **more),
    ],
)
def test_a_table_without_rows_has_its_columns_and_types(call):
    some, none = call(), call(where="pb = 'nobody has this name'")
    assert some.num_rows > 0 and none.num_rows == 0
    assert none.schema == some.schema and len(some.schema.names) > 1
    # No type is a guess from values that are null.
    assert "null" not in {str(field.type) for field in some.schema}
    for name in ("key", "date_min", "games", "share"):
        if name in some.column_names:
            assert str(some.schema.field(name).type) == {"key": "int64", "date_min": "date32[day]", "games": "int64", "share": "double"}[name]


def test_games_without_repetition(tmp_path):
    out = tmp_path / "once.sgf"
    sgfstream.dedup(b"(;GM[1];B[pd])(;GM[1];B[pd]C[more])(;GM[1];B[dd])", out)
    assert out.read_bytes() == b"(;GM[1];B[pd]C[more])\n(;GM[1];B[dd])\n"
    sgfstream.merge(out, tmp_path / "tree.sgf")
    assert len(sgfstream.Game.parse((tmp_path / "tree.sgf").read_bytes())) == 3


def test_a_wrong_argument_is_a_value_error():
    with pytest.raises(ValueError, match="no/such.sgf: no such file or directory"):
        sgfstream.openings("no/such.sgf")
    with pytest.raises(TypeError, match=r"^players\(\) got an unexpected keyword argument 'no_sense'$"):
        sgfstream.players(CORPUS, no_sense=True)
    with pytest.raises(ValueError, match="^invalid value '-1' for depth: expected a whole number$"):
        sgfstream.openings(CORPUS, depth=-1)
    with pytest.raises(ValueError, match="^where: character 1: unknown column `x`"):
        sgfstream.freq(CORPUS, "pb", where="x")
    assert sgfstream.stats(CORPUS, threads=1) == sgfstream.stats(CORPUS)
    with pytest.raises(TypeError, match="pass the names of inputs"):
        sgfstream.players([b"(;GM[1])", b"(;GM[1])"])


def test_texts_stay_texts_and_begin_with_any_sign():
    games = b"(;DT[1990-12-24]PB[-x];B[pd]C[-v: a ladder])(;DT[1991-01-02]PB[7];B[pd])"
    table = sgfstream.find(games, position="pd", columns="dt,pb,game")
    assert [str(field.type) for field in table.schema] == ["string", "string", "int64"]
    assert sgfstream.grep(games, "-v:").num_rows == 1
    assert sgfstream.find(games, position="aa bb").num_rows == 0


def test_an_input_that_cannot_be_read_costs_no_other(tmp_path):
    bad, out = tmp_path / "bad.sgf.gz", tmp_path / "out.sgf"
    bad.write_bytes(b"\x1f\x8b\x08\x00damage")
    good = ROOT / "corpus/go-ff4.sgf"
    with pytest.warns(RuntimeWarning, match="bad.sgf.gz"):
        sgfstream.dedup([good, bad], out)
    assert sgfstream.scan(out).count() == 1
    with pytest.warns(RuntimeWarning, match="bad.sgf.gz"):
        assert sgfstream.players([good, bad]).num_rows == 2
    before = out.read_bytes()
    with pytest.raises(ValueError):
        sgfstream.dedup([out], out)
    assert out.read_bytes() == before


def test_half_an_answer_is_none(monkeypatch):
    killed = subprocess.CompletedProcess([], -9, b'{"player":"Ada"}\n', b"")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: killed)
    with pytest.raises(RuntimeError, match="ended with status -9"):
        sgfstream.players(CORPUS)


def test_the_command_comes_with_the_package():
    done = subprocess.run([sys.executable, "-m", "sgfstream", "count", CORPUS], capture_output=True, text=True, check=True)
    assert done.stdout == subprocess.run([sgfq(), "count", CORPUS], capture_output=True, text=True).stdout


def slow_play(cells, color, column, row):
    """Stones and captures by the definition: groups by flood fill, on a copy."""
    size = len(cells)
    if cells[row][column]:
        return None
    cells = [list(line) for line in cells]
    cells[row][column] = color

    def group(column, row):
        own, seen, open, free = cells[row][column], {(column, row)}, [(column, row)], set()
        while open:
            x, y = open.pop()
            for x2, y2 in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if 0 <= x2 < size and 0 <= y2 < size:
                    if cells[y2][x2] == 0:
                        free.add((x2, y2))
                    elif cells[y2][x2] == own and (x2, y2) not in seen:
                        seen.add((x2, y2))
                        open.append((x2, y2))
        return seen, free

    taken = 0
    for x, y in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
        if 0 <= x < size and 0 <= y < size and cells[y][x] == 3 - color:
            stones, free = group(x, y)
            if not free:
                taken += len(stones)
                for x2, y2 in stones:
                    cells[y2][x2] = 0
    own, free = group(column, row)
    return None if not free else (cells, taken, len(free))


def test_boards_as_the_definition_has_them():
    rng = random.Random(5)
    played = 0
    for _ in range(40):
        board, cells, total = sgfstream.Board(5), [[0] * 5 for _ in range(5)], [0, 0]
        for turn in range(60):
            color, column, row = turn % 2 + 1, rng.randrange(5), rng.randrange(5)
            point, expected = "abcde"[column] + "abcde"[row], slow_play(cells, color, column, row)
            if expected is None:
                assert not board.is_legal("BW"[color - 1], point)
                continue
            if not board.is_legal("BW"[color - 1], point):
                # A ko, which the definition above does not know.
                assert expected[1] == 1
                continue
            cells, taken, free = expected
            assert board.play("BW"[color - 1], point) == taken
            total[color - 1] += taken
            assert board.to_numpy().tolist() == cells and board.liberties((column, row)) == free
            assert [board.captures("B"), board.captures("W")] == total
            played += 1
    assert played > 800


def test_a_board_that_refuses_a_move_stays():
    board = sgfstream.Board(9)
    board.play("B", "ee")
    before = board.copy()
    with pytest.raises(ValueError, match="the point is occupied"):
        board.play("W", "ee")
    assert board == before and board == board and before.size == (9, 9)
    with pytest.raises(IndexError):
        board.get((9, 0))
    assert numpy.count_nonzero(board.to_numpy()) == 1 and board.to_numpy()[4, 4] == 1


def test_nodes_have_moves_and_boards():
    game = sgfstream.Game.parse(b"(;GM[11]SZ[11];B[c3];W[f6])")
    assert [node.move for node in game.main_line()] == [None, ("B", "c3"), ("W", "f6")]
    assert game.main_line()[2].board().get("c3") == "B" and game.main_line()[1].board().get("f6") is None
    assert game.main_line()[1].color == "B" and game._repr_svg_().startswith("<svg")
    with pytest.raises(ValueError, match="Chess"):
        sgfstream.Game.parse(b"(;GM[3];B[e4])").root.board()
