"""Reads what `sgfq index` wrote with pyarrow, Polars and DuckDB, and holds it
to what `sgfq count` and `sgfq stats` say. Arguments: sgfq, and inputs."""

import json
import os
import subprocess
import sys
import tempfile

import duckdb
import polars
import pyarrow.feather
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
    assert pairs["sgfq.schema"] == "1" and pairs["sgfq.table"] == "games", pairs
    assert metadata.num_row_groups == 0 or metadata.row_group(0).column(0).compression == "ZSTD"
    assert table.schema.field("pb").metadata[b"description"].startswith(b"PB: ")
    assert str(table.schema.field("date_min").type).startswith("date32")
    assert pyarrow.feather.read_table(path("games.arrow")).equals(table)

    frame = polars.read_parquet(games)
    assert frame.height == count["games"]
    assert polars.read_parquet(moves).height == frame["moves"].sum()
    assert polars.read_csv(path("games.csv"), infer_schema_length=None).height == count["games"]
    assert polars.read_ndjson(path("games.jsonl"), infer_schema_length=None).height == count["games"]

    sql = lambda query: duckdb.sql(query).fetchone()[0]
    assert sql(f"select count(*) from '{games}'") == count["games"]
    assert sql(f"select sum(nodes) from '{games}'") == count["nodes"]
    assert sql(f"select sum(variations) from '{games}'") == stats["variations"]
    assert sql(f"select count(*) from '{games}' where winner = 'B'") == sum(
        number for name, number in stats["result"].items() if name.startswith("B")
    ), stats["result"]
    assert sql(f"select count(*) from '{games}' g join '{moves}' m using (key)") == sql(f"select sum(moves) from '{games}'")
    assert sql(f"select count(distinct key) from '{games}'") == count["games"]
    assert sql(f"select count(*) from '{comments}' c anti join '{games}' g using (key)") == 0
print(f"pyarrow {pyarrow.__version__}, polars {polars.__version__}, duckdb {duckdb.__version__}: {count['games']} games read alike")
