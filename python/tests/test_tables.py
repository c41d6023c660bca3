"""Every cell of every table equals the cell of `sgfq index`, for any number of threads and rows in a batch."""

import pyarrow
import pyarrow.compute
import pyarrow.parquet
import pytest

import sgfstream

READERS = {"games": sgfstream.scan, "moves": sgfstream.moves, "comments": sgfstream.comments}


def assert_same(found, expected):
    assert found.schema.names == expected.schema.names
    assert found.num_rows == expected.num_rows
    for name in found.schema.names:
        one, other = found[name].combine_chunks(), expected[name].combine_chunks()
        assert one.equals(other), (name, [pair for pair in zip(one.to_pylist(), other.to_pylist()) if pair[0] != pair[1]][:3])


@pytest.mark.parametrize("table", READERS)
@pytest.mark.parametrize("threads", [1, 3])
def test_cells_are_those_of_the_index(indexed, inputs, monkeypatch, table, threads):
    name, tables = indexed
    monkeypatch.chdir(inputs)
    expected = pyarrow.parquet.read_table(tables[table])
    # With moves the index says how many are illegal, which a scan does on request.
    columns = {"columns": expected.schema.names[1:]} if table == "games" else {}
    scan = READERS[table](name, threads=threads, batch_size=65_536 if threads == 1 else 700, **columns)
    assert_same(pyarrow.table(scan), expected)


def test_lines_are_the_moves_as_numbers(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    lines = pyarrow.table(sgfstream.lines("large.sgf"))
    moves = pyarrow.table(sgfstream.moves("large.sgf")).to_pandas()
    moves = moves[moves.kind == "move"]
    numbers = (moves.y * 19 + moves.x).fillna(-1).astype(int)
    assert lines["moves"].combine_chunks().flatten().to_pylist() == numbers.tolist()
    colors = moves.color.map({"B": 1, "W": 2})
    assert lines["colors"].combine_chunks().flatten().to_pylist() == colors.tolist()
    games = pyarrow.table(sgfstream.scan("large.sgf", columns=["moves", "winner", "komi"]))
    assert pyarrow.compute.list_value_length(lines["moves"]).to_pylist() == games["moves"].to_pylist()
    assert lines["komi"].equals(games["komi"]) and lines["key"].equals(games["key"])
    winners = {"B": 1, "W": 2, "draw": 0, "unknown": None, None: None}
    assert lines["winner"].to_pylist() == [winners[winner] for winner in games["winner"].to_pylist()]
    assert lines["black"][0].as_py() == [3 * 19 + 3, 15 * 19 + 15] and lines["white"][0].as_py() == [0, 1, 19, 20]


@pytest.mark.parametrize("threads", [1, 3])
def test_positions_are_the_moves_with_their_boards(inputs, monkeypatch, threads):
    monkeypatch.chdir(inputs)
    arguments = {"where": "game <= 500", "threads": threads}
    positions = pyarrow.table(sgfstream.positions("large.sgf", history=2, **arguments))
    moves = pyarrow.table(sgfstream.moves("large.sgf", **arguments)).to_pandas()
    moves = moves[moves.kind == "move"]
    assert positions["key"].to_pylist() == moves.key.tolist() and positions["ply"].to_pylist() == moves.ply.tolist()
    numbers = (moves.y * 19 + moves.x).fillna(-1).astype(int).tolist()
    assert positions["move"].to_pylist() == numbers
    stones = positions["stones"].combine_chunks().flatten().to_numpy().reshape(-1, 361)
    last = positions["last"].to_pylist()
    boards = 0
    for row in range(1, len(numbers)):
        if moves.ply.iloc[row] > 1:
            assert last[row][0] == numbers[row - 1]
            # A move takes stones away, and adds its own.
            if moves.captures.iloc[row - 1] == 0 and stones[row - 1][numbers[row - 1]] == 0:
                assert (stones[row] != stones[row - 1]).sum() <= 1
                boards += 1
    assert boards > 10_000


def test_a_sample_is_a_part_of_all_positions(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    read = lambda **arguments: pyarrow.table(sgfstream.positions("members.zip", history=0, **arguments))
    everything = read()
    some, same, other = read(sample=0.1, seed=1), read(sample=0.1, seed=1, threads=1), read(sample=0.1, seed=2)
    assert some.equals(same) and not some.equals(other)
    assert 0.08 < some.num_rows / everything.num_rows < 0.12
    assert set(zip(some["key"].to_pylist(), some["ply"].to_pylist())) < set(
        zip(everything["key"].to_pylist(), everything["ply"].to_pylist())
    )
    assert set(read(every=10)["ply"].to_pylist()) == set(range(1, 120, 10))


def test_problems_are_a_table(tmp_path):
    (tmp_path / "good.sgf").write_bytes(b"(;GM[1])")
    (tmp_path / "bad.sgf.gz").write_bytes(b"\x1f\x8b\x08\x00damage")
    table = pyarrow.table(sgfstream.problems(tmp_path))
    assert table.schema.names == ["source", "member", "code", "message"]
    scan = sgfstream.scan(tmp_path)
    assert pyarrow.table(scan).num_rows == 1
    assert [(p.source, p.member, p.code, p.message) for p in scan.problems] == [tuple(row.values()) for row in table.to_pylist()]
    assert table.num_rows == 1 and table["source"][0].as_py().endswith("bad.sgf.gz")
