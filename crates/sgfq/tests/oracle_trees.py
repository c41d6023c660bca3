"""Reads game records with sgfmill and @sabaki/sgf, and compares their trees
with the trees of sgfq. Also compares sgfmill's board after each main line.

    oracle_trees.py TREE_PROBE [--node FOLDER] [--step N] INPUT...

TREE_PROBE is the example `tree_probe`; FOLDER has node_modules with
@sabaki/sgf. The script compares the files that both read. It counts the
differences by reason; a difference without a known reason is an error."""

import collections
import json
import os
import subprocess
import sys
import tarfile
import tempfile

from sgfmill import sgf, sgf_grammar, sgf_moves

SABAKI = """
const sgf = require('@sabaki/sgf'), fs = require('fs')
for (const path of fs.readFileSync(0, 'utf8').split('\\n').filter(x => x)) {
  let games = null
  try {
    const text = Array.from(fs.readFileSync(path), x => String.fromCharCode(x)).join('')
    const walk = (node, nodes) => {
      for (; node; node = node.children[0]) {
        nodes.push(node.data)
        if (node.children.length > 1) { for (const child of node.children) walk(child, nodes); break }
      }
      return nodes
    }
    games = sgf.parse(text).map(root => walk(root, []))
  } catch (err) {}
  fs.writeSync(1, JSON.stringify(games) + '\\n')
}"""

# Problems that do not change what a file means.
HARMLESS = {"assumed-charset", "text-before-game", "text-after-game", "no-space-after-game"}


def options(words):
    found = {"--node": None, "--step": "1"}
    while words and words[0] in found:
        found[words[0]] = words[1]
        words = words[2:]
    return found["--node"], int(found["--step"]), words


def files(inputs, step):
    """Every `step`-th file of the inputs, by its name."""
    number = 0
    for top in inputs:
        walk = os.walk(top) if os.path.isdir(top) else [(os.path.dirname(top), [], [os.path.basename(top)])]
        for path in sorted(os.path.join(at, name) for at, _, names in walk for name in names):
            if path.endswith(".tar.zst"):
                with tempfile.TemporaryFile() as unpacked:
                    subprocess.run(["zstd", "-dcq", path], stdout=unpacked, check=True)
                    unpacked.seek(0)
                    with tarfile.open(fileobj=unpacked) as archive:
                        for member in archive:
                            number += member.isfile()
                            if member.isfile() and number % step == 0 and member.size < 300_000:
                                yield f"{os.path.basename(path)}!{member.name}", archive.extractfile(member).read()
            elif not path.endswith((".md", ".zip", ".gz", ".zst")):
                number += 1
                if number % step == 0:
                    with open(path, "rb") as file:
                        yield os.path.basename(path), file.read()


def plain(value):
    """A raw value without escapes and soft line breaks, and with one kind of
    blank: what a reader that unescapes has made of it."""
    out, at = [], 0
    value = value.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    while at < len(value):
        if value[at] == "\\":
            at += 1
            if value[at:at + 1] == "\n":
                at += 1
                continue
        out.append(value[at:at + 1])
        at += 1
    return " ".join("".join(out).split())


def blanks(value):
    return " ".join(value.replace("\r", "\n").split())


def mapped(tree, change):
    return [item if isinstance(item, str) else {
        ident: [change(value) for value in values] for ident, values in item.items()} for item in tree]


def nodes(tree):
    return [item for item in tree if not isinstance(item, str)]


def coarse(tree):
    """A tree of sgfmill in the form of sgfq: raw values, one character per byte."""
    out, todo = [], [tree]
    while todo:
        item = todo.pop()
        if item == ")":
            out.append(")")
            continue
        out.append("(")
        for properties in item.sequence:
            out.append({ident: [value.decode("latin-1") for value in values] for ident, values in properties.items()})
        todo.append(")")
        todo.extend(reversed(item.children))
    return out


def by_sgfmill(data):
    try:
        return [coarse(tree) for tree in sgf_grammar.parse_sgf_collection(data)]
    except ValueError:
        return None


def board_of_sgfmill(data):
    """The board after the main line. None where sgfmill plays none of it: a
    setup after the root, or a move that it does not allow."""
    game = sgf.Sgf_game.from_bytes(data)
    for node in game.get_main_sequence()[1:]:
        if node.has_setup_stones():
            return None
    board, moves = sgf_moves.get_setup_and_moves(game)
    for color, move in moves:
        if move is not None:
            board.play(*move, color)
    signs = {"b": "X", "w": "O", None: "."}
    return ["".join(signs[board.get(row, column)] for column in range(board.side)) for row in reversed(range(board.side))]


