"""Trees, events, findings and repairs, against the command and the text of the files."""

import json
import os
import pathlib
import pickle
import subprocess
import sys
import threading

import pytest

import sgfstream
from conftest import CORPUS, sgfq

FILES = ["go-ff4.sgf", "go-collection.sgf", "deep.sgf", "gbk-plain.sgf", "blokus.blksgf", "mail.sgf", "unclosed-value.sgf", "utf-16le.sgf"]


def run(*arguments):
    return subprocess.run([sgfq(), *map(str, arguments)], capture_output=True, text=True, errors="replace")


@pytest.mark.parametrize("name", FILES)
def test_events_are_those_of_the_command(name):
    path = CORPUS / name
    kinds = {"variation_start": "(", "node_start": ";", "variation_end": ")"}
    expected = []
    for line in map(json.loads, run("events", path).stdout.splitlines()):
        values = line.get("values")
        if values is not None:
            values = [value.encode() if isinstance(value, str) else value["latin1"].encode("latin-1") for value in values]
        expected.append((kinds.get(line["kind"], line["kind"]), line.get("id", line.get("code")), values))
    found = list(sgfstream.events(path))
    assert found[0] == ("file", str(path), None)
    assert found[1:] == expected and len(expected) > 3


@pytest.mark.parametrize("name", FILES)
def test_games_are_the_events_as_trees(name):
    events = list(sgfstream.events(CORPUS / name))
    games = list(sgfstream.games(CORPUS / name))
    starts = sum(kind == ";" for kind, *_ in events)
    assert sum(len(game) for game in games) == starts
    written = b"".join(game.to_bytes() + b"\n" for game in games)
    again = [event for event in sgfstream.events(written) if event[0] not in ("file", "problem")]
    # What is written is UTF-8 where the file was transcoded.
    assert again == [event for event in events if event[0] not in ("file", "problem")]
    assert all(pickle.loads(pickle.dumps(game)) == game for game in games)
    with pytest.raises(TypeError, match="pickle the bytes of its game"):
        pickle.dumps(games[0].root.board())


def test_a_tree_can_be_walked_and_edited():
    game = sgfstream.Game.parse(b"(;GM[1]CA[GBK]AB[aa][bb]C[\xba\xda];B[pd](;W[dp];B[qq])(;W[dd]))")
    root = game.root
    assert root.properties() == {"GM": ["1"], "CA": ["GBK"], "AB": ["aa", "bb"], "C": ["黑"]}
    assert (root["C"], root.raw("AB"), root.get("XX"), root.get("XX", "none"), "AB" in root) == ("黑", [b"aa", b"bb"], None, "none", True)
    fork = root.children[0]
    assert [child["W"] for child in fork.children] == ["dp", "dd"]
    assert fork.parent == root and root.parent is None and len({fork, root.children[0]}) == 1
    fork.children[1].promote()
    assert [node.get("W") for node in game.main_line()] == [None, None, "dd"]
    fork.children[1].remove()
    assert len(game) == 3 and len(game.nodes()) == 3
    root["C"] = "白 [1]"
    root.set_raw("AB", [b"cc"])
    del root["GM"]
    fork.add_child()["W"] = "ee"
    assert game.to_bytes() == b"(;CA[GBK]AB[cc]C[" + "白 [1\\]".encode("gbk") + b"];B[pd](;W[dd])(;W[ee]))"
    for wrong in [lambda: root["XX"], lambda: root.__delitem__("XX")]:
        with pytest.raises(KeyError):
            wrong()
    with pytest.raises(ValueError, match="the text has characters that GBK cannot encode"):
        root["C"] = "é😀"
    with pytest.raises(ValueError, match="choose a node below it"):
        root.remove()
    with pytest.raises(ValueError, match="expected one game, found 2"):
        sgfstream.Game.parse(b"(;)(;)")


def test_games_are_in_order_and_stop(inputs):
    games = sgfstream.games(inputs / "large.sgf", threads=3)
    names = [next(games).root["PB"] for _ in range(5000)]
    assert names == [f"black {number}" for number in range(5000)]
    del games
    with pytest.raises(OSError, match="bad"):
        list(sgfstream.games(pathlib.Path("no/such/bad.sgf")))


