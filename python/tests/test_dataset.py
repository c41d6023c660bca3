"""A dataset of pyarrow has every method of its class, and none ends the process."""

import pickle
import subprocess
import sys

import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pytest

import sgfstream
from conftest import ROOT

CORPUS = str(ROOT / "corpus/go-*.sgf")
field = pyarrow.dataset.field

# A call for each public name of a dataset, and what it prints.
CALLS = {
    "count_rows": ("ds.count_rows()", "13"),
    "filter": ("ds.filter(d.field('moves') > 3).count_rows(filter=d.field('moves') < 20)", "5"),
    "get_fragments": ("list(ds.get_fragments())", "sgfstream.plan(inputs) divides inputs"),
    "head": ("ds.head(2, columns=['pb']).shape", "(2, 1)"),
    "join": ("ds.join(ds, 'key', right_suffix='_2').count_rows()", "13"),
    "join_asof": ("ds.join_asof(right, on='n', by='key', tolerance=0).count_rows()", "4"),
    "partition_expression": ("ds.partition_expression", "true"),
    "replace_schema": ("ds.replace_schema(ds.schema)", "to_reader()"),
    "scanner": ("ds.scanner(columns=['pb']).to_reader().read_all().shape", "(13, 1)"),
    "schema": ("len(ds.schema.names) > 60", "True"),
    "sort_by": ("ds.sort_by([('moves', 'descending')]).to_table()['moves'][0]", "24"),
    "take": ("ds.take([1, 3], columns=['pb']).shape", "(2, 1)"),
    "to_batches": ("sum(map(len, ds.to_batches(columns=['pb'])))", "13"),
    "to_table": ("ds.to_table(columns={'double': d.field('moves') * 2}).column_names", "['double']"),
    "children": ("ds.children", "[]"),
    # Functions that read the native part of a dataset.
    "union": ("d.dataset([ds])", "to_reader()"),
    "native union": ("d.UnionDataset(ds.schema, [ds]).to_table()", "to_reader()"),
    "native scanner": ("d.Scanner.from_dataset(ds).to_table()", "to_reader()"),
    "write": ("d.write_dataset(ds, 'out', format='parquet')", "Scanner"),
    "write rows": ("d.write_dataset(ds.scanner(columns=['pb']).to_reader(), folder, format='parquet') or d.dataset(folder).count_rows()", "13"),
    "scanner schema": ("ds.scanner(columns=['pb']).dataset_schema == ds.schema", "True"),
    "scan batches": ("ds.scanner().scan_batches()", "to_batches()"),
}


def names_of_a_dataset():
    return sorted({name for kind in (pyarrow.dataset.Dataset, pyarrow.dataset.UnionDataset) for name in dir(kind) if not name.startswith("_")})


@pytest.mark.parametrize("name", sorted({*CALLS, *names_of_a_dataset()}))
def test_each_method_answers_or_says_what_to_use(name, tmp_path):
    call, expected = CALLS[name]
    program = f"""
import pyarrow.dataset as d, sgfstream
ds, folder = sgfstream.scan({CORPUS!r}).to_dataset(), {str(tmp_path / "out")!r}
if "asof" in {name!r}:
    ds = sgfstream.scan({CORPUS!r}, columns=["game AS n"], where="source ~ 'collection'").to_dataset()
    right = d.dataset(ds.to_table().append_column("other", ds.to_table()["n"]))
try:
    print({call})
except (NotImplementedError, TypeError) as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_a_dataset_overrides_every_method():
    from sgfstream._dataset import SgfDataset

    assert {name for name in names_of_a_dataset() if name not in vars(SgfDataset)} == set()


def test_a_filter_stays():
    scan = sgfstream.scan(CORPUS)
    table, ds = scan.to_arrow(), scan.to_dataset()
    some = ds.filter(field("moves") > 3).filter(field("winner") == "B")
    expected = table.filter((field("moves") > 3) & (field("winner") == "B"))
    assert 0 < expected.num_rows < table.num_rows
    for each in (some, pickle.loads(pickle.dumps(some))):
        assert each.to_table() == expected and each.count_rows() == expected.num_rows
        assert each.head(1) == expected.slice(0, 1) and each.sort_by("moves").to_table() == expected.sort_by("moves")
    assert some.to_table(columns=["pb"], filter=field("pb") == "Ada") == expected.filter(field("pb") == "Ada").select(["pb"])
    assert some.to_table(columns={"n": field("moves") * 2})["n"].to_pylist() == [2 * moves for moves in expected["moves"].to_pylist()]
    scanner = some.scanner(columns=["pb"])
    assert scanner.to_table() == scanner.to_table() == expected.select(["pb"]) and scanner.count_rows() == expected.num_rows
    with pytest.raises(TypeError, match="expected a pyarrow expression"):
        ds.filter("moves > 3")


def test_counting_reads_as_little_as_possible(monkeypatch):
    from sgfstream import _dataset

    read = []
    narrowed = _dataset.narrowed
    monkeypatch.setattr(_dataset, "narrowed", lambda scan, columns, where: read.append(columns) or narrowed(scan, columns, where))
    ds = sgfstream.scan(CORPUS).to_dataset()
    assert ds.count_rows() == sgfstream.scan(CORPUS).count() and read == []
    assert ds.count_rows(field("moves") > 3) > 0 and read == [["moves"]]
