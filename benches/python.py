"""Measures the figures of docs/python.md: CPU seconds and peak memory, each in a separate process.

    python benches/python.py LARGE.sgf FOLDER [spark | sail]

LARGE.sgf is a plain file of many games, FOLDER has small files of one game each. The script measures sgfmill if it is
installed. `spark` and `sail` also run a query on two cores of this machine; they need pyspark or pysail.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import zipfile


def used():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def rows(scan):
    return sum(batch.num_rows for batch in scan)


FOUR = ["pb", "pw", "winner", "moves"]
QUERY = "SELECT winner, count(*), sum(moves) FROM games GROUP BY winner ORDER BY winner"


def small_files(folder):
    return sorted(map(str, pathlib.Path(folder).rglob("*.sgf")))[:5000]


def scan(large, folder):
    import sgfstream

    return lambda: (rows(sgfstream.scan(large, columns=FOUR, threads=1)), "games")


def scan_refused(large, folder):
    import sgfstream

    games = rows(sgfstream.scan(large, columns=["pb"]))
    refused = sgfstream.scan(large, columns=FOUR, where="pb = 'no such name'", threads=1)
    return lambda: (games - rows(refused), "games refused by their root")


def scan_gigabyte(large, folder):
    import sgfstream

    times = -(-(1 << 30) // pathlib.Path(large).stat().st_size)
    return lambda: (rows(sgfstream.scan([large] * times, columns=FOUR, threads=2)), "games of 1 GB, 2 threads")


def lines(large, folder):
    import sgfstream

    return lambda: (sum(len(batch["moves"].values) for batch in sgfstream.lines(large, threads=1)), "moves of lines")


def moves(large, folder):
    import sgfstream

    return lambda: (rows(sgfstream.moves(large, threads=1)), "rows of moves")


def positions(large, folder):
    import sgfstream

    return lambda: (rows(sgfstream.positions(large, threads=1)), "positions")


def to_numpy(inputs, what):
    """`inputs` are names of files, or a file that lasts as long as this."""
    import sgfstream

    # pyarrow imports pandas, where it is, when it makes the first array.
    names = lambda: inputs if isinstance(inputs, list) else inputs.name
    rows = lambda: (batch["moves"].values.to_numpy() for batch in sgfstream.lines(names(), threads=1))
    next(rows())
    return lambda: (sum(map(len, rows())), what)


def numpy_sgfstream(large, folder):
    files = small_files(folder)
    return to_numpy(files, f"moves of {len(files)} files to numpy")


def numpy_sgfstream_plain(large, folder):
    file = tempfile.NamedTemporaryFile(suffix=".sgf")
    file.write(b"\n".join(pathlib.Path(path).read_bytes() for path in small_files(folder)))
    file.flush()
    return to_numpy(file, "moves of the same games in one file")


def numpy_sgfstream_zip(large, folder):
    file = tempfile.NamedTemporaryFile(suffix=".zip")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in small_files(folder):
            archive.write(path)
    return to_numpy(file, "moves of the same games in a zip")


def numpy_sgfmill(large, folder):
    import numpy
    from sgfmill import sgf

    files = small_files(folder)

    def read():
        total = 0
        for path in files:
            game = sgf.Sgf_game.from_bytes(pathlib.Path(path).read_bytes())
            moves = (node.get_move() for node in game.get_main_sequence())
            total += len(numpy.array([-1 if at is None else at[0] * 19 + at[1] for color, at in moves if color], numpy.int16))
        return total, f"moves of {len(files)} files to numpy"

    return read


def query_one_process(large, folder):
    import pyarrow
    import sgfstream

    def read():
        table = pyarrow.table(sgfstream.scan(large, columns=["winner", "moves"], threads=2))
        return table.group_by("winner").aggregate([("moves", "sum"), ("moves", "count")]).num_rows and table.num_rows, "games of a query"

    return read


def query(session, large):
    from sgfstream.spark import SgfDataSource

    session.dataSource.register(SgfDataSource)
    source = session.read.format("sgf").option("splitBytes", 8 << 20).schema("winner string, moves long")
    source.load(large).createOrReplaceTempView("games")
    return sum(row[1] for row in session.sql(QUERY).collect())


def query_spark(large, folder):
    from pyspark.sql import SparkSession

    def read():
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1")
        session = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
        found = query(session, large)
        gateway = session.sparkContext._gateway
        session.stop()
        # The time of a child counts when it has ended.
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait()
        return found, "games of a query, with the start of Spark"

    return read


def query_sail(large, folder):
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    def read():
        server = SparkConnectServer()
        server.start()
        session = SparkSession.builder.remote(f"sc://localhost:{server.listening_address[1]}").getOrCreate()
        found = query(session, large)
        session.stop()
        server.stop()
        return found, "games of a query, with the start of Sail"

    return read


def main():
    large, folder, *more = sys.argv[1:]
    # Otherwise, workers of Spark run another Python.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if len(more) == 2:
        # Import first, so that the time of the scan does not include it.
        import pyarrow

        task = globals()[more[1]](large, folder)
        memory, begin, wall = peak(), used(), time.perf_counter()
        count, what = task()
        cpu, wall = used() - begin, time.perf_counter() - wall
        print(f"| {more[1]} | {count:,} {what} | {cpu:.2f} | {count / cpu:,.0f} | {wall:.1f} | {peak() - memory:.0f} |", flush=True)
        return
    tasks = [scan, scan_refused, lines, moves, positions, numpy_sgfstream, numpy_sgfstream_plain, numpy_sgfstream_zip, numpy_sgfmill, scan_gigabyte, query_one_process]
    tasks += [globals()[f"query_{engine}"] for engine in more]
    print("| task | work | CPU s | per CPU s | wall s | MiB beyond the imports |\n|---|---|---|---|---|---|", flush=True)
    for task in tasks:
        done = subprocess.run([sys.executable, __file__, large, folder, "run", task.__name__], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            print(f"| {task.__name__} | failed: {done.stderr.strip().splitlines()[-1]} | | | | |", flush=True)


main()
