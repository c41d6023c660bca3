"""What a scan takes, how it is read, and how its reading ends."""

import gc
import io
import warnings
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import duckdb
import numpy
import polars
import pyarrow
import pytest

import sgfstream

GAME = b"(;GM[1]SZ[9]PB[Ada]RE[B+R];B[ee];W[cc])"


def rows(inputs, columns=("source", "member", "pb", "moves"), **arguments):
    table = pyarrow.table(sgfstream.scan(inputs, columns=list(columns), **arguments))
    return [tuple(row.values())[1:] for row in table.to_pylist()]


def test_inputs_are_texts_paths_bytes_and_file_objects(tmp_path):
    path = tmp_path / "one.sgf"
    path.write_bytes(GAME)
    expected = (str(path), None, "Ada", 2)
    assert rows(str(path)) == [expected]
    assert rows(path) == [expected]
    assert rows([path, str(path) + "#1"]) == [expected, expected]
    assert rows(str(tmp_path / "*.sgf")) == [expected]
    assert rows(GAME) == [("<bytes>", None, "Ada", 2)]
    assert rows([GAME, bytearray(GAME), memoryview(GAME)]) == [
        ("<bytes>", None, "Ada", 2), ("<bytes> (2)", None, "Ada", 2), ("<bytes> (3)", None, "Ada", 2)]
    with open(path, "rb") as file:
        assert rows(file) == [expected]
    assert rows(io.BytesIO(GAME)) == [("<file>", None, "Ada", 2)]
    assert rows(path for path in [path]) == [expected]


def test_names_may_have_any_characters(tmp_path):
    for name in ["a!b#1.sgf", "[x].sgf", "囲碁.sgf", os.fsdecode(b"\xff.sgf")]:
        path = tmp_path / name
        path.write_bytes(GAME)
        assert len(rows(path)) == 1
        assert len(rows(pickle.loads(pickle.dumps(path)))) == 1


def test_archives_may_be_bytes_and_file_objects(inputs):
    packed = inputs / "members.zip"
    by_path, by_bytes = rows(packed), rows(packed.read_bytes())
    assert len(by_path) == 1400 and [row[1:] for row in by_path] == [row[1:] for row in by_bytes]
    with open(packed, "rb") as file:
        assert rows(file) == by_path


def test_a_file_object_of_fsspec_has_its_path():
    fsspec = pytest.importorskip("fsspec")
    with fsspec.filesystem("memory").open("/games/one.sgf", "wb") as file:
        file.write(GAME)
    with fsspec.open("memory://games/one.sgf", "rb") as file:
        assert rows(file) == [("/games/one.sgf", None, "Ada", 2)]


def test_errors_say_what_was_expected(tmp_path):
    with pytest.raises(FileNotFoundError, match="no/such.sgf: no such file or directory"):
        sgfstream.scan("no/such.sgf")
    with pytest.raises(ValueError, match="did you mean `winner`"):
        sgfstream.scan(GAME, columns=["winer"])
    with pytest.raises(ValueError, match="expected an expression, found the end"):
        sgfstream.scan(GAME, where="moves >")
    with pytest.raises(ValueError, match="charset: expected \"auto\", \"detect\" or the name of a charset"):
        sgfstream.scan(GAME, charset="nonsense")
    with pytest.raises(ValueError, match="errors: expected \"warn\", \"raise\" or \"ignore\""):
        sgfstream.scan(GAME, errors="report")
    for wrong in [3, [3], None]:
        with pytest.raises(TypeError, match="expected a path, bytes, a file object or an iterable of them, found"):
            sgfstream.scan(wrong)
    with pytest.raises(TypeError, match="open it with \"rb\""):
        sgfstream.scan(io.StringIO("(;GM[1])"))
    bad = tmp_path / "bad.sgf.gz"
    bad.write_bytes(b"\x1f\x8b\x08\x00damage")
    scan = sgfstream.scan([GAME, bad])
    with pytest.warns(RuntimeWarning, match="1 input was not read, or not to the end: .*bad.sgf.gz: expected"):
        assert pyarrow.table(scan).num_rows == 1
    assert [problem.source for problem in scan.problems] == [str(bad)]
    with pytest.raises(OSError, match="bad.sgf.gz: expected"):
        pyarrow.table(sgfstream.scan([GAME, bad], errors="raise"))


