"""The inputs that the tests read, and what `sgfq index` makes of them."""

import os
import pathlib
import random
import shutil
import subprocess
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[2]
CORPUS = ROOT / "corpus"

# Real archives, where they are; of the large ones, those that take seconds.
REAL = [pathlib.Path(os.environ["SGF_CORPUS"]) / name for name in (
    "nongo.tar.zst", "go-commented.tar.zst", "joseki.tar.zst", "cjk.tar.zst",
)] if "SGF_CORPUS" in os.environ else []


def sgfq():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    found = [os.environ.get("SGFQ"), target / "release/sgfq", target / "debug/sgfq"]
    for path in found:
        if path and pathlib.Path(path).exists():
            return str(path)
    pytest.skip("sgfq is not built")


def collection(games, seed=0):
    """Games of one file, with setup, variations, faults, comments and text between them."""
    draw = random.Random(seed)
    letters = "abcdefghijklmnopqrs"
    out = []
    for number in range(games):
        moves = "".join(
            f";{'BW'[ply % 2]}[{draw.choice(letters)}{draw.choice(letters)}]" + (f"C[move {ply} é]" if ply % 50 == 7 else "")
            for ply in range(draw.randrange(0, 120))
        )
        head = f"GM[1]FF[4]SZ[19]PB[black {number}]PW[white]KM[{draw.choice(['6.5', '0', 'x'])}]RE[{draw.choice(['B+R', 'W+3.5', '?', '0'])}]"
        setup = "AB[dd][pp]AW[aa:bb]" if number % 7 == 0 else ""
        tail = "(;B[aa])(;B[bb];W[cc])" if number % 11 == 0 else ""
        fault = " stray text )" if number % 13 == 0 else ""
        out.append(f"(;{head}{setup}{moves}{tail}){fault}\n")
    return "".join(out).encode()


@pytest.fixture(scope="session")
def inputs(tmp_path_factory):
    """Inputs of every kind: a large file that is cut into parts, a zip, packed archives, small files."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "large.sgf").write_bytes(collection(8_000))
    with zipfile.ZipFile(folder / "members.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(700):
            archive.writestr(f"game{number}.sgf", collection(2, number))
    shutil.copytree(CORPUS, folder / "corpus")
    for path in REAL:
        os.symlink(path, folder / path.name)
    return folder


NAMES = ["large.sgf", "members.zip", "corpus", *(path.name for path in REAL)]


@pytest.fixture(scope="session", params=NAMES)
def indexed(request, inputs, tmp_path_factory):
    """The name of an input, and the Parquet files that `sgfq index` makes of it."""
    out = tmp_path_factory.mktemp("index")
    tables = {name: out / f"{name}.parquet" for name in ("games", "moves", "comments")}
    command = [sgfq(), "index", request.param, "-o", tables["games"], "--moves", tables["moves"], "--comments", tables["comments"]]
    done = subprocess.run(command, cwd=inputs, capture_output=True, text=True)
    assert done.returncode in (0, 1, 2), done.stderr
    return request.param, tables