def reason(reader, record, data):
    """The known reason why another reader builds another tree."""
    unsound = set(record["problems"]) - HARMLESS
    if unsound:
        return "not sound, mended in other ways: " + sorted(unsound)[0]
    if b"\x1b$" in data:
        return "ISO-2022-JP, which is read as text here"
    if not data.isascii() and b"\\" in data:
        return "a `\\` that is half a character of a double-byte charset"
    if reader == "sabaki" and b"\r" in data.replace(b"\r\n", b""):
        return "a line break of CR alone is dropped"
    if reader == "sabaki" and "text-before-game" in record["problems"]:
        return "words before a game are read as identifiers"
    return None


def is_set_up_twice(root):
    """sgfmill sets up Black's stones, then White's, and then removes stones."""
    points = [point for ident in ("AB", "AW", "AE") for point in set(root.get(ident, []))]
    return len(points) != len(set(points))


def main():
    probe, (node, step, inputs) = sys.argv[1], options(sys.argv[2:])
    counts, reasons, wrong = collections.Counter(), collections.Counter(), []

    def judge(reader, name, record, data, theirs, is_same):
        if theirs is None:
            counts[f"not read by {reader}"] += 1
        elif is_same:
            counts[f"alike in {reader}"] += 1
        elif why := reason(reader, record, data):
            reasons[f"{reader}: {why}"] += 1
        else:
            wrong.append(f"{reader}: {name}")

    def compare(folder, batch):
        paths = []
        for number, (_, data) in enumerate(batch):
            paths.append(os.path.join(folder, f"{number}.sgf"))
            with open(paths[-1], "wb") as out:
                out.write(data)
        listed = "".join(path + "\n" for path in paths)
        ours = subprocess.run([probe], input=listed, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
        sabaki = [None] * len(batch)
        if node:
            run = subprocess.run(["node", "-e", SABAKI], input=listed, cwd=node, capture_output=True, text=True, check=True)
            sabaki = [json.loads(line) for line in run.stdout.split("\n")[:-1]]
        for (name, data), line, of_sabaki in zip(batch, ours, sabaki, strict=True):
            counts["files"] += 1
            record = json.loads(line)
            games = [mapped(game, plain) for game in record["games"]]
            of_sgfmill = by_sgfmill(data)
            is_same = of_sgfmill is not None and [mapped(game, plain) for game in of_sgfmill] == games
            judge("sgfmill", name, record, data, of_sgfmill, is_same)
            if node:
                # Its trees have no parentheses, and its values no escapes.
                is_same = of_sabaki is not None and [mapped(game, blanks) for game in of_sabaki] == [
                    [{ident: [blanks(value) for value in values] for ident, values in each.items()} for each in nodes(game)]
                    for game in games]
                judge("sabaki", name, record, data, of_sabaki, is_same)
            if record["board"] and len(games) == 1 and not set(record["problems"]) - HARMLESS and of_sgfmill:
                try:
                    board = board_of_sgfmill(data)
                except (ValueError, KeyError, IndexError):
                    board = None
                if board is None:
                    counts["boards that sgfmill does not make"] += 1
                elif board == record["board"]:
                    counts["boards alike"] += 1
                elif any(len(values) != len(set(values)) or "B" in each and "W" in each
                         for each in nodes(games[0]) for values in each.values()):
                    reasons["board: several moves in one node"] += 1
                elif is_set_up_twice(next(iter(nodes(games[0])))):
                    reasons["board: a point is set up twice, which is done in the order of the file here"] += 1
                else:
                    wrong.append(f"board: {name}")

    with tempfile.TemporaryDirectory() as folder:
        batch = []
        for each in files(inputs, step):
            batch.append(each)
            if len(batch) == 500:
                compare(folder, batch)
                batch = []
        compare(folder, batch)
    for what, count in sorted(counts.items()):
        print(f"{count:7} {what}")
    for why, count in reasons.most_common():
        print(f"{count:7} differ: {why}")
    for what in wrong[:40]:
        print(f"        differs without a reason: {what}")
    assert counts["files"] > 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
