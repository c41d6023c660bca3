"""Arrays for training are what boards of the games are."""

import random
import re
import subprocess
import sys

import numpy
import pyarrow
import pytest

import sgfstream
from sgfstream import training
from conftest import REAL, ROOT, collection

CORPUS = str(ROOT / "corpus")


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    path = tmp_path_factory.mktemp("training") / "games.sgf"
    path.write_bytes(collection(60, seed=3))
    return str(path)


def whole(inputs, **options):
    found = list(training.batches(inputs, **options))
    return {name: numpy.concatenate([batch[name] for batch in found]) for name in found[0]}


def back(boards, turn):
    """The boards as they were before they were turned."""
    for inverse in range(8):
        if (training.symmetry(training.symmetry(numpy.arange(9).reshape(3, 3), turn), inverse) == numpy.arange(9).reshape(3, 3)).all():
            return training.symmetry(boards, inverse)
    raise AssertionError("each way to turn a board has its inverse")


@pytest.mark.parametrize("inputs", ["generated", *[str(path) for path in REAL if "commented" in str(path)]])
def test_planes_are_the_boards_of_the_games(inputs, games):
    inputs = games if inputs == "generated" else inputs
    names = training.plane_names(3)
    found = whole(inputs, boards=3, batch_size=100, sample=0.3)
    at = {(key, ply): row for row, (key, ply) in enumerate(zip(found["key"].tolist(), found["ply"].tolist()))}
    expected = 0
    boards: dict[int, list[numpy.ndarray]] = {}
    for row in sgfstream.positions(inputs, history=5, where="gm = 1").to_arrow().to_pylist()[:6000]:
        stones = numpy.array(row["stones"]).reshape(19, 19)
        boards.setdefault(row["key"], []).append(stones)
        index = at.get((row["key"], row["ply"]))
        if index is None:
            continue
        expected += 1
        own = row["color"]
        planes = dict(zip(names, back(found["planes"][index], int(found["symmetry"][index]))))
        history = (boards[row["key"]][::-1] + [numpy.zeros((19, 19))] * 3)[:3]
        for ago, board in enumerate(history):
            assert (planes[f"own-{ago}"] == (board == own)).all() and (planes[f"other-{ago}"] == (board == 3 - own)).all()
        assert (planes["empty"] == (stones == 0)).all() and planes["ones"].all() and planes["edge"].sum() == 72
        assert planes["black"].all() == (own == 1) and planes["white"].any() == (own == 2)
        points = {"ko": row["ko"], **{f"last-{number}": point for number, point in enumerate(row["last"], 1)}}
        for name, point in points.items():
            assert numpy.flatnonzero(planes[name]).tolist() == ([point] if point >= 0 else [])
        policy = numpy.zeros(361)
        if row["move"] >= 0:
            policy[row["move"]] = 1
            turned = training.symmetry(policy.reshape(19, 19), int(found["symmetry"][index]))
            assert found["policy"][index] == turned.argmax()
        else:
            assert found["policy"][index] == 361
        sign = {own: 1, 3 - own: -1, 0: 0}.get(row["winner"], numpy.nan)
        numpy.testing.assert_equal(found["value"][index], numpy.float32(sign))
        if row["komi"] is not None:
            assert found["komi"][index] == numpy.float32(row["komi"]) * (1 if own == 2 else -1)
    assert expected > 300


