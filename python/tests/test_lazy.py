"""Lazy frames and datasets read what a query asks for, and give what all of the table would."""

import datetime
import random
import subprocess
import sys

import duckdb
import polars
import pyarrow.compute
import pyarrow.dataset
import pytest

import sgfstream
import sgfstream.polars
from conftest import ROOT, collection

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
    polars.col("pb").is_in(["Ada", None]),
    ~polars.col("pb").is_in(["Ada", None]),
    polars.col("pb").is_in(["Ada", None], nulls_equal=True),
    polars.col("moves").is_in([1, 24]) | polars.col("komi").is_in([6.5]),
    polars.col("moves").is_in(range(400_000)),
    polars.col("pb").str.starts_with("A"),
    polars.col("pb").str.ends_with("a") & ~polars.col("pb").str.contains("B", literal=True),
    polars.col("pb").str.contains("d."),
    polars.col("source").str.contains("%", literal=True) | polars.col("source").str.contains("o_", literal=True),
    polars.col("moves").is_between(2, 24) & polars.col("moves").is_between(1, 24, closed="none"),
    polars.col("date_min") >= datetime.date(1996, 1, 1),
    polars.col("date_min").is_in([datetime.date(2002, 1, 2)]) | (polars.col("date_min").dt.year() == 1996),
    ~((polars.col("moves") > 10) | (polars.col("pb") == "Ada")),
    ~((polars.col("moves") * 2 > 10) | (polars.col("pb") == "Ada")),
    ~((polars.col("moves") * 2 > 10) & (polars.col("pb") == "Ada")),
    5 < polars.col("moves"),
    polars.col("moves") == 2.0,
    # `where` refuses a winner that no game has, and orders ranks by strength.
    polars.col("winner") == "Black",
    polars.col("winner").is_in(["B", "Black"]) & (polars.col("moves") > 3),
    polars.col("br") > "3d",
    polars.col("pb").eq_missing(None) ^ (polars.col("moves") > 3),
]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_a_condition_gives_what_polars_gives(whole, condition):
    columns = ["source", "member", "game", "pb", "moves"]
    expected = whole.filter(condition).select(columns)
    lazy = sgfstream.polars.scan_sgf(CORPUS).filter(condition).select(columns)
    assert lazy.collect().equals(expected)
    assert lazy.collect(engine="streaming").sort(columns).equals(expected.sort(columns))
    assert lazy.head(2).collect().equals(expected.head(2))


HANDED = [
    "moves > 10",
    "pb = 'Ada'",
    "pb != 'Ada'",
    "(pb IS NULL) OR (komi >= 6.5)",
    "(komi IS NOT NULL) AND (winner = 'B')",
    "(gm = 1)",
    "date_min IS NOT NULL",
    "pb IN ('Ada', 'Ben')",
    "pb < 'B'",
    "NOT (moves > 10)",
    "pb = 'it''s'",
    None,
    "pb IN ('Ada')",
    "NOT (pb IN ('Ada'))",
    None,
    "(moves IN (1, 24)) OR (komi IN (6.5))",
    None,
    "pb LIKE 'A%'",
    "(pb LIKE '%a') AND (NOT (pb LIKE '%B%'))",
    None,
    "(source LIKE '%\\%%') OR (source LIKE '%o\\_%')",
    "((moves >= 2) AND (moves <= 24)) AND ((moves > 1) AND (moves < 24))",
    "date_min >= DATE '1996-01-01'",
    "(date_min IN (DATE '2002-01-02')) OR (year(date_min) = 1996)",
    "(NOT (moves > 10)) AND (NOT (pb = 'Ada'))",
    "(NOT (pb = 'Ada'))",
    None,
    "moves > 5",
    "moves = 2.0",
    None,
    "(moves > 3)",
    None,
    None,
]


@pytest.mark.parametrize(("condition", "expected"), list(zip(CONDITIONS, HANDED, strict=True)), ids=str)
def test_what_is_handed_on(condition, expected):
    assert sgfstream.polars.condition(condition, sgfstream.scan(CORPUS).columns) == expected


def test_a_count_reads_no_columns(monkeypatch):
    read = []
    narrowed = sgfstream.polars.narrowed
    monkeypatch.setattr(sgfstream.polars, "narrowed", lambda *given: read.append(narrowed(*given)) or read[-1])
    lazy = sgfstream.polars.scan_sgf(CORPUS)
    assert lazy.select(polars.len()).collect().item() == sgfstream.scan(CORPUS).count()
    assert lazy.filter(polars.col("moves") > 10).select(polars.len()).collect().item() > 0
    assert [scan.columns for scan in read] == [["key", "game"], ["key", "moves"]]


