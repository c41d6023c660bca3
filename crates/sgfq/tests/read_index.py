"""Reads the tables of `sgfq index` with pyarrow, Polars and DuckDB, and compares
them with `sgfq count` and `sgfq stats`. Arguments: sgfq, and inputs."""

import io
import json
import os
import subprocess
import sys
import tempfile

import duckdb
import polars
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

sgfq, inputs = sys.argv[1], sys.argv[2:]


def run(*args):
    done = subprocess.run([sgfq, *args], capture_output=True, text=True)
    assert done.returncode in (0, 2), done.stderr
    return done.stdout


count = json.loads(run("count", "-f", "json", *inputs))
stats = json.loads(run("stats", "-f", "json", *inputs))
with tempfile.TemporaryDirectory() as directory:
    path = lambda name: os.path.join(directory, name)
    games, moves, comments = path("games.parquet"), path("moves.parquet"), path("comments.parquet")
    run("index", *inputs, "-o", games, "--moves", moves, "--comments", comments)
    run("index", *inputs, "-o", path("games.arrow"))
    run("index", *inputs, "-o", path("games.csv"))
    run("index", *inputs, "-o", path("games.jsonl"))

    table = pyarrow.parquet.read_table(games)
    assert table.num_rows == count["games"], (table.num_rows, count["games"])
    metadata = pyarrow.parquet.read_metadata(games)
    pairs = {key.decode(): value.decode() for key, value in metadata.metadata.items()}
    assert pairs["sgfq.schema"] == "4" and pairs["sgfq.table"] == "games", pairs
    assert metadata.num_row_groups == 0 or metadata.row_group(0).column(0).compression == "ZSTD"
    assert table.schema.field("pb").metadata[b"description"].startswith(b"PB: ")
    assert str(table.schema.field("date_min").type).startswith("date32")
    # Illegal moves are counted where the boards are set up for the table of moves.
    assert pyarrow.feather.read_table(path("games.arrow")).equals(table.drop_columns(["illegal_moves"]))

    # The same as a stream, which needs no file.
    streamed = subprocess.run([sgfq, "index", *inputs, "-o", "-"], capture_output=True).stdout
    assert pyarrow.ipc.open_stream(streamed).read_all().equals(pyarrow.feather.read_table(path("games.arrow")))
    assert polars.read_ipc_stream(io.BytesIO(streamed)).height == count["games"]
    arrow = pyarrow.ipc.open_stream(streamed)
    assert duckdb.sql("select count(*) from arrow").fetchall() == [(count["games"],)]
    lines = subprocess.run([sgfq, "index", *inputs, "-o", "-", "-f", "csv"], capture_output=True).stdout
    with open(path("games.csv"), "rb") as file:
        written = polars.read_csv(file.read(), infer_schema=False)
    assert polars.read_csv(lines, infer_schema=False).equals(written.drop("illegal_moves", strict=False))

    frame = polars.read_parquet(games)
    assert frame.height == count["games"]
    assert polars.read_parquet(moves).filter(polars.col("kind") == "move").height == frame["moves"].sum()
    assert polars.read_csv(path("games.csv"), infer_schema_length=None).height == count["games"]
    assert polars.read_ndjson(path("games.jsonl"), infer_schema_length=None).height == count["games"]

    sql = lambda query: duckdb.sql(query).fetchall()

    def one(column, where="true"):
        return sql(f"select {column} from '{games}' where {where}")[0][0] or 0

    def rows(columns):
        return dict(sql(f"select {columns}, count(*) from '{games}' group by all"))

    assert one("count(*)") == stats["games"] == count["games"]
    assert one("count(distinct key)") == count["games"]
    assert one("sum(nodes)") == stats["nodes"] == count["nodes"]
    assert one("sum(variations)") == stats["variations"]
    # The column is of the main line, as the lengths are.
    # Before 0.3 Pentobi wrote a move as a list of points, each of which
    # `stats` counts.
    more = stats["length"]["moves"] - one("sum(moves)")
    assert 0 <= more <= 4 * one("sum(moves)", "gm is null"), (more, stats["length"])
    assert one("max(moves)") == (stats["length"]["max"] or 0)
    # Problems between games belong to no game.
    assert one("sum(errors)") <= stats["problems"]["error"]
    # A root without FF and GM is FF[1], and Go unless its properties show another game.
    gm, ff, none = rows("gm"), rows("ff"), stats["gm"].get("none", 0)
    more = {number: games - stats["gm"].get(str(number), 0) for number, games in gm.items() if number is not None}
    assert all(games >= 0 for games in more.values()) and more.get(1, 0) <= none, (more, stats["gm"])
    written = [name for name in stats["gm"] if name.isdigit()]
    assert all(int(name) in gm for name in written), (gm, stats["gm"])
    variants = dict(sql(f"select variant, count(*) from '{games}' where gm is null group by all"))
    assert all(stats["gm"].get(name) == number for name, number in variants.items() if name), variants
    assert ff.get(4, 0) == stats["ff"].get("4", 0) and ff.get(3, 0) == stats["ff"].get("3", 0)
    assert one("count(*)", "board_width = 9 and board_height = 9") == stats["sz"].get("9", 0)
    # A row reads only the root. `stats` reads all nodes, because merged collections
    # have game information below the root: one game in thousands.
    near = lambda found, expected: 0 <= expected - found <= 1 + expected // 1000

    def result(*names):
        return sum(stats["result"].get(name, 0) for name in names)

    for winner in "BW":
        everything = result(*(f"{winner}+{how}" for how in ("", "score", "R", "T", "F")))
        assert near(one("count(*)", f"winner = '{winner}'"), everything), (winner, stats["result"])
        for how, name in ("score", "score"), ("time", "T"), ("forfeit", "F"), ("resign", "R"):
            assert near(one("count(*)", f"winner = '{winner}' and win_by = '{how}'"), result(f"{winner}+{name}")), how
    for stones in range(2, 10):
        assert near(one("count(*)", f"handicap = {stones}"), stats["handicap"].get(str(stones), 0)), stones
    # The keys join the tables.
    joined = f"select count(*) from '{games}' g join '{moves}' m using (key) where kind = 'move'"
    assert sql(joined)[0][0] == one("sum(moves)")
    assert sql(f"select count(*) from '{comments}' c anti join '{games}' g using (key)")[0][0] == 0
    commented = sql(f"select count(distinct key) from '{comments}' where property <> 'N' and text <> ''")[0][0]
    assert commented == one("count(*)", "comment_bytes > 0")
print(f"pyarrow {pyarrow.__version__}, polars {polars.__version__}, duckdb {duckdb.__version__}: {count['games']} games read alike")
