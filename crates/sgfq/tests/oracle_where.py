"""Compares `--where` with DuckDB: both must select the same games for random
expressions.

    oracle_where.py SGFQ [--count N] [--seed N] INPUT...

DuckDB filters the table that `sgfq index` writes, and sgfq filters the games."""

import csv
import io
import os
import random
import subprocess
import sys
import tempfile

import duckdb

NUMBERS = ["moves", "nodes", "variations", "depth", "length", "handicap", "gm", "ff", "board_width", "board_height", "errors", "warnings",
           "comment_bytes", "br_level", "komi", "margin", "tm", "game"]
WHOLE = ["moves", "nodes", "variations", "length", "board_width", "board_height", "comment_bytes", "game"]
TEXTS = ["pb", "pw", "br", "wr", "dt", "ev", "re", "winner", "win_by", "rules", "ot", "variant", "charset", "first_moves", "gn"]
DATES = ["date_min", "date_max"]
COMPARISONS = ["=", "<>", "!=", "<", "<=", ">", ">="]


class Both:
    """An expression as sgfq and as DuckDB write it."""

    def __init__(self, ours, theirs=None):
        self.ours, self.theirs = ours, theirs or ours

    def __str__(self):
        return self.ours


def put(pattern, *parts):
    return Both(pattern.format(*(part.ours for part in parts)), pattern.format(*(part.theirs for part in parts)))


class Writer:
    def __init__(self, seed, texts):
        self.random, self.texts = random.Random(seed), texts

    def one(self, *choices):
        return self.random.choice(choices)()

    def constant(self):
        return Both(repr(self.random.choice([0, 1, 2, 3, 5, 9, 19, 100, 200, 0.5, 6.5, 7.5, 1e3])))

    def number(self, depth):
        column = lambda: Both(self.random.choice(NUMBERS))
        if depth == 0:
            return self.one(column, self.constant)
        inner = lambda: self.number(depth - 1)
        def divided():
            whole, by = self.random.choice(WHOLE), self.random.choice(["0", "2", "3", "7"])
            return Both(f"({whole} / {by})", f"({whole} // {by})")
        return self.one(
            column, self.constant, divided,
            lambda: put("({} " + self.random.choice("+-*") + " {})", inner(), inner()),
            lambda: put("({} % {})", Both(self.random.choice(WHOLE)), Both(self.random.choice(["0", "2", "5"]))),
            lambda: put("coalesce({}, {})", inner(), inner()),
            lambda: put("abs({})", inner()),
            lambda: put("-{}", Both(self.random.choice(NUMBERS))),
            lambda: put("length({})", Both(self.random.choice(TEXTS))),
            lambda: put("year({})", Both(self.random.choice(DATES))),
            lambda: put("CASE WHEN {} THEN {} ELSE {} END", self.condition(depth - 1), inner(), inner()))

    def literal(self):
        return Both("'" + self.random.choice(self.texts).replace("'", "''") + "'")

    def text(self, depth):
        column = lambda: Both(self.random.choice(TEXTS))
        if depth == 0:
            return self.one(column, self.literal)
        return self.one(
            column, column, self.literal,
            lambda: put("{} || {}", column(), self.literal()),
            lambda: put(self.random.choice(["lower", "upper"]) + "({})", column()),
            lambda: put("coalesce({}, {})", column(), self.literal()))

    def pattern(self):
        text = self.random.choice(self.texts).replace("'", "").replace("\\", "").replace("%", "").replace("_", "")
        at = self.random.randrange(len(text) + 1)
        return Both("'" + self.random.choice(["%", "", "_"]) + text[at:at + 4] + self.random.choice(["%", "", "_%"]) + "'")

    def condition(self, depth):
        compare = lambda make: put("{} " + self.random.choice(COMPARISONS) + " {}", make(), make())
        text, number = lambda: self.text(max(depth - 1, 0)), lambda: self.number(max(depth - 1, 0))
        def matched():
            column = self.random.choice(TEXTS)
            regex = self.random.choice(["^[A-K]", "[0-9]", "a.*e", "n$", "^.{5,9}$", "[+]R|T"])
            return Both(f"{column} ~ '{regex}'", f"regexp_matches({column}, '{regex}')")
        leaves = [
            lambda: compare(number), lambda: compare(text), matched,
            lambda: put("{} " + self.random.choice(["LIKE", "NOT LIKE", "ILIKE"]) + " {}", Both(self.random.choice(TEXTS)), self.pattern()),
            lambda: put("{} IS " + self.random.choice(["NULL", "NOT NULL"]), Both(self.random.choice(TEXTS + NUMBERS + DATES))),
            lambda: put("{} " + self.random.choice(["IN", "NOT IN"]) + " ({}, {}, {})", number(), self.constant(), self.constant(), self.constant()),
            lambda: put("{} IN ({}, {})", Both(self.random.choice(TEXTS)), self.literal(), self.literal()),
            lambda: put("{} " + self.random.choice(["BETWEEN", "NOT BETWEEN"]) + " {} AND {}", number(), self.constant(), self.constant()),
            lambda: put("{} " + self.random.choice(COMPARISONS) + " DATE '{}-0{}-1{}'", Both(self.random.choice(DATES)),
                        *(Both(str(self.random.randrange(low, high))) for low, high in ((1900, 2025), (1, 10), (0, 10)))),
        ]
        if depth == 0:
            return self.random.choice(leaves)()
        inner = lambda: self.condition(depth - 1)
        return self.one(
            *leaves,
            *[lambda: put("({} " + self.random.choice(["AND", "OR"]) + " {})", inner(), inner())] * 6,
            lambda: put("NOT ({})", inner()),
            lambda: put("({}) IS " + self.random.choice(["TRUE", "NOT TRUE", "FALSE", "NULL"]), inner()))