def test_random_conditions_give_what_polars_gives(whole):
    draw = random.Random(5)
    leaves = [
        lambda: polars.col("moves") > draw.randrange(30),
        lambda: polars.col("pb").is_in(draw.sample(["Ada", "Ben", "gopher", None, "x"], draw.randrange(1, 4))),
        lambda: polars.col("komi").is_null(),
        lambda: polars.col("pb").str.starts_with(draw.choice("AaBg")),
        lambda: polars.col("date_min") < datetime.date(draw.randrange(1990, 2025), 1, 1),
        lambda: polars.col("moves").is_between(draw.randrange(10), draw.randrange(30), closed=draw.choice(["both", "left", "none"])),
        lambda: polars.col("moves") + 1 > draw.randrange(20),
        lambda: polars.col("winner") == draw.choice(["B", "W", "Black"]),
    ]

    def condition(depth):
        if depth == 0:
            return draw.choice(leaves)()
        kind, one = draw.randrange(4), condition(depth - 1)
        return ~one if kind == 0 else one & condition(depth - 1) if kind < 3 else one | condition(depth - 1)

    for _ in range(150):
        chosen = condition(draw.randrange(4))
        assert sgfstream.polars.scan_sgf(CORPUS).filter(chosen).select("key").collect().equals(whole.filter(chosen).select("key")), chosen


def test_a_limit_stops_the_reading(tmp_path, monkeypatch):
    """A program ends well after it took a few rows, and did not read the rest."""
    path = tmp_path / "many.sgf"
    path.write_bytes(collection(2_000) * 20)
    for query in (
        "duckdb.sql('SELECT pb, moves FROM games LIMIT 5').fetchall()",
        "polars.DataFrame(duckdb.sql('SELECT pb FROM games WHERE moves > 3 LIMIT 5').pl()).rows()",
        "scan.lazy().select('pb').head(5).collect().rows()",
    ):
        program = f"import duckdb, polars, sgfstream\nscan = sgfstream.scan({str(path)!r})\ngames = scan.to_dataset()\nprint(len({query}))"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "5\n"), query + done.stderr
    batches, grouped = [], sgfstream.polars._grouped
    monkeypatch.setattr(sgfstream.polars, "_grouped", lambda found: grouped(batches.append(1) or batch for batch in found))
    assert sgfstream.scan(str(path)).lazy().select("pb").head(5).collect().height == 5
    assert len(batches) == 1


FILTERS = [
    ("pb IN ('Ada', 'gopher')", "pb IN ('Ada', 'gopher')"),
    ("pb NOT IN ('Ada', 'gopher')", "NOT (pb IN ('Ada', 'gopher'))"),
    ("moves BETWEEN 2 AND 20 AND pb <> 'Ada'", "((moves >= 2) AND (moves <= 20)) AND (pb != 'Ada')"),
    ("pb IS NULL OR moves > 10", "(pb IS NULL) OR (moves > 10)"),
    ("date_min >= '1996-01-01'", "date_min >= DATE '1996-01-01'"),
    ("year(date_min) = 1996", "(date_min >= DATE '1996-01-01') AND (date_min <= DATE '1996-12-31')"),
    ("komi = 6.5", "komi = 6.5"),
    ("winner = 'Black'", None),
]


@pytest.mark.parametrize(("where", "expected"), FILTERS)
def test_duckdb_hands_conditions_on(where, expected, whole, monkeypatch):
    from sgfstream import _dataset

    read = []
    narrowed = _dataset.narrowed
    monkeypatch.setattr(_dataset, "narrowed", lambda scan, columns, text: read.append(text) or narrowed(scan, columns, text))
    games = sgfstream.scan(CORPUS).to_dataset()
    found = duckdb.sql(f"SELECT key FROM games WHERE {where} ORDER BY key").fetchall()
    assert found == duckdb.sql(f"SELECT key FROM whole WHERE {where} ORDER BY key").fetchall()
    assert read == [expected]


def test_filters_of_pyarrow(whole):
    field, compute = pyarrow.dataset.field, pyarrow.compute
    games, table = sgfstream.scan(CORPUS).to_dataset(), whole.to_arrow()
    for chosen in [
        field("pb").isin(["Ada", None]),
        ~field("pb").isin(["Ada"]) & (field("moves") > 3),
        compute.starts_with(field("pb"), "A") | compute.match_substring(field("pb"), "o"),
        compute.match_substring(field("pb"), "A", ignore_case=True),
        field("komi").is_null(nan_is_null=True) | ~(field("moves") <= 3),
        compute.utf8_length(field("pb")) > 3,
        compute.if_else(field("moves") > 3, field("pb") == "Ada", field("pb") == "gopher"),
        pyarrow.dataset.scalar(True),
    ]:
        assert games.to_table(columns=["key"], filter=chosen)["key"].to_pylist() == table.filter(chosen)["key"].to_pylist(), chosen


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
    monkeypatch.setattr(_dataset, "narrowed", lambda scan, columns, where: read.append(set(columns)) or narrowed(scan, columns, where))
    games = sgfstream.scan(CORPUS).to_dataset()
    assert duckdb.sql("SELECT pb FROM games WHERE moves > 20 AND winner = 'B'").fetchall() == [("Ada",)]
    assert read == [{"pb", "moves", "winner"}]


def test_counts(whole):
    assert sgfstream.scan(CORPUS).count() == whole.height
    assert sgfstream.scan(CORPUS, where="moves > 10").count() == whole.filter(polars.col("moves") > 10).height
    moves = sgfstream.moves(CORPUS)
    assert moves.count() == moves.to_arrow().num_rows == moves.to_pandas().shape[0]