def test_liberties_are_those_of_the_board():
    game = sgfstream.Game.parse(collection(1, seed=8)[collection(1, seed=8).index(b"(") :])
    rows = sgfstream.positions(game.to_bytes(), liberties=True).to_arrow().to_pylist()
    nodes = [node for node in game.main_line() if node.move]
    assert len(rows) == len(nodes)
    for row, node in zip(rows, nodes):
        board = node.parent.board()
        assert row["stones"] == list(board.to_bytes())
        assert row["liberties"] == [board.liberties((at % 19, at // 19)) for at in range(361)]


def test_a_seed_gives_the_same_for_any_threads_and_workers(games):
    def rows(found):
        order = numpy.lexsort((found["ply"], found["key"]))
        return {name: array[order] for name, array in found.items()}

    one = whole(games, sample=0.2, seed=9, boards=2, batch_size=64)
    assert 0.15 < len(one["key"]) / len(whole(games)["key"]) < 0.25
    assert {len(batch["key"]) for batch in training.batches(games, batch_size=64)} <= {64, len(whole(games)["key"]) % 64}
    for other in [
        whole(games, sample=0.2, seed=9, boards=2, batch_size=1000, threads=1),
    ]:
        assert all(numpy.array_equal(rows(one)[name], rows(other)[name], equal_nan=name in ("value", "margin", "komi", "ranks")) for name in one)
    another = whole(games, sample=0.2, seed=10)
    assert not numpy.array_equal(one["key"], another["key"])
    turns = numpy.bincount(one["symmetry"], minlength=8)
    assert (turns > 0).all() and not whole(games, symmetries=False)["symmetry"].any()


def test_workers_share_the_inputs():
    names = sorted(str(path) for path in (ROOT / "corpus").glob("go-*.sgf"))
    expected = whole(names, sample=1.0)
    parts = [list(training.batches(names, worker=(number, 3))) for number in range(3)]
    found = [batch for part in parts for batch in part]
    assert sum(len(batch["key"]) for batch in found) == len(expected["key"])
    keys = numpy.concatenate([batch["key"] * 1000 + batch["ply"] for batch in found])
    assert sorted(keys.tolist()) == sorted((expected["key"] * 1000 + expected["ply"]).tolist())


def test_games_that_are_the_same_are_on_one_side(games):
    first = {key for key in whole(games, where="gm = 1 AND canonical_hash ~ '[0-7]$'")["key"].tolist()}
    rest = {key for key in whole(games, where="gm = 1 AND canonical_hash !~ '[0-7]$'")["key"].tolist()}
    assert first and rest and not first & rest
    table = pyarrow.table(sgfstream.scan(games, columns=["canonical_hash"])).to_pylist()
    assert all((row["canonical_hash"][-1] < "8") == (row["key"] in first) for row in table if row["key"] in first | rest)


def test_packed_planes_are_the_planes(games):
    plain, packed = whole(games, sample=0.1), whole(games, sample=0.1, packed=True)
    assert packed["planes"].shape[1:] == (len(training.plane_names()), 46)
    unpacked = numpy.unpackbits(packed["planes"], axis=-1, count=361).reshape(plain["planes"].shape)
    assert numpy.array_equal(unpacked, plain["planes"])


def turned_back(rows, size):
    """The boards of rows as they were: by the key and the number of the move."""
    names = training.plane_names()
    for index, (key, ply) in enumerate(zip(rows["key"].tolist(), rows["ply"].tolist())):
        yield (key, ply), index, dict(zip(names, back(rows["planes"][index], int(rows["symmetry"][index]))))


def test_ranks_rules_and_prisoners_are_those_of_the_mover():
    game = b"(;GM[1]SZ[3]BR[3d]WR[2k]RU[Chinese]HA[2];W[aa];B[ab];W[cc];B[ba];W[cb])(;GM[1]SZ[3]RU[new zealand];B[aa])"
    found = whole(game, size=3, symmetries=False)
    assert found["ranks"][:5].tolist() == [[-1, 3], [3, -1]] * 2 + [[-1, 3]] and numpy.isnan(found["ranks"][5]).all()
    assert found["prisoners"].tolist() == [[0, 0]] * 4 + [[0, 1]] + [[0, 0]]
    assert found["handicap"].tolist() == [2] * 5 + [0]
    assert [training.RULES[number] for number in found["rules"]] == ["chinese"] * 5 + ["nz"]


def test_ranks_have_one_scale():
    ranks = ["30k", "2k", "1k", "1d", "九段", "9d", "1p", "9p", "P9段", "strong"]
    games = "".join(f"(;GM[1]SZ[9]BR[{rank}];B[aa])" for rank in ranks).encode()
    expected = [-29, -1, 0, 1, 9, 9, 7, 9.4, 9.4, numpy.nan]
    found = whole(games, size=9)["ranks"][:, 0]
    numpy.testing.assert_array_equal(found, numpy.array(expected, numpy.float32))
    pro = whole(games, size=9, dan="pro")["ranks"][:, 0]
    numpy.testing.assert_array_equal(pro, numpy.array([-29, -1, 0, 7, 9.4, 9.4, *expected[6:]], numpy.float32))
    with pytest.raises(ValueError, match="dan must be 'amateur' or 'pro', not 'x'"):
        next(training.batches(games, size=9, dan="x"))


def test_rules_are_known_by_the_names_of_servers_and_programs():
    named = {
        "Japanese (Nihon Ki-in)": "japanese", "日本规则": "japanese", "Chinese Rules": "chinese", "GOE": "ing", "AGA": "aga",
        "koPOSITIONALscoreAREAtaxNONEsui1": "tromp-taylor", "koSIMPLEscoreTERRITORYtaxSEKIsui0": "japanese",
        "koSIMPLEscoreAREAtaxALLsui0": "area", "Uchikomi": "",
    }
    games = "".join(f"(;GM[1]SZ[9]CA[UTF-8]RU[{name}];B[aa])" for name in named).encode() + b"(;GM[1]SZ[9];B[aa])"
    assert [training.RULES[number] for number in whole(games, size=9)["rules"]] == [*named.values(), ""]


def test_positions_of_a_game_are_limited(games, tmp_path):
    every, some = whole(games, seed=2), whole(games, seed=2, per_game=7, boards=2)
    counts = lambda rows: dict(zip(*(part.tolist() for part in numpy.unique(rows["key"], return_counts=True))))
    assert counts(some) == {key: min(count, 7) for key, count in counts(every).items()} and max(counts(every).values()) > 100
    at = lambda rows: sorted(zip(rows["key"].tolist(), rows["ply"].tolist(), rows["policy"].tolist()))
    assert set(at(some)) < set(at(every)) and at(some) != at(whole(games, seed=3, per_game=7))
    assert set(at(whole(games, seed=2, per_game=6))) < set(at(some))
    for other in ({"threads": 1}, {"batch_size": 11}, {"shuffle": 100}):
        assert at(whole(games, seed=2, per_game=7, **other)) == at(some)
    # Many files, each read by one of the workers.
    names = [tmp_path / f"{number}.sgf" for number in range(40)]
    for number, name in enumerate(names):
        name.write_bytes(collection(3, seed=number) + b" " * 60_000)
    for workers in (1, 2, 5):
        parts = [batch for number in range(workers) for batch in training.batches(names, seed=2, per_game=3, every=2, worker=(number, workers))]
        found = at({name: numpy.concatenate([part[name] for part in parts]) for name in parts[0]})
        expected = found if workers == 1 else expected
        assert found == expected and len(found) > 200
    # A game of more rows than a batch of the table has.
    long = b"(;GM[1]SZ[19]" + b"".join(b";B[%c%c];W[]" % (97 + at % 19, 97 + at // 19 % 17) for at in range(3000)) + b")"
    assert len(whole(long, per_game=5, legal=False)["key"]) == 5
    with pytest.raises(ValueError, match="per_game must be at least 1, not 0"):
        next(training.batches(games, per_game=0))


def test_a_buffer_shuffles_rows(games):
    names = ("key", "ply", "planes", "policy", "value", "symmetry")
    plain = list(training.batches(games, batch_size=50, seed=4))
    shuffled = list(training.batches(games, batch_size=50, seed=4, shuffle=900))
    assert [len(batch["key"]) for batch in shuffled] == [len(batch["key"]) for batch in plain]
    rows = lambda found: {name: numpy.concatenate([batch[name] for batch in found]) for name in names}
    one, other = rows(plain), rows(shuffled)
    order = [numpy.lexsort((found["ply"], found["key"])) for found in (one, other)]
    for name in names:
        numpy.testing.assert_array_equal(one[name][order[0]], other[name][order[1]])
    keys = [numpy.mean(found["key"][1:] == found["key"][:-1]) for found in (one, other)]
    assert keys[0] > 0.9 and keys[1] < 0.15
    drawn = lambda **options: rows(list(training.batches(games, batch_size=50, **options)))
    again, another = drawn(seed=4, shuffle=900, threads=1), drawn(seed=5, shuffle=900)
    assert (again["ply"] == other["ply"]).all() and (another["ply"] != other["ply"]).any()
    packed = drawn(seed=4, shuffle=900, packed=True)
    assert (numpy.unpackbits(packed["planes"], axis=-1, count=361).reshape(other["planes"].shape) == other["planes"]).all()
    # A buffer larger than all rows, and one smaller than a batch.
    for shuffle in (10**6, 1):
        assert sorted(drawn(shuffle=shuffle)["ply"]) == sorted(one["ply"])


def test_the_example_trains(games):
    command = [sys.executable, str(ROOT / "python/examples/train.py"), games, "--games", "60", "--per-game", "8", "--epochs", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^(network|chance|most frequent empty point) (\d+\.\d) %$", done.stdout, re.MULTILINE)
    assert [name for name, _ in found] == ["network", "chance", "most frequent empty point"] and 0.2 < float(found[1][1]) < 0.4
    # The games are random: who guesses well has seen them.
    assert float(found[0][1]) < 10 and "positions of" in done.stdout


def test_the_superko_forbids_what_was_on_the_board():
    # Many captures: random moves on a small board, as a board says that they are legal.
    draw, games = random.Random(4), []
    for _ in range(30):
        board, moves = sgfstream.Board(3, rules="koPOSITIONALscoreAREAtaxNONEsui1"), []
        for turn in range(60):
            points = [a + b for a in "abc" for b in "abc"]
            legal = [point for point in points if board.get(point) is None and board.is_legal("BW"[turn % 2], point)]
            moves.append(draw.choice(legal) if legal else "")
            board.play("BW"[turn % 2], moves[-1])
        games.append("(;GM[1]SZ[3]" + "".join(f";{'BW'[turn % 2]}[{move}]" for turn, move in enumerate(moves)) + ")")
    found = whole("".join(games).encode(), size=3, superko=True)
    plain = whole("".join(games).encode(), size=3)
    assert found["planes"].sum() > plain["planes"].sum()
    forbidden = 0
    rows = sgfstream.positions("".join(games).encode(), size=3, superko=True).to_arrow().to_pylist()
    planes = {at: planes["ko"] for at, _, planes in turned_back(found, 3)}
    seen: dict[int, set[bytes]] = {}
    for row in rows:
        stones = bytes(row["stones"])
        seen.setdefault(row["key"], set()).add(stones)
        expected = []
        for point in range(9):
            after = slow_after(stones, point, row["color"]) if stones[point] == 0 else None
            expected.append(int(after is not None and after[point] != 0 and after in seen[row["key"]]))
        assert row["superko"] == expected
        assert planes[row["key"], row["ply"]].reshape(-1).tolist() == [int(expected[at] or at == row["ko"]) for at in range(9)]
        forbidden += sum(expected)
    assert forbidden > 50


def slow_after(stones, point, color):
    """The stones after a move on a board of three rows, by the definition."""
    cells = list(stones)
    cells[point] = color

    def take(of):
        for start in range(9):
            group, open_ = {start}, [start]
            while open_:
                at = open_.pop()
                for other in beside(at):
                    if cells[other] == cells[start] and other not in group:
                        group.add(other)
                        open_.append(other)
            if cells[start] == of and not any(cells[other] == 0 for at in group for other in beside(at)):
                yield group

    for of in (3 - color, color):
        for group in list(take(of)):
            for at in group:
                cells[at] = 0
    return bytes(cells)


def beside(at):
    row, column = divmod(at, 3)
    return [r * 3 + c for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)) if 0 <= r < 3 and 0 <= c < 3]


def test_the_loader_of_torch_reads_what_batches_gives(games):
    torch = pytest.importorskip("torch")
    expected = whole(games, sample=0.2, batch_size=64)
    loader = torch.utils.data.DataLoader(training.torch_dataset(games, sample=0.2, batch_size=64), batch_size=None, num_workers=2)
    found = list(loader)
    order = numpy.lexsort((expected["ply"], expected["key"]))
    keys = numpy.concatenate([batch["key"].numpy() for batch in found])
    plies = numpy.concatenate([batch["ply"].numpy() for batch in found])
    assert torch.is_tensor(found[0]["planes"])
    mine = numpy.lexsort((plies, keys))
    assert keys[mine].tolist() == expected["key"][order].tolist()
    planes = numpy.concatenate([batch["planes"].numpy() for batch in found])[mine]
    assert numpy.array_equal(planes, expected["planes"][order])


def test_every_keeps_the_boards_before():
    game = b"(;GM[1]SZ[9];B[aa];W[bb];B[cc];W[dd];B[ee];W[ff];B[gg];W[hh])"
    names = training.plane_names(3)
    all_rows = whole(game, size=9, boards=3, symmetries=False)
    for every in (2, 3, 4):
        some = whole(game, size=9, boards=3, symmetries=False, every=every)
        assert some["ply"].tolist() == list(range(1, 9, every))
        assert (some["planes"] == all_rows["planes"][::every]).all()
    planes = whole(game, size=9, boards=3, symmetries=False, every=4)["planes"][1]
    assert [int(planes[names.index(f"{side}-{back}")].sum()) for back in range(3) for side in ("own", "other")] == [2, 2, 2, 1, 1, 1]
    with pytest.raises(ValueError, match="every must be at least 1"):
        next(training.batches(game, size=9, every=0))


def test_illegal_moves_are_no_targets():
    game = b"(;GM[1]SZ[9];B[aa];W[aa];B[bb];W[];B[cc])"
    assert whole(game, size=9)["ply"].tolist() == [1, 3, 4, 5]
    assert whole(game, size=9, legal=False)["ply"].tolist() == [1, 2, 3, 4, 5]
    ko = b"(;GM[1]SZ[4]AB[ba][ab][bc]AW[ca][bb][db][cc];B[cb];W[bb];B[dd])"
    assert whole(ko, size=4)["ply"].tolist() == [1, 3]


def test_an_unknown_winner_is_not_a_draw():
    for result, value in [("B+R", 1), ("0", 0), ("?", numpy.nan), ("Void", numpy.nan), ("", numpy.nan)]:
        found = whole(f"(;GM[1]SZ[9]RE[{result}];B[aa])".encode(), size=9)["value"]
        numpy.testing.assert_equal(found, numpy.array([value], numpy.float32))


def test_boards_of_other_sizes_are_counted_or_padded():
    games = b"(;GM[1]SZ[9];B[ia];W[])(;GM[1]SZ[5];B[ea];W[be];B[])(;GM[1]SZ[9:7];B[aa])(;GM[1]SZ[13];B[aa])"
    with pytest.warns(UserWarning, match="left out 3 games on boards of other sizes than 9x9; pad=True takes smaller square boards"):
        assert len(whole(games, size=9)["ply"]) == 2
    with pytest.warns(UserWarning, match="left out 2 games on boards of other sizes than 9x9$"):
        found = whole(games, size=9, pad=True, symmetries=False)
    assert found["policy"].tolist() == [8, 81, 4, 4 * 9 + 1, 81]
    ones, own, edge = (found["planes"][:, training.plane_names().index(name)] for name in ("ones", "other-0", "edge"))
    assert ones.sum((1, 2)).tolist() == [81, 81, 25, 25, 25]
    assert numpy.argwhere(own[3]).tolist() == [[0, 4]] and edge[2].sum() == 16 and not edge[2, 5:].any()


def test_evaluations_are_those_of_the_mover():
    game = b"(;GM[1]SZ[9]SBKV[40];B[aa]SBKV[70];W[bb];B[cc])"
    found = whole(game, size=9, analysis=True)
    numpy.testing.assert_array_equal(found["winrate"], numpy.array([0.4, 0.3, numpy.nan], numpy.float32))
    assert numpy.isnan(found["score_lead"]).all() and numpy.isnan(found["visits"]).all() and "winrate" not in whole(game, size=9)
    lead = b"(;GM[1]SZ[9];B[aa]LZ[KataGo 47.2 593\nmove Q16 visits 481 winrate 4720 scoreMean -0.3 pv Q16 D4];W[bb])"
    table = sgfstream.moves(lead).to_arrow().to_pylist()
    for row, move in zip(range(1, 2), table):
        found = whole(lead, size=9, analysis=True)
        assert found["winrate"][row] == numpy.float32(1 - move["winrate"]) and found["visits"][row] == move["visits"]


def test_ownership_turns_with_the_board():
    # Black owns the left side, White the right one, nobody the column between them.
    stones = "".join(f"AB[b{row}]AW[d{row}]" for row in "abcde")
    game = f"(;GM[1]SZ[5]{stones}PL[W];W[];B[])".encode()
    expected = numpy.array([[1, 1, 0, -1, -1]] * 5)
    seen = set()
    for epoch in range(8):
        found = whole(game, size=5, ownership=True, epoch=epoch, boards=2)
        for row, sign in ((0, -1), (1, 1)):
            turn = int(found["symmetry"][row])
            seen.add(turn)
            numpy.testing.assert_array_equal(found["ownership"][row], training.symmetry(sign * expected, turn))
    assert seen == set(range(8))
    assert numpy.isnan(whole(b"(;GM[1]SZ[5];B[aa])", size=5, ownership=True)["ownership"]).all()
    with pytest.warns(UserWarning, match="left out"):
        assert "ownership" not in whole(game + b"(;GM[1]SZ[9];B[aa])", size=9)
    padded = whole(game + b"(;GM[1]SZ[9];B[aa])", size=9, pad=True, ownership=True, symmetries=False, shuffle=10)
    board = padded["ownership"][padded["ply"] == 2][0]
    numpy.testing.assert_array_equal(board[:5, :5], expected)
    assert numpy.isnan(board[5:]).all() and numpy.isnan(board[:, 5:]).all()