def main():
    sgfq, words = sys.argv[1], sys.argv[2:]
    options = {"--count": 300, "--seed": 1}
    while words and words[0] in options:
        options[words[0]], words = int(words[1]), words[2:]
    with tempfile.TemporaryDirectory() as folder:
        games, table = os.path.join(folder, "games.sgf"), os.path.join(folder, "games.parquet")
        subprocess.run([sgfq, "sample", "-n", "2000", *words, "-o", games], stderr=subprocess.DEVNULL)
        subprocess.run([sgfq, "index", games, "-o", table], stderr=subprocess.DEVNULL)
        duckdb.sql("set error_on_division_by_zero = false")
        sql = lambda query: duckdb.sql(query).fetchall()
        total = sql(f"select count(*) from '{table}'")[0][0]
        assert total > 10, total
        texts = ["", "B", "B+R", "Go", "score"]
        for column in TEXTS:
            texts += [row[0] for row in sql(f"select distinct {column} from '{table}' where {column} is not null order by 1 limit 20")]
        texts = [text for text in texts if len(text) < 40 and text.isascii() and text.isprintable() and "\\" not in text]
        writer = Writer(options["--seed"], texts)
        chosen = some = 0
        for _ in range(options["--count"]):
            expression = writer.condition(3)
            expected = [row[0] for row in sql(f"select game from '{table}' where {expression.theirs} order by game")]
            run = subprocess.run([sgfq, "get", "game", "-f", "csv", f"--where={expression.ours}", games], capture_output=True, text=True)
            assert run.returncode in (0, 1), (expression.ours, run.stderr)
            found = [int(row["game"]) for row in csv.DictReader(io.StringIO(run.stdout))]
            if found != expected:
                differ = sorted(set(found) ^ set(expected))
                raise SystemExit(f"{expression.ours}\n{expression.theirs}\n{len(found)} games, DuckDB {len(expected)}; game {differ[0]}")
            chosen += len(found)
            some += 0 < len(found) < total
    print(f"duckdb {duckdb.__version__}: {options['--count']} expressions over {total} games choose alike; "
          f"{some} choose some of them, {chosen} games in all")


if __name__ == "__main__":
    main()
