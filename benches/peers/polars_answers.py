"""Answers of Polars over the same games as rows of CSV: a question, and the folder of `games.csv` and `moves.csv`."""

import os
import sys

os.environ["POLARS_MAX_THREADS"] = "1"

import polars as pl  # noqa: E402, for it reads the number of threads when it is imported

question, directory = sys.argv[1:]
games = pl.scan_csv(f"{directory}/games.csv", infer_schema=False)
moves = pl.scan_csv(f"{directory}/moves.csv", infer_schema=False).with_columns(pl.col("move").fill_null("pass"))


def most(table, column):
    """The value that comes most often, the first of them by its text, and how often."""
    counted = table.group_by(column).len().sort(pl.col("len"), pl.col(column), descending=[True, False])
    print(*counted.head(1).collect().row(0), sep=",")


if question == "games":
    # A reader of SGF has seen each move when it knows the number of games.
    rows, _ = pl.collect_all([games.select(pl.len()), moves.select(pl.col("x").max())])
    print(rows.item())
elif question == "player":
    most(games, "pb")
elif question == "opening":
    # The rows are in the order of the moves.
    most(moves.group_by("key").agg(pl.col("move").head(8).str.join(" ").alias("line")), "line")
elif question == "repeated":
    lines = moves.group_by("key").agg(pl.col("move").str.join(" "), pl.col("color").str.join())
    print(lines.select(pl.len() - pl.struct("move", "color").n_unique()).collect().item())
