"""The driver of a test: counts games on a cluster, slowly, and notes when a task begins and ends."""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_engines import QUERY, read, spark_session  # noqa: E402

notes, *paths = sys.argv[1:]


def make_source():
    """A class that is made in a function travels whole: the executors do not have this file."""
    from sgfstream.spark import SgfDataSource, SgfReader

    class SlowReader(SgfReader):
        def read(self, partition):
            def note(what):
                with open(notes, "a") as file:
                    # The parent is the worker's daemon, and its parent the executor.
                    status = open(f"/proc/{os.getppid()}/stat").read().rsplit(")", 1)[1].split()
                    file.write(f"{what}\t{hash_of(repr(partition.value[0]))}\t{status[1]}\n")

            def hash_of(text):
                import zlib

                return zlib.crc32(text.encode())

            note("begin")
            time.sleep(3)
            yield from super().read(partition)
            note("end")

    class SlowSource(SgfDataSource):
        def reader(self, schema):
            return SlowReader(self, list(schema.names))

    return SlowSource


session = spark_session("spark://127.0.0.1:17077")
session.dataSource.register(make_source())
read(session, paths, columns="nodes, moves, length", problemsTo=f"{notes}-problems").load().createOrReplaceTempView("games")
print(tuple(session.sql(QUERY).collect()[0]), flush=True)
session.stop()
