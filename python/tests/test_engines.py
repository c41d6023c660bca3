"""Dask, Ray, Sail and Spark read what one process reads, where they are installed."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pyarrow
import pyarrow.compute as compute
import pytest

import sgfstream
from conftest import ROOT

has = lambda module: importlib.util.find_spec(module) is not None


def sums(inputs):
    table = pyarrow.table(sgfstream.scan(inputs, columns=["nodes", "moves", "length"]))
    return (table.num_rows, *(compute.sum(table[name]).as_py() for name in ("nodes", "moves", "length")))


@pytest.fixture
def paths(inputs):
    return [str(inputs / "large.sgf"), str(inputs / "members.zip"), str(inputs / "corpus")]


@pytest.mark.skipif(not has("dask"), reason="dask is not installed")
def test_dask(paths):
    import sgfstream.dask

    frame = sgfstream.dask.read_sgf(paths, columns=["nodes", "moves", "length"], split_bytes=1 << 20)
    assert frame.npartitions > 2
    found = frame[["nodes", "moves", "length"]].sum().compute(scheduler="threads")
    assert (len(frame), *map(int, found)) == sums(paths)
    urls = [pathlib.Path(paths[0]).parent.as_uri() + "/l*.sgf", pathlib.Path(paths[1]).as_uri()]
    remote = sgfstream.dask.read_sgf(urls, columns=["nodes"])
    assert len(remote) == sums(paths[:2])[0]
    for url, found in [("", "the URL is a directory"), ("/*.none", "no file matches"), ("/none.sgf", "none.sgf")]:
        with pytest.raises(FileNotFoundError, match=found):
            sgfstream.dask.read_sgf(pathlib.Path(paths[2]).as_uri() + url)
    lines = sgfstream.dask.read_sgf(paths[1], table="lines", where="moves > 50")
    assert (lines.compute(scheduler="threads")["moves"].map(len) > 50).all()


@pytest.mark.skipif(not has("ray"), reason="ray is not installed")
def test_ray(paths):
    import ray

    import sgfstream.ray

    os.environ.setdefault("RAY_TMPDIR", "/tmp")
    ray.init(num_cpus=2, _node_ip_address="127.0.0.1", include_dashboard=False, log_to_driver=False)
    try:
        data = sgfstream.ray.read_sgf(paths, columns=["nodes", "moves", "length"], split_bytes=1 << 20)
        found = data.sum(["nodes", "moves", "length"])
        assert (data.count(), *found.values()) == sums(paths)
    finally:
        ray.shutdown()


def read(session, paths, **options):
    reader = session.read.format("sgf").option("paths", "\n".join(paths)).option("splitBytes", 1 << 20)
    for name, value in options.items():
        reader = reader.option(name, value)
    return reader


QUERY = "SELECT count(*), sum(nodes), sum(moves), sum(length) FROM games"


@pytest.fixture
def damaged(tmp_path):
    """Inputs of which not all can be read: when they are opened, and when they are listed."""
    cut, names = tmp_path / "cut.sgf.gz", tmp_path / "names"
    cut.write_bytes(b"\x1f\x8b\x08\x00damage")
    (tmp_path / "one.sgf").write_bytes(b"(;GM[1])")
    names.write_text(f"{tmp_path / 'one.sgf'}\n{tmp_path / 'gone.sgf'}\n")
    return [str(cut), f"@{names}"]


def problems_of(inputs):
    rows = pyarrow.table(sgfstream.problems(inputs)).to_pylist()
    return sorted(rows, key=lambda row: (row["source"], row["member"] or "", row["code"]))


def look(session, paths, damaged, folder):
    """What both Spark and Sail must give."""
    from sgfstream.spark import SgfDataSource, read_problems

    session.dataSource.register(SgfDataSource)
    read(session, paths, columns="nodes, moves, length").load().createOrReplaceTempView("games")
    assert tuple(session.sql(QUERY).collect()[0]) == sums(paths)
    named = read(session, paths).schema("winner string, moves long").load()
    found = named.where("winner = 'B' AND moves > 50").count()
    assert found == pyarrow.table(sgfstream.scan(paths, where="winner = 'B' AND moves > 50", columns=["moves"])).num_rows
    computed = read(session, paths, columns="moves * 2 AS twice, komi AS moves, winner, coalesce(pb, pw) AS pb").load()
    found = computed.where("twice > 50 AND moves > 6 AND winner IN ('B', 'W') AND pb IS NOT NULL").count()
    expected = "moves * 2 > 50 AND komi > 6 AND winner IN ('B', 'W') AND coalesce(pb, pw) IS NOT NULL"
    assert found == sgfstream.scan(paths, where=expected).count() > 0
    # `where` refuses a winner that no game has, and orders ranks by strength.
    assert named.where("winner = 'Black'").count() == 0
    rows = read(session, paths[1:2], table="positions", history=2, sample=0.02, seed=3).load().collect()
    expected = pyarrow.table(sgfstream.positions(paths[1], history=2, sample=0.02, seed=3))
    stones = lambda rows: sorted((row["key"], row["ply"], tuple(row["stones"]), tuple(row["last"])) for row in rows)
    assert stones(row.asDict() for row in rows) == stones(expected.to_pylist()) and len(rows) > 100
    expected = problems_of(paths + damaged)
    assert [row["code"] for row in expected] == ["truncated", "not-found"]
    problems = [row.asDict() for row in read(session, paths + damaged, table="problems").load().collect()]
    assert sorted(problems, key=lambda row: row["source"]) == expected
    # The same files by URLs, which each task copies; two of them are in one task.
    urls = [pathlib.Path(path).as_uri() for path in (paths[0], paths[1])]
    named = read(session, urls, columns="source, member, game, nodes").load().collect()
    cells = lambda rows: sorted((row["source"], row["member"] or "", row["game"], row["nodes"]) for row in rows)
    local = pyarrow.table(sgfstream.scan(paths[:2], columns=["source", "member", "game", "nodes"])).to_pylist()
    assert cells(named) == cells({**row, "source": pathlib.Path(row["source"]).as_uri()} for row in local)
    # Each query says what it could not read, and nothing of the one before.
    told = read(session, paths + damaged, columns="nodes, moves, length", problemsTo=str(folder)).load()
    for _ in range(2):
        assert told.count() == sums(paths + damaged)[0]
        assert read_problems(folder).to_pylist() == expected
    assert read(session, paths, columns="moves", problemsTo=str(folder)).load().count() == sums(paths)[0]
    assert read_problems(folder).num_rows == 0 and read_problems(folder).schema.names == list(expected[0])


@pytest.mark.skipif(not has("pysail"), reason="pysail is not installed")
def test_sail(paths, damaged, tmp_path):
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer()
    server.start()
    _, port = server.listening_address
    session = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
    try:
        look(session, paths, damaged, tmp_path / "told")
    finally:
        session.stop()
        server.stop()


needs_spark = pytest.mark.skipif(
    not has("pyspark") or has("pysail") or shutil.which("java") is None, reason="pyspark or java is not installed"
)


@pytest.mark.skipif(not has("pyspark"), reason="pyspark is not installed")
def test_conditions_of_spark_are_expressions():
    import datetime

    from pyspark.sql import datasource as spark

    if not hasattr(spark, "EqualTo"):
        pytest.skip("Spark 4.0 hands no conditions on")
    from sgfstream._spark_filters import sql

    for condition, text in [
        (spark.EqualTo(("winner",), "B"), "winner = 'B'"),
        (spark.EqualNullSafe(("pb",), "O'Hara"), "pb IS NOT NULL AND pb = 'O''Hara'"),
        (spark.Not(spark.EqualNullSafe(("pb",), "x")), "NOT (pb IS NOT NULL AND pb = 'x')"),
        (spark.Not(spark.GreaterThan(("komi",), 6.5)), "NOT (komi > 6.5)"),
        (spark.In(("winner",), ("B", "W")), "winner IN ('B', 'W')"),
        (spark.IsNull(("ev",)), "ev IS NULL"),
        (spark.IsNotNull(("ev",)), "ev IS NOT NULL"),
        (spark.StringStartsWith(("pb",), "50%_\\"), "pb LIKE '50\\%\\_\\\\%'"),
        (spark.StringEndsWith(("pb",), "x"), "pb LIKE '%x'"),
        (spark.StringContains(("pb",), "x"), "pb LIKE '%x%'"),
        (spark.LessThanOrEqual(("date_min",), datetime.date(1990, 12, 24)), "date_min <= DATE '1990-12-24'"),
        (spark.EqualTo(("key",), 3), "key = 3"),
        (spark.EqualTo(("a", "b"), 3), None),
        (spark.GreaterThan(("komi",), float("nan")), None),
        (spark.EqualTo(("winner",), "Black"), None),
        (spark.GreaterThan(("br",), "3d"), None),
        (spark.Not(spark.EqualTo(("key",), 3)), "NOT (key = 3)"),
    ]:
        assert sql(condition, sgfstream.columns()) == text
        if text is not None:
            sgfstream.scan(b"(;)", where=text)


def spark_session(master, hands_on="true"):
    from pyspark.sql import SparkSession

    os.environ.update(PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.executor.memory", "1g").config("spark.executor.cores", "1")
    return builder.config("spark.sql.python.filterPushdown.enabled", hands_on).config("spark.sql.shuffle.partitions", "2").getOrCreate()


@needs_spark
@pytest.mark.parametrize("hands_on", ["true", "false"])
def test_spark(hands_on, paths, damaged, tmp_path):
    """With conditions handed on, and as Spark is without a word of its user."""
    session = spark_session("local[2]", hands_on)
    try:
        look(session, paths, damaged, tmp_path / "told")
    finally:
        session.stop()


@pytest.mark.spark
@needs_spark
def test_spark_loses_an_executor(paths, damaged, tmp_path):
    """A master and two workers on loopback; one executor is killed while it has work. The sums are the same."""
    import pyspark

    home = pathlib.Path(pyspark.__file__).parent
    environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1", "PYSPARK_PYTHON": sys.executable}
    processes = []

    def start(name, *arguments):
        log = open(tmp_path / f"{name}.log", "w")
        command = [str(home / "bin/spark-class"), "-Xmx256m", *arguments]
        processes.append(subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=tmp_path))

    def wait_for(what, look):
        """What `look` finds, however long a busy machine takes; processes that end fail the test at once."""
        for _ in range(20 * 60 * 10):
            if found := look():
                return found
            for process in processes:
                assert process.poll() is None, f"{what}: {process.args[1:3]} ended"
            time.sleep(0.1)
        pytest.fail(f"{what} did not come")

    def line_of(name, text):
        lines = (tmp_path / f"{name}.log").read_text().splitlines()
        return next((line for line in lines if text in line), None)

    # More pieces, and no two alike: each is known by its text.
    copies = [shutil.copy(paths[0], tmp_path / f"copy{number}.sgf") for number in range(3)]
    paths = paths + [str(copy) for copy in copies] + damaged
    done = tmp_path / "pieces"
    try:
        # Ports that are free: the master says which one it took.
        start("master", "org.apache.spark.deploy.master.Master", "-h", "127.0.0.1", "-p", "0", "--webui-port", "0")
        wait_for("the master", lambda: line_of("master", "elected leader"))
        url = re.search(r"spark://127\.0\.0\.1:\d+", line_of("master", "Starting Spark master at"))[0]
        for worker in ("w1", "w2"):
            start(worker, "org.apache.spark.deploy.worker.Worker", "-h", "127.0.0.1", "-c", "1", "-m", "1g", "--webui-port", "0", "-d", str(tmp_path / worker), url)
        for worker in ("w1", "w2"):
            wait_for(f"worker {worker}", lambda: line_of(worker, "Successfully registered"))
        out, err = tmp_path / "driver.out", tmp_path / "driver.err"
        with open(out, "w") as stdout, open(err, "w") as stderr:
            job = [sys.executable, str(pathlib.Path(__file__).parent / "spark_job.py"), url, str(done), *paths]
            driver = subprocess.Popen(job, stdout=stdout, stderr=stderr, env=environment)
        processes.append(driver)

        def working():
            """An executor that has begun a piece, which waits."""
            pieces = [line.split("\t") for line in done.read_text().splitlines()] if done.exists() else []
            return next((int(piece[2]) for piece in pieces if piece[0] == "wait"), None)

        os.kill(wait_for("an executor at work", working), 9)
        pathlib.Path(f"{done}-killed").touch()
        driver.wait(timeout=1200)
        out, err = out.read_text(), err.read_text()
        assert driver.returncode == 0 and eval(out.strip().splitlines()[-1]) == sums(paths), err[-3000:]
        begun = [line.split("\t")[1] for line in done.read_text().splitlines() if line.startswith("begin")]
        assert len(begun) > len(set(begun)) and "ExecutorLostFailure" in err, "no piece was read twice"
        from sgfstream.spark import read_problems

        assert read_problems(f"{done}-problems").to_pylist() == problems_of(paths)
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_wrong_options_and_columns_of_spark_are_named(tmp_path):
    pytest.importorskip("pyspark")
    from pyspark.sql.types import IntegerType, StringType, StructField, StructType

    from sgfstream.spark import SgfDataSource

    path = str(ROOT / "corpus/go-collection.sgf")
    with pytest.raises(ValueError, match="unknown option whre; the options are batchsize, "):
        SgfDataSource({"path": path, "whre": "moves > 3"})
    wrong = StructType([StructField("winer", StringType())])
    with pytest.raises(ValueError, match="unknown column winer; the table has "):
        SgfDataSource({"path": path}).reader(wrong)
    schema = StructType([StructField("pb", StringType()), StructField("moves", IntegerType())])
    for options in ({"path": path}, {"paths": f'["{path}"]'}, {"paths": path}):
        reader = SgfDataSource({**options, "problemsTo": str(tmp_path)}).reader(schema)
        batches = [batch for task in reader.partitions() for batch in reader.read(task)]
        assert sum(map(len, batches)) == 4 and str(batches[0].schema.field("moves").type) == "int32"


def test_problems_of_dask_are_written_to_a_folder(tmp_path):
    pytest.importorskip("dask.dataframe")
    import sgfstream.dask

    cut = tmp_path / "cut.sgf.gz"
    cut.write_bytes(b"\x1f\x8b\x08\x00damage")
    folder = tmp_path / "problems"
    inputs = [str(ROOT / "corpus/go-collection.sgf"), str(cut), str(tmp_path / "gone.sgf")]
    with pytest.warns(RuntimeWarning):
        frame = sgfstream.dask.read_sgf(inputs, columns=["pb"], problems_to=str(folder)).compute(scheduler="synchronous")
    assert len(frame) == 4
    found = sgfstream.dask.read_problems(folder).to_pylist()
    assert [(row["source"].rsplit("/")[-1], row["code"]) for row in found] == [("cut.sgf.gz", "truncated"), ("gone.sgf", "not-found")]