def test_a_charset_is_obeyed():
    game = "(;PB[黑])".encode("gbk")
    assert rows(game, ["pb"], charset="GBK") == [("黑",)]
    assert rows(game, ["pb"], charset="auto") != [("黑",)]


def test_a_charset_is_detected():
    text = "黒番の先手が右上の星に打ち、白は左下の小目に構えた。"
    game = f"(;PB[{text}])".encode("shift_jis")
    assert rows(game, ["pb", "charset_source"]) == [(text, "guessed")]
    assert rows(game, ["pb"], charset="auto") != [(text,)]
    assert next(iter(sgfstream.games(game))).root["PB"] == text


def test_every_library_reads_it(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    scan = sgfstream.scan("large.sgf", columns=["winner", "moves"], where="moves > 20")
    table = pyarrow.table(scan)
    assert table.num_rows > 5_000
    frame = polars.DataFrame(scan)
    assert frame["moves"].to_list() == table["moves"].to_pylist()
    counted = duckdb.sql("SELECT count(*), sum(moves) FROM scan").fetchall()[0]
    assert counted == (table.num_rows, sum(table["moves"].to_pylist()))
    batches = list(pyarrow.RecordBatchReader.from_stream(scan))
    assert sum(batch.num_rows for batch in batches) == table.num_rows and len(batches) > 1
    assert [batch.num_rows for batch in scan] == [batch.num_rows for batch in batches]
    assert pyarrow.schema(scan).names == scan.columns == ["key", "winner", "moves"]


def test_nothing_is_copied(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    # Two consumers of one batch see one address, and so does numpy.
    batch = next(iter(sgfstream.positions("members.zip")))
    stones = batch["stones"].values
    address = stones.buffers()[1].address
    array = stones.to_numpy(zero_copy_only=True)
    assert array.__array_interface__["data"][0] == address
    assert array.reshape(-1, 19, 19).base is not None
    again = pyarrow.array(batch["stones"]).values
    assert again.buffers()[1].address == address
    moves = next(iter(sgfstream.lines("members.zip")))["moves"].values
    assert numpy.from_dlpack(moves).__array_interface__["data"][0] == moves.buffers()[1].address
    # The memory is the library's own: pyarrow has allocated none of it.
    before = pyarrow.total_allocated_bytes()
    batches = [batch for batch in sgfstream.positions("members.zip")]
    assert sum(batch.nbytes for batch in batches) > 10 << 20 and pyarrow.total_allocated_bytes() - before < 1 << 20


def threads_of_this_process():
    return len(os.listdir("/proc/self/task"))


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="the system does not list threads")
def test_a_stream_that_is_left_joins_its_threads(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    before = threads_of_this_process()
    for _ in range(20):
        reader = pyarrow.RecordBatchReader.from_stream(sgfstream.scan("large.sgf", batch_size=100, threads=3))
        reader.read_next_batch()
        assert threads_of_this_process() > before
        del reader
        gc.collect()
        # The system lists a thread for a moment after it was joined.
        for _ in range(200):
            if threads_of_this_process() <= before:
                break
            time.sleep(0.01)
        assert threads_of_this_process() <= before


def test_a_stream_that_no_one_takes_ends(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    capsule = sgfstream.scan("large.sgf").__arrow_c_stream__()
    del capsule


def test_python_goes_on_while_a_scan_is_read(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    pyarrow.table(sgfstream.positions("large.sgf", where="game <= 3000"))
    end = time.perf_counter()
    done.set()
    thread.join()
    within = [at for at in ticks if begin < at < end]
    assert len(within) > 5, f"{len(within)} ticks in {end - begin:.2f} s"


def test_a_scan_pickles(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    for scan in [
        sgfstream.scan("members.zip", columns=["pb", "moves * 2"], where="moves > 5", threads=2),
        sgfstream.scan([GAME, "large.sgf#3", pathlib.Path("large.sgf")], batch_size=10),
        sgfstream.positions("members.zip", size=19, history=3, every=7, sample=0.5, seed=3),
        sgfstream.lines(io.BytesIO(GAME), legality=True),
    ]:
        again = pickle.loads(pickle.dumps(scan))
        assert repr(again) == repr(scan)
        assert pyarrow.table(again).equals(pyarrow.table(scan))


INTERRUPTED = """
import os, signal, sys, threading, time
import pyarrow, polars, sgfstream
kind, path = sys.argv[1:]
def tables():
    while True:
        if kind == "pyarrow": pyarrow.table(sgfstream.positions([path] * 50))
        if kind == "polars": polars.DataFrame(sgfstream.scan([path] * 500))
        if kind == "batches":
            for batch in sgfstream.positions([path] * 50): pass
try:
    print("begun", flush=True)
    tables()
except BaseException as err:
    try:
        time.sleep(1)
    except KeyboardInterrupt:
        pass
    print(type(err).__name__, flush=True)
"""


@pytest.mark.parametrize("kind", ["pyarrow", "polars", "batches"])
def test_ctrl_c_ends_a_reading(inputs, kind):
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, kind, str(inputs / "large.sgf")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert out.strip(), err
    assert time.monotonic() - sent < 20


MEMORY = """
import resource, sys
import pyarrow, sgfstream
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
rows = sum(batch.num_rows for batch in sgfstream.scan(sys.argv[1:], threads=2))
print(rows, (peak() - before) // 1024)
"""


def test_memory_is_bounded(inputs):
    run = lambda times: map(int, subprocess.run(
        [sys.executable, "-c", MEMORY, *[str(inputs / "large.sgf")] * times], capture_output=True, text=True, check=True).stdout.split())
    (rows, once), (more, often) = run(1), run(20)
    assert more == 20 * rows
    assert often < 64, f"{once} MiB for one file, {often} MiB for twenty"


def test_a_stream_warns_of_what_it_could_not_read(tmp_path):
    bad = [tmp_path / f"{number}.sgf.gz" for number in range(7)]
    for path in bad:
        path.write_bytes(b"\x1f\x8b\x08\x00damage")
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    scan = sgfstream.scan([GAME, *bad], columns=["pb"])

    def in_duckdb(scan):
        return duckdb.sql("SELECT count(*) FROM scan").fetchall()[0][0]

    readings = {
        "pyarrow": lambda: pyarrow.table(scan).num_rows,
        "polars": lambda: polars.DataFrame(scan).height,
        "lazy": lambda: scan.lazy().select("pb").collect().height,
        "duckdb": lambda: in_duckdb(scan),
        "count": scan.count,
        "games": lambda: len(list(sgfstream.games([GAME, *bad]))),
    }
    for name, read in readings.items():
        with pytest.warns(RuntimeWarning) as warned:
            assert read() == 1, name
        said = [str(warning.message) for warning in warned if issubclass(warning.category, RuntimeWarning)]
        assert len(said) == 1 and "7 inputs were not read" in said[0] and "2 more" in said[0], (name, said)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pyarrow.table(sgfstream.scan([GAME, *bad], errors="ignore")).num_rows == 1
        with pytest.raises((OSError, pyarrow.ArrowException), match="7 inputs were not read"):
            pyarrow.table(scan)


def test_a_thread_that_is_not_the_callers_warns_too(tmp_path):
    bad = tmp_path / "bad.sgf.gz"
    bad.write_bytes(b"\x1f\x8b\x08\x00damage")
    stream = pyarrow.RecordBatchReader.from_stream(sgfstream.scan([GAME, bad]))
    with pytest.warns(RuntimeWarning, match="bad.sgf.gz"):
        thread = threading.Thread(target=stream.read_all)
        thread.start()
        thread.join()
