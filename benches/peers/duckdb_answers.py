"""Answers of DuckDB over the same games as rows of CSV: a question, and the folder of `games.csv` and `moves.csv`."""

import sys

import duckdb

question, directory = sys.argv[1:]
duckdb.execute("SET threads = 1")
games = f"read_csv('{directory}/games.csv', all_varchar = true)"
moves = f"read_csv('{directory}/moves.csv', all_varchar = true)"


def line(first):
    """The moves of each game as one text: of the main line, or the first of them."""
    chosen = f"WHERE ply::INT <= {first}" if first else ""
    order = "ORDER BY ply::INT"
    text = f"string_agg(coalesce(nullif(move, ''), 'pass'), ' ' {order})"
    return f"SELECT key, {text} AS line, string_agg(color, '' {order}) AS colors FROM {moves} {chosen} GROUP BY key"


def most(table, column):
    """The value that comes most often, the first of them by its text, and how often."""
    sql = f"SELECT {column}, count(*) AS games FROM {table} GROUP BY {column} ORDER BY games DESC, {column} LIMIT 1"
    print(*duckdb.sql(sql).fetchall()[0], sep=",")


if question == "games":
    # A reader of SGF has seen each move when it knows the number of games.
    print(duckdb.sql(f"SELECT count(*) FROM {games}, (SELECT max(x) FROM {moves})").fetchall()[0][0])
elif question == "player":
    most(games, "pb")
elif question == "opening":
    most(f"({line(8)})", "line")
elif question == "repeated":
    print(duckdb.sql(f"SELECT count(*) - count(DISTINCT (line, colors)) FROM ({line(0)})").fetchall()[0][0])
