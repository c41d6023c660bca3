"""The examples of docstrings and pages are run, and the stubs name what there is."""

import ast
import doctest
import json
import os
import pathlib
import subprocess
import sys

import pytest

import sgfstream
from sgfstream import _native
from conftest import ROOT


def native_items():
    for name, item in vars(_native).items():
        if isinstance(item, type):
            yield name, item


def test_docstrings(monkeypatch):
    monkeypatch.chdir(ROOT)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner()
    tests = finder.find(sgfstream, "sgfstream", globs={"sgfstream": sgfstream})
    parser = doctest.DocTestParser()
    items = [("columns", sgfstream.columns)]
    for name, item in native_items():
        items += [(name, item)] + [(f"{name}.{member}", getattr(item, member)) for member in vars(item)]
    for name, item in items:
        text = getattr(item, "__doc__", None) or ""
        if ">>>" in text and not any(test.name.endswith(name) for test in tests):
            tests.append(parser.get_doctest(text, {"sgfstream": sgfstream}, name, None, 0))
    for test in tests:
        runner.run(test)
    results = runner.summarize()
    assert results.failed == 0 and results.attempted > 25


@pytest.mark.parametrize("page", ["docs/python.md", "python/README.md"])
def test_pages(page, monkeypatch, tmp_path):
    path = ROOT / page
    if not path.exists():
        pytest.skip(f"{page} is not there")
    monkeypatch.chdir(tmp_path)
    os.symlink(ROOT / "corpus", tmp_path / "corpus")
    results = doctest.testfile(str(path), module_relative=False, globs={}, optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_notebook_runs(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    os.symlink(ROOT / "corpus", tmp_path / "corpus")
    cells = json.loads((ROOT / "docs/tutorial.ipynb").read_text())["cells"]
    names = {}
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(codes) > 8
    for number, code in enumerate(codes):
        # What a cell shows is its last expression.
        tree = ast.parse(code)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"cell {number}", "exec"), names)
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
            assert shown is not None and repr(shown)


def test_stubs_name_what_there_is():
    stub = ast.parse((pathlib.Path(sgfstream.__file__).parent / "_native.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    assert {name for name, _ in native_items()} == set(classes)
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert functions == {name for name, item in vars(_native).items() if type(item).__name__ == "builtin_function_or_method"}
    for name, item in native_items():
        members = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef) and not node.name.startswith("__")}
        assert members == {member for member in vars(item) if not member.startswith("__")}, name
    assert all(hasattr(sgfstream, name) for name in sgfstream.__all__)
    assert all(getattr(sgfstream, name).__doc__ for name in sgfstream.__all__ if callable(getattr(sgfstream, name)))


def test_annotations_hold(tmp_path):
    pytest.importorskip("mypy")
    check("mypy", "sgfstream", cwd=ROOT / "python", cache=tmp_path)


def test_stubs_have_the_names_and_arguments_of_the_extension(tmp_path):
    pytest.importorskip("mypy")
    # The package that these tests import, wherever it is installed.
    config = ROOT / "python/pyproject.toml"
    check("mypy.stubtest", "sgfstream._native", "--mypy-config-file", config, cwd=tmp_path, cache=tmp_path)


def check(*checker, cwd, cache):
    environment = {**os.environ, "MYPY_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-m", *checker], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
