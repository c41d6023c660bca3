"""Splits are exact: one after another, they have the rows of the inputs, in every reader."""

import pickle
import subprocess
import sys

import pyarrow
import pytest

import sgfstream
from test_tables import READERS, assert_same


@pytest.mark.parametrize("name", ["large.sgf", "members.zip", "corpus"])
@pytest.mark.parametrize("split_bytes", [100_003, 64 << 20])
def test_splits_give_what_the_inputs_give(inputs, monkeypatch, name, split_bytes):
    monkeypatch.chdir(inputs)
    splits = sgfstream.plan(name, split_bytes=split_bytes)
    assert all(isinstance(split, str) for split in splits)
    # A part of a file begins in a block of its own.
    assert len(splits) > 1 if name == "large.sgf" and split_bytes == 100_003 else len(splits) > 0
    for table, read in READERS.items():
        whole = pyarrow.table(read(name))
        assert_same(pyarrow.table(read(splits=splits)), whole)
        if table != "comments":
            parts = [pyarrow.table(read(splits=[split], threads=1)) for split in splits]
            assert_same(pyarrow.concat_tables(parts), whole)
    arguments = {"where": "winner = 'B'", "sample": 0.05, "seed": 9}
    assert_same(pyarrow.table(sgfstream.positions(splits=splits, **arguments)), pyarrow.table(sgfstream.positions(name, **arguments)))


READ = "import sys, pickle, pyarrow; sys.stdout.buffer.write(pickle.dumps(pyarrow.table(pickle.load(sys.stdin.buffer))))"


def test_another_process_reads_a_split(inputs):
    path = inputs / "large.sgf"
    splits = sgfstream.plan(path, split_bytes=1 << 20)
    scans = [sgfstream.scan(splits=[split], columns=["game", "byte_offset", "errors", "pb"]) for split in splits[:3]]
    tables = [
        pickle.loads(subprocess.run([sys.executable, "-c", READ], input=pickle.dumps(scan), capture_output=True, check=True).stdout)
        for scan in scans
    ]
    found = pyarrow.concat_tables(tables)
    expected = pyarrow.table(sgfstream.scan(path, columns=["game", "byte_offset", "errors", "pb"]))
    assert_same(found, expected.slice(0, found.num_rows))
    assert found["game"].to_pylist() == list(range(1, found.num_rows + 1))


def test_what_cannot_be_split_is_refused(tmp_path):
    with pytest.raises(ValueError, match="a stream cannot be split"):
        sgfstream.plan(b"(;GM[1])")
    with pytest.raises(ValueError, match="a split has four lines"):
        sgfstream.scan(splits=["nonsense"])
    with pytest.raises(ValueError, match="pass inputs or splits, not both"):
        sgfstream.scan(b"(;)", splits=[])
    assert pyarrow.table(sgfstream.scan(splits=[])).num_rows == 0
    path = tmp_path / "gone.sgf"
    path.write_bytes(b"(;GM[1])")
    splits = sgfstream.plan(path)
    path.unlink()
    scan = sgfstream.scan(splits=splits)
    assert pyarrow.table(scan).num_rows == 0
    assert [problem.code for problem in scan.problems] == ["not-found"]
