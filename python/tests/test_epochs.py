"""Passes over positions: epochs differ, readers share, a pass resumes, and workers may be made in any way."""

import io
import itertools
import os
import pathlib
import pickle
import random
import re
import subprocess
import sys
import tarfile
import warnings

import numpy
import pytest

import sgfstream
from sgfstream import training
from conftest import ROOT, collection

CORPUS = [str(path) for path in sorted((ROOT / "corpus").glob("go-*.sgf"))]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """A folder of files, each of which is a part."""
    folder = tmp_path_factory.mktemp("epochs") / "games"
    folder.mkdir()
    for number in range(24):
        games = collection(10, seed=number).replace(b"[black ", b"[black %d-" % number)
        (folder / f"{number:02}.sgf").write_bytes(games + b" " * (64 << 10))
    return str(folder)


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """An archive that cannot be divided."""
    path = tmp_path_factory.mktemp("epochs") / "games.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for number in range(40):
            data = collection(2, seed=number)
            about = tarfile.TarInfo(f"{number}.sgf")
            about.size = len(data)
            archive.addfile(about, io.BytesIO(data))
    return str(path)


def rows(found):
    parts = list(found)
    return {name: numpy.concatenate([part[name] for part in parts]) for name in parts[0]} if parts else {"key": [], "ply": []}


def places(found):
    return list(zip(map(int, found["key"]), map(int, found["ply"])))


def turns(found):
    return dict(zip(places(found), found["symmetry"].tolist()))


def test_epochs_differ_in_orientation_sample_and_order(archive):
    def read(epoch, **options):
        return rows(training.batches(archive, epoch=epoch, seed=3, **options))

    passes = [read(epoch, sample=1, per_game=4) for epoch in range(2)]
    assert set(places(passes[0])) != set(places(passes[1]))
    first, second = read(0, sample=0.05), read(1, sample=0.05)
    assert 0.5 < len(places(first)) / len(places(second)) < 2 and len(set(places(first)) & set(places(second))) < 0.2 * len(places(first))
    for options in ({}, {"boards": 2}):
        assert turns(read(1, sample=0.05, **options)) == turns(read(1, sample=0.05, threads=1, **options))
    first, second = read(0, shuffle=500), read(1, shuffle=500)
    assert sorted(places(first)) == sorted(places(second)) and places(first) != places(second)
    assert places(read(0)) == places(read(1))


def test_eight_epochs_have_every_orientation(archive):
    seen = [turns(rows(training.batches(archive, epoch=epoch, seed=1, where="pb ~ 'black [01]-'"))) for epoch in range(16)]
    assert len(seen[0]) > 700
    for place in seen[0]:
        for era in (seen[:8], seen[8:]):
            assert sorted(each[place] for each in era) == list(range(8))
    # The orientations of the next eight epochs come in another order.
    assert sum(seen[0][place] != seen[8][place] for place in seen[0]) > len(seen[0]) / 2


def test_a_shuffle_reaches_over_the_archive(archive):
    order = {int(row["key"]): at for at, row in enumerate(sgfstream.scan(archive, columns=["source"]).to_arrow().to_pylist())}
    for epoch in range(2):
        batch = next(training.batches(archive, shuffle=200, batch_size=200, epoch=epoch, per_game=2))
        games = sorted({order[int(key)] for key in batch["key"]})
        assert games[0] < 60 and games[-1] > 180


@pytest.mark.parametrize("ranks, workers", [(1, 4), (2, 2), (3, 1)])
@pytest.mark.parametrize("kind", ["archive", "packed", "bytes"])
def test_readers_share_the_positions(kind, ranks, workers, archive, packed):
    inputs = {"archive": archive, "packed": packed, "bytes": collection(30, seed=1)}[kind]
    for options in ({}, {"shuffle": 300, "epoch": 3}):
        every = sorted(places(rows(training.batches(inputs, **options))))
        parts = [
            places(rows(training.batches(inputs, worker=(worker, workers), rank=(rank, ranks), **options)))
            for rank in range(ranks)
            for worker in range(workers)
        ]
        assert sorted(itertools.chain(*parts)) == every and len(set(every)) == len(every)
        assert all(len(part) > len(every) / ranks / workers / 4 for part in parts)


