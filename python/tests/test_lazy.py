"""Lazy frames and datasets read what a query asks for, and give what all of the table would."""

import duckdb
import polars
import pytest

import sgfstream
import sgfstream.polars
from conftest import ROOT

CORPUS = str(ROOT / "corpus")


@pytest.fixture(scope="module")
def whole():
    return sgfstream.scan(CORPUS).to_polars()


CONDITIONS = [
    polars.col("moves") > 10,
    polars.col("pb") == "Ada",
    polars.col("pb") != "Ada",
    polars.col("pb").is_null() | (polars.col("komi") >= 6.5),
    polars.col("komi").is_not_null() & (polars.col("winner") == "B"),
    (polars.col("moves") * 2 > 30) & (polars.col("gm") == 1),
    polars.col("date_min").is_not_null(),
    polars.col("pb").is_in(["Ada", "Ben"]),
    polars.col("pb") < "B",
    ~(polars.col("moves") > 10),
    polars.col("pb") == "it's",
    polars.lit(True),
]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_a_condition_gives_what_polars_gives(whole, condition):
    columns = ["source", "member", "game", "pb", "moves"]
    expected = whole.filter(condition).select(columns)
    lazy = sgfstream.polars.scan_sgf(CORPUS).filter(condition).select(columns)
    assert lazy.collect().equals(expected)
    assert lazy.collect(engine="streaming").sort(columns).equals(expected.sort(columns))
    assert lazy.head(2).collect().equals(expected.head(2))


def test_what_is_handed_on():
    names = sgfstream.scan(CORPUS).columns
    handed = [sgfstream.polars.condition(condition, names) for condition in CONDITIONS[:6]]
    assert handed == [
        "moves > 10",
        "pb = 'Ada'",
        "pb != 'Ada'",
        "(pb IS NULL) OR (komi >= 6.5)",
        "(komi IS NOT NULL) AND (winner = 'B')",
        "(gm = 1)",
    ]


@pytest.mark.parametrize("table", ["moves", "comments", "lines", "positions", "problems"])
def test_every_table_is_lazy(table):
    lazy = sgfstream.polars.scan_sgf(CORPUS, table)
    names = lazy.collect_schema().names()
    assert lazy.select(names[-1]).collect().height == lazy.collect().height


def test_columns_and_conditions_of_the_scan_stay(whole):
    scan = sgfstream.scan(CORPUS, columns=["moves * 2 AS twice", "pb"], where="moves > 10")
    found = scan.lazy().filter(polars.col("pb") == "Ada").select("twice").collect()
    expected = whole.filter((polars.col("moves") > 10) & (polars.col("pb") == "Ada"))
    assert found["twice"].to_list() == (expected["moves"] * 2).to_list()


def test_a_column_that_is_called_like_another_is_not_taken_for_it(whole):
    scan = sgfstream.scan(CORPUS, columns=["komi AS moves", "pb AS pw", "gm"])
    found = scan.lazy().filter((polars.col("moves") > 6) & (polars.col("pw") == "Ada") & (polars.col("gm") == 1)).collect()
    expected = whole.filter((polars.col("komi") > 6) & (polars.col("pb") == "Ada") & (polars.col("gm") == 1))
    assert found.select("key").equals(expected.select("key")) and found.height > 0


def test_duckdb_reads_a_dataset(whole):
    games = sgfstream.scan(CORPUS).to_dataset()
    found = duckdb.sql("SELECT pb, count(*) FROM games WHERE moves > 10 GROUP BY pb ORDER BY pb NULLS LAST").fetchall()
    expected = whole.filter(polars.col("moves") > 10).group_by("pb").len().sort("pb", nulls_last=True).rows()
    assert found == expected
    assert duckdb.sql("SELECT count(*) FROM games").fetchall() == [(whole.height,)]


def test_a_dataset_reads_what_a_query_names(monkeypatch):
    from sgfstream import _dataset

    read = []
    narrowed = _dataset.narrowed
    monkeypatch.setattr(_dataset, "narrowed", lambda scan, columns: read.append(set(columns)) or narrowed(scan, columns))
    games = sgfstream.scan(CORPUS).to_dataset()
    assert duckdb.sql("SELECT pb FROM games WHERE moves > 20 AND winner = 'B'").fetchall() == [("Ada",)]
    assert read == [{"pb", "moves", "winner"}]


def test_counts(whole):
    assert sgfstream.scan(CORPUS).count() == whole.height
    assert sgfstream.scan(CORPUS, where="moves > 10").count() == whole.filter(polars.col("moves") > 10).height
    moves = sgfstream.moves(CORPUS)
    assert moves.count() == moves.to_arrow().num_rows == moves.to_pandas().shape[0]
