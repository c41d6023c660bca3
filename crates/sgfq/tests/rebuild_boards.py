"""Rebuilds positions from the tables of `sgfq index` with docs/boards.sql and the query of docs/data.md, and compares each board with
the one that `board_probe` of crates/draw prints. Arguments: sgfq, the probe, and folders of games."""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import duckdb

sgfq, probe, *inputs = [os.path.abspath(name) for name in sys.argv[1:]]
files = [name for folder in inputs for name in glob.glob(f"{folder}/**/*.sgf", recursive=True)]
docs = os.path.join(os.path.dirname(__file__), "../../../docs")
with open(f"{docs}/data.md", encoding="utf-8") as page, open(f"{docs}/boards.sql", encoding="utf-8") as file:
    macro, query = file.read(), re.search("```sql\n([^`]*?FROM boards.*?)```", page.read(), re.DOTALL).group(1)

# Games whose boards the tables do not tell.
UNTOLD = ["Octi", "Havannah"]
# The probe prints the node of a move; these games have several moves in a node.
NODES = {"duplicates.sgf#1"}
STONES = {"X": "B", "O": "W", "3": "3", "4": "4"}
compared = 0
differ = set()
with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)
    subprocess.run([sgfq, "index", *inputs, "-o", "games.parquet", "--moves", "moves.parquet"], check=False)
    duckdb.sql(macro)
    stones = duckdb.sql("SELECT count(*) FROM 'moves.parquet' WHERE kind <> 'move' AND kind <> 'start'").fetchall()
    assert stones[0][0] > 0, "setup among the inputs"
    first = duckdb.sql(query).fetchall()
    assert first and all(len(row) == 5 for row in first), first[:1]
    keys = {}
    games = duckdb.sql("SELECT source, member, game, key, variant FROM 'games.parquet'").fetchall()
    for source, member, game, key, variant in games:
        keys[f"{source}!{member}#{game}" if member else f"{source}#{game}"] = (key, variant)
    for after in (1, 2, 5, 50, 120, 1000):
        boards = {}
        for key, x, y, stone in duckdb.sql(f"SELECT * FROM boards({after})").fetchall():
            boards.setdefault(key, {})[x, y] = stone
        drawn = subprocess.run([probe, str(after), *files], capture_output=True, check=True)
        for line in drawn.stdout.splitlines():
            board = json.loads(line)
            key, variant = keys[board["name"]]
            if variant in UNTOLD:
                continue
            expected = {
                (x, y): STONES[stone]
                for y, row in enumerate(board["rows"])
                for x, stone in enumerate(row)
                if stone in STONES
            }
            found = {field: stone for field, stone in boards.get(key, {}).items() if stone in "BW34"}
            if found != expected:
                differ.add(os.path.basename(board["name"]))
                continue
            compared += 1
assert compared > 100 and differ <= NODES, (compared, differ - NODES)
print(f"{compared} boards rebuilt")