def test_a_reader_without_positions_warns():
    one = b"(;GM[1]SZ[9];B[aa])(;GM[1]SZ[9];B[bb])"
    with pytest.warns(RuntimeWarning, match="reader . of 3 has no positions"):
        parts = [list(training.batches(one, size=9, worker=(number, 3))) for number in range(3)]
    assert sum(map(len, parts)) <= 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(training.batches(one, size=9))) == 1
        assert not list(training.batches(one, size=9, where="pb = 'x'"))


@pytest.mark.parametrize("options", [{}, {"shuffle": 700}, {"shuffle": 64, "per_game": 9, "boards": 3, "packed": True}, {"worker": (1, 2), "shuffle": 300}])
def test_a_pass_resumes_where_it_was(options, archive):
    options = {"batch_size": 50, "seed": 2, "epoch": 4, "sample": 0.2, **options}
    every = list(training.batches(archive, **options))
    assert len(every) > 20
    for taken in (0, 1, 7, len(every) // 2, len(every) - 1, len(every)):
        first = training.batches(archive, **options)
        for _ in range(taken):
            next(first)
        state = pickle.loads(pickle.dumps(first.state_dict()))
        assert all(isinstance(value, int) for value in state.values())
        # The state brings its epoch.
        second = training.batches(archive, **{**options, "epoch": 0})
        second.load_state_dict(state)
        assert second.epoch == 4
        rest = list(second)
        assert len(rest) == len(every) - taken
        for one, other in zip(every[taken:], rest):
            assert all(numpy.array_equal(one[name], other[name], equal_nan=one[name].dtype.kind == "f") for name in one)
    with pytest.raises(ValueError, match="the state belongs to other options: seed, batch_size"):
        training.batches(archive, **{**options, "seed": 9, "batch_size": 3}).load_state_dict(state)


def test_resuming_reads_only_the_rest(archive, monkeypatch):
    from sgfstream import _epoch

    read = []
    positions = _epoch.positions
    monkeypatch.setattr(_epoch, "positions", lambda inputs, *, splits, **options: read.append(splits) or positions(inputs, splits=splits, **options))
    first = training.batches(archive, batch_size=100)
    batches = [next(first) for _ in range(40)]
    state = first.state_dict()
    second = training.batches(archive, batch_size=100)
    second.load_state_dict(state)
    read.clear()
    again, following = next(second), next(first)
    assert places(again) == places(following) and len(batches) == 40
    assert state["group"] > 2 and 1 <= len(read) <= 3


def test_resuming_makes_no_arrays_of_earlier_positions(archive, monkeypatch):
    from sgfstream import _epoch

    first = training.batches(archive, batch_size=100, shuffle=300)
    read = [next(first) for _ in range(25)]
    state = first.state_dict()
    rest = places(rows(first))
    made = []
    arrays_of = _epoch.arrays_of
    monkeypatch.setattr(_epoch, "arrays_of", lambda table: made.append(len(table["key"])) or arrays_of(table))
    second = training.batches(archive, batch_size=100, shuffle=300)
    second.load_state_dict(state)
    assert places(rows(second)) == rest
    assert state["group"] == 0 and state["row"] > 2_000
    assert sum(made) == sum(len(batch["key"]) for batch in read) + len(rest) - state["row"]


WRONG = [
    ({"batch_size": 0}, "batch_size must be at least 1, not 0"),
    ({"batch_size": -1}, "batch_size must be at least 1, not -1"),
    ({"batch_size": 2.5}, "batch_size must be a whole number, not 2.5"),
    ({"sample": 1.5}, "sample must be 0 to 1, not 1.5"),
    ({"sample": -1}, "sample must be 0 to 1, not -1"),
    ({"sample": float("nan")}, "sample must be 0 to 1, not nan"),
    ({"boards": 0}, "boards must be at least 1, not 0"),
    ({"boards": 2**20}, "boards must be at most 256, not 1048576"),
    ({"size": 53}, "size must be at most 52, not 53"),
    ({"every": 0}, "every must be at least 1, not 0"),
    ({"per_game": 0}, "per_game must be at least 1, not 0"),
    ({"shuffle": -1}, "shuffle must be at least 0, not -1"),
    ({"threads": -1}, "threads must be at least 0, not -1"),
    ({"epoch": -1}, "epoch must be at least 0, not -1"),
    ({"dan": "x"}, "dan must be 'amateur' or 'pro', not 'x'"),
    ({"where": "pbx = 1"}, "pbx"),
    ({"charset": "nonsense"}, "charset"),
    ({"errors": "x"}, "errors"),
    ({"worker": (2, 2)}, r"worker must be a number from 0 and a larger count, such as \(0, 2\), not \(2, 2\)"),
    ({"worker": (-1, 2)}, "worker must be"),
    ({"rank": (1, 1)}, "rank must be"),
]


@pytest.mark.parametrize("options, message", WRONG)
def test_arguments_are_checked_before_anything_is_read(options, message, monkeypatch):
    from sgfstream import _epoch

    monkeypatch.setattr(_epoch, "_plan", lambda *_: pytest.fail("the inputs were read"))
    with pytest.raises((ValueError, TypeError), match=message):
        training.batches(CORPUS, **options)


def test_a_missing_input_is_named_before_the_first_batch():
    with pytest.raises(FileNotFoundError, match="missing.zip"):
        training.batches("/missing.zip")
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        training.batches(CORPUS, foo=1)


@pytest.mark.parametrize("boards, expected", [(1, (0.1, 7, "moves > 3")), (2, (1.0, 1, "moves > 3"))])
def test_the_reader_selects(boards, expected, archive, monkeypatch):
    from sgfstream import _epoch

    read = []
    positions = _epoch.positions
    monkeypatch.setattr(_epoch, "positions", lambda *inputs, **options: read.append(options) or positions(*inputs, **options))
    found = rows(training.batches(archive, sample=0.1, every=7, where="moves > 3", boards=boards))
    assert 20 < len(found["key"]) < 400 and set(found["ply"] % 7) == {1}
    assert {(each.get("sample", 1.0), each.get("every", 1), each["where"]) for each in read} == {expected}


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


def tensors(found):
    return rows({name: value.numpy() for name, value in batch.items()} for batch in found)


@pytest.mark.parametrize("context", ["fork", "spawn", "forkserver"])
def test_workers_start_in_any_way(context, archive, torch):
    options = {"sample": 0.1, "shuffle": 200, "seed": 7}
    expected = turns(rows(training.batches(archive, **options)))
    loader = training.loader(archive, batch_size=64, workers=2, multiprocessing_context=context, **options)
    found = list(loader)
    assert torch.is_tensor(found[0]["planes"]) and found[0]["planes"].shape == (64, 19, 19, 19)
    assert turns(tensors(found)) == expected
    # New workers go on with the next epoch.
    assert turns(tensors(loader)) == turns(rows(training.batches(archive, epoch=1, **options)))


@pytest.mark.parametrize("workers", [0, 2])
def test_each_pass_of_a_loader_is_an_epoch(workers, archive, torch):
    options = {"sample": 0.05, "seed": 1, "shuffle": 100}
    expected = [turns(rows(training.batches(archive, epoch=epoch, **options))) for epoch in range(3)]
    assert expected[0] != expected[1] != expected[2]
    for is_persistent in {False, workers > 0}:
        loader = training.loader(archive, batch_size=100, workers=workers, persistent_workers=is_persistent, **options)
        assert [turns(tensors(loader)) for _ in range(3)] == expected
        loader.dataset.set_epoch(1)
        assert [turns(tensors(loader)) for _ in range(2)] == expected[1:]


def test_two_processes_with_two_workers_each_read_each_position_once(archive, packed, torch, monkeypatch):
    for inputs in (archive, packed):
        every = sorted(places(rows(training.batches(inputs, shuffle=100))))
        found = []
        for rank in range(2):
            monkeypatch.setenv("RANK", str(rank))
            monkeypatch.setenv("WORLD_SIZE", "2")
            loader = training.loader(inputs, batch_size=100, workers=2, shuffle=100)
            monkeypatch.delenv("RANK")
            monkeypatch.delenv("WORLD_SIZE")
            found.append(places(tensors(loader)))
        assert sorted(found[0] + found[1]) == every and min(map(len, found)) > len(every) / 4


# Number of games of the archive that is read in full for three epochs. A million games took 8 minutes on two cores.
GAMES = int(os.environ.get("SGF_GAMES", 3_000))


def many_games(folder):
    """Writes different games of 4 to 12 moves into nine files and an archive that cannot be divided. Returns the number of moves."""
    draw = random.Random(1)
    points = [x + y for x, y in itertools.product("abcdefghijklmnopqrs", repeat=2)]
    lengths = [min(4 + int(draw.expovariate(0.8)), 12) for _ in range(GAMES)]

    def text(start, end):
        found = []
        for number in range(start, end):
            moves = "".join(f";{'BW'[ply % 2]}[{point}]" for ply, point in enumerate(draw.sample(points, lengths[number])))
            found.append(f"(;GM[1]SZ[19]PB[{number}]{moves})\n")
        return "".join(found).encode()

    tenth = GAMES // 10
    for start in range(0, 9 * tenth, tenth):
        (folder / f"{start}.sgf").write_bytes(text(start, start + tenth))
    with tarfile.open(folder / "rest.tar.gz", "w:gz") as archive:
        for start in range(9 * tenth, GAMES, 500):
            data = text(start, min(start + 500, GAMES))
            about = tarfile.TarInfo(f"{start}.sgf")
            about.size = len(data)
            archive.addfile(about, io.BytesIO(data))
    return sum(lengths)


def hashes(found):
    """Returns a number of 64 bits for each position, in the order of the batches."""
    parts = [batch["key"].numpy().astype(numpy.uint64) + batch["ply"].numpy().astype(numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15) for batch in found]
    return numpy.concatenate(parts)


def test_three_epochs_of_two_ranks_have_each_position_once(torch, tmp_path):
    moves = many_games(tmp_path)
    loaders = [training.loader(str(tmp_path), batch_size=1024, workers=2, rank=(rank, 2), packed=True, shuffle=20_000) for rank in range(2)]
    first = [numpy.empty(0)] * 2
    for _ in range(3):
        found = [hashes(loader) for loader in loaders]
        every = numpy.sort(numpy.concatenate(found))
        assert len(every) == moves and (every[1:] != every[:-1]).all()
        assert min(map(len, found)) > moves / 4
        assert not any(numpy.array_equal(before[:1000], now[:1000]) for before, now in zip(first, found))
        first = found


@pytest.mark.parametrize("workers, shuffle", [(0, 300), (2, 0), (2, 300)])
def test_a_loader_resumes(workers, shuffle, archive, torch):
    pytest.importorskip("torchdata")
    options = {"batch_size": 50, "workers": workers, "shuffle": shuffle, "sample": 0.2, "resumable": True}
    loader = training.loader(archive, **options)
    list(loader)
    every = list(loader)
    loader = training.loader(archive, **options)
    list(loader)
    passing = iter(loader)
    for _ in range(9):
        next(passing)
    state = pickle.loads(pickle.dumps(loader.state_dict()))
    again = training.loader(archive, **options)
    again.load_state_dict(state)
    rest = list(again)
    assert len(rest) == len(every) - 9 > 10
    for one, other in zip(every[9:], rest):
        assert all(torch.equal(one[name], other[name]) for name in ("planes", "policy", "key", "ply", "symmetry"))
    # The next pass is the next epoch.
    assert turns(tensors(again)) == turns(rows(training.batches(archive, epoch=2, shuffle=shuffle, sample=0.2)))


def test_wrong_options_of_a_loader(torch):
    for options, message in [({"workers": -1}, "workers must be a whole number from 0"), ({"rank": (2, 2)}, "rank must be"), ({"sample": 2}, "sample must be")]:
        with pytest.raises(ValueError, match=message):
            training.loader(CORPUS, **options)
    with pytest.raises(TypeError, match="worker"):
        training.loader(CORPUS, worker=(0, 2))


def test_bytes_and_files_have_the_same_epochs(tmp_path):
    data = collection(20, seed=2)
    path = pathlib.Path(tmp_path / "a.sgf")
    path.write_bytes(data)
    for inputs in (data, io.BytesIO(data), [data, str(path)], iter([bytearray(data)])):
        found = training.batches(inputs, batch_size=100)
        first = next(found)
        assert len(first["key"]) == 100 and found.state_dict()["parts"] == 1


def test_the_example_of_torch_trains_and_continues(archive, torch, tmp_path):
    pytest.importorskip("torchdata")
    saved = tmp_path / "saved.pt"
    command = [sys.executable, str(ROOT / "python/examples/train_torch.py"), archive, "--minutes", "0.02", "--positions", "200", "--workers", "0"]
    counts = []
    for _ in range(2):
        done = subprocess.run([*command, "--checkpoint", str(saved)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        last = done.stdout.splitlines()[-1]
        counts.append(int(re.search(r"([\d,]+) positions", last)[1].replace(",", "")))
    assert 0 < counts[0] < counts[1] and saved.exists()