@pytest.mark.parametrize("name", ["corpus", "members.zip", "large.sgf"])
def test_findings_are_those_of_the_command(inputs, monkeypatch, name):
    monkeypatch.chdir(inputs)
    for arguments, options in [((), {}), (("--level", "note", "--legality", "--allow", "illegal-move"), {"level": "note", "legality": True, "allow": ["illegal-move"]})]:
        lines = [json.loads(line) for line in run("check", "-q", "-f", "jsonl", *arguments, name).stdout.splitlines()]
        findings = list(sgfstream.check(name, threads=3, **options))
        assert len(findings) == len(lines) > 0
        for finding, line in zip(findings, lines):
            assert (finding.source, finding.code, finding.severity) == (line["file"], line["code"], line["severity"])
            # The command shows the bytes after some messages.
            assert line["message"].startswith(finding.message)
            assert (finding.line, finding.column, finding.game, finding.path) == (line["line"], line["column"], line["game"], line["path"])


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.sgf")), ids=lambda path: path.name)
def test_repairs_are_those_of_the_command(path):
    expected = subprocess.run([sgfq(), "fix", "-q", str(path)], capture_output=True).stdout
    fixed = sgfstream.fix(path)
    assert fixed.data == expected
    assert sgfstream.fix(path.read_bytes()).data == expected
    said = run("fix", path, "-f", "jsonl").stderr.splitlines()
    done = [json.loads(line)["done"] for line in said if line.startswith("{")]
    assert fixed.count("repaired") == done.count("repaired")


def test_only_one_file_is_repaired(inputs):
    with pytest.raises(ValueError, match="fix takes one whole file or its bytes"):
        sgfstream.fix(inputs / "members.zip")
    with pytest.raises(ValueError, match="unknown code"):
        sgfstream.fix(b"(;)", only=["nonsense"])
    misplaced = b"(;FF[4]GM[1];EV[x]B[aa];EV[y])"
    assert sgfstream.fix(misplaced).data == b"(;FF[4]GM[1];EV[x]B[aa];XK[EV: y])"
    assert sgfstream.fix(misplaced, to_comments=True).data == b"(;FF[4]GM[1];EV[x]B[aa];C[EV: y])"
    assert sgfstream.fix(b"(;GM[1]FF[4]KM[6,5])", allow=["malformed-game-info"]).data == b"(;GM[1]FF[4]KM[6,5])"
    stray = sgfstream.fix(b"(;FF[4]GM[1]KM[6,5];b[ab])").findings
    assert {finding.code: finding.blocked for finding in stray}["malformed-game-info"]


def test_a_text_is_a_game_and_a_list_is_a_property():
    game = sgfstream.Game.parse("(;GM[1]SZ[9]C[黒])")
    assert game.root["C"] == "黒"
    game.root["LB"] = ["aa:1", "bb:[2]"]
    assert game.root.raw("LB") == [b"aa:1", b"bb:[2\\]"]
    with pytest.raises(ValueError, match="the game declares CA\\[GBK\\]; pass bytes"):
        sgfstream.Game.parse("(;CA[GBK]C[黑])")
    for wrong in [b"aa", None, [None]]:
        with pytest.raises(TypeError):
            game.root["LB"] = wrong
    with pytest.raises(TypeError):
        sgfstream.Game.parse(1)
    assert "os" not in dir(sgfstream)


def test_several_threads_share_the_games(inputs):
    games = sgfstream.games(inputs / "large.sgf", threads=2)
    names, errors = [], []

    def take():
        try:
            names.extend(game.root["PB"] for game in games)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [game.root["PB"] for game in sgfstream.games(inputs / "large.sgf")]
    assert not errors and sorted(names) == sorted(expected) and len(names) > 5000


FORK = """
import os, sgfstream, warnings
warnings.simplefilter("ignore")
data = b"(;PB[Ada])" * 100_000
games, events = sgfstream.games(data), sgfstream.events(data)
next(games), next(events)
child = os.fork()
if child == 0:
    for each in (games, events):
        try:
            next(each)
            os._exit(1)
        except RuntimeError as error:
            assert "another process began to read; after a fork" in str(error)
    del games, events, each
    assert len(list(sgfstream.games(b"(;)(;)"))) == 2
    os._exit(7)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
assert status == 7, status
assert sum(1 for _ in games) == 99_999
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")
def test_a_fork_does_not_wait_for_threads_that_it_does_not_have():
    assert subprocess.run([sys.executable, "-c", FORK], timeout=60).returncode == 0


INTERRUPT = """
import os, signal, threading, time, sgfstream
data = b"(;GM[1]FF[4]KM[6,5];B[aa];W[bb])" * 2_000_000
threading.Timer(2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begun = time.monotonic()
try:
    sgfstream.fix(data)
except KeyboardInterrupt:
    assert time.monotonic() - begun < 20
    print("interrupted")
"""


def test_repairs_can_be_interrupted():
    done = subprocess.run([sys.executable, "-c", INTERRUPT], timeout=120, capture_output=True, text=True)
    assert done.stdout == "interrupted\n", done.stderr
