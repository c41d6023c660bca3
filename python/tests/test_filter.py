"""Games are written as `sgfq filter` writes them, byte for byte."""

import io
import os
import signal
import subprocess
import sys
import time

import pytest

import sgfstream
from conftest import CORPUS, NAMES, sgfq

EXPRESSIONS = ["winner = 'B' AND moves > 50", "game % 3 = 0", "any('C') LIKE '%move 7%' OR prop('KM') = '0'", "moves < 0"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_bytes_are_those_of_the_command(inputs, monkeypatch, tmp_path, name, expression):
    monkeypatch.chdir(inputs)
    chosen, others = tmp_path / "chosen.sgf", tmp_path / "others.sgf"
    command = [sgfq(), "filter", "--where", expression, name, "-o", chosen, "--rejects", others]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    out, rejects = tmp_path / "out.sgf", io.BytesIO()
    filtered = sgfstream.filter(name, expression, out, rejects=rejects, threads=3)
    assert out.read_bytes() == chosen.read_bytes() and rejects.getvalue() == others.read_bytes()
    assert len(rejects.getvalue()) > 0
    assert filtered.games == sgfstream.filter(str(chosen), "TRUE", os.devnull).games or name != "large.sgf"
    assert [problem.code for problem in filtered.problems] == [problem.code for problem in exhausted(sgfstream.problems(name))]
    inverted = tmp_path / "inverted.sgf"
    turned = sgfstream.filter(name, expression, str(inverted), rejects=out, invert=True, threads=1)
    assert inverted.read_bytes() == others.read_bytes() and out.read_bytes() == chosen.read_bytes()
    assert (turned.games, turned.rejected) == (filtered.rejected, filtered.games)


def exhausted(scan):
    for _ in scan:
        pass
    return scan.problems


class Raw(io.RawIOBase):
    """Takes at most seven bytes at once, as a pipe may."""

    def __init__(self):
        self.taken = b""

    def writable(self):
        return True

    def write(self, data):
        self.taken += bytes(data[:7])
        return min(len(data), 7)


def test_outputs_are_paths_and_file_objects(tmp_path):
    games = b"(;PB[Ada];B[pd])(;PB[Bob];B[dd]"
    expected = b"(;PB[Bob];B[dd])\n"
    raw = Raw()
    assert sgfstream.filter(games, "pb = 'Bob'", raw).games == 1
    assert raw.taken == expected
    with open(tmp_path / "object.sgf", "wb") as file:
        sgfstream.filter(games, "pb = 'Bob'", file)
    assert (tmp_path / "object.sgf").read_bytes() == expected
    link = tmp_path / "link.sgf"
    link.symlink_to("linked.sgf")
    (tmp_path / "linked.sgf").touch(mode=0o640)
    try:
        os.setxattr(tmp_path / "linked.sgf", "user.tag", b"mine")
        attributes = ["user.tag"]
    except (AttributeError, OSError):
        attributes = []
    sgfstream.filter(games, "pb = 'Bob'", link)
    assert link.is_symlink() and (tmp_path / "linked.sgf").read_bytes() == expected
    assert (tmp_path / "linked.sgf").stat().st_mode & 0o777 == 0o640
    assert not attributes or os.listxattr(tmp_path / "linked.sgf") == attributes
    sgfstream.filter(games, "TRUE", tmp_path / "new.sgf")
    (tmp_path / "touched").touch()
    assert (tmp_path / "new.sgf").stat().st_mode == (tmp_path / "touched").stat().st_mode
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.sgf", "linked.sgf", "new.sgf", "object.sgf", "touched"]
    for wrong in [3, io.StringIO()]:
        with pytest.raises(TypeError):
            sgfstream.filter(games, "TRUE", wrong)


def test_an_output_that_fails_is_not_replaced(tmp_path):
    old, bad = tmp_path / "old.sgf", tmp_path / "bad.sgf.gz"
    old.write_bytes(b"old")
    bad.write_bytes(b"\x1f\x8b\x08\x00damage")
    good = CORPUS / "go-ff4.sgf"
    with pytest.raises(OSError, match="bad.sgf.gz: expected"):
        sgfstream.filter([good, bad], "TRUE", old, errors="raise")
    with pytest.raises(ValueError, match="expected an expression, found the end"):
        sgfstream.filter(good, "moves >", old)
    with pytest.raises(ValueError, match="output would overwrite an input"):
        sgfstream.filter(tmp_path, "TRUE", old)
    with pytest.raises(FileNotFoundError, match="no/out.sgf: No such file"):
        sgfstream.filter(good, "TRUE", "no/out.sgf")
    assert old.read_bytes() == b"old" and len(os.listdir(tmp_path)) == 2
    done = sgfstream.filter([good, bad], "TRUE", old)
    assert (done.games, [problem.code for problem in done.problems]) == (1, ["truncated"])
    assert old.read_bytes().startswith(b"(;")


def test_long_texts_are_whole_and_long_games_are_problems():
    text = 5 << 20
    game = b"(;PB[" + b"x" * text + b"];B[aa])"
    assert sgfstream.filter(game, f"length(pb) = {text}", io.BytesIO()).games == 1
    with pytest.warns(RuntimeWarning, match="#1: the game is longer than 32 MiB"):
        done = sgfstream.filter(b"(;PB[" + b"x" * (65 << 20) + b"])(;PB[y])", "length(pb) > 0", io.BytesIO())
    assert (done.games, [problem.code for problem in done.problems]) == (1, ["long-game"])


INTERRUPTED = """
import sys, sgfstream
try:
    print("begun", flush=True)
    sgfstream.filter([sys.argv[1]] * 500, "moves > 3", sys.argv[2])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_ends_a_filter(inputs, tmp_path):
    out = tmp_path / "out.sgf"
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(inputs / "large.sgf"), str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    found, err = process.communicate(timeout=60)
    assert (found, list(tmp_path.iterdir())) == ("interrupted\n", []), err
