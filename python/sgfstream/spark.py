"""Archives as a data source of Spark 4, which also runs on Sail.

    spark.dataSource.register(sgfstream.spark.SgfDataSource)
    spark.read.format("sgf").load("/shared/archives").where("winner = 'B' AND moves > 200")

A partition is a split of :func:`sgfstream.plan`: an exact range of a plain file, a run of members of a zip, another
archive, or small files together. All nodes must see the files. If they do not share a file system, name the files by URLs
that fsspec opens on every node (``s3://games/2024/*.zip``). Each task then copies its files, one after another, to its own
disk.

Options: ``path`` (or the argument of ``load``, also a list), or ``paths`` with a newline between them; ``table``; ``where``; ``columns``
(with commas between them); ``size``, ``history``, ``every``, ``sample``, ``seed``; ``legality``; ``charset``, ``framing``,
``errors``; ``batchSize``, ``splitBytes``.

Spark asks a Python source for all columns. To read fewer, name the columns with ``.schema("winner string, moves long")`` or
the option ``columns``. Spark 4.1 passes conditions to the source if ``spark.sql.python.filterPushdown.enabled`` is true.

An unreadable file causes a warning in the log of its task; with ``errors`` = ``raise``, the task fails. The table
``problems`` lists all unreadable files. With the option ``problemsTo``, queries of other tables report them, too: each task
writes its unreadable files to a file in that folder, which all nodes must see. A repeated task replaces its file, so no
problem is counted twice. After the query, :func:`read_problems` returns the problems of all tasks that finished.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from . import columns as all_columns
from ._tables import begin_problems, how_of, open_table, open_task, plan_tasks, read_problems, row_of, warn, write_problems

if TYPE_CHECKING:
    from pyspark.sql.datasource import Filter

__all__ = ["SgfDataSource", "read_problems"]

# Options of a table: for each of Spark's names in lower case, the Python name and the conversion of its text.
_OPTIONS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "size": ("size", int),
    "history": ("history", int),
    "every": ("every", int),
    "sample": ("sample", float),
    "seed": ("seed", int),
    "legality": ("legality", lambda text: text.lower() == "true"),
    "charset": ("charset", str),
    "framing": ("framing", str),
    "errors": ("errors", str),
    "batchsize": ("batch_size", int),
}

_OTHERS = ("path", "paths", "table", "where", "columns", "splitbytes", "problemsto")


class SgfDataSource(DataSource):
    """Data source ``sgf``; the module describes its options."""

    @classmethod
    def name(cls) -> str:
        return "sgf"

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        known = [*_OPTIONS, *_OTHERS]
        # Spark passes some options of its own, which have dots.
        unknown = sorted(name for name in map(str.lower, options) if name not in known and "." not in name)
        if unknown:
            raise ValueError(f"unknown option {unknown[0]}; the options are {', '.join(sorted(known))}")

    def schema(self) -> Any:
        from pyspark.sql.pandas.types import from_arrow_schema

        scan = open_table(self._table(), splits=[], columns=self._columns(), **self._how())
        return from_arrow_schema(_plain(pyarrow.schema(scan)))

    def reader(self, schema: Any) -> SgfReader:
        # If Spark does not pass conditions on, it refuses a reader that accepts them. Only a variable of the caller shows this.
        # The caller in Sail is not Python.
        caller = sys._getframe().f_back
        is_refused = caller is not None and caller.f_locals.get("enable_pushdown") is False
        # Spark passes its own schema, and Sail an Arrow schema. Both have `names`.
        return (SgfReader if is_refused else FilteringReader)(self, schema)

    def _table(self) -> str:
        return str(self.options.get("table", "games"))

    def _inputs(self) -> list[str]:
        if "paths" in self.options:
            # A list in load() is JSON.
            paths = str(self.options["paths"])
            return [str(path) for path in json.loads(paths)] if paths.startswith('["') else paths.splitlines()
        if "path" not in self.options:
            raise ValueError("no path: pass one to load(), or set the option path, or paths (Sail drops a list in load())")
        return [self.options["path"]]

    def _columns(self) -> list[str] | None:
        return [self.options["columns"]] if "columns" in self.options else None

    def _how(self) -> dict[str, Any]:
        options = {key.lower(): value for key, value in self.options.items()}
        return {name: read(options[key]) for key, (name, read) in _OPTIONS.items() if key in options}


class SgfReader(DataSourceReader):
    """Reader of the partitions of a query."""

    def __init__(self, source: SgfDataSource, schema: Any):
        columns = list(schema.names)
        options = {key.lower(): value for key, value in source.options.items()}
        self.table = source._table()
        self.inputs = source._inputs()
        self.how = source._how()
        self.columns = columns
        known = set(pyarrow.schema(open_table(self.table, splits=[], columns=source._columns(), **self.how)).names)
        if unknown := [name for name in columns if name not in known]:
            raise ValueError(f"unknown column {unknown[0]}; the table has {', '.join(sorted(known))}")
        self.types = _types_of(schema)
        # The option may compute a column and give it the name of another column. Pass conditions on only for columns that it just names.
        self.expressions = source._columns() if self.table == "games" else None
        self.own = set(all_columns())
        if self.expressions is not None:
            (text,) = self.expressions
            named = {part.strip() for part in text.split(",")}
            if named <= self.own:
                self.expressions = None
            self.own = named & self.own if "(" not in text else set()
        self.split_bytes = int(options.get("splitbytes", 64 << 20))
        self.conditions = [options["where"]] if "where" in options else []
        self.problems_to = options.get("problemsto")

    def partitions(self) -> list[InputPartition]:
        tasks, unopened = plan_tasks(self.inputs, self.split_bytes, **how_of(self.how))
        if self.problems_to is not None:
            begin_problems(self.problems_to, unopened)
        # Files that could not be opened belong to no task, so the first task reports them.
        rows = [row_of(problem) for problem in unopened]
        return [InputPartition((task, rows if at == 0 else [])) for at, task in enumerate(tasks)]

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        task, unopened = partition.value
        where = " AND ".join(f"({condition})" for condition in self.conditions) or None
        wanted = [name for name in self.columns if name != "key"] if self.table == "games" else None
        wanted = self.expressions or wanted
        # A table without columns still has rows to count.
        wanted = ["game"] if wanted == [] else wanted
        where_of = {} if self.table == "problems" else {"where": where}
        scan = open_task(self.table, task, columns=wanted, **where_of, **self.how)
        if self.table == "problems" and unopened:
            yield self._chosen(pyarrow.RecordBatch.from_pylist(unopened, pyarrow.schema(scan)))
        for row in unopened:
            sentence = "{source}: {message}".format(**row)
            if self.how.get("errors") == "raise":
                raise OSError(sentence)
            warnings.warn(sentence, RuntimeWarning, stacklevel=2)
        for batch in scan:
            yield self._chosen(batch)
        warn(scan)
        if self.problems_to is not None:
            write_problems(self.problems_to, repr(task), scan.problems)

    def _chosen(self, batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
        schema = _plain(batch.schema)
        # Spark's `int` and `float` are narrower than the types of the table.
        types = [self.types.get(name, schema.field(name).type) for name in self.columns]
        columns = [batch[name].cast(type) for name, type in zip(self.columns, types)]
        return pyarrow.RecordBatch.from_arrays(columns, names=self.columns)


class FilteringReader(SgfReader):
    """Reader that also accepts conditions."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """Accepts the conditions that `where` can express. `where` selects games, so it has no conditions for the rows of other tables."""
        # Spark 4.0 lacks these classes.
        from ._spark_filters import sql

        for condition in filters:
            text = sql(condition, self.own) if self.table == "games" else None
            if text is None:
                yield condition
            else:
                self.conditions.append(text)


def _types_of(schema: Any) -> dict[str, pyarrow.DataType]:
    """Returns the numbers of a user's schema that have another type than the table."""
    narrow = {"byte": "int8", "short": "int16", "integer": "int32", "float": "float32"}
    # Sail passes an Arrow schema, which has the types of the table.
    types = {field.name: field.dataType for field in schema if hasattr(field, "dataType")}
    names = {name: type.typeName() for name, type in types.items()}
    return {name: pyarrow.type_for_alias(narrow[kind]) for name, kind in names.items() if kind in narrow}


def _plain(schema: pyarrow.Schema) -> pyarrow.Schema:
    """Returns the schema for Spark: lists of fixed length become lists, items get Spark's name, and metadata is dropped."""

    def plain(field: pyarrow.Field) -> pyarrow.Field:
        types = pyarrow.types
        if types.is_fixed_size_list(field.type) or types.is_list(field.type):
            return pyarrow.field(field.name, pyarrow.list_(pyarrow.field("element", field.type.value_type)))
        return pyarrow.field(field.name, field.type)

    return pyarrow.schema([plain(field) for field in schema])
