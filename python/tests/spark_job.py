"""The driver of a test: counts games on a cluster, and notes when a task begins, waits and ends.

When three tasks have ended, those that begin wait until the file `NOTES-killed` is there.
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_engines import QUERY, read, spark_session  # noqa: E402

url, notes, *paths = sys.argv[1:]
killed = f"{notes}-killed"


def make_source():
    """A class that is made in a function travels whole: the executors do not have this file."""
    from sgfstream.spark import SgfDataSource, SgfReader

    class WaitingReader(SgfReader):
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
            with open(notes) as file:
                ended = sum(line.startswith("end") for line in file)
            if ended >= 3 and not os.path.exists(killed):
                note("wait")
                # An executor that was killed leaves a process that no one waits for: it gives up at some time.
                for _ in range(20 * 60 * 20):
                    if os.path.exists(killed):
                        break
                    time.sleep(0.05)
            yield from super().read(partition)
            note("end")

    class WaitingSource(SgfDataSource):
        def reader(self, schema):
            return WaitingReader(self, list(schema.names))

    return WaitingSource


session = spark_session(url)
session.dataSource.register(make_source())
read(session, paths, columns="nodes, moves, length", problemsTo=f"{notes}-problems").load().createOrReplaceTempView("games")
print(tuple(session.sql(QUERY).collect()[0]), flush=True)
session.stop()
