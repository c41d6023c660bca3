"""What a user types first works, or an error says what to type."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pandas
import pyarrow
import pytest

import sgfstream
from conftest import ROOT, collection

CORPUS = str(ROOT / "corpus/go-*.sgf")
GAME = b"(;GM[1]SZ[9]PB[Ada];B[aa](;W[bb])(;W[cc]))"

SCANS = (sgfstream.scan, sgfstream.moves, sgfstream.comments, sgfstream.lines, sgfstream.positions)


def calls():
    for function in (*SCANS, sgfstream.events, sgfstream.games, sgfstream.check):
        yield function, {"threads": -1}, ValueError, "threads: expected a whole number from 0, found -1"
        yield function, {"threads": "2"}, TypeError, "threads: expected a whole number, found '2'"
        yield function, {"threads": True}, TypeError, "threads: expected a whole number, found True"
        yield function, {"charset": 5}, TypeError, "charset: expected a text, found 5"
        yield function, {"framing": "x"}, ValueError, "framing: expected \"auto\", \"value\" or \"whole\", found 'x'"
        yield function, {"errors": None}, TypeError, "errors: expected \"warn\", \"raise\" or \"ignore\", found None"
    for function in SCANS:
        yield function, {"where": 5}, TypeError, "where: expected a text, found 5"
        yield function, {"batch_size": 0}, ValueError, "batch_size: expected a whole number from 1, found 0"
        yield function, {"batch_size": 2.5}, TypeError, "batch_size: expected a whole number, found 2.5"
        yield function, {"columns": 5}, TypeError, "columns: expected a list of texts, found 5"
        yield function, {"columns": ["pb", 5]}, TypeError, "columns: expected a text, found 5"
        yield function, {"splits": 5}, TypeError, "splits: expected a list of texts, found 5"
    yield sgfstream.positions, {"size": "19"}, TypeError, "size: expected a whole number, found '19'"
    yield sgfstream.positions, {"size": 53}, ValueError, "size: expected at most 52, found 53"
    yield sgfstream.positions, {"sample": 2}, ValueError, "sample: expected a number from 0 to 1, found 2"
    yield sgfstream.positions, {"seed": -1}, ValueError, "seed: expected a whole number from 0, found -1"
    yield sgfstream.positions, {"superko": "yes"}, TypeError, "superko: expected True or False, found 'yes'"
    yield sgfstream.positions, {"share": (2, 2)}, ValueError, "share: expected at most 1, found 2"
    yield sgfstream.positions, {"share": 3}, TypeError, "share: expected a number and a count, such as (0, 2), found 3"
    yield sgfstream.lines, {"legality": 1}, TypeError, "legality: expected True or False, found 1"
    yield sgfstream.plan, {"split_bytes": -1}, ValueError, "split_bytes: expected a whole number from 0, found -1"
    yield sgfstream.check, {"level": "bad"}, ValueError, "level: expected \"note\", \"warning\" or \"error\", found 'bad'"
    yield sgfstream.check, {"allow": 3}, TypeError, "allow: expected a list of texts, found 3"
    yield sgfstream.fix, {"guess": None}, TypeError, "guess: expected True or False, found None"


@pytest.mark.parametrize("function, options, kind, message", list(calls()))
def test_errors_name_the_argument(function, options, kind, message):
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        function(GAME, **options)


def test_numbers_are_values_of_a_property():
    game = sgfstream.Game()
    game.root["KM"] = 6.5
    game.root["HA"] = 2
    game.root["AB"] = ("aa", "bb")
    game.root["XX"] = [1, "two", 3.5]
    assert game.to_bytes() == b"(;KM[6.5]HA[2]AB[aa][bb]XX[1][two][3.5])"
    for wrong in (None, {"a": 1}.items(), True, [None], b"text"):
        with pytest.raises(TypeError, match="expected a text, a number or a list of them, found"):
            game.root["KM"] = wrong


def test_a_game_is_a_sequence_of_nodes():
    game = sgfstream.Game.parse(GAME)
    assert list(game) == game.nodes() and [node.get("W") for node in game] == [None, None, "bb", "cc"]
    assert game[0] == game.root and game[-1]["W"] == "cc" and game[1]["B"] == "aa"
    for number in (4, -5, 10**6):
        with pytest.raises(IndexError, match=f"no node {number}: the game has 4 nodes"):
            game[number]


@pytest.mark.parametrize(
    "table, columns", [("moves", ["move", "color"]), ("comments", ["text"]), ("lines", ["moves", "winner"]), ("positions", ["stones", "ply"])]
)
def test_every_table_has_columns(table, columns):
    function = getattr(sgfstream, table)
    whole = function(CORPUS).to_arrow()
    some = function(CORPUS, columns=columns)
    assert some.columns == ["key", *columns] and some.to_arrow() == whole.select(["key", *columns])
    assert some.count() == whole.num_rows and function(CORPUS, columns=", ".join(columns)).to_arrow() == some.to_arrow()
    dataset = some.to_dataset()
    assert dataset.schema.names == ["key", *columns] and dataset.to_table(columns=columns[:1]) == whole.select(columns[:1])
    with pytest.raises(ValueError, match="unknown column `nothing`; the table has "):
        function(CORPUS, columns=["nothing"])


def test_pandas_and_numpy_are_told_what_to_use():
    scan = sgfstream.scan(CORPUS, columns=["pb", "moves"])
    with pytest.raises(TypeError, match="use scan.to_pandas()"):
        pandas.DataFrame(scan)
    assert scan.to_pandas().shape == (13, 3)


def test_a_scan_shows_itself():
    scan = sgfstream.scan(CORPUS, columns=["pb", "moves"], where="moves < 5")
    assert repr(scan) == f"<sgfstream.Scan of games of {CORPUS}: 3 columns, where moves < 5>"
    assert repr(sgfstream.moves([b"(;)", b"(;)", CORPUS])).startswith("<sgfstream.Scan of moves of <bytes> and 2 more: ")
    assert repr(sgfstream.moves(splits=sgfstream.plan(CORPUS))).startswith("<sgfstream.Scan of moves of 1 splits: ")
    html = scan._repr_html_()
    assert "&lt;sgfstream.Scan of games" in html and "<td>moves</td><td>int64</td>" in html
    assert scan.head(2) == scan.to_arrow().slice(0, 2) and scan.head(100) == scan.to_arrow()


def test_texts_of_games_are_told_from_names(tmp_path):
    with pytest.raises(FileNotFoundError, match="for the text of a game, pass bytes, or use Game.parse"):
        sgfstream.games("(;GM[1];B[aa])")
    for returned, found in ((None, "NoneType"), (bytearray(b"(;)"), "bytearray")):
        source = type("Source", (), {"read": lambda self, size, returned=returned: returned})()
        with pytest.raises(TypeError, match=f"`read` returned {found}$"):
            sgfstream.scan(source)
    with open(__file__) as text, pytest.raises(TypeError, match='`read` returned str; open it with "rb"'):
        sgfstream.scan(text)


def test_one_missing_file_of_several_is_skipped(tmp_path):
    missing = str(tmp_path / "gone.sgf")
    scan = sgfstream.scan([CORPUS, missing], columns=["pb"])
    with pytest.warns(RuntimeWarning, match="gone.sgf: no such file or directory"):
        assert pyarrow.table(scan).num_rows == 13
    assert [problem.code for problem in scan.problems] == ["not-found"]
    with pytest.raises(OSError, match="gone.sgf"):
        pyarrow.table(sgfstream.scan([CORPUS, missing], errors="raise"))
    for inputs in (missing, [missing, missing]):
        with pytest.raises(FileNotFoundError, match="gone.sgf"):
            sgfstream.scan(inputs)


def test_urls_are_inputs(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    for number in range(3):
        (tmp_path / f"{number}.sgf").write_bytes(GAME.replace(b"Ada", b"Ada%d" % number))
    system = fsspec.filesystem("memory")
    system.put(str(tmp_path), "/feel", recursive=True)
    url = "memory://feel/*.sgf"
    scan = sgfstream.scan(url, columns=["pb", "source"])
    assert scan.to_arrow()["pb"].to_pylist() == ["Ada0", "Ada1", "Ada2"]
    assert scan.to_arrow()["source"].to_pylist() == [f"memory:///feel/{number}.sgf" for number in range(3)]
    assert sgfstream.scan([url, GAME]).count() == 4 and len(list(sgfstream.games(url))) == 3
    assert sgfstream.moves(url, storage_options={"skip_instance_cache": True}).count() == 6
    for opened in (fsspec.open("memory://feel/1.sgf"), fsspec.open_files(url)):
        assert sgfstream.scan(opened, columns=["pb"]).to_arrow()["pb"].to_pylist()[-1] in ("Ada1", "Ada2")
    assert sgfstream.fix("memory://feel/0.sgf").data == (tmp_path / "0.sgf").read_bytes()
    with pytest.raises(FileNotFoundError, match="no file matches"):
        sgfstream.scan("memory://feel/*.zip")


INTERRUPTED = """
import signal, sys, threading, time, os, pyarrow, sgfstream
name = sys.argv[2]
def press():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()
call = {
    "count": lambda: sgfstream.moves([name] * 400).count(),
    "to_arrow": lambda: sgfstream.moves([name] * 400).to_arrow(),
    "to_pandas": lambda: sgfstream.moves([name] * 400).to_pandas(),
    "to_polars": lambda: sgfstream.moves([name] * 400).to_polars(),
    "loop": lambda: [len(batch) for batch in sgfstream.moves([name] * 400)],
    "games": lambda: [len(game) for game in sgfstream.games([name] * 400)],
    "plan": lambda: sgfstream.plan([name] * 400, split_bytes=1 << 20),
    "table": lambda: pyarrow.table(sgfstream.moves([name] * 400)),
}[sys.argv[1]]
try:
    call()
    print("no interrupt")
except OSError:
    print("the error of a library")
except KeyboardInterrupt:
    print("interrupted")
try:
    for _ in range(20):
        time.sleep(0.01)
except KeyboardInterrupt:
    print("again")
"""


@pytest.mark.parametrize("call", ["count", "to_arrow", "to_pandas", "to_polars", "loop", "games", "plan"])
def test_ctrl_c_is_a_keyboard_interrupt(call, tmp_path):
    path = tmp_path / "games.sgf"
    path.write_bytes(collection(2000) * 8)
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, call, str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")
    assert time.monotonic() - began < 20


def test_a_reader_of_games_holds_few(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_bytes(collection(1000))
    program = f"""
import re, sgfstream
def resident():
    with open("/proc/self/status") as file:
        return int(re.search(r"VmRSS:\\s+(\\d+)", file.read())[1]) << 10
warm = [next(sgfstream.games({str(path)!r})) for _ in range(3)]
before = resident()
readers = [sgfstream.games({str(path)!r}, threads=1) for _ in range(50)]
games = [next(reader) for reader in readers]
print((resident() - before) // len(readers))
"""
    if not pathlib.Path("/proc/self/status").exists():
        pytest.skip("no /proc")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 1_200_000
